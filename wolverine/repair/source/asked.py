"""Whether a call found anything, as the program asks elsewhere: `a = search(n); if (a == NULL) return;`.

Who forgets to ask in one place is reminded of what the others do, rather than given another node.
"""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.expressions import Load, VariableReference
from wolverine.core.parts import null_test, null_tests
from wolverine.core.patch import Guarded, NewJump, NewReturn
from wolverine.core.program import Assign, Branch, Call, Function, Instruction, Program

_NEAR = 12  # instructions behind the call


class Asked:
    """The functions of a program whose results are tested for null where they are stored."""

    def __init__(self, program: Program) -> None:
        self.functions: frozenset[str] = frozenset(
            name
            for function in program.functions.values()
            for at, step in enumerate(function.code)
            if (name := _called(function.code, at)) is not None
            and name in program.functions
            and isinstance(step, Assign)
            and isinstance(step.target, VariableReference)
            and _is_tested(function.code[at + 1 : at + 1 + _NEAR], step.target)
        )

    def leaves(self, function: Function, index: int, made: Guarded) -> bool:
        """Whether the gap at an instruction is left where such a call before it has found nothing."""
        tested = null_test(made.condition)
        if tested is None or not isinstance(made.statement, NewReturn | NewJump):
            return False
        place, operator = tested
        if operator != "==" or not isinstance(place, VariableReference):
            return False
        for at in range(index - 1, -1, -1):
            step = function.code[at]
            if isinstance(step, Assign) and step.target == place:
                return _called(function.code, at) in self.functions
        return False


def _called(code: Sequence[Instruction], at: int) -> str | None:
    """The function whose result is stored there."""
    step, before = code[at], code[at - 1] if at else None
    match step, before:
        case Assign(_, VariableReference(), Load(VariableReference() as taken)), Call(_, name, _, result):
            return name if result == taken else None
    return None


def _is_tested(code: Sequence[Instruction], variable: VariableReference) -> bool:
    """Whether the variable is tested for null before it is set again."""
    for step in code:
        if isinstance(step, Assign) and step.target == variable:
            return False
        if isinstance(step, Branch) and variable in null_tests(step.condition):
            return True
    return False
