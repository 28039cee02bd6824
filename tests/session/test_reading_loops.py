"""A loop that reads: what decides is known to the process only, in each round."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wolverine.core.trace import Problem
from wolverine.repair.explicit.bench import bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.session import results
from wolverine.session.constraints import trace_of

QUEUE = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { char name[20]; int age, rank; struct item *next; };
struct item *inserted(struct item *first, char *name, int age, int rank)
{
    struct item *at, *made = malloc(sizeof *made);
    strcpy(made->name, name);
    made->age = age;
    made->rank = rank;
    if (first == NULL || first->rank < rank) {
        made->next = first;
        return made;
    }
    at = first;
    while (at->next != NULL && at->next->rank > rank)
        at = at->next;
    made->next = at->next;
    at->next = made;
    return first;
}
int main(void)
{
    struct item *first = NULL;
    char name[20];
    int what, age, rank;
    do {
        printf("1 in, 2 out, 3 end\\n");
        if (scanf("%d", &what) != 1)
            break;
        switch (what) {
        case 1:
            if (scanf("%19s %d %d", name, &age, &rank) == 3)
                first = inserted(first, name, age, rank);
            break;
        case 2:
            if (first != NULL)
                first = first->next;
            break;
        }
    } while (what != 3);
    return 0;
}
"""


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "lines"
    path.write_text("1 Ann 40 2\n1 Bob 30 2\n1 Cid 20 2\n")
    return path


@pytest.mark.thorough
def test_reading_in_a_loop_is_followed(play: Callable[..., Any], lines: Path) -> None:
    session = play(QUEUE, stdin=lines)
    session("break inserted\nrun\ncontinue 2\nfinish")
    session("change n1->next n2\nchange n2->next n3\nchange n3->next null\nrepair --no-question")
    repaired = session.last(results.Repaired)
    assert repaired.applied == "native", session.texts()
    assert "rank >= rank" in repaired.patch
    assert "is not followed" not in session.texts()


EDGES = """\
#include <stdio.h>
#include <stdlib.h>
struct edge { int to; struct edge *next; };
struct graph { int size, arriving[8]; struct edge *edges[8]; };
static void cleared(struct graph *g, int size)
{
    g->size = size;
    for (int i = 0; i < 8; i++) {
        g->arriving[i] = 0;
        g->edges[i] = NULL;
    }
}
static void joined(struct graph *g, int from, int to)
{
    struct edge *made = malloc(sizeof *made);
    made->to = to;
    made->next = g->edges[from];
    g->edges[from] = made;
    g->arriving[from]++;
}
int main(void)
{
    struct graph g;
    int size, from, to;
    if (scanf("%d", &size) != 1)
        return 1;
    cleared(&g, size);
    while (scanf("%d %d", &from, &to) == 2)
        joined(&g, from, to);
    for (int i = 0; i < size; i++)
        printf("%d ", g.arriving[i]);
    return 0;
}
"""


def test_another_element_is_counted(play: Callable[..., Any], tmp_path: Path) -> None:
    """The assertion stands where the loop comes round; nothing is known of its decisions."""
    edges = tmp_path / "edges"
    edges.write_text("3 0 1 1 2")
    session = play(EDGES, stdin=edges)
    session("break joined\nrun\nfinish\nchange g.arriving[0] 0\nchange g.arriving[1] 1\nrepair --no-question")
    assert session.last(results.Repaired).cost == 1
    assert "g->arriving[to]++;" in session.last(results.Repaired).patch


ENDS = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next, *pre; };
struct node *head, *tail;
int count;
void put(int value)
{
    struct node *made = malloc(sizeof *made);
    made->value = value;
    made->next = tail;
    if (head == NULL) {
        head = made;
        made->pre = NULL;
    }
    tail = made;
    count++;
}
int main(void)
{
    int value;
    while (scanf("%d", &value) == 1)
        put(value);
    return count;
}
"""


def test_a_stretch_that_reads_is_likely_to_fail_where_its_end_was_corrected(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "in").write_text("1 2\n")
    session = play(ENDS, stdin=tmp_path / "in")
    session("break put\nrun\nfinish\nspec\ncontinue\nfinish\nchange n1->pre n2\nchange n2->pre null")
    inner = session.session.execution
    trace = trace_of(inner.model, inner.path, 0, frozenset())
    bench = bench_of(Problem(inner.model, (trace,)), Menus(inner.model))
    assert not bench.segments  # an edit in front of it may change how often it reads
    confined = [[name for name, found in each.editable.items() if found] for each in bench.apart()]
    assert confined == [["main"], ["put"]]
