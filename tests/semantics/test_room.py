"""Buffers whose capacity stands beside them, on fresh heaps; and what is taken out of a list of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wolverine.core.graph import MemoryGraph, Node, NodeId, Place, Pointer
from wolverine.core.program import Program
from wolverine.core.types import StructReference
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.counters import possible
from wolverine.semantics.fresh import fresh_graphs
from wolverine.semantics.room import Room, rooms

Walk = Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]]

LINES = """\
#include <stdlib.h>
#include <string.h>
struct line { char *text; unsigned long space; int number; struct line *next, *prev; };
struct line *first, *here;
int column;
static struct line *more(struct line *before, const char *text, int number)
{
    struct line *l = malloc(sizeof *l);
    l->space = 20;
    l->text = malloc(20);
    strcpy(l->text, text);
    l->number = number;
    l->next = NULL;
    l->prev = before;
    if (before != NULL)
        before->next = l;
    column = strlen(text);
    column++;
    return l;
}
static void drop(struct line *l)
{
    if (l->next != NULL)
        l->next->prev = l->prev;
    l->prev->next = l->next;
    free(l->text);
    free(l);
}
int main(void)
{
    first = more(NULL, "ab", 7);
    here = more(first, "cd", 20);
    drop(here);
    return 0;
}
"""
TEXT, SPACE, NEXT = 0, 8, 24


def _lines(heap: MemoryGraph) -> Iterator[Node]:
    return (node for node in heap.nodes.values() if node.type == StructReference("line"))


def test_a_capacity_follows_the_array(lower: Callable[[str], Program], walk: Walk) -> None:
    program = lower(LINES)
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "drop")
    assert rooms(start) == {Room("line", SPACE, TEXT)}
    found = 0
    for heap in fresh_graphs(program, start, (("drop", 0),)):
        for line in _lines(heap):
            text = heap.cells[Place(line.id, TEXT)]
            assert isinstance(text, Pointer) and isinstance(text.object, NodeId)
            assert heap.cells[Place(line.id, SPACE)] == heap.nodes[text.object].size
            found += 1
    assert found > 3


def test_what_a_function_frees_is_any_node_of_the_list(lower: Callable[[str], Program], walk: Walk) -> None:
    program = lower(LINES)
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "drop")
    last = set()
    for heap in fresh_graphs(program, start, (("drop", 0),), elsewhere=True):
        given = heap.cells[Place(heap.frames[0].variables[0].id, 0)]
        if isinstance(given, Pointer):
            last.add(heap.cells[Place(given.object, NEXT)] is None)
    assert last == {True, False}


def test_what_strlen_tells_counts_no_nodes(lower: Callable[[str], Program]) -> None:
    told, counted = lower(LINES), lower(LINES.replace("    column = strlen(text);\n", ""))
    assert not possible(told, compile_program(told).layout)
    assert possible(counted, compile_program(counted).layout)
