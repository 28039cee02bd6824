"""Distances of conditions."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import crash, program_of, words

from wolverine.core.expressions import (
    Binary,
    Constant,
    Expression,
    Load,
    Logical,
    VariableReference,
    variables,
)
from wolverine.core.patch import Repairs
from wolverine.core.program import Branch
from wolverine.core.types import INT, PointerType
from wolverine.frontend import parse_expression
from wolverine.repair import search
from wolverine.repair.ranking.distance import (
    assignment_distance,
    condition_distance,
    distance,
    looks_again,
    looks_first,
    of_another_kind,
    parts_tests,
)

NODE = PointerType(INT)


def _test(name: str, operator: str) -> Expression:
    return Binary(operator, Load(VariableReference(name, NODE)), Constant(0, NODE), INT)


@pytest.mark.parametrize(
    ("operator", "one", "two", "parted"),
    [
        ("&&", ("a", "!="), ("b", "=="), True),
        ("&&", ("a", "=="), ("b", "!="), True),
        ("||", ("a", "=="), ("b", "=="), False),
        ("&&", ("a", "!="), ("b", "!="), False),
        ("&&", ("a", "=="), ("c", "!="), False),
    ],
)
def test_two_tests_for_null_that_are_no_more_alike(
    operator: str, one: tuple[str, str], two: tuple[str, str], parted: bool
) -> None:
    before = Logical("&&", _test("a", "=="), _test("b", "=="))
    assert parts_tests(before, Logical(operator, _test(*one), _test(*two))) is parted
    assert not parts_tests(Logical("&&", _test("a", "=="), _test("b", "!=")), before)


ROWS = """\
struct block { int at, len; };
struct rows { int top; struct block *row[8]; };
static int look(struct rows *r, struct block *b, struct block *c, int len, int n) {
    return r->row[n] != 0 && b->at + c->len == len;
}
int main(void) { return look(0, 0, 0, 1, 2); }
"""


@pytest.mark.parametrize(
    ("condition", "nearer", "farther"),
    [
        ("r->row[r->top - 1] != 0", "r->row[r->top - 1] == 0", "r->row[0] != 0"),
        ("r->row[r->top - 1] != 0", "r->row[r->top - 1] == 0", "r->row[r->top - r->top] != 0"),
        ("r->row[r->top - 1] != 0", "r->row[n] != 0", "r->row[1 - 1] != 0"),
        ("n % 2 != 0", "n % 2 == 0", "n % 2 != 1"),
        ("n % 2 != 0", "n % 2 == 0", "n / 2 != 0"),
        ("n / 2 != 0", "(n - 1) / 2 != 0", "n / 3 != 0"),
        ("b->at + len == c->at", "b->at + b->len == c->at", "b->at + len != c->at"),
        ("b->at + len == c->at", "b->at + b->len == c->at", "b->at + b->at == c->at"),
        ("b->at + b->len == c->at", "b->at + len == c->at", "b->at + n == c->at"),
    ],
)
def test_slips_that_are_nearer_than_others(condition: str, nearer: str, farther: str, tmp_path: Path) -> None:
    program = program_of(ROWS, tmp_path)
    before, one, other = (parse_expression(program, "look", each) for each in (condition, nearer, farther))
    assert condition_distance(before, one) < condition_distance(before, other)


SHELVES = """\
struct shelf { int books; struct shelf *next; };
static void enter(struct shelf **there) { *there = 0; }
static int count(struct shelf *s, int n)
{
    int found = 0;
    LOOP
    return found;
}
int main(void) { return count(0, 3); }
"""


@pytest.mark.parametrize(
    ("loop", "again"),
    [
        ("for (int i = 0; i < s->books; i++) found++;", True),
        ("for (int i = 0; i < s->books; i++) while (n > i) n--;", True),
        ("while (n < s->books) s = s->next;", False),
        ("while (n < s->books) { if (n > 2) s = s->next; n++; }", False),
        ("while (n < s->books) enter(&s);", False),
    ],
)
def test_a_loop_that_asks_again_what_no_round_changes(loop: str, again: bool, tmp_path: Path) -> None:
    program = program_of(SHELVES.replace("LOOP", loop), tmp_path)
    code = program.functions["count"].code
    index, asked = next(
        (at, s.condition)
        for at, s in enumerate(code)
        if isinstance(s, Branch) and "s" in variables(s.condition)
    )
    test = parse_expression(program, "count", "s != 0")
    assert looks_first(asked, Logical("&&", test, asked))
    assert looks_again(code, index, Logical("&&", test, asked)) is again


CRATES = """\
#include <stdlib.h>
struct crate { int rows; struct crate *under[3]; };
static int lift(struct crate *top)
{
    struct crate *c;
    c = top->under[0];
    for (int i = 0; i < c->rows; i++)
        top->under[i] = c->under[i];
    free(c);
    return 1;
}
int main(void)
{
    struct crate *floor = calloc(1, sizeof *floor);
    floor->rows = 3;
    return lift(floor);
}
"""


def test_what_is_asked_before_the_loop_is_nearer(tmp_path: Path) -> None:
    problem = crash(CRATES, "lift", tmp_path)
    answer = search(problem)
    assert isinstance(answer, Repairs)
    found = [words(problem.program, each) for each in answer.candidates]
    assert found.index("if (c == NULL) return 0") < found.index("c != NULL && i < c->rows")


LETTERS = """\
struct node { char letter; struct node *next; };
int before(struct node *p, struct node *q) { return p->letter - q->letter < 0; }
int main(void) { return 0; }
"""


def test_a_difference_is_compared_with_zero(tmp_path: Path) -> None:
    program = program_of(LETTERS, tmp_path)
    old, another, shifted = (
        parse_expression(program, "before", each)
        for each in (
            "p->letter - q->letter < 0",
            "p->next->letter - q->letter < 0",
            "p->letter - q->letter < -1",
        )
    )
    assert condition_distance(old, another) < condition_distance(old, shifted)


COUNTS = """\
struct sign { unsigned char code; unsigned count; struct sign *next; };
int before(struct sign *p, struct sign *q) { return p->count < q->count || p->code == q->code; }
int main(void) { return 0; }
"""


def test_fields_of_two_sizes_are_mixed_as_well(tmp_path: Path) -> None:
    """A narrow number is made wider before it is compared with another field."""
    program = program_of(COUNTS, tmp_path)
    old, further, mixed = (
        parse_expression(program, "before", each)
        for each in ("p->count < q->count", "p->next->count < q->count", "p->code < q->count")
    )
    assert condition_distance(old, further) < condition_distance(old, mixed)


COLOURS = """\
enum colour { RED, BLACK };
struct node { enum colour colour; };
int before(struct node *n) { return n->colour == RED; }
int main(void) { return 0; }
"""


def test_what_had_a_name_becomes_something_with_a_name(tmp_path: Path) -> None:
    program = program_of(COLOURS, tmp_path)
    old, named, number = (
        parse_expression(program, "before", f"n->colour == {each}") for each in ("RED", "BLACK", "1")
    )
    assert condition_distance(old, named) < condition_distance(old, number)


TALLY = """struct team { int won, played; struct team *league; };
void leave(struct team *t) { t->league->won -= t->won; }
int main(void) { return 0; }
"""


def test_a_field_is_reckoned_with_the_same_one_of_another_node(tmp_path: Path) -> None:
    program = program_of(TALLY, tmp_path)
    held, *others = (
        parse_expression(program, "leave", each)
        for each in (
            "t->league->won - t->won",
            "t->league->won - t->played",
            "t->league->won - (t->won + 1)",
            "t->league->won + t->won",
            "t->league->played - t->won",
        )
    )
    assert isinstance(held, Binary) and isinstance(held.left, Load)
    assert [of_another_kind(held.left.place, held, each) for each in others] == [True, False, False, False]


def test_a_field_is_hardly_added_to_itself(tmp_path: Path) -> None:
    program = program_of(TALLY, tmp_path)
    held, itself, another = (
        parse_expression(program, "leave", f"t->won + {each}")
        for each in ("t->league->won", "t->won", "t->league->league->won")
    )
    assert isinstance(held, Binary) and isinstance(held.left, Load)
    place = held.left.place
    doubled, added = (assignment_distance(place, held, place, each)[1] for each in (itself, another))
    assert added < doubled


TERMS = """struct term {
    int kind;
    union { struct { struct term *left, *right; } pair; struct term *inner; } is;
};
int depth(struct term *t) { return t->is.pair.left != 0; }
int main(void) { return 0; }
"""


def test_a_member_of_a_union_is_one_field_however_deep_it_lies(tmp_path: Path) -> None:
    program = program_of(TERMS, tmp_path)
    held, inner, same, further = (
        parse_expression(program, "depth", f"t->is.{each}")
        for each in ("pair.left", "inner", "pair.right", "inner->is.inner")
    )
    assert distance(held, inner) <= distance(held, same) + 0.1
    assert distance(held, inner) < distance(held, further)
