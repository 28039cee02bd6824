"""`widening` finds no more edits than are needed: as many as `search` makes, on random problems."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from random_problems import random_problem
from test_search_properties import explored
from thorough import examples

from wolverine.core.patch import Repairs
from wolverine.core.trace import Budget
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.widening.algorithm import widening
from wolverine.semantics.replay import replay

EDITS = 2
EXAMPLES = examples(6, 300)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**40))
@example(322)  # two insertions
@example(541)
@example(804)  # null is written through in what is not chosen
@example(809)
def test_the_minimum_is_that_of_the_search(seed: int) -> None:
    problem = random_problem(Random(seed), locations=12, budget=Budget(edits=EDITS, seconds=None))
    if problem is None:
        return
    known = explored(problem, Menus(problem.program), EDITS, pruned=True)
    if known is None:
        return
    least, repairs, _ = known
    found = widening(problem)
    if not isinstance(found, Repairs):
        # Two insertions may be too much work, and what never comes to its end cannot be encoded.
        assert least > EDITS or found.reason in ("budget", "unsupported")
        return
    for candidate in found.candidates:
        assert all(replay(problem.program, candidate.patch, trace).met for trace in problem.traces)
    best = found.candidates[0].patch
    if least > EDITS:  # by what the plain choices do not have
        assert best not in repairs and best.edits
        return
    assert best.size == least
    if least < EDITS:
        assert all(candidate.patch in repairs for candidate in found.candidates)
