"""What a loop carries on and does not read is added where it is forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, words

DIGITS = """\
#include <stdlib.h>
struct digit { int value; struct digit *more; };
int last;
void triple(struct digit *d)
{
    int over = 0;
    while (d != 0) {
        int all = d->value * 3;
        d->value = all % 10;
        over = all / 10;
        d = d->more;
    }
    last = over;
}
struct digit *digit(int value, struct digit *more)
{
    struct digit *d = malloc(sizeof *d);
    d->value = value;
    d->more = more;
    return d;
}
int main(void)
{
    struct digit *number = digit(6, digit(3, digit(5, 0)));
    triple(number);
    return last;
}
"""
PASSED = DIGITS.replace("int all = d->value * 3;", "int all = 0;\n        all = d->value * 3;")


def repaired(text: str, line: int, folder: Path) -> str:
    """What comes first where the digits behind the carried ones are shown."""
    play = Play(program_of(text, folder))
    play.enter_function("triple")
    play.to(line)
    for place, value in (("n2->value", "0"), ("n1->value", "6"), ("all", "16")):
        play.change(place, value)
    play.spec()
    problem = play.problem()
    return words(problem.program, best(problem))


@pytest.mark.parametrize(("text", "line"), [(DIGITS, 13), (PASSED, 14)])
def test_the_carry_is_added(text: str, line: int, tmp_path: Path) -> None:
    assert repaired(text, line, tmp_path).endswith("d->value * 3 + over")


@pytest.mark.thorough
def test_what_the_loop_reads_is_not_forgotten(tmp_path: Path) -> None:
    assert "3 + over" not in repaired(DIGITS.replace("% 10;", "% 10 + over * 0;"), 13, tmp_path)
