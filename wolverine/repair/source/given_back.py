"""What functions return: variables, and numbers in special cases (`if (l == NULL) return -1;`).

A new `return` in another special case rather gives the same number back.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Constant, Expression, Load, VariableReference, text
from wolverine.core.parts import null_test, without_casts
from wolverine.core.program import Assign, Branch, Function, Gap, Program, is_result
from wolverine.core.types import CType, IntType

_HERE = -0.1  # the function itself returns that
_ELSEWHERE = -0.05  # another one with a result of the same type does


class GivenBack:
    """The numbers that a program's functions return in such cases, as text."""

    def __init__(self, program: Program) -> None:
        self._results = {name: function.result for name, function in program.functions.items()}
        self._by_function = {name: frozenset(_special(f)) for name, f in program.functions.items()}
        self._by_type: dict[CType, set[str]] = {}
        for name, found in self._by_function.items():
            self._by_type.setdefault(self._results[name], set()).update(found)

    def favours(self, function: str, value: Expression | None) -> float:
        """What speaks for giving back a number in a special case; 0 for other values."""
        if not isinstance(value, Constant) or not isinstance(value.type, IntType):
            return 0.0
        if text(value) in self._by_function[function]:
            return _HERE
        return _ELSEWHERE * (text(value) in self._by_type[self._results[function]])


def variables_returned(function: Function) -> Iterator[tuple[int, VariableReference]]:
    """The variables of which it returns the value, with the locations of these `return`s."""
    for step in function.code:
        match step:
            case Assign(location, place, Load(VariableReference() as variable)) if is_result(place):
                yield location, variable


def _special(function: Function) -> Iterator[str]:
    """The numbers that the function returns at once where a pointer is null."""
    for step in function.code:
        if isinstance(step, Branch) and (test := null_test(step.condition)) is not None:
            at = step.if_true if test[1] == "==" else step.if_false
            following = next((s for s in function.code[at:] if not isinstance(s, Gap)), None)
            if isinstance(following, Assign) and is_result(following.target):
                value = without_casts(following.value)
                if isinstance(value, Constant):
                    yield text(value)
