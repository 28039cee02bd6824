"""What compiled code calls for the operations that Python has no equal of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wolverine.core.characters import entry
from wolverine.semantics import numeric
from wolverine.semantics.address import OBJECT_BITS, WILD
from wolverine.semantics.faults import Fault, Undetermined, Unmodelled
from wolverine.semantics.unknown import Unknown


def divide(left: Any, right: Any) -> Any:
    """C's integer division, towards zero; raises `Fault`."""
    return _divided("/", left, right)


def remainder(left: Any, right: Any) -> Any:
    """C's `%`, with the sign of the left operand; raises `Fault`."""
    return _divided("%", left, right)


def _divided(operator: str, left: Any, right: Any) -> Any:
    if isinstance(right, Unknown):
        raise Undetermined(right)  # it may be 0
    if right == 0:
        raise Fault("division", "division by zero")
    if isinstance(left, Unknown):
        return Unknown(operator, left, right)
    return numeric.quotient(left, right) if operator == "/" else numeric.remainder(left, right)


def fdivide(left: Any, right: Any) -> Any:
    """IEEE division."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return Unknown("ratio", left, right)
    return numeric.ratio(left, right)


def single(value: Any) -> Any:
    """Rounded to `float`."""
    return Unknown("single", value) if isinstance(value, Unknown) else numeric.single(value)


def double(value: Any) -> Any:
    """An integer as `double`."""
    return Unknown("double", value) if isinstance(value, Unknown) else numeric.double(value)


def truncate(value: Any) -> Any:
    """A float as integer, towards zero."""
    if isinstance(value, Unknown):
        return Unknown("truncated", value)
    try:
        return numeric.truncated(value)
    except (OverflowError, ValueError):
        raise Unmodelled("conversion of a float out of range") from None


def distance(left: Any, right: Any) -> Any:
    """Bytes between two pointers into one object."""
    if isinstance(left, int) and isinstance(right, int) and left >> OBJECT_BITS != right >> OBJECT_BITS:
        raise Unmodelled("comparison of pointers into different objects")
    return left - right


def pointer(value: Any) -> Any:
    """An integer as pointer: null or a value that is only carried."""
    if isinstance(value, Unknown):
        raise Undetermined(value)
    return WILD + (value & (1 << 64) - 1) if value else 0


def integer(value: Any) -> Any:
    """A pointer as integer: known for null and for what came from an integer."""
    if isinstance(value, Unknown):
        return value
    if value and not WILD <= value < 2 * WILD:
        raise Unmodelled("a pointer is used as an integer")
    return value - WILD if value else 0


def mistaken(value: Any) -> Any:
    """The same where no cast asks for it; raises `Fault` for what leads somewhere."""
    if not isinstance(value, Unknown) and value and not WILD <= value < 2 * WILD:
        raise Fault("mistyped", "a pointer is used as an integer")
    return integer(value)


def looked_up(table: str, code: Any) -> Any:
    """What a table of the library tells of a character; raises `Fault` for what is none."""
    if isinstance(code, Unknown):
        return Unknown("look up", table, code)
    found = entry(table, code)
    if found is None:
        raise Fault("bounds", f"a function of <ctype.h> is given {code}, which is no character")
    return found


FUNCTIONS: Mapping[str, Any] = {
    "divide": divide, "remainder": remainder, "fdivide": fdivide, "single": single, "double": double,
    "truncate": truncate, "distance": distance, "pointer": pointer, "integer": integer,
    "mistaken": mistaken, "looked_up": looked_up,
}  # fmt: skip
