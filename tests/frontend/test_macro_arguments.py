"""Arguments of macros that stand more than once in what these stand for."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.arguments import exchanged, repeated
from wolverine.core.expressions import Expression, text
from wolverine.core.patch import Edit, NewAssignment, NewValue, Patch
from wolverine.core.program import Assign, Branch, Program
from wolverine.errors import SourceError
from wolverine.frontend import describe, parse_expression

TREES = """\
struct tree { int size; struct tree *low, *high; };
#define SIZE(t) ((t) ? (t)->size : 0)
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define LOWER(t) ((t) ? (t)->low : 0)
#define twice(n) twice(n)
void weigh(struct tree *t, struct tree *u, struct tree *low, int n) {
    t->size = SIZE(t->low) + 1;
    u->size = SIZE(u->low) + SIZE(u->low);
    n = MOST(SIZE(t->low), n);
    if (LOWER(low) == t)
        n = MOST(n, 2);
}
int main(void) { return 0; }
"""


def _step(program: Program, line: int) -> tuple[int, Expression]:
    for step in program.functions["weigh"].code:
        if isinstance(step, Assign | Branch) and step.location >= 0:
            where = program.location(step.location)
            if where.line == line and where.kind != "gap":
                return step.location, step.value if isinstance(step, Assign) else step.condition
    raise AssertionError(line)


@pytest.mark.parametrize(
    ("line", "wanted"), [(7, ["t->low"]), (8, []), (9, ["n", "t->low"]), (10, ["low"]), (11, ["2", "n"])]
)
def test_arguments_that_stand_more_than_once(line: int, wanted: list[str], tmp_path: Path) -> None:
    program = program_of(TREES, tmp_path)
    location, value = _step(program, line)
    found = repeated(value, program.location(location).repeated)
    assert sorted(map(text, found)) == wanted


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("SIZE(u->high)", "u->high ? u->high->size : 0"),
        ("MOST(n, SIZE(u))", "n > (u ? u->size : 0) ? n : u ? u->size : 0"),
        ("LOWER(t->low)", "t->low ? t->low->low : 0"),
    ],
)
def test_other_uses_of_a_macro_are_understood(written: str, meant: str, tmp_path: Path) -> None:
    program = program_of(TREES, tmp_path)
    assert text(parse_expression(program, "weigh", written)) == meant


@pytest.mark.parametrize("written", ["SIZE(u, t)", "SIZE(u", "SIZE", "twice(n)"])
def test_what_is_no_such_use(written: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        parse_expression(program_of(TREES, tmp_path), "weigh", written)


@pytest.mark.parametrize(
    ("line", "new", "wanted"),
    [
        (7, "SIZE(u->high) + 1", "t->size = SIZE(u->high) + 1"),
        (7, "(t->high ? t->low->size : 0) + 1", "t->size = (t->high ? t->low->size : 0) + 1"),
        (9, "MOST(SIZE(u->high), n)", "n = MOST(SIZE(u->high), n)"),
        (10, "LOWER(u) == t", "LOWER(u) == t"),
    ],
)
def test_it_is_written_with_the_macro(line: int, new: str, wanted: str, tmp_path: Path) -> None:
    program = program_of(TREES, tmp_path)
    location, _ = _step(program, line)
    step = next(each for each in program.functions["weigh"].code if each.location == location)
    value = parse_expression(program, "weigh", new)
    made = NewAssignment(step.target, value) if isinstance(step, Assign) else NewValue(value)
    assert [each.after for each in describe(program, Patch((Edit(location, made),)))] == [wanted]


def test_what_stands_for_an_argument(tmp_path: Path) -> None:
    program = program_of(TREES, tmp_path)
    _, old = _step(program, 7)
    (argument,) = repeated(old, (("t->low", 2),))

    def _standing(new: str) -> list[str]:
        return [*map(text, exchanged(old, parse_expression(program, "weigh", new), argument))]

    assert _standing("SIZE(t->high) + 1") == ["t->high"]
    assert _standing("(t->high ? t->low->size : 0) + 1") == ["t->high", "t->low"]
    assert _standing("SIZE(t->high) + 2") == []


USES = """\
#include <stddef.h>
struct node { int v; struct node *next; };
#define LINK(x, to) (x)->next = *(to); *(to) = (x);
#define ALL(p, first, body) for (struct node *p = (first); p != NULL; p = p->next) body
#define DEFINE_PUSH(name) static void name(struct node **to, struct node *x) { x->v++; LINK(x, to) }
DEFINE_PUSH(put)
static int sum(struct node **first, struct node *one)
{
    int s = 0;
    LINK(one, first)
    s++;
    ALL(p, *first, { s += p->v; s++; })
    return s;
}
int main(void) { struct node *all = NULL, one = { 1, NULL }; put(&all, &one); return sum(&all, &one); }
"""


def test_nothing_is_inserted_between_what_one_macro_stands_for(tmp_path: Path) -> None:
    program = program_of(USES, tmp_path)
    gaps = [each for each in program.locations if each.kind == "gap" and each.function in ("sum", "put")]
    assert [(each.line, each.gap) for each in gaps] == [(n, "before") for n in (9, 10, 11, 12, 13)]
