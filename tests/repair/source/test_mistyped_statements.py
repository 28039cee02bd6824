"""Statements whose two sides are of types that do not go together."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import best, crash, program_of

from wolverine.core.patch import Deletion, Edit, NewValue, Patch
from wolverine.core.program import Assign
from wolverine.frontend import emit, parse_expression
from wolverine.repair.source.mistyped import mends_types, mistyped, mixes_truths

COINS = """\
struct purse { struct coin *first; };
struct coin { long worth; struct coin *next; struct purse *in; void *mark; };
static long work(struct coin *c) {
    long n = 0;
    c = c->next;
    c = c->worth; /* wrong */
    c = (struct coin *)c->worth;
    c = c->mark;
    c = c->in; /* wrong */
    c = 0;
    n = c->next; /* wrong */
    return n;
}
int main(void) { return (int)work(0); }
"""


def test_what_is_assigned_is_of_another_type(tmp_path: Path) -> None:
    program = program_of(COINS, tmp_path)
    lines = {program.location(each).line for each in mistyped(program)}
    assert lines == {n for n, line in enumerate(COINS.splitlines(), 1) if "wrong" in line}


@pytest.mark.parametrize(
    ("line", "value", "mends"), [(6, "c->next", True), (9, "c->next", True), (5, "c", False)]
)
def test_a_value_of_the_right_type_mends_that(line: int, value: str, mends: bool, tmp_path: Path) -> None:
    program = program_of(COINS, tmp_path)
    wrong = mistyped(program)
    at = next(e.id for e in program.locations if (e.line, e.kind) == (line, "assignment"))
    made = NewValue(parse_expression(program, "work", value))
    assert mends_types(Patch((Edit(at, made),)), wrong) is mends
    assert not mends_types(Patch((Edit(at, Deletion()),)), wrong)


SHELF = """\
#include <stdlib.h>
struct book { int number; struct book *under, *beside; };
static struct book *shelf;
static struct book *found(struct book *b, int number)
{
    struct book *it;
    for (; b != NULL; b = b->beside) {
        if (b->number == number)
            return b;
        it = found(b->under, number);
        if (it != NULL)
            return it;
    }
    return NULL;
}
int main(void)
{
    shelf = calloc(1, sizeof *shelf);
    shelf->number = 1;
    shelf->under = calloc(1, sizeof *shelf);
    shelf->under->number = 3;
    return found(shelf, 3)->number;
}
"""


def test_of_two_arguments_in_the_wrong_order_not_one_is_mended(tmp_path: Path) -> None:
    written = SHELF.replace("found(b->under, number)", "found(number, b->under)")
    problem = crash(written, "main", tmp_path)
    assert emit(problem.program, best(problem).patch)[0].decode() == SHELF  # type: ignore[arg-type]
    program = program_of(written, tmp_path)
    wrong = mistyped(program)
    first, second = (
        Edit(at, NewValue(parse_expression(program, "found", value)))
        for at, value in zip(sorted(wrong), ("b->under", "number"), strict=True)
    )
    assert mends_types(Patch((first, second)), wrong)
    assert not mends_types(Patch((first,)), wrong)


TRUTHS = """\
#include <stdbool.h>
static int work(bool *seen, bool done, int n) {
    seen[n] = true;
    seen[n] = done;
    seen[n] = n > 2;
    seen[n] = !n;
    n = n + 1;
    n = done; /* wrong */
    seen[n] = n; /* wrong */
    seen[n] = seen[n] + 1; /* wrong */
    return n;
}
int main(void) { bool seen[9] = { 0 }; return work(seen, false, 3); }
"""


def test_truths_are_no_numbers(tmp_path: Path) -> None:
    program = program_of(TRUTHS, tmp_path)
    found = {
        program.location(step.location).line
        for step in program.functions["work"].code
        if isinstance(step, Assign) and mixes_truths(step.target.type, step.value)
    }
    assert found == {n for n, line in enumerate(TRUTHS.splitlines(), 1) if "wrong" in line}
