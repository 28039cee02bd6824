"""Tests in vain: what a condition makes sure of is asked again where it leads, with nothing changed since.

Who asks `if (a)` within `while (a && b)` has thought of a case without `a`: `||` was meant.

Nor is it of any use to ask whether a pointer leads somewhere before what holds it is passed to a function
that never goes through it: `if (s->top != NULL) push(s, n);`.
"""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.expressions import (
    Dereference,
    Expression,
    Load,
    Member,
    VariableReference,
    text,
    variables,
)
from wolverine.core.parts import conjuncts, gone_through, null_test, null_tests, step_parts, without_casts
from wolverine.core.program import Assign, Branch, Call, Function, Instruction, Program, reachable
from wolverine.repair.source.arms import arms


def asked_in_vain(code: Sequence[Instruction], index: int, condition: Expression) -> int:
    """How many conjuncts of the condition at an instruction are asked again where it holds."""
    branch = code[index]
    if not isinstance(branch, Branch) or branch.if_true > branch.if_false:
        return 0
    inside = code[branch.if_true : branch.if_false]
    return sum(_asked(inside, each) for each in conjuncts(condition))


def protects_nothing(program: Program, function: Function, index: int, condition: Expression) -> bool:
    """Whether a condition asks whether a pointer in a node leads somewhere, and what it is for needs no such.

    That is a single call, without an `else`, of a function that is given the node and neither goes through
    that field of any node nor asks for it.
    """
    match null_test(condition), arms(function.code, index):
        case (Member(Dereference(holder), name), "!="), (inside, []):
            called = [step for step in inside if not isinstance(step, Assign)]
            passed = {without_casts(s.value) for s in inside if isinstance(s, Assign)}
            match called:
                case [Call(_, callee, arguments)] if callee in program.functions:
                    given = holder in passed or holder in map(without_casts, arguments)
                    return given and not _uses_field(program, callee, name)
    return False


def _uses_field(program: Program, callee: str, name: str) -> bool:
    """Whether a function, or one that it calls, goes through a field of that name, or asks for it."""
    for function in reachable(program, {callee}):
        for step in program.functions[function].code:
            places = [part.place for part in step_parts(step) if isinstance(part, Load)]
            places += [step.target] if isinstance(step, Assign) else []
            through = [each for place in places for each in gone_through(place)]
            tested = null_tests(step.condition) if isinstance(step, Branch) else ()
            if any(isinstance(each, Member) and each.name == name for each in (*through, *tested)):
                return True
    return False


def _asked(code: Sequence[Instruction], sure: Expression) -> bool:
    used, told = variables(sure), null_test(sure)
    lasting = told is not None and isinstance(told[0], VariableReference)
    for step in code:
        match step:
            case Branch(_, asked):
                if text(asked) == text(sure) or (told is not None and null_test(asked) == told):
                    return True
            case Assign(_, target) if variables(target) & used:
                return False
            case Call() if not lasting:
                return False
    return False
