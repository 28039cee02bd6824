"""Steps to what loops append in some rounds only, and walks that begin at an end."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import lvalue_text
from wolverine.core.expressions import text as value_text
from wolverine.core.program import Assign, Gap
from wolverine.repair.source.stepping import (
    appended_behind,
    begins_at_an_end,
    is_the_only_step,
    left_behind,
    steps_once,
    steps_unappended,
)

COLLECT = """\
#include <stddef.h>
struct node { int v; struct node *next; };
struct node *make(int v);
struct node *collect(struct node *from, struct node *last)
{
    while (CONDITION) {
        BODY
        from = from->next;
    }
    return last;
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("condition", "body", "found"),
    [
        ("from", "if (from->v) last->next = make(1); last = last->next;", ["last->next"]),
        ("from", "last->next = make(1); last = last->next;", []),
        ("from", "if (from->v) { last->next = make(1); last = last->next; }", []),
        ("from && last", "if (from->v) last->next = make(1); last = last->next;", []),  # a walk
        ("from", "if (from->v) last->next = last->next->next; last = last->next;", []),
        ("from", "if (from->v) last->next = NULL; last = last->next;", []),
        (
            "from",
            "if (from->v) last->next = make(1); else last->next = make(2); last = last->next;",
            [],
        ),
    ],
)
def test_rounds_without_an_append_step_on_as_well(
    condition: str, body: str, found: list[str], tmp_path: Path
) -> None:
    text = COLLECT.replace("CONDITION", condition).replace("BODY", body)
    program = program_of(
        text.replace("struct node *make(int v);", "struct node *make(int v) { return NULL; }"), tmp_path
    )
    steps = steps_unappended(program.functions["collect"])
    assert [lvalue_text(each) for each in steps.values()] == found


SPELL = """\
#include <stdlib.h>
struct letter { char ch; struct letter *next, *prev; };
struct letter *at(struct letter *from) { return from->next; }
void on(void) { struct letter *a; a = a->next; }
int same(struct letter *from, struct letter *to)
{
    struct letter *a = from, *b = to, *c;
    while (b) {
        if (a->ch != b->ch)
            return 0;
        b = b->next;
    }
    return 1;
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("was", "becomes", "found"),
    [
        ("", "", True),
        ("b = b->next", "b = b->prev", False),  # the other one goes elsewhere
        ("*a = from", "*a = NULL", False),
        ("*a = from", "*a = malloc(sizeof *a)", False),
        ("*a = from", "*a = at(from)", False),  # what is compared with
        ("a->ch != b->ch", "a == b", False),
        ("return 0;", "a = b;", False),
        ("a->ch", "from->ch", False),
    ],
)
def test_what_goes_along_with_another_variable_and_stays(
    was: str, becomes: str, found: bool, tmp_path: Path
) -> None:
    program = program_of(SPELL.replace(was, becomes, 1) if was else SPELL, tmp_path)
    function = program.functions["same"]
    [step] = (each for each in program.functions["on"].code if isinstance(each, Assign))
    gaps = [
        at
        for at, each in enumerate(function.code)
        if isinstance(each, Gap) and left_behind(function, at, step.target, step.value)
    ]
    assert {program.location(function.code[at].location).line for at in gaps} == (
        {9, 10, 11} if found else set()
    )


QUEUE = """\
#include <stddef.h>
struct job { int at; struct job *next, *prev; };
struct queue { struct job *front, *rear; };
void put(struct queue *q, struct job *j)
{
    j->next = NULL;
    j->prev = q->rear;
    if (q->rear != NULL)
        q->rear->next = j;
    else
        q->front = j;
    q->rear = j;
}
int sum(struct queue *q)
{
    int all = 0;
    struct job *j = q->FROM;
    while (CONDITION) {
        all += j->at;
        j = j->STEP;
    }
    return all;
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("start", "condition", "step", "found"),
    [
        ("rear", "j != NULL", "next", True),
        ("rear", "j && j->at > 0", "next", True),
        ("front", "j != NULL", "next", False),
        ("rear", "j != NULL", "prev", False),
        ("rear", "j != q->rear", "next", False),  # a ring
    ],
)
def test_a_walk_begins_at_an_end(start: str, condition: str, step: str, found: bool, tmp_path: Path) -> None:
    text = QUEUE.replace("FROM", start).replace("CONDITION", condition).replace("STEP", step)
    program = program_of(text, tmp_path)
    function = program.functions["sum"]
    begun = [
        begins_at_an_end(function, at, each.target, each.value, appended_behind(program))
        for at, each in enumerate(function.code)
        if isinstance(each, Assign)
    ]
    assert any(begun) == found


WALK = """\
struct node { int v; struct node *next; };
int walk(struct node *at, int v)
{
    int found = 0;
    while (at->next) {
        if (at->next->v > v) {
            found++;
        } else {
            at = at->next;
        }
        OTHER
    }
    return found;
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(("other", "lines"), [("found++;", {9}), ("at = at->next;", set())])
def test_a_walk_that_is_left_behind_its_only_step_makes_no_more_than_one(
    other: str, lines: set[int], tmp_path: Path
) -> None:
    program = program_of(WALK.replace("OTHER", other), tmp_path)
    code = program.functions["walk"].code
    left = {at for at, step in enumerate(code) if type(step) is Gap and steps_once(code, at)}
    steps = [at - 1 for at in left if isinstance(code[at - 1], Assign)]
    assert {program.location(code[at].location).line for at in steps} == lines


@pytest.mark.parametrize(
    ("condition", "body", "only"),
    [
        ("from", "", True),
        ("from->v > 3", "", True),
        ("last", "", False),  # the loop does not ask for it
        ("from", "if (from->v) from = last;", False),
    ],
)
def test_what_a_loop_asks_for_is_led_on_by_one_step(
    condition: str, body: str, only: bool, tmp_path: Path
) -> None:
    text = COLLECT.replace("CONDITION", condition).replace("BODY", body)
    program = program_of(text.replace("struct node *make(int v);\n", ""), tmp_path)
    code = program.functions["collect"].code
    at = next(n for n, s in enumerate(code) if isinstance(s, Assign) and text_of(s) == "from = from->next")
    assert is_the_only_step(code, at) == only


def text_of(step: Assign) -> str:
    return f"{lvalue_text(step.target)} = {value_text(step.value)}"
