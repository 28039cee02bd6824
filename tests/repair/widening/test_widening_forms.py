"""Every form of edit that `widening` knows: what was put in can be undone by as few edits of its kind.

Random programs are executed under random edits: conditions, deletions, statements under tests, returns,
several statements in one gap.  Their traces can then be met by as many edits of that kind, so that the
solver has to find some, unless an `if` that goes one way in the encoding is to blame.  Where tests are
offered the answer is compared with that of the unpruned search.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_problems import random_problem, random_program, random_trace, sampled
from test_search_properties import explored
from thorough import examples

from wolverine.core.patch import (
    Deletion,
    Edit,
    Guarded,
    NewAssignment,
    NewReturn,
    NewValue,
    Patch,
    Repairs,
    Replacement,
    Several,
)
from wolverine.core.program import Program
from wolverine.core.trace import Budget, Problem
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.widening.algorithm import widening
from wolverine.repair.widening.questions import Failed, Found, Questions
from wolverine.repair.widening.relaxed import Plan
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.replay import replay
from wolverine.solve.solver import Unsat

EXAMPLES = examples(2, 50)
CHOSEN = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
FORMS = ("condition", "deletion", "guarded", "return", "several")


def drawn(random: Random, program: Program, menus: Menus, form: str) -> Edit | None:
    """An edit of that form somewhere in the program."""
    kinds = {"condition": ("condition",), "deletion": ("assignment",)}.get(form, ("gap",))
    locations = [each for each in program.locations if each.kind in kinds]
    if not locations:
        return None
    location = random.choice(locations)
    made = sampled(random, menus, location.id, 60)
    match form:
        case "condition":
            fitting = [each for each in made if isinstance(each, NewValue)]
        case "deletion":
            fitting = [Deletion()] if made else []
        case "guarded":
            fitting = [
                each
                for each in made
                if isinstance(each, Guarded) and isinstance(each.statement, NewAssignment)
            ]
        case "return":
            fitting = [each for each in made if returns(each)]
        case _:
            plain = [each for each in made if isinstance(each, NewAssignment)]
            fitting = [Several((plain[0], plain[1]))] if len(plain) > 1 else []
    return Edit(location.id, random.choice(fitting)) if fitting else None


def returns(replacement: Replacement) -> bool:
    """Whether it is a `return`, under a test or not."""
    statement = replacement.statement if isinstance(replacement, Guarded) else replacement
    return isinstance(statement, NewReturn)


def instance(random: Random, form: str) -> tuple[Patch, Problem] | None:
    """What was put into a program, and its trace, which the program itself does not meet."""
    for _ in range(12):
        program = random_program(random)
        if form == "return" and len(program.functions) > 1:
            continue  # what leaves a function earlier in the encoding must not jump over a call
        menus = Menus(program, guarded=form in ("guarded", "return"))
        for _ in range(6):
            edit = drawn(random, program, menus, form)
            if edit is None:
                continue
            meant = Patch((edit,))
            trace = random_trace(random, program, meant, 0.0)
            if trace is not None and not replay(program, Patch(), trace).met:
                return meant, Problem(program, (trace,), Budget(seconds=None))
    return None


def under(form: str) -> Plan:
    """The encoding that has edits of the form."""
    return Plan(
        2 if form == "several" else 1, guarded=form in ("guarded", "return"), spares=form == "several"
    )


def within(questions: Questions, edits: int) -> tuple[Found | Unsat | Failed, bool]:
    """The answer for so many edits at most, and whether an `if` that goes as it went is to blame."""
    limit = questions.at_most("all", [s.term for s in questions.selectors], edits)
    answer = questions.ask([limit, *(way.term for way in questions.ways)])
    return answer, isinstance(answer, Unsat) and any(answer.core)


@pytest.mark.parametrize("form", FORMS)
@CHOSEN
@given(seed=st.integers(0, 2**40))
def test_what_was_put_in_is_found(form: str, seed: int) -> None:
    made = instance(Random(seed), form)
    assume(made is not None)
    assert made is not None
    meant, problem = made
    [trace] = problem.traces
    assert replay(problem.program, meant, trace).met
    questions = Questions(problem, lambda: False)
    try:
        questions.encode(under(form))
    except Unmodelled:
        return  # the program as it is goes astray where no decision leads it
    answer, blamed = within(questions, meant.size)
    if isinstance(answer, Found):
        assert 0 < answer.patch.size <= meant.size
        assert replay(problem.program, answer.patch, trace).met
    elif not blamed and not isinstance(answer, Failed):
        # What stands in no core of the encoding, as a call that was not executed, is tried on the machine.
        told = widening(problem)
        assert isinstance(told, Repairs) or told.reason == "budget"  # it does not know


@CHOSEN
@given(seed=st.integers(0, 2**40))
def test_with_statements_under_tests_the_answer_is_that_of_the_search(seed: int) -> None:
    problem = random_problem(Random(seed), locations=8, budget=Budget(edits=1, seconds=None), faults=1)
    assume(problem is not None)
    assert problem is not None
    menus = Menus(problem.program, guarded=True)
    known = explored(problem, menus, 1, pruned=False)
    assume(known is not None and known[0] > 0)
    assert known is not None
    questions = Questions(problem, lambda: False)
    questions.encode(Plan(1, guarded=True))
    answer, blamed = within(questions, 1)
    if isinstance(answer, Found):
        assert known[0] == 1
        [edit] = answer.patch.edits
        offered = menus.menu(edit.location)
        assert offered is not None
        of_all = (i for i in range(len(offered.choices)) if offered.all >> i & 1)
        if any(offered.choices[i].replacement == edit.replacement for i in of_all):
            assert answer.patch in known[1]
    elif isinstance(answer, Unsat) and not blamed:
        assert known[0] > 1
