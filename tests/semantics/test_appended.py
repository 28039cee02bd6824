"""Two null pointers of which the program appends to the one: on fresh heaps that leads to the last node."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from wolverine.core.graph import MemoryGraph, Place, Pointer, VariableId
from wolverine.core.program import Program
from wolverine.semantics.fresh import fresh_graphs

Walk = Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]]

TEXT = """\
#include <stdlib.h>
struct car { int n; struct car *next; };
static struct { struct car *DECLARED; } lane;
static void put(int n)
{
    struct car *c = malloc(sizeof *c);
    c->n = n;
    c->next = NULL;
    BODY
}
static int work(void)
{
    return lane.front != NULL && lane.rear != NULL;
}
int main(void)
{
    int there = work();
    put(1);
    return there;
}
"""
APPENDED = {
    "behind the test": ("if (lane.front == NULL) lane.front = c; else lane.rear->next = c; lane.rear = c;"),
    "both at once": (
        "if (!lane.front) lane.front = lane.rear = c; else { lane.rear->next = c; lane.rear = c; }"
    ),
    "led on": (
        "if (!lane.front) { lane.front = c; lane.rear = c; }"
        " else { lane.rear->next = c; lane.rear = lane.rear->next; }"
    ),
}
APART = {
    "two stacks": (
        "if (n > 0) { c->next = lane.front; lane.front = c; } else { c->next = lane.rear; lane.rear = c; }"
    ),
    "either may be the last": (
        "if (n > 0) { if (lane.rear) lane.rear->next = c; lane.rear = c; if (!lane.front) lane.front = c; }"
        " else { if (lane.front) lane.front->next = c; lane.front = c; if (!lane.rear) lane.rear = c; }"
    ),
}


def lanes(lower: Callable[[str], Program], walk: Walk, declared: str, body: str) -> set[tuple[int, bool]]:
    """Of each fresh heap with both: how many nodes there are, and whether the rear's is the front's last."""
    program = lower(TEXT.replace("DECLARED", declared).replace("BODY", body))
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "work")
    lane = VariableId(-1, "", "lane")
    first, second = Place(lane, 0), Place(lane, 8)
    front, rear = (first, second) if declared.startswith("front") else (second, first)
    found = set()
    for heap in fresh_graphs(program, start, (("work", 0),)):
        at, last = heap.cells[front], heap.cells[rear]
        if isinstance(at, Pointer) and isinstance(last, Pointer):
            while isinstance(following := heap.cells[Place(at.object, 8)], Pointer):
                at = following
            found.add((len(heap.nodes), at == last))
    return found


@pytest.mark.parametrize("declared", ["front, *rear", "rear, *front"])
@pytest.mark.parametrize("appended", APPENDED)
def test_the_one_that_is_appended_to_leads_to_the_last_node(
    lower: Callable[[str], Program], walk: Walk, declared: str, appended: str
) -> None:
    found = lanes(lower, walk, declared, APPENDED[appended])
    assert {(1, True), (2, True), (3, True)} <= found
    assert all(ends for _, ends in found)


@pytest.mark.parametrize("apart", APART)
def test_others_are_lists_by_themselves(lower: Callable[[str], Program], walk: Walk, apart: str) -> None:
    assert not any(ends for _, ends in lanes(lower, walk, "front, *rear", APART[apart]))
