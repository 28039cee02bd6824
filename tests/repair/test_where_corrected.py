"""Statements under a test where the search for them comes to no end."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from playing import Play, program_of

from wolverine.repair.engine.cases import _guarded
from wolverine.repair.engine.context import context_of
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import bench_of
from wolverine.repair.menus.candidates import Menus

WAITING = """\
#include <stdlib.h>
struct timer { int after; struct timer *next; };
struct timer *first;
int started;
void begin(void) { started++; }
void wait_for(struct timer *t, int ticks)
{
    struct timer **at = &first;
    while (*at != NULL && (*at)->after <= ticks) {
        ticks -= (*at)->after;
        at = &(*at)->next;
    }
    t->after = ticks;
    t->next = *at;
    *at = t;
}
int main(void)
{
    begin();
    wait_for(malloc(sizeof(struct timer)), 9);
    begin();
    wait_for(malloc(sizeof(struct timer)), 4);
    return 0;
}
"""


def test_they_are_looked_for_in_functions_that_set_what_was_corrected(tmp_path: Path) -> None:
    play = Play(program_of(WAITING, tmp_path))
    play.open()
    play.to(24, "main")
    play.change("n1->after", "5")
    play.spec()
    problem = play.problem()
    work = Work(problem.budget, lambda: False)
    context = context_of(problem, bench_of(problem, Menus(problem.program)), work)
    found = _guarded(context, context.benches.wider(guarded=True), [], Fraction(1, 100_000))
    places = {problem.program.location(each).function for space in found for each in space.masks}
    assert places == {"wait_for"}
