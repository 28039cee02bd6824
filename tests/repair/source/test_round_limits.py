"""A loop that counts its rounds has a number in mind to which it counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, best, program_of, words

from wolverine.core.expressions import Expression, Logical, text
from wolverine.core.program import Branch, Function
from wolverine.repair.source.round_limits import limited, limits_rounds

TRAIN = """\
#include <stdlib.h>
struct wagon { struct wagon *behind; };
struct wagon *uncoupled;
int shunt(struct wagon *first, int most)
{
    struct wagon *last = first;
    int passed = 1, left = most;
    if (most < 1)
        return 0;
    while (last->behind != NULL WANTED) {
        last = last->behind;
        passed++;
        left--;
    }
    uncoupled = last->behind;
    last->behind = NULL;
    return RESULT;
}
int main(void)
{
    struct wagon *train = NULL;
    for (int i = 0; i < 6; i++) {
        struct wagon *wagon = malloc(sizeof *wagon);
        wagon->behind = train;
        train = wagon;
    }
    shunt(train, 3);
    return shunt(uncoupled, 2);
}
"""
LOOP, BEHIND = 10, 15


def shunt(folder: Path, wanted: str = "", result: str = "0") -> tuple[Function, int, Expression]:
    """The function, and where its loop has its condition."""
    source = TRAIN.replace("WANTED", wanted).replace("RESULT", result)
    function = program_of(source, folder).functions["shunt"]
    asked = ((at, step.condition) for at, step in enumerate(function.code) if isinstance(step, Branch))
    index, condition = next((at, each) for at, each in asked if "behind" in text(each))
    return function, index, condition


def test_the_loop_that_was_left_twice_ends_by_what_it_counts(tmp_path: Path) -> None:
    play = Play(program_of(TRAIN.replace("WANTED", "").replace("RESULT", "0"), tmp_path))
    play.enter_function("main")
    for rounds in (3, 2):
        for _ in range(rounds):
            play.to(LOOP, "shunt")
        play.force(False)
        assert play.line() == BEHIND
    play.spec()
    assert words(play.program, best(play.problem())) in (
        "last->behind != NULL && passed < most",
        "last->behind != NULL && left > 1",
    )


def test_what_is_counted_has_limits(tmp_path: Path) -> None:
    function, index, _ = shunt(tmp_path)
    found = {text(each) for each in limited(function, index, [*function.parameters, *function.locals])}
    up, down = ("< most", "<= most", "< most - 1"), ("> most", ">= most", "> 0", "> 1")
    tests = (*(f"passed {each}" for each in up), *(f"left {each}" for each in down))
    assert found == {f"last->behind != NULL && {test}" for test in tests}
    without = {text(each) for each in limited(function, index, function.locals)}
    assert without == {f"last->behind != NULL && left {test}" for test in ("> 0", "> 1")}


def test_what_is_compared_already_has_its_limit(tmp_path: Path) -> None:
    function, index, _ = shunt(tmp_path, "&& passed < 9")
    found = {text(each) for each in limited(function, index, [*function.parameters, *function.locals])}
    assert found
    assert all("&& left" in each for each in found)


@pytest.mark.parametrize(("result", "likely"), [("0", True), ("passed", False)])
def test_it_is_likely_where_nothing_else_reads_the_number(tmp_path: Path, result: str, likely: bool) -> None:
    function, index, condition = shunt(tmp_path, "&& passed < most", result)
    assert isinstance(condition, Logical)
    branch = function.code[index]
    assert isinstance(branch, Branch)
    before = replace(branch, condition=condition.left)
    code = (*function.code[:index], before, *function.code[index + 1 :])
    function = replace(function, code=code)
    assert limits_rounds(function, index, condition) == likely
    assert not limits_rounds(function, index, replace(condition, operator="||"))
