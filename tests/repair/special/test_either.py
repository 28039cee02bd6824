"""A condition that lacks an exception which has one of its own: two tests more at once."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of, words

from wolverine.core.trace import Problem
from wolverine.repair.engine.context import context_of
from wolverine.repair.engine.exploration import Exploration
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.special.either import either
from wolverine.repair.special.stages import EITHER_SHARE, Stage, stages

ROAD = """#include <stdlib.h>
struct place { struct place *sign, *on; };
struct place *road;
static void clear(struct place *at, struct place *before, int left)
{
    if (at == NULL || left == 0)
        return;
    clear(at->on, at, left - 1);
    if (at->on == NULL) {
        if (before != NULL)
            before->on = NULL;
        else
            road = NULL;
        free(at);
    }
}
int main(void)
{
    for (int i = 0; i < 4; i++) {
        struct place *made = malloc(sizeof *made);
        made->sign = i % 2 == 0 ? made : NULL;
        made->on = road;
        road = made;
    }
    road->sign = NULL;
    clear(road, NULL, 4);
    return 0;
}
"""
ASKED = "at->on == NULL"
STAGE = Stage(1, share=EITHER_SHARE, either=True)


def _line(words: str) -> int:
    return ROAD.count("\n", 0, ROAD.index(words)) + 1


def _problem(tmp_path: Path) -> Problem:
    """What stands in front of the last place is cleared until a sign comes, which stays."""
    play = Play(program_of(ROAD, tmp_path))
    play.open()
    for _ in range(3):
        play.to(_line(f"if ({ASKED})"), "clear")
    play.force(False)
    play.to(_line("return 0;"), "main")
    play.spec()
    return play.problem()


def test_both_tests_are_put_there_at_once(tmp_path: Path) -> None:
    problem = _problem(tmp_path)
    bench = bench_of(problem, Menus(problem.program))
    context = context_of(problem, bench, Work(problem.budget, lambda: False))
    found = Exploration(context).search(STAGE, context.benches.plain)
    made = [words(problem.program, each) for each in context.ranked(found).candidates]
    assert made[0] == f"{ASKED} && (at->sign == NULL || left - 1 == 0)"


def test_other_conditions_are_not_offered(tmp_path: Path) -> None:
    problem = _problem(tmp_path)
    few = either(bench_of(problem, Menus(problem.program)))
    assert few.editable["clear"]
    for location in (each for found in few.editable.values() for each in found.values()):
        menu = few.menus.menu(location)
        assert menu is not None
        assert problem.program.location(location).kind == "condition"
        assert not problem.program.location(location).loop


def test_it_comes_in_front_of_three_edits(tmp_path: Path) -> None:
    problem = _problem(tmp_path)
    order = [*stages(problem)]
    assert not STAGE.plain
    assert order.index(STAGE) > max(n for n, each in enumerate(order) if each.plain and each.edits == 2)
    assert order.index(STAGE) < min(n for n, each in enumerate(order) if each.plain and each.edits == 3)
