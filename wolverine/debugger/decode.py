"""From bytes to values: pointers become objects, poison becomes 'never written'."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from wolverine.core.graph import (
    UNINITIALISED,
    External,
    NodeId,
    Opaque,
    Pointer,
    Value,
    Variable,
    Wild,
)
from wolverine.core.types import CType
from wolverine.debugger.layout import Layout, Layouts
from wolverine.debugger.memory import MappedRanges, Memory
from wolverine.debugger.tracker import Block

Lead = tuple[int, CType, int]  # a pointer to (block number, as this type, at this offset)


@dataclass(frozen=True, slots=True)
class Seen:
    """A decoded block."""

    layout: Layout
    data: bytes
    values: tuple[Value, ...]
    leads: tuple[Lead, ...]


class Decoder:
    """Decodes the objects of one stop; `begin` tells where objects are.

    A block whose bytes are as at the last stop, and that leads to blocks only, is not decoded again.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._blocks: Sequence[Block] | None = None
        self._exact: dict[int, Pointer] = {}
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._pointers: list[Pointer] = []
        self._kept: dict[int, Seen] = {}
        self._variable_starts: list[int] = []
        self._variables: list[tuple[int, int, Variable]] = []
        self._mapped: MappedRanges | None = None
        self._outside = False
        self.external: dict[tuple[int, CType], None] = {}  # external pointers of this stop, with targets

    def begin(self, blocks: Sequence[Block], variables: Sequence[Variable], layouts: Layouts) -> None:
        """Start a stop: these blocks, these variables."""
        self.external.clear()
        if blocks is not self._blocks:
            ordered = sorted(blocks, key=lambda block: block.address)
            self._exact = {block.address: Pointer(NodeId(block.number), 0) for block in ordered}
            self._starts = [block.address for block in ordered]
            self._ends = [block.address + block.size for block in ordered]
            self._pointers = [self._exact[block.address] for block in ordered]
            self._blocks = blocks
            self._kept.clear()
        self._variables = sorted(
            ((each.address, each.address + layouts.types.size(each.type), each) for each in variables),
            key=lambda entry: (entry[0], entry[1]),
        )
        self._variable_starts = [entry[0] for entry in self._variables]
        self._mapped = None

    def forget(self) -> None:
        """Memory was replaced behind the table's back."""
        self._blocks = None
        self._kept.clear()

    def pointer(self, address: int) -> Value:
        """What an address means."""
        if address == 0:
            return None
        found = self._exact.get(address)
        if found is not None:
            return found
        index = bisect_right(self._starts, address) - 1
        if index >= 0 and address <= self._ends[index]:
            return Pointer(self._pointers[index].object, address - self._starts[index])
        self._outside = True
        variable = self._variable(address)
        if variable is not None:
            return variable
        if self._mapped is None:
            self._mapped = MappedRanges(self._memory.mappings())
        return External(address) if address in self._mapped else Wild(address)

    def _variable(self, address: int) -> Pointer | None:
        index = bisect_right(self._variable_starts, address) - 1
        behind: Pointer | None = None
        for low, high, variable in reversed(self._variables[max(0, index - 3) : index + 1]):
            if address < high:
                return Pointer(variable.id, address - low)
            if address == high and behind is None:
                behind = Pointer(variable.id, address - low)
        return behind

    def variable(self, layout: Layout, data: bytes) -> tuple[Value, ...]:
        """The values of a variable's cells."""
        return self._values(layout, data)

    def node(self, number: int, layout: Layout, data: bytes) -> Seen:
        """The values of a block's cells and where its pointers lead."""
        kept = self._kept.get(number)
        if kept is not None and kept.layout is layout and kept.data == data:
            return kept
        self._outside = False
        values = list(self._values(layout, data))
        if b"\xcd" in data:
            raw = layout.format.unpack_from(data)
            for index, (value, poison) in enumerate(zip(raw, layout.poison)):
                if value in poison:
                    values[index] = UNINITIALISED
        seen = Seen(layout, data, tuple(values), self.leads(layout, data))
        if not self._outside:
            self._kept[number] = seen
        return seen

    def leads(self, layout: Layout, data: bytes) -> tuple[Lead, ...]:
        """The pointers to blocks in an object."""
        if not layout.pointers:
            return ()
        raw = layout.format.unpack_from(data)
        found: list[Lead] = []
        for index, target in layout.pointers:
            address = raw[index]
            exact = self._exact.get(address)
            if exact is not None:
                found.append((exact.object[0], target, 0))
            elif address:
                near = bisect_right(self._starts, address) - 1
                if near >= 0 and address < self._ends[near]:
                    number = self._pointers[near].object[0]
                    found.append((number, target, address - self._starts[near]))
        return tuple(found)

    def _values(self, layout: Layout, data: bytes) -> tuple[Value, ...]:
        raw = layout.format.unpack_from(data)
        if not layout.pointers and not layout.opaque:
            return raw
        values: list[Value] = list(raw)
        exact = self._exact
        for index, target in layout.pointers:
            address = raw[index]
            if address in exact:
                values[index] = exact[address]
                continue
            value = values[index] = self.pointer(address)
            if isinstance(value, External):
                self.external[address, target] = None
        for index in layout.opaque:
            values[index] = Opaque(raw[index])
        return tuple(values)
