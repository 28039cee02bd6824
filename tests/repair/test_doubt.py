"""What is said where only many edits help, and what is asked of candidates that are not listed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from playing import Play, program_of

from wolverine.core.patch import NoRepair, Repairs
from wolverine.core.trace import Problem
from wolverine.repair import search
from wolverine.repair.ranking.question import Answer
from wolverine.session.answers import solve

THREE = """struct cell { int v; struct cell *next; };
struct cell one, two;
int a, b, c;
void work(void) {
    a = 1;
    b = 2;
    c = 3;
    a = a;
}
int main(void) {
    work();
    return a;
}
"""


def _problem(folder: Path) -> Problem:
    play = Play(program_of(THREE, folder))
    play.enter_function("work")
    play.to(6)
    play.spec("a")
    play.to(8)
    play.change("a", "3")
    play.change("b", "1")
    play.change("c", "2")
    play.spec("a", "b", "c")
    return play.problem()


def test_the_assertion_whose_removal_is_cheapest_is_named(tmp_path: Path) -> None:
    found = search(_problem(tmp_path))
    assert isinstance(found, Repairs)
    assert found.candidates[0].cost == 3
    assert found.doubted is not None
    words, edits = found.doubted
    assert words.startswith("checkpoint 1 (line 8)")
    assert edits == 0


def test_a_smaller_repair_raises_no_such_doubt(tmp_path: Path) -> None:
    problem = _problem(tmp_path)
    trace = problem.traces[0]
    found = search(replace(problem, traces=(replace(trace, events=(trace.events[0], trace.events[-1])),)))
    assert isinstance(found, Repairs)
    assert found.doubted is None


class _Wants(Answer):
    """An answer that only one outcome keeps to: the one that is asked about at that turn."""

    turns: ClassVar[list[int]] = []
    turn: ClassVar[int] = 0

    def allows(self, outcome: object, met: bool) -> bool:
        self.turns.append(1)
        return len(self.turns) == self.turn


@pytest.mark.parametrize(("behaviours", "asked"), [(3, [1, 8]), (1, [1])])
def test_behaviours_that_are_not_listed_are_asked_when_all_others_are_refused(
    tmp_path: Path, behaviours: int, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = _problem(tmp_path)
    every = search(problem)
    assert isinstance(every, Repairs)
    three = [replace(c, behaviour=min(n, behaviours)) for n, c in enumerate(every.candidates[:3], 1)]
    assert len(three) == 3
    monkeypatch.setattr(_Wants, "turns", [])
    monkeypatch.setattr(_Wants, "turn", 3)
    lists: list[int] = []

    def engine(each: Problem) -> Repairs | NoRepair:
        lists.append(each.budget.listed)
        return replace(
            every, candidates=tuple(three[: each.budget.listed]), behaviours=behaviours, total=len(three)
        )

    short = replace(problem, budget=replace(problem.budget, listed=1, edits=3))
    kept = solve(short, (_Wants("work", problem.traces[0].start),), engine)
    assert lists == asked
    if behaviours == 1:
        assert isinstance(kept, NoRepair)
    else:
        assert isinstance(kept, Repairs)
        assert [c.patch for c in kept.candidates] == [three[1].patch]
