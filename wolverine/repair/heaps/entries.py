"""Where the functions that repairs change begin in a trace: the inputs that fresh heaps are modelled on.

A trace may begin far outside of what is repaired, in `main` say.  Under a repair it meets everything that
was asserted, so what it passes to a function is an input of the kind that the function is made for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from wolverine.core.graph import (
    UNINITIALISED,
    MemoryGraph,
    NodeId,
    Place,
    Pointer,
    Uninitialised,
    Value,
    VariableId,
    Wild,
)
from wolverine.core.patch import NO_EDITS, Candidate, Patch
from wolverine.core.program import MAIN, Program, reachable
from wolverine.core.trace import Trace
from wolverine.core.types import CType, IntType, PointerType
from wolverine.repair.heaps.backlinks import backlinks
from wolverine.repair.heaps.ends import different
from wolverine.repair.heaps.ensured import as_called
from wolverine.repair.heaps.gathering import loses_anyway, losing
from wolverine.repair.heaps.given import PATIENCE, entered, whole, with_other_arguments
from wolverine.repair.heaps.met import Input, met
from wolverine.repair.heaps.opened import knows_rings, opened, walks_to_null
from wolverine.repair.heaps.passed import passed
from wolverine.repair.heaps.unrepaired import failures, uses_unset
from wolverine.repair.heaps.varied import varied
from wolverine.repair.heaps.within import keeps_within, within
from wolverine.repair.menus.calling import writes
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.flags import Flags
from wolverine.repair.source.flow import begins_at_entry
from wolverine.repair.source.stepping import stepped_over
from wolverine.semantics.arguments import another_flag, two_other_numbers
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.fresh import fresh_graphs
from wolverine.semantics.stretches import shortened

_HEAPS = 24  # of one function
_PAIRED = 12  # besides, what it was given with two other numbers
_MADE = 4 * _HEAPS  # of which these are chosen
_ENTRIES = 40  # of one function that are looked at: the first ones
_FAILING = 0.75  # the share of fresh heaps on which a function may fail that is made for them
_FEW = 3  # cases
_CLOSEST = 3  # repairs under which it is seen what the function does
_UNSET = 8  # heaps on which nodes hold less
_SEVERAL = 4  # nodes
_BUILT = 2  # nodes from which on a structure shows what it is


@dataclass(frozen=True)
class Case:
    """One run that tells repairs apart: `function` from its entry to its return, in this state.

    It is `doubtful` if it was made under the fault, or under a repair that need not be right: then it tells
    no rules.  On one that is `turned` a flag is not as it was, which may contradict the others: it tells
    repairs apart, and speaks for none.
    """

    function: str
    heap: MemoryGraph
    doubtful: bool = False
    turned: bool = False


def trial_heaps(program: Program, trace: Trace, patches: Sequence[Patch] = ()) -> list[MemoryGraph]:
    """Fresh heaps for the trace's first function; none where the trace does not begin at its entry.

    Those are chosen on which the program does different things, as it is or under one of the patches.
    """
    if not begins_at_entry(program, trace):
        return []
    if trace.start_stack[0][0] == MAIN:
        return [trace.start]  # it is given nothing, so its own start is all that there is to try
    return fresh(program, trace.start, trace.start_stack[0][0], elsewhere=trace.bare, patches=patches)


def fresh(
    program: Program,
    start: MemoryGraph,
    function: str,
    *,
    limit: int = _HEAPS,
    elsewhere: bool = False,
    usual: bool = False,
    patches: Sequence[Patch] = (),
) -> list[MemoryGraph]:
    """Fresh heaps for a function which is given such a start; options as `fresh_graphs` and `varied`."""
    start = shortened(start)
    made = fresh_graphs(program, start, ((function, 0),), limit=_MADE, elsewhere=elsewhere, usual=usual)
    return varied(program, function, as_called(program, function, made), limit, PATIENCE, patches)


def cases(
    program: Program,
    trace: Trace,
    menus: Menus,
    patch: Patch,
    changed: Collection[str],
    others: Sequence[Patch] = (),
    accepted: Patch = NO_EDITS,
) -> list[Case]:
    """The runs for repairs of the functions `changed`, the trace being executed under `patch`.

    What it does up to the edits of the patch, the program does under the `accepted` edits.

    Where the trace begins with nearly nothing, a later call of its function tells what is built there;
    of `patch` and `others`, what builds the most that the function gets along with is right about that.
    The trace's first function comes last where it is none of them: it tells how the changed ones are used.
    """
    first = trace.start_stack[0][0]
    known: dict[str, list[Case]] = {}
    whole_call = begins_at_entry(program, trace)
    closest = (patch, *others)[:_CLOSEST]
    inputs: Sequence[Input] = ()
    grown: list[MemoryGraph] = []
    if whole_call and first != MAIN:
        inputs = met(program, trace, menus, patch, first, trace.start, accepted)
        if not inputs and first in changed and (size := _reached(trace.start)) < _BUILT:
            # Later calls tell better what the structures are.
            built = (inputs_of(program, trace, menus, each, [first]).get(first) for each in (patch, *others))
            grown = [graph for graph in built if graph is not None and _reached(graph) > size]
            found = (met(program, trace, menus, patch, first, graph, accepted) for graph in grown)
            inputs = next(filter(None, found), ())
    again: list[Case] = []
    given = {first: trace.start} if whole_call else {}
    if inputs:
        known[first] = [Case(first, *each) for each in inputs]
    elif whole_call:
        heaps = trial_heaps(program, trace, closest)
        if made := _best(program, first, grown):
            heaps = [heaps[0], *made]
        known[first] = _tried(program, trace, first, heaps, trace.start)
        if first != MAIN and not trace.bare and _loses(program, known[first], patch):
            again = _called_again(program, trace, menus, patch, first, accepted)
            known[first] = again or known[first]
    wanted = [name for name in sorted(changed) if name not in known]
    if wanted:
        led = _given(program, trace, menus, patch, wanted, accepted)
        if trace.lost:
            led |= _soundest(program, trace, menus, led, (patch, *others))
        given |= led
        for name, graph in led.items():
            if inputs := met(program, trace, menus, patch, name, graph, accepted):
                known[name] = [Case(name, *each) for each in inputs]
                continue
            heaps = fresh(program, graph, name, elsewhere=trace.bare, patches=closest)
            if _given_what_is_wrong(program, trace, name, heaps):
                heaps = fresh(program, graph, name, elsewhere=True, usual=True, patches=closest)
            tried = _tried(program, trace, name, heaps, graph)
            if again and _loses(program, tried, patch):
                continue
            known[name] = [] if _crashes_anyway(program, trace, name, graph, tried) else tried
    # A mere crash may well begin before: what was passed then tells only where hardly anything else does.
    few = [name for name in changed if not trace.bare or len(known.get(name, ())) < _FEW]
    for name, graphs in passed(program, trace, few).items() if few else ():
        known.setdefault(name, []).extend(Case(name, graph, doubtful=True) for graph in graphs)
    if trace.bare and known.get(first):
        heaps = [case.heap for case in known[first]]
        known[first] += (Case(first, heap) for heap in _left_unset(program, first, trace.start, heaps))
    if not trace.bare:
        for case in _turned(program, trace, given):
            known.setdefault(case.function, []).append(case)
    order = sorted(known, key=lambda name: (name not in changed, name))
    return [case for name in order for case in known[name]]


def _tried(
    program: Program, trace: Trace, function: str, heaps: list[MemoryGraph], given: MemoryGraph
) -> list[Case]:
    """The function on fresh heaps, and on what it was given with other arguments."""
    given = shortened(given)
    others = with_other_arguments(program, given, function, tolerant=trace.strict)
    pairs = with_other_arguments(program, given, function, tolerant=trace.strict, others=two_other_numbers)
    besides = (*others, *varied(program, function, list(pairs), _PAIRED, PATIENCE))
    bounds = within(program, function)
    kept = (heap for heap in besides if keeps_within(program, function, heap, bounds))
    return [Case(function, heap) for heap in (*whole(program, heaps), *kept)]


def _turned(program: Program, trace: Trace, given: Mapping[str, MemoryGraph]) -> Iterator[Case]:
    """What the functions were given, with a flag turned round."""
    turning = partial(another_flag, flags=Flags(program).truths())
    for name, graph in given.items():
        others = with_other_arguments(program, shortened(graph), name, tolerant=trace.strict, others=turning)
        yield from (Case(name, heap, doubtful=True, turned=True) for heap in others)


def _loses(program: Program, tried: Sequence[Case], patch: Patch) -> bool:
    heaps = [case.heap for case in tried if _reached(case.heap) >= _SEVERAL]
    return bool(heaps) and loses_anyway(program, tried[0].function, heaps, patch)


def _called_again(
    program: Program, trace: Trace, menus: Menus, patch: Patch, name: str, accepted: Patch
) -> list[Case]:
    """What the function makes of what it is given, call by call, unless the repair loses nodes there, too."""
    inputs = met(program, trace, menus, patch, name, trace.start, accepted, linked=True)
    found = [Case(name, *each) for each in inputs]
    return (
        found
        if len(found) >= _FEW and not any(losing(program, name, [case.heap for case in found], patch))
        else []
    )


def _given(
    program: Program, trace: Trace, menus: Menus, patch: Patch, wanted: Sequence[str], accepted: Patch
) -> dict[str, MemoryGraph]:
    """What the functions are given by the program as it is, under the `accepted` edits.

    Where something is asserted, the patch tells it of those that it changes, unless they were given
    structures before a picture that nobody corrected: the closest repair need not be the right one.
    """
    edits = () if trace.bare else patch.beside(accepted)
    mine = {program.location(edit.location).function for edit in edits}
    known = _approved(program, trace, menus, [name for name in wanted if name in mine])
    known |= inputs_of(program, trace, menus, accepted, [name for name in wanted if name not in mine])
    rest = [name for name in wanted if name not in known]
    known |= inputs_of(program, trace, menus, patch, rest) if rest else {}
    if trace.bare:
        known = {name: _filled(graph) for name, graph in known.items()}
    if walks_to_null(program, trace):
        assert trace.crash is not None
        links = stepped_over(program.functions[trace.crash.position.function])
        known = {name: opened(graph, links) for name, graph in known.items()}
    return known


def _soundest(
    program: Program,
    trace: Trace,
    menus: Menus,
    given: Mapping[str, MemoryGraph],
    patches: Sequence[Patch],
) -> dict[str, MemoryGraph]:
    """What the functions are given under the repair under which most is reached, from both ends and back.

    What loses nodes does so where an earlier call has not left what it should: the pointer to the last node
    was not moved on.  Under the right repair it leads to the last one.
    """
    layout = compile_program(program).layout

    def order(graph: MemoryGraph) -> tuple[int, int, int]:
        links = sum(isinstance(v, Pointer) and isinstance(p.object, NodeId) for p, v in graph.cells.items())
        return _reached(graph), links, different(layout, graph) + len(backlinks([graph], trace))

    found = {name: (order(graph), graph) for name, graph in given.items()}
    for patch in patches:
        for name, graph in inputs_of(program, trace, menus, patch, [*given], behind=None).items():
            if (sound := order(graph)) > found[name][0]:
                found[name] = sound, graph
    return {name: graph for name, (_, graph) in found.items()}


def _approved(program: Program, trace: Trace, menus: Menus, wanted: Sequence[str]) -> dict[str, MemoryGraph]:
    """Where the functions were given structures up to the last picture before the corrected one."""
    if trace.approved is None or not wanted:
        return {}
    given = inputs_of(program, trace.approved, menus, NO_EDITS, wanted, behind=False)
    return {name: graph for name, graph in given.items() if _reached(graph) >= _BUILT}


def _given_what_is_wrong(program: Program, trace: Trace, name: str, heaps: Sequence[MemoryGraph]) -> bool:
    """Whether it crashed in that function on what was made before, so that these are no inputs for it.

    It changes nothing, and gets along with hardly any of them.  A ring is none of these where the
    program walks in rings elsewhere.
    """
    if not trace.bare or trace.crash is None or trace.crash.position.function != name:
        return False
    if knows_rings(program, trace):
        return False
    if name == trace.start_stack[0][0] or writes(program, reachable(program, {name})):
        return False
    return failures(program, name, heaps, PATIENCE) > _FAILING * len(heaps)


def _crashes_anyway(
    program: Program, trace: Trace, name: str, given: MemoryGraph, tried: Sequence[Case]
) -> bool:
    """Whether it crashed in that function, given a single node, as it does on all that is like that.

    What is to come behind the node may well be what a caller has forgotten: these are no inputs then.
    """
    if not trace.bare or trace.crash is None or trace.crash.position.function != name:
        return False
    heaps = [case.heap for case in tried]
    if name == trace.start_stack[0][0] or not all(0 < _reached(each) < _BUILT for each in (given, *heaps)):
        return False
    return failures(program, name, heaps, PATIENCE) == len(heaps)


def _filled(graph: MemoryGraph) -> MemoryGraph:
    """The graph with null for the pointers in nodes that nothing has set, and zero for numbers.

    A crash may be about just these: then they are no input that a function is made for.
    """
    unset: dict[Place, Value] = {
        place: None if isinstance(kind, PointerType) else 0
        for place in _unset(graph)
        if isinstance(kind := graph.cell_types.get(place), PointerType) or _number(kind)
    }
    return replace(graph, cells={**graph.cells, **unset}) if unset else graph


def _left_unset(
    program: Program, function: str, given: MemoryGraph, heaps: Sequence[MemoryGraph]
) -> Iterator[MemoryGraph]:
    """Some of the heaps, with the numbers unset that were so in the nodes that variables led to.

    The node in front of a list, say, holds no value of its own: nobody is to look at it.  Where the program
    as it is does so, it is rather this execution that lacks a value: none are told then.
    """
    unset: dict[NodeId, list[int]] = {}
    for place in _unset(given):
        if isinstance(place.object, NodeId) and _number(given.cell_types.get(place)):
            unset.setdefault(place.object, []).append(place.offset)
    leading = {
        place: unset[value.object]
        for place, value in given.cells.items()
        if isinstance(place.object, VariableId) and isinstance(value, Pointer) and value.object in unset
    }
    found: list[MemoryGraph] = []
    for heap in heaps:
        if len(found) == _UNSET:
            break
        led = [(heap.cells.get(place), offsets) for place, offsets in leading.items()]
        left = {
            at: UNINITIALISED
            for value, offsets in led
            if isinstance(value, Pointer) and value.offset == 0 and value.object in heap.nodes
            for offset in offsets
            if (at := Place(value.object, offset)) in heap.cells
        }
        if left:
            found.append(replace(heap, cells={**heap.cells, **left}))
    yield from () if uses_unset(program, function, found, PATIENCE) else found


def _links_unset(graph: MemoryGraph) -> bool:
    """Whether some pointer in a node was never set."""
    return any(isinstance(graph.cell_types.get(place), PointerType) for place in _unset(graph))


def _unset(graph: MemoryGraph) -> list[Place]:
    """The places in nodes that nothing has set."""
    return [
        place
        for place, value in graph.cells.items()
        if isinstance(place.object, NodeId) and isinstance(value, (Uninitialised, Wild))
    ]


def _number(kind: CType | None) -> bool:
    """Whether it is the type of a number; characters make up texts."""
    return isinstance(kind, IntType) and kind.size > 1


def changed_functions(program: Program, candidates: Sequence[Candidate]) -> set[str]:
    """The functions in which the candidates edit something."""
    return {
        program.location(edit.location).function for candidate in candidates for edit in candidate.patch.edits
    }


def inputs_of(
    program: Program,
    trace: Trace,
    menus: Menus,
    patch: Patch,
    wanted: Sequence[str],
    *,
    behind: bool | None = True,
) -> dict[str, MemoryGraph]:
    """For each function the state of its entry with the largest heap, the first of equal ones.

    What comes `behind` the trace's end counts where nothing much was built before, unless it is not asked
    for; always for None.  After a mere crash a heap with nodes, all the links of which are set, comes before
    larger ones.
    """
    found: dict[str, tuple[tuple[bool, int], MemoryGraph]] = {}

    def settled(name: str) -> bool:
        return behind is not None and (not behind or (name in found and found[name][0][1] >= _BUILT))

    for name, reading, later in entered(program, trace, menus, patch, wanted, most=_ENTRIES):
        if later and settled(name):
            if all(map(settled, wanted)):
                break
            continue
        known = found[name][0] if name in found else (False, -1)
        graph = reading()
        size = _reached(graph)
        order = (trace.bare and size > 0 and not _links_unset(graph), size)
        if order > known:
            found[name] = (order, graph)
    return {name: graph for name, (_, graph) in found.items()}


def _reached(graph: MemoryGraph) -> int:
    """How many nodes the innermost activation and the globals lead to."""
    depth = graph.frames[0].depth if graph.frames else -1
    return sum(isinstance(each, NodeId) for each in graph.led_to(depth))


def _best(program: Program, name: str, built: Sequence[MemoryGraph]) -> list[MemoryGraph]:
    """Fresh heaps like the one on which the function fails least, then like the one with the most links.

    None where it fails on nearly all of them: what a wrong repair builds is no input for it.
    """
    best: tuple[tuple[float, int, int], list[MemoryGraph]] | None = None
    for graph in built:
        heaps = fresh(program, graph, name, limit=_HEAPS - 1)
        failed = failures(program, name, heaps, PATIENCE) / max(len(heaps), 1)
        nodes, links = _linked(graph)
        order = (failed, -nodes, -links)
        if failed <= _FAILING and (best is None or order < best[0]):
            best = order, heaps
    return best[1] if best is not None else []


def _linked(graph: MemoryGraph) -> tuple[int, int]:
    """How much is built: the nodes that are reached, and the pointers that lead somewhere."""
    return _reached(graph), sum(isinstance(value, Pointer) for value in graph.cells.values())
