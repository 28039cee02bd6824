"""Fresh heaps of arrays in structs that are filled up to a number beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from wolverine.core.graph import MemoryGraph, NodeId, Place, Value
from wolverine.core.program import Program
from wolverine.core.types import StructReference
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.filled import Filled, emptied, kept_filled, possible_filled
from wolverine.semantics.fresh import fresh_graphs

Lower = Callable[[str], Program]
Walk = Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]]

HALL = """\
#include <stdlib.h>
struct guest { int number; struct guest *behind; };
struct hall { int doors, guests; struct guest *first[6]; };
static void come(struct hall *h, int door)
{
    struct guest *g = malloc(sizeof *g);
    g->number = ++h->guests;
    g->behind = h->first[door];
    h->first[door] = g;
}
static void leave(struct hall *h)
{
    for (int i = 0; i < h->doors; i++)
        while (h->first[i] != NULL) {
            struct guest *g = h->first[i];
            h->first[i] = g->behind;
            free(g);
        }
    free(h);
}
int main(void)
{
    struct hall *h = calloc(1, sizeof *h);
    h->doors = 2;
    come(h, 0);
    come(h, 1);
    leave(h);
    return 0;
}
"""
ARRAY, SLOTS = 8, 6
RULE = Filled("hall", 0, ARRAY, SLOTS)


def began(lower: Lower, walk: Walk, source: str) -> tuple[Program, MemoryGraph]:
    program = lower(source)
    return program, next(graph for stack, graph in walk(program) if stack[0][0] == "leave")


def slots(heap: MemoryGraph) -> Iterator[tuple[Value, list[Value]]]:
    """The number of each hall, and what is in its array."""
    for node in heap.nodes.values():
        if node.type == StructReference("hall"):
            values = [heap.cells[Place(node.id, ARRAY + 8 * at)] for at in range(SLOTS)]
            yield heap.cells[Place(node.id, 0)], values


def beyond(heaps: list[MemoryGraph]) -> list[Value]:
    """What stands in arrays at or behind the number."""
    return [
        each
        for heap in heaps
        for number, values in slots(heap)
        if isinstance(number, int)
        for each in values[number:]
    ]


def test_fresh_heaps_have_nothing_beyond_the_number(lower: Lower, walk: Walk) -> None:
    program, start = began(lower, walk, HALL)
    heaps = fresh_graphs(program, start, (("leave", 0),))
    assert beyond(heaps) and not any(beyond(heaps))
    filled = [tuple(each is not None for each in values[:2]) for heap in heaps for _, values in slots(heap)]
    assert {*filled} == {(False, False), (False, True), (True, False), (True, True)}
    for heap in heaps:  # what hung further on is gone
        assert {node for node in heap.nodes if node in heap.led_to(heap.frames[0].depth)} == {*heap.nodes}
        assert {p.object for p in heap.cells if isinstance(p.object, NodeId)} <= {*heap.nodes}


@pytest.mark.parametrize(
    ("there", "instead"),
    [
        ("come(h, 1)", "come(h, 2)"),  # where it begins something is there, too
        ("come(h, 0);\n    come(h, 1);", ""),  # nothing is there at all
        ("h->doors = 2", "h->doors = 6"),  # nothing is beyond
        ("h->doors = 2", "h->doors = 9"),
        ("i < h->doors", "i < 6"),  # the program does not go as far as that
        ("i < h->doors; i++", "i < 6 && h->doors > 0; i++"),
    ],
)
def test_without_such_a_rule_all_of_it_is_filled(lower: Lower, walk: Walk, there: str, instead: str) -> None:
    assert there in HALL
    program, start = began(lower, walk, HALL.replace(there, instead))
    heaps = fresh_graphs(program, start, (("leave", 0),))
    assert any(values[-1] is not None for heap in heaps for _, values in slots(heap))
    layout = compile_program(program).layout
    assert not kept_filled(possible_filled(program), start, layout)


def test_the_number_is_compared_with_what_indexes_the_array(lower: Lower) -> None:
    assert possible_filled(lower(HALL)) == {RULE}
    assert possible_filled(lower(HALL.replace("i < h->doors", "h->doors > i"))) == {RULE}
    assert not possible_filled(lower(HALL.replace("i < h->doors", "i < h->guests - 1")))


def test_children_have_forms_of_their_own(lower: Lower) -> None:
    tree = """
        struct place { int parts; struct place *part[4]; };
        int count(struct place *p)
        {
            int sum = 1;
            for (int i = 0; i < p->parts; i++)
                sum += count(p->part[i]);
            return sum;
        }
        int main(void) { return 0; }
    """
    assert not possible_filled(lower(tree))


@pytest.mark.parametrize("number", [-1, 0, 1, SLOTS + 1])
def test_what_nothing_leads_to_any_more_is_gone(lower: Lower, walk: Walk, number: int) -> None:
    program, start = began(lower, walk, HALL)
    layout = compile_program(program).layout
    [hall] = [node for node in start.nodes.values() if node.type == StructReference("hall")]
    graph = replace(start, cells={**start.cells, Place(hall.id, 0): number})
    made = emptied(graph, {RULE}, layout)
    guests = [node for node in made.nodes.values() if node.type == StructReference("guest")]
    assert len(guests) == min(max(number, 0), 2)
    assert sum(each is not None for _, values in slots(made) for each in values) == len(guests)
