"""A step that was copied for a second list is renamed throughout; a step is no value that was kept before."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import best, program_of, words
from playing import crash as crash_of

from wolverine.core.expressions import Load, lvalue_text
from wolverine.core.patch import Edit, NewAssignment
from wolverine.core.program import Assign, Program
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.oddity import began_with
from wolverine.repair.ranking.score import Scores

ALIKE = """\
#include <stdlib.h>
struct node { int key; struct node *rest; };
static int alike(struct node *a, struct node *b)
{
    while (a != NULL && b != NULL) {
        if (a->key != b->key)
            return 0;
        STEPS
    }
    return a == b;
}
int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->key = b->key = 3;
    a->rest = b->rest = NULL;
    return alike(a, b);
}
"""


def test_the_copy_leads_its_own_variable_on(tmp_path: Path) -> None:
    problem = crash_of(ALIKE.replace("STEPS", "a = a->rest; b = a->rest;"), "alike", tmp_path)
    found = best(problem)
    [edit] = found.patch.edits
    assert words(problem.program, found) == "b = b->rest"
    assert problem.program.location(edit.location).text == "b = a->rest"


def near(program: Program, function: str, old: tuple[str, str], new: tuple[str, str]) -> float:
    """How near an assignment is in the place of another one."""
    [step] = [
        s
        for s in program.functions[function].code
        if isinstance(s, Assign)
        and lvalue_text(s.target) == old[0]
        and s.value == parse_expression(program, function, old[1])
    ]
    target, value = (parse_expression(program, function, each) for each in new)
    assert isinstance(target, Load)
    return Scores(program).edit(Edit(step.location, NewAssignment(target.place, value)))


@pytest.mark.parametrize(
    ("steps", "asked", "old", "copied"),
    [
        ("a = a->rest; b = a->rest;", "a && b", ("b", "a->rest"), True),
        ("b = a->rest; a = a->rest;", "a && b", ("b", "a->rest"), True),
        ("a = a->rest; a = b->rest;", "a && b", ("a", "b->rest"), True),
        ("b = a->rest; a->key++; a = a->rest;", "a && b", ("b", "a->rest"), False),  # not side by side
        ("a = a->rest; b = a->rest;", "a", ("b", "a->rest"), False),  # it runs ahead in one list
        ("if (a->key) b = b->rest; else { a = a->rest; b = a->rest; }", "a", ("b", "a->rest"), True),
    ],
)
def test_it_stands_beside_the_step_of_a_list_that_goes_along(
    steps: str, asked: str, old: tuple[str, str], copied: bool, tmp_path: Path
) -> None:
    text = ALIKE.replace("STEPS", steps).replace("a != NULL && b != NULL", asked)
    distance = near(program_of(text, tmp_path), "alike", old, ("b", "b->rest"))
    assert distance < 0.6 if copied else distance > 0.9


def test_a_step_is_no_value_that_a_variable_was_first_given(tmp_path: Path) -> None:
    text = """\
struct node { int key; struct node *rest; };
int last(struct node *a, struct node *b, struct node *c)
{
    c = a->rest;
    a = a->rest;
    b = a->rest;
    return a == b || a == c;
}
int main(void) { return 0; }
"""
    program = program_of(text, tmp_path)
    code = program.functions["last"].code
    a, b, c, rest = (parse_expression(program, "last", each) for each in ("a", "b", "c", "a->rest"))
    first, second = (
        i for i, s in enumerate(code) if isinstance(s, Assign) and lvalue_text(s.target) in ("a", "b")
    )
    assert began_with(code, first, c, rest)  # which stands there since
    assert not began_with(code, second, a, rest)
    assert not began_with(code, first, b, rest)  # it is given that later
