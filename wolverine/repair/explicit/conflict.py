"""Why no edit fits: a small set of assertions and forced branches that cannot hold together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from wolverine.core.expressions import source_name
from wolverine.core.graph import Node, NodeId, ObjectId, Place, Pointer, Value, VariableId
from wolverine.core.inside import inner_path, object_type
from wolverine.core.program import Branch, Program
from wolverine.core.trace import Assertion, Decision, End, Event, Position, Trace
from wolverine.core.types import StructReference
from wolverine.repair.execution.work import Stopped, Work
from wolverine.repair.explicit.bench import Bench

_Event = tuple[int, int]  # trace and number

_EDITS = 2
_WORK = 200_000  # for one search without an event
_DOUBTING = 2_400_000  # for all of those that tell which assertion is doubtful
_LEAST = 20_000
_SHOWN = 4  # places of one assertion that are named


def conflict(bench: Bench, work: Work) -> tuple[str, ...]:
    """Sentences about the events of a conflicting set; all of them count where the work did not suffice.

    Events are left out one by one, the first first; one without which there is still no repair is not
    needed for the conflict.  Where there is none without many of them, all these are not needed: they are
    left out at once, and looked at by halves only where there is one.
    """
    problem = bench.problem
    left: list[tuple[int, int]] = [
        (number, index)
        for number, trace in enumerate(problem.traces)
        for index, event in enumerate(trace.events)
        if _droppable(event)
    ]
    needed = needed_of(left, lambda without: _repairable(bench, work, without))
    chosen = needed or left
    core = tuple(words(problem.program, problem.traces[n], problem.traces[n].events[i]) for n, i in chosen)
    ends = (t.events[-1] for t in problem.traces if t.events)
    crash = tuple(
        words(problem.program, problem.traces[0], e) for e in ends if isinstance(e, End) and e.crashed
    )
    return core + crash


def needed_of(left: Sequence[_Event], repairable: Callable[[set[_Event]], bool]) -> list[_Event]:
    """Those of the events that count; `repairable` says whether there is a repair without some of them.

    What is asserted last is wrong more often than anything before: first, all the rest is left out.
    """
    needed: list[_Event] = []
    without: set[_Event] = set()
    pending = [left[-1:], left[:-1]]
    while pending:
        events = pending.pop()
        if not events:
            continue
        if not repairable(without.union(events)):
            without.update(events)
        elif len(events) == 1:
            needed += events
        else:
            middle = len(events) // 2
            pending += [events[middle:], events[:middle]]
    return needed


def _droppable(event: Event) -> bool:
    return isinstance(event, Assertion) or (isinstance(event, Decision) and event.forced)


def doubted(bench: Bench, work: Work, edits: int) -> tuple[str, int] | None:
    """The assertion whose removal gives the cheapest repair (of equal ones the first), and its edits.

    None where fewer than `edits` suffice without any one of them, as far as that is found out.
    """
    best: tuple[int, str] | None = None
    begun = work.spent
    events = [
        (number, index)
        for number, trace in enumerate(bench.problem.traces)
        for index, event in enumerate(trace.events)
        if isinstance(event, Assertion)
    ]
    for seen, (number, index) in enumerate(events):
        fewer = edits - 1 if best is None else best[0] - 1
        left = max(_DOUBTING - (work.spent - begun), 0) // (len(events) - seen)
        most = min(_WORK, max(left, _LEAST))
        needed = _edits_without(bench, work, {(number, index)}, fewer, most)
        if needed is not None:
            trace = bench.problem.traces[number]
            best = needed, words(bench.problem.program, trace, trace.events[index])
    return None if best is None else (best[1], best[0])


def _edits_without(
    bench: Bench, work: Work, without: set[tuple[int, int]], at_most: int, most: int
) -> int | None:
    """The fewest edits that suffice without these events; None where more are needed, or it is not known."""
    explorer = bench.explorer(work, without=without)
    try:
        with work.at_most(most):
            return next((n for n in range(at_most + 1) if explorer.search(n, first=True)), None)
    except Stopped:
        return None


def _repairable(bench: Bench, work: Work, without: set[tuple[int, int]]) -> bool:
    explorer = bench.explorer(work, without=without)
    try:
        with work.at_most(_WORK):
            for edits in range(min(bench.problem.budget.edits, _EDITS) + 1):
                if explorer.search(edits, first=True):
                    return True
    except Stopped as stop:
        if not stop.of_stage:
            return True  # no time left: what remains counts as needed
    return bool(explorer.found)


# -- words -----------------------------------------------------------------------------------------------


def words(program: Program, trace: Trace, event: Event) -> str:
    """The event in source terms."""
    match event:
        case Assertion(position, cells, states, weak, label, _, nodes):
            named = [p for p in cells if p not in weak] or list(cells)
            known = {**nodes, **trace.start.nodes}
            said = [
                f"{place_words(program, known, p)} = {_value_words(program, known, cells[p])}"
                for p in named[:_SHOWN]
            ]
            said += [f"n{node.number} is {state}" for node, state in states.items() if not named]
            shown, count = said[:_SHOWN], max(len(named), len(said))
            more = f" and {count - _SHOWN} more" if count > _SHOWN else ""
            return f"{label or 'an assertion'} (line {line_of(program, position)}): {', '.join(shown)}{more}"
        case Decision(position, taken):
            kind = "enter" if taken else "leave"
            return f"{kind} at line {line_of(program, position)}, {_ordinal(position.occurrence)} time"
        case End(position):
            return f"line {line_of(program, position)} is passed without a crash"
    return f"line {line_of(program, event.position)}"


def line_of(program: Program, position: Position) -> int:
    """The line of a position."""
    function = program.functions[position.function]
    step = function.code[position.instruction]
    if isinstance(step, Branch) and step.location >= 0:
        return program.location(step.location).line
    unit = function.unit_of[position.instruction] if position.instruction < len(function.unit_of) else -1
    if unit >= 0:
        return function.units[unit].span.line
    return program.location(step.location).line if step.location >= 0 else function.line


def place_words(program: Program, nodes: Mapping[NodeId, Node], place: Place) -> str:
    """A place as the picture names it, by the types of these nodes."""
    match place.object:
        case NodeId(number):
            node = nodes.get(place.object)
            ctype = None if node is None else object_type(node)
            if ctype is not None:
                return f"n{number}" + _arrow(inner_path(program.types, ctype, place.offset))
            # Not known yet: where all structs but the compiler's own (`va_list`) agree, they tell the name.
            structs = [tag for tag in program.types.structs if not tag.startswith("__")]
            paths = {inner_path(program.types, StructReference(tag), place.offset) for tag in structs}
            return f"n{number}" + _arrow(paths.pop() if len(paths) == 1 else f"+{place.offset}")
        case VariableId(_, function, name):
            known = program.functions.get(function)
            held = (*known.parameters, *known.locals) if known is not None else program.globals
            ctype = next((variable.type for variable in held if variable.name == name), None)
            return source_name(name) + inner_path(program.types, ctype, place.offset)
    raise AssertionError(place)


def _value_words(program: Program, nodes: Mapping[NodeId, Node], value: Value) -> str:
    """A value as the picture names it; inside of a node, what stands there."""
    match value:
        case Pointer(NodeId() as identity, offset) if offset:
            return f"&{place_words(program, nodes, Place(identity, offset))}"
    return value_words(value)


def _arrow(path: str) -> str:
    return f"->{path[1:]}" if path.startswith(".") else path


def value_words(value: Value) -> str:
    """A value as the picture names it."""
    match value:
        case None:
            return "null"
        case Pointer(identity, offset):
            shown = _object_words(identity)
            return shown if not offset else f"{shown}+{offset}"
        case int() | float():
            return str(value)
    return "?"


def _object_words(identity: ObjectId) -> str:
    return f"n{identity.number}" if isinstance(identity, NodeId) else f"&{identity.name.partition('@')[0]}"


def _ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"
