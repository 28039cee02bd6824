"""What is said where only many edits help, and what is asked of candidates that are not listed."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from playing import Play, program_of

from wolverine.core.patch import NoRepair, Repairs
from wolverine.core.trace import Problem
from wolverine.repair import search
from wolverine.repair.question import Answer
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


def test_candidates_that_are_not_listed_are_asked_when_all_others_are_refused(tmp_path: Path) -> None:
    problem = _problem(tmp_path)
    every = search(problem)
    assert isinstance(every, Repairs)
    assert every.total == len(every.candidates) > 1
    short = replace(problem, budget=replace(problem.budget, listed=1))
    asked: list[int] = []

    class Last(Answer):
        def allows(self, outcome: object, met: bool) -> bool:
            asked.append(1)
            return len(asked) == 4

    def engine(each: Problem) -> Repairs | NoRepair:
        return search(each)

    kept = solve(short, (Last("work", problem.traces[0].start),), engine)
    assert isinstance(kept, Repairs)
    assert [c.patch for c in kept.candidates] == [every.candidates[2].patch]
