"""`widening` keeps the edits that were accepted before: Algorithm 1 begins with the program under them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from lists_in_c import SLIP
from random_problems import random_problem, sampled
from test_accepted import line_of, problem
from test_search_properties import explored
from thorough import examples

from wolverine.core.patch import (
    Edit,
    Guarded,
    NewAssignment,
    NewBlock,
    NewReturn,
    NoRepair,
    Patch,
    Repairs,
    Several,
)
from wolverine.core.trace import Budget, Problem
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.widening.algorithm import Options, widening, widening_any
from wolverine.repair.widening.questions import Found, Questions
from wolverine.repair.widening.relaxed import Plan
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.replay import replay
from wolverine.solve.solver import Unsat

EXAMPLES = examples(4, 100)


def within(folder: Path, *accepted: str, budget: Budget | None = None) -> Problem:
    """The problem, of which only `rotate` and the slip may change."""
    wanted = problem(folder, *accepted, budget=budget)
    places = wanted.program.locations
    here = {each.id for each in places if each.function == "rotate" or each.line == line_of(SLIP)}
    return replace(wanted, editable=frozenset(here))


def told(wanted: Problem) -> tuple[Repairs | NoRepair, list[str]]:
    lines: list[str] = []
    return widening(wanted, options=Options(told=lines.append)), lines


@pytest.mark.thorough
def test_algorithm_1_begins_with_what_was_accepted(tmp_path: Path) -> None:
    wanted = within(tmp_path, "tail->next = n")
    answer, words = told(wanted)
    assert isinstance(answer, Repairs)
    for candidate in answer.candidates:
        assert set(wanted.accepted.edits) < set(candidate.patch.edits)
        assert candidate.cost == 2
        assert replay(wanted.program, candidate.patch, wanted.traces[0]).met
    assert words[:2] == [
        "edits that were accepted before are tried first:",
        f"  line {line_of(SLIP)}: tail->next = head becomes tail->next = n",
    ]
    assert any(line.startswith("at most 1 edit of any kind: unsat") for line in words)


def test_the_drawn_constraints_are_not_the_accepted_ones(tmp_path: Path) -> None:
    wanted = within(tmp_path, "tail->next = n")
    answer = widening_any(wanted)
    assert isinstance(answer, Repairs)
    assert set(wanted.accepted.edits) < set(answer.candidates[0].patch.edits)


@pytest.mark.thorough
def test_a_wrong_edit_is_given_up(tmp_path: Path) -> None:
    wanted = within(tmp_path, "head->next = head", budget=Budget(insertions=1))
    answer, words = told(wanted)
    assert isinstance(answer, Repairs)
    assert answer.candidates[0].cost == 2
    assert not any(set(wanted.accepted.edits) & set(each.patch.edits) for each in answer.candidates)
    assert "no repair beside them: they are given up" in words


@pytest.mark.thorough
def test_accepted_edits_leave_room_for_more_than_are_searched(tmp_path: Path) -> None:
    wanted = within(tmp_path, "tail->next = n", budget=Budget(edits=1, insertions=1))
    answer = widening(wanted)
    assert isinstance(answer, Repairs)
    assert answer.candidates[0].cost == 2
    assert not isinstance(widening(replace(wanted, accepted=Patch())), Repairs)


def test_the_accepted_edit_alone_suffices_as_long_as_nothing_else_is_wrong(tmp_path: Path) -> None:
    wanted = within(tmp_path, "tail->next = n")
    trace = wanted.traces[0]
    before = replace(
        trace, events=(*trace.events[:1], replace(trace.events[-1], position=trace.events[0].position))
    )
    answer = widening(replace(wanted, traces=(before,)))
    assert isinstance(answer, Repairs)
    assert wanted.accepted in [candidate.patch for candidate in answer.candidates]
    assert {candidate.cost for candidate in answer.candidates} == {1}


def drawn(random: Random, wanted: Problem, guarded: bool) -> Edit | None:
    """Some edit, plain or guarded, or two statements in one gap, under a test or not."""
    menus = Menus(wanted.program, guarded=guarded)
    location = random.choice(wanted.program.locations)
    made = sampled(random, menus, location.id, 40)
    if guarded:
        tested = [each for each in made if isinstance(each, (Guarded, NewReturn))]
        under = [each for each in tested if isinstance(each, Guarded)]
        plain = [each.statement for each in under if isinstance(each.statement, NewAssignment)]
        if location.kind == "gap" and len(plain) > 1 and random.random() < 0.3:
            return Edit(location.id, Guarded(under[0].condition, NewBlock(tuple(plain[:2]))))
        return Edit(location.id, random.choice(tested)) if tested else None
    assigned = [each for each in made if isinstance(each, NewAssignment)]
    if location.kind == "gap" and len(assigned) > 1 and random.random() < 0.5:
        return Edit(location.id, Several(tuple(assigned[:2])))
    return Edit(location.id, made[0]) if made else None


@pytest.mark.parametrize("guarded", [False, True])
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**40))
def test_under_any_kept_edit_the_encoding_tells_what_the_machine_does(guarded: bool, seed: int) -> None:
    """Whether the kept edit alone meets the traces: what the solver says is what the replay says."""
    random = Random(seed)
    wanted = random_problem(random, locations=12, corrupt=0.0)
    assume(wanted is not None)
    assert wanted is not None
    edit = drawn(random, wanted, guarded)
    assume(edit is not None)
    assert edit is not None
    kept = Patch((edit,))
    questions = Questions(wanted, lambda: False)
    try:
        questions.encode(Plan(0, kept=kept))
    except Unmodelled:  # the kept edit leads astray: no encoding tells of that
        assert not all(replay(wanted.program, kept, trace).met for trace in wanted.traces)
        return
    none = [questions.at_most("all", [s.term for s in questions.selectors], 0)]
    answer = questions.ask([*none, *(way.term for way in questions.ways)])
    met = all(replay(wanted.program, kept, trace).met for trace in wanted.traces)
    if isinstance(answer, Found):
        assert met
        assert answer.patch == kept
    elif isinstance(answer, Unsat):
        assert not met or any(index for index in answer.core)


@pytest.mark.thorough
@settings(max_examples=examples(2, 100), deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**40))
@example(5134)  # a call that has to go: tried on the machine
def test_beside_half_of_a_repair_the_other_half_is_found(seed: int) -> None:
    wanted = random_problem(Random(seed), locations=12, corrupt=0.0)
    assume(wanted is not None)
    assert wanted is not None
    known = explored(wanted, Menus(wanted.program), 2, pruned=True)
    assume(known is not None and known[0] == 2)
    assert known is not None
    whole = min(known[1], key=str)
    half = Patch(whole.edits[:1])
    answer = widening(replace(wanted, accepted=half))
    assert isinstance(answer, Repairs)
    assert all(candidate.cost == 2 for candidate in answer.candidates)
    assert answer.candidates[0].patch in known[1]
    assert set(half.edits) < set(answer.candidates[0].patch.edits)
