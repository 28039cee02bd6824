"""Edits to no purpose are left out of a repair."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from random_problems import random_problem

from wolverine.core.trace import Budget
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped, Work
from wolverine.repair.explicit.bench import bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.special.fewer import fewer
from wolverine.repair.special.stages import Stage

BUDGET = Budget(work=100_000)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_of_two_edits_the_one_that_suffices_is_kept(seed: int) -> None:
    random = Random(seed)
    problem = random_problem(random, locations=6)
    if problem is None:
        return
    bench = bench_of(problem, Menus(problem.program))
    work = Work(BUDGET, lambda: False)
    explorer = bench.explorer(work)
    try:
        found = explorer.search(1)
    except Stopped:
        return
    places = sorted(location for each in bench.editable.values() for location in each.values())
    if not found or len(places) < 2 or not all(space.masks for space in found):
        return  # no edit, or none is needed
    space = random.choice(found)
    [needed] = space.masks
    idle = random.choice([place for place in places if place != needed])
    padded = replace(space, masks={**space.masks, idle: 1})
    answer = fewer(bench, work, Stage(2), [padded], [1], None)
    assert answer is not None
    spaces, edits = answer
    assert edits == 1
    assert any(each.masks == space.masks for each in spaces)
    assert all(len(each.masks) == 1 and each.masks.keys() <= {needed, idle} for each in spaces)


def test_where_all_edits_are_needed_nothing_is_left_out() -> None:
    random = Random(5)
    problem = next(p for _ in range(50) if (p := random_problem(random, locations=6)) is not None)
    bench = bench_of(problem, Menus(problem.program))
    work = Work(BUDGET, lambda: False)
    nowhere = Space({})
    assert fewer(bench, work, Stage(2), [nowhere], [1], None) is None
