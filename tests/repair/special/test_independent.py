"""Slips that have nothing to do with each other, found one by one and put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, best, only, program_of, words

from wolverine.core.expressions import lvalue_text, text
from wolverine.core.graph import Uninitialised
from wolverine.core.patch import NewAssignment, NewJump
from wolverine.core.trace import Assertion, Budget, Decision, End, Position, Problem, Trace
from wolverine.repair.engine.approved import behind_approved
from wolverine.repair.engine.context import context_of
from wolverine.repair.engine.exploration import Exploration
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import Bench, bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.special.independent import independent
from wolverine.repair.special.stages import Stage, stages

STACK = """#include <stdlib.h>
struct plate { int size, colour, number; struct plate *below, *like; };
struct stack { struct plate *top, *bottom, *marked; int height, washed, broken, last; };
void push(struct stack *s)
{
    struct plate *p = malloc(sizeof *p);
    p->size = p->colour = 1;
    p->number = ++s->last;
    p->like = NULL;
    p->below = s->top;
    s->top = p;
    if (s->bottom == NULL)
        s->bottom = p;
    s->height++;
}
void pop(struct stack *s)
{
    struct plate *p = s->top, *next;
    int size = p->size, number = p->number;
    if (size > 0 && number != s->broken)
        s->washed = number;
    if (p == s->marked)
        s->marked = p->like;
    next = p->below;
    s->top = next;
    free(p);
}
int main(void)
{
    struct stack *s = calloc(1, sizeof *s);
    int left = 0;
    push(s);
    push(s);
    push(s);
    pop(s);
    left = s->height;
    pop(s);
    pop(s);
    left = s->height;
    return left;
}
"""
SHELF = """#include <stdio.h>
#include <stdlib.h>
struct book { int number; struct book *next; };
struct shelf { int books; int width; struct book *first; };
struct book *find(struct shelf *s, int number)
{
    struct book *b;
    for (b = s->first; b != NULL; b = b->next)
        if (b->number == number)
            return b;
    return NULL;
}
void put(struct shelf *s, int number, int place)
{
    struct book *b;
    if (find(s, number) != NULL)
        return;
    b = malloc(sizeof *b);
    b->number = place;
    b->next = s->first;
    s->first = b;
}
int main(void)
{
    struct shelf *s = malloc(sizeof *s);
    s->books = 0;
    s->width = 9;
    s->first = NULL;
    put(s, 7, 1);
    printf("%d of %d\\n", s->books, s->width);
    return 0;
}
"""

CRATE = """#include <stdlib.h>
struct crate { int length, breadth, depth; };
void measure(struct crate *c, int length, int breadth, int depth)
{
    c->length = breadth;
    c->breadth = depth;
    c->depth = length;
}
int main(void)
{
    struct crate *c = malloc(sizeof *c);
    measure(c, 6, 4, 2);
    return 0;
}
"""

QUEUES = """#include <stdlib.h>
struct job { int cost, urgent; struct job *cheaper, *later; };
struct job costs, times;
void enter(int cost, int urgent)
{
    struct job *j = malloc(sizeof *j), *at = &costs;
    int round = 0;
    j->cost = cost;
    j->urgent = urgent;
    while (round < 3 && at->cheaper != &costs) {
        if (at->cheaper->cost < j->cost) {
            j->cheaper = at->cheaper;
            at->cheaper = j;
        } else {
            at = at->cheaper;
        }
        round++;
    }
    if (at->cheaper == &costs) {
        j->cheaper = &costs;
        at->cheaper = j;
    }
    at = &times;
    round = 0;
    while (round < 3 && at->later != &times) {
        if (at->later->urgent < j->urgent) {
            j->later = at->later;
            at->later = j;
        } else {
            at = at->later;
        }
        round++;
    }
    if (at->later == &times) {
        j->later = &times;
        at->later = j;
    }
}
int main(void)
{
    costs.cheaper = &costs;
    times.later = &times;
    enter(2, 2);
    enter(5, 6);
    return 0;
}
"""

TRAIN = """#include <stdlib.h>
struct car { int seats; struct car *ahead, *behind; };
struct train { struct car *engine, *caboose; int cars; };
void couple(struct train *t, struct car *at, int seats)
{
    struct car *c = malloc(sizeof *c);
    c->seats = seats;
    c->ahead = at;
    c->behind = at->behind;
    if (at->behind != NULL)
        t->cars++;
    else
        t->caboose = c;
    at->behind = c;
}
void uncouple(struct train *t, struct car *c)
{
    c->ahead->behind = c->behind;
    if (c->behind != NULL)
        c->behind->ahead = c->ahead;
    t->cars--;
    free(c);
}
int main(void)
{
    struct train *t = calloc(1, sizeof *t);
    t->engine = calloc(1, sizeof *t->engine);
    couple(t, t->engine, 20);
    couple(t, t->engine, 30);
    uncouple(t, t->caboose);
    return t->cars;
}
"""


def queued(tmp_path: Path) -> Problem:
    """Behind the second call a job is in front of itself in both queues: neither loop is left.

    Nobody has watched the rounds of the loops.
    """
    play = Play(program_of(QUEUES, tmp_path))
    play.to(43, "main")
    play.open()
    play.to(45)
    play.change("n2->cheaper", "n1")
    play.change("n2->later", "n1")
    play.spec()
    problem = only(play.problem(Budget()), "enter")
    [trace] = problem.traces
    told = tuple(event for event in trace.events if not isinstance(event, Decision))
    return replace(problem, traces=(replace(trace, events=told),))


def popped(tmp_path: Path) -> Problem:
    """The height is corrected behind two of the calls, behind the last one the lowest plate as well."""
    play = Play(program_of(STACK, tmp_path))
    play.to(35, "main")
    play.open()
    play.to(36)
    play.change("n1->height", "2")
    play.spec()
    play.to(39)
    play.change("n1->bottom", "null")
    play.change("n1->height", "0")
    play.spec()
    return only(play.problem(Budget()), "push", "pop")


def shelved(tmp_path: Path) -> Problem:
    """A book has got the wrong number, and nothing was counted."""
    play = Play(program_of(SHELF, tmp_path))
    play.to(29, "main")
    play.open()
    play.to(30)
    play.change("n2->number", "7")
    play.change("n1->books", "1")
    play.spec()
    return play.problem()


def uncoupled(tmp_path: Path) -> Problem:
    """A car does not lead to the one that was put in front of it, and is the last one when it has gone."""
    play = Play(program_of(TRAIN, tmp_path))
    play.to(29, "main")
    play.open()
    play.to(30)
    play.change("n3->ahead", "n4")
    play.spec()
    play.to(31)
    play.change("n1->caboose", "n4")
    play.spec("n1->caboose")
    return play.problem()


def benches(problem: Problem) -> tuple[Bench, Bench]:
    """With single statements, and with statements under tests."""
    plain = bench_of(problem, Menus(problem.program))
    return plain, plain.widened(guarded=True)


def lines(bench: Bench, found: Sequence[Space]) -> set[tuple[int, ...]]:
    """Where the edits are."""
    location = bench.problem.program.location
    return {tuple(sorted(location(each).line for each in space.masks)) for space in found}


@pytest.mark.thorough
def test_one_of_two_statements_that_are_missing_stands_under_a_test(tmp_path: Path) -> None:
    problem = popped(tmp_path)
    found = words(problem.program, best(problem))
    assert "s->height = s->height - 1" in found
    assert "if (s->top == NULL) s->bottom = NULL" in found


@pytest.mark.thorough
def test_what_needs_a_test_is_looked_for_where_plain_statements_do_not_do(tmp_path: Path) -> None:
    problem = popped(tmp_path)
    plain, guarded = benches(problem)
    work = Work(problem.budget, lambda: False)
    assert not independent(plain, work, 2, 300_000)
    found = independent(plain, work, 2, 300_000, guarded)
    assert found
    assert not independent(plain, work, 3, 300_000, guarded)


def test_what_is_put_together_is_what_the_search_of_all_pairs_finds(tmp_path: Path) -> None:
    problem = shelved(tmp_path)
    plain, guarded = benches(problem)
    work = Work(problem.budget, lambda: False)
    found = independent(plain, work, 2, 300_000)
    spent = work.spent
    whole = plain.found(work, 2, None)
    assert lines(plain, found) <= lines(plain, whole)
    assert spent * 3 < work.spent
    assert not independent(plain, work, 2, 300_000, guarded)


def test_three_slips_are_put_together_behind_two_plain_edits(tmp_path: Path) -> None:
    play = Play(program_of(CRATE, tmp_path))
    play.to(12, "main")
    play.open()
    play.to(13)
    for place, number in (("n1->length", "6"), ("n1->breadth", "4"), ("n1->depth", "2")):
        play.change(place, number)
    play.spec()
    problem = play.problem()
    plain, _ = benches(problem)
    order = [*stages(problem)]
    third = Stage(3, several=True)
    spares = next(each for each in order if each.spares and not each.early)
    assert order.index(third) < order.index(spares)
    context = context_of(problem, plain, Work(problem.budget, lambda: False))
    assert (5, 6, 7) in lines(plain, Exploration(context).search(third, plain).spaces)


def test_what_a_later_edit_reads_may_be_what_an_earlier_one_has_mended(tmp_path: Path) -> None:
    problem = uncoupled(tmp_path)
    plain, _ = benches(problem)
    found = independent(plain, Work(problem.budget, lambda: False), 2, 300_000)
    made = {
        frozenset(
            lvalue_text(made.target) + " = " + text(made.value)
            for at, mask in space.masks.items()
            for number, choice in enumerate(plain.menus.menu(at).choices)
            if mask >> number & 1 and isinstance(made := choice.replacement, NewAssignment)
        )
        for space in found
    }
    assert any({"c->behind->ahead = c", "t->caboose = c->ahead"} <= each for each in made)


def test_the_jump_that_two_copies_of_a_loop_lack_is_found_where_there_is_no_work_for_other_edits(
    tmp_path: Path,
) -> None:
    problem = queued(tmp_path)
    plain, guarded = benches(problem)
    work = Work(problem.budget, lambda: False)
    assert not independent(plain, work, 2, 6_000)
    found = independent(plain, work, 2, 6_000, guarded)
    made = {
        guarded.menus.menu(at).choices[mask.bit_length() - 1].replacement
        for s in found
        for at, mask in s.masks.items()
    }
    assert made == {NewJump("break")}
    assert (13, 28) in lines(guarded, found)


@pytest.mark.thorough
def test_what_is_counted_is_counted_where_it_is_made(tmp_path: Path) -> None:
    problem = shelved(tmp_path)
    edits = best(problem).patch.edits
    assert words(problem.program, best(problem)) == "b->number = number | 000032 s->books = s->books + 1"
    assert {problem.program.location(each.location).function for each in edits} == {"put"}


def test_behind_a_picture_that_was_right_it_is_found_where_not_all_pairs_are_tried(tmp_path: Path) -> None:
    problem = approved(shelved(tmp_path))
    plain, _ = benches(problem)
    context = context_of(problem, plain, Work(problem.budget, lambda: False))
    found = behind_approved(context, Stage(2), plain)
    assert found is not None
    known = context.benches.approved
    assert known is not None
    alone = independent(known, context.work, 2, 300_000)
    assert alone
    assert lines(plain, alone) <= lines(plain, found.spaces)


def approved(problem: Problem) -> Problem:
    """The problem, in which the first picture was right; little work is allowed."""
    [trace] = problem.traces
    start = trace.start
    cells = {place: held for place, held in start.cells.items() if not isinstance(held, Uninitialised)}
    position = Position(0, "main", trace.start_stack[0][1], 1)
    states = {number: node.state for number, node in start.nodes.items()}
    picture = Assertion(position, cells, states, frozenset(cells))
    way = Trace(start, trace.start_stack, (End(position),), pictured=(picture,))
    return replace(problem, traces=(replace(trace, approved=way),), budget=Budget(work=400_000))
