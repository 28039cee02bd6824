"""Fresh heaps of lists whose nodes hold the address of what leads to them, and that know their last link."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest

from wolverine.core.graph import Frame, MemoryGraph, Node, NodeId, Place, Pointer, Value, Variable, VariableId
from wolverine.core.program import Program
from wolverine.core.types import INT, CType, Field, PointerType, StructReference, StructType, Types
from wolverine.semantics.fresh import fresh_graphs

JOB = StructReference("job")
LINK = PointerType(JOB)
Stack = tuple[tuple[str, int], ...]
QUEUE = StructReference("queue")
TYPES = Types(
    {
        "job": StructType(
            "job", 24, (Field("after", 0, LINK), Field("at", 8, PointerType(LINK)), Field("cost", 16, INT))
        ),
        "queue": StructType("queue", 16, (Field("first", 0, LINK), Field("end", 8, PointerType(LINK)))),
    }
)
HELD = VariableId(1, "main", "queue")
GIVEN = VariableId(0, "run", "q")
SOURCE = """
struct job { struct job *after, **at; int cost; };
struct queue { struct job *first, **end; };
void run(struct queue *q) { q->end = &q->first; }
int main(void) { struct queue queue; run(&queue); return 0; }
"""
FIRST = Pointer(HELD)


def heap(nodes: Mapping[int, tuple[Value, Value]], end: Value) -> MemoryGraph:
    """The queue with nodes {number: (after, at)}."""
    made = {NodeId(n): Node(NodeId(n), 24, JOB) for n in nodes}
    held: dict[Place, Value] = {Place(GIVEN, 0): Pointer(HELD), Place(HELD, 8): end}
    held[Place(HELD, 0)] = Pointer(NodeId(1)) if nodes else None
    for number, links in nodes.items():
        held |= {Place(NodeId(number), 8 * at): link for at, link in enumerate(links)}
        held[Place(NodeId(number), 16)] = number
    variables: dict[VariableId, CType] = {GIVEN: PointerType(QUEUE), HELD: QUEUE}
    types: dict[Place, CType] = {}
    for identity, kind in [*((n, JOB) for n in made), *variables.items()]:
        for offset, scalar in TYPES.scalars(kind):
            types[Place(identity, offset)] = scalar
    frames = tuple(
        Frame(
            depth, name, tuple(Variable(v, t, depth == 0) for v, t in variables.items() if v.depth == depth)
        )
        for depth, name in enumerate(("run", "main"))
    )
    return MemoryGraph(TYPES, frames, (), made, held, types)


def made_of(start: MemoryGraph, lower: Callable[[str], Program]) -> list[MemoryGraph]:
    """The fresh heaps of more than two nodes."""
    heaps = fresh_graphs(lower(SOURCE), start, (("run", 0), ("main", 0)), limit=40)
    return [each for each in heaps if len(each.nodes) > 2]


TWO = {1: (Pointer(NodeId(2)), FIRST), 2: (None, Pointer(NodeId(1)))}


@pytest.mark.parametrize(
    ("nodes", "end"), [(TWO, Pointer(NodeId(2))), ({1: (None, FIRST)}, Pointer(NodeId(1))), ({}, FIRST)]
)
def test_links_are_led_back_to(
    nodes: Mapping[int, tuple[Value, Value]], end: Value, lower: Callable[[str], Program]
) -> None:
    found = made_of(heap(nodes, end), lower)
    assert found
    for each in found:
        for node in each.nodes:
            back = each.cells[Place(node, 8)]
            assert isinstance(back, Pointer)
            assert each.cells[Place(back.object, back.offset)] == Pointer(node)
        last = each.cells[Place(HELD, 8)]
        assert isinstance(last, Pointer)
        assert last.object in each.nodes
        assert each.cells[Place(last.object, last.offset)] is None


def test_addresses_that_lead_elsewhere_tell_nothing(lower: Callable[[str], Program]) -> None:
    nodes = {1: (Pointer(NodeId(2)), FIRST), 2: (None, FIRST)}
    for each in made_of(heap(nodes, FIRST), lower):
        assert {each.cells[Place(node, 8)] for node in each.nodes} == {FIRST}
        assert each.cells[Place(HELD, 8)] == FIRST


TABLE = """
#include <stdlib.h>
struct job { int cost; struct job *after; };
struct table { struct job **rows; int size; };
void add(struct table *t, int cost) {
    struct job *made = malloc(sizeof *made);
    made->cost = cost;
    made->after = t->rows[cost % t->size];
    t->rows[cost % t->size] = made;
}
int main(void) {
    struct table t = { calloc(3, sizeof(struct job *)), 3 };
    add(&t, 4);
    add(&t, 1);
    add(&t, 7);
    return 0;
}
"""


def test_what_leads_to_a_table_does_not_lead_to_the_end_of_its_first_list(
    lower: Callable[[str], Program], walk: Callable[[Program], Iterator[tuple[Stack, MemoryGraph]]]
) -> None:
    program = lower(TABLE)
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "add" and len(graph.nodes) > 2)
    made = [*fresh_graphs(program, start, (("add", 0),), limit=40)]
    held = [
        value
        for heap in made
        for place, value in heap.cells.items()
        if heap.cell_types.get(place) == PointerType(LINK) and isinstance(value, Pointer)
    ]
    assert len(held) >= len(made) > 2
    assert not any(value.offset for value in held)


CRATES = """
#include <stdlib.h>
struct part { int n; struct part *next; };
struct crate { int n; struct part *parts, **end; struct crate *next; };
struct crate *make(struct crate *next, int n) {
    struct crate *c = calloc(1, sizeof *c);
    c->n = n;
    c->end = &c->parts;
    c->next = next;
    return c;
}
void put(struct crate *c, int n) {
    if (c == 0)
        return;
    struct part *p = calloc(1, sizeof *p);
    p->n = n;
    *c->end = p;
    c->end = &p->next;
}
int main(void) {
    struct crate *none = 0;
    put(make(make(none, 1), 2), 3);
    put(none, 4);
    return 0;
}
"""


def test_an_empty_list_of_a_new_node_ends_at_its_root(
    lower: Callable[[str], Program], walk: Callable[[Program], Iterator[tuple[Stack, MemoryGraph]]]
) -> None:
    program = lower(CRATES)
    starts = [graph for stack, graph in walk(program) if stack[0] == ("put", 0)]
    assert len(starts) > 1
    crate, ended = StructReference("crate"), 0
    for start in starts:  # with crates, and with none
        for heap in fresh_graphs(program, start, (("put", 0),), limit=40):
            for node in (each.id for each in heap.nodes.values() if each.type == crate):
                if heap.cells[Place(node, 8)] is None:
                    assert heap.cells[Place(node, 16)] == Pointer(node, 8)
                    ended += 1
    assert ended
