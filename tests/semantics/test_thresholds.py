"""Constants that fields are compared with, and fresh heaps with numbers on either side."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from wolverine.core.graph import MemoryGraph, Place
from wolverine.core.program import Program
from wolverine.semantics.fresh import fresh_graphs
from wolverine.semantics.thresholds import thresholds

TEXT = """\
#include <stdlib.h>
#define GROWN 18
struct node { int age; int size; char mark; struct node *next; };
static struct node *head;
static void push(int age)
{
    struct node *n = malloc(sizeof *n);
    n->age = n->size = age;
    n->mark = 'm';
    n->next = head;
    head = n;
}
static int work(struct node *l)
{
    int n = 0;
    for (struct node *p = l; p; p = p->next)
        n += CONDITION;
    return n;
}
int main(void)
{
    push(3); push(2); push(1);
    return work(head);
}
"""


@pytest.mark.parametrize(
    ("condition", "limits"),
    [
        ("p->age >= GROWN", {0: (18,)}),
        ("(GROWN > p->age) + (p->age < 65)", {0: (18, 65)}),
        ("p->age == 40 || p->size > -3", {4: (-3,)}),
        ("p->age > 3 && p->mark < 'x'", {}),  # small ones are there anyway, characters stand for texts
    ],
)
def test_the_constants_of_fields(
    lower: Callable[[str], Program], condition: str, limits: dict[int, object]
) -> None:
    program = lower(TEXT.replace("CONDITION", condition))
    assert thresholds(program) == {("node", offset): found for offset, found in limits.items()}


@pytest.mark.parametrize("condition", ["p->age >= GROWN", "p->age > 65 || p->age < -9", "p->age"])
def test_fresh_heaps_have_numbers_on_either_side(
    lower: Callable[[str], Program],
    walk: Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]],
    condition: str,
) -> None:
    program = lower(TEXT.replace("CONDITION", condition))
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "work")
    heaps = [
        [v for node in heap.nodes if isinstance(v := heap.cells[Place(node, 0)], int)]
        for heap in fresh_graphs(program, start, (("work", 0),))
    ]
    limits = thresholds(program).get(("node", 0), (3,))
    for limit in limits:
        assert any(min(held) < limit <= max(held) for held in heaps if held)
    if len(limits) == 1:
        assert all(abs(value - limits[0]) < 6 for held in heaps for value in held)
