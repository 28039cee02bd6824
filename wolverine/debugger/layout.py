"""From bytes to cells: how the scalars of a type lie in memory, and how one read decodes them all."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wolverine.core.types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    Types,
    bit_of,
    byte_of,
)
from wolverine.core.unions import is_union, members

MOST_CELLS = 16384  # of one object; what lies behind is left out of the picture
MOST_POINTERS = 1 << 18  # of an array of pointers: nothing that it leads to is to be taken for lost
MOST_BYTES = 8 * MOST_POINTERS
_SIGNED = {1: "b", 2: "h", 4: "i", 8: "q"}
_FLOATS = {4: "f", 8: "d"}
_POISON = {1: (0xCD, -0x33), 2: (0xCDCD, -0x3233), 4: (0xCDCDCDCD, -0x32323233)}
_TELLING = 16  # bits: a field as wide as that tells by its value that it was never set
_POISON_8 = 0xCDCDCDCDCDCDCDCD


@dataclass(frozen=True, slots=True)
class BitField:
    """A bit field: which cell it is, its first byte and how many bits of that lie before it."""

    index: int
    byte: int
    shift: int
    type: IntType

    @property
    def size(self) -> int:
        """How many bytes it has a part in."""
        return (self.shift + self.type.width + 7) // 8

    def written(self, data: bytes, number: int) -> bytes:
        """Its own bytes, `data`, with another value in them."""
        mask = (1 << self.type.width) - 1
        rest = int.from_bytes(data, "little") & ~(mask << self.shift)
        return (rest | (number & mask) << self.shift).to_bytes(self.size, "little")

    def number(self, data: bytes) -> int:
        """Its value in the bytes of an object."""
        piece = data[self.byte : self.byte + self.size]
        return self.type.wrap(int.from_bytes(piece, "little") >> self.shift)

    def poison(self) -> tuple[int, ...]:
        """The value that fresh heap memory has there, where hardly anything else looks like it."""
        return (self.number(b"\xcd" * (self.byte + 9)),) if self.type.width >= _TELLING else ()


@dataclass(frozen=True, eq=False)
class Layout:
    """The scalar cells of an object: offsets and types in address order.

    `step` are the bytes of one of its elements.  `hidden` are pointers in unions: the union's index, the
    byte in it, and the type the pointer leads to.
    """

    offsets: tuple[int, ...]
    types: tuple[CType, ...]
    step: int = 0
    hidden: tuple[tuple[int, int, CType], ...] = ()

    @cached_property
    def size(self) -> int:
        """Bytes up to the end of the last cell."""
        if not self.offsets:
            return 0
        return _end(self.offsets[-1], self.types[-1])

    @cached_property
    def format(self) -> struct.Struct:
        """Decodes all cells at once but bit fields."""
        parts, at = ["<"], 0
        for offset, ctype in zip(self.offsets, self.types):
            if isinstance(ctype, IntType) and ctype.bits:
                continue
            if offset > at:
                parts.append(f"{offset - at}x")
            parts.append(_code(ctype))
            at = offset + _size(ctype)
        return struct.Struct("".join(parts))

    @cached_property
    def bits(self) -> tuple[BitField, ...]:
        """The bit fields among the cells."""
        return tuple(
            BitField(index, byte_of(offset), bit_of(offset), ctype)
            for index, (offset, ctype) in enumerate(zip(self.offsets, self.types))
            if isinstance(ctype, IntType) and ctype.bits
        )

    def numbers(self, data: bytes) -> tuple[Any, ...]:
        """What all cells hold, as numbers or bytes."""
        if not self.bits:
            return self.format.unpack_from(data)
        found = list(self.format.unpack_from(data))
        for field in self.bits:
            found.insert(field.index, field.number(data))
        return tuple(found)

    @cached_property
    def pointers(self) -> tuple[tuple[int, CType], ...]:
        """The cells that hold pointers: their index, and the type they lead to."""
        return tuple(
            (index, ctype.target) for index, ctype in enumerate(self.types) if isinstance(ctype, PointerType)
        )

    @cached_property
    def opaque(self) -> tuple[int, ...]:
        """Indices of the cells that decode to bytes."""
        return tuple(index for index, ctype in enumerate(self.types) if _code(ctype).endswith("s"))

    @cached_property
    def poison(self) -> tuple[tuple[object, ...], ...]:
        """Per cell, the decoded values that fresh heap memory has.

        None for narrow bit fields: that these were set does not show in them alone.
        """
        fields = {field.index: field for field in self.bits}
        return tuple(
            _poison(ctype) if i not in fields else fields[i].poison() for i, ctype in enumerate(self.types)
        )

    def untouched(self, data: bytes) -> tuple[int, ...]:
        """The bit fields (their indices) in elements of a fresh block that nothing was written to."""
        fresh, step = b"\xcd" * self.step, self.step
        return tuple(f.index for f in self.bits if data[(at := f.byte // step * step) : at + step] == fresh)


class Layouts:
    """Layouts by type, for one set of struct definitions."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self._known: dict[tuple[CType | None, int], Layout] = {}

    def variable(self, ctype: CType) -> Layout:
        """The cells of a variable."""
        return self._get(ctype, self.types.size(ctype))

    def node(self, ctype: CType | None, size: int) -> Layout:
        """The cells of a block of `size` bytes that holds as many `ctype` as fit.

        A block smaller than its type has the cells that lie in it; a struct that ends in an array of no
        length, or of one, has that array fill the rest of the block.
        """
        return self._get(ctype, size)

    def element_size(self, ctype: CType) -> int:
        """Size of one element, at least 1."""
        return max(1, self.types.size(ctype))

    def _get(self, ctype: CType | None, size: int) -> Layout:
        key = (ctype, size)
        if key not in self._known:
            self._known[key] = self._make(ctype, size)
        return self._known[key]

    def _make(self, ctype: CType | None, size: int) -> Layout:
        if ctype is None:
            return Layout((), ())
        inner = ctype
        while isinstance(inner, ArrayType):
            inner = inner.element
        if isinstance(inner, PointerType):
            step = _size(inner)
            offsets = tuple(range(0, min(size // step, MOST_POINTERS) * step, step))
            return Layout(offsets, (inner,) * len(offsets))
        cells: list[tuple[int, CType]] = []
        self._fill(cells, ctype, 0, size)
        tail, step = self.types.flexible(ctype), self.element_size(ctype)
        if tail is not None:
            self._fill(cells, tail[1], tail[0], size)
        elif step < size:
            for at in range(step, size - step + 1, step):
                if len(cells) >= MOST_CELLS:
                    break
                cells.extend((at + offset, each) for offset, each in self._one(ctype))
        size = min(size, MOST_BYTES)
        fitting = [(offset, each) for offset, each in cells[:MOST_CELLS] if _end(offset, each) <= size]
        types = tuple(each for _, each in fitting)
        unions = {each: members(self.types, each) for each in {*types} if is_union(self.types, each)}
        hidden = tuple(
            (index, member.offset, member.type.target)
            for index, each in enumerate(types if unions else ())
            for member in unions.get(each, ())
            if isinstance(member.type, PointerType)
        )
        return Layout(tuple(offset for offset, _ in fitting), types, step, hidden)

    def _one(self, ctype: CType) -> list[tuple[int, CType]]:
        cells: list[tuple[int, CType]] = []
        for cell in self.types.scalars(ctype):
            cells.append(cell)
            if len(cells) >= MOST_CELLS:
                break
        return cells

    def _fill(self, cells: list[tuple[int, CType]], ctype: CType, start: int, size: int) -> None:
        if start == 0:
            cells.extend(self._one(ctype))
            return
        step = self.element_size(ctype)
        for at in range(start, size - step + 1, step):
            if len(cells) >= MOST_CELLS:
                break
            cells.extend((at + offset, each) for offset, each in self._one(ctype))


def encode(ctype: CType, number: int | float) -> bytes:
    """The bytes of a number in a cell of that type."""
    match ctype:
        case IntType(_, size):
            return (int(number) & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        case FloatType(_, size) if size in _FLOATS:
            return struct.pack("<" + _FLOATS[size], number)
        case PointerType(_, size):
            return int(number).to_bytes(size, "little")
    raise ValueError("no number fits here")


def _size(ctype: CType) -> int:
    size = getattr(ctype, "size", 1)
    return int(size)


def _end(offset: int, ctype: CType) -> int:
    """The byte behind a cell."""
    if isinstance(ctype, IntType) and ctype.bits:
        return byte_of(offset) + (bit_of(offset) + ctype.bits + 7) // 8
    return offset + _size(ctype)


def _code(ctype: CType) -> str:
    match ctype:
        case PointerType():
            return "Q"
        case IntType(_, size, signed) if size in _SIGNED:
            return _SIGNED[size] if signed else _SIGNED[size].upper()
        case FloatType(_, size) if size in _FLOATS:
            return _FLOATS[size]
    return f"{_size(ctype)}s"


def _poison(ctype: CType) -> tuple[object, ...]:
    code = _code(ctype)
    size = _size(ctype)
    if code == "Q" or code == "q":
        return (_POISON_8, _POISON_8 - (1 << 64))
    if code in ("f", "d"):
        return struct.unpack("<" + code, b"\xcd" * size)
    if code.endswith("s"):
        return (b"\xcd" * size,)
    return _POISON[size]
