"""Which nodes a picture is about: all but those long freed, or what some places lead to."""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.graph import MemoryGraph, NodeId, ObjectId, Place, Pointer, VariableId
from wolverine.draw.shape import Survey


def is_fresh(graph: MemoryGraph, before: MemoryGraph | None, node: NodeId) -> bool:
    """Whether the node was allocated or freed since `before`."""
    if before is None:
        return False
    old = before.nodes.get(node)
    return old is None or old.state != graph.nodes[node].state


def buried(survey: Survey, before: MemoryGraph | None) -> tuple[NodeId, ...]:
    """The freed nodes that are no news and to which neither a variable nor a live node leads."""
    graph, reached = survey.graph, survey.reached
    freed = {node for node, held in graph.nodes.items() if held.state == "freed" and node not in reached}
    freed = {node for node in freed if not is_fresh(graph, before, node)}
    if not freed:
        return ()
    work = [node for node in graph.nodes if node not in reached and node not in freed]
    for node in work:
        for _, target in survey.out(node):
            if target in freed:
                freed.discard(target)
                work.append(target)
    return tuple(node for node in graph.nodes if node in freed)


def within(
    survey: Survey, roots: Sequence[Place]
) -> tuple[list[NodeId], list[NodeId], frozenset[VariableId]]:
    """The nodes to which these places lead, those from which drawing starts, and the variables there."""
    graph = survey.graph
    work: list[ObjectId] = []
    for place in roots:
        value = graph.cells.get(place)
        pointer = isinstance(value, Pointer)
        if isinstance(place.object, NodeId) or not pointer:
            work.append(place.object)
        if isinstance(value, Pointer):
            work.append(value.object)
    held = _variables_led_to(graph)
    known = graph.nodes.keys() | {variable.id for variable in graph.variables()}
    seen = dict.fromkeys(each for each in work if each in known)
    starts = [each for each in seen if isinstance(each, NodeId)]
    work = list(seen)
    for each in work:
        found = [target for _, target in survey.out(each)]
        starts += found if isinstance(each, VariableId) else []
        for target in (*found, *held.get(each, ())):
            if target in known and target not in seen:
                seen[target] = None
                work.append(target)
    variables = {each for each in seen if isinstance(each, VariableId)}
    variables |= {place.object for place in roots if isinstance(place.object, VariableId)}
    nodes = [each for each in seen if isinstance(each, NodeId)]
    return nodes, list(dict.fromkeys(starts)), frozenset(variables)


def _variables_led_to(graph: MemoryGraph) -> dict[ObjectId, list[VariableId]]:
    """The variables to which pointers of each object lead."""
    found: dict[ObjectId, list[VariableId]] = {}
    for place, value in graph.cells.items():
        if isinstance(value, Pointer) and isinstance(value.object, VariableId):
            found.setdefault(place.object, []).append(value.object)
    return found
