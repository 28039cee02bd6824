"""From bytes to cells: how the scalars of a type lie in memory, and how one read decodes them all."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cached_property

from wolverine.core.types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    StructReference,
    Types,
)

MOST_CELLS = 16384  # of one object; what lies behind is left out of the picture
MOST_POINTERS = 1 << 18  # of an array of pointers: nothing that it leads to is to be taken for lost
MOST_BYTES = 8 * MOST_POINTERS
_SIGNED = {1: "b", 2: "h", 4: "i", 8: "q"}
_FLOATS = {4: "f", 8: "d"}
_POISON = {1: (0xCD, -0x33), 2: (0xCDCD, -0x3233), 4: (0xCDCDCDCD, -0x32323233)}
_POISON_8 = 0xCDCDCDCDCDCDCDCD


@dataclass(frozen=True, eq=False)
class Layout:
    """The scalar cells of an object: byte offsets and types in address order."""

    offsets: tuple[int, ...]
    types: tuple[CType, ...]

    @cached_property
    def size(self) -> int:
        """Bytes up to the end of the last cell."""
        if not self.offsets:
            return 0
        return self.offsets[-1] + _size(self.types[-1])

    @cached_property
    def format(self) -> struct.Struct:
        """Decodes all cells at once."""
        parts, at = ["<"], 0
        for offset, ctype in zip(self.offsets, self.types):
            if offset > at:
                parts.append(f"{offset - at}x")
            parts.append(_code(ctype))
            at = offset + _size(ctype)
        return struct.Struct("".join(parts))

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
        """Per cell, the decoded values that fresh heap memory has."""
        return tuple(_poison(ctype) for ctype in self.types)


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
        length has that array fill the rest of the block.
        """
        return self._get(ctype, size)

    def element_size(self, ctype: CType) -> int:
        """Size of one element, at least 1."""
        return max(1, self.types.size(ctype))

    def flexible(self, ctype: CType) -> tuple[int, CType] | None:
        """Offset and element of the array of no length at a struct's end."""
        if isinstance(ctype, StructReference) and ctype.tag in self.types.structs:
            fields = self.types.structs[ctype.tag].fields
            if fields and isinstance(fields[-1].type, ArrayType) and fields[-1].type.length == 0:
                return fields[-1].offset, fields[-1].type.element
        return None

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
        tail = self.flexible(ctype)
        if tail is not None:
            self._fill(cells, tail[1], tail[0], size)
        elif (step := self.element_size(ctype)) < size:
            for at in range(step, size - step + 1, step):
                if len(cells) >= MOST_CELLS:
                    break
                cells.extend((at + offset, each) for offset, each in self._one(ctype))
        size = min(size, MOST_BYTES)
        fitting = [(offset, each) for offset, each in cells[:MOST_CELLS] if offset + _size(each) <= size]
        return Layout(tuple(offset for offset, _ in fitting), tuple(each for _, each in fitting))

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
