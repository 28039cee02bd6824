"""Marks that a loop without an end asks for and never sets: `if (!w->visited)` in a breadth-first search."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, program_of, unseen

from wolverine.core.patch import Repairs
from wolverine.core.program import Branch, Program
from wolverine.core.trace import End, Position, Problem
from wolverine.repair.engine.answer import search
from wolverine.repair.menus.wording import describe
from wolverine.repair.special.ways_out import ways_out

ROADS = """\
#include <stdlib.h>
struct town {{ int seen, far; struct road *roads; }};
struct road {{ struct town *to; struct road *more; }};
struct stop {{ struct town *at; struct stop *next; }};
static struct stop *first, *last;
static void put(struct town *t)
{{
    struct stop *s = malloc(sizeof *s);
    s->at = t;
    s->next = NULL;
    if (first == NULL)
        first = s;
    else
        last->next = s;
    last = s;
}}
static void lead(struct town *from, struct town *to)
{{
    struct road *r = malloc(sizeof *r);
    r->to = to;
    r->more = from->roads;
    from->roads = r;
}}
static void spread(struct town *start)
{{
    {begin}
    put(start);
    while (first != NULL) {{
        struct stop *now = first;
        struct town *t = now->at;
        first = first->next;
        free(now);
        for (struct road *r = t->roads; r != NULL; r = r->more) {{
            {inside}
        }}
    }}
}}
int main(void)
{{
    struct town *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b), *c = calloc(1, sizeof *c);
    lead(a, b);
    lead(b, c);
    lead(c, b);
    spread(a);
    return c->far != 2;
}}
"""
TESTS = {
    "under it": "if (!r->to->seen) { r->to->far = t->far + 1; put(r->to); }",
    "behind it": "if (r->to->seen) continue; r->to->far = t->far + 1; put(r->to);",
}


def endless_problem(program: Program) -> Problem:
    """The outer loop of `spread` goes round for ever."""
    play = Play(program)
    play.enter_function("spread")
    problem = unseen(play.problem())
    code = program.functions["spread"].code
    loop = next(at for at, step in enumerate(code) if isinstance(step, Branch))
    end = End(Position(0, "spread", loop, 40), crashed=True, endless=True)
    return replace(problem, traces=(replace(problem.traces[0], events=(end,)),))


@pytest.mark.parametrize(("begin", "inside"), [("start->seen = 1;", "under it"), ("", "behind it")])
def test_a_mark_that_is_asked_for_is_set(begin: str, inside: str, tmp_path: Path) -> None:
    program = program_of(ROADS.format(begin=begin, inside=TESTS[inside]), tmp_path)
    answer = search(endless_problem(program))
    assert isinstance(answer, Repairs)
    [made] = [describe(program, each.patch).split(" ", 1)[1] for each in answer.candidates]
    assert made == "r->to->seen = 1"


def test_what_others_set_is_no_mark(tmp_path: Path) -> None:
    text = ROADS.format(begin="", inside=TESTS["under it"]).replace(
        "r->more = ", "from->seen = 1;\n    r->more = "
    )
    program = program_of(text, tmp_path)
    assert not [*ways_out(program, endless_problem(program).traces[0])]


def test_what_the_loop_sets_is_not_forgotten(tmp_path: Path) -> None:
    text = ROADS.format(begin="start->seen = 1;", inside=TESTS["under it"] + " t->seen = 1;")
    program = program_of(text, tmp_path)
    assert not [*ways_out(program, endless_problem(program).traces[0])]
