"""A search that has to end tells what it knows, also where it has come to the ranking."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playing import Play, program_of

from wolverine.core.patch import NoRepair, Repairs
from wolverine.core.trace import Budget, Problem
from wolverine.repair import search
from wolverine.repair.engine import ranker
from wolverine.session.commands import Repair

TEXT = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *push(struct node *list, int key)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->next = NULL;
    return fresh;
}
int main(void)
{
    struct node *list = push(NULL, 1);
    list = push(list, 2);
    return 0;
}
"""


def _problem(folder: Path) -> Problem:
    play = Play(program_of(TEXT, folder))
    play.enter_function("push")
    play.to(8)
    play.enter_function("push")
    play.to(8)
    play.change("fresh->next", "n1")
    play.spec()
    return play.problem()


def _from(number: int) -> Callable[[], bool]:
    """Answers yes from the question of that number on."""
    questions = count()
    return lambda: next(questions) >= number


def test_interrupted_at_any_time(tmp_path: Path) -> None:
    problem = _problem(tmp_path)
    asked = count()
    whole = search(problem, interrupted=lambda: next(asked) < 0)
    assert isinstance(whole, Repairs) and whole.complete == "complete"
    ended = set()
    for most in range(next(asked)):
        found = search(problem, interrupted=_from(most))
        if isinstance(found, Repairs):
            assert found.complete == "interrupted"
            assert found.candidates[0].patch in {each.patch for each in whole.candidates}
        else:
            assert found.reason == "interrupted"
        ended.add(type(found))
    assert Repairs in ended


def test_a_clock_that_runs_out_while_repairs_are_ranked(tmp_path: Path) -> None:
    problem = _problem(tmp_path)
    kinds = []
    for seconds in (*range(5), 1000):
        budget = Budget(seconds=seconds, clock=count().__next__)
        found = search(Problem(problem.program, problem.traces, budget))
        kinds.append((type(found), found.complete if isinstance(found, Repairs) else found.reason))
    assert kinds[0] == (NoRepair, "budget")
    assert kinds[-1] == (Repairs, "complete")
    assert (Repairs, "budget") in kinds


def test_a_part_of_the_time_is_for_what_comes_of_the_search() -> None:
    assert Repair().seconds is None
    assert Repair(budget=2.0).seconds == 1.5
    assert Repair(budget=60.0).seconds == 58.5


def test_where_it_has_ended_before_the_ranking_nothing_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who interrupts gets the prompt back: what is known is told in the order of distance."""

    def tried(*_: object, **__: object) -> None:
        raise AssertionError("a heap is tried")

    ended: list[bool] = []
    ranked = ranker.rank

    def ranking(*given: Any, **named: Any) -> Any:
        ended.append(True)
        return ranked(*given, **named)

    monkeypatch.setattr(ranker, "rank", ranking)
    monkeypatch.setattr("wolverine.repair.ranking.rank.Trials", tried)
    found = search(_problem(tmp_path), interrupted=lambda: bool(ended))
    assert isinstance(found, Repairs)
    assert (found.complete, found.compared) == ("interrupted", False)
    scores = [each.score for each in found.candidates]
    assert scores == sorted(scores)
