"""A condition that somebody forces may ask for numbers besides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from playing import Play, program_of, words

from wolverine.core.expressions import Logical, text
from wolverine.core.patch import Repairs
from wolverine.core.trace import Problem
from wolverine.repair import search
from wolverine.repair.menus.candidates import Menus

SHELF = """\
#include <stdlib.h>
struct book { int year; float price; char signed_; struct book *right; };
struct book *shelf;
struct book *printed(int year, struct book *right)
{
    struct book *b = malloc(sizeof *b);
    b->year = year;
    b->price = 1;
    b->signed_ = 0;
    b->right = right;
    return b;
}
void put(struct book *b)
{
    int passed = 0;
    struct book **at = &shelf;
    while (*at != NULL) {
        at = &(*at)->right;
        passed++;
    }
    b->right = *at;
    *at = b;
}
int main(void)
{
    shelf = printed(1910, printed(1930, printed(1950, NULL)));
    put(printed(1940, NULL));
    return 0;
}
"""
LOOP = 17


def left_amid_the_shelf(folder: Path) -> tuple[Problem, int]:
    """The loop was left in front of the third book; and the condition that was forced."""
    play = Play(program_of(SHELF, folder))
    play.enter_function("put")
    for _ in range(3):
        play.to(LOOP)
    here = play.position()
    play.force(False)
    play.to(22)
    play.spec()
    location = play.program.functions["put"].code[here.instruction].location
    problem = play.problem()
    [trace] = problem.traces
    return replace(problem, traces=(replace(trace, steered=frozenset({location})),)), location


def test_a_walk_that_was_left_amid_a_list_compares_nodes(tmp_path: Path) -> None:
    problem, location = left_amid_the_shelf(tmp_path)
    found = search(problem)
    assert isinstance(found, Repairs)
    best = found.candidates[0]
    assert [each.location for each in best.patch.edits] == [location]
    assert words(problem.program, best) in (
        "*at != NULL && (*at)->year < b->year",
        "*at != NULL && (*at)->year <= b->year",
    )


def test_what_nobody_forced_compares_no_others(tmp_path: Path) -> None:
    problem, location = left_amid_the_shelf(tmp_path)
    plain, steered = Menus(problem.program), Menus(problem.program, steered=frozenset({location}))
    assert not plain.includes(steered)
    made = [Menus.menu(each, location) for each in (plain, steered)]
    few, many = ({text(c.replacement.value) for c in menu.choices} for menu in made)  # type: ignore
    assert few < many
    assert "*at != NULL && (*at)->year < b->year" in many - few


def test_numbers_are_compared_as_c_does(tmp_path: Path) -> None:
    problem, location = left_amid_the_shelf(tmp_path)
    menu = Menus(problem.program, steered=frozenset({location})).menu(location)
    assert menu is not None
    tests = {
        text(each.replacement.value.right)
        for each in menu.choices
        if isinstance(each.replacement.value, Logical)
    }
    assert "(*at)->price != b->price" in tests
    assert "(*at)->signed_ == b->signed_" in tests
    assert not any("passed" in each and "(*at)" in each for each in tests)  # each round counts it
    assert not any("price" in each and "year" in each for each in tests)
