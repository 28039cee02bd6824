"""From bytes to values: pointers become objects, poison becomes 'never written'."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wolverine.core.graph import (
    UNINITIALISED,
    External,
    NodeId,
    Opaque,
    Pointer,
    Value,
    Variable,
    VariableId,
    Wild,
)
from wolverine.core.types import CType, IntType
from wolverine.debugger.layout import Layout, Layouts
from wolverine.debugger.memory import MappedRanges, Memory
from wolverine.debugger.tracker import Block

Lead = tuple[int, CType, int]  # a pointer to (block number, as this type, at this offset)


@dataclass(frozen=True, slots=True)
class Seen:
    """A decoded block.

    `external` are its pointers out of the picture.  Not `settled` is one with a pointer that may mean
    something else at the next stop although its bytes stay: to a local, or to where nothing is now.
    """

    layout: Layout
    data: bytes
    values: tuple[Value, ...]
    leads: tuple[Lead, ...]
    external: tuple[tuple[int, CType], ...] = ()
    settled: bool = True


class Decoder:
    """Decodes the objects of one stop; `place` and `add` tell of blocks, `begin` of variables.

    `entry` names the function that begins at an address; it is an object like a global.  `contents` are
    the bytes of a block, by number, and `size` those of a type.
    """

    def __init__(
        self,
        memory: Memory,
        entry: Callable[[int], str | None],
        contents: Callable[[int], bytes],
        size: Callable[[CType], int],
    ) -> None:
        self._memory = memory
        self._entry = entry
        self._contents = contents
        self._size = size
        self._exact: dict[int, Pointer] = {}
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._pointers: list[Pointer] = []
        self._variable_starts: list[int] = []
        self._variables: list[tuple[int, int, Variable]] = []
        self._mapped: MappedRanges | None = None
        self._files: MappedRanges | None = None
        self._floor = 0
        self._left = range(0)  # of the stack, what no activation uses
        self._settled = True
        self._found: list[tuple[int, CType]] = []
        self.external: dict[tuple[int, CType], None] = {}  # of this stop's variables, with targets

    def begin(self, variables: Sequence[Variable], layouts: Layouts, floor: int) -> None:
        """Start a stop: these variables; what lies below `floor` in the stack belongs to no activation."""
        self._floor = floor
        self._variables = sorted(
            ((each.address, each.address + layouts.types.size(each.type), each) for each in variables),
            key=lambda entry: (entry[0], entry[1]),
        )
        self._variable_starts = [entry[0] for entry in self._variables]
        self._mapped = self._files = None
        self.external = {}

    def place(self, blocks: Sequence[Block]) -> None:
        """These are the blocks."""
        ordered = sorted(blocks, key=lambda block: block.address)
        self._exact = {block.address: Pointer(NodeId(block.number), 0) for block in ordered}
        self._starts = [block.address for block in ordered]
        self._ends = [block.address + block.size for block in ordered]
        self._pointers = [self._exact[block.address] for block in ordered]

    def add(self, block: Block) -> None:
        """One block more, where none was."""
        index = bisect_right(self._starts, block.address)
        pointer = self._exact[block.address] = Pointer(NodeId(block.number), 0)
        self._starts.insert(index, block.address)
        self._ends.insert(index, block.address + block.size)
        self._pointers.insert(index, pointer)

    def is_block(self, address: int) -> bool:
        """Whether a block begins at the address."""
        return address in self._exact

    def forget(self) -> None:
        """Nothing is known of any block."""
        self.place(())

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
        variable = self._variable(address)
        if variable is not None:
            assert isinstance(variable.object, VariableId)
            self._settled = self._settled and variable.object.depth < 0
            return variable
        if self._mapped is None or self._files is None:
            mappings = self._memory.mappings()
            self._mapped = MappedRanges(mappings)
            self._files = MappedRanges([each for each in mappings if each.name.startswith("/")])
            self._left = next(
                (range(m.low, self._floor) for m in mappings if m.low <= self._floor < m.high), range(0)
            )
        in_file = address in self._files
        self._settled = self._settled and in_file
        function = self._entry(address) if in_file else None
        if function is not None:
            return Pointer(VariableId(-1, "", function))
        if address in self._left:
            return Wild(address)
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
        self._found = []
        values = self._values(layout, data)
        self.external.update(dict.fromkeys(self._found))
        return values

    def node(self, layout: Layout, data: bytes) -> Seen:
        """The values of a block's cells and where its pointers lead."""
        self._settled, self._found = True, []
        values = list(self._values(layout, data))
        if b"\xcd" in data:
            raw = layout.numbers(data)
            for index, (value, poison) in enumerate(zip(raw, layout.poison)):
                if value in poison:
                    values[index] = UNINITIALISED
            for index in layout.untouched(data):
                values[index] = UNINITIALISED
        external = tuple(self._found)
        return Seen(layout, data, tuple(values), self.leads(layout, data), external, self._settled)

    def leads(self, layout: Layout, data: bytes) -> tuple[Lead, ...]:
        """The pointers to blocks in an object."""
        if not layout.pointers and not layout.hidden:
            return ()
        raw = layout.numbers(data)
        found: list[Lead] = []
        for index, target in layout.pointers:
            block = self._block(raw[index])
            if block is not None:
                found.append((block[0], target, block[1]))
        meant: dict[tuple[int, int], list[CType]] = {}
        for index, at, target in layout.hidden:
            meant.setdefault((index, at), []).append(target)
        for (index, at), targets in meant.items():
            block = self._block(_word(raw[index], at))
            if block is not None:
                found.extend((block[0], target, block[1]) for target in self._likely(targets, *block))
        return tuple(found)

    def _block(self, address: int) -> tuple[int, int] | None:
        """The number of the block to which an address leads, and the byte in it."""
        exact = self._exact.get(address)
        if exact is not None:
            return exact.object[0], 0
        near = bisect_right(self._starts, address) - 1 if address else -1
        if near >= 0 and address < self._ends[near]:
            return self._pointers[near].object[0], address - self._starts[near]
        return None

    def _likely(self, targets: Sequence[CType], number: int, offset: int) -> Sequence[CType]:
        """What a block is, of what the members of a union say of it; nothing while it holds nothing."""
        text = [target for target in targets if isinstance(target, IntType) and target.size == 1]
        if not text or len(text) == len(targets):
            return targets
        data = self._contents(number)[offset:]
        if data.startswith(b"\xcd") and data == b"\xcd" * len(data):
            self._settled = False
            return ()
        others = [target for target in targets if target not in text]
        characters, ended, _ = data.partition(b"\0")
        if not ended or not is_text(characters):
            return others
        whole = len(characters) + 1 == len(data)
        fits = any(size and len(data) % size == 0 for size in map(self._size, others))
        return text if whole or (characters and not fits) else others

    def _values(self, layout: Layout, data: bytes) -> tuple[Value, ...]:
        raw = layout.numbers(data)
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
                self._found.append((address, target))
        for index in layout.opaque:
            values[index] = Opaque(raw[index])
        settled = self._settled  # the bytes of a union mean the same at every stop
        for index, at, target in layout.hidden:
            address = _word(raw[index], at)
            if isinstance(self.pointer(address), External):
                self._found.append((address, target))
        self._settled = settled
        return tuple(values)


def is_text(data: bytes) -> bool:
    """Whether these bytes are characters that can be read, in ASCII or UTF-8."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return all(character.isprintable() or character in "\t\n\r" for character in text)


def _word(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")
