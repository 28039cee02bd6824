"""Elements of an array over which others are moved: `a[i] = a[i + 1]`, in a loop or once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from wolverine.core.expressions import (
    Binary,
    Cast,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
)
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Before, Declare, Function, Gap, Jump
from wolverine.core.types import INT
from wolverine.repair.source.flow import loops_around

_Change = Callable[[Expression], Expression]
_INVERSE = {"+": "-", "-": "+"}


def moved_over(function: Function, index: int) -> tuple[int, LValue] | None:
    """The element over which the statement of an instruction moves another one of the array first.

    It is named in the gap, by its location, in front of the statement, or of the loop around it: with what
    its index begins with.  None where the statement does something else.
    """
    step = function.code[index]
    if not isinstance(step, Assign) or not isinstance(value := without_casts(step.value), Load):
        return None
    array = _array(step.target)
    if array is None or value.place == step.target or _array(value.place) != array:
        return None
    around = next(iter(loops_around(function.code, index)), None)
    first = around.start if around is not None else function.units[function.unit_of[index]].first
    begins: dict[LValue, Expression] = {}
    for at in range(first - 1, -1, -1):
        match function.code[at]:
            case Before() | Declare() | Jump():
                continue
            case Gap(location):
                return location, _with(step.target, begins)
            case Assign(_, VariableReference() as target, begun) if around is not None:
                begins.setdefault(target, begun)
            case _:
                return None
    return None


def _array(place: LValue) -> LValue | None:
    """The place without its subscripts; None where it has none."""
    found: list[Expression] = []

    def without(index: Expression) -> Expression:
        found.append(index)
        return Constant(0, INT)

    made = _subscripts(place, without)
    return made if found else None


def _with(place: LValue, begins: Mapping[LValue, Expression]) -> LValue:
    """The place with these values for variables in its subscripts."""

    def begun(value: Expression) -> Expression:
        match value:
            case Load(VariableReference() as variable):
                return begins.get(variable, value)
            case Cast(operand):
                return replace(value, operand=begun(operand))
            case Binary(operator, left, right):
                one, other = begun(left), begun(right)
                match without_casts(one):
                    case Binary(inverse, rest, same) if same == other and inverse == _INVERSE.get(operator):
                        return rest
                return replace(value, left=one, right=other)
        return value

    return _subscripts(place, begun)


def _subscripts(place: LValue, change: _Change) -> LValue:
    """The place with its subscripts changed, at every depth."""
    match place:
        case Member(base):
            return replace(place, base=_subscripts(base, change))
        case Element(base, index):
            return replace(place, base=_subscripts(base, change), index=change(index))
        case Dereference(Binary("+", pointer, index) as at):
            return replace(place, pointer=replace(at, left=_led(pointer, change), right=change(index)))
        case Dereference(pointer):
            return replace(place, pointer=_led(pointer, change))
    return place


def _led(pointer: Expression, change: _Change) -> Expression:
    """The pointer with the subscripts of the place changed that it lies in."""
    return Load(_subscripts(pointer.place, change)) if isinstance(pointer, Load) else pointer
