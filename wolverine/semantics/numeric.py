"""C's division, rounding and conversion of floats, on numbers that are known."""

from __future__ import annotations

import math
import struct

_EXACT = 26  # bits: those of a float, a rounding and a sticky one


def quotient(left: int, right: int) -> int:
    """C's integer division, towards zero; raises ZeroDivisionError."""
    found = abs(left) // abs(right)
    return found if (left < 0) == (right < 0) else -found


def remainder(left: int, right: int) -> int:
    """C's `%`, with the sign of the left operand; raises ZeroDivisionError."""
    return left - right * quotient(left, right)


def ratio(left: float, right: float) -> float:
    """IEEE division."""
    if right:
        return float(left / right)
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def single(value: float) -> float:
    """Rounded to `float`."""
    if isinstance(value, int) and (excess := value.bit_length() - _EXACT) > 0:
        # one rounding only: what the 53 bits of a double would drop is kept as a sticky bit
        sticky = (abs(value) & (1 << excess) - 1) != 0
        value = ((abs(value) >> excess | sticky) << excess) * (1 if value > 0 else -1)
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def double(value: int) -> float:
    """An integer as `double`."""
    return float(value)


def truncated(value: float) -> int:
    """A float as integer, towards zero; raises OverflowError or ValueError for what is none."""
    return int(value)
