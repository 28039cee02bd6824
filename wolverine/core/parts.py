"""What an expression is made of."""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Cast,
    Conditional,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    Unary,
    VariableReference,
)
from wolverine.core.program import Assign, Branch, Call, Instruction, Library, Return
from wolverine.core.types import INT, PointerType, StructReference

NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", "<=": ">", ">": "<="}
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}  # the sides exchanged


def amount_added(target: LValue, value: Expression | None) -> Expression | None:
    """What is added to a place where it is, or subtracted: `n` of `x = x + n`; None for another value."""
    match None if value is None else unconverted(value):
        case Binary("+" | "-", left, amount) if unconverted(left) == Load(target):
            return amount
    return None


def unconverted(value: Expression) -> Expression:
    """What is converted, where only C does so, not the source."""
    while isinstance(value, Cast) and not value.written:
        value = value.operand
    return value


def is_end(place: LValue) -> bool:
    """Whether it is a field that leads into a structure from outside: `list->head`."""
    match place:
        case Member(base, _, _, PointerType(StructReference() as led)):
            return base.type != led
    return False


def without_casts(expression: Expression) -> Expression:
    """What is converted, where the expression does no more than that."""
    while isinstance(expression, Cast):
        expression = expression.operand
    return expression


def against_zero(operator: str, place: LValue) -> Binary:
    """The comparison of what a place holds with zero, which is null where it is a pointer."""
    return Binary(operator, Load(place), Constant(0, place.type), INT)


def null_test(condition: Expression) -> tuple[LValue, str] | None:
    """The pointer that a condition tests for null, with `==` where null makes it true and `!=` where not."""
    match condition:
        case Binary("==" | "!=" as operator, Load(place), Constant(0)) | Binary(
            "==" | "!=" as operator, Constant(0), Load(place)
        ) if isinstance(place.type, PointerType):
            return place, operator
        case Load(place) if isinstance(place.type, PointerType):
            return place, "!="
        case Unary("!", operand) if (inner := null_test(operand)) is not None:
            return inner[0], "==" if inner[1] == "!=" else "!="
    return None


def null_tests(condition: Expression) -> Iterator[LValue]:
    """The pointers that a condition tests for null, by itself or joined with others."""
    match condition:
        case Logical(_, left, right):
            yield from null_tests(left)
            yield from null_tests(right)
        case Unary("!", Logical() as joined):
            yield from null_tests(joined)
        case _:
            found = null_test(condition)
            if found is not None:
                yield found[0]


def conjuncts(condition: Expression) -> Iterator[Expression]:
    """What all has to hold: the operands of `&&`, the condition itself where it is none."""
    match condition:
        case Logical("&&", left, right):
            yield from conjuncts(left)
            yield from conjuncts(right)
        case _:
            yield condition


def parts(expression: Expression) -> Iterator[Expression]:
    """The expression and every expression inside it, outermost first."""
    yield expression
    match expression:
        case Load(place) | AddressOf(place):
            yield from place_parts(place)
        case Unary(_, operand) | Cast(operand):
            yield from parts(operand)
        case Binary(_, left, right) | Logical(_, left, right):
            yield from parts(left)
            yield from parts(right)
        case Conditional(condition, then, otherwise):
            yield from parts(condition)
            yield from parts(then)
            yield from parts(otherwise)


def evaluated(condition: Expression, holds: bool | None = None) -> Iterator[Expression]:
    """What is surely evaluated of a condition, outermost first: of `a && b` both only where it `holds`.

    Where that is None, it is not known whether it does.
    """
    match condition:
        case Unary("!", operand):
            yield from evaluated(operand, None if holds is None else not holds)
        case Logical(operator, left, right):
            both = holds is not None and holds == (operator == "&&")
            yield from evaluated(left, holds if both else None)
            if both:
                yield from evaluated(right, holds)
        case _:
            yield from parts(condition)


def place_parts(place: LValue) -> Iterator[Expression]:
    """Every expression inside an lvalue."""
    match place:
        case Dereference(pointer):
            yield from parts(pointer)
        case Member(base):
            yield from place_parts(base)
        case Element(base, index):
            yield from place_parts(base)
            yield from parts(index)


def step_parts(step: Instruction) -> Iterator[Expression]:
    """Every expression inside an instruction."""
    match step:
        case Assign(_, target, value):
            yield from place_parts(target)
            yield from parts(value)
        case Branch(_, condition):
            yield from parts(condition)
        case Call(_, _, arguments) | Library(_, _, arguments):
            for argument in arguments:
                yield from parts(argument)
        case Return(_, value) if value is not None:
            yield from parts(value)


def negated(condition: Expression) -> Expression:
    """The opposite condition, written as a person would."""
    match condition:
        case Binary(operator, left, right) if operator in NEGATED:
            return Binary(NEGATED[operator], left, right, INT)
        case Unary("!", operand):
            return operand
    return Unary("!", condition, INT)


def gone_through(place: LValue) -> Iterator[LValue]:
    """The places that hold the pointers by which a place is come to, the last one first."""
    match place:
        case Dereference(Load(pointer)):
            yield pointer
            yield from gone_through(pointer)
        case Member(base) | Element(base):
            yield from gone_through(base)


def asked_about(step: Instruction) -> frozenset[str]:
    """The variables of which a statement asks whether they are zero, or how they compare with others."""
    found: list[Expression]
    whole: list[Expression]
    match step:
        case Branch(_, condition):
            found, whole = [condition], [condition]
        case Assign(_, _, value):
            found, whole = [value], []
        case Return(_, value) if value is not None:
            found, whole = [value], []
        case Call(_, _, arguments) | Library(_, _, arguments):
            found, whole = list(arguments), []
        case _:
            return frozenset()
    for part in (each for expression in found for each in parts(expression)):
        match part:
            case Binary(operator, left, right) if operator in NEGATED:
                whole += [left, right]
            case Logical(_, left, right):
                whole += [left, right]
            case Unary("!", operand):
                whole.append(operand)
            case Conditional(condition):
                whole.append(condition)
    asked = (without_casts(each) for each in whole)
    return frozenset(
        each.place.name
        for each in asked
        if isinstance(each, Load) and isinstance(each.place, VariableReference)
    )
