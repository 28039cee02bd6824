"""What is near and what is far of a statement as it is."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from playing import program_of

from wolverine.core.expressions import Binary, Constant, Load, Logical, VariableReference
from wolverine.core.patch import Edit, NewAssignment, NewValue
from wolverine.core.program import Assign, Branch, Gap, Program
from wolverine.core.types import INT
from wolverine.repair.distance import condition_distance, distance, operator_distance
from wolverine.repair.score import Scores

X, Y = (Load(VariableReference(name, INT)) for name in "xy")

UNUSED = """int last;
void keep(int value) {
    last = 1;
}
int main(void) {
    keep(3);
    return last;
}
"""
COUNTED = """#include <stdio.h>
int main(void) {
    int i = 0, left = 3;
    while (left > 0) {
        printf("%d", i);
        left = left - 1;
    }
    printf("%d", i);
    return 0;
}
"""


def test_the_same_question_the_other_way_round_is_nearer_than_another_question() -> None:
    assert operator_distance("<", "<=") < operator_distance("<", ">") == operator_distance("<", ">=")
    assert operator_distance("<", ">") < operator_distance("<", "!=")
    assert operator_distance("+", "-") < operator_distance("+", "*")
    assert operator_distance("<", "!=") < operator_distance("<", "*")


def test_a_comparison_does_not_become_arithmetic() -> None:
    less = Binary("<", X, Y, INT)
    assert (
        condition_distance(less, Binary("-", X, Y, INT))
        > condition_distance(less, Binary(">", X, Y, INT)) + 1
    )
    assert distance(Binary("-", X, Y, INT), less) > distance(less, Binary("<=", X, Y, INT)) + 1


def test_comparing_something_with_itself_is_the_last_resort() -> None:
    less = Binary("<", X, Y, INT)
    assert condition_distance(less, Binary("<", X, X, INT)) > condition_distance(
        less, Binary("!=", X, Y, INT)
    )


def test_something_is_rather_compared_with_another_thing_than_with_itself_otherwise() -> None:
    alike = Binary("<", X, X, INT)
    assert condition_distance(alike, Binary("<", X, Y, INT)) < condition_distance(
        alike, Binary("<=", X, X, INT)
    )


def test_a_parameter_that_was_forgotten_is_nearer_than_a_constant(tmp_path: Path) -> None:
    program = program_of(UNUSED, tmp_path)
    location = _assignment(program)
    scores = Scores(program)
    value = Load(VariableReference("value", INT))
    forgotten = scores.edit(Edit(location, NewValue(value)))
    assert forgotten < scores.edit(Edit(location, NewValue(Constant(2, INT))))


def test_a_step_stands_at_the_end_of_its_loop(tmp_path: Path) -> None:
    program = program_of(COUNTED, tmp_path)
    scores, counter = Scores(program), VariableReference("i", INT)
    step = NewAssignment(counter, Binary("+", Load(counter), Constant(1, INT), INT))
    gaps = [
        (program.location(s.location).line, scores.edit(Edit(s.location, step)))
        for s in program.functions["main"].code
        if isinstance(s, Gap)
    ]
    best = min(score for _, score in gaps)
    assert [line for line, score in gaps if score == best] == [6, 6]  # before and behind the last statement


def test_what_does_nothing_is_changed_before_something_is_inserted(tmp_path: Path) -> None:
    program = program_of(COUNTED.replace("left - 1", "left"), tmp_path)
    scores, left = Scores(program), VariableReference("left", INT)
    step = NewAssignment(left, Binary("-", Load(left), Constant(1, INT), INT))
    gaps = [s.location for s in program.functions["main"].code if isinstance(s, Gap)]
    idle = next(
        s.location
        for s in program.functions["main"].code
        if isinstance(s, Assign) and s.value == Load(s.target)
    )
    assert scores.edit(Edit(idle, step)) < min(scores.edit(Edit(gap, step)) for gap in gaps)


def test_a_test_stands_before_what_it_guards_the_right_way_round(tmp_path: Path) -> None:
    program = program_of(GUARDED, tmp_path)
    step = next(s for s in program.functions["main"].code if isinstance(s, Branch))
    inner = step.condition
    pointer = Load(next(v for v in program.functions["main"].locals if v.name == "p"))
    scores = {
        operator: Scores(program).edit(
            Edit(
                step.location,
                NewValue(
                    Logical("&&", Binary(operator, pointer, Constant(0, pointer.type), INT), inner),
                ),
            )
        )
        for operator in ("==", "!=")
    }
    assert scores["!="] + 0.5 < scores["=="]


def test_constants_are_not_compared_with_each_other() -> None:
    test = Binary("==", X, Constant(1, INT), INT)
    assert condition_distance(test, Binary("==", Constant(2, INT), Constant(1, INT), INT)) > 2


GUARDED = """struct cell { int v; struct cell *next; };
struct cell one;
int main(void) {
    struct cell *p = one.next;
    while (p->v == 1)
        p = p->next;
    return 0;
}
"""


def _assignment(program: Program) -> int:
    return next(s.location for s in program.functions["keep"].code if isinstance(s, Assign))
