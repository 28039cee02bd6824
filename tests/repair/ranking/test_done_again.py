"""What has just been done is changed where it stands, and what is checked is not made up."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Binary, Constant, Expression, Load, lvalue_text
from wolverine.core.patch import Edit, Guarded, NewAssignment, NewValue
from wolverine.core.program import Assign, Gap, Program
from wolverine.core.types import INT
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.score import Scores

CARS = """\
#include <stdlib.h>
struct car { int seats; struct car *ahead, *behind; };
struct train { struct car *first, *last; int cars; };
void uncouple(struct train *t, struct car *c)
{
    if (c->behind)
        c->behind->ahead = c;
    else
        t->last = c->ahead;
    t->cars--;
    free(c);
}
int main(void) { return 0; }
"""


def parsed(program: Program, function: str, source: str) -> Expression:
    return parse_expression(program, function, source)


def assigning(program: Program, function: str, target: str, value: str) -> NewAssignment:
    place = parsed(program, function, target)
    assert isinstance(place, Load)
    return NewAssignment(place.place, parsed(program, function, value))


def test_what_was_just_set_in_either_case_is_set_right_there(tmp_path: Path) -> None:
    program = program_of(CARS, tmp_path)
    code = program.functions["uncouple"].code
    setting = next(s for s in code if isinstance(s, Assign) and lvalue_text(s.target) == "c->behind->ahead")
    gap = [step for step in code if isinstance(step, Gap)][-2]  # in front of `free`
    right = assigning(program, "uncouple", "c->behind->ahead", "c->ahead")
    other = assigning(program, "uncouple", "t->last", "c->ahead")
    fork = Guarded(parsed(program, "uncouple", "c->behind"), right, other)
    scores = Scores(program)
    there, again = scores.edit(Edit(setting.location, right)), scores.edit(Edit(gap.location, fork))
    assert again > there + 0.5


def test_it_is_not_so_where_one_case_sets_nothing(tmp_path: Path) -> None:
    found = []
    for source in (CARS, CARS.replace("    else\n        t->last = c->ahead;\n", "")):
        program = program_of(source, tmp_path)
        gap = [step for step in program.functions["uncouple"].code if isinstance(step, Gap)][-2]
        right = assigning(program, "uncouple", "c->behind->ahead", "c->ahead")
        other = assigning(program, "uncouple", "t->last", "c->ahead")
        fork = Guarded(parsed(program, "uncouple", "c->behind"), right, other)
        found.append(Scores(program).edit(Edit(gap.location, fork)))
    assert found[1] < found[0] - 0.5


TOLLS = """\
#include <assert.h>
struct toll { int due; struct toll *next; };
int main(void)
{
    struct toll last = {2, 0}, first = {3, &last}, *at;
    int table[] = {4, 6};
    int paid = START;
    for (at = &first; at; at = at->next)
        paid++;
    for (int i = 0; i < 2; i++)
        first.due = table[i];
    assert(paid == 3);
    return 0;
}
"""


def beginning(program: Program, number: int) -> float:
    code = program.functions["main"].code
    step = next(s for s in code if isinstance(s, Assign) and lvalue_text(s.target) == "paid")
    return Scores(program).edit(Edit(step.location, NewValue(Constant(number, INT))))


def test_what_is_counted_and_checked_begins_with_no_other_number(tmp_path: Path) -> None:
    program = program_of(TOLLS.replace("START", "0"), tmp_path)
    assert beginning(program, 2) > beginning(program, 1) + 1.0
    down = program_of(TOLLS.replace("START", "5"), tmp_path)  # this one does
    assert beginning(down, 4) < beginning(program, 4) - 1.0


@pytest.mark.parametrize("tested", [False, True])
def test_nor_is_it_set_to_what_comes_to_it(tmp_path: Path, tested: bool) -> None:
    program = program_of(TOLLS.replace("START", "0"), tmp_path)
    gap = [step for step in program.functions["main"].code if isinstance(step, Gap)][-1]
    at, paid = parsed(program, "main", "at"), parsed(program, "main", "paid")
    assert isinstance(paid, Load)
    found = []
    for number in (1, 3):
        made = NewAssignment(paid.place, Constant(number, INT))
        test = Binary("==", at, Constant(0, at.type), INT)
        found.append(Scores(program).edit(Edit(gap.location, Guarded(test, made) if tested else made)))
    assert found[1] > found[0] + 1.0


def test_an_array_of_numbers_is_read_as_it_is(tmp_path: Path) -> None:
    """What `main` fills nodes with is what the program is tried with."""
    found = []
    for more in ("", "    first.due = table[1];\n"):
        source = TOLLS.replace("START", "0").replace("    assert", f"{more}    assert")
        program = program_of(source, tmp_path)
        code = program.functions["main"].code
        step = next(s for s in code if isinstance(s, Assign) and lvalue_text(s.target) == "first.due")
        filling = [s for s in code if isinstance(s, Assign) and lvalue_text(s.target) == "first.due"]
        step = filling[-2 if more else -1]
        made = NewAssignment(step.target, parsed(program, "main", "paid"))
        found.append(Scores(program).edit(Edit(step.location, made)))
    assert found[0] > found[1] + 0.5


TURN = """\
struct fork { int high; struct fork *low, *up; };
static void measure(struct fork *f) { f->high = f->low ? f->low->high + 1 : 1; }
static void turn(struct fork *first, struct fork *second)
{
    second->low = first;
    measure(second);
    MIDDLE
    measure(first);
}
int main(void)
{
    struct fork one = {0}, two = {0};
    turn(&one, &two);
    return two.high;
}
"""


def test_the_same_call_is_not_made_twice_in_a_row(tmp_path: Path) -> None:
    found = []
    for middle in ("", "second->up = first;"):
        program = program_of(TURN.replace("MIDDLE", middle), tmp_path)
        first = min(
            each.id for each in program.locations if each.kind == "argument" and each.text == "second"
        )
        found.append(Scores(program).edit(Edit(first, NewValue(parsed(program, "turn", "first")))))
    assert found[0] > found[1] + 0.5
