"""Fresh heaps of hash tables: what hangs in a row hashes to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer
from wolverine.core.program import Program
from wolverine.core.types import StructReference
from wolverine.semantics.fresh import fresh_graphs
from wolverine.semantics.words import text_at

Lower = Callable[[str], Program]
Walk = Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]]

WORDS = """\
#include <stdlib.h>
#include <string.h>
struct entry { struct entry *next; char *name; int uses; };
struct entry *table[13];
unsigned sum(const char *s)
{
    unsigned h = 0;
    while (*s) h = 31 * h + *s++;
    return h;
}
struct entry *look(const char *name)
{
    struct entry *e;
    for (e = table[sum(name) % 13]; e != NULL; e = e->next)
        if (strcmp(e->name, name) == 0) break;
    return e;
}
void add(const char *name)
{
    struct entry *e = calloc(1, sizeof *e);
    e->name = strdup(name);
    e->next = table[sum(name) % 13];
    table[sum(name) % 13] = e;
}
int main(void)
{
    add("pear");
    add("plum");
    return look("fig") != NULL;
}
"""
NUMBERS = """\
#include <stdlib.h>
struct cell { int key; struct cell *next; };
struct map { int size; struct cell **rows; };
int look(struct map *m, int key)
{
    struct cell *c = m->rows[key % m->size];
    while (c != NULL && c->key != key) c = c->next;
    return c != NULL;
}
void add(struct map *m, int key)
{
    struct cell *c = malloc(sizeof *c);
    c->key = key;
    c->next = m->rows[key % m->size];
    m->rows[key % m->size] = c;
}
int main(void)
{
    struct map m = {7, calloc(7, sizeof(struct cell *))};
    add(&m, 10);
    add(&m, 19);
    return look(&m, 4);
}
"""


def entered(program: Program, walk: Walk) -> list[MemoryGraph]:
    stack, graph = next(stop for stop in walk(program) if stop[0][0][0] == "look")
    return fresh_graphs(program, graph, stack)


def chains(heap: MemoryGraph, cells: list[Place], link: int) -> list[list[NodeId]]:
    """The nodes of each row."""
    found: list[list[NodeId]] = []
    for place in cells:
        found.append([])
        at = heap.cells[place]
        while isinstance(at, Pointer) and isinstance(at.object, NodeId):
            found[-1].append(at.object)
            at = heap.cells[Place(at.object, link)]
    return found


def value(text: bytes) -> int:
    h = 0
    for code in text:
        h = (31 * h + code) % 2**32
    return h % 13


def test_words_are_in_the_row_that_a_function_tells(lower: Lower, walk: Walk) -> None:
    heaps = entered(lower(WORDS), walk)
    asked = value(b"fig")
    met, longest = set(), 0
    for heap in heaps:
        [table] = [v.id for v in heap.globals]
        rows = chains(heap, [Place(table, 8 * row) for row in range(13)], 0)
        for row, nodes in enumerate(rows):
            names = [text_at(heap, Place(node, 8)) for node in nodes]
            assert all(names) and {value(name) for name in names} <= {row}
            longest = max(longest, len(set(names)))
            if row == asked:
                met.add(names.index(b"fig") if b"fig" in names else None if names else -1)
    assert {None, -1, 0, 1} <= met and longest > 2


@pytest.mark.parametrize("turned", [False, True])
def test_numbers_are_in_the_row_of_their_remainder(lower: Lower, walk: Walk, turned: bool) -> None:
    """Unless what is there already is not."""
    stored = "m->rows[key % m->size] = c"
    heaps = entered(
        lower(NUMBERS.replace(stored, stored.replace("key", "6 - key") if turned else stored)), walk
    )
    assert heaps
    wrong = 0
    for heap in heaps:
        table = next(node.id for node in heap.nodes.values() if node.count == 7)
        for row, nodes in enumerate(chains(heap, [Place(table, 8 * at) for at in range(7)], 8)):
            keys = [heap.cells[Place(node, 0)] for node in nodes]
            wrong += any(key % 7 != row for key in keys if isinstance(key, int))
    assert bool(wrong) == turned


PURSE = """\
#include <stdlib.h>
struct coin { int worth; struct coin *under; };
struct purse { ROWS int coins; };
int worth(struct purse *p, int row)
{
    int sum = 0;
    for (struct coin *c = p->pile[row]; c != NULL; c = c->under) sum += c->worth;
    return sum;
}
void drop(struct purse *p, int number)
{
    struct coin *c = calloc(1, sizeof *c);
    c->worth = number;
    c->under = p->pile[number % 3];
    p->pile[number % 3] = c;
    p->coins++;
}
int main(void)
{
    struct purse *p = calloc(1, sizeof *p);
    MADE
    drop(p, 1);
    drop(p, 4);
    drop(p, 5);
    return worth(p, 1);
}
"""


@pytest.mark.parametrize(
    ("rows", "made"),
    [
        ("struct coin **pile;", "p->pile = calloc(3, sizeof *p->pile);"),
        ("struct coin *pile[3];", ""),
    ],
)
def test_what_says_how_many_nodes_all_rows_have_goes_on_saying_so(
    rows: str, made: str, lower: Lower, walk: Walk
) -> None:
    """Also where the first row is empty: what leads to it is the table, and no list's end."""
    program = lower(PURSE.replace("ROWS", rows).replace("MADE", made))
    start = next(graph for stack, graph in walk(program) if stack[0][0] == "worth")
    numbers = set()
    for heap in fresh_graphs(program, start):
        coins = [each for each in heap.nodes.values() if each.type == StructReference("coin")]
        purse = next(each.id for each in heap.nodes.values() if each.type == StructReference("purse"))
        held = [place.offset for place in heap.cells if place.object == purse]
        assert heap.cells[Place(purse, max(held))] == len(coins)
        numbers.add(len(coins))
        if made:
            table = heap.cells[Place(purse, 0)]
            assert isinstance(table, Pointer)
            assert isinstance(table.object, NodeId)
            assert heap.nodes[table.object].count == 3
    assert len(numbers) > 2
