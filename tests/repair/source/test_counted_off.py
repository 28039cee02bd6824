"""A recursion that goes on behind what is counted takes that off the position it was given."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, only, program_of, words

from wolverine.core.expressions import text
from wolverine.repair.source.counted_off import counted_off

SHELVES = """\
#include <stdlib.h>
struct shelf { int books; struct shelf *above, *below; };
struct shelf *found;
void seek(struct shelf *s, int place)
{
    found = s;
    if (s->above == NULL)
        return;
    if (ASKED)
        seek(s->above, place + 0);
    else
        seek(s->below, GIVEN);
}
struct shelf *shelf(int books, struct shelf *above, struct shelf *below)
{
    struct shelf *s = malloc(sizeof *s);
    s->books = books;
    s->above = above;
    s->below = below;
    return s;
}
int main(void)
{
    struct shelf *low = shelf(2, shelf(2, NULL, NULL), shelf(3, NULL, NULL));
    seek(shelf(4, shelf(4, NULL, NULL), low), 5);
    return found->books;
}
"""


def _source(asked: str = "place < s->books", given: str = "place") -> str:
    return SHELVES.replace("ASKED", asked).replace("GIVEN", given)


def test_what_was_passed_over_is_taken_off(tmp_path: Path) -> None:
    play = Play(program_of(_source(), tmp_path))
    play.enter_function("main")
    play.to(6, "seek")
    play.to(6, "seek")
    play.change("place", "1")
    play.spec("place")
    problem = only(play.problem(), "seek")
    assert words(problem.program, best(problem)).endswith("place - s->books")


@pytest.mark.parametrize(
    ("asked", "given", "wanted"),
    [
        ("place < s->books", "place", {"place - s->books"}),
        ("s->books > place", "place", {"place - s->books"}),
        (
            "place < s->books || (place == s->books && s->below == NULL)",
            "place",
            {"place - s->books", "place - s->books - 1"},
        ),
        ("place < 4", "place", set()),
        ("place < s->books", "place - s->books", set()),
        ("place == s->books", "place", set()),
    ],
)
def test_only_what_was_compared_is_taken_off(
    asked: str, given: str, wanted: set[str], tmp_path: Path
) -> None:
    function = program_of(_source(asked, given), tmp_path).functions["seek"]
    rests = {text(each) for at in range(len(function.code)) for each in counted_off(function, at)}
    assert rests == wanted
