"""What compiled code calls for the operations that Python has no equal of."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from typing import Any

from wolverine.core.characters import entry
from wolverine.semantics.address import OBJECT_BITS, WILD
from wolverine.semantics.faults import Fault, Undetermined, Unmodelled
from wolverine.semantics.unknown import Unknown

_EXACT = 26  # bits: those of a float, a rounding and a sticky one


def divide(left: Any, right: Any) -> Any:
    """C's integer division, towards zero; raises `Fault`."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        raise Undetermined(left if isinstance(left, Unknown) else right)
    if right == 0:
        raise Fault("division", "division by zero")
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def remainder(left: Any, right: Any) -> Any:
    """C's `%`, with the sign of the left operand; raises `Fault`."""
    return left - right * divide(left, right)


def fdivide(left: Any, right: Any) -> float:
    """IEEE division."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        raise Undetermined(left if isinstance(left, Unknown) else right)
    if right:
        return float(left / right)
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def single(value: Any) -> float:
    """Rounded to `float`."""
    if isinstance(value, Unknown):
        raise Undetermined(value)
    if isinstance(value, int) and (excess := value.bit_length() - _EXACT) > 0:
        # one rounding only: what the 53 bits of a double would drop is kept as a sticky bit
        sticky = (abs(value) & (1 << excess) - 1) != 0
        value = ((abs(value) >> excess | sticky) << excess) * (1 if value > 0 else -1)
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def double(value: Any) -> float:
    """An integer as `double`."""
    if isinstance(value, Unknown):
        raise Undetermined(value)
    return float(value)


def truncate(value: Any) -> int:
    """A float as integer, towards zero."""
    if isinstance(value, Unknown):
        raise Undetermined(value)
    try:
        return int(value)
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
