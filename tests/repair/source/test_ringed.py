"""Tests of what ends a walk round a ring."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import VariableReference, text
from wolverine.core.program import Branch
from wolverine.frontend import parse_expression
from wolverine.repair.source.ringed import alters_sought, come_round, comes_round

RING = """\
struct seat { int guest; struct seat *left; };
struct table { struct seat *first; int seats; };
static int find(struct table *t, int guest) {
    struct seat *s, *other = 0;
    int steps = 0;
    s = t->first;
    while (s->guest != guest) {
        steps++;
        s = s->left;
    }
    return steps + (other != 0);
}
int main(void) { return 0; }
"""


def test_the_loop_may_ask_whether_it_has_come_round(tmp_path: Path) -> None:
    program = program_of(RING, tmp_path)
    function = program.functions["find"]
    branch = next(i for i, step in enumerate(function.code) if isinstance(step, Branch))
    scope = program.location(function.code[branch].location).scope
    found = [text(each) for each in come_round(function, branch, scope)]
    assert found[:2] == ["s->guest != guest && s->left != t->first", "s->left != t->first"]
    assert "s->left != other" in found


@pytest.mark.parametrize(
    ("condition", "round_"),
    [
        ("s->guest != guest && s->left != t->first", True),
        ("s->guest != guest && s->left != other", False),
        ("s->left != t->first", False),
        ("s->guest != guest || s->left != t->first", False),
    ],
)
def test_it_has_come_round_where_it_began(condition: str, round_: bool, tmp_path: Path) -> None:
    program = program_of(RING, tmp_path)
    function = program.functions["find"]
    branch = next(i for i, step in enumerate(function.code) if isinstance(step, Branch))
    new = parse_expression(program, "find", condition)
    location = function.code[branch].location
    assert comes_round(function, branch, location, new) is round_
    assert not comes_round(function, branch, -2, new)


def test_what_is_looked_for_stays(tmp_path: Path) -> None:
    program = program_of(RING, tmp_path)
    function = program.functions["find"]
    branch = next(i for i, step in enumerate(function.code) if isinstance(step, Branch))
    names = {v.name: v for v in (*function.parameters, *function.locals) if isinstance(v, VariableReference)}
    assert alters_sought(function, branch + 1, names["guest"])
    assert not alters_sought(function, branch + 1, names["steps"])
    assert not alters_sought(function, 0, names["guest"])
