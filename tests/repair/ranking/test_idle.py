"""A repair that no longer does the program's work is told by the statements that it leaves idle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import crash as crash_of

from wolverine.core.expressions import Binary, Constant, Load, lvalue_text
from wolverine.core.patch import NO_EDITS, Candidate, Deletion, Edit, NewValue, Patch, Repairs
from wolverine.core.program import Assign, Branch, Gap, Program
from wolverine.core.trace import Problem
from wolverine.core.types import INT
from wolverine.repair import search
from wolverine.repair.heaps.remains import alters
from wolverine.repair.menus.wording import describe
from wolverine.repair.ranking.idle import Idle
from wolverine.repair.source.blocks import statement
from wolverine.repair.source.forgotten import forgets

SUM = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
void push(int data) {
    struct node *n = malloc(sizeof *n);
    n->data = data;
    n->next = head;
    head = n;
}
int sum(struct node *p) {
    int s = 0;
    while (s >= 0) {
        s = s + p->data;
        p = p->next;
    }
    return s;
}
int main(void) { push(2); push(4); return sum(head); }
"""


@pytest.fixture
def crash(tmp_path: Path) -> Problem:
    """The program's crash, of which nothing else is known."""
    return crash_of(SUM, "sum", tmp_path)


def named(program: Program, found: Repairs, text: str) -> tuple[int, Candidate]:
    """The first of the candidates that puts the text there, and its rank."""
    return next((i, c) for i, c in enumerate(found.candidates) if describe(program, c.patch)[7:] == text)


@pytest.mark.thorough
def test_a_loop_that_is_never_entered_comes_behind_one_that_ends(crash: Problem) -> None:
    found = search(crash)
    assert isinstance(found, Repairs)
    ends = named(crash.program, found, "p != NULL && s >= 0")
    never = named(crash.program, found, "s > 0")
    assert ends[0] < never[0]
    assert ends[1].score > never[1].score
    trace = crash.traces[0]
    idle = Idle(crash.program, trace, [])
    assert idle.count(ends[1].patch) == 0
    assert idle.count(never[1].patch) == 2


def test_a_field_is_forgotten_where_others_of_the_node_are_set(crash: Problem) -> None:
    push, main = (crash.program.functions[name] for name in ("push", "main"))
    targets = [e.target for e in push.code if hasattr(e, "target") and "next" in str(e.target)]
    assert targets
    assert not forgets(push, targets[0])
    without = replace(push, code=tuple(s for s in push.code if getattr(s, "target", None) not in targets))
    assert forgets(without, targets[0])
    assert not forgets(main, targets[0])


def test_what_was_not_set_may_be_set_without_another_outcome() -> None:
    before = (frozenset({(1, 0, 2)}), frozenset(), 7)
    more = (frozenset({(1, 0, 2), (1, 8, 0)}), frozenset(), 7)
    assert not alters((before, ""), (more, ""))
    assert alters((more, ""), (before, ""))
    assert alters((before, ""), (more, "printed"))
    assert alters((before, ""), ((*before[:2], 8), ""))


def test_a_statement_that_is_moved_is_not_idle(crash: Problem) -> None:
    function = crash.program.functions["sum"]
    assigned = [(i, s) for i, s in enumerate(function.code) if isinstance(s, Assign)]
    index, step = next((i, s) for i, s in assigned if lvalue_text(s.target) == "p")
    gap = next(s.location for s in function.code[index + 1 :] if isinstance(s, Gap))
    made = statement(function, index)
    assert made is not None
    gone = Edit(step.location, Deletion())
    idle = Idle(crash.program, crash.traces[0], [])
    assert idle.count(Patch((gone, Edit(gap, made)))) == idle.count(NO_EDITS) < idle.count(Patch((gone,)))


def test_what_lies_behind_more_input_than_was_read_is_not_idle(tmp_path: Path) -> None:
    reading = SUM.replace("return sum(head);", 'int s = sum(head); scanf("%d", &s); push(s); return s;')
    problem = crash_of("#include <stdio.h>\n" + reading, "main", tmp_path)
    function = problem.program.functions["sum"]
    [p] = function.parameters
    loop = next(step for step in function.code if isinstance(step, Branch))
    ends = NewValue(Binary("!=", Load(p), Constant(0, p.type), INT))
    assert Idle(problem.program, problem.traces[0], []).count(Patch((Edit(loop.location, ends),))) == 0


def test_what_a_failing_assertion_calls_is_best_left_idle(tmp_path: Path) -> None:
    checked = SUM.replace("return s;", "assert(s > 0); return s;")
    problem = crash_of("#include <assert.h>\n" + checked, "main", tmp_path)
    function = problem.program.functions["sum"]
    [p] = function.parameters
    loop = next(step for step in function.code if isinstance(step, Branch))
    ends = NewValue(Binary("!=", Load(p), Constant(0, p.type), INT))
    assert Idle(problem.program, problem.traces[0], []).count(Patch((Edit(loop.location, ends),))) == 0
