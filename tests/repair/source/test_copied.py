"""Comparisons that were copied, with neither their field nor their variable changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, unseen, words

from wolverine.core.expressions import text
from wolverine.core.program import Branch
from wolverine.repair.source.copied import is_copy, of_another_field

STAFF = """\
#include <stdlib.h>
struct man { int age, pay; struct man *older, *richer; };
static void engage(struct man *by_age, struct man *by_pay, int age, int pay)
{
    struct man *m = malloc(sizeof *m), *at;
    m->age = age;
    m->pay = pay;
    for (at = by_age; at->older != NULL && at->older->age < age; at = at->older)
        ;
    m->older = at->older;
    at->older = m;
    for (at = by_pay; at->richer != NULL && at->richer->WHAT; at = at->richer)
        ;
    m->richer = at->richer;
    at->richer = m;
    if (by_pay->pay > pay)
        abort();
}
int main(void)
{
    struct man *first = calloc(1, sizeof *first);
    engage(first, first, 30, 500);
    engage(first, first, 40, 300);
    engage(first, first, 50, 700);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("what", "other", "copy"), [("age < age", "pay < pay", True), ("pay < pay", "age < age", False)]
)
def test_field_and_variable_change_together(what: str, other: str, copy: bool, tmp_path: Path) -> None:
    program = program_of(STAFF.replace("WHAT", what), tmp_path)
    code = program.functions["engage"].code
    [(index, condition)] = [
        (at, step.condition)
        for at, step in enumerate(code)
        if isinstance(step, Branch) and "at->richer->" in text(step.condition)
    ]
    assert f"at->richer->{other}" in " | ".join(map(text, of_another_field(code, index, condition)))
    assert is_copy(code, index, condition) is copy


def test_the_copy_is_mended(tmp_path: Path) -> None:
    play = Play(program_of(STAFF.replace("WHAT", "age < age"), tmp_path))
    play.open()
    for _ in range(2):
        play.enter_function("engage")
        play.to(16)
    play.change("n1->richer", "n3")
    play.change("n3->richer", "n2")
    play.change("n2->richer", "null")
    play.change("at", "n1")
    play.spec()
    assert "at->richer->pay < pay" in words(play.program, best(unseen(play.problem())))


PLACES = """\
#include <stdlib.h>
struct seat { int row, number, fee; struct seat *along, *behind; };
struct hall { struct seat *rows[4], *columns[4]; };
static void sell(struct hall *hall, int row, int number, int fee)
{
    struct seat **at, *sold;
    for (at = &hall->rows[row]; *at != NULL && (*at)->number < number; at = &(*at)->along)
        ;
    if (*at != NULL && (*at)->number == number) {
        (*at)->fee = fee;
        return;
    }
    sold = malloc(sizeof *sold);
    sold->row = row;
    sold->number = number;
    sold->fee = fee;
    sold->along = *at;
    *at = sold;
    for (at = &hall->columns[number]; *at != NULL && (*at)->number < number; at = &(*at)->behind)
        ;
    sold->behind = *at;
    *at = sold;
}
int main(void)
{
    struct hall *hall = calloc(1, sizeof *hall);
    sell(hall, 0, 1, 5);
    sell(hall, 2, 1, 8);
    return 0;
}
"""


def test_the_same_comparison_in_a_loop_over_another_link(tmp_path: Path) -> None:
    """Where the other field is compared with nothing, it is told by what it is set to; fees are set twice."""
    program = program_of(PLACES, tmp_path)
    code = program.functions["sell"].code
    _, found = [
        (at, step.condition)
        for at, step in enumerate(code)
        if isinstance(step, Branch) and "number < number" in text(step.condition)
    ]
    assert is_copy(code, *found)
    assert "row < row" in " | ".join(map(text, of_another_field(code, *found)))
    assert "fee" not in " | ".join(map(text, of_another_field(code, *found)))


def test_it_is_mended(tmp_path: Path) -> None:
    play = Play(program_of(PLACES, tmp_path))
    play.to(28)
    play.enter_function("sell")
    play.to(29, "main")
    play.change("n1+40", "n2")
    play.change("n2->behind", "n3")
    play.change("n3->behind", "null")
    play.spec()
    assert "row < row" in words(play.program, best(unseen(play.problem())))
