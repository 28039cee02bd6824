"""One edit that leads to the states that are asserted, and one more that frees a node."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from playing import Play, program_of

from wolverine.core.graph import NodeId
from wolverine.core.trace import Assertion, Problem
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import Bench, bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.ranking.score import Scores
from wolverine.repair.special.freed_besides import mended_and_freed

ITEMS = """\
#include <stdlib.h>
struct item { int key; struct item *next; };
struct list { int dropped; struct item *first; };
static struct item *second(struct item *of)
{
    return of->next->next;
}
static void drop(struct list *l)
{
    struct item *gone = second(l->first);
    l->first->next = gone->next;
    l->dropped++;
}
static void put(struct list *l, int key)
{
    struct item *n = malloc(sizeof *n);
    n->key = key;
    n->next = l->first;
    l->first = n;
}
int main(void)
{
    struct list *l = calloc(1, sizeof *l);
    put(l, 5);
    put(l, 7);
    put(l, 8);
    put(l, 9);
    drop(l);
    return l->dropped;
}
"""
_LINES = ITEMS.split("\n")
_SECOND = NodeId(4)
_ALL_ITEMS = 5  # and the list


def _problem(folder: Path, *, freed: bool, mended: bool = False) -> Problem:
    """The second item is taken out of the list; with `freed` it is to be freed."""
    text = ITEMS.replace("of->next->next", "of->next") if mended else ITEMS
    play = Play(program_of(text, folder))
    play.enter_function("main")
    play.to(1 + _LINES.index("    l->first->next = gone->next;"), "drop")
    play.change("gone", "n4")
    play.spec()
    play.to(1 + _LINES.index("    l->dropped++;"), "drop")
    play.spec()
    problem = play.problem()
    [trace] = problem.traces
    last = max(number for number, event in enumerate(trace.events) if isinstance(event, Assertion))
    asserted = trace.events[last]
    assert isinstance(asserted, Assertion)
    assert len(asserted.states) == _ALL_ITEMS
    cells = {place: value for place, value in asserted.cells.items() if place.object != _SECOND}
    states = {**asserted.states, _SECOND: "freed"}
    changed = replace(asserted, cells=cells, states=states) if freed else asserted
    events = (*trace.events[:last], changed, *trace.events[last + 1 :])
    return replace(problem, traces=(replace(trace, events=events),))


def _found(problem: Problem) -> set[frozenset[str]]:
    bench, work = bench_of(problem, Menus(problem.program)), Work(problem.budget, lambda: False)
    calling = bench.widened(calls=True)
    distance = Scores(problem.program).edit
    return _texts(calling, mended_and_freed(bench, calling, work, 1_000_000, distance))


def _texts(bench: Bench, spaces: Iterable[Space]) -> set[frozenset[str]]:
    return {
        frozenset(
            replacement_text(menu.choices[mask.bit_length() - 1].replacement)
            for location, mask in space.masks.items()
            if (menu := bench.menus.menu(location)) is not None
        )
        for space in spaces
    }


def test_what_frees_is_found_behind_what_mends_all_else(tmp_path: Path) -> None:
    assert frozenset({"of->next", "free(gone)"}) in _found(_problem(tmp_path, freed=True))


def test_nothing_is_found_where_one_of_them_would_do(tmp_path: Path) -> None:
    assert not _found(_problem(tmp_path, freed=False))
    assert not _found(_problem(tmp_path, freed=True, mended=True))
