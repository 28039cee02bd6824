"""A number of which each round takes the last digit goes on to the next one."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, words

from wolverine.core.expressions import text
from wolverine.repair.source.digits import next_digits, passed_on

STRIPES = """\
#include <stdlib.h>
struct stripe { unsigned colour; struct stripe *next; };
struct stripe *paint(unsigned code)
{
    struct stripe *first = NULL;
    while (code != 0) {
        struct stripe *s = malloc(sizeof *s);
        s->colour = TAKEN;
        STEP
        s->next = first;
        first = s;
    }
    return first;
}
int main(void)
{
    struct stripe *flag = paint(27);
    return flag->colour;
}
"""


@pytest.mark.parametrize(
    ("taken", "step", "wanted"),
    [
        ("code % 7", ";", "code = code / 7"),
        ("code % 7", "code /= 2;", "code / 7"),
        ("code & 3", ";", "code = code >> 2"),
    ],
)
def test_the_next_digit_is_taken(taken: str, step: str, wanted: str, tmp_path: Path) -> None:
    play = Play(program_of(STRIPES.replace("TAKEN", taken).replace("STEP", step), tmp_path))
    play.enter_function("paint")
    play.to(10)
    play.change("code", "3" if "7" in taken else "6")
    play.spec("code")
    problem = play.problem()
    assert words(problem.program, best(problem)).endswith(wanted)


def test_nothing_goes_on_that_goes_on_already(tmp_path: Path) -> None:
    """Nor is what a loop counts, asking for every second round, taken apart."""
    counting = STRIPES.replace("while (code != 0)", "for (; code < 30; code++)")
    for source in (
        STRIPES.replace("TAKEN", "code % 7").replace("STEP", "code /= 7;"),
        counting.replace("TAKEN", "code % 2").replace("STEP", ";"),
        STRIPES.replace("TAKEN", "code & 5").replace("STEP", ";"),
    ):
        function = program_of(source, tmp_path).functions["paint"]
        assert not [m for index in range(len(function.code)) for m in next_digits(function, index)]


SPELLED = """\
#include <stdlib.h>
struct letter { int digit; struct letter *next; };
struct letter *last;
void spell(int n)
{
    if (n >= 8)
        spell(n);
    struct letter *l = malloc(sizeof *l);
    l->digit = n % 8;
    l->next = last;
    last = l;
}
int main(void)
{
    spell(59);
    return last->digit;
}
"""


def test_a_recursion_that_is_given_the_whole_number_may_go_on_with_the_rest(tmp_path: Path) -> None:
    rests = {}
    for given in ("n", "n - 8"):
        function = program_of(SPELLED.replace("spell(n);", f"spell({given});"), tmp_path).functions["spell"]
        rests[given] = {text(v) for at in range(len(function.code)) for v in passed_on(function, at)}
    assert rests == {"n": {"n / 8"}, "n - 8": set()}
