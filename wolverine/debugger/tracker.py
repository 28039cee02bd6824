"""The allocation tracker's table as the debugger sees it (`gdb_scripts/tracker.c` holds the original)."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from wolverine.core.graph import NodeState
from wolverine.debugger.memory import Memory
from wolverine.errors import CommandError

_HEADER = struct.Struct("<21Q")
_BLOCK = struct.Struct("<4QIHHII")
_VERSION = 1
_CHANGES_AT = 12 * 8
_FREED_BY_AT, _STATE_AT = 24, 36
_LIVE, _FREED = 1, 2


@dataclass(frozen=True, slots=True)
class Header:
    """The fixed part: extents of the tracker's memory and counters."""

    arena: int
    arena_top: int
    table: int
    table_used: int
    shadow: int
    code: int
    code_size: int
    changes: int
    numbers: int
    fault: int
    fault_address: int
    fault_number: int
    raw: bytes

    @property
    def extents(self) -> tuple[tuple[int, int], ...]:
        """The used parts of the three big mappings, as [low, high)."""
        used = (self.arena_top - self.arena) // 16 * 4 + 4
        return (
            (self.arena, self.arena_top),
            (self.shadow, self.shadow + used),
            (self.table, self.table + self.table_used * _BLOCK.size),
        )


@dataclass(frozen=True, slots=True)
class Block:
    """An allocation of the program; `allocated_by` and `freed_by` are return addresses (0: none)."""

    number: int
    address: int
    size: int
    state: NodeState
    allocated_by: int
    freed_by: int
    slot: int


class Tracker:
    """Reads and corrects the table of one process; `address` is that of its header."""

    def __init__(self, memory: Memory, address: int) -> None:
        self._memory = memory
        self._address = address
        self._seen: tuple[bytes, list[Block]] | None = None

    def header(self) -> Header | None:
        """The fixed part; None before the tracker has started."""
        raw = self._memory.read(self._address, _HEADER.size)
        word = _HEADER.unpack(raw)
        if word[0] != _VERSION:
            return None
        return Header(
            arena=word[1],
            arena_top=word[2],
            table=word[4],
            table_used=word[5],
            shadow=word[7],
            code=word[8],
            code_size=word[9],
            changes=word[12],
            numbers=word[13],
            fault=word[14],
            fault_address=word[15],
            fault_number=word[16],
            raw=raw,
        )

    def blocks(self) -> list[Block]:
        """The program's own allocations by number.  The list is the same object while nothing changed."""
        header = self.header()
        if header is None:
            return []
        # The whole header takes part: after a restore `changes` alone may repeat.
        if self._seen is not None and self._seen[0] == header.raw:
            return self._seen[1]
        data = self._memory.read(header.table, header.table_used * _BLOCK.size)
        found = [
            Block(number, address, size, "live" if state == _LIVE else "freed", allocated, freed, slot)
            for slot, (address, size, allocated, freed, number, state, _, _, _) in enumerate(
                _BLOCK.iter_unpack(data)
            )
            if number and state
        ]
        found.sort(key=lambda block: block.number)
        self._seen = (header.raw, found)
        return found

    def forget(self) -> None:
        """The process' memory was replaced: read the table again."""
        self._seen = None

    def set_state(self, number: int, state: NodeState) -> None:
        """Take a block out of quarantine or put it there.  Raises CommandError when it is no more."""
        header = self.header()
        block = next((each for each in self.blocks() if each.number == number), None)
        if header is None or block is None:
            raise CommandError(f"there is no block n{number}")
        place = header.table + block.slot * _BLOCK.size
        self._memory.write(place + _STATE_AT, struct.pack("<H", _LIVE if state == "live" else _FREED))
        self._memory.write(place + _FREED_BY_AT, struct.pack("<Q", 0))
        self._memory.write(self._address + _CHANGES_AT, struct.pack("<Q", header.changes + 1))

    def fault(self) -> str:
        """What the tracker stopped the program for, in words; "" if nothing."""
        header = self.header()
        if header is None or not header.fault:
            return ""
        if header.fault == 1:
            name = f"n{header.fault_number}" if header.fault_number else f"{header.fault_address:#x}"
            return f"double free of {name}"
        inside = next(
            (b for b in self.blocks() if b.address < header.fault_address <= b.address + b.size), None
        )
        if inside is not None:
            return f"free of an address inside n{inside.number}"
        return f"free of {header.fault_address:#x}, which is no allocated block"
