"""Two edits of which each writes what a corrected picture shows, where trying all pairs takes too long."""

from __future__ import annotations

from random import Random

import pytest
from random_problems import random_problem

from wolverine.core.patch import Edit, Patch
from wolverine.core.trace import Budget
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.semantics.replay import Replayer


@pytest.mark.thorough
def test_what_is_found_meets_the_traces() -> None:
    told = 0
    for seed in range(200):
        problem = random_problem(Random(seed), locations=12)
        if problem is None:
            continue
        menus = Menus(problem.program)
        found = bench_of(problem, menus).direct(Work(Budget(work=20_000), lambda: False), 2, None)
        replayers = [Replayer(problem.program, trace, limit=3_000) for trace in problem.traces]
        for space in found[:2]:
            edits = [
                Edit(location, menu.choices[mask.bit_length() - 1].replacement)
                for location, mask in sorted(space.masks.items())
                if (menu := menus.menu(location)) is not None
            ]
            told += 1
            assert all(each.run(Patch(tuple(edits))).met for each in replayers)
    assert told > 20
