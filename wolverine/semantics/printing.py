"""What a call of the `printf` family writes, as far as the model knows what it is given.

Standard output and standard error are one text: a user sees them as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from wolverine.semantics.address import signed_raw
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.unknown import Unknown

PRINTING = frozenset(("printf", "puts", "putchar", "fprintf", "fputs", "fputc", "putc"))
STREAMS: Mapping[str, int] = {"fprintf": 0, "fputs": 1, "fputc": 1, "putc": 1}  # which argument it is

_CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?"
    r"(?P<size>hh|h|ll|l|j|z|t|L)?(?P<kind>.)",
    re.DOTALL,
)
_SIZES = {"hh": 1, "h": 2, None: 4, "L": 8}  # bytes of an integer; all others have 8


def printed(name: str, values: Sequence[Any], string: Callable[[Any], str]) -> str:
    """The text that a call writes; `string` gives the text to which a pointer leads.

    Raises Unmodelled for what is not known here, and whatever `string` raises.
    """
    given = [value for index, value in enumerate(values) if index != STREAMS.get(name)]
    if any(value is None or isinstance(value, Unknown) for value in given):
        raise Unmodelled("a value that is printed is not known")
    match name:
        case "puts":
            return _text(given[0], string) + "\n"
        case "fputs":
            return _text(given[0], string)
        case "putchar" | "fputc" | "putc":
            return chr(int(given[0]) & 255)
    left = iter(given[1:])
    return _CONVERSION.sub(lambda match: _one(match, left, string), _text(given[0], string))


def texts(name: str, values: Sequence[Any], string: Callable[[Any], str]) -> Iterator[Any]:
    """The pointers to the texts that a call writes besides its format; raises as `printed`."""
    given = [value for index, value in enumerate(values) if index != STREAMS.get(name)]
    match name:
        case "puts" | "fputs":
            yield given[0]
        case "printf" | "fprintf":
            left = iter(given[1:])
            for match in _CONVERSION.finditer(string(given[0])):
                if match["kind"] == "%":
                    continue
                for measure in (match["width"], match["precision"]):
                    if measure == "*":
                        next(left, None)
                pointer = next(left, None)
                if match["kind"] == "s":
                    yield pointer


def _text(pointer: Any, string: Callable[[Any], str]) -> str:
    return "(null)" if pointer == 0 else string(pointer)


def _one(match: re.Match[str], left: Iterator[Any], string: Callable[[Any], str]) -> str:
    kind, flags = match["kind"], match["flags"]
    if kind == "%":
        return "%"
    try:
        width, precision = _measure(match["width"], left), _measure(match["precision"], left)
        value = next(left)
    except StopIteration:
        raise Unmodelled("fewer values than the format names") from None
    if width is not None and width < 0:
        flags, width = flags + "-", -width
    if kind in "cs" or (kind == "p" and not value):
        shown = "(nil)" if kind == "p" else chr(int(value) & 255) if kind == "c" else _text(value, string)
        cut = shown[:precision] if kind == "s" and precision is not None and precision >= 0 else shown
        return cut.ljust(width or 0) if "-" in flags else cut.rjust(width or 0)
    if kind in "diuxXo":
        return _integer(kind, flags, width, precision, _sized(value, match["size"], kind in "di"))
    if kind in "fFeEgG":
        form = f"%{flags}{width or ''}{'' if precision is None else f'.{max(precision, 0)}'}{kind}"
        return form % float(value)
    raise Unmodelled(f"the conversion {match[0]}")


def _measure(written: str | None, left: Iterator[Any]) -> int | None:
    if written is None:
        return None
    return int(next(left)) if written == "*" else int(written or 0)


def _sized(value: Any, size: str | None, signed: bool) -> int:
    count = _SIZES.get(size, 8)
    number = signed_raw(int(value), count)
    return number if signed or number >= 0 else number + (1 << 8 * count)


def _integer(kind: str, flags: str, width: int | None, precision: int | None, number: int) -> str:
    digits = format(abs(number), kind if kind in "xXo" else "d")
    if precision is not None and precision >= 0:
        digits = "" if not number and not precision else digits.rjust(precision, "0")
    sign = "-" if number < 0 else ""
    if kind in "di" and not sign:
        sign = "+" if "+" in flags else " " if " " in flags else ""
    if "#" in flags and kind == "o" and not digits.startswith("0"):
        digits = "0" + digits
    if "#" in flags and kind in "xX" and number:
        sign = "0" + kind
    whole = sign + digits
    if width is None or "-" in flags:
        return whole.ljust(width or 0)
    if "0" in flags and precision is None:
        return sign + digits.rjust(width - len(sign), "0")
    return whole.rjust(width)
