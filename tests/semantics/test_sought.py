"""Parameters that lead to what was looked for: fresh heaps have them at any node."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from wolverine.core.graph import MemoryGraph, Place, Pointer, VariableId
from wolverine.core.program import Program
from wolverine.semantics.fresh import fresh_graphs
from wolverine.semantics.sought import sought

TEXT = """\
#include <stdlib.h>
struct node { int v; struct node *prev, *next; };
struct list { struct node *first, *last; };
static struct node *add(struct list *l, int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = NULL;
    n->prev = l->last;
    if (l->last)
        l->last->next = n;
    else
        l->first = n;
    l->last = n;
    return n;
}
static struct node *find(struct node *p, int v)
{
    while (p && p->v != v)
        p = p->next;
    return p;
}
static struct node *within(struct node *p, int v)
{
    return !p || p->v == v ? p : within(p->next, v);
}
static int work(struct list *l, struct node *victim)
{
    return l->last == victim;
}
static int passed_on(struct list *l, struct node *victim)
{
    return work(l, victim);
}
int main(void)
{
    struct list l = {NULL, NULL};
    struct node *it, *a = add(&l, 1), *b = add(&l, 2), *c = add(&l, 3);
    CALL
    return a == b;
}
"""
CALLS = {
    "what a search returns": ("it = find(l.first, 3); work(&l, it);", True),
    "at once": ("passed_on(&l, find(l.first, 3));", True),
    "by recursion": ("work(&l, within(l.first, 3));", True),
    "with what the caller walks": ("for (it = l.first; it->next; it = it->next) ; work(&l, it);", True),
    "the end": ("work(&l, l.last);", False),
    "the new one": ("work(&l, c);", False),
}


@pytest.mark.parametrize(("call", "anywhere"), CALLS.values(), ids=CALLS)
def test_it_may_be_any_node(
    lower: Callable[[str], Program],
    walk: Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]],
    call: str,
    anywhere: bool,
) -> None:
    program = lower(TEXT.replace("CALL", call))
    assert sought(program, "work", "victim") is anywhere
    assert not sought(program, "work", "l")
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "work")
    frame = start.frames[0]
    victim = Place(VariableId(frame.depth, "work", "victim"), 0)
    last = Place(VariableId(0, "main", "l"), 8)
    apart = [heap.cells[victim] != heap.cells[last] for heap in fresh_graphs(program, start, (("work", 0),))]
    assert any(apart) is anywhere
    assert not all(apart)


TREE = """\
#include <stdlib.h>
struct tree { int key; struct tree *up, *child[2]; };
static struct tree *made(struct tree *up, int key)
{
    struct tree *t = calloc(1, sizeof *t);
    t->key = key;
    t->up = up;
    if (up)
        up->child[key > up->key] = t;
    return t;
}
static struct tree *find(struct tree *t, int key)
{
    while (t && t->key != key)
        t = t->child[key > t->key];
    return t;
}
static int work(struct tree *t)
{
    return t->child[0] == NULL;
}
int main(void)
{
    struct tree *root = made(NULL, 2);
    made(root, 1);
    made(root, 3);
    return work(find(root, 1));
}
"""


def test_a_node_that_is_all_that_leads_into_a_tree_may_be_its_root(
    lower: Callable[[str], Program],
    walk: Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]],
) -> None:
    program = lower(TREE)
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "work")
    given = Place(VariableId(start.frames[0].depth, "work", "t"), 0)
    heaps = [heap for heap in fresh_graphs(program, start, (("work", 0),)) if len(heap.nodes) > 1]
    above = [
        heap.cells[Place(node.object, 8)] for heap in heaps if isinstance(node := heap.cells[given], Pointer)
    ]
    assert None in above
    assert any(isinstance(each, Pointer) for each in above)


def test_variables_may_change_places(lower: Callable[[str], Program]) -> None:
    program = lower(TEXT.replace("CALL", "it = a; a = b; b = it; work(&l, a);"))
    assert not sought(program, "work", "victim")
