"""What stands in a queue that is empty at the start: on fresh heaps its nodes lead to those of a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from wolverine.core.graph import MemoryGraph, Place, Pointer
from wolverine.core.program import Program
from wolverine.core.types import StructReference
from wolverine.semantics.fresh import fresh_graphs
from wolverine.semantics.laden import laden

Walk = Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]]

TEXT = """\
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
struct turn { struct tree *at; struct turn *next; };
static struct tree *root;
static struct turn *turns;
static void put(struct tree *at)
{
    struct turn *t = malloc(sizeof *t);
    t->at = SET;
    t->next = turns;
    turns = t;
}
static int work(void)
{
    int sum = 0;
    for (struct turn *t = turns; t != NULL; t = t->next)
        ADDED;
    return sum;
}
int main(void)
{
    root = calloc(1, sizeof *root);
    int sum = work();
    put(root);
    return sum;
}
"""
PLAIN = "sum += t->at->key"


def test_a_node_carries_one_of_the_tree(lower: Callable[[str], Program], walk: Walk) -> None:
    program = lower(TEXT.replace("SET", "at").replace("ADDED", PLAIN))
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "work")
    carried = 0
    for heap in fresh_graphs(program, start, (("work", 0),)):
        kinds = {node.id: node.type for node in heap.nodes.values()}
        if StructReference("tree") not in kinds.values():
            continue
        for node, kind in kinds.items():
            if kind == StructReference("turn"):
                led = heap.cells[Place(node, 0)]
                assert isinstance(led, Pointer)
                assert heap.nodes[led.object].type == StructReference("tree")  # type: ignore[index]
                carried += 1
    assert carried > 1


@pytest.mark.parametrize(
    ("given", "added", "always"),
    [
        ("at", PLAIN, True),
        ("NULL", PLAIN, False),
        ("at", "if (t->at != NULL) sum += t->at->key", False),
        ("at", "sum += t->at && t->at->key", False),
    ],
)
def test_what_may_be_null_tells_nothing(
    lower: Callable[[str], Program], given: str, added: str, always: bool
) -> None:
    found = laden(lower(TEXT.replace("SET", given).replace("ADDED", added)))
    assert found == ({("turn", 0)} if always else set())
