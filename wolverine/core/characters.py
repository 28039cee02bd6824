"""The C library's tables of characters, for the C locale, and the functions that look into them.

In glibc `isspace(c)` is the macro `((*__ctype_b_loc())[(int)(c)] & (unsigned short)_ISspace)`: bits are
as on little-endian machines.  A table is the literal `(*NAME())` of expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

CLASSES = "__ctype_b_loc"
_LEAST, _MOST = -128, 255  # what may be looked up
_EOF = -1
_CLASSES: Mapping[str, Callable[[int], bool]] = {
    "isupper": lambda code: 65 <= code <= 90,
    "islower": lambda code: 97 <= code <= 122,
    "isalpha": lambda code: 65 <= code & ~32 <= 90,
    "isdigit": lambda code: 48 <= code <= 57,
    "isxdigit": lambda code: 48 <= code <= 57 or 65 <= code & ~32 <= 70,
    "isspace": lambda code: code == 32 or 9 <= code <= 13,
    "isprint": lambda code: 32 <= code < 127,
    "isgraph": lambda code: 32 < code < 127,
    "isblank": lambda code: code in (9, 32),
    "iscntrl": lambda code: 0 <= code < 32 or code == 127,
    "ispunct": lambda code: 32 < code < 127 and not (48 <= code <= 57 or 65 <= code & ~32 <= 90),
    "isalnum": lambda code: 48 <= code <= 57 or 65 <= code & ~32 <= 90,
}
_FIRST_BIT, _BITS = 8, 16
MASKS: Mapping[str, int] = {name: 1 << (_FIRST_BIT + bit) % _BITS for bit, name in enumerate(_CLASSES)}
NAMES: Mapping[int, str] = {mask: name for name, mask in MASKS.items()}


def _classes(code: int) -> int:
    return sum(MASKS[name] for name, holds in _CLASSES.items() if holds(code))


def _byte(code: int) -> int:
    return code if code >= _EOF else code & 255


def _upper(code: int) -> int:
    return code - 32 if 97 <= code <= 122 else _byte(code)


def _lower(code: int) -> int:
    return code + 32 if 65 <= code <= 90 else _byte(code)


TABLES: Mapping[str, Callable[[int], int]] = {
    CLASSES: _classes,
    "__ctype_toupper_loc": _upper,
    "__ctype_tolower_loc": _lower,
}


def literal(table: str) -> str:
    """How C names a table."""
    return f"(*{table}())"


_NAMED: Mapping[str, str] = {literal(table): table for table in TABLES}


def table_of(text: str) -> str | None:
    """The table that a literal is, None for other literals."""
    return _NAMED.get(text)


def entry(table: str, code: int) -> int | None:
    """What a table holds for a character or EOF, None where it holds nothing."""
    return TABLES[table](code) if _LEAST <= code <= _MOST else None
