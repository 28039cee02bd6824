"""The C library's table of character classes, for the C locale (what `isalpha` and the like read).

glibc's macros read `(*__ctype_b_loc())[c]`; the bits are those of its `<ctype.h>` on little-endian machines.
"""

from __future__ import annotations

from wolverine.semantics.address import INT2, LITERAL, OBJECT_BITS, POINTER, signed_raw

CLASSES = 1 << 20  # the table's number among the literals: a pointer to its middle, then the table
CLASSES_ADDRESS = LITERAL + (CLASSES << OBJECT_BITS)
_TABLE = 16  # offset of the table in bytes
_BELOW = 128  # entries for negative characters
_ENTRIES = 384


def _classes(code: int) -> int:
    """The classes of a character (0 to 255)."""
    if code > 127:
        return 0
    character = chr(code)
    upper, lower, digit = character.isupper(), character.islower(), character.isdigit()
    space, graphic = character in " \t\n\v\f\r", 32 < code < 127
    tests = (
        (upper, 8), (lower, 9), (upper or lower, 10), (digit, 11),
        (digit or character in "abcdefABCDEF", 12), (space, 13), (graphic or code == 32, 14), (graphic, 15),
        (code in (9, 32), 0), (code < 32 or code == 127, 1),
        (graphic and not (upper or lower or digit), 2), (upper or lower or digit, 3),
    )  # fmt: skip
    return sum(1 << bit for holds, bit in tests if holds)


def class_cell(kind: int, offset: int) -> int | None:
    """What a cell of the table's object holds, None where there is none."""
    if kind == POINTER:
        return CLASSES_ADDRESS + _TABLE + 2 * _BELOW if offset == 0 else None
    index, rest = divmod(offset - _TABLE, 2)
    if kind != INT2 or rest or not 0 <= index < _ENTRIES:
        return None
    return signed_raw(_classes(index - _BELOW & 255), 2) if index >= _BELOW or index == 0 else 0
