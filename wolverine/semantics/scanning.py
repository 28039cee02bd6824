"""Input for calls of the `scanf` family, and of `rand`, where no process is beside the model.

So it is in runs on fresh heaps.  What is read are the numbers 1, 2, ..., the strings "a", "b", ..., from
somewhere on, and characters that say yes and no, one to a line, or those by which a program is told what to
do: these are beside the numbers.  After a few items the input is at its end.  Random numbers have none: their
lowest bits vary from one to the next, as programs throw heads and tails (`rand() % 2`) for long.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from wolverine.semantics.address import (
    FLOAT4,
    FLOAT8,
    FLOAT16,
    INPUT_KEY,
    INT1,
    INT2,
    INT4,
    INT8,
    KIND_SHIFT,
    RANDOM_KEY,
)
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.memory import Memory
from wolverine.semantics.text import Text, Writes
from wolverine.semantics.unknown import Unknown

SCANNING = frozenset(("scanf", "fscanf", "getchar", "getc", "fgetc", "gets", "fgets"))
RANDOM = frozenset(("rand", "random"))
MADE_UP = SCANNING | RANDOM
STREAMS: Mapping[str, int] = {"fscanf": 0, "getc": 0, "fgetc": 0, "fgets": 2}  # which argument it is
ITEMS = 12  # up to the end of the input
_ROOM = 1 << 16  # by which the numbers of both sorts are told apart in one cell
_END = -1
_MULTIPLIER = 2_654_435_761  # scatters consecutive numbers (Knuth, TAOCP 3, 6.4: 2**32 by the golden ratio)
_RANDOM_MAX = (1 << 31) - 1  # of glibc
_CHARACTERS = "y\nn\n"

_CONVERSION = re.compile(
    r"%(?P<kept>\*)?\d*(?P<size>hh|h|ll|l|j|z|t|L)?(?P<kind>\[\^?\]?[^]]*\]|.)", re.DOTALL
)
_INTEGERS = {"hh": INT1, "h": INT2, None: INT4}  # all others have 8 bytes
_FLOATS = {None: FLOAT4, "L": FLOAT16}


class Scanning:
    """Reads into one memory; how many items were read is kept in a cell of its own (INPUT_KEY).

    `first` is the item with which the input begins, `keys` the characters that are read one after the other
    ("": those that say yes and no).
    """

    def __init__(self, memory: Memory, text: Text) -> None:
        self._memory = memory
        self._text = text
        self.first = 0
        self.keys = ""

    def read(self, name: str, values: Sequence[Any]) -> tuple[Any, Writes]:
        """The value of a call and what it writes; raises `Unmodelled`, and `Fault` for what crashes."""
        if name in RANDOM:
            return self._drawn(), []
        given = [value for index, value in enumerate(values) if index != STREAMS.get(name)]
        if any(value is None or isinstance(value, Unknown) for value in given):
            raise Unmodelled("where something is read to is not known")
        match name:
            case "getchar" | "getc" | "fgetc":
                code = self._character(lines=True)
                return (_END if code is None else code), []
            case "gets" | "fgets":
                item = self._next()
                if item is None:
                    return 0, []
                data = _string(item) + (b"\n\0" if name == "fgets" else b"\0")
                return given[0], self._text.store(given[0], data[: given[1]] if name == "fgets" else data)
        return self._formatted(self._text.text(given[0]), list(given[1:]))

    def _formatted(self, form: str, targets: list[Any]) -> tuple[int, Writes]:
        writes: Writes = []
        count = 0
        for match in _CONVERSION.finditer(form):
            kind = match["kind"]
            if kind == "%" or (match["kept"] and kind[0] in "c["):  # passes over the end of a line
                continue
            item = self._character() if kind == "c" else self._next()
            if item is None:
                return count or _END, writes
            if match["kept"]:
                continue
            if not targets:
                raise Unmodelled("fewer places than the format names")
            writes += self._converted(kind, match["size"], targets.pop(0), item)
            count += 1
        return count, writes

    def _converted(self, kind: str, size: str | None, target: int, item: int) -> Writes:
        if kind in "diuxX":
            return self._stored(target, _INTEGERS.get(size, INT8), item + 1)
        if kind in "fFeEgG":
            return self._stored(target, _FLOATS.get(size, FLOAT8), float(item + 1))
        if kind == "c":
            return self._stored(target, INT1, item)
        if kind == "s" or kind.startswith("["):
            return self._text.store(target, _string(item) + b"\0")
        raise Unmodelled(f"the conversion {kind}")

    def _stored(self, target: int, kind: int, value: int | float) -> Writes:
        key = target + (kind << KIND_SHIFT)
        if self._memory.cells.get(key) is None:
            self._memory.prepare(key)
        return [(key, value)]

    def _drawn(self) -> int:
        """The next random number."""
        drawn = int(self._memory.cells.get(RANDOM_KEY, 0)) + 1
        self._memory.put(RANDOM_KEY, drawn)
        return (self.first + drawn) * _MULTIPLIER >> 7 & _RANDOM_MAX

    def _next(self) -> int | None:
        """The number of the next item, None at the end of the input."""
        told, read = self._read()
        self._memory.put(INPUT_KEY, told * _ROOM + read + 1)
        return self.first + read if told + read < ITEMS else None

    def _character(self, *, lines: bool = False) -> int | None:
        """The code of the next character, None at the end of the input; `lines`: one to a line."""
        if not self.keys:
            item = self._next()
            return None if item is None else ord(_CHARACTERS[item % len(_CHARACTERS)])
        told, read = self._read()
        self._memory.put(INPUT_KEY, (told + 1) * _ROOM + read)
        keys = "\n".join((*self.keys, "")) if lines else self.keys
        return ord(keys[told % len(keys)]) if told + read < ITEMS else None

    def _read(self) -> tuple[int, int]:
        """How many keys, and how many other items, were read."""
        told, read = divmod(int(self._memory.cells.get(INPUT_KEY, 0)), _ROOM)
        return told, read


def _string(item: int) -> bytes:
    return bytes((ord("a") + item % 26,))
