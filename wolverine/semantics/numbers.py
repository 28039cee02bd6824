"""Library functions on numbers and single characters."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from wolverine.semantics.address import KIND_SHIFT, POINTER, signed_raw
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.text import Functions, Kinds, Writes, lower

_SPACES = b" \t\n\v\f\r"
_REAL = re.compile(r"[ \t\n\v\f\r]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", re.ASCII)
_UNUSUAL = re.compile(r"[ \t\n\v\f\r]*[+-]?(?:0[xX]|inf|nan)", re.ASCII | re.IGNORECASE)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Numbers(Functions):
    """What is in stdlib.h, math.h and ctype.h."""

    def _c_atoi(self, text: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return signed_raw(self._number(text, 10)[0], 4), []

    def _c_atol(self, text: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._number(text, 10)[0], []

    _c_atoll = _c_atol

    def _c_strtol(self, text: int, end: int, base: int, *, kinds: Kinds) -> tuple[int, Writes]:
        value, length = self._number(text, base)
        return value, self._end(end, text + length)

    _c_strtoll = _c_strtol

    def _c_strtoul(self, text: int, end: int, base: int, *, kinds: Kinds) -> tuple[int, Writes]:
        value, length = self._number(text, base, signed=False)
        return signed_raw(value, 8), self._end(end, text + length)

    _c_strtoull = _c_strtoul

    def _c_atof(self, text: int, *, kinds: Kinds) -> tuple[float, Writes]:
        return self._real(text)[0], []

    def _c_strtod(self, text: int, end: int, *, kinds: Kinds) -> tuple[float, Writes]:
        value, length = self._real(text)
        return value, self._end(end, text + length)

    def _end(self, place: int, address: int) -> Writes:
        if not place:
            return []
        key = place + (POINTER << KIND_SHIFT)
        if self._memory.cells.get(key) is None:
            self._memory.prepare(key)
        return [(key, address)]

    def _number(self, text: int, base: int, *, signed: bool = True) -> tuple[int, int]:
        """The number that a string begins with, and how many characters it takes (C11 7.22.1.4)."""
        if base != 0 and not 2 <= base <= 36:
            raise Unmodelled("a base out of range")
        at = 0
        while (code := self._text.byte(text + at)) and code in _SPACES:
            at += 1
        sign = -1 if code == ord("-") else 1
        if code in b"+-":
            at += code != 0
        digits = _DIGITS[: base or 10]
        if base in (0, 8, 16) and self._text.byte(text + at) == ord("0"):
            prefixed = (
                base != 8 and self._text.byte(text + at + 1) in b"xX" and self._text.byte(text + at + 1) != 0
            )
            if prefixed and chr(self._text.byte(text + at + 2)).lower() in _DIGITS[:16]:
                base, at = 16, at + 2
            base = base or 8
            digits = _DIGITS[:base]
        base, first, value = base or 10, at, 0
        while (code := self._text.byte(text + at)) and (digit := digits.find(chr(code).lower())) >= 0:
            value = value * base + digit
            at += 1
        if at == first:
            return 0, 0
        value *= sign
        low, high = (-(1 << 63), (1 << 63) - 1) if signed else (-(1 << 64) + 1, (1 << 64) - 1)
        if not low <= value <= high:
            raise Unmodelled("a number out of range")
        return value, at

    def _real(self, text: int) -> tuple[float, int]:
        """The same of a decimal number with a point or an exponent (C11 7.22.1.3)."""
        written = self._text.string(text).decode("latin-1")
        if _UNUSUAL.match(written):
            raise Unmodelled("a number that is not decimal")
        found = _REAL.match(written)
        value = float(found[1]) if found else 0.0
        if math.isinf(value):
            raise Unmodelled("a number out of range")
        return value, found.end() if found else 0

    def _c_abs(self, value: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return signed_raw(abs(value), 4), []

    def _c_labs(self, value: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return signed_raw(abs(value), 8), []

    _c_llabs = _c_labs

    def _c_sqrt(self, value: float, *, kinds: Kinds) -> tuple[float, Writes]:
        if value < 0:
            raise Unmodelled("a root of a negative number")
        return math.sqrt(value), []

    def _c_fabs(self, value: float, *, kinds: Kinds) -> tuple[float, Writes]:
        return math.fabs(value), []

    def _c_floor(self, value: float, *, kinds: Kinds) -> tuple[float, Writes]:
        return _whole(value, math.floor), []

    def _c_ceil(self, value: float, *, kinds: Kinds) -> tuple[float, Writes]:
        return _whole(value, math.ceil), []

    def _c_toupper(self, code: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return (code - 32 if 97 <= code <= 122 else code), []

    def _c_tolower(self, code: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return lower(code), []


def _whole(value: float, rounding: Callable[[float], int]) -> float:
    return math.copysign(float(rounding(value)), value) if math.isfinite(value) else value
