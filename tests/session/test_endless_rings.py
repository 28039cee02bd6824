"""Rings that run into each other because a call is missing: it is made as it is in another arm."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played

from wolverine.session import results

RINGS = """\
#include <stdlib.h>
struct task { int id, left; struct task *prev, *next; };
static struct task *ring_of(int id)
{
    struct task *r = malloc(sizeof *r);
    r->id = id;
    r->left = 0;
    r->prev = r->next = r;
    return r;
}
static void put(struct task *ring, struct task *t)
{
    t->prev = ring;
    t->next = ring->next;
    ring->next->prev = t;
    ring->next = t;
}
static void take_out(struct task *t)
{
    t->prev->next = t->next;
    t->next->prev = t->prev;
}
static void work(struct task *high, struct task *low)
{
    struct task *t = high->next;
    while (t != high) {
        struct task *next = t->next;
        t->left--;
        if (t->left > 0) {
            put(low, t);
        } else {
            take_out(t);
            free(t);
        }
        t = next;
    }
}
static struct task *find(struct task *ring, int id)
{
    struct task *t;
    for (t = ring->next; t != ring; t = t->next)
        if (t->id == id)
            return t;
    return NULL;
}
int main(void)
{
    struct task *high = ring_of(-1), *low = ring_of(-2);
    for (int i = 1; i < 4; i++) {
        struct task *t = ring_of(i);
        t->left = i + 1;
        put(high, t);
    }
    work(high, low);
    return find(high, 7) != NULL;
}
"""


@pytest.mark.thorough
def test_what_one_arm_calls_the_other_one_lacks(play: Callable[..., Played]) -> None:
    session = play(RINGS, work=None)
    session("set step-budget 0.4\nrun\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.line, edit.after) == ("insert", 30, "take_out(t);")


SOUGHT = """\
#include <stdio.h>
#include <stdlib.h>
struct seat { int guest; struct seat *left; };
int main(void)
{
    struct seat *first = NULL, *last = NULL;
    for (int i = 4; i > 0; i--) {
        struct seat *made = malloc(sizeof *made);
        made->guest = i;
        made->left = first;
        first = made;
        if (last == NULL)
            last = made;
    }
    last->left = first;
    int wanted, steps = 0;
    if (scanf("%d", &wanted) != 1)
        return 1;
    struct seat *s = first;
    while (s->guest != wanted) {
        s = s->left;
        steps++;
    }
    printf("%d\\n", steps);
    return 0;
}
"""


@pytest.mark.thorough
def test_a_search_round_a_ring_ends_where_it_began(play: Callable[..., Played], tmp_path: Path) -> None:
    """What was read to be looked for is neither set nor dropped."""
    given = tmp_path / "given"
    given.write_text("9\n")
    session = play(SOUGHT, json=False, stdin=given)
    session("set step-budget 1; run; repair --no-question")
    assert session.last(results.Repaired).edits[0].after == "s->guest != wanted && s->left != first"


BEADS = """\
#include <stdio.h>
#include <stdlib.h>
struct bead { int weight; struct bead *next; };
static struct bead *string_up(int beads)
{
    struct bead *clasp = NULL;
    for (int i = 0; i < beads; i++) {
        struct bead *b = malloc(sizeof *b);
        b->weight = i + 3;
        if (clasp == NULL) {
            b->next = b;
            clasp = b;
        } else {
            b->next = clasp->next;
            clasp->next = b;
        }
    }
    return clasp;
}
static int weigh(struct bead *clasp)
{
    int sum = 0;
    struct bead *b;
    if (clasp == NULL)
        return 0;
    b = clasp->next;
    do {
        sum += b->weight;
        b = b->next;
    } while (b != NULL);
    return sum;
}
static void take_apart(struct bead *clasp)
{
    while (clasp->next != clasp) {
        struct bead *b = clasp->next;
        clasp->next = b->next;
        free(b);
    }
    free(clasp);
}
int main(void)
{
    struct bead *clasp = string_up(4);
    printf("%d\\n", weigh(clasp));
    take_apart(clasp);
    return 0;
}
"""


@pytest.mark.thorough
def test_a_walk_round_a_ring_is_over_where_it_began(play: Callable[..., Played]) -> None:
    """What the function is tried with are rings, since the program goes round in them elsewhere."""
    session = play(BEADS)
    session("set step-budget 0.4\nrun\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.line, edit.after) == ("change", 30, "b != clasp->next")
