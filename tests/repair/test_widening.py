"""Algorithm 1 on z3: it finds repairs, relaxes what the core names, and fails fast."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from playing import Play, program_of

from wolverine.core.patch import NoRepair, Repairs
from wolverine.core.trace import Budget, Problem
from wolverine.repair.rank import replacement_text
from wolverine.repair.widening import widening, widening_any
from wolverine.semantics.replay import replay

Engine = Callable[[Problem], Repairs | NoRepair]

LIST = """#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
void push(int data) {
    struct node *fresh = malloc(sizeof(struct node));
    fresh->data = data;
    fresh->next = head;
    head = fresh;
}
void drop_second(void) {
    struct node *second = NULL;
    int done = 0;
    if (head != NULL) {
        second = head;
    }
    done = 1;
    free(second);
}
int main() { push(1); push(2); push(3); drop_second(); return 0; }
"""


def played(folder: Path) -> Play:
    """drop_second() should set second to the second node: n2."""
    play = Play(program_of(LIST, folder))
    play.enter_function("drop_second")
    play.to(16)
    play.change("second", "n2")
    play.spec()
    return play


@pytest.mark.parametrize("engine", [widening, widening_any])
def test_a_wrong_value_is_repaired(tmp_path: Path, engine: Engine) -> None:
    problem = played(tmp_path).problem()
    found = engine(problem)
    assert isinstance(found, Repairs)
    [candidate] = found.candidates
    assert replay(problem.program, candidate.patch, problem.traces[0]).met
    assert len(candidate.patch.edits) == candidate.cost >= 1


def test_locked_locations_stay_as_they_are(tmp_path: Path) -> None:
    play = played(tmp_path)
    line = next(each.id for each in play.program.locations if each.text == "second = head")
    problem = replace(play.problem(Budget(insertions=0)), editable=frozenset({line}))
    found = widening(problem)
    assert isinstance(found, Repairs)
    assert [replacement_text(edit.replacement) for edit in found.candidates[0].patch.edits] == [
        "second = head->next"
    ]


def test_it_fails_fast_where_no_bound_is_to_blame(tmp_path: Path) -> None:
    problem = replace(played(tmp_path).problem(Budget(insertions=0)), editable=frozenset())
    found = widening(problem)
    assert isinstance(found, NoRepair)
    assert found.reason == "unsatisfiable"
    assert found.steps == 1


def test_an_insertion_is_found_when_only_gaps_may_change(tmp_path: Path) -> None:
    play = played(tmp_path)
    gaps = frozenset(each.id for each in play.program.locations if each.kind == "gap")
    found = widening(replace(play.problem(), editable=gaps))
    assert isinstance(found, Repairs)
    [edit] = found.candidates[0].patch.edits
    assert play.program.location(edit.location).kind == "gap"


def test_nothing_is_changed_where_all_is_met(tmp_path: Path) -> None:
    play = Play(program_of(LIST, tmp_path))
    play.enter_function("drop_second")
    play.to(16)
    play.spec()
    found = widening(play.problem())
    assert isinstance(found, Repairs)
    assert found.candidates[0].patch.edits == ()
