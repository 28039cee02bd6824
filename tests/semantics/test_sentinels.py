"""Fresh heaps of structures whose ends lead to a sentinel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest

from wolverine.core.graph import Frame, MemoryGraph, Node, NodeId, Place, Pointer, Value, Variable, VariableId
from wolverine.core.program import Program
from wolverine.core.types import INT, CType, Field, PointerType, StructReference, StructType, Types
from wolverine.semantics.fresh import fresh_graphs

ITEM = StructReference("item")
LINK = PointerType(ITEM)
RECORD = StructReference("deque")
TYPES = Types(
    {
        "item": StructType(
            "item", 24, (Field("next", 0, LINK), Field("prev", 8, LINK), Field("val", 16, INT))
        ),
        "deque": StructType("deque", 32, (Field("count", 0, INT), Field("head", 8, ITEM))),
    }
)
DEQUE = VariableId(1, "main", "deque")
GIVEN = VariableId(0, "f", "d")
AT = VariableId(0, "f", "n")
ROOT = VariableId(-1, "", "root")
NIL = VariableId(-1, "", "nil")
SOURCE = """
typedef struct item { struct item *next, *prev; int val; } item;
struct deque { int count; item head; };
item *root, nil;
void f(struct deque *d, item *n) { root = n; }
int main(void) { struct deque deque; f(&deque, 0); return 0; }
"""
CACHE = """
#include <stdlib.h>
struct entry { struct entry *chain, *newer, *older; };
struct cache { struct entry ring; struct entry *row[2]; };
void f(struct cache *c) { c->ring.newer = c->ring.older; }
int main(void)
{
    struct cache cache = {0};
    struct entry *e = calloc(1, sizeof *e);
    e->newer = e->older = &cache.ring;
    cache.ring.newer = cache.ring.older = cache.row[1] = e;
    f(&cache);
    return 0;
}
"""


def heap(
    nodes: Mapping[int, tuple[Value, Value]],
    cells: Mapping[Place, Value],
    variables: Mapping[VariableId, CType],
) -> MemoryGraph:
    """A graph with nodes {number: (next, prev)} and these values of variables."""
    made = {NodeId(n): Node(NodeId(n), 24, ITEM) for n in nodes}
    held = dict(cells)
    types: dict[Place, CType] = {}
    for number, links in nodes.items():
        held |= {Place(NodeId(number), 8 * at): link for at, link in enumerate(links)}
        held[Place(NodeId(number), 16)] = number
    for identity, kind in [*((n, ITEM) for n in made), *variables.items()]:
        for offset, scalar in TYPES.scalars(kind):
            types[Place(identity, offset)] = scalar
    frames = [
        Frame(d, name, tuple(Variable(v, t, d == 0) for v, t in variables.items() if v.depth == d))
        for d, name in enumerate(("f", "main"))
    ]
    outside = tuple(Variable(v, t) for v, t in variables.items() if v.depth < 0)
    return MemoryGraph(TYPES, tuple(frames), outside, made, held, types)


def walked(graph: MemoryGraph, start: Place, link: int, end: Pointer) -> list[NodeId]:
    """The nodes from a pointer on, up to the end."""
    found: list[NodeId] = []
    at = graph.cells[start]
    while at != end:
        assert isinstance(at, Pointer) and isinstance(at.object, NodeId)
        assert at.object not in found
        found.append(at.object)
        at = graph.cells[Place(at.object, link)]
    return found


@pytest.mark.parametrize("size", [0, 1, 3])
def test_a_ring_closes_in_the_head_that_another_struct_holds(
    lower: Callable[[str], Program], size: int
) -> None:
    """Also where that is empty at the start, or has one node; the parameter into it stays within it."""
    head = Pointer(DEQUE, 8)
    ring: list[Pointer] = [head, *(Pointer(NodeId(n)) for n in range(1, size + 1)), head]
    nodes = {n: (ring[n + 1], ring[n - 1]) for n in range(1, size + 1)}
    cells: dict[Place, Value] = {Place(DEQUE, 8): ring[1], Place(DEQUE, 16): ring[-2], Place(DEQUE, 0): size}
    cells |= {Place(GIVEN, 0): Pointer(DEQUE), Place(AT, 0): ring[1]}
    start = heap(nodes, cells, {GIVEN: PointerType(RECORD), AT: LINK, DEQUE: RECORD})
    sizes = set()
    for fresh in fresh_graphs(lower(SOURCE), start, (("f", 0),)):
        ahead = walked(fresh, Place(DEQUE, 8), 0, head)
        assert walked(fresh, Place(DEQUE, 16), 8, head) == ahead[::-1]
        assert set(ahead) == set(fresh.nodes)
        assert fresh.cells[Place(DEQUE, 0)] == len(ahead)
        assert fresh.cells[Place(GIVEN, 0)] == Pointer(DEQUE)
        assert not ahead or fresh.cells[Place(AT, 0)] in (head, *map(Pointer, ahead))
        sizes.add(len(ahead))
    assert sizes >= {0, 1, 2, 3, 5}


@pytest.mark.parametrize("size", [0, 2])
def test_leaves_lead_to_the_node_that_stands_for_none(lower: Callable[[str], Program], size: int) -> None:
    """Its own links are no structures, and no tree is the same as that node."""
    nil = Pointer(NIL)
    nodes: dict[int, tuple[Value, Value]] = {1: (Pointer(NodeId(2)), nil), 2: (nil, nil)} if size else {}
    cells: dict[Place, Value] = {Place(ROOT, 0): Pointer(NodeId(1)) if size else nil}
    cells |= {Place(NIL, 0): nil, Place(NIL, 8): nil, Place(NIL, 16): 0}
    start = heap(nodes, cells, {ROOT: LINK, NIL: ITEM})
    made = fresh_graphs(lower(SOURCE), start, (("f", 0),))
    assert {len(fresh.nodes) for fresh in made} >= {0, 1, 2, 3}
    for fresh in made:
        assert [fresh.cells[Place(NIL, at)] for at in (0, 8)] == [nil, nil]
        for place, value in fresh.cells.items():
            assert value is not None or not isinstance(place.object, NodeId)
        assert fresh.nodes or fresh.cells[Place(ROOT, 0)] == nil


def test_a_list_hangs_from_a_dummy(lower: Callable[[str], Program]) -> None:
    """What leads to it goes on leading to it; the list ends in null."""
    cells: dict[Place, Value] = {
        Place(AT, 0): Pointer(NIL),
        Place(NIL, 0): Pointer(NodeId(1)),
        Place(NIL, 8): None,
    }
    start = heap({1: (None, Pointer(NIL))}, cells, {AT: LINK, NIL: ITEM})
    made = fresh_graphs(lower(SOURCE), start, (("f", 0),))
    assert len({len(fresh.nodes) for fresh in made}) > 2
    for fresh in made:
        assert fresh.cells[Place(AT, 0)] == Pointer(NIL)
        first = fresh.cells[Place(NIL, 0)]
        assert (first is None) == (not fresh.nodes)
        assert first is None or fresh.cells[Place(NodeId(1), 8)] == Pointer(NIL)


@pytest.mark.parametrize(("body", "same"), [("root = root->next;", False), ("root = d->head.next;", True)])
def test_a_cursor_in_a_ring_stands_anywhere(lower: Callable[[str], Program], body: str, same: bool) -> None:
    """A ring of one node does not tell it from what leads to the ring."""
    source = SOURCE.replace("item *root, nil;", "item *last, *root;").replace("root = n;", body)
    last = VariableId(-1, "", "last")
    cells: dict[Place, Value] = {Place(each, 0): Pointer(NodeId(1)) for each in (last, ROOT)}
    start = heap({1: (Pointer(NodeId(1)), Pointer(NodeId(1)))}, cells, {last: LINK, ROOT: LINK})
    made = [fresh for fresh in fresh_graphs(lower(source), start, (("f", 0),)) if len(fresh.nodes) > 1]
    assert made
    for fresh in made:
        assert (fresh.cells[Place(last, 0)] == fresh.cells[Place(ROOT, 0)]) == same


def test_rows_beside_a_ring_are_empty_where_chains_end(
    lower: Callable[[str], Program], walk: Callable[[Program], Iterator[tuple[object, MemoryGraph]]]
) -> None:
    """The nodes' ring closes in the record, their chains lead nowhere: so do rows without nodes."""
    program = lower(CACHE)
    start = next(graph for _, graph in walk(program) if graph.frames[0].function == "f")
    rows = (24, 32)
    sizes = set()
    for fresh in fresh_graphs(program, start, (("f", 0),)):
        record = start.frames[1].variables[0].id
        ring = Pointer(record)
        assert all(fresh.cells[Place(record, at)] != ring for at in rows)
        assert fresh.nodes or fresh.cells[Place(record, 8)] == ring
        sizes.add(len(fresh.nodes))
    assert sizes >= {0, 1, 2}


SONGS = """\
#include <stdlib.h>
struct song { int n; struct song *next, *prev; };
struct song *first, *at;
static struct song *song(int n, struct song *before)
{
    struct song *s = malloc(sizeof *s);
    s->n = n;
    s->next = NULL;
    s->prev = before;
    return s;
}
static void on(void) { if (at->next) at = at->next; }
static void back(void) { if (at->prev) at = at->prev; }
static int f(void) { return at->n; }
int main(void)
{
    first = song(1, NULL);
    first->next = song(2, first);
    at = first->next;
    RETURN
}
"""


@pytest.mark.parametrize(
    ("body", "alone"), [("back(); on(); return f();", False), ("on(); return f();", True)]
)
def test_what_goes_to_and_fro_is_at_the_end_by_chance(
    lower: Callable[[str], Program],
    walk: Callable[[Program], Iterator[tuple[object, MemoryGraph]]],
    body: str,
    alone: bool,
) -> None:
    source = SONGS.replace("RETURN", body)
    program = lower(source if not alone else source.replace("at = at->prev", "at = at->next"))
    start = next(graph for _, graph in walk(program) if graph.frames[0].function == "f")
    at = Place(VariableId(-1, "", "at"), 0)
    ends = set()
    for fresh in fresh_graphs(program, start, (("f", 0),)):
        node = fresh.cells[at]
        if isinstance(node, Pointer) and len(fresh.nodes) > 1:
            ends.add(fresh.cells[Place(node.object, 8)] is None)
    assert ends == ({True} if alone else {True, False})
