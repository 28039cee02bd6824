"""What people and scripts see of a stop: place, source line, picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wolverine import draw
from wolverine.core.expressions import VariableReference, lvalue_text, text, variables
from wolverine.core.graph import (
    UNINITIALISED,
    MemoryGraph,
    NodeId,
    Place,
    Pointer,
    Value,
    VariableId,
    changed_places,
    differ,
)
from wolverine.core.patch import Patch
from wolverine.core.program import Assign, Branch, Concrete, Declare, Gap, Library, Program
from wolverine.core.trace import Event, Interval
from wolverine.core.types import PointerType
from wolverine.errors import CommandError
from wolverine.frontend import EditText, describe
from wolverine.semantics.concrete import touches_nothing
from wolverine.semantics.faults import NULL_DEREFERENCED
from wolverine.semantics.library import MODELLED
from wolverine.session import results
from wolverine.session.constraints import crashed
from wolverine.session.crashes import culprit, freed_before
from wolverine.session.execution import Execution
from wolverine.session.fates import Fates
from wolverine.session.lines import Lines
from wolverine.session.moments import Moment, PlaceChange
from wolverine.session.nodes_named import with_names
from wolverine.session.options import SessionOptions
from wolverine.session.places import Resolved, node_named, resolve_place
from wolverine.session.positions import UNMAPPED
from wolverine.session.since import comparable, open_activations
from wolverine.session.tracing import Followed
from wolverine.session.unstored import in_the_middle

_NAMED = 4  # places of which the model knew nothing


@dataclass(frozen=True, slots=True)
class _Astray:
    """A stretch that the model could not explain: where it began, why, and where it differed."""

    since: str
    reason: str
    places: tuple[str, ...]


class Showing:
    """Turns stops into results; remembers the last picture, so that nothing jumps."""

    def __init__(
        self,
        options: SessionOptions,
        program: Program,
        execution: Callable[[], Execution],
        emit: Callable[[results.Result], None],
        told: Callable[[], None] = lambda: None,
    ) -> None:
        """`told` is called in front of what is said of a stop."""
        self._before = told
        self._options = options
        self._program = program
        self.lines = Lines(program)
        self.fates = Fates(program, self.lines, execution, self.note)
        self._execution = execution
        self._emit = emit
        self._shown: MemoryGraph | None = None
        self.compared: MemoryGraph | None = None  # with what the last one was, to mark what has changed
        self._picture: draw.Picture | None = None
        self._folded = False  # whether long tables are, since a picture was higher than the terminal
        constant = (each.name for each in program.globals if each.constant & 1)
        self._constant = frozenset(VariableId(-1, "", name) for name in constant)
        self._settled = frozenset[VariableId]()  # those of them that have been shown
        self._within: int | None = None  # the activation in which that picture was drawn
        self._open: dict[int, int] = {}  # all that were open then, by depth
        self._concrete: set[tuple[str, int, str]] = set()
        self._reasons: set[str] = set()  # why the model did not follow, as far as that is told
        self._astray: list[_Astray] = []  # where the model did not follow since the stop that was shown
        self._described: tuple[Patch, tuple[EditText, ...]] = (Patch(), ())
        self._told = 0  # so many stops of the path were looked through for concrete steps

    def note(self, text: str) -> None:
        """Words for people."""
        self._emit(results.Note(text))

    def text(self, text: str) -> None:
        """What gdb or a listing prints."""
        self._emit(results.Text(text))

    def stop(self, moment: Moment) -> None:
        """Emit what a stop shows: how the program ended, or place, line and heap."""
        self._before()
        stop = moment.stop
        if stop.reason == "exited":
            self._emit(results.Exited(stop.code if stop.code is not None else 0))
            self._astray.clear()
            self._violations(moment)
            self.fates.never_freed(moment)
            return
        if not stop.alive:
            self._ended_by(stop.signal or "SIGKILL", moment)
            return
        if crashed(moment) or stop.survived:
            self._emit(results.Signalled(stop.signal, self.lines.line(moment)))
        self._standing(moment)
        self._displayed(moment)
        why = freed_before(moment) or culprit(self._program, moment) if crashed(moment) else ""
        if stop.survived:
            why = "the program handles or ignores it, and `continue` goes on"
        if stop.text or why:
            self.note(": ".join(filter(None, (stop.text, why))))
        if words := in_the_middle(self._program, moment):
            self.note(words)
        if crashed(moment):
            self._violations(moment)  # which may be what led to it
        self._went_astray(why)
        self.concretes()
        self.graph(moment, self._patched_on_the_way(moment))
        self.fates.lost(moment)
        self._violations(moment)
        self._overwritten(moment)

    def _ended_by(self, signal: str, moment: Moment) -> None:
        """Tell that a signal has ended the program, and where it had stopped for that, if it had."""
        before = [each for each in self._execution().path if each is not moment and not each.transit]
        if before and crashed(before[-1]) and before[-1].stop.signal == signal:
            line = self.lines.line(before[-1])
            self._emit(results.Signalled(signal, line))
            at = f" at line {line}" if line else ""
            self.note(
                f"{signal} has ended the program: it is gone, and cannot go on from where it crashed; `back` "
                f"goes back there{at}, where `repair` looks for the cause, and `run` runs it anew"
            )
            return
        self._emit(results.Signalled(signal, self.lines.line(moment)))
        self.note(f"{signal} has ended the program: it is gone, and `start` runs it anew")

    def _displayed(self, moment: Moment) -> None:
        """The expressions of `display`: gdb leaves them out where it is driven by a program."""
        execution = self._execution()
        if text := execution.debugger.displayed(execution.budget):
            self.text(with_names(moment.graph, text) if moment.graph is not None else text)

    def _violations(self, moment: Moment) -> None:
        """Say what was done on the way that C forbids and the process survived."""
        self.fates.unset(moment)
        self.fates.used()
        self.fates.overstepped(moment)

    def _overwritten(self, moment: Moment) -> None:
        """Say that the statement just executed wrote anew what the user had changed in front of it."""
        path = self._execution().path
        if len(path) < 2 or path[-1] is not moment or moment.stop.reason != "step" or not path[-2].stack:
            return
        before = path[-2]
        function, instruction = before.stack[0]
        code = self._program.functions[function].code if instruction != UNMAPPED else ()
        step = code[instruction] if code else None
        if not isinstance(step, Assign) or lvalue_text(step.target) in text(step.value):
            return
        changed = dict.fromkeys(each.place for each in before.changes if isinstance(each, PlaceChange))
        for place in changed:
            cells = moment.graph.cells
            if place in cells and differ(before.graph.cells.get(place, UNINITIALISED), cells[place]):
                name, line = draw.place_text(before.graph, place, short=True), self.lines.line(before)
                self.note(
                    f"line {line} has just written {name}, which was changed before it: to correct what a "
                    "statement does, change its result when it has been executed"
                )

    def gone_back(self, path: Sequence[Moment]) -> None:
        """Show the last stop of a path to which the session has gone back, with the marks that it had."""
        before = next((each for each in reversed(path[:-1]) if not each.transit), None)
        self._shown = None if before is None else before.graph
        self._open = {} if before is None else open_activations(before)
        self.stop(path[-1])

    def to_freed(self, moment: Moment) -> None:
        """Say that what was changed leads to a node that is freed."""
        change = moment.changes[-1] if moment.changes else None
        if not isinstance(change, PlaceChange) or not isinstance(change.after, Pointer):
            return
        node = (
            moment.graph.nodes.get(change.after.object) if isinstance(change.after.object, NodeId) else None
        )
        if node is not None and node.state == "freed":
            name = f"n{node.id.number}"
            self.note(f"{name} is freed: if it should not be, `change {name} live`, else `undo`")

    def under_way(self, moment: Moment) -> None:
        """Say that the statement at hand is to write what was changed."""
        function, instruction = moment.stack[0] if moment.stack else ("", UNMAPPED)
        change = moment.changes[-1] if moment.changes else None
        if instruction == UNMAPPED or not isinstance(change, PlaceChange):
            return
        lowered = self._program.functions[function]
        if isinstance(change.place.object, VariableId) and change.place.object.function == function:
            first = next(
                i
                for i, each in enumerate(lowered.code[instruction:], instruction)
                if not isinstance(each, (Gap, Declare)) or i + 1 == len(lowered.code)
            )
            unit = [
                each for i, each in enumerate(lowered.code) if lowered.unit_of[i] == lowered.unit_of[first]
            ]
            name = draw.place_text(moment.graph, change.place).rpartition("::")[2]
            match unit[-1]:
                case Assign(_, VariableReference() as target) if (
                    lvalue_text(target) == name
                    and not any(isinstance(each, Branch) for each in unit)
                    and not any(name in variables(each.value) for each in unit if isinstance(each, Assign))
                ):
                    self.note(
                        f"line {self.lines.line(moment)} has not set {name} yet and writes over this: "
                        "`undo`, `next`, and change what it has set"
                    )

    def patched(self, before: Moment | None, moment: Moment) -> None:
        """Emit what a repair comes to: the heap, and the place where it is another one than before."""
        self._astray.clear()  # on the way there the process went back and forth
        if before is not None and self.lines.place(before) != self.lines.place(moment):
            self._standing(moment)
        self.graph(moment)

    def _standing(self, moment: Moment) -> None:
        file, line, function = self.lines.place(moment)
        if self._options.json:
            text = self.lines.source_line(file, line)
        else:
            text = self._as_patched(moment, line, self.lines.statement(moment))
        self._emit(results.Stopped(moment.stop.reason, file, line, function, text, moment.stop.temporary))

    def _edits(self, moment: Moment) -> tuple[EditText, ...]:
        """The edits in force at a stop."""
        patch = moment.applied.patch
        if self._described[0] != patch:
            self._described = (patch, describe(self._program, patch) if patch.edits else ())
        return self._described[1]

    def _as_patched(self, moment: Moment, line: int, text: str) -> str:
        """A source line as the patch in force has it, and a mark where that is not as given."""
        edits = [edit for edit in self._edits(moment) if edit.line == line]
        shown = text
        for edit in edits:
            if edit.kind != "insert" and edit.before in shown:
                shown = shown.replace(edit.before, edit.after, 1)
        inserted = [edit for edit in edits if edit.kind == "insert"]
        front = [edit.after for edit in inserted if not edit.behind]
        shown = " ".join((*front, shown, *(edit.after for edit in inserted if edit.behind)))
        return f"{shown}    [patched]" if shown != text else text

    def _patched_on_the_way(self, moment: Moment) -> str:
        """The patched lines whose statements were all that was executed since the stop before, in words."""
        path = self._execution().path
        if not moment.applied.patch.edits or len(path) < 2 or path[-1] is not moment:
            return ""
        if moment.stop.reason != "step":
            return ""  # who lets the program go on sees what much else has done
        first = len(path) - 2
        while first > 0 and path[first].transit:
            first -= 1
        lines = {edit.line for edit in self._edits(moment)}
        found = {self.lines.line(each) for each in path[first:-1] if each.stop.alive}
        return ", ".join(f"line {line}" for line in sorted(found)) if found <= lines else ""

    def graph(self, moment: Moment, patched: str = "") -> None:
        """Emit the picture; what changed since the last one is marked, `patched` lines named as its cause."""
        graph = moment.graph
        shown = self._shown
        before = comparable(shown, self._open, moment) if shown is not None else None
        changed = changed_places(before, graph) if before is not None else frozenset[Place]()
        if self._options.json:
            drawn = ""
        else:
            corrected, marking = bool(moment.changes), len(moment.changes) > moment.settled
            elsewhere, self._within = moment.activation != self._within, moment.activation
            drawn = self._drawn(graph, before, patched, elsewhere, corrected, marking)
            if drawn.count("\n") >= self._options.height > 0 and not self._folded:
                self._folded, self._picture = True, None
                drawn = self._drawn(graph, before, patched, elsewhere, corrected, marking)
        self._emit(results.Graph(draw.GraphData(graph, changed), drawn, graph))
        self.compared = before
        self._shown, self._open = graph, open_activations(moment)

    def _drawn(
        self,
        graph: MemoryGraph,
        before: MemoryGraph | None,
        patched: str,
        elsewhere: bool,
        corrected: bool,
        marking: bool,
    ) -> str:
        """The picture of a stop, with its boxes where they stood if that may be."""
        options = self._options
        picture = draw.layout(
            graph,
            self._picture,
            before=before,
            width=options.width,
            elsewhere=elsewhere,
            corrected=corrected,
            marking=marking,
            folded=self._folded,
            settled=self._settled,
        )
        self._settled |= self._constant & picture.boxes.keys()
        self._picture = replace(picture, patched=patched)
        return draw.terminal(self._picture, width=options.width, color=options.color, unicode=options.unicode)

    def forget(self) -> None:
        """A new run: there is nothing to compare with."""
        self._shown = None
        self._picture = None
        self._folded = False
        self._settled = frozenset()
        self.fates.forget()

    def selected(self, moment: Moment, places: tuple[str, ...], tidy: bool) -> None:
        """The picture anew, from the given places only when some are given.

        A pointer in a node, a struct or an array stands for what it leads to, which gets the text as a
        label; of one that is null there is nothing to draw.
        """
        found = [(text, resolve_place(moment.graph, text)) for text in places]
        led = {text: _leads_to(moment.graph, text, each) for text, each in found}
        for named in [named for named, value in led.items() if value is None]:
            self.note(f"{named} is null")
        roots: list[Place] = []
        asked: list[tuple[str, Pointer]] = []
        for named, each in found:
            if isinstance(value := led[named], Pointer):
                roots.append(Place(value.object, 0))
                asked.append((named, value))
            elif isinstance(each.place.object, NodeId):
                roots.append(each.place)
                asked.append((named, Pointer(*each.place)))
            elif value is not None:
                roots.extend(_leading(moment.graph, each) or [each.place])
        if places and not roots:
            return
        previous = None if tidy or roots else self._picture
        picture = draw.layout(moment.graph, previous, roots=roots, width=self._options.width, asked=asked)
        if tidy:
            self._picture = picture
        drawn = draw.terminal(
            picture,
            width=self._options.width,
            color=self._options.color,
            unicode=self._options.unicode,
        )
        data = draw.GraphData(moment.graph, roots=roots, asked=_asked(moment.graph, found))
        self._emit(results.Graph(data, drawn, moment.graph, roots=tuple(roots), asked=tuple(asked)))

    def aside(self, graph: MemoryGraph, words: str, before: MemoryGraph | None) -> results.Graph:
        """A heap that is no stop of the program; `words` stand above its picture.

        What differs from `before` is marked.
        """
        data = draw.as_json(graph, frozenset())
        if self._options.json:
            return results.Graph(data, graph=graph, before=before)
        options = self._options
        picture = draw.layout(graph, before=before, width=options.width)
        drawn = draw.terminal(picture, width=options.width, color=options.color, unicode=options.unicode)
        return results.Graph(data, f"{words}\n{drawn}" if words else drawn, graph, before)

    def save(self, moment: Moment, file: str) -> None:
        """Write the picture to a file, by its ending."""
        path = Path(file)
        if path.suffix.lower() == ".txt":
            picture = draw.layout(moment.graph, self._picture, width=self._options.width)
        else:
            # What a narrow terminal has put below each other has room in a file.
            previous = self._picture if self._options.width >= draw.WIDTH else None
            picture = draw.layout(moment.graph, previous, limit=draw.ON_A_SHEET, sheet=True)
        draw.save(picture, moment.graph, path, lost=self.fates.lost_since())
        self._emit(results.Saved(file))

    def concretes(self, anew: bool = False) -> None:
        """Tell once for each place what was not modelled, up to here; `anew` looks at every stop again."""
        path = self._execution().path
        for moment in path[0 if anew else min(self._told, len(path) - 1) :]:
            self._concretes_of(moment)
        self._told = len(path)

    def _concretes_of(self, moment: Moment) -> None:
        if moment.stop.overflowed:
            return  # nobody follows calls without an end, and what they do is told with the stop
        for event in moment.concretes:
            if isinstance(event, Interval) and (moment.violated is not None or self._is_told(event)):
                continue  # what it did is told
            effect = event.effect if isinstance(event, Interval) else event
            function = self._execution().model.functions[effect.position.function]
            code = function.code[effect.position.instruction]
            if event is effect and isinstance(code, Concrete) and touches_nothing(code):
                continue
            if effect.position[1:3] in self._execution().tracer.overstepped():
                continue  # the call is modelled, and how it went beyond a node is told
            location = getattr(code, "location", -1)
            where = self._program.location(location) if location >= 0 else None
            line = where.line if where is not None else function.line
            reason = getattr(code, "reason", "") or self._not_followed(event, function.name, line)
            called = function.code[effect.position.instruction - 1]
            if event is effect and isinstance(called, Library) and called.function in MODELLED:
                reason = f"{reason} on what is not all known"
            key = (function.name, line, reason)
            if key not in self._concrete:
                self._concrete.add(key)
                path = self._program.files[function.file].path
                self._emit(results.ConcreteStep(path, line, function.name, reason))

    def _is_told(self, event: Interval) -> bool:
        """Whether `differed` has told people why the model did not follow; scripts have an event for it."""
        return not self._options.json and event.reason in self._reasons

    def _not_followed(self, event: Event, begun: str, at: int) -> str:
        """Up to where the model did not follow the program, from a line of a function on, and why."""
        if not isinstance(event, Interval):
            return "the model does not follow it"
        name, instruction = event.to[0]
        function = self._execution().model.functions[name]
        unit = function.unit_of[instruction]
        line = function.units[unit].span.line if unit >= 0 else function.line
        why = f"; {event.reason}" if event.reason else ""
        again = " in the next round" if name == begun and line < at else ""
        return f"up to line {line} in {name}{again}{why}"

    def differed(self, followed: Followed, graph: MemoryGraph) -> None:
        """The model could not explain a step, which led to `graph`."""
        if followed.violation is not None:
            return  # that is told with the stop
        names = draw.Names(graph)
        places = tuple([names.place(place) for place in followed.differences])
        self._astray.append(_Astray(self._since(), followed.reason, places))
        self._reasons.add(followed.reason)

    def _went_astray(self, why: str) -> None:
        """Say from where on the model did not follow to the stop at hand, in one line.

        Where it is told `why` the statement crashed, that the model crashed there as well is not news.
        """
        astray, self._astray = self._astray, []
        astray = [each for each in astray if not (why and each.reason == NULL_DEREFERENCED)]
        if not astray:
            return
        since, reason = astray[0].since, astray[0].reason
        places = sorted(dict.fromkeys(place for each in astray for place in each.places))
        more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
        what = f"what is in {', '.join(places[:_NAMED])}{more}" if places else "what it does"
        key = (since, 0, reason + what)
        if key not in self._concrete:
            self._concrete.add(key)
            self.note(
                f"the model does not follow the program {since}to this stop ({reason}): {what} is taken from "
                "the process"
            )

    def _since(self) -> str:
        """Where the way to the stop at hand began, in words."""
        path = self._execution().path
        if not path or not path[-1].stop.frames:
            return ""
        _, line, function = self.lines.place(path[-1])
        return f"from line {line} in {function} "


def _leads_to(graph: MemoryGraph, text: str, found: Resolved) -> Value:
    """What a pointer within something holds; UNINITIALISED for all that is none, a whole node above all."""
    named = node_named(graph, text) is not None
    whole = graph.type_of(found.place.object) == found.type and found.place.offset == 0
    link = isinstance(found.type, PointerType) and not named and not whole
    return graph.cells.get(found.place, UNINITIALISED) if link else UNINITIALISED


def _asked(graph: MemoryGraph, found: Sequence[tuple[str, Resolved]]) -> list[draw.Asked]:
    """What was asked for as events tell it: whole variables stand there by themselves."""
    named = ((text, each, node_named(graph, text)) for text, each in found)
    return [
        (text, each.place, None if node is not None else each.type)
        for text, each, node in named
        if node is not None or each.place.offset or graph.type_of(each.place.object) != each.type
    ]


def _leading(graph: MemoryGraph, found: Resolved) -> list[Place]:
    """The pointers in what stands in a variable: a struct or an array, maybe in another one."""
    if isinstance(found.place.object, NodeId):
        return []
    offsets = dict.fromkeys(offset for offset, _ in graph.types.possible(found.type, found.place.offset))
    places = (Place(found.place.object, offset) for offset in offsets)
    return [place for place in places if isinstance(graph.cells.get(place), Pointer)]


def require_saved(moment: Moment | None) -> Moment:
    """The present stop, or CommandError where there is no picture yet."""
    if moment is None:
        raise CommandError("there is no picture yet; `start` runs the program to main")
    return moment
