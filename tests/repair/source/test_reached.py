"""A search that goes by comparisons may have to ask whether it has found what it looks for."""

from __future__ import annotations

from pathlib import Path

from playing import Play, best, program_of, words

from wolverine.core.program import Branch
from wolverine.repair.source.reached import asks_whether_found, or_found

RIVERS = """\
#include <stdlib.h>
struct river { int length; struct river *shorter, *longer; };
struct river *river(int length, struct river *shorter, struct river *longer)
{
    struct river *r = malloc(sizeof *r);
    r->length = length;
    r->shorter = shorter;
    r->longer = longer;
    return r;
}
struct river *as_long(struct river *r, int length)
{
    while (r != NULL WANTED) {
        if (length < r->length)
            r = r->shorter;
        else
            r = r->longer;
    }
    return r;
}
int main(void)
{
    struct river *middle = river(30, NULL, NULL), *brook = river(20, NULL, middle);
    struct river *all = river(40, brook, river(60, NULL, NULL));
    struct river *found = as_long(all, 20);
    return found != NULL;
}
"""


def test_the_search_ends_where_it_has_found(tmp_path: Path) -> None:
    play = Play(program_of(RIVERS.replace("WANTED", ""), tmp_path))
    play.enter_function("as_long")
    play.to(19)
    play.change("r", "n2")
    play.spec("r")
    problem = play.problem()
    assert words(problem.program, best(problem)) in (
        "r != NULL && length != r->length",
        "r != NULL && r->length != length",
    )


def test_what_is_asked_is_not_asked_again(tmp_path: Path) -> None:
    function = program_of(RIVERS.replace("WANTED", "&& length != r->length"), tmp_path).functions["as_long"]
    index, step = next((at, s) for at, s in enumerate(function.code) if isinstance(s, Branch))
    left = step.condition.left  # type: ignore[attr-defined]
    assert not asks_whether_found(function, index, left, step.condition)


def test_a_loop_that_ends_at_what_is_as_great_asks_enough(tmp_path: Path) -> None:
    source = RIVERS.replace("WANTED", "&& r->length < length").replace(
        "if (length < r->length)", "if (length)"
    )
    function = program_of(source, tmp_path).functions["as_long"]
    index, step = next((at, s) for at, s in enumerate(function.code) if isinstance(s, Branch))
    assert not [*or_found(function, index, step.condition)]
