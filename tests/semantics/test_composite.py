"""Nodes that hang on several structures, as in caches and skip lists; and structures that stand alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from wolverine.core.graph import MemoryGraph
from wolverine.core.program import Program
from wolverine.semantics.composite import composite

Walk = Callable[[Program], Iterator[tuple[object, MemoryGraph]]]

MADE = """\
#include <stdlib.h>
struct node {{ int v; {links} }};
struct queue {{ struct node *front, *rear; int length; }};
struct hall {{ int open; struct queue at[2]; }};
struct store {{ struct node *first, *last, *table[3]; struct node stub; }};
struct node *make(int v) {{ struct node *n = calloc(1, sizeof *n); n->v = v; return n; }}
int main(void)
{{
    struct store *s = calloc(1, sizeof *s);
    struct queue queues[3] = {{{{0}}}}, *more = calloc(2, sizeof *more);
    struct hall hall = {{0}};
    struct node *a = make(1), *b = make(2), *c = make(3);
    {body}
    return 0;
}}
"""
CHAINED = "s->first = a; a->next = b; b->next = c;"
BACK = " b->prev = a; c->prev = b;"
SEVERAL = {
    "the list and chains of a cache": (
        "struct node *prev, *next, *chain;",
        CHAINED + BACK + "s->table[1] = b; b->chain = c;",
    ),
    "a ring in a local record, and a table beside it": (
        "struct node *chain, *newer, *older;",
        "struct store t = {0}; t.stub.newer = a; t.stub.older = a; a->newer = a->older = &t.stub;"
        " t.table[1] = a; s->first = t.table[0];",
    ),
    "a table, and a ring of one node behind a sentinel": (
        "struct node *chain, *newer, *older;",
        "s->first = a; a->newer = a->older = b; b->newer = b->older = a; s->table[1] = b;",
    ),
    "a list and a table without chains": (
        "struct node *next;",
        "s->first = a; s->table[0] = a;",
    ),
    "levels of a skip list": (
        "struct node *forward[2];",
        "a->forward[0] = b; b->forward[0] = c; a->forward[1] = c;",
    ),
    "any node of the same list": ("struct node *next, *random;", CHAINED + "a->random = b; b->random = b;"),
    "children, and all nodes": (
        "struct node *child, *sibling, *parent, *all;",
        "s->first = a; a->child = b; b->sibling = c; b->parent = a; c->parent = a;"
        " c->sibling = make(4); c->sibling->parent = a; c->sibling->all = b;",
    ),
    "sets that others will join": (
        "struct node *next, *leader;",
        "s->first = a; a->next = b; a->leader = a; b->leader = b;",
    ),
    "queues of one table, in each other": (
        "struct node *next, *chain;",
        "queues[1].front = a; a->next = b; b->next = c; queues[1].rear = c; queues[2].front = b;",
    ),
    "the same node for all": (
        "struct node *next, *random;",
        CHAINED + "a->random = c; b->random = c; c->random = a;",
    ),
}
ONE = {
    "a list with its end": ("struct node *next;", CHAINED + "s->last = c;"),
    "a list that leads back": ("struct node *prev, *next;", CHAINED + BACK + "s->last = c;"),
    "children that all know their parent": (
        "struct node *child, *sibling, *parent;",
        "s->first = a; a->child = b; b->sibling = c; b->parent = a; c->parent = a;"
        " c->child = make(4); c->child->parent = c;",
    ),
    "a ring": ("struct node *prev, *next;", CHAINED + BACK + "c->next = a; a->prev = c;"),
    "chains of a table": ("struct node *next;", "s->table[0] = a; a->next = b; s->table[2] = c;"),
    "chains of a table that lead back": (
        "struct node *prev, *next;",
        "s->table[0] = a; a->next = b; b->prev = a; s->table[2] = c;",
    ),
    "chains of a table that lead back to links": (
        "struct node *next, **link;",
        "s->table[0] = a; a->link = &s->table[0]; a->next = b; b->link = (struct node **)a;",
    ),
    "a tree": ("struct node *left, *right;", "s->first = a; a->left = b; a->right = c;"),
    "a tree that leads back": (
        "struct node *left, *right, *up;",
        "s->first = a; a->left = b; b->right = c; b->up = a; c->up = b;",
    ),
    "children that lead back, the first to the last": (
        "struct node *child, *next, *prev;",
        "s->first = a; a->child = b; b->next = c; c->prev = b; b->prev = c;",
    ),
    "a tree below a stub in another record": (
        "struct node *child[2], *up;",
        "s->stub.child[0] = a; a->up = &s->stub; a->child[0] = b; b->up = a; a->child[1] = c; c->up = a;",
    ),
    "queues in a table": (
        "struct node *next;",
        "queues[1].front = a; a->next = b; queues[1].rear = b; queues[2].front = queues[2].rear = c;",
    ),
    "queues in an array on the heap": (
        "struct node *next;",
        "more[1].front = a; a->next = b; b->next = c; more[1].rear = c;",
    ),
    "queues in an array inside of a record": (
        "struct node *next;",
        "hall.at[1].front = a; a->next = b; b->next = c; hall.at[1].rear = c;",
    ),
    "rings of one node": (
        "struct node *next;",
        "queues[0].front = a; a->next = a; s->first = b; b->next = b;",
    ),
    "many children": ("struct node *child[2];", "s->first = a; a->child[0] = b; a->child[1] = c;"),
}


def at_end(lower: Callable[[str], Program], walk: Walk, links: str, body: str) -> MemoryGraph:
    *_, (_, graph) = walk(lower(MADE.format(links=links, body=body)))
    return graph


@pytest.mark.parametrize("name", SEVERAL)
def test_it_is_told_of_nodes_on_several_structures(
    lower: Callable[[str], Program], walk: Walk, name: str
) -> None:
    assert composite(at_end(lower, walk, *SEVERAL[name])) == {"node"}


@pytest.mark.parametrize("name", ONE)
def test_one_structure_is_none_of_them(lower: Callable[[str], Program], walk: Walk, name: str) -> None:
    assert not composite(at_end(lower, walk, *ONE[name]))
