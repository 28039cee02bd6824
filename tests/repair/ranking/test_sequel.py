"""How the execution of a mere crash goes on under repairs: what it makes and prints on the way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, crash, program_of, unseen

from wolverine.core.expressions import Binary, Constant
from wolverine.core.parts import negated
from wolverine.core.patch import NO_EDITS, Edit, NewValue, Patch
from wolverine.core.program import Branch, Program
from wolverine.core.types import INT
from wolverine.repair.ranking.sequel import sequel_of
from wolverine.semantics.concrete import gives_up

# The first node is taken out, and the last one forgotten where others are left.
TAKEN = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
static struct node *first, *last;
static void add(int data)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->data = data;
    fresh->next = NULL;
    if (first == NULL)
        first = fresh;
    else
        last->next = fresh;
    last = fresh;
}
static void take(void)
{
    struct node *gone = first;
    first = gone->next;
    free(gone);
    if (first != NULL)
        last = NULL;
}
static void work(void)
{
    int i;
    for (i = 0; i < 4; i++)
        if (i == 2 && first != NULL)
            take();
        else if (i != 2)
            add(i);
}
int main(void)
{
    work();
    return 0;
}
"""


def _opposite(program: Program, function: str, words: str) -> Patch:
    """The patch that turns a condition of the function round."""
    [(location, condition)] = [
        (step.location, step.condition)
        for step in program.functions[function].code
        if isinstance(step, Branch) and words in program.location(step.location).text
    ]
    return Patch((Edit(location, NewValue(negated(condition))),))


def test_who_makes_fewer_nodes_than_before_the_crash_does_less(tmp_path: Path) -> None:
    problem = crash(TAKEN, "work", tmp_path)
    sequel = sequel_of(problem.program, problem.traces[0])
    assert sequel is not None
    skipping = _opposite(problem.program, "work", "i != 2")
    mending = _opposite(problem.program, "take", "first != NULL")
    assert [sequel.left(patch).fewer for patch in (NO_EDITS, skipping, mending)] == [False, True, False]
    added = sequel.against([("a", skipping, 1.0), ("b", mending, 1.0)])
    assert added[skipping] > added[mending]


# What the list holds is freed first, and then the list.
HELD = """\
#include <stdlib.h>
struct held { int v; };
struct list { struct held *held; struct list *next; };
static int value(struct list *at)
{
    return at->next->held->v;
}
static void drop(struct held *held)
{
    free(held);
}
int main(void)
{
    struct list *all = malloc(sizeof *all);
    all->next = NULL;
    all->held = malloc(sizeof *all->held);
    all->held->v = 1;
    if (all->next == NULL)
        value(all);
    drop(all->held);
    free(all);
    return 0;
}
"""


@pytest.mark.parametrize(("freed", "left"), [("free(all);", 0), (";", 1)])
def test_who_takes_things_apart_may_lead_to_freed_nodes_meanwhile(
    freed: str, left: int, tmp_path: Path
) -> None:
    problem = crash(HELD.replace("free(all);", freed), "main", tmp_path)
    sequel = sequel_of(problem.program, problem.traces[0])
    assert sequel is not None
    assert sequel.left(_opposite(problem.program, "main", "all->next == NULL")).dangling == left


# The list is freed node by node, and each leads back to the one before, which is gone.
GONE_BEFORE = """\
#include <stdlib.h>
struct node { struct node *next, *back; };
static struct node *after(struct node *at)
{
    return at->next;
}
static void drop(struct node *at)
{
    free(at);
}
int main(void)
{
    struct node *all = NULL, *at;
    int i;
    for (i = 0; i < 4; i++) {
        at = malloc(sizeof *at);
        at->next = all;
        at->back = NULL;
        if (all != NULL)
            all->back = at;
        all = at;
    }
    if (all->back == NULL)
        after(all->back);
    for (at = all; at != NULL; at = all) {
        all = after(at);
        FREE(at);
    }
    return 0;
}
"""


@pytest.mark.parametrize(("freeing", "left"), [("free", 0), ("drop", 1)])
def test_who_is_not_through_with_freeing_has_left_nothing_behind(
    freeing: str, left: int, tmp_path: Path
) -> None:
    problem = crash(GONE_BEFORE.replace("FREE", freeing), "main", tmp_path)
    sequel = sequel_of(problem.program, problem.traces[0])
    assert sequel is not None
    assert sequel.left(_opposite(problem.program, "main", "all->back == NULL")).dangling == left


# The second node is linked to itself; the walk is stopped by force.
LINKED = """\
#include <stdlib.h>
struct node { struct node *next; };
static struct node *none;
static int work(int made)
{
    struct node *all = NULL, *fresh, *at;
    int i, rounds = 0;
    for (i = 0; i < made; i++) {
        fresh = malloc(sizeof *fresh);
        fresh->next = all;
        if (i == 1)
            fresh->next = fresh;
        all = fresh;
    }
    for (at = all; at != NULL; at = at->next)
        if (rounds++ > 4)
            rounds = none->next != NULL;
    return rounds;
}
int main(void)
{
    return work(2);
}
"""


def test_who_goes_round_has_made_nodes_before_and_leaves_no_ring(tmp_path: Path) -> None:
    problem = crash(LINKED, "work", tmp_path)
    trace = problem.traces[0]
    assert trace.crash is not None
    trace = replace(trace, events=(*trace.events[:-1], replace(trace.crash, endless=True)))
    sequel = sequel_of(problem.program, trace)
    assert sequel is not None and sequel.to_itself
    words = ("i < made", "at != NULL", "i == 1")
    patches = [_opposite(problem.program, "work", each) for each in words]
    left = [sequel.left(patch) for patch in patches]
    assert [each.fewer for each in left] == [True, False, False]
    assert [each.ring for each in left] == [False, True, True]


# Its work is done in the first rounds; what goes on in silence is stopped by force.
SILENT = """\
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; };
static struct node *none, *kept;
static int work(int left)
{
    int rounds = 0;
    while (left > 0) {
        rounds++;
        if (rounds == 1) {
            kept = malloc(sizeof *kept);
            kept->next = malloc(sizeof *kept);
        }
        if (rounds == 3) {
            printf("done\\n");
            free(kept->next);
        }
        if (rounds > 60)
            left = none->next != NULL;
    }
    return kept->next != NULL;
}
int main(void)
{
    work(1);
    printf("end\\n");
    return 0;
}
"""


def test_what_the_first_rounds_have_printed_and_left_is_as_it_should_be(tmp_path: Path) -> None:
    problem = crash(SILENT, "work", tmp_path)
    trace = problem.traces[0]
    assert trace.crash is not None
    code = problem.program.functions["work"].code
    test = next(
        at for at, step in enumerate(code) if isinstance(step, Branch) and "left" in str(step.condition)
    )
    where = trace.crash.position._replace(instruction=test, occurrence=10)
    end = replace(trace.crash, endless=True, position=where)
    sequel = sequel_of(problem.program, replace(trace, events=(*trace.events[:-1], end)))
    assert sequel is not None
    assert sequel.left(_opposite(problem.program, "work", "left > 0")).silent
    assert not sequel.left(NO_EDITS).silent


# A queue whose rear leads to the node taken out last until another one comes; the rounds are ended by force.
EMPTIED = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
struct queue { struct node *front, *rear; };
static struct node *none;
static void put(struct queue *q, int data)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->data = data;
    fresh->next = NULL;
    if (q->front == NULL) {
        q->front = fresh;
        q->rear = fresh;
        return;
    }
    q->rear->next = fresh;
    q->rear = fresh;
}
static void take(struct queue *q)
{
    struct node *gone = q->front;
    q->front = gone->next;
    free(gone);
}
static int count(struct queue *q)
{
    return q->front != NULL;
}
static int work(struct queue *q)
{
    int rounds = 0;
    put(q, 1);
    while (count(q)) {
        take(q);
        if (rounds < 9)
            put(q, 2);
        if (rounds++ > 4)
            rounds = none->data;
    }
    count(q);
    return rounds;
}
int main(void)
{
    struct queue *q = malloc(sizeof *q);
    q->front = NULL;
    q->rear = NULL;
    return work(q);
}
"""


def test_what_the_program_mends_again_by_itself_speaks_against_nothing(tmp_path: Path) -> None:
    problem = crash(EMPTIED, "work", tmp_path)
    sequel = sequel_of(problem.program, problem.traces[0])
    assert sequel is not None
    left = sequel.left(_opposite(problem.program, "work", "rounds < 9"))
    assert (left.crashed, left.dangling, left.parted) == (False, 0, False)


def test_what_it_has_not_mended_before_does(tmp_path: Path) -> None:
    text = EMPTIED.replace("rounds < 9", "rounds > 9").replace(
        "    count(q);", "    count(q);\n    none->data++;"
    )
    problem = crash(text, "work", tmp_path)
    sequel = sequel_of(problem.program, problem.traces[0])
    assert sequel is not None
    left = sequel.left(NO_EDITS)
    assert (left.dangling, left.parted) == (1, True)


CHECKED = """\
#include <assert.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
static struct node *first;
static int length(void)
{
    struct node *n = first;
    int found = 0;
    while (found >= 0) {
        n = n->next;
        found++;
    }
    return found;
}
int main(void)
{
    first = calloc(1, sizeof *first);
    first->next = calloc(1, sizeof *first);
    assert(length() == 2);
    return 0;
}
"""


@pytest.mark.parametrize(("end", "fails"), [(0, True), (1, True), (2, False)])
def test_an_assertion_that_fails_further_on_is_a_crash(tmp_path: Path, end: int, fails: bool) -> None:
    problem = crash(CHECKED, "length", tmp_path)
    program, [trace] = problem.program, problem.traces
    loop = next(step for step in program.functions["length"].code if isinstance(step, Branch))
    condition = loop.condition
    assert isinstance(condition, Binary)
    patch = Patch(
        (Edit(loop.location, NewValue(replace(condition, operator="<", right=Constant(end, INT)))),)
    )
    sequel = sequel_of(program, trace)
    assert sequel is not None
    sequel.left(patch)
    assert sequel.crashes(patch) == fails


# The last guest takes the seat of the one who leaves, and is not told.
SEATED = """\
#include <assert.h>
#include <stdlib.h>
struct guest { int age, seat; };
static struct guest *at[4];
static int used;
static void enter(int age)
{
    struct guest *g = malloc(sizeof *g);
    g->age = age;
    at[used] = g;
    at[used]->seat = used;
    used++;
}
static void leave(int age)
{
    int i;
    for (i = 0; i < used; i++)
        if (at[i]->age == age) {
            free(at[i]);
            used--;
            at[i] = at[used];
            break;
        }
}
static void check(void)
{
    for (int i = 0; i < used; i++)
        assert(at[i]->seat == i);
}
static void evening(void)
{
    enter(30);
    enter(40);
    enter(50);
    leave(40);
    check();
}
int main(void)
{
    evening();
    return 0;
}
"""


def test_what_was_freed_before_an_assertion_failed_was_to_be_freed(tmp_path: Path) -> None:
    play = Play(program_of(SEATED, tmp_path))
    play.enter_function("evening")
    while not (play.machine.frame and gives_up(play.machine.frame.linked.steps[play.machine.pc])):
        play._step()
    play.crashed = True
    problem = unseen(play.problem())
    sequel = sequel_of(problem.program, problem.traces[0])
    assert sequel is not None
    left = sequel.left(NO_EDITS)
    assert left is not None
    assert (left.crashed, left.kept) == (True, False)
    stays = sequel.left(_opposite(problem.program, "leave", "at[i]->age == age"))
    none = sequel.left(_opposite(problem.program, "leave", "i < used"))
    assert stays is not None
    assert none is not None
    assert (stays.kept, none.kept) == (False, True)
