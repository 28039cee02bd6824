"""Storing what a call returns in vain: how likely that is what was forgotten."""

from __future__ import annotations

from wolverine.core.expressions import Expression, Load, LValue, VariableReference, lvalue_text, text
from wolverine.core.program import Assign, Call, Gap, Instruction, Program

_USED = 0.9  # elsewhere the function's result is used: it is what the function is for
_UNUSED = 1.4
_PASSED = -0.2  # `x->f = g(x->f, ...)`


def storing(program: Program, function: str, index: int, target: LValue) -> float:
    """The distance of storing in `target` what the call before gap `index` returns."""
    code = program.functions[function].code
    call = code[index - 1]
    if not isinstance(call, Call):
        return _UNUSED
    score = _USED if _result_used(program, call.function) else _UNUSED
    passed = (_argument(code[:index], each) for each in call.arguments)
    return score + _PASSED * any(text(each) == lvalue_text(target) for each in passed)


def _result_used(program: Program, wanted: str) -> bool:
    """Whether some call of the function does not drop its result."""
    for function in program.functions.values():
        for index, step in enumerate(function.code[:-1]):
            if isinstance(step, Call) and step.function == wanted and step.result is not None:
                behind = function.code[index + 1]
                if not (isinstance(behind, Gap) and _stores(program, behind)):
                    return True
    return False


def _stores(program: Program, gap: Gap) -> bool:
    return gap.location >= 0 and program.location(gap.location).gap == "result"


def _argument(before: tuple[Instruction, ...], argument: Expression) -> Expression:
    """What was assigned to the temporary that is passed."""
    match argument:
        case Load(VariableReference() as temporary):
            for step in reversed(before):
                if isinstance(step, Assign) and step.target == temporary:
                    return step.value
    return argument
