"""Two edits, of which the first meets the first assertions and lets the program come to the others."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from playing import Play, program_of

from wolverine.core.trace import Assertion, Problem
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import Bench, bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.special.in_order import in_order
from wolverine.repair.special.independent import unmet

# Nobody counts what is put on the shelf, and by that number it is seen whether there is a second one.
SHELF = """\
#include <stdlib.h>
struct book { int pages; struct book *next; };
struct shelf { struct book *first; int count; };
static void put(struct shelf *s, int pages)
{
    struct book *b = malloc(sizeof *b);
    b->pages = pages;
    b->next = s->first;
    s->first = b;
}
static int trim(struct shelf *s)
{
    struct book *rest = s->count > 1 ? s->first->next : NULL;
    int pages = rest->pages;
    s->first->next = rest;
    return pages;
}
int main(void)
{
    struct shelf *s = calloc(1, sizeof *s);
    put(s, 5);
    put(s, 9);
    return trim(s);
}
"""
LINES = SHELF.split("\n")


def _asserted(folder: Path, *, early: bool) -> Problem:
    """The shelf at the end of each call, corrected; with `early` the first two calls alone."""
    play = Play(program_of(SHELF, folder))
    play.enter_function("main")
    end = 1 + LINES.index("    s->first = b;") + 1
    for count in (1, 2):
        play.to(end, "put")
        play.change("n1->count", str(count))
        play.spec("n1->count")
    if not early:
        play.to(1 + LINES.index("    s->first->next = rest;") + 1, "trim")
        play.change("n3->next", "null")
        play.spec("n3->next", "n1->count")
    return play.problem()


def _texts(bench: Bench, spaces: Iterable[Space]) -> set[frozenset[str]]:
    return {
        frozenset(
            replacement_text(menu.choices[mask.bit_length() - 1].replacement)
            for location, mask in space.masks.items()
            if (menu := bench.menus.menu(location)) is not None
        )
        for space in spaces
    }


def test_the_second_edit_is_found_where_the_first_one_is_made(tmp_path: Path) -> None:
    problem = _asserted(tmp_path, early=False)
    bench, work = bench_of(problem, Menus(problem.program)), Work(problem.budget, lambda: False)
    assert len(unmet(bench)) == 1  # nothing else is seen: it crashes on the way
    found = in_order(bench, work, 1_000_000)
    assert all(len(space.masks) == 2 for space in found)
    assert frozenset({"s->count = s->count + 1", "s->first->next = NULL"}) in _texts(bench, found)


def test_one_edit_for_all_of_them_leaves_nothing_to_a_second(tmp_path: Path) -> None:
    problem = _asserted(tmp_path, early=True)
    [trace] = problem.traces
    assert sum(isinstance(event, Assertion) for event in trace.events) == 2
    bench, work = bench_of(problem, Menus(problem.program)), Work(problem.budget, lambda: False)
    assert all(len(space.masks) == 2 for space in in_order(bench, work, 100_000))
