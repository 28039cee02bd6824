"""Walking over expression trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from wolverine.core.expressions import (
    COMPARISONS,
    AddressOf,
    Binary,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    text,
)
from wolverine.core.parts import null_tests, parts, place_parts, without_casts
from wolverine.core.program import Assign, Branch, Call, Function, Instruction, Library, Return
from wolverine.core.types import PointerType
from wolverine.repair.source.flow import behind


def expressions_of(step: Instruction) -> tuple[Expression, ...]:
    """The expressions that an instruction evaluates, except those inside its target."""
    match step:
        case Assign(_, _, value):
            return (value,)
        case Branch(_, condition):
            return (condition,)
        case Call(_, _, arguments) | Library(_, _, arguments):
            return arguments
        case Return(_, value) if value is not None:
            return (value,)
    return ()


def located(function: Function, location: int) -> int:
    """The first instruction at a location of a function."""
    return next(index for index, step in enumerate(function.code) if step.location == location)


def indices_in(expressions: Iterable[Expression]) -> Iterator[Expression]:
    """What occurs in indices of arrays, and in what is added to pointers."""
    for part in (each for expression in expressions for each in parts(expression)):
        match part:
            case (
                Binary("+" | "-", _, index, PointerType())
                | Load(Element(_, index))
                | AddressOf(Element(_, index))
            ):
                yield from parts(index)


def reads_through(expressions: Iterable[Expression], pointer: str) -> bool:
    """Whether one of the expressions itself reads the node to which the pointer of that text leads."""
    return any(isinstance(each, Load) and goes_through(each.place, pointer) for each in expressions)


def goes_through(place: LValue, pointer: str) -> bool:
    """Whether the place lies in the node to which the pointer of that text leads."""
    match place:
        case Member(base) | Element(base):
            return goes_through(base, pointer)
        case Dereference(inner):
            return text(inner) == pointer
    return False


def element_of(place: LValue) -> tuple[str, str] | None:
    """The array and the index, as text, of which a place is the element; None where it is none."""
    match place:
        case Element(array, index):
            return lvalue_text(array), text(without_casts(index))
        case Dereference(Binary("+", array, index)):
            return text(array), text(without_casts(index))
    return None


def compares_pointers(code: Iterable[Instruction]) -> bool:
    """Whether the code compares pointers of which neither is null."""
    return any(compared(expression) for step in code for expression in expressions_of(step))


def compared(expression: Expression) -> bool:
    """Whether the expression compares pointers of which neither is null."""
    return any(
        isinstance(part, Binary)
        and part.operator in COMPARISONS
        and all(
            isinstance(s.type, PointerType) and not isinstance(s, Constant) for s in (part.left, part.right)
        )
        for part in parts(expression)
    )


def used_behind(code: Sequence[Instruction], index: int, condition: Expression) -> bool:
    """Whether what follows goes through the variable that the condition says is not null, or passes it.

    Not where the variable may have got another value by then, or is tested there.
    """
    match condition:
        case Binary("!=", Load(VariableReference() as place), Constant(0)):
            pass
        case _:
            return False
    wanted, following = text(Load(place)), behind(code, index)
    steps = [code[at] for at in following]
    if index in following or any(isinstance(step, Assign) and step.target == place for step in steps):
        return False
    for step in steps:
        inside = [part for each in expressions_of(step) for part in parts(each)]
        if isinstance(step, Branch) and any(place == each for each in null_tests(step.condition)):
            return False
        if isinstance(step, Assign):
            inside += [Load(step.target), *place_parts(step.target)]
            named = isinstance(step.target, VariableReference) and step.target.name.startswith("$")
            if named and without_casts(step.value) == Load(place):
                return True  # passed to a call
        if reads_through(inside, wanted):
            return True
    return False
