"""Calls that leave as soon as they see that there is nothing to do: `if (key == t->key) return;`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import Binary, Expression, Load, Unary, VariableReference, text, variables
from wolverine.core.parts import conjuncts, negated, null_test
from wolverine.core.program import (
    Assign,
    Before,
    Branch,
    Declare,
    Function,
    Gap,
    Instruction,
    Jump,
    is_result,
)
from wolverine.core.types import PointerType

_DEEP = 3  # conditions, one behind the other

_OTHER = {"<=": ">=", ">=": "<="}

_Told = frozenset[tuple[str, str, str]]  # operators with their operands


def turns_away(function: Function, index: int) -> bool:
    """Whether the `return` at an instruction comes at once where two values are equal, or a call says so.

    A key is there already then, or there is no more room.  A pointer that is null tells nothing of the kind:
    there may be the place for what was made.
    """
    code = function.code
    step = code[index]
    if not (isinstance(step, Jump) and step.location >= 0 and step.target == function.end):
        return False
    start = index
    while start and isinstance(before := code[start - 1], Assign) and is_result(before.target):
        start -= 1
    ways = [*_known(code, start, _DEEP)]
    return bool(ways) and all(map(_equal, ways))


def _known(code: Sequence[Instruction], start: int, deep: int) -> Iterator[_Told]:
    """What the conditions right in front of an instruction tell, on each way to it."""
    first = start
    while first and isinstance(code[first - 1], Gap | Before | Declare):
        first -= 1
    if first and not isinstance(code[first - 1], Branch | Jump):
        yield frozenset()  # something else comes in front of it
        return
    for index, step in enumerate(code if deep else ()):
        if not isinstance(step, Branch):
            continue
        for target, condition in ((step.if_true, step.condition), (step.if_false, negated(step.condition))):
            if first <= target <= start:
                told = frozenset(made for each in conjuncts(condition) for made in _compared(each))
                for before in [*_known(code, index, deep - 1)] or [frozenset[tuple[str, str, str]]()]:
                    yield before | told


def _compared(condition: Expression) -> Iterator[tuple[str, str, str]]:
    """How two values compare; what a call has found, or says of them, is equal to what is asked for."""
    tested = null_test(condition)
    match condition:
        case Load(VariableReference(name)) if name.startswith("$"):
            yield "==", name, ""
        case Unary("!", Load(VariableReference(name, type=kind))) if name.startswith("$"):
            if not isinstance(kind, PointerType):
                yield "==", name, ""
        case Binary(operator, left, right) if not isinstance(left.type, PointerType):
            named = variables(left), variables(right)
            if all(named) or any(name.startswith("$") for name in named[0]):
                yield operator, text(left), text(right)
        case Binary("!=", Load(VariableReference(name))) if tested is not None and name.startswith("$"):
            yield "==", name, ""


def _equal(told: _Told) -> bool:
    """Whether two values are known to be equal."""
    return any(
        operator == "=="
        or (operator in _OTHER and not told.isdisjoint({(_OTHER[operator], a, b), (operator, b, a)}))
        for operator, a, b in told
    )
