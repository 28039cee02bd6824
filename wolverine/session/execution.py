"""The process in hand: moves it, and keeps picture, model, image and constraints of every stop together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import count

from wolverine.core.graph import UNINITIALISED, MemoryGraph, NodeId, Place, Pointer, VariableId
from wolverine.core.process import Stop
from wolverine.core.program import Program
from wolverine.core.trace import Decision, Effect, Event, Interval
from wolverine.debugger import Album, Debugger, Image
from wolverine.errors import CommandError, DebuggerError, DebuggerLostError
from wolverine.session.codes import Codes
from wolverine.session.moments import (
    Applied,
    Asserted,
    Change,
    Checkpoint,
    Moment,
    PlaceChange,
    Stack,
    StateChange,
    activations_of,
    kept_images,
    trace_start,
)
from wolverine.session.positions import UNMAPPED, CodeMap, Stretch
from wolverine.session.tracing import (
    Followed,
    Tracer,
    entry_hits,
    still_unwritten,
    unwritten_locals,
    with_uninitialised,
)


@dataclass(frozen=True, slots=True)
class Saved:
    """Everything of an execution that a command may change."""

    path: tuple[Moment, ...]
    start: int | None
    checkpoint: int | None
    checkpoints: Mapping[int, Checkpoint]
    dropped: frozenset[int]


class Execution:
    """One debugged program: its process, the path of stops, the checkpoints.

    `differed` is called with what the model could not explain; the stop then goes on from the
    process' own state.
    """

    def __init__(
        self, program: Program, debugger: Debugger, codes: Codes, differed: Callable[[Followed], None]
    ) -> None:
        self.program = program
        self.debugger = debugger
        self.codes = codes
        self.tracer = Tracer(program)
        self.path: list[Moment] = []
        self.start: int | None = None
        self.checkpoints: dict[int, Checkpoint] = {}
        self.checkpoint: int | None = None
        self.dropped: set[int] = set()
        self.budget: float = 10.0
        self.typed = 0
        self.written = 0
        self.album = Album()
        self.tell: Callable[[str], None] = lambda text: None
        self._told: set[str] = set()
        self._touched = False
        self.differed = differed
        self._fresh = True
        self._carried = Applied()
        self._serial = count()
        self._numbers = count(1)
        self.muted: Callable[[], AbstractContextManager[object]] = nullcontext

    # -- where we are ------------------------------------------------------------------------------

    @property
    def moment(self) -> Moment | None:
        """The present stop; None before the program was started."""
        return self.path[-1] if self.path else None

    @property
    def model(self) -> Program:
        """The program as it is modelled: with what is marked concrete left to the process."""
        return self.tracer.program

    def remodel(self, program: Program) -> bool:
        """Follow the path anew with another variant of the program (`semantics.refinement`).

        False where that cannot be done because a patch is in force: then the trace begins anew here.
        """
        self.tracer.program = program
        if not self.path or not self.path[-1].stop.alive:
            return True
        moment = self.path[-1]
        if moment.applied.patch.edits:
            self.start = None
            self.tracer.seat(moment.graph, moment.stack, moment.applied.patch)
            self.path[-1] = replace(
                moment, arrived=(), position=self.tracer.position(), model=self.tracer.save()
            )
            return False
        for start in sorted({0, self.start or 0}):
            self.path[start:] = self.tracer.refollow(self.path, start)
        return True

    def here(self) -> Moment:
        """The present stop; raises CommandError where there is no living process to act on."""
        moment = self.moment
        if moment is None:
            raise CommandError("the program is not running; `start` runs it to main")
        if not moment.stop.alive:
            way = f"{self._way_back()}`back` goes to the stop before, `start` runs it anew"
            raise CommandError(f"the program has ended; {way}")
        return moment

    def _way_back(self) -> str:
        """To the first use of a node after it was freed, which did not stop the program."""
        for node, (name, instruction) in self.tracer.uses().items():
            function = self.model.functions[name]
            if function.unit_of[instruction] >= 0:
                line = function.units[function.unit_of[instruction]].span.line
                return (
                    f"n{node.number} was used after it was freed, and `repair` works where that shows "
                    f"(`break {line}`, `run`, and `continue` or `next` until it is told); "
                )
        return ""

    def _applied_now(self) -> Applied:
        return self.path[-1].applied if self.path else self._carried

    # -- moving ------------------------------------------------------------------------------------

    def begin(self, to_main: bool) -> Moment:
        """Start the program (anew): to the first line of main, or to its first stop.

        The state at main is kept in either case, so that a trace can begin there.  A patch stays in force.
        """
        self._carried = replace(self._applied_now(), candidates=(), chosen=0)
        self.path.clear()
        self._told.clear()
        self.start = None
        self.checkpoint = None
        self._fresh = True
        if to_main:
            return self.arrive(replace(self.debugger.start(), reason="breakpoint"))
        stop = self.debugger.run(at_main=lambda stop: self.arrive(stop, transit=True), budget=self.budget)
        if self.path and stop.frames and stop.frames[0].pc == self.path[0].stop.frames[0].pc:
            self.path[0] = replace(self.path[0], stop=replace(stop, frames=stop.frames), transit=False)
            self._touched = True
            return self.path[0]
        return self.arrive(stop)

    def move(self, command: str) -> Moment:
        """Carry out one of gdb's execution commands."""
        self.here()
        self.depart()
        return self.arrive(self.debugger.resume(command, self.budget))

    def step(self, verb: str, count: int) -> Moment:
        """`next` or `step` so many times; ends early, as in gdb, at a breakpoint or a signal."""
        moment = self.move(verb)
        for _ in range(count - 1):
            if moment.stop.reason != "step" or not moment.stop.alive:
                break
            self.path[-1] = replace(self.path[-1], transit=True)
            moment = self.move(verb)
        return moment

    def move_to(self, address: int, transit: bool = False) -> Moment:
        """Run to an address that the execution is about to reach."""
        self.depart()
        stop = self.debugger.run_to(address, budget=self.budget)
        return self.arrive(stop, transit=transit)

    def depart(self) -> None:
        """Bring what the present stop holds up to date before it is left.

        The image taken on arrival is still true unless something has touched the process here.
        """
        if self.path and self.path[-1].stop.alive:
            image = self.image() if self._touched else self.path[-1].image
            self.path[-1] = replace(self.path[-1], image=image, model=self.tracer.save())

    def settle(self) -> None:
        """At the end of a command: the present stop can be restored as it is now."""
        if self._touched and self.debugger.pid is not None:
            self.depart()

    def saved(self) -> Saved:
        """What `reinstate` brings back."""
        return Saved(
            tuple(self.path), self.start, self.checkpoint, dict(self.checkpoints), frozenset(self.dropped)
        )

    def reinstate(self, saved: Saved) -> None:
        """Undo all that was done since `saved`, in the process too."""
        self.path = list(saved.path)
        self.start, self.checkpoint = saved.start, saved.checkpoint
        self.checkpoints, self.dropped = dict(saved.checkpoints), set(saved.dropped)
        if self.path and self.path[-1].image is not None:
            self.restore(self.path[-1])
        self._touched = False

    def disturbed(self) -> bool:
        """Whether the process is not as it was when the last command was through."""
        known = self.path[-1].image if self.path and self.path[-1].stop.alive else None
        if known is None:
            return False
        try:
            now = self.debugger.take_image()
        except DebuggerError:
            return True
        same: bool = now.pages == known.pages and now.registers == known.registers
        return not same

    def touch(self) -> None:
        """Something other than its own statements may have changed the process at this stop."""
        self._touched = True

    def image(self) -> Image:
        """The process as it is now."""
        self._touched = False
        image = self.debugger.take_image()
        self.album.add(image)
        return image

    def keep_within(self) -> None:
        """Give up images of old stops where all together exceed the cap; checkpoints stay."""
        if not self.album.full:
            return
        spare = [moment.image for moment in self.path if moment.transit]
        if self.album.thin(kept_images(self.path, self.start, self.checkpoints.values()), spare):
            self.tell_once(
                f"the images of all stops exceed {self.album.limit >> 20} MB: old ones are given up, "
                "checkpoints stay (`set image-memory`)"
            )

    def tell_once(self, text: str) -> None:
        """Say something once in a run of the program."""
        if text not in self._told:
            self._told.add(text)
            self.tell(text)

    def arrive(
        self, stop: Stop, decision: Callable[[], Decision | None] | None = None, transit: bool = False
    ) -> Moment:
        """Take a stop of the process into the path.

        `decision` moves the model along a forced branch instead of letting it follow by itself.
        """
        stop = self._past_what_is_no_stop(stop)
        if stop.reason == "lost":
            raise DebuggerLostError("gdb has ended")
        if not stop.alive:
            applied = self._applied_now()
            if stop.reason == "exited":
                self.tracer.run_out()
            graph = self.path[-1].graph if self.path else MemoryGraph(self.program.types)
            number = next(self._numbers)
            moment = Moment(
                stop,
                graph,
                (),
                None,
                applied=applied,
                model=self.tracer.save(),
                written=self.written,
                never_freed=self.debugger.never_freed(),
                number=number,
            )
            self.path.append(moment)
            return moment
        return self._take(stop, decision=decision, transit=transit)

    def _take(
        self,
        stop: Stop,
        *,
        decision: Callable[[], Decision | None] | None = None,
        transit: bool = False,
        instruction: int | None = None,
    ) -> Moment:
        """Add a stop of the living process to the path; `instruction` is where it is, if that is known."""
        applied = self._applied_now()
        snapshot = self.debugger.snapshot()
        stop = replace(stop, frames=snapshot.frames)
        stack = self.stack_of(stop)
        if instruction is not None:
            stack = ((stack[0][0], instruction), *stack[1:])
        events, graph = self._follow(
            snapshot.graph, stack, applied, decision, crashed=stop.reason == "signal"
        )
        moment = Moment(
            stop,
            graph,
            stack,
            self.tracer.position() if stack and stack[0][1] != UNMAPPED else None,
            arrived=events,
            image=self.image(),
            model=self.tracer.save(),
            applied=applied,
            transit=transit,
            activations=self._activations(stop),
            typed=self.typed,
            written=self.written,
            number=next(self._numbers),
        )
        self.path.append(moment)
        self.keep_within()
        return moment

    def _activations(self, stop: Stop) -> tuple[int, ...]:
        previous = self.path[-1] if self.path else None
        now = self.tracer.position()
        then = previous.position if previous is not None else None
        anew = now is not None and then is not None and now.activation != then.activation
        anew = anew and previous is not None and len(previous.stop.frames) == len(stop.frames)
        return activations_of(previous, stop.frames, anew, self._serial)

    def arrive_at(self, stop: Stop, instruction: int) -> Moment:
        """Take a stop inside a condition, just before its Branch `instruction`, into the path."""
        if stop.reason != "location":
            return self.arrive(stop)
        return self._take(stop, transit=True, instruction=instruction)

    def adopt(self, stop: Stop) -> Moment:
        """Take a stop to which gdb itself moved the process: a new trace begins there."""
        self.start = None
        self._fresh = True
        return self.arrive(stop)

    def take_changes(self, places: tuple[Place, ...]) -> None:
        """Memory that gdb wrote counts as changed by the user."""
        graph = self.debugger.snapshot().graph
        before = self.path[-1].graph
        self.constrain()
        for place in places:
            was = before.cells.get(place, UNINITIALISED)  # of a new node
            self.record_change(PlaceChange(place, was, graph.cells[place]))

    def stack_of(self, stop: Stop) -> Stack:
        """The instructions of the stop's frames, innermost first."""
        stack = self.codes.stack(stop.frames)
        if stop.foreign and stop.frames:
            first = self.codes.instruction(stop.frames[0], innermost=False)
            if first != UNMAPPED:
                unit = self.program.functions[stop.frames[0].function].unit_of[first - 1]
                first = self.program.functions[stop.frames[0].function].units[unit].first
            stack = ((stop.frames[0].function, first), *stack[1:])
        return stack

    def _follow(
        self,
        graph: MemoryGraph,
        stack: Stack,
        applied: Applied,
        decision: Callable[[], Decision | None] | None,
        *,
        crashed: bool = False,
    ) -> tuple[tuple[Event, ...], MemoryGraph]:
        if self._fresh or not self.path:
            return (), self._seat(graph, stack, applied)
        if decision is not None:
            try:
                forced = decision()
            except ValueError:
                self.tell("the model does not know how the program came here: the trace begins anew")
                self.start = None
                return (), self._seat(graph, stack, applied)
            return (() if forced is None else (forced,)), with_uninitialised(
                graph, self.unwritten(graph, stack)
            )
        if not stack or stack[0][1] == UNMAPPED or graph.unread:
            return (), with_uninitialised(graph, self._unwritten_locals(graph, stack))
        followed = self.tracer.advance(graph, stack, crashed)
        if followed.differences or followed.reason:
            self.differed(followed)
        return followed.events, with_uninitialised(graph, self.unwritten(graph, stack))

    def unwritten(self, graph: MemoryGraph, stack: Stack) -> frozenset[Place]:
        """The cells that hold nothing yet: as the model knows, and as the code shows."""
        # What fresh heap memory holds the process tells itself: the tracker fills it with a pattern.
        modelled = (p for p in self.tracer.uninitialised() if isinstance(p.object, VariableId))
        return frozenset(modelled) | self._unwritten_locals(graph, stack)

    def _unwritten_locals(self, graph: MemoryGraph, stack: Stack) -> frozenset[Place]:
        return unwritten_locals(self.program, graph, stack, self.tracer.patch)

    def _seat(self, graph: MemoryGraph, stack: Stack, applied: Applied) -> MemoryGraph:
        marked = with_uninitialised(graph, unwritten_locals(self.program, graph, stack, applied.patch))
        self.tracer.seat(marked, stack, applied.patch)
        self._fresh = False
        return marked

    def _past_what_is_no_stop(self, stop: Stop) -> Stop:
        """An inserted statement runs before the stop behind it, and so does a jump to where a loop goes on.

        An inserted statement may leave the function, so where that stop is shows only when it is reached.
        """
        while stop.alive and stop.frames and not stop.foreign and stop.reason != "signal":
            frame = stop.frames[0]
            version = self.codes.of(frame.function, frame.pc)
            piece = version.map.at(frame.function, frame.pc) if version is not None else None
            if version is None or piece is None:
                return stop
            if not piece.inserted and not self._jumps_back(version.map, frame.function, piece, frame.pc):
                return stop
            behind = self.debugger.resume("nexti", self.budget)
            if behind.alive and behind.reason in ("step", "breakpoint"):
                behind = replace(behind, reason=stop.reason, breakpoint=stop.breakpoint)
            stop = behind
        return stop

    def _jumps_back(self, code: CodeMap, function: str, piece: Stretch, pc: int) -> bool:
        """Whether all that is left of the stretch is a jump to the beginning of its own unit.

        gcc gives the jump at the end of an endless loop the line of what the loop begins with, so that
        one position of the program is two in the process.
        """
        if piece.unit == UNMAPPED or pc != piece.start:
            return False
        first = code.unit_start(function, piece.unit)
        if first is None or pc == first:
            return False
        return [edge.address for edge in self.debugger.edges(((pc, piece.end),))] == [first]

    # -- constraints -------------------------------------------------------------------------------

    def constrain(self) -> None:
        """The present stop is about to carry a constraint: see where the trace begins now."""
        start = trace_start(self.path, self.start)
        if start != self.start:
            self._see_entry(start)
            start = trace_start(self.path, self.start)
            self.start = start
            self.path[start:] = self.tracer.refollow(self.path, start)

    def _see_entry(self, index: int) -> None:
        """Put the entry of the present activation in front of the first stop that saw it.

        The process runs to it once more.  Where that is not possible the trace begins at that stop.
        """
        moment, present = self.path[index], self.path[-1]
        level = moment.activations.index(present.activation) if present.activation is not None else 0
        entry, frame = entry_hits(self.path, index, level, self.program), moment.stop.frames[level]
        version = self.codes.of(frame.function, frame.pc)
        if entry is None or version is None or self.path[index - 1].typed != self.typed:
            return
        address = version.map.body(entry.function)
        if address is None:
            return
        self.depart()
        present = self.path[-1]
        with self.muted():
            self.restore(self.path[index - 1])
            stop = self.debugger.run_to(address, hits=entry.hits, budget=self.budget)
            known = stop.reason == "location" and stop.frames[0].cfa == frame.cfa
            if known:
                first = self._moment_at(stop, replace(moment, activations=moment.activations[level:]))
            self.restore(present)
        if known:
            self.path.insert(index, first)
            if self.start is not None and self.start >= index:
                self.start += 1

    def _moment_at(self, stop: Stop, following: Moment) -> Moment:
        snapshot = self.debugger.snapshot()
        stop = replace(stop, frames=snapshot.frames)
        stack = self.stack_of(stop)
        unwritten = unwritten_locals(self.program, snapshot.graph, stack, following.applied.patch)
        graph = with_uninitialised(snapshot.graph, unwritten | still_unwritten(following.graph, len(stack)))
        return replace(
            following,
            stop=stop,
            graph=graph,
            stack=stack,
            position=None,
            arrived=(),
            changes=(),
            asserted=(),
            image=self.image(),
            model=None,
            transit=True,
            number=next(self._numbers),
        )

    def record_change(self, change: Change) -> None:
        """Note a change that was made in the process; the model follows it."""
        self.tracer.change(change)
        moment = self.path[-1]
        self.path[-1] = replace(moment, changes=(*moment.changes, change))
        self.refresh()

    def undo(self) -> Change:
        """Take back the last change at this stop, in the process too; returns what was done for that."""
        moment = self.here()
        floor = max((spec.changes_before for spec in moment.asserted), default=moment.settled)
        if len(moment.changes) <= floor:
            why = "the last change here is asserted" if moment.changes else "nothing was changed at this stop"
            raise CommandError(why)
        change = moment.changes[-1]
        back = change.inverse()
        self.write(back)
        self.path[-1] = replace(moment, changes=moment.changes[:-1])
        self.tracer.change(back)
        self.refresh()
        return back

    def next_node(self) -> NodeId:
        """The name of the node that is allocated next."""
        return NodeId(self.debugger.last_number() + 1)

    def write(self, change: Change) -> None:
        """Carry a change out in the process."""
        self.touch()
        match change:
            case PlaceChange(place, before, after, made):
                if made > 0:
                    self.debugger.make_node(made)
                snapshot = self.debugger.snapshot()
                self.debugger.write(place, after, snapshot)
                if made < 0 and isinstance(before, Pointer) and isinstance(before.object, NodeId):
                    self.debugger.unmake_node(before.object, snapshot)
            case StateChange(node, _, after):
                self.debugger.set_state(node, after)

    def refresh(self) -> None:
        """Read the present state again."""
        moment = self.path[-1]
        graph = self.debugger.snapshot().graph
        marked = with_uninitialised(graph, self.unwritten(graph, moment.stack) - self._changed_here())
        self.path[-1] = replace(moment, graph=marked)

    def _changed_here(self) -> frozenset[Place]:
        return frozenset(c.place for c in self.path[-1].changes if isinstance(c, PlaceChange))

    def assert_here(self, asserted: Asserted) -> Checkpoint:
        """Record a `spec` and the checkpoint that goes with it."""
        moment = self.path[-1]
        self.path[-1] = replace(moment, asserted=(*moment.asserted, asserted))
        self.depart()
        assert self.start is not None
        checkpoint = Checkpoint(asserted.checkpoint, self.checkpoint, tuple(self.path), self.start)
        self.checkpoints[asserted.checkpoint] = checkpoint
        self.checkpoint = asserted.checkpoint
        return checkpoint

    # -- going back --------------------------------------------------------------------------------

    def resume(self, number: int) -> Moment:
        """Back to a checkpoint: process, position, names, constraints, patch."""
        checkpoint = self.checkpoints.get(number)
        if checkpoint is None:
            raise CommandError(f"there is no checkpoint {number}; {self._checkpoints_here()}")
        self.restore(checkpoint.moment)
        self.path = list(checkpoint.path)
        self.start = checkpoint.start
        self.checkpoint = number
        if self.tracer.stale:
            self.remodel(self.model)
        return checkpoint.moment

    def _checkpoints_here(self) -> str:
        if not self.checkpoints:
            return "`spec` makes one"
        return f"there are {', '.join(map(str, sorted(self.checkpoints)))}"

    def back(self, stops: int) -> Moment:
        """Undo so many stops."""
        if not self.path:
            raise CommandError("the program is not running; `start` runs it to main")
        index, left = len(self.path) - 1, stops
        if index and self.path[index].stop.reason == "signal" and self.path[index].position is not None:
            # A crashed statement counts as not executed: its stop and the one before it are one.
            index -= self.path[index].position == self.path[index - 1].position
        while left and index > 0:
            index -= 1
            if not self.path[index].transit:
                left -= 1
        if left:
            there = stops - left
            verb = "s lie" if there != 1 else " lies"
            raise CommandError(f"only {there} stop{verb} behind this one")
        moment = self.path[index]
        if moment.image is not None and not moment.image.kept:
            raise CommandError(self._given_up(stops))
        self.restore(moment)
        del self.path[index + 1 :]
        if self.start is not None and self.start > index:
            self.start = None
        if self.tracer.stale:
            self.remodel(self.model)
        made = [spec.checkpoint for each in self.path for spec in each.asserted]
        self.checkpoint = made[-1] if made else None
        return moment

    def _given_up(self, stops: int) -> str:
        """Why `back` cannot go there, and where it can."""
        behind = [moment for moment in self.path if not moment.transit][-2::-1]
        there = [n for n, each in enumerate(behind, 1) if each.image is not None and each.image.kept]
        near = [n for n in there if n < stops][-1:] + [n for n in there if n > stops][:1]
        ways = " and ".join(f"`back {number}`" for number in near)
        limit = f"{self.album.limit >> 20} MB (`set image-memory`)"
        return f"that stop was given up to keep the images within {limit}; {ways or 'checkpoints'} still work"

    def restore(self, moment: Moment) -> None:
        """Bring back process, patch and model of a moment."""
        if moment.image is None:
            raise CommandError("that stop cannot be restored: the program had ended there")
        stop = self.debugger.restore(moment.image)
        self._touched = False
        for note in stop.text.splitlines():
            self.tell_once(note)
        self.debugger.use(moment.applied.code.code if moment.applied.code is not None else None)
        self.tracer.load(moment.model)

    def replace_present(self, moment: Moment) -> None:
        """Put another state in place of the present stop (after a patch was applied)."""
        self.path[-1] = moment

    def reread(self) -> tuple[Moment, tuple[Place, ...], bool]:
        """After a gdb command: the present stop anew, the places that it changed, whether it moved.

        Memory that gdb changed counts as `change`; a moved pc or frame ends the trace.
        """
        before = self.path[-1]
        stop = self.debugger.stop_info()
        if not stop.alive:
            raise DebuggerError("the process is gone")
        if [f.pc for f in stop.frames] != [f.pc for f in before.stop.frames]:
            return self.adopt(stop), (), True
        graph = self.debugger.snapshot().graph
        unwritten = self.unwritten(graph, before.stack)
        changed = tuple(
            place
            for place, value in graph.cells.items()
            if value != before.graph.cells.get(place) and place not in unwritten
        )
        return before, changed, False


def concretes(moment: Moment) -> tuple[Effect | Interval, ...]:
    """The events of the moment whose effects were taken from the process."""
    return tuple(event for event in moment.arrived if isinstance(event, (Effect, Interval)))
