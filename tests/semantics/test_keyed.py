"""Fields that functions compare their integer parameters with."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from wolverine.core.graph import MemoryGraph, Place
from wolverine.core.program import Program
from wolverine.semantics.fresh import fresh_graphs
from wolverine.semantics.keyed import keyed_by

TEXT = """\
#include <stdlib.h>
struct node { int key; int weight; struct node *next; };
static struct node *head;
static void push(int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->weight = 1000 * key;
    n->next = head;
    head = n;
}
static int is(struct node *p, int key)
{
    return p->key == key;
}
static int work(int key, int least)
{
    struct node *p = head;
    while (p && FOUND)
        p = p->next;
    return p && p->weight > least;
}
int main(void)
{
    push(3); push(2); push(1);
    return work(2, 900);
}
"""


@pytest.mark.parametrize("found", ["p->key != key", "!is(p, key)", "key > p->key"])
def test_what_is_looked_for_is_among_the_keys(
    lower: Callable[[str], Program],
    walk: Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]],
    found: str,
) -> None:
    program = lower(TEXT.replace("FOUND", found))
    assert keyed_by(program, "work", "key") == {("node", 0)}
    assert keyed_by(program, "work", "least") == {("node", 4)}
    assert keyed_by(program, "push", "key") == frozenset()
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "work")
    names = {v.id.name: v.id for v in start.frames[0].variables}
    among = []
    for heap in fresh_graphs(program, start, (("work", 0),)):
        keys = {heap.cells[Place(node, 0)] for node in heap.nodes}
        if len(keys) > 1:
            among.append(heap.cells[Place(names["key"], 0)] in keys)
    assert 2 * sum(among) >= len(among) > sum(among)


PLACES = """\
#include <stdlib.h>
struct place { int row; int column; };
struct node { struct node *next; struct place at; };
static struct node *head;
static void push(int row, int column)
{
    struct node *n = malloc(sizeof *n);
    n->at.row = row;
    n->at.column = column;
    n->next = head;
    head = n;
}
static int holds(int row, int column)
{
    struct node *p = head;
    while (p && !(p->at.row == row && p->at.column == column))
        p = p->next;
    return p != NULL;
}
int main(void)
{
    push(3, 7); push(2, 8); push(1, 9);
    return holds(5, 6);
}
"""


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_key_of_two_numbers_inside_of_another_struct_is_that_of_a_node(
    lower: Callable[[str], Program],
    walk: Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]],
    elsewhere: bool,
) -> None:
    program = lower(PLACES)
    assert keyed_by(program, "holds", "column") == {("node", 12)}
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "holds")
    names = {v.id.name: v.id for v in start.frames[0].variables}
    found, rows = set(), set()
    for heap in fresh_graphs(program, start, (("holds", 0),), elsewhere=elsewhere):
        given = tuple(heap.cells[Place(names[name], 0)] for name in ("row", "column"))
        held = [(heap.cells[Place(node, 8)], heap.cells[Place(node, 12)]) for node in heap.nodes]
        found |= {(len(held), at) for at, each in enumerate(held) if each == given}
        rows |= {len({row for row, _ in held}) for _ in held}
    assert {(1, 0), (3, 0), (3, 2)} <= found
    assert max(rows) > 3  # numbers inside are as different as a node's own
