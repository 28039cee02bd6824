"""Algorithm 1 on z3: it finds repairs, relaxes what the core names, and fails fast."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.patch import NoRepair, Repairs
from wolverine.core.trace import Budget, Problem
from wolverine.localize import gradient
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.widening.algorithm import Options, widening, widening_any
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
    assert found.candidates
    for candidate in found.candidates:
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
    for candidate in found.candidates:
        [edit] = candidate.patch.edits
        assert play.program.location(edit.location).kind == "gap"


def test_nothing_is_changed_where_all_is_met(tmp_path: Path) -> None:
    play = Play(program_of(LIST, tmp_path))
    play.enter_function("drop_second")
    play.to(16)
    play.spec()
    found = widening(play.problem())
    assert isinstance(found, Repairs)
    assert found.candidates[0].patch.edits == ()


LOOP = """#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head, *last;
int found;
void push(int data) {
    struct node *fresh = malloc(sizeof(struct node));
    fresh->data = data;
    fresh->next = head;
    head = fresh;
}
void look(int data) {
    struct node *p = head;
    found = 0;
    last = NULL;
    while (p != NULL) {
        if (p->data == data)
            found = 1;
        last = p;
        p = p->next;
    }
}
int main() { push(1); push(2); push(3); look(2); return 0; }
"""


def explained(problem: Problem, **options: object) -> tuple[Repairs | NoRepair, list[str]]:
    told: list[str] = []
    return widening(problem, options=Options(told=told.append, **options)), told  # type: ignore[arg-type]


def test_the_rounds_are_told_in_source_terms(tmp_path: Path) -> None:
    found, told = explained(played(tmp_path).problem(Budget(insertions=0)))
    assert isinstance(found, Repairs)
    assert told[0] == "every statement may change; 0 insertion slots"
    assert told[1] == "round 1: tau_grd = 0, tau_stm = 0, tau_ins = 0: unsatisfiable"
    core = "\n".join(told)
    assert "core, statements:" in core and "second = head" in core
    relaxed = [line.split()[0] for line in told if " becomes 1" in line and line.strip().startswith("tau")]
    assert relaxed
    assert any(line.endswith(": satisfiable") for line in told)


def test_the_failing_fast_is_told(tmp_path: Path) -> None:
    problem = replace(played(tmp_path).problem(Budget(insertions=0)), editable=frozenset())
    _, told = explained(problem)
    assert told[-1] == "  the core holds no bound: the assertions and forced branches alone cannot be met"


def test_a_returning_branch_is_a_guard(tmp_path: Path) -> None:
    """The wrong way out of a function is repaired by its condition, which is no straight code."""
    text = """struct node { int data; struct node *next; };
struct node a, b;
int kind;
void sort_out(struct node *p) {
    if (p != 0) {
        kind = 1;
        return;
    }
    kind = 2;
}
int main() { a.next = &b; sort_out(&a); return 0; }
"""
    play = Play(program_of(text, tmp_path))
    play.enter_function("sort_out")
    play.to(11, "main")
    play.change("kind", "2")
    play.spec("kind")
    condition = next(each.id for each in play.program.locations if each.kind == "condition")
    found = widening(replace(play.problem(), editable=frozenset({condition})))
    assert isinstance(found, Repairs)
    [edit] = found.candidates[0].patch.edits
    assert edit.location == condition


def test_a_smaller_repair_replaces_that_of_the_bounds(tmp_path: Path) -> None:
    """Guards are relaxed first, although one statement is at fault."""
    play = Play(program_of(LOOP.replace("last = p;", "last = head;"), tmp_path))
    play.enter_function("look")
    for node in ("n3", "n2", "n1"):
        play.to(15)
        if node != "n3":
            play.change("last", {"n2": "n3", "n1": "n2"}[node])
            play.spec()
    found = widening(play.problem())
    assert isinstance(found, Repairs)
    texts = {replacement_text(e.replacement) for c in found.candidates for e in c.patch.edits}
    assert "last = p" in texts
    assert all(candidate.cost == 1 for candidate in found.candidates)


def test_a_crash_is_repaired(tmp_path: Path) -> None:
    play = Play(program_of(LOOP.replace("last = p;", "p = p->next;"), tmp_path))
    play.enter_function("look")
    play.crash()
    problem = play.problem()
    found = widening(problem)
    assert isinstance(found, Repairs)
    assert replay(problem.program, found.candidates[0].patch, problem.traces[0]).met


def test_locks_that_hide_the_fault_are_lifted(tmp_path: Path) -> None:
    """The smallest case in which section 5's claim fails: a wrong condition has no gradient.

    The gradient suspects `found = 1` only (its sole writer, and it differs); the fault is the `if`.
    """
    play = Play(program_of(LOOP.replace("p->data == data", "p->data != data"), tmp_path))
    play.enter_function("look")
    play.to(15)
    play.to(15)
    play.change("found", "0")
    play.spec()
    play.to(15)
    play.change("found", "1")
    play.spec()
    problem = play.problem(Budget(insertions=0))
    suspicious = frozenset(each.location for each in gradient.localize(problem))
    fault = next(each.id for each in play.program.locations if each.text == "p->data != data")
    assert suspicious and fault not in suspicious
    found, told = explained(problem, suspicious=suspicious)
    assert isinstance(found, Repairs)
    assert any(edit.location == fault for c in found.candidates for edit in c.patch.edits)
    assert "no repair under these locks: they are lifted" in told
    assert any("nondet" in line for line in told)  # no insertion slot: locked statements assign anything


def test_several_slots_insert_in_order(tmp_path: Path) -> None:
    text = LIST.replace("second = head;", "").replace("done = 1;", "")
    play = Play(program_of(text, tmp_path))
    play.enter_function("drop_second")
    play.to(17)
    play.change("second", "n2")
    play.change("done", "1")
    play.spec()
    gaps = frozenset(each.id for each in play.program.locations if each.kind == "gap")
    found = widening(replace(play.problem(Budget(insertions=2)), editable=gaps))
    assert isinstance(found, Repairs)
    assert found.candidates[0].cost == 2
