"""What functions return: variables, and numbers in special cases (`if (l == NULL) return -1;`).

A new `return` in another special case rather gives the same number back; where the function gives back one
number alone, and callers read it, it is rather another one that is missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Constant, Expression, Load, VariableReference, text, variables
from wolverine.core.parts import null_test, without_casts
from wolverine.core.program import Assign, Branch, Call, Function, Gap, Program, is_result
from wolverine.core.types import CType, IntType
from wolverine.repair.source.walk import expressions_of

_HERE = -0.1  # the function itself returns that
_ELSEWHERE = -0.05  # another one with a result of the same type does
_OTHER = -1.2  # callers read what it gives back, and it never says no, or never yes


class GivenBack:
    """The numbers that a program's functions return in such cases, as text."""

    def __init__(self, program: Program) -> None:
        self._results = {name: function.result for name, function in program.functions.items()}
        self._by_function = {name: frozenset(_special(f)) for name, f in program.functions.items()}
        self._alone = {name: alone_given_back(program, name) for name in program.functions}
        self._by_type: dict[CType, set[str]] = {}
        for name, found in self._by_function.items():
            self._by_type.setdefault(self._results[name], set()).update(found)

    def favours(self, function: str, value: Expression | None) -> float:
        """What speaks for giving back a number in a special case; 0 for other values."""
        if not isinstance(value, Constant) or not isinstance(value.type, IntType):
            return 0.0
        alone = self._alone[function]
        if alone is not None and bool(value.value) != bool(alone):
            return _OTHER
        if text(value) in self._by_function[function]:
            return _HERE
        return _ELSEWHERE * (text(value) in self._by_type[self._results[function]])


def alone_given_back(program: Program, name: str) -> int | None:
    """The number that a function gives back by every `return`, where some caller reads it."""
    results = [s.value for s in program.functions[name].code if isinstance(s, Assign) and is_result(s.target)]
    values = {each.value if isinstance(each, Constant) else None for each in map(without_casts, results)}
    if len(values) != 1 or not isinstance(program.functions[name].result, IntType):
        return None
    return values.pop() if any(_reads(caller, name) for caller in program.functions.values()) else None


def hands_back(function: Function) -> bool:
    """Whether a function gives back by every `return` what it was given: `o->refs++; return o;`."""
    results = [s.value for s in function.code if isinstance(s, Assign) and is_result(s.target)]
    given = {Load(each) for each in function.parameters}
    changed = {Load(s.target) for s in function.code if isinstance(s, Assign)}
    return bool(results) and all(each in given - changed for each in map(without_casts, results))


def _reads(caller: Function, name: str) -> bool:
    """Whether it reads what a function gives back."""
    results = {
        step.result.name
        for step in caller.code
        if isinstance(step, Call) and step.function == name and step.result is not None
    }
    return any(results & variables(each) for step in caller.code for each in expressions_of(step))


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
