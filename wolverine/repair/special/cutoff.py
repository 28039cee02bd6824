"""Whether what is lost was rather to stay in its structure, or to be dropped and freed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal

from wolverine.core.expressions import Load, VariableReference, variables
from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, VariableId
from wolverine.core.parts import without_casts
from wolverine.core.patch import NewCall
from wolverine.core.program import Assign, Call, Program, reachable
from wolverine.repair.source.blocks import statement
from wolverine.repair.source.flow import behind
from wolverine.repair.source.frees import calls
from wolverine.repair.source.walk import expressions_of
from wolverine.semantics.allocation import FREEING, MAKING

Fate = Literal["stays", "dropped", "either"]


def fate(
    program: Program,
    graph: MemoryGraph,
    nodes: Collection[NodeId],
    by: tuple[str, int],
    *,
    fresh: bool,
    makes: bool = True,
    among: bool = False,
    instead: NodeId | None = None,
) -> Fate:
    """What was to become of the nodes that the statement at `by` (function, instruction) loses in the graph.

    Several that are linked with each other were to stay: the rest of a list, a subtree.  What takes a
    structure apart node by node, in a loop or recursively, loses what it forgets to free, or what was lost
    to the structure before.  One node that leads on into the structure was taken out of it, and dropped: not
    back to the node whose link leads elsewhere now.
    What only a node of its own kind led to that is freed by the statement was to stay: the rest behind it.
    One in the place of which a link leads to another node now (`instead`), which was there before and is
    none of those that it leads to, was rather to stay as well.
    Where nothing is behind it either may be, but it stays if the function makes nodes rather than frees them;
    not, though, if the call has made it itself (`fresh`): it had no place in the structure yet; nor if it
    `makes` none, which returns before it comes to that.  It stays
    as well if the function frees nothing and has cut it off `among` others that it has linked anew, but for
    what a recursion has given back as gone: `t->left = pruned(t->left)`.
    """
    function, _ = by
    among = among and (instead is not None or not _given_back(program, *by))
    if takes_apart(program, *by):
        return "either"
    if _behind_freed(program, graph, nodes, by):
        return "stays"
    linked = [(one, other) for one in nodes for other in _led(graph, one) if _alike(graph, one, other)]
    if any(other in nodes for _, other in linked):
        return "stays"
    behind_it = {other for _, other in linked if instead is None or instead not in _led(graph, other)}
    if any(_bypassed(program, graph, nodes, by, other) for other in behind_it):
        return "dropped"
    makes = makes and calls(program, function, MAKING)
    frees = calls(program, function, FREEING)
    if instead is not None and not (makes or frees) and not _led_on(graph, nodes, instead):
        return "stays"
    return "stays" if not frees and ((makes and not fresh) or among) else "either"


def _behind_freed(
    program: Program, graph: MemoryGraph, nodes: Collection[NodeId], by: tuple[str, int]
) -> bool:
    """Whether the statement frees a node of their kind that leads to one of the nodes."""
    step = program.functions[by[0]].code[by[1]]
    if not (isinstance(step, Call) and step.function in FREEING):
        return False
    named = _freed_by(program, graph, by)
    freed = {number for number, node in graph.nodes.items() if node.state == "freed"}
    freed = freed if named is None else freed & {named}
    return any(
        place.object in freed and value.object in nodes and _alike(graph, place.object, value.object)
        for place, value in graph.cells.items()
        if isinstance(value, Pointer)
        and isinstance(place.object, NodeId)
        and isinstance(value.object, NodeId)
    )


def _given_back(program: Program, function: str, instruction: int) -> bool:
    """Whether the statement stores what a recursive call gives back."""
    code = program.functions[function].code
    step, called = code[instruction], code[instruction - 1] if instruction else None
    if not isinstance(step, Assign) or not isinstance(called, Call) or called.result is None:
        return False
    gives = without_casts(step.value) == Load(called.result)
    return (
        gives and called.function in program.functions and function in reachable(program, (called.function,))
    )


def _freed_by(program: Program, graph: MemoryGraph, by: tuple[str, int]) -> NodeId | None:
    """The node to which the variable leads that the statement frees; None where it frees another place."""
    freed = statement(program.functions[by[0]], by[1])
    match freed:
        case NewCall(_, (Load(VariableReference(name, level="local")),)) if graph.frames:
            place = Place(VariableId(graph.frames[0].depth, by[0], name), 0)
            value = graph.cells.get(place)
            node = value.object if isinstance(value, Pointer) else None
            return node if isinstance(node, NodeId) else None
    return None


def _led_on(graph: MemoryGraph, nodes: Collection[NodeId], other: NodeId) -> bool:
    """Whether one of the nodes leads to the other one, over any number of others."""
    work, reached = list(nodes), set(nodes)
    while work:
        more = set(_led(graph, work.pop())) - reached
        reached |= more
        work += more
    return other in reached


def _bypassed(
    program: Program, graph: MemoryGraph, nodes: Collection[NodeId], by: tuple[str, int], other: NodeId
) -> bool:
    """Whether something leads to the other node yet, past those that are lost.

    A local variable counts only where the statement at `by` sets one: else it is on its way through.
    """
    step = program.functions[by[0]].code[by[1]]
    local = not isinstance(step, Assign) or (
        isinstance(step.target, VariableReference) and step.target.level == "local"
    )
    depth = graph.frames[0].depth if graph.frames else -1
    return any(
        isinstance(value, Pointer)
        and value.object == other
        and place.object not in nodes
        and (local or not isinstance(place.object, VariableId) or place.object.depth != depth)
        for place, value in graph.cells.items()
    )


def takes_apart(program: Program, function: str, instruction: int) -> bool:
    """Whether the statement frees nodes in a loop, or its function calls itself."""
    code = program.functions[function].code
    step = code[instruction]
    if not (isinstance(step, Call) and step.function in FREEING):
        return False
    called = {step.function for step in code if isinstance(step, Call)}
    return instruction in behind(code, instruction) or function in reachable(program, called)


def torn_down(program: Program, graph: MemoryGraph, nodes: Collection[NodeId], name: str) -> bool:
    """Whether no variable of a function, of which the graph's innermost frame is, leads to nodes like those.

    It is done with their structure then.
    """
    depth = graph.frames[0].depth if graph.frames else -1
    code = program.functions[name].code
    read = [each for step in code for each in expressions_of(step)]
    set_there = [step.target for step in code if isinstance(step, Assign)]
    used = frozenset[str]().union(*map(variables, (*read, *set_there)))
    work = [
        value.object
        for place, value in graph.cells.items()
        if isinstance(place.object, VariableId)
        and (place.object.depth == depth or (place.object.depth < 0 and place.object.name in used))
        and isinstance(value, Pointer)
        and isinstance(value.object, NodeId)
        and graph.nodes[value.object].state == "live"
    ]
    reached = set(work)
    while work:
        more = set(_led(graph, work.pop())) - reached
        reached |= more
        work += more
    return not any(_alike(graph, one, other) for one in nodes for other in reached.difference(nodes))


def _led(graph: MemoryGraph, node: NodeId) -> Iterator[NodeId]:
    """The other live nodes to which it leads."""
    for place, value in graph.cells.items():
        if place.object == node and isinstance(value, Pointer) and isinstance(value.object, NodeId):
            to = value.object
            if to != node and to in graph.nodes and graph.nodes[to].state == "live":
                yield to


def _alike(graph: MemoryGraph, one: NodeId, other: NodeId) -> bool:
    """Whether they are of the same type."""
    return graph.nodes[one].type == graph.nodes[other].type
