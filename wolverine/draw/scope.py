"""Which nodes a picture is about: all but those long freed, or what some places lead to."""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer
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


def within(survey: Survey, roots: Sequence[Place]) -> tuple[list[NodeId], list[NodeId]]:
    """The nodes to which these places lead, and those from which drawing starts."""
    graph = survey.graph
    starts: list[NodeId] = []
    for place in roots:
        value = graph.cells.get(place)
        if isinstance(value, Pointer) and isinstance(value.object, NodeId):
            starts.append(value.object)
        if isinstance(place.object, NodeId):
            starts.append(place.object)
        elif place not in graph.cells or not isinstance(value, Pointer):
            starts += [target for _, target in survey.out(place.object)]
    starts = [node for node in dict.fromkeys(starts) if node in graph.nodes]
    seen = dict.fromkeys(starts)
    work = list(starts)
    for node in work:
        for _, target in survey.out(node):
            if target not in seen:
                seen[target] = None
                work.append(target)
    return list(seen), starts
