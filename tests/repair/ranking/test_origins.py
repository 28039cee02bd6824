"""Where the pointer came from by which an execution crashes, and what that says of its repairs."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import best, crash, words

from wolverine.core.expressions import lvalue_text
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.repair.ranking.origins import UNKNOWN, origins

ROOMS = """\
#include <stdlib.h>
struct room { int number; struct room *first, *next, *before; };
struct room *room(int number, struct room *in) {
    struct room *r = malloc(sizeof *r);
    r->number = number;
    r->first = NULL;
    r->before = NULL;
    r->next = in ? in->first : NULL;
    if (r->next)
        r->next->before = r;
    if (in)
        in->first = r;
    return r;
}
struct room *find(struct room *in, int number) {
    struct room *r;
    for (r = in->first; r; r = r->next)
        if (r->number == number)
            return r;
    return NULL;
}
int clear(struct room *in, int number) {
    struct room *gone = find(in, number);
    if (!gone || gone->first)
        return 0;
    gone->before->next = gone->next;
    if (gone->next)
        gone->next->before = gone->before;
    free(gone);
    return 1;
}
int main(void) {
    struct room *house = room(0, NULL);
    room(1, house);
    room(2, house);
    return clear(house, 2);
}
"""

FOLD = """\
#include <stdlib.h>
struct term { char op; int value; struct term *left, *right; };
struct term *term(char op, int value, struct term *left, struct term *right) {
    struct term *t = malloc(sizeof *t);
    t->op = op;
    t->value = value;
    t->left = left;
    t->right = right;
    return t;
}
struct term *number(int value) { return term('n', value, NULL, NULL); }
void fold(struct term *t) {
    if (t->left == NULL)
        return;
    fold(t->left);
    fold(t->right);
    if (t->left->op == 'n' && t->right->op == 'n') {
        t->value = t->left->value + t->right->value;
        t->op = 'n';
        free(t->left);
        free(t->right);
    }
}
int size(struct term *t) { return t == NULL ? 0 : 1 + size(t->left) + size(t->right); }
int main(void) {
    struct term *t = term('+', 0, number(1), term('+', 0, number(2), number(3)));
    fold(t);
    return size(t);
}
"""


def named(program: Program, trace: Trace) -> list[str]:
    """The places, each behind its function."""
    return [f"{function}: {lvalue_text(place)}" for function, place in origins(program, trace).places]


def test_the_way_of_a_null_pointer_is_gone_back_through_calls(tmp_path: Path) -> None:
    text = """\
#include <stdlib.h>
struct node { struct node *next; };
struct node *second(struct node *head) { return head->next; }
int far(struct node *head) {
    struct node *two = second(head);
    return two->next == NULL;
}
int main(void) {
    struct node *one = calloc(1, sizeof *one);
    one->next = NULL;
    return far(one);
}
"""
    problem = crash(text, "main", tmp_path)
    found = named(problem.program, problem.traces[0])
    assert found[0] == "far: two"
    assert found[-1] == "main: one->next"
    assert "second: head->next" in found
    assert "far: head" not in found  # it is led through, but where it leads is not the fault


def test_nothing_is_told_where_more_than_a_crash_is_known(tmp_path: Path) -> None:
    trace = crash(ROOMS, "clear", tmp_path).traces[0]
    assert origins(crash(ROOMS, "clear", tmp_path).program, trace).places
    assert UNKNOWN.told("clear", origins(crash(ROOMS, "clear", tmp_path).program, trace).places[0][1])


@pytest.mark.thorough
def test_another_node_instead_of_the_one_that_is_meant_is_no_repair(tmp_path: Path) -> None:
    """`gone = gone->next` gets round the crash, and takes out nothing."""
    problem = crash(ROOMS, "clear", tmp_path)
    assert named(problem.program, problem.traces[0]) == ["clear: gone->before"]
    assert words(problem.program, best(problem)) == (
        "if (gone->before != NULL) gone->before->next = gone->next; else in->first = gone->next"
    )


def test_what_a_node_still_leads_to_is_cleared_where_it_was_freed_all_of_it(tmp_path: Path) -> None:
    problem = crash(FOLD, "main", tmp_path, strict=True)
    edits = best(problem).patch.edits
    assert len(edits) == 2
    assert {lvalue_text(edit.replacement.target) for edit in edits} == {"t->left", "t->right"}  # type: ignore[union-attr]


ACCOUNTS = """\
#include <stdlib.h>
struct move { int amount; struct move *next; };
struct account { int number; struct move *moves; struct account *next; };
struct account *accounts;
void enter(int number) {
    struct account *a = malloc(sizeof *a), *before = NULL, *at = accounts;
    a->number = number;
    a->moves = malloc(sizeof *a->moves);
    a->moves->next = NULL;
    while (at != NULL && at->number < number) {
        before = at;
        at = at->next;
    }
    a->next = at;
    if (before == NULL)
        accounts = a;
    else
        before->next = a;
}
void forget(struct move *m) {
    while (m != NULL) {
        struct move *next = m->next;
        free(m);
        m = next;
    }
}
int leave(int number) {
    struct account *at = accounts, *before = NULL;
    while (at != NULL && at->number != number) {
        before = at;
        at = at->next;
    }
    if (at == NULL)
        return 0;
    before->next = at->next;
    forget(at->moves);
    free(at);
    return 1;
}
int main(void) {
    enter(1);
    enter(2);
    leave(1);
    leave(2);
    return 0;
}
"""


@pytest.mark.thorough
def test_what_a_function_is_about_to_free_may_lead_to_what_it_has_freed(tmp_path: Path) -> None:
    """Between `forget(at->moves)` and `free(at)` the account leads to a freed node, which is no fault."""
    problem = crash(ACCOUNTS, "leave", tmp_path)
    first = words(problem.program, best(problem))
    assert first.endswith(" before->next = at->next; else accounts = at->next")
