"""From the stops of a path to the repair problem (Wolverine2 sections 3 and 6.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from wolverine.core.graph import (
    NodeId,
    NodeState,
    ObjectId,
    Opaque,
    Place,
    Pointer,
    Uninitialised,
    Value,
    VariableId,
)
from wolverine.core.program import Program
from wolverine.core.trace import (
    PICTURE,
    Assertion,
    Budget,
    Decision,
    End,
    Event,
    Interval,
    Position,
    Problem,
    Trace,
    joined,
)
from wolverine.core.types import StructReference
from wolverine.errors import CommandError
from wolverine.semantics.activation import led_to
from wolverine.semantics.dataflow import possibly_read
from wolverine.session.moments import Moment, PlaceChange, assertions, in_part, touched
from wolverine.session.positions import UNMAPPED
from wolverine.session.shown import aside, passed_over
from wolverine.session.tracing import entry_stack, mapped

_NAMED = 3  # lost nodes that are named


def cut_off(path: Sequence[Moment]) -> frozenset[NodeId]:
    """The nodes to which nothing leads at the last stop since the user has changed what did.

    They are out of the picture, and nobody has said what becomes of them: whether they are freed, stay lost
    (as they are in the process, which made them), or are never made.
    """
    found: set[NodeId] = set()
    for moment in path:
        before = dict(moment.graph.cells)
        changed = [each for each in moment.changes if isinstance(each, PlaceChange)]
        before.update((each.place, each.before) for each in reversed(changed))
        if changed:
            found |= moment.graph.leaked() - replace(moment.graph, cells=before).leaked()
    return path[-1].graph.leaked() & found if found else frozenset()


def observable(
    moment: Moment, first_depth: int, without: Collection[NodeId] = ()
) -> tuple[dict[Place, Value], dict[NodeId, NodeState]]:
    """What a `spec` without arguments asserts, `without` what is said of some nodes.

    Every global, every initialised local of the activations since the start of the trace (depth
    `first_depth` and deeper), every field of every live node; and each node's state.  Of the callers'
    locals those that the trace can reach: some pointer leads there (`T **head`), or the user changed
    them here.
    """
    graph = moment.graph
    reached: set[ObjectId] = {value.object for value in graph.cells.values() if isinstance(value, Pointer)}
    reached.update(change.place.object for change in moment.changes if isinstance(change, PlaceChange))
    cells: dict[Place, Value] = {}
    for place, value in graph.cells.items():
        if isinstance(value, Uninitialised) or (isinstance(value, Opaque) and place in graph.unions):
            continue
        match place.object:
            case VariableId(depth):
                if -1 < depth < first_depth and place.object not in reached:
                    continue
            case NodeId() as node:
                if graph.nodes[node].state != "live" or node in without:
                    continue
        cells[place] = value
    return cells, {node.id: node.state for node in graph.nodes.values() if node.id not in without}


def constraint_count(path: Sequence[Moment], start: int, dropped: frozenset[int]) -> int:
    """How many assertions and forced branches lie on the path."""
    asserted = sum(assertions(moment, dropped) is not None for moment in path[start:])
    forced = sum(isinstance(e, Decision) and e.forced for moment in path[start + 1 :] for e in moment.arrived)
    return asserted + forced


_ROUNDS = 64  # besides one for each node, after which a loop is held to have no end
_UNDER_WAY = ("budget", "interrupt", "memory")  # reasons of stops of what was running
_GROWING = 16  # or one that makes nodes: what a round does with them takes longer and longer


def crashed(moment: Moment) -> bool:
    """Whether the process stands at a statement that crashed it, or does what may."""
    if moment.violation is not None:
        return True
    stop = moment.stop
    told = stop.signal not in ("SIGINT", "SIGTRAP", "SIGSTOP", "0")
    return stop.reason == "signal" and told and not stop.survived


def under_way(moment: Moment) -> bool:
    """Whether what was running was stopped there from outside: by the user, its time or its memory."""
    return moment.stop.reason in _UNDER_WAY


def trace_of(program: Program, path: Sequence[Moment], start: int, dropped: frozenset[int]) -> Trace:
    """The trace from moment `start` to the last one of the path.

    Raises CommandError where the execution lies outside of what the model knows.
    """
    first, last = path[start], path[-1]
    stack = mapped(entry_stack(program, first.stack))
    if not stack:
        raise CommandError(
            "the model does not know the code where these assertions begin, so nothing can be repaired there"
        )
    named = touched(path)
    astray = frozenset[tuple[str, int]]().union(*(moment.astray for moment in path[start:]))
    watched = frozenset(_watched(path[start:])) - astray  # a loop binds as a whole
    events: list[Event] = []
    left: list[Assertion] = []
    before, _ = passed_over(path)
    approved: Trace | None = None
    for index in range(start, len(path)):
        moment = path[index]
        if index > start:
            events.extend(e for e in moment.arrived if _binds(e, watched) and not _is_violation(e, moment))
            if index == before and moment.position is not None:
                way = (*_one_each(events), End(moment.position))
                picture = _picture(program, moment, moment.position)
                approved = Trace(first.graph, stack, way, pictured=(picture,))
        asserted = assertions(moment, dropped)
        if asserted is not None:
            needed, unread = _by_use(program, moment, replace(asserted, weak=asserted.weak - named))
            events.append(needed)
            left.extend(unread)
    end = next((m for m in reversed(path[start:]) if m.position is not None), None)
    if end is None or end.position is None:
        raise CommandError("the model could not follow this execution")
    here = end.position
    if crashed(last) and start == len(path) - 1:
        here = here._replace(instruction=last.stack[0][1])  # the statement itself, behind the entry's gaps
    endless = last.violation is not None and last.violation.kind == "endless"
    if last.violation is not None and last.violation.further:
        here = here._replace(activation=led_to(here.activation, last.violation.further))
    elif last.violation is not None and endless:
        rounds = _GROWING if last.violation.grows else _ROUNDS + len(last.graph.nodes)
        here = here._replace(occurrence=here.occurrence + rounds)
    lost = last.violation.lost if last.violation is not None else frozenset[NodeId]()
    events.append(End(here, crashed(last), endless, lost, _within(end) if crashed(last) else ()))
    shown = (*left, *pictured(program, path[start:], dropped))
    steered = frozenset(
        location
        for event in events
        if isinstance(event, Decision) and event.forced
        for location in _asking(program, event.position)
    )
    told = tuple(_one_each(events))
    return _vouched(
        Trace(
            first.graph,
            stack,
            told,
            aside=aside(program, path, start, failed=crashed(last)),
            pictured=shown,
            steered=steered,
            earlier=_earlier(path[: start + 1]),
            approved=approved,
        )
    )


def _asking(program: Program, branch: Position) -> Iterator[int]:
    """The location of a branch's condition, and those of what the calls in it are given."""
    function = program.functions[branch.function]
    yield function.code[branch.instruction].location
    unit = function.unit_of[branch.instruction]
    for step, each in zip(function.code, function.unit_of, strict=True):
        within = unit >= 0 and each == unit and step.location >= 0
        if within and program.location(step.location).kind == "argument":
            yield step.location


def _earlier(path: Sequence[Moment]) -> Trace | None:
    """The execution from the first of these stops to the last; None where that is no way, or not modelled."""
    stack = mapped(path[0].stack) if len(path) > 1 else ()
    events = [event for moment in path[1:] for event in moment.concretes]
    if not stack or any(isinstance(event, Interval) for event in events):
        return None
    return Trace(path[0].graph, stack, tuple(events))


def _within(moment: Moment) -> tuple[tuple[int, str], ...]:
    """The (number, function) of the activations in which that of a moment has been called since the start."""
    if moment.model is None or moment.position is None:
        return ()
    follower, state = moment.model
    outer = zip(follower.numbers(state)[1:], (name for name, _ in moment.stack[1:]), strict=False)
    return tuple((number, name) for number, name in outer if number > 0)


def _by_use(program: Program, moment: Moment, asserted: Assertion) -> tuple[Assertion, tuple[Assertion, ...]]:
    """What an assertion is about, and what it only showed: variables that nobody named or reads any more.

    Their values are those of the execution that went wrong: a right repair may well leave others.
    """
    depths = {place.object.depth for place in asserted.weak if isinstance(place.object, VariableId)}
    read = {depth: _read(program, moment, depth) for depth in depths if depth >= 0}
    unread = {place for place in asserted.weak if not _in(place.object, read)}
    if not unread:
        return asserted, ()
    cells = {place: value for place, value in asserted.cells.items() if place not in unread}
    shown = {place: asserted.cells[place] for place in asserted.cells if place in unread}
    needed = replace(asserted, cells=cells, weak=asserted.weak - unread)
    return needed, (Assertion(asserted.position, shown, label=PICTURE),)


def _read(program: Program, moment: Moment, depth: int) -> frozenset[str] | None:
    """The locals of the activation at a depth that may be read yet; None where that is not known."""
    if depth >= len(moment.stack):
        return None
    name, instruction = moment.stack[len(moment.stack) - 1 - depth]
    function = program.functions.get(name)
    if function is None or instruction == UNMAPPED:
        return None
    return possibly_read(function, instruction, program)


def _in(identity: ObjectId, read: Mapping[int, frozenset[str] | None]) -> bool:
    """Whether what the object holds may be read."""
    if not isinstance(identity, VariableId):
        return True
    names = read.get(identity.depth)
    return names is None or identity.name in names


def pictured(program: Program, path: Sequence[Moment], dropped: frozenset[int]) -> Iterator[Assertion]:
    """What the pictures that were corrected, and not asserted as a whole, show besides.

    That is what nodes, records and globals hold, and the locals that are read yet.  Nothing is said of nodes
    that the corrections have cut off: these were not to be left so.
    """
    for index, moment in enumerate(path):
        corrected = any(isinstance(change, PlaceChange) for change in moment.changes)
        asserted = assertions(moment, dropped)
        if not corrected or asserted is None or moment.position is None or asserted.allocated is None:
            continue
        if in_part(moment, dropped):
            yield _picture(program, moment, moment.position, cut_off(path[: index + 1]))


def _picture(
    program: Program, moment: Moment, position: Position, without: Collection[NodeId] = ()
) -> Assertion:
    graph = moment.graph
    records = {v.id for v in graph.variables() if v.id.depth < 0 or isinstance(v.type, StructReference)}
    for depth in range(len(moment.stack)):
        read = _read(program, moment, depth) or frozenset()
        records |= {v.id for v in graph.variables() if v.id.depth == depth and v.id.name in read}
    shown = [node for node in graph.nodes.values() if node.id not in without]
    live = {node.id for node in shown if node.state == "live"}
    cells = {
        place: value
        for place, value in graph.cells.items()
        if (place.object in live or place.object in records)
        and (value is None or isinstance(value, int) or _leads_to(value, live))
    }
    states = {node.id: node.state for node in shown}
    return Assertion(position, cells, states, label=PICTURE, nodes=graph.nodes)


def _leads_to(value: Value, live: Collection[NodeId]) -> bool:
    return isinstance(value, Pointer) and value.object in live


def only_input(trace: Trace) -> bool:
    """Whether everything that was said stands at the very beginning of the trace.

    A crash says something by itself; where a correction of what the function was given lies in front of it,
    that is what it is about.
    """
    if trace.bare:
        return False
    function, instruction = trace.start_stack[0]
    start = Position(0, function, instruction, 1)
    binding = (e for e in trace.events if isinstance(e, (Assertion, Decision, End)) and e is not trace.crash)
    return all(e.position == start for e in binding)


def _watched(path: Sequence[Moment]) -> Iterator[tuple[str, int]]:
    """The branches, as (function, instruction), that were stepped through.

    Nobody has seen how loops went inside calls that were stepped over, or on the way to a breakpoint.
    """
    stopped_in = {function for moment in path for function, _ in moment.stack[:1]}
    for moment in path[1:]:
        for event in moment.arrived if moment.stop.reason == "step" else ():
            if isinstance(event, Decision) and event.position.function in stopped_in:
                yield event.position.function, event.position.instruction


def _is_violation(event: Event, moment: Moment) -> bool:
    """Whether the way to a stop was not followed as it did what C forbids: a repair goes without that."""
    return isinstance(event, Interval) and moment.violated is not None


def _binds(event: Event, watched: frozenset[tuple[str, int]]) -> bool:
    if not isinstance(event, Decision) or event.forced:
        return True
    return (event.position.function, event.position.instruction) in watched


def _vouched(trace: Trace) -> Trace:
    """The trace without loop decisions that nobody stands for: those on the way into a mere crash.

    That it came to the crash speaks against them rather than for them.
    """
    if not trace.bare:
        return trace
    return replace(trace, events=tuple(event for event in trace.events if not isinstance(event, Decision)))


def _one_each(events: Sequence[Event]) -> list[Event]:
    """Of two assertions at one position the later holds (they stand at one position in the list)."""
    kept: list[Event] = []
    for event in joined(events):
        if isinstance(event, Assertion):
            kept = [
                old for old in kept if not (isinstance(old, Assertion) and old.position == event.position)
            ]
        kept.append(event)
    return kept


def _about_lost(path: Sequence[Moment]) -> str:
    """What may be done about nodes that are lost at the last stop; "" where none are."""
    lost = path[-1].graph.leaked() if path else ()
    what = "it" if len(lost) == 1 else "them"
    after = f"once the program has ended (`continue`), `repair` frees or keeps {what}"
    return f". {lost_here(path[-1])}: {after}" if lost else ""


def lost_here(moment: Moment) -> str:
    """The nodes to which nothing leads at a stop, in words; "" where there are none."""
    lost = sorted(moment.graph.leaked(), key=lambda node: node.number)
    named = ", ".join(f"n{node.number}" for node in lost[:_NAMED]) + (", ..." if len(lost) > _NAMED else "")
    return f"{named} {'is' if len(lost) == 1 else 'are'} lost here" if lost else ""


def problem_of(
    program: Program,
    path: Sequence[Moment],
    start: int | None,
    dropped: frozenset[int],
    budget: Budget,
    editable: frozenset[int] | None,
    *,
    strict: bool = False,
    oversteps: bool = False,
) -> Problem:
    """The repair problem of the path; raises CommandError where nothing was asserted.

    With `strict`, a repair must not use nodes after they were freed; that alone may be what is asked for.
    Where it `oversteps`, the execution has left arrays within objects.
    """
    if start is None or constraint_count(path, start, dropped) == 0:
        if path and (strict or crashed(path[-1])):
            start = start if start is not None else 0
        else:
            why = "nothing is asserted yet; correct the picture with `change` and assert it with `spec`"
            if path and path[-1].stop.survived:
                signal = path[-1].stop.signal
                why = (
                    f"{signal} is no fault, the program handles or ignores it, and `continue` goes on; {why}"
                )
            raise CommandError(f"{why}{_about_lost(path)}")
    trace = replace(trace_of(program, path, start, dropped), strict=strict, oversteps=oversteps)
    return Problem(program, (trace,), budget, editable)
