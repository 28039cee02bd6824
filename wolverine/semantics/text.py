"""What library functions are made of: characters in a machine's memory, read and written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wolverine.semantics.address import INT1, KIND_SHIFT, TOKENS, signed_raw
from wolverine.semantics.faults import Undetermined, Unmodelled
from wolverine.semantics.memory import Memory
from wolverine.semantics.unknown import Unknown

LONGEST = 1 << 16  # bytes that are looked at

Writes = list[tuple[int, Any]]
Kinds = Sequence[int]


class Text:
    """The characters of one memory; raises `Unmodelled` where one was never written, `Fault` for crashes."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def byte(self, address: int) -> int:
        """The character at an address, 0 to 255."""
        memory = self._memory
        key = address + (INT1 << KIND_SHIFT)
        value = memory.cells.get(key)
        if value is None:
            value = memory.miss(key)
        if value is None:
            value = memory.reality.get(key)
        if value is None:
            raise Unmodelled("a character that was never written")
        if isinstance(value, Unknown):
            raise Undetermined(value)
        return int(value) & 255

    def characters(self, address: int, most: int = LONGEST) -> Iterator[int]:
        """The characters before the final zero, at most `most`."""
        for at in range(most):
            code = self.byte(address + at)
            if code == 0:
                return
            yield code
        if most >= LONGEST:
            raise Unmodelled("a long string")

    def string(self, address: int, most: int = LONGEST) -> bytes:
        """The characters before the final zero, at most `most`."""
        literal = self._memory.literal_from(address)
        if literal is not None and len(literal) < LONGEST:
            return literal[:most]
        return bytes(self.characters(address, most))

    def text(self, address: int) -> str:
        """A string as text."""
        return self.string(address).decode("latin-1")

    def store(self, address: int, data: bytes) -> Writes:
        """The writes that put characters at an address."""
        memory, writes = self._memory, []
        for at, code in enumerate(data):
            key = address + at + (INT1 << KIND_SHIFT)
            if key >= TOKENS or memory.cells.get(key) is None:
                memory.prepare(key)
            writes.append((key, signed_raw(code, 1)))
        return writes


class Functions:
    """Library functions on one memory; the method `_c_NAME` carries out calls of NAME."""

    def __init__(self, memory: Memory, text: Text) -> None:
        self._memory = memory
        self._text = text

    @classmethod
    def names(cls) -> frozenset[str]:
        """The functions that are here."""
        return frozenset(name.removeprefix("_c_") for name in vars(cls) if name.startswith("_c_"))

    def call(self, name: str, values: Sequence[Any], kinds: Kinds) -> tuple[Any, Writes]:
        """The value of a call, and what it writes; raises `Unmodelled`, `Undetermined`, `Fault`.

        `kinds` are those of `Library.call`.
        """
        found: tuple[Any, Writes] = getattr(self, f"_c_{name}")(*values, kinds=kinds)
        return found


def lower(code: int) -> int:
    """`tolower` in the C locale."""
    return code + 32 if 65 <= code <= 90 else code
