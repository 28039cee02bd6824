"""The process in hand: moves it, and keeps picture, model, image and constraints of every stop together."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import count

from wolverine.core.graph import MemoryGraph, changed_places
from wolverine.core.patch import Patch
from wolverine.core.process import ProcessFrame, Stop
from wolverine.core.program import Program
from wolverine.core.trace import Decision, Event
from wolverine.debugger import Album, Debugger, Image
from wolverine.errors import CommandError, DebuggerLostError
from wolverine.semantics.violations import Violation, line_of
from wolverine.session.arrivals import Arrivals
from wolverine.session.codes import Codes
from wolverine.session.heard import NOTHING_HEARD
from wolverine.session.moments import (
    Applied,
    Asserted,
    Checkpoint,
    Moment,
    Stack,
    activations_of,
    kept_images,
)
from wolverine.session.positions import UNMAPPED
from wolverine.session.returned import left, told, with_result, with_returned
from wolverine.session.tracing import (
    FOLLOWED,
    FOLLOWED_INTERRUPTED,
    Followed,
    Tracer,
    with_uninitialised,
)

_CUT_SHORT = ("interrupt", "budget")
_STEPPING = ("next", "step", "until")


class Execution:
    """One debugged program: its process, the path of stops, the checkpoints.

    `differed` is called with what the model could not explain, and the process' own state, from which the
    stop then goes on.
    """

    def __init__(
        self,
        program: Program,
        debugger: Debugger,
        codes: Codes,
        differed: Callable[[Followed, MemoryGraph], None],
    ) -> None:
        self.program = program
        self.debugger = debugger
        self.codes = codes
        self.arrivals = Arrivals(program, debugger, codes)
        self.tracer = Tracer(program)
        self.path: list[Moment] = []
        self.start: int | None = None
        self.checkpoints: dict[int, Checkpoint] = {}
        self.checkpoint: int | None = None
        self.dropped: set[int] = set()
        self.budget: float = 10.0
        self.written = 0
        self.heard = NOTHING_HEARD
        self.interrupted: Callable[[], bool] = lambda: False
        self.heed: Callable[[], None] = lambda: None  # an interrupt has done what it was for
        self.write: Callable[[bytes], None] = lambda data: None
        self.album = Album()
        self.tell: Callable[[str], None] = lambda text: None
        self._told: set[str] = set()
        self.touched = False  # whether more than its own statements may have changed the process here
        self.differed = differed
        self._fresh = True
        self._carried = Applied()
        self._serial = count()
        self._followed: Followed | None = None  # how the present stop was come to
        self.retrace: Callable[[Execution, Stop], bool] = lambda _execution, _stop: False
        self.retrace_to_end: Callable[[Execution, Image | None], bool] = lambda _execution, _final: False
        self.short_of: ProcessFrame | None = None  # where the end was not come to once more
        self._numbers = count(1)
        self.muted: Callable[[], AbstractContextManager[object]] = nullcontext

    def number(self) -> int:
        """A number for a stop; each is given once."""
        return next(self._numbers)

    # -- where we are ------------------------------------------------------------------------------

    @property
    def moment(self) -> Moment | None:
        """The present stop; None before the program was started."""
        return self.path[-1] if self.path else None

    @property
    def patch(self) -> Patch:
        """The patch that is in force."""
        return self._applied_now().patch

    @property
    def model(self) -> Program:
        """The program as it is modelled: with what is marked concrete left to the process."""
        return self.tracer.program

    def here(self) -> Moment:
        """The present stop; raises CommandError where there is no living process to act on."""
        moment = self.moment
        if moment is None:
            raise CommandError("the program is not running; `start` runs it to main")
        if not moment.stop.alive:
            behind = any(not each.transit for each in self.path[:-1])
            way = "`back` goes to the stop before, " if behind else ""
            raise CommandError(f"the program has ended; {self._way_back()}{way}`start` runs it anew")
        return moment

    def _way_back(self) -> str:
        """To the first use of a node after it was freed, which did not stop the program."""
        for node, (name, instruction) in self.tracer.uses().items():
            line = line_of(self.model, name, instruction)
            if line is not None:
                used = f"n{node.number} was used after it was freed"
                if self._goes_back():
                    return f"{used}, at line {line}, and `repair` goes back to there; "
                return (
                    f"{used}, and `repair` works where that shows "
                    f"(`break {line}`, `run`, and `continue` or `next` until it is told); "
                )
        return ""

    def _goes_back(self) -> bool:
        """Whether `repair` finds its way to what C forbids: nothing was asserted, and the way is kept."""
        first = next((i for i, moment in enumerate(self.path) if i and moment.violates), None)
        image = None if first is None else self.path[first - 1].image
        bound = any(moment.constrained for moment in self.path)
        return not bound and image is not None and image.kept

    def _applied_now(self) -> Applied:
        return self.path[-1].applied if self.path else self._carried

    # -- moving ------------------------------------------------------------------------------------

    def begin(self, to_main: bool) -> Moment:
        """Start the program (anew): to the first line of main, or to its first stop.

        The state at main is kept in either case, so that a trace can begin there.  A patch stays in force.
        """
        self._carried = replace(self._applied_now(), candidates=(), chosen=0)
        self.path.clear()
        self.heard = NOTHING_HEARD
        self._told.clear()
        self.start = None
        self.checkpoint = None
        self._fresh = True
        if to_main:
            return self.arrive(replace(self.debugger.start(), reason="breakpoint"))
        at_entry: list[MemoryGraph] = []

        def enter_main(stop: Stop) -> None:
            self.arrive(stop, transit=True)
            at_entry.append(self.debugger.snapshot().graph)

        stop = self.debugger.run(at_main=enter_main, budget=self.budget)
        same = bool(self.path and stop.frames) and stop.frames[0].pc == self.path[0].stop.frames[0].pc
        # of a loop at main's beginning this may be a later round
        if same and self.debugger.snapshot().graph == at_entry[0]:
            self.path[0] = replace(self.path[0], stop=replace(stop, frames=stop.frames), transit=False)
            self.touched = True
            return self.path[0]
        return self.arrive(stop)

    def move(self, command: str) -> Moment:
        """Carry out one of gdb's execution commands."""
        moment = self.here()
        self.depart()
        verb = command.partition(" ")[0]
        if moment.stop.foreign and verb in _STEPPING:
            stop = self.debugger.leave_library(self.budget)
            if stop.reason == "location":
                stop = replace(stop, reason="step")
        else:
            stop = self.debugger.resume(command, self.budget, patient=True)
        if verb in _STEPPING and stop.alive:
            stop = self.arrivals.settled(stop, self.budget, verb, moment)
        return self.arrive(stop)

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
            image = self.image() if self.touched else self.path[-1].image
            self.path[-1] = replace(self.path[-1], image=image, model=self.tracer.save())

    def settle(self) -> None:
        """At the end of a command: the present stop can be restored as it is now."""
        if self.touched and self.debugger.pid is not None:
            self.depart()

    def image(self) -> Image:
        """The process as it is now."""
        self.touched = False
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
        stop = self.arrivals.settled(stop, self.budget)
        if stop.reason == "lost":
            raise DebuggerLostError("gdb has ended")
        if not stop.alive:
            applied = self._applied_now()
            before = self.tracer.violations()
            last = self._run_out(transit) if stop.reason == "exited" else None
            graph = self.path[-1].graph if self.path else MemoryGraph(self.program.types)
            number = self.number()
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
                violates=last is not None or self.tracer.violations() > before,
                violated=last,
                heard=self.heard,
                short_of=self.short_of if stop.reason == "exited" else None,
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
        violation: Violation | None = None,
    ) -> Moment:
        """Add a stop of the living process to the path; `instruction` is where it is, if that is known."""
        applied = self._applied_now()
        snapshot = self.debugger.snapshot()
        stop = replace(stop, frames=snapshot.frames)
        stack = self.arrivals.stack(stop)
        if instruction is not None:
            stack = ((stack[0][0], instruction), *stack[1:])
        before = self.tracer.violations()
        crashed = stop.reason == "signal"
        self._followed = None
        found = with_result(self.program, snapshot.graph, stack, self.debugger.returned)
        if (
            not crashed
            and decision is None
            and instruction is None
            and self._stands_still(stop, found, stack)
        ):
            events: tuple[Event, ...] = ()
            graph = self.tracer.told(found, stack)
        else:
            events, graph = self._follow(found, stack, applied, decision, stop)
        if self._unexplained(stop) and not transit and self.retrace(self, stop):
            before = self.tracer.violations()
            if self._stands_still(stop, found, stack):
                events, graph, self._followed = (), self.tracer.told(found, stack), None
            else:
                events, graph = self._follow(found, stack, applied, None, stop)
        over = crashed and not stack  # in what comes behind main, or where the stack is spoilt
        last = self._run_out(transit, self.image()) if over else None
        graph = graph if over else self.tracer.on_the_way(graph)
        followed = self._followed
        graph, stop = with_returned(graph, stop, self._returned(stop, followed))
        if followed is not None and (followed.differences or followed.reason) and not stop.overflowed:
            self.differed(followed, snapshot.graph)
        violated = followed.violation if followed is not None else last
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
            written=self.written,
            number=self.number(),
            violates=violated is not None or self.tracer.violations() > before,
            violated=violated,
            violation=violation,
            heard=self.heard,
        )
        self.path.append(moment)
        self.keep_within()
        if stop.foreign:
            self.debugger.select_own()
        return moment

    def _run_out(self, transit: bool, final: Image | None = None) -> Violation | None:
        """What C forbids that was done up to here, where no code of the program is executed any more.

        `final` is the process, if it lives.
        """
        self.short_of = None
        last = self.tracer.run_out()
        if last is None and not transit and self.retrace_to_end(self, final):
            last = self.tracer.run_out()
        return last

    def _stands_still(self, stop: Stop, graph: MemoryGraph, stack: Stack) -> bool:
        """Whether the process is still in what it stood before: at a breakpoint there, or in a library."""
        before = self.path[-1] if self.path and not self._fresh else None
        if before is None or not self.arrivals.stands_still(stop, before):
            return False
        return not changed_places(before.graph, self.tracer.told(graph, stack))

    def _returned(self, stop: Stop, followed: Followed | None) -> int | None:
        """The pointer that a call has just returned, where gdb tells it or the model does not know it."""
        modelled = followed is not None and not followed.reason
        if (
            stop.reason == "finish"
            or modelled
            or not self.path
            or not left(self.program, self.path[-1].stop, stop)
        ):
            return told(stop)
        return self.debugger.returned()

    def _unexplained(self, stop: Stop) -> bool:
        """Whether the model could not say how the process came to the stop at hand, and may yet.

        So it is where it had to guess over a stretch of any length: it may have taken another way than the
        process, such as a shorter one where rounds of a loop leave nothing behind.
        """
        followed = self._followed
        if followed is None or followed.violation is not None:
            return False
        return bool(followed.reason) or (followed.guesses > 0 and stop.reason != "step")

    def _activations(self, stop: Stop) -> tuple[int, ...]:
        previous = self.path[-1] if self.path else None
        kept = self._going_on(previous, stop) if previous is not None else 0
        return activations_of(previous, stop.frames, kept, self._serial)

    def _going_on(self, previous: Moment, stop: Stop) -> int:
        """How many frames, counted from the outermost, may be activations of the stop before.

        One function that calls another twice gives both calls the same frame.
        """
        count = len(stop.frames)
        now, then = self.tracer.numbers(), self.tracer.numbers_at(previous.model)
        if not now or not then:
            return count
        if len(now) == count and len(then) == len(previous.stop.frames):
            pairs = zip(reversed(now), reversed(then))
            return next((at for at, (one, other) in enumerate(pairs) if one != other), count)
        anew = len(previous.stop.frames) == count and now[0] != then[0]
        return count - anew

    def arrive_at(self, stop: Stop, instruction: int) -> Moment:
        """Take a stop inside a condition, just before its Branch `instruction`, into the path."""
        if stop.reason != "location":
            return self.arrive(stop)
        return self._take(stop, transit=True, instruction=instruction)

    def arrive_to_violate(self, stop: Stop, violation: Violation, instruction: int) -> Moment:
        """Take a stop in front of a statement that is about to do what C forbids into the path."""
        stop = replace(stop, reason="violation", text=violation.message)
        return self._take(stop, instruction=instruction, violation=violation)

    def adopt(self, stop: Stop) -> Moment:
        """Take a stop to which gdb itself moved the process: a new trace begins there."""
        self.start = None
        self._fresh = True
        return self.arrive(stop)

    def _follow(
        self,
        graph: MemoryGraph,
        stack: Stack,
        applied: Applied,
        decision: Callable[[], Decision | None] | None,
        stop: Stop,
    ) -> tuple[tuple[Event, ...], MemoryGraph]:
        if self._fresh or not self.path:
            return (), self._begin(graph, stack, applied)
        if decision is not None:
            try:
                forced = decision()
            except ValueError:
                self.tell("the model does not know how the program came here: the trace begins anew")
                self.start = None
                return (), self._begin(graph, stack, applied)
            return (() if forced is None else (forced,)), self.tracer.told(graph, stack)
        if not stack or stack[0][1] == UNMAPPED or graph.unread:
            return (), with_uninitialised(graph, self.tracer.unwritten_locals(graph, stack))
        limit = FOLLOWED_INTERRUPTED if stop.reason in _CUT_SHORT else FOLLOWED
        crashed = stop.reason == "signal"
        self._followed = followed = self.tracer.advance(graph, stack, crashed, limit=limit)
        return followed.events, self.tracer.told(graph, stack)

    def _begin(self, graph: MemoryGraph, stack: Stack, applied: Applied) -> MemoryGraph:
        self._fresh = False
        return self.tracer.begin(graph, stack, applied.patch, entered=not self.path)

    # -- constraints -------------------------------------------------------------------------------

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

    def restore(self, moment: Moment, *, repeating: bool = False) -> None:
        """Bring back process, patch and model of a moment; if `repeating`, what was typed since as well."""
        if moment.image is None:
            raise CommandError("that stop cannot be restored: the program had ended there")
        put_back = self.debugger.repeat_from if repeating else self.debugger.restore
        stop = put_back(moment.image)
        self.touched = False
        self.heard = moment.heard
        for note in stop.text.splitlines():
            self.tell_once(note)
        self.debugger.use(moment.applied.code.code if moment.applied.code is not None else None)
        self.tracer.load(moment.model)
        if moment.stop.foreign:
            self.debugger.select_own()

    def replace_present(self, moment: Moment) -> None:
        """Put another state in place of the present stop (after a patch was applied)."""
        self.path[-1] = moment
