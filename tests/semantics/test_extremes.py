"""Searches for the least or the greatest, and what fresh heaps hold where that is all that order is for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from wolverine.core.graph import MemoryGraph, Place
from wolverine.core.program import Program
from wolverine.semantics.extremes import only_sought
from wolverine.semantics.fresh import fresh_graphs

TEXT = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *head;
static void push(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = head;
    head = n;
}
static int work(struct node *l, int v)
{
    struct node *p, *best = l;
    int least = v;
    BODY
    return least + best->v;
}
int main(void)
{
    push(3); push(2); push(1);
    return work(head, 2);
}
"""

BODIES = {
    "the least number": ("for (p = l; p; p = p->next) if (p->v < least) least = p->v;", True),
    "the other way round": ("for (p = l; p; p = p->next) if (least >= p->v) { v++; least = p->v; }", True),
    "the node": ("for (p = l; p; p = p->next) if (p->v > best->v) best = p;", True),
    "both": ("for (p = l; p; p = p->next) { if (p->v < least) least = p->v; if (p->v > v) v = p->v; }", True),
    "nothing": ("for (p = l; p; p = p->next) least += p->v;", False),
    "where to insert": ("for (p = l; p && p->v < v; p = p->next) best = p;", False),
    "neighbours": ("for (p = l; p->next; p = p->next) if (p->v > p->next->v) least++;", False),
    "besides": ("for (p = l; p && p->v <= v; p = p->next) if (p->v < least) least = p->v;", False),
    "equal ones": ("for (p = l; p; p = p->next) if (p->v == v) least = p->v;", False),
}


@pytest.mark.parametrize(("body", "sought"), BODIES.values(), ids=BODIES)
def test_what_is_sorted_by_chance_is_in_any_order(
    lower: Callable[[str], Program],
    walk: Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]],
    body: str,
    sought: bool,
) -> None:
    program = lower(TEXT.replace("BODY", body))
    assert only_sought(program, "node", 0) is sought
    assert not only_sought(program, "node", 8)
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "work")
    ordered = []
    for heap in fresh_graphs(program, start, (("work", 0),)):
        values = [v for node in heap.nodes if isinstance(v := heap.cells[Place(node, 0)], int)]
        ordered.append(all(one <= other for one, other in pairwise(values)))
    assert all(ordered) is not sought
