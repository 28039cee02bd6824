"""The fallback by SAT: it finds what the explicit search finds, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from playing import Play, program_of
from random_problems import random_problem
from test_search_properties import patches
from test_search_scenarios import all_met, figure_one
from thorough import examples

from wolverine.core.patch import NoRepair, Patch, Repairs
from wolverine.core.trace import Budget
from wolverine.repair import search
from wolverine.repair.engine import exploration, solving
from wolverine.repair.execution.work import Stopped, Work
from wolverine.repair.explicit.bench import Bench, bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.sat.fallback import Fallback, fallback
from wolverine.repair.sat.uncertain import Beyond

EXAMPLES = examples(6, 600)
EDITS = 2


def work_of(amount: int) -> Work:
    return Work(Budget(work=amount), lambda: False)


def levels(bench: Bench, menus: Menus) -> Iterator[tuple[int, set[Patch]]]:
    """What the explicit search finds with 0, 1, ... edits, up to the first number that suffices."""
    work = work_of(examples(40_000, 150_000))
    for edits in range(EDITS + 1):
        found = patches(menus, bench.explorer(work).search(edits))
        yield edits, found
        if found:
            return


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**40))
@example(37)
@example(40)
@example(192)
@example(2167)
@example(6439)
def test_the_fallback_finds_what_the_search_finds(seed: int) -> None:
    problem = random_problem(Random(seed), locations=12)
    if problem is None:
        return
    menus = Menus(problem.program)
    bench = bench_of(problem, menus)
    try:
        expected = list(levels(bench, menus))
        other = Fallback(bench, work_of(examples(800_000, 3_000_000)))
        for edits, patches_there in expected:
            spaces, verdict = other.search(edits)
            found = patches(menus, spaces)
            assert found <= patches_there
            assert verdict != "all" or found == patches_there
    except (Stopped, Beyond):
        return


def test_most_problems_are_within_the_fallback() -> None:
    within = beyond = 0
    for seed in range(examples(15, 200)):
        problem = random_problem(Random(seed), locations=12)
        if problem is None:
            continue
        try:
            Fallback(bench_of(problem, Menus(problem.program)), work_of(1_000_000))
            within += 1
        except (Beyond, Stopped):
            beyond += 1
    assert within > 4 * beyond


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever two edits or more are needed, the fallback is asked first."""
    monkeypatch.setattr(exploration, "FIRST_SHARE", Fraction(0))


@pytest.mark.usefixtures("at_once")
def test_figure_one_is_repaired_by_the_fallback_as_by_the_search(tmp_path: Path) -> None:
    play = figure_one(tmp_path)
    problem = play.problem()
    repairs = search(problem)
    assert isinstance(repairs, Repairs)
    all_met(play, problem, repairs)
    assert repairs.candidates[0].cost == 2


@pytest.mark.usefixtures("at_once")
def test_the_answer_is_that_of_the_explicit_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = figure_one(tmp_path).problem()
    by_fallback = search(problem)
    monkeypatch.setattr(solving, "fallback", lambda *_: None)
    explicitly = search(problem)
    assert isinstance(by_fallback, Repairs)
    assert isinstance(explicitly, Repairs)
    assert by_fallback.candidates == explicitly.candidates
    assert by_fallback.steps != explicitly.steps


@pytest.mark.usefixtures("at_once")
def test_an_interrupt_ends_the_fallback(tmp_path: Path) -> None:
    problem = figure_one(tmp_path).problem()
    whole = search(problem).steps
    asked = 0

    def interrupted() -> bool:
        nonlocal asked
        asked += 1
        return asked > 4

    answer = search(problem, interrupted=interrupted)
    assert isinstance(answer, NoRepair)
    assert answer.reason == "interrupted"
    assert answer.steps < whole


def test_an_execution_beyond_it_is_left_to_the_search(tmp_path: Path) -> None:
    text = """\
struct pair { int one, two; };
struct pair kept, given;
int flag;
void copy(void) { kept = given; flag = 1; }
int main(void) { copy(); return 0; }
"""
    play = Play(program_of(text, tmp_path))
    play.enter_function("copy")
    play._step()
    play.spec()
    problem = play.problem()
    assert fallback(bench_of(problem, Menus(problem.program)), work_of(100_000)) is None
