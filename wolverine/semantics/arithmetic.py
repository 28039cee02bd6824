"""What compiled code calls for the operations that Python has no equal of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wolverine.core.characters import entry
from wolverine.semantics import numeric
from wolverine.semantics.address import EXTERNAL, GLOBALS, LOCALS, OBJECT_BITS, WILD, number_of
from wolverine.semantics.faults import Fault, Undetermined, Unmodelled
from wolverine.semantics.unknown import Unknown

_NODES = 2  # where nodes are among the regions of memory


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
        raise Unmodelled("the distance of pointers into different objects")
    return left - right


def ordered(left: Any, right: Any) -> Any:
    """Below 0 where the first pointer lies before the second in memory, above 0 where it lies behind it.

    C says so of one object only.  Allocators go by where objects do lie: null before all, variables with
    static storage before nodes, and these in the order in which they were made, variables of functions last.
    """
    if not isinstance(left, int) or not isinstance(right, int) or left >> OBJECT_BITS == right >> OBJECT_BITS:
        return left - right
    one, two = _region(left), _region(right)
    if one == two and one != _NODES:
        raise Unmodelled("comparison of pointers into different objects")
    return one - two or left - right


def _region(address: int) -> int:
    """Which part of memory an address lies in, in their order."""
    if not address:
        return 0
    number = number_of(address)
    if not 0 < number < EXTERNAL >> OBJECT_BITS:
        raise Unmodelled("comparison of a pointer that leads to no object")
    return _NODES if number < GLOBALS else 1 if number < LOCALS else 3


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
    "truncate": truncate, "distance": distance, "ordered": ordered, "pointer": pointer, "integer": integer,
    "mistaken": mistaken, "looked_up": looked_up,
}  # fmt: skip
