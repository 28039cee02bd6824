"""Library functions on pieces of memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from wolverine.core.types import byte_of
from wolverine.semantics.address import (
    ADDRESS_MASK,
    BITS,
    FLOAT4,
    FLOAT16,
    INT1,
    INT2,
    INT4,
    INT8,
    KIND_SHIFT,
    KIND_SIZE,
    OPAQUE,
    POINTER,
    TOKENS,
    ZEROED_KEY,
    number_of,
    offset_of,
    signed_raw,
)
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.memory import Memory
from wolverine.semantics.text import LONGEST, Functions, Kinds, Text, Writes

_ORDER = {kind: number for number, kind in enumerate(KIND_SIZE)}
Scalars = Callable[[int], Sequence[tuple[int, int]] | None]


class Blocks(Functions):
    """`mem...` of string.h; `scalars` are those of `Library`."""

    def __init__(self, memory: Memory, text: Text, scalars: Scalars) -> None:
        super().__init__(memory, text)
        self._scalars = scalars

    def _c_memcmp(self, one: int, two: int, size: int, *, kinds: Kinds) -> tuple[int, Writes]:
        for at in range(min(size, LONGEST)):
            left, right = self._text.byte(one + at), self._text.byte(two + at)
            if left != right:
                return left - right, []
        if size > LONGEST:
            raise Unmodelled("a long piece of memory")
        return 0, []

    def _c_memchr(self, text: int, wanted: int, size: int, *, kinds: Kinds) -> tuple[int, Writes]:
        for at in range(min(size, LONGEST)):
            if self._text.byte(text + at) == wanted & 255:
                return text + at, []
        if size > LONGEST:
            raise Unmodelled("a long piece of memory")
        return 0, []

    def _c_memcpy(self, target: int, source: int, size: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return target, self._moved(target, source, size)

    def _c_memmove(self, target: int, source: int, size: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return target, self._moved(target, source, size)

    def _moved(self, target: int, source: int, size: int) -> Writes:
        """The writes that copy the cells of a piece of memory as they are."""
        if size <= 0:
            return []
        if size > LONGEST:
            raise Unmodelled("a long piece of memory")
        if source >= TOKENS:
            return self._text.store(target, bytes(self._text.byte(source + at) for at in range(size)))
        self._inside(source, size)
        self._inside(target, size)
        cells = self._cells(source, size)
        taken = (range(at := key & ADDRESS_MASK, at + KIND_SIZE[key >> KIND_SHIFT]) for key, _ in cells)
        covered = len(set(chain.from_iterable(taken)))  # bit fields share bytes
        if covered < size and (self._zeroed(source) or self._zeroed(target)):
            raise Unmodelled("a copy of memory that calloc cleared")
        if covered < size:
            cells += self._unwritten(source, size, cells)
        writes: Writes = [(key, None) for key, _ in self._cells(target, size)]
        return writes + [(key - source + target, value) for key, value in cells]

    def _c_memset(self, target: int, code: int, size: int, *, kinds: Kinds) -> tuple[int, Writes]:
        if size <= 0:
            return target, []
        if size > 1 << 20:
            raise Unmodelled("a long piece of memory")
        self._inside(target, size)
        code &= 255
        number, offset = number_of(target), offset_of(target)
        old: Writes = [(key, None) for key, _ in self._cells(target, size)]
        shape = self._scalars(number)
        if shape is None and code == 0:
            zeroed = self._zeroed(target)
            if offset <= zeroed:
                return target, [*old, (target - offset + ZEROED_KEY, max(zeroed, offset + size))]
            if not kinds[0]:
                raise Unmodelled("memory is cleared in the middle, and no type tells what it holds")
        if shape is None:
            kind = kinds[0] or INT1
            shape = [(at, kind) for at in range(offset, offset + size, KIND_SIZE[kind])]
        inside = [(at, kind) for at, kind in shape if offset <= byte_of(at) < offset + size]
        if sum(KIND_SIZE[kind] for _, kind in inside if kind not in (OPAQUE, BITS)) > size:
            raise Unmodelled("a part of a cell is set")
        base = target - offset
        return target, old + [(base + at + (kind << KIND_SHIFT), _filled(kind, code)) for at, kind in inside]

    def _inside(self, address: int, size: int) -> None:
        """Check that the piece lies in one live object; raises `Fault`."""
        memory = self._memory
        if address >= TOKENS:
            raise Unmodelled("memory outside the program's objects")
        memory.access(address + (INT1 << KIND_SHIFT))
        memory.access(address + size - 1 + (INT1 << KIND_SHIFT))

    def _zeroed(self, address: int) -> int:
        found: int = self._memory.cells.get(address - offset_of(address) + ZEROED_KEY, 0)
        return found

    def _cells(self, address: int, size: int) -> Writes:
        """The cells of a piece of memory; raises `Unmodelled` where one sticks out."""
        held, end = self._memory.cells, address + size
        found: Writes = []
        for kind, width in KIND_SIZE.items():
            first = address - width + 1 + (kind << KIND_SHIFT)
            for key in [each for each in range(first, first + width - 1 + size) if each in held]:
                value = held[key]
                if value is None:
                    continue
                at = key & ADDRESS_MASK
                if at < address or at + width > end or kind == OPAQUE:
                    raise Unmodelled("a part of a cell is copied")
                found.append((key, value))
        for key, value in self._memory.unwritten(number_of(address)):
            at = key & ADDRESS_MASK
            if address <= at and at + KIND_SIZE[key >> KIND_SHIFT] <= end:
                found.append((key, value))
        return sorted(found, key=_place)

    def _unwritten(self, address: int, size: int, known: Writes) -> Writes:
        """The cells of a piece of memory that only the process has written."""
        written = dict(known)
        taken = {key & ADDRESS_MASK for key in written}
        found: Writes = []
        reality = self._memory.reality
        for at in range(address, address + size):
            for kind, width in KIND_SIZE.items():
                value = reality.get(at + (kind << KIND_SHIFT)) if reality else None
                free = kind >= BITS or taken.isdisjoint(range(at, at + width))
                if value is not None and free and at + (kind << KIND_SHIFT) not in written:
                    found.append((at + (kind << KIND_SHIFT), value))
        return found


def _place(cell: tuple[int, Any]) -> tuple[int, int]:
    """Where a cell lies, and its place among those that lie there."""
    return cell[0] & ADDRESS_MASK, _ORDER[cell[0] >> KIND_SHIFT]


def _filled(kind: int, code: int) -> Any:
    """What a cell holds whose bytes are all the same."""
    if kind in (INT1, INT2, INT4, INT8):
        size = KIND_SIZE[kind]
        return signed_raw(int.from_bytes(bytes((code,)) * size, "little"), size)
    if code == 0 and kind in (POINTER, BITS):
        return 0
    if code == 0 and FLOAT4 <= kind <= FLOAT16:
        return 0.0
    raise Unmodelled("a cell of this type is set to characters")
