"""Two pointers into a ring of one node: in larger ones they lead to its first and to its last node."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from wolverine.core.graph import MemoryGraph, Place, Pointer, VariableId
from wolverine.core.program import Program
from wolverine.semantics.fresh import fresh_graphs

Walk = Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]]

TEXT = """\
#include <stdlib.h>
struct rider { int n; struct rider *next; };
DECLARED
static void put(int n)
{
    struct rider *r = malloc(sizeof *r);
    r->n = n;
    r->next = r;
    if (FRONT == NULL) {
        FRONT = REAR = r;
        return;
    }
    APPENDED
}
static int work(void)
{
    return FRONT != NULL && FRONT == REAR;
}
int main(void)
{
    put(1);
    return work();
}
"""
DECLARED = {
    "the front first": ("static struct rider *front, *rear;", "front", "rear"),
    "the rear first": ("static struct rider *rear, *front;", "front", "rear"),
    "in a struct": ("static struct { struct rider *first, *last; } q;", "q.first", "q.last"),
    "in a struct the other way": ("static struct { struct rider *last, *first; } q;", "q.first", "q.last"),
}
APPENDED = {
    "the rear is linked": "REAR->next = r; REAR = r; REAR->next = FRONT;",
    "the new one is linked": "r->next = FRONT; REAR->next = r; REAR = r;",
}


def ends(lower: Callable[[str], Program], walk: Walk, declared: str, appended: str) -> list[tuple[bool, int]]:
    """For each fresh heap with a front: whether the rear leads to it, and how many nodes the ring has."""
    line, front, rear = DECLARED[declared]
    text = TEXT.replace("DECLARED", line).replace("APPENDED", appended)
    program = lower(text.replace("FRONT", front).replace("REAR", rear))
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "work")
    places = {
        "front": Place(VariableId(-1, "", "front"), 0),
        "rear": Place(VariableId(-1, "", "rear"), 0),
        "q.first": Place(VariableId(-1, "", "q"), 8 if "other" in declared else 0),
        "q.last": Place(VariableId(-1, "", "q"), 0 if "other" in declared else 8),
    }
    found = []
    for heap in fresh_graphs(program, start, (("work", 0),)):
        first, last = heap.cells[places[front]], heap.cells[places[rear]]
        if isinstance(first, Pointer) and isinstance(last, Pointer):
            found.append((heap.cells[Place(last.object, 8)] == first, len(heap.nodes)))
    assert {1, 2, 3} <= {size for _, size in found}
    return found


@pytest.mark.parametrize("declared", DECLARED)
@pytest.mark.parametrize("appended", APPENDED)
def test_the_one_that_is_linked_to_the_other_is_the_last(
    lower: Callable[[str], Program], walk: Walk, declared: str, appended: str
) -> None:
    assert all(closes for closes, _ in ends(lower, walk, declared, APPENDED[appended]))


@pytest.mark.parametrize(
    "appended",
    [
        "r->n++;",
        "FRONT->next = r;",
        "if (n > 5) FRONT->next = REAR; else REAR->next = FRONT;",
    ],
)
def test_nothing_tells_otherwise(lower: Callable[[str], Program], walk: Walk, appended: str) -> None:
    found = ends(lower, walk, "the front first", appended)
    assert not any(closes for closes, size in found if size > 1)
