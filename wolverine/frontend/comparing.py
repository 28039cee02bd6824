"""Texts that an edit compares, as the front end lowers the call of `strcmp` that is written for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

from wolverine.core.expressions import (
    BY_TEXT,
    Binary,
    Cast,
    Conditional,
    Constant,
    Expression,
    Load,
    Logical,
    Unary,
    VariableReference,
)
from wolverine.core.parts import parts
from wolverine.core.program import Assign, Branch, Concrete, Instruction, Jump, Library
from wolverine.core.types import INT


def with_calls(code: Sequence[Instruction]) -> list[Instruction]:
    """The code with such comparisons as calls behind it, a jump in the place of each instruction with one."""
    made = _Calls([*code])
    for index, step in enumerate(code):
        match step:
            case Branch(_, condition) if _compares(condition):
                made.begin(index)
                made.branch(step, condition, step.if_true, step.if_false)
            case Assign(_, _, value) if _compares(value):
                made.begin(index)
                made.code.append(replace(step, value=made.value(step.location, value)))
                made.code.append(Jump(-1, index + 1))
    return made.code


def _compares(value: Expression) -> bool:
    return any(isinstance(part, Binary) and part.operator == BY_TEXT for part in parts(value))


class _Calls:
    """Puts instructions behind the code; what they jump to is an index of it."""

    def __init__(self, code: list[Instruction]) -> None:
        self.code = code
        self._names: Iterator[int] = count()

    def begin(self, index: int) -> None:
        """From here on in the place of an instruction."""
        self.code[index] = Jump(-1, len(self.code))

    def branch(self, step: Branch, condition: Expression, if_true: int, if_false: int) -> None:
        """Go one way or the other by a condition: what comes after `&&` and `||` is asked for itself."""
        match condition:
            case Logical(operator, left, right) if _compares(right):
                at = self._placeholder()
                behind = len(self.code)
                self.branch(step, right, if_true, if_false)
                self.begin(at)
                ways = (behind, if_false) if operator == "&&" else (if_true, behind)
                self.branch(step, left, *ways)
            case _:
                asked = self.value(step.location, condition)
                self.code.append(replace(step, condition=asked, if_true=if_true, if_false=if_false))

    def value(self, location: int, value: Expression) -> Expression:
        """The value with temporaries for what is called."""
        match value:
            case Binary(operator, left, right) if operator == BY_TEXT:
                found = self._temporary()
                self.code.append(Library(location, BY_TEXT, (left, right), found))
                self.code.append(Concrete(location, f"call of {BY_TEXT}", (found,)))
                return Load(found)
            case Logical(operator, left, right) if _compares(right):
                return self._chosen(location, operator, left, right)
            case Unary(_, operand) | Cast(operand) if _compares(operand):
                return replace(value, operand=self.value(location, operand))
            case Binary(_, left, right) | Logical(_, left, right) if _compares(value):
                return replace(value, left=self.value(location, left), right=self.value(location, right))
            case Conditional(condition) if _compares(condition):
                return replace(value, condition=self.value(location, condition))
        return value

    def _chosen(self, location: int, operator: str, left: Expression, right: Expression) -> Expression:
        """The value of `&&` and `||`: the right side where the left one leaves it open."""
        result = self._temporary()
        first = self._placeholder()
        asked = len(self.code)
        truth = Binary("!=", self.value(location, right), Constant(0, INT), INT)
        self.code.append(Assign(location, result, truth))
        onward = [self._placeholder()]
        known = len(self.code)
        self.code.append(Assign(location, result, Constant(int(operator == "||"), INT)))
        onward.append(self._placeholder())
        self.begin(first)
        ways = (asked, known) if operator == "&&" else (known, asked)
        self.branch(Branch(location, left, *ways), left, *ways)
        for at in onward:
            self.code[at] = Jump(-1, len(self.code))
        return Load(result)

    def _placeholder(self) -> int:
        self.code.append(Jump(-1, len(self.code) + 1))
        return len(self.code) - 1

    def _temporary(self) -> VariableReference:
        return VariableReference(f"$ordered{next(self._names)}", INT)
