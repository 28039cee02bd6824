"""What `search` does about a call of the wrong function."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, best, program_of, unseen, words

from wolverine.core.patch import OtherFunction, Repairs
from wolverine.core.program import Call
from wolverine.core.trace import Problem
from wolverine.frontend import check, emit
from wolverine.repair import search
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.distance import called_distance

TREE = """\
#include <stdlib.h>
typedef struct tree { int k; struct tree *left, *right; } tree;
static tree *make(int k, tree *left, tree *right)
{
    tree *t = malloc(sizeof *t);
    t->k = k;
    t->left = left;
    t->right = right;
    return t;
}
static tree *leftmost(tree *t) { while (t->left) t = t->left; return t; }
static tree *rightmost(tree *t) { while (t->right) t = t->right; return t; }
static tree *root;
static int size(tree *t) { return t ? 1 + size(t->left) + size(t->right) : 0; }
static void above(tree *t)
{
    t->k = rightmost(t->right)->k;
}
static void turn_left(tree **t) { tree *r = (*t)->right; (*t)->right = r->left; r->left = *t; *t = r; }
static void turn_right(tree **t) { tree *r = (*t)->left; (*t)->left = r->right; r->right = *t; *t = r; }
static void raise(tree **t)
{
    turn_left(t);
}
int main(void)
{
    root = make(4, make(2, 0, 0), make(8, make(6, 0, 0), make(9, 0, 0)));
    above(root);
    raise(&root);
    return leftmost(root)->k + rightmost(root)->k + size(root);
}
"""


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    """The key above should be the next one, not the last one."""
    play = Play(program_of(TREE, tmp_path))
    play.enter_function("above")
    play.to(18)
    play.change("n5->k", "6")
    play.spec()
    return play.problem()


def test_inside_an_expression(problem: Problem) -> None:
    found = best(unseen(problem))
    assert [edit.replacement for edit in found.patch.edits] == [OtherFunction("leftmost")]
    check(problem.program, found.patch)
    assert b"t->k = leftmost(t->right)->k;" in emit(problem.program, found.patch)[0]


def test_a_statement(tmp_path: Path) -> None:
    play = Play(program_of(TREE, tmp_path))
    play.enter_function("raise")
    play.to(24)
    right = {"n5->left": "null", "n5->right": "n3", "n3->left": "n2", "n4->right": "n5", "root": "n4"}
    for where, value in right.items():
        play.change(where, value)
    play.spec()
    problem = play.problem()
    assert OtherFunction("turn_right") in [e.replacement for e in best(problem).patch.edits]


def test_loops_of_the_wrong_function_were_seen_going_round(problem: Problem) -> None:
    """No call of the other function goes round them; nothing but the call may change."""
    calls = frozenset(each.id for each in problem.program.locations if each.kind == "callee")
    found = search(replace(problem, editable=calls))
    assert isinstance(found, Repairs)
    assert found.own_control
    assert [words(problem.program, each) for each in found.candidates] == ["leftmost"]


def test_the_functions_that_may_be_meant(tmp_path: Path) -> None:
    program = program_of(TREE, tmp_path)
    kinds = {each.text: each.kind for each in program.locations if each.text.endswith(")")}
    assert kinds["rightmost(t->right)"] == "callee"
    assert kinds["size(t->left)"] == "fixed"  # no other function takes a tree and returns a number
    assert kinds["turn_left(t)"] == "call"


def test_names_that_mirror_each_other_are_near() -> None:
    assert called_distance("rotateLeft", "rotateRight") < called_distance("rotateLeft", "rotateTwice")
    assert called_distance("rotateLeft", "rotateTwice") < called_distance("rotateLeft", "minimum")


FREEING = """\
#include <stdlib.h>
struct tree { struct tree *left, *right; };
static void fell(struct tree *t) { if (t) { fell(t->left); free(t->right); free(t); } }
static void forget(char *text) { free(text); }
static int count(struct tree *t) { return t ? 1 + count(t->left) : 0; }
int main(void)
{
    fell(malloc(sizeof(struct tree)));
    forget(NULL);
    return count(NULL);
}
"""


def test_who_frees_a_node_calls_free_or_what_frees_more(tmp_path: Path) -> None:
    program = program_of(FREEING, tmp_path)
    menus = Menus(program, calls=True)
    offered = {
        (program.location(step.location).text.partition("(")[0], called)
        for function in program.functions.values()
        for step in function.code
        if isinstance(step, Call) and (menu := menus.menu(step.location)) is not None
        for each in menu.choices
        if isinstance(each.replacement, OtherFunction)
        for called in [each.replacement.function]
    }
    assert offered == {("free", "fell"), ("free", "forget"), ("fell", "free"), ("forget", "free")}
