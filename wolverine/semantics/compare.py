"""Differences between memory graphs; equality up to the names of nodes (CONTRACT, "Names").

Two graphs are the same up to renaming when a bijection of their nodes maps one to the other and keeps
the nodes of the trace's start.  Nodes that variables reach are paired by walking both graphs from the
variables; the unreachable rest is matched by igraph's vertex-coloured isomorphism.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from wolverine.core.graph import (
    External,
    MemoryGraph,
    NodeId,
    ObjectId,
    Place,
    Pointer,
    Uninitialised,
    Value,
    VariableId,
    Wild,
)
from wolverine.semantics.address import LITERALS


def differences(one: MemoryGraph, two: MemoryGraph) -> tuple[Place, ...]:
    """The places of both graphs whose values differ; where one is uninitialised there is no difference.

    A node that is there or live in one graph only shows as its byte 0.
    """
    found = [
        p
        for p, value in two.cells.items()
        if p in one.cells and not same_value(one.cells[p], value) and not _of_other_members(one, two, p)
    ]
    for node in sorted(one.nodes.keys() | two.nodes.keys()):
        first, second = one.nodes.get(node), two.nodes.get(node)
        if first is None or second is None or first.state != second.state:
            found.append(Place(node, 0))
    return tuple(dict.fromkeys(found))


def _of_other_members(one: MemoryGraph, two: MemoryGraph, place: Place) -> bool:
    """Whether the place is in a union, and the graphs show other members of it."""
    return place in one.in_unions | two.in_unions and one.cell_types.get(place) != two.cell_types.get(place)


def same_value(one: Value, two: Value) -> bool:
    """Whether two values agree as far as both are known."""
    if isinstance(one, Uninitialised) or isinstance(two, Uninitialised):
        return True
    if isinstance(one, External) and isinstance(two, External):
        return one.address == two.address or max(one.address, two.address) >= LITERALS
    if isinstance(one, Wild) and isinstance(two, Wild):
        return True  # neither leads anywhere, and the model's has no address
    if isinstance(one, float) and isinstance(two, float) and one != one and two != two:
        return True
    return one == two


def same_state(expected: MemoryGraph, actual: MemoryGraph, start: MemoryGraph | None = None) -> bool:
    """Whether the graphs show one state, up to renaming of the nodes that `start` does not have.

    Cells that are uninitialised, or that one of the graphs does not show, do not count.
    """
    if not differences(expected, actual):
        return True  # under the names as they are
    renaming = correspondence(expected, actual, start)
    return renaming is not None and not differences(renamed(expected, renaming), actual)


def correspondence(
    expected: MemoryGraph, actual: MemoryGraph, start: MemoryGraph | None = None
) -> dict[NodeId, NodeId] | None:
    """For each node of `expected` its node in `actual`, None if there is none.

    Nodes of `start` keep their names.
    """
    fixed = start.nodes.keys() if start is not None else ()
    pairs: dict[NodeId, NodeId] = {}
    for node in fixed:
        if node in expected.nodes or node in actual.nodes:
            pairs[node] = node
    if not _walk(expected, actual, pairs):
        return None
    return _match_rest(expected, actual, pairs)


def renamed(graph: MemoryGraph, names: Mapping[NodeId, NodeId]) -> MemoryGraph:
    """The graph with other names for its nodes; nodes that are not mentioned keep theirs."""

    def identity(found: ObjectId) -> ObjectId:
        return names.get(found, found) if isinstance(found, NodeId) else found

    def value(held: Value) -> Value:
        return Pointer(identity(held.object), held.offset) if isinstance(held, Pointer) else held

    nodes = {names.get(n, n): replace(node, id=names.get(n, n)) for n, node in graph.nodes.items()}
    cells = {Place(identity(place.object), place.offset): value(v) for place, v in graph.cells.items()}
    types = {Place(identity(p.object), p.offset): t for p, t in graph.cell_types.items()}
    unions = {Place(identity(p.object), p.offset): union for p, union in graph.unions.items()}
    return replace(graph, nodes=nodes, cells=cells, cell_types=types, unions=unions)


def _walk(expected: MemoryGraph, actual: MemoryGraph, pairs: dict[NodeId, NodeId]) -> bool:
    """Pair what equal paths from the variables lead to; False where that contradicts itself."""
    outgoing = _cells_by_object(expected)
    reverse = {two: one for one, two in pairs.items()}
    work: list[tuple[ObjectId, ObjectId]] = [(o, o) for o in outgoing if isinstance(o, VariableId)]
    work += list(pairs.items())
    while work:
        one, two = work.pop()
        for offset, held in outgoing.get(one, ()):
            other = actual.cells.get(Place(two, offset))
            if not isinstance(held, Pointer) or not isinstance(other, Pointer):
                continue
            left, right = held.object, other.object
            if not isinstance(left, NodeId) or not isinstance(right, NodeId):
                continue
            if left not in pairs and right not in reverse:
                pairs[left], reverse[right] = right, left
                work.append((left, right))
            elif pairs.get(left) != right:
                return False
    return True


def _match_rest(
    expected: MemoryGraph, actual: MemoryGraph, pairs: dict[NodeId, NodeId]
) -> dict[NodeId, NodeId] | None:
    """Pair the nodes that no path reaches, by isomorphism of what hangs together."""
    left = [n for n in sorted(expected.nodes) if n not in pairs]
    taken = set(pairs.values())
    right = [n for n in sorted(actual.nodes) if n not in taken]
    if len(left) != len(right):
        return None
    if not left:
        return pairs
    colours: dict[object, int] = {}
    reverse = {two: one for one, two in pairs.items()}
    first, first_colours = _coloured(expected, left, {n: pairs[n] for n in pairs}, colours)
    second, second_colours = _coloured(actual, right, {n: n for n in reverse}, colours)
    if sorted(first_colours) != sorted(second_colours):
        return None
    same, mapping, _ = first.isomorphic_vf2(
        second,
        color1=first_colours,
        color2=second_colours,
        edge_color1=first.es["colour"],
        edge_color2=second.es["colour"],
        return_mapping_12=True,
        return_mapping_21=True,
    )
    return pairs | {left[i]: right[mapping[i]] for i in range(len(left))} if same else None


def _coloured(
    graph: MemoryGraph,
    nodes: list[NodeId],
    known: Mapping[NodeId, NodeId],
    colours: dict[object, int],
) -> tuple[Any, list[int]]:
    """The nodes and the pointers among them, coloured by offsets; all else about a node is its colour."""
    index = {node: i for i, node in enumerate(nodes)}
    by_object = _cells_by_object(graph)
    edges: dict[tuple[int, int], list[tuple[int, int]]] = {}
    vertex_colours = []
    for node in nodes:
        facts: list[object] = [graph.nodes[node].state]
        for offset, held in sorted(by_object.get(node, ()), key=lambda cell: cell[0]):
            if isinstance(held, Pointer) and held.object == node:
                facts.append((offset, "itself", held.offset))
            elif isinstance(held, Pointer) and isinstance(held.object, NodeId) and held.object in index:
                edges.setdefault((index[node], index[held.object]), []).append((offset, held.offset))
            elif isinstance(held, Pointer) and isinstance(held.object, NodeId):
                facts.append((offset, known.get(held.object, held.object), held.offset))
            elif not isinstance(held, (Uninitialised, Wild)):
                facts.append((offset, held))
        vertex_colours.append(colours.setdefault(tuple(facts), len(colours)))
    # Imported here: only unreachable nodes need it, and the prompt should not wait for it.
    import igraph

    made = igraph.Graph(n=len(nodes), edges=list(edges), directed=True)  # type: ignore[no-untyped-call]
    made.es["colour"] = [colours.setdefault(("edge", *found), len(colours)) for found in edges.values()]
    return made, vertex_colours


def _cells_by_object(graph: MemoryGraph) -> dict[ObjectId, list[tuple[int, Value]]]:
    found: dict[ObjectId, list[tuple[int, Value]]] = {}
    for place, value in graph.cells.items():
        found.setdefault(place.object, []).append((place.offset, value))
    return found


def agree_on(one: MemoryGraph, two: MemoryGraph, places: Iterable[Place]) -> bool:
    """Whether the values of these places agree."""
    return all(same_value(one.cells.get(p, _MISSING), two.cells.get(p, _MISSING)) for p in places)


_MISSING = Uninitialised()
