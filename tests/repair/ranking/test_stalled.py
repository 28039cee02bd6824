"""Loops that test what is the same in every round."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, best, crash, program_of, unseen, words

from wolverine.core.expressions import Load, lvalue_text, text
from wolverine.core.patch import Edit, NewAssignment, NewReturn, Patch, Several
from wolverine.core.program import Assign, Branch, Gap, Program
from wolverine.core.trace import End, Position
from wolverine.repair.ranking.stalled import endless, stalled, unmoved

LISTS = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct list { struct node *first; int size; };
static struct node *all;
static void drop(struct list *l) { l->first = l->first->next; }
static void bump(int *n) { (*n)++; }
static struct node *walk(struct list *l, struct node *p, int n)
{
    struct node *q = p, *last = NULL;
    LOOP
    return q;
}
int main(void)
{
    struct node *made = NULL;
    for (int i = 0; i < 5; i++) {
        struct node *n = malloc(sizeof *n);
        n->v = i;
        n->next = made;
        made = n;
    }
    struct list l = {made, 5};
    struct node *found = walk(&l, made, 3);
    return found == NULL || found->v != 2;
}
"""


def _with(loop: str, folder: Path) -> Program:
    return program_of(LISTS.replace("LOOP", loop), folder)


@pytest.mark.parametrize(
    ("loop", "tests"),
    [
        ("while (p && p->next) q = q->next;", ["p", "p->next"]),
        ("while (p != NULL && q->next != NULL) q = q->next;", ["p != NULL"]),
        ("for (int i = 0; i < n; n++) q = q->next;", []),
        ("for (int i = 0; i < n; l->size--) q = q->next;", ["i < n"]),
        ("do q = q->next; while (l->size > n);", ["l->size > n"]),
        ("while (n > 0) { for (int i = 0; i < 2; i++) q = q->next; n--; }", []),
        ("while (q->next != p) q = q;", ["q->next != p"]),
    ],
)
def test_what_is_the_same_in_every_round_is_told(loop: str, tests: list[str], tmp_path: Path) -> None:
    found = stalled(_with(loop, tmp_path), {"walk"})
    assert [text(each) for one in found for each in one.tests] == tests


@pytest.mark.parametrize(
    "loop",
    [
        "while (p != NULL && q != NULL) { last = q; q = q->next; p = last; }",
        "while (l->first != NULL) drop(l);",  # in a function that is called
        "while (n < 9) bump(&n);",
        "while (all != NULL) drop(l);",
        "while (p->next != NULL) { last = p->next; last->v = 0; q->next = last->next; }",  # maybe p's
        "while (n > 0) { q = q->next; if (q == NULL) break; }",  # left otherwise
        "while (n > 0) { if (q == NULL) return p; q = q->next; }",
        "while (1) { q = q->next; if (q == NULL) break; }",
    ],
)
def test_what_may_change_or_ends_otherwise_is_not(loop: str, tmp_path: Path) -> None:
    assert stalled(_with(loop, tmp_path), {"walk"}) == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("loop", "repair"),
    [
        # a step is forgotten, and goes through all that is tested
        ("while (p && p->next) q = q->next;", "p = p->next->next"),
        ("while (p) q = q->next;", "p = p->next"),
    ],
)
def test_a_loop_takes_the_step_that_it_tests(loop: str, repair: str, tmp_path: Path) -> None:
    problem = crash(LISTS.replace("LOOP", loop), "walk", tmp_path)
    assert words(problem.program, best(problem)) == repair


def test_what_is_assigned_to_itself_in_a_loop_is_the_fault(tmp_path: Path) -> None:
    program = _with("while (q->next != NULL) q = q;", tmp_path)
    loops = stalled(program, {"walk"})
    [loop] = loops
    [idle] = loop.idle
    code = program.functions["walk"].code
    step = next(s for s in code if isinstance(s, Assign) and s.location == idle)
    gap = next(s for s in code if isinstance(s, Gap) and s.location in loop.inside)
    onward = NewAssignment(step.target, Load(loop.tests[0].left.place))  # type: ignore[union-attr]
    instead, besides = (unmoved(loops, Patch((Edit(at, onward),))) for at in (idle, gap.location))
    assert instead < 0 < besides


TREE = """\
#include <stdlib.h>
struct node { int key; struct node *l, *r; };
static struct node *root;
static void insert(int key)
{
    struct node *at = root, *last = NULL, *n;
    while (at != NULL) {
        last = at;
        if (key < at->key) {
            at = at->l;
        } else if (key > at->key) {
            at = at->r;
        } else if (key == at->key) {
        }
    }
    n = calloc(1, sizeof *n);
    n->key = key;
    if (last == NULL)
        root = n;
    else if (key < last->key)
        last->l = n;
    else if (key > last->key)
        last->r = n;
}
int main(void)
{
    root = calloc(1, sizeof *root);
    root->key = 3;
    insert(3);
    return root->key;
}
"""


def test_what_goes_round_for_ever_moves_on_or_is_left(tmp_path: Path) -> None:
    program = program_of(TREE, tmp_path)
    code = program.functions["insert"].code
    play = Play(program)
    play.enter_function("insert")
    [trace] = unseen(play.problem()).traces
    loop = next(i for i, step in enumerate(code) if isinstance(step, Branch))
    end = End(Position(0, "insert", loop, 4), crashed=True, endless=True)
    trace = replace(trace, events=(end,))
    loops = endless(program, trace)
    assert [text(test) for each in loops for test in each.tests] == ["at != NULL"]
    arm = next(s.location for s in code if isinstance(s, Gap) and program.location(s.location).gap == "block")
    steps = {lvalue_text(s.target) + text(s.value): s for s in code if isinstance(s, Assign)}
    onward, key = steps["atat->l"], steps["n->keykey"]

    def speaks_against(made: NewAssignment | NewReturn) -> float:
        return unmoved(loops, Patch((Edit(arm, made),)))

    step, raised = (NewAssignment(each.target, each.value) for each in (onward, key))
    both = Several((step, raised))
    assert unmoved(loops, Patch((Edit(arm, both),))) == speaks_against(step)
    assert speaks_against(NewAssignment(onward.target, onward.value)) < speaks_against(NewReturn())
    assert speaks_against(NewReturn()) < speaks_against(raised)
