"""How much is allocated: other sizes for the argument of `malloc` and `calloc`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wolverine.core.expressions import (
    Binary,
    Cast,
    Constant,
    Expression,
    LValue,
    VariableReference,
    lvalue_text,
    variables,
)
from wolverine.core.program import Assign, Call, Function, Program
from wolverine.core.types import SIZE, FunctionType, OpaqueType, PointerType, StructReference, VoidType
from wolverine.semantics.allocation import MAKING


def sizes(program: Program, function: Function, index: int) -> Iterator[Expression] | None:
    """Other sizes for the argument that is assigned at an instruction; None where that is none.

    What the result leads to, by the type of the place that takes it; and room for one more, as for the zero
    behind a string.
    """
    step = function.code[index]
    if not isinstance(step, Assign) or not isinstance(step.target, VariableReference):
        return None
    call = _call(function, index, step.target.name)
    if call is None or call.function not in MAKING or call.result is None:
        return None
    counts = call.function == "calloc" and step.target.name in variables(call.arguments[0])
    return _sizes(program, step.value, None if counts else _taker(function, index, call.result.name))


def _sizes(program: Program, value: Expression, taker: LValue | None) -> Iterator[Expression]:
    pointed = None if taker is None else _pointed(program, taker)
    match value:
        case Constant(number):
            if pointed is not None and pointed.value != number:
                yield pointed
        case Binary("*", left, right):
            for one, other, first in ((left, right, True), (right, left, False)):
                if isinstance(one, Constant):
                    if pointed is not None and pointed.value != one.value:
                        yield _product(pointed, other, first=first)
                    if not isinstance(other, Constant):
                        yield _product(one, _more(other), first=first)
        case _:
            yield _more(value)
            if pointed is not None and pointed.value > 1:
                yield _product(value, pointed, first=True)


def _product(one: Expression, other: Expression, *, first: bool) -> Expression:
    return Binary("*", one, other, SIZE) if first else Binary("*", other, one, SIZE)


def _more(value: Expression) -> Expression:
    if isinstance(value, Cast):
        return replace(value, operand=_more(value.operand))
    return Binary("+", value, Constant(1, value.type), value.type)


def _call(function: Function, index: int, name: str) -> Call | None:
    """The call that is passed a temporary."""
    for step in function.code[index + 1 :]:
        if isinstance(step, Call) and any(name in variables(each) for each in step.arguments):
            return step
    return None


def _taker(function: Function, index: int, name: str) -> LValue | None:
    """The place that takes a call's result."""
    for step in function.code[index + 1 :]:
        if isinstance(step, Assign) and name in variables(step.value):
            return step.target
    return None


def _pointed(program: Program, place: LValue) -> Constant | None:
    """The size of what a place leads to, as it is written."""
    named = not any(name.startswith("$") for name in variables(place))
    match place.type:
        case PointerType(VoidType() | FunctionType() | OpaqueType()):
            return None
        case PointerType(StructReference(tag)) if tag not in program.types.structs:
            return None
        case PointerType(target) if named:
            return Constant(program.types.size(target), SIZE, f"sizeof(*{lvalue_text(place)})")
    return None
