"""Storing what a call returns in vain: how likely that is what was forgotten."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from wolverine.core.expressions import LValue, lvalue_text, text
from wolverine.core.program import Call, Gap, Program
from wolverine.repair.source.retained import passed_to

_USED = 0.9  # elsewhere the function's result is used: it is what the function is for
_UNUSED = 1.4
_PASSED = -0.2  # `x->f = g(x->f, ...)`


class Dropped:
    """The calls of one program whose results are dropped, beside those whose results are used."""

    def __init__(self, program: Program) -> None:
        self._program = program

    @cached_property
    def _used(self) -> frozenset[str]:
        """The functions of which some call does not drop its result."""
        return frozenset(
            step.function
            for function in self._program.functions.values()
            for step, behind in pairwise(function.code)
            if isinstance(step, Call) and step.result is not None
            if not (isinstance(behind, Gap) and _stores(self._program, behind))
        )

    def storing(self, function: str, index: int, target: LValue) -> float:
        """The distance of storing in `target` what the call before gap `index` returns."""
        code = self._program.functions[function].code
        call = code[index - 1]
        if not isinstance(call, Call):
            return _UNUSED
        score = _USED if call.function in self._used else _UNUSED
        passed = (passed_to(code[:index], each) for each in call.arguments)
        return score + _PASSED * any(text(each) == lvalue_text(target) for each in passed)


def _stores(program: Program, gap: Gap) -> bool:
    return gap.location >= 0 and program.location(gap.location).gap == "result"
