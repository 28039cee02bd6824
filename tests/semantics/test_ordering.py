"""Numbers by which nodes are compared, and fresh heaps that have them in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from wolverine.core.graph import MemoryGraph, Place
from wolverine.core.program import Program
from wolverine.semantics.fresh import fresh_graphs
from wolverine.semantics.ordering import ordering

TEXT = """\
#include <stdlib.h>
struct job { int id; int length; int rank; struct job *next; };
static struct job *head;
static void push(int id, int length)
{
    struct job *j = malloc(sizeof *j);
    j->id = id;
    j->length = length;
    j->rank = head ? head->rank + 1 : 0;
    j->next = head;
    head = j;
}
static int work(struct job *l)
{
    struct job *best = l;
    for (struct job *p = l; p; p = p->next)
        if (CONDITION)
            best = p;
    return best ? best->id : 0;
}
int main(void)
{
    push(1, 4); push(2, 6); push(3, 9);
    return work(head);
}
"""


@pytest.mark.parametrize(
    ("condition", "offset"),
    [
        ("p->length < best->length", {"job": 4}),
        ("best->length > p->length && p->id != best->id", {"job": 4}),
        ("p->id < best->id", {"job": 0}),
        ("p->length < best->length || p->id < best->id", {}),  # either may be what they are ordered by
        ("p->rank < best->rank", {}),  # it is counted
        ("p->length > 3", {}),
    ],
)
def test_by_which_number_nodes_are_compared(
    lower: Callable[[str], Program], condition: str, offset: dict[str, int]
) -> None:
    assert ordering(lower(TEXT.replace("CONDITION", condition))) == offset


def test_fresh_heaps_have_them_in_any_order(
    lower: Callable[[str], Program],
    walk: Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]],
) -> None:
    program = lower(TEXT.replace("CONDITION", "p->length < best->length"))
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "work")
    heaps = fresh_graphs(program, start, (("work", 0),))
    held = [[heap.cells[Place(node, 4)] for node in sorted(heap.nodes)] for heap in heaps]
    three = [each for each in held if len(each) == 3]
    assert {tuple(each.index(rank) for rank in sorted(each)) for each in three} >= {(0, 1, 2), (2, 1, 0)}
