"""Tests in vain: what a condition makes sure of is asked again where it leads, with nothing changed since.

Who asks `if (a)` within `while (a && b)` has thought of a case without `a`: `||` was meant.
"""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.expressions import Expression, VariableReference, text, variables
from wolverine.core.parts import conjuncts, null_test
from wolverine.core.program import Assign, Branch, Call, Instruction


def asked_in_vain(code: Sequence[Instruction], index: int, condition: Expression) -> int:
    """How many conjuncts of the condition at an instruction are asked again where it holds."""
    branch = code[index]
    if not isinstance(branch, Branch) or branch.if_true > branch.if_false:
        return 0
    inside = code[branch.if_true : branch.if_false]
    return sum(_asked(inside, each) for each in conjuncts(condition))


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
