"""What changes together in one node."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import lvalue_text, text
from wolverine.core.program import Assign, Gap
from wolverine.frontend import parse_expression
from wolverine.repair.source.parallel import parallel, parallels

TREE = """\
struct tree { int key, value, size; struct tree *left, *right; };
void take_over(struct tree *t, struct tree *least)
{
    t->key = least->key;
    least->left = t->left;
}
int main(void) { struct tree a = {0}, b = {1}; take_over(&a, &b); return a.key; }
"""


@pytest.mark.parametrize(
    ("target", "value", "likely"),
    [
        ("t->value", "least->value", True),
        ("t->value", "least->size", False),
        ("least->value", "t->value", True),
        ("t->right", "least->right", True),
        ("t->key", "least->key", False),
    ],
)
def test_fields_are_copied_with_one_another(target: str, value: str, likely: bool, tmp_path: Path) -> None:
    program = program_of(TREE, tmp_path)
    code = program.functions["take_over"].code
    gap = next(i for i, s in enumerate(code) if isinstance(s, Gap) and isinstance(code[i - 1], Assign))
    place, held = (parse_expression(program, "take_over", each) for each in (target, value))
    assert (parallel(code, gap, place.place, held) < 0) is likely  # type: ignore[union-attr]


CLOCK = """\
struct task { int left, spent; struct task *next; };
int turn(struct task *t, int most)
{
    int time = 0, part = most;
    t->spent = 0;
    if (t->left < most)
        part = t->left;
    time += part;
    time += t->spent;
    return time;
}
int main(void) { struct task a = {3}; return turn(&a, 2); }
"""


def test_what_a_variable_counts_a_node_may_have_to_give(tmp_path: Path) -> None:
    program = program_of(CLOCK, tmp_path)
    function = program.functions["turn"]
    made = {f"{lvalue_text(each.target)} = {text(each.value)}" for each in parallels(program.types, function)}
    named = {"t->left", "t->spent"}
    assert made == {f"{place} = {place} {operator} part" for place in named for operator in "+-"}
    at = next(i for i, s in enumerate(function.code) if isinstance(s, Assign) and "+ part" in text(s.value))
    gaps = [i for i, s in enumerate(function.code) if isinstance(s, Gap)]
    each = next(m for m in parallels(program.types, function) if text(m.value) == "t->left - part")
    beside, elsewhere = (parallel(function.code, i, each.target, each.value) for i in (at + 1, gaps[0]))
    assert at + 1 in gaps
    assert beside < elsewhere < 0


QUEUE = """\
struct row { int width; struct cell *last; struct row *prev, *next; };
struct cell { struct cell *right; };
void leave(struct row *r)
{
    r->next->prev = r->prev;
}
int main(void) { struct row a = {0}, b = {0}; a.next = &b; leave(&a); return 0; }
"""


def test_what_takes_a_node_out_of_its_list_copies_nothing(tmp_path: Path) -> None:
    program = program_of(QUEUE, tmp_path)
    code = program.functions["leave"].code
    place, held = (parse_expression(program, "leave", each) for each in ("r->next->last", "r->last"))
    assert not parallel(code, 0, place.place, held)  # type: ignore[union-attr]
