"""What a call returns in vain: storing it is near where other calls' results are used."""

from __future__ import annotations

from pathlib import Path

from playing import program_of

from wolverine.core.expressions import LValue, lvalue_text
from wolverine.core.patch import Edit, NewAssignment
from wolverine.core.program import Call, Program
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.score import Scores

INSERT = """#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
struct tree *insert(struct tree *t, int key) {
    if (t == NULL) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else {
        insert(t->right, key);
    }
    return t;
}
int main(void) {
    struct tree *root = insert(NULL, 1);
    insert(root, 2);
    return 0;
}
"""
NOBODY = INSERT.replace("t->left = insert", "insert").replace("root = insert(NULL, 1)", "root = NULL")


def _scores(program: Program) -> dict[str, float]:
    """By place the distance of storing there what `insert(t->right, key)` returns."""
    [location] = [
        each.id
        for each in program.locations
        if each.gap == "result" and each.function == "insert" and "right" in _call(program, each.id)
    ]
    menu = Menus(program).menu(location)
    assert menu is not None
    found: dict[str, float] = {}
    for choice in menu.choices:
        made = choice.replacement
        assert isinstance(made, NewAssignment)
        target: LValue = made.target
        found[lvalue_text(target)] = Scores(program).edit(Edit(location, made))
    return found


def _call(program: Program, location: int) -> str:
    code = program.functions["insert"].code
    index = next(i for i, step in enumerate(code) if step.location == location)
    call = code[index - 1]
    assert isinstance(call, Call)
    return program.location(call.location).text


def test_what_was_passed_takes_the_result_first(tmp_path: Path) -> None:
    scores = _scores(program_of(INSERT, tmp_path))
    assert scores["t->right"] == min(scores.values()) < 1  # nearer than another operand
    assert scores["t->right"] < scores["t->left"]


def test_a_result_that_nobody_uses_is_rather_not_stored(tmp_path: Path) -> None:
    used, unused = _scores(program_of(INSERT, tmp_path)), _scores(program_of(NOBODY, tmp_path))
    assert unused["t->right"] > used["t->right"]
    assert unused["t->right"] > 1
