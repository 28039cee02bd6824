"""Queues whose ends are in two arrays: what has one index belongs together."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from wolverine.core.graph import MemoryGraph, Place, Pointer, VariableId
from wolverine.core.program import Program
from wolverine.semantics.composite import composite
from wolverine.semantics.fresh import fresh_graphs

Walk = Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]]

TEXT = """\
#include <stdlib.h>
struct job { int n; struct job *next; };
static struct job *first[3], *last[3];
static struct { struct job *begin[3], *end[3]; } all;
static int work(int at)
{
    return first[at] != NULL || all.begin[at] != NULL;
}
int main(void)
{
    struct job *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two);
    one->next = two;
    FIRST[1] = one;
    LAST[AT] = two;
    return work(1);
}
"""


@pytest.mark.parametrize(("first", "last"), [("first", "last"), ("all.begin", "all.end")])
def test_the_second_leads_to_the_last_node_at_each_index(
    lower: Callable[[str], Program], walk: Walk, first: str, last: str
) -> None:
    program = lower(TEXT.replace("FIRST", first).replace("LAST", last).replace("AT", "1"))
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "work")
    assert not composite(start)
    several = 0
    for heap in fresh_graphs(program, start, (("work", 0),)):
        for at in range(0, 24, 8):
            if first == "first":
                begin, end = (Place(VariableId(-1, "", name), at) for name in ("first", "last"))
            else:
                begin, end = (Place(VariableId(-1, "", "all"), offset + at) for offset in (0, 24))
            value = heap.cells[begin]
            while isinstance(value, Pointer) and isinstance(
                following := heap.cells[Place(value.object, 8)], Pointer
            ):
                value, several = following, several + 1
            assert heap.cells[end] == value
    assert several > 1


def test_what_leads_there_from_another_index_is_another_structure(
    lower: Callable[[str], Program], walk: Walk
) -> None:
    program = lower(TEXT.replace("FIRST", "first").replace("LAST", "last").replace("AT", "2"))
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "work")
    assert composite(start) == {"job"}
