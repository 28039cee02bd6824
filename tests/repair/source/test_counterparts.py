"""Edits in the names of a function that is the same up to these."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.patch import Deletion, Edit, NewAssignment, NewValue, Patch
from wolverine.core.program import Assign, Branch, Function, Program
from wolverine.frontend import describe
from wolverine.repair.source.counterparts import counterparts

ENDS = """\
struct node { int key; struct node *next, *prev; };
struct deque { struct node *first, *last; };
void front(struct deque *d, struct node *n) {
    n->prev = 0;
    n->next = d->first;
    if (d->first != 0)
        d->first->prev = n;
    d->first = n;
}
void back(struct deque *q, struct node *m) {
    m->next = 0;
    m->prev = q->last;
    if (q->last != 0)
        q->last->next = m;
    q->last = m;
}
void clear(struct deque *d) {
    d->first = 0;
    d->last = 0;
}
"""


def _assignments(function: Function) -> list[Assign]:
    return [step for step in function.code if isinstance(step, Assign)]


def _words(program: Program, edit: Edit) -> list[str]:
    return [describe(program, Patch((other,))) for other in counterparts(program, edit)]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return program_of(ENDS, tmp_path)


def test_variables_and_fields_are_exchanged(program: Program) -> None:
    first, second, *_ = _assignments(program.functions["front"])
    theirs = _assignments(program.functions["back"])
    edit = Edit(first.location, NewAssignment(second.target, second.value))  # n->next = d->first
    [other] = counterparts(program, edit)
    assert other == Edit(theirs[0].location, NewAssignment(theirs[1].target, theirs[1].value))
    assert [*counterparts(program, other)] == [edit]


def test_conditions_and_what_is_gone(program: Program) -> None:
    [branch] = (step for step in program.functions["front"].code if isinstance(step, Branch))
    [theirs] = (step for step in program.functions["back"].code if isinstance(step, Branch))
    [condition] = counterparts(program, Edit(branch.location, NewValue(branch.condition)))
    assert condition == Edit(theirs.location, NewValue(theirs.condition))
    last, its = (_assignments(program.functions[name])[-1] for name in ("front", "back"))
    assert [*counterparts(program, Edit(last.location, Deletion()))] == [Edit(its.location, Deletion())]


def test_other_functions_have_no_counterpart(program: Program) -> None:
    first, _ = _assignments(program.functions["clear"])
    assert not _words(program, Edit(first.location, Deletion()))
