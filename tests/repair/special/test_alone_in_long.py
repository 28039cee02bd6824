"""Where two plain edits take too long, one statement under a test is looked for in front of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of, words

from wolverine.core.trace import Problem
from wolverine.repair.engine.context import context_of
from wolverine.repair.engine.several import in_special_cases
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.special.stages import Stage, stages

RING = """#include <stdlib.h>
struct car { int number; struct car *front, *back; };
struct car *first;
static void couple(int number)
{
    struct car *fresh = malloc(sizeof *fresh);
    fresh->number = number;
    fresh->front = NULL;
    fresh->back = first;
    if (first != NULL)
        first->front = fresh;
    first = fresh;
}
static void uncouple(struct car *gone)
{
    struct car *other = gone->back;
    if (gone->front != NULL)
        gone->front->back = other;
    else
        first = other;
    free(gone);
}
int main(void)
{
    couple(1);
    couple(2);
    couple(3);
    couple(4);
    uncouple(first->back->back->back);
    uncouple(first->back);
    return 0;
}
"""


RIGHT = [
    f"if ({one} != NULL) {{ {other}->front = gone->front }}"
    for one in ("gone->back", "other")
    for other in ("gone->back", "other")
]


CLEARED = RING.replace("malloc(sizeof *fresh)", "calloc(1, sizeof *fresh)").replace(
    "    fresh->front = NULL;\n", ""
)


def _problem(tmp_path: Path, text: str = RING) -> Problem:
    play = Play(program_of(text, tmp_path))
    play.open()
    play.to(text.count("\n", 0, text.index("return 0;")) + 1)
    play.change("n2->front", "n4")
    play.spec()
    return play.problem()


@pytest.mark.parametrize("text", [RING, CLEARED], ids=["set", "cleared"])
def test_it_is_found_by_what_is_asserted(text: str, tmp_path: Path) -> None:
    """The last car has no neighbour behind it, which a plain statement would go through.

    What calloc has cleared is as asserted, though nothing has written it.
    """
    problem = _problem(tmp_path, text)
    menus = Menus(problem.program)
    context = context_of(problem, bench_of(problem, menus), Work(problem.budget, lambda: False))
    alone = in_special_cases(context, Stage(1, several=True, guarded=True))
    found = [words(problem.program, each) for each in context.ranked(alone).candidates]
    assert any(each in found for each in RIGHT), found
    several = context.ranked(in_special_cases(context, Stage(1, several=True)))
    assert not {words(problem.program, each) for each in several.candidates} & {*found}


def test_it_comes_in_front_of_pairs_that_take_too_long_only(tmp_path: Path) -> None:
    problem = _problem(tmp_path)
    ahead = Stage(1, several=True, guarded=True)
    assert ahead not in [*stages(problem)]
    long = [*stages(problem, long=lambda: True)]
    assert long.index(ahead) < min(n for n, each in enumerate(long) if each.plain and each.edits == 2)
