"""The allocation tracker's table as the debugger sees it (`gdb_scripts/tracker.c` holds the original)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

from wolverine.core.graph import NodeState
from wolverine.debugger.memory import Memory
from wolverine.errors import CommandError

_HEADER = struct.Struct("<21Q")
_BLOCK = struct.Struct("<4QIHHIIii")
ANSWERS_AT = 0x0FF000000000  # what the system was asked, shared so that images leave it alone (clock.c)
_VERSION = 1
_CHANGES_AT = 12 * 8
_LIMIT_AT = 21 * 8
_FREED_BY_AT, _STATE_AT = 24, 36
_LIVE, _FREED = 1, 2
_number = attrgetter("number")


_PIECE = 1024 * _BLOCK.size  # bytes of the table that are compared at once


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
    program_low: int
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
    """An allocation of the program; `allocated_by` and `freed_by` are return addresses (0: none).

    `callers` are those further out, innermost first.
    """

    number: int
    address: int
    size: int
    state: NodeState
    allocated_by: int
    freed_by: int
    slot: int
    callers: tuple[int, ...]


def _block(data: bytes, at: int, slot: int, low: int) -> Block | None:
    """The program's block in the record at byte `at`; None where it holds none.

    The program's code begins at `low`.
    """
    if at + _BLOCK.size > len(data):
        return None
    address, size, allocated, freed, number, state, _, _, _, *callers = _BLOCK.unpack_from(data, at)
    if not number or not state:
        return None
    return Block(
        number,
        address,
        size,
        "live" if state == _LIVE else "freed",
        allocated,
        freed,
        slot,
        tuple(low + each if each else 0 for each in callers),
    )


def _differing(old: bytes, new: bytes) -> Iterator[int]:
    """Where the pieces begin in which two tables differ."""
    for start in range(0, max(len(old), len(new)), _PIECE):
        if old[start : start + _PIECE] != new[start : start + _PIECE]:
            yield start


class Tracker:
    """Reads and corrects the table of one process; `address` is that of its header."""

    def __init__(self, memory: Memory, address: int) -> None:
        self._memory = memory
        self._address = address
        self._raw = b""
        self._table = b""
        self._known: dict[int, Block] = {}
        self._listed: list[Block] = []

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
            program_low=word[10],
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
        if self._raw == header.raw:
            return self._listed
        data = self._memory.read(header.table, header.table_used * _BLOCK.size)
        gone: set[int] = set()
        come: dict[int, Block] = {}
        step = _BLOCK.size
        for start in _differing(self._table, data):
            old, new = self._table[start : start + _PIECE], data[start : start + _PIECE]
            records = range(0, max(len(old), len(new)), step)
            changed = [at for at in records if old[at : at + step] != new[at : at + step]]
            for at in changed:
                slot = (start + at) // _BLOCK.size
                before, after = (_block(each, at, slot, header.program_low) for each in (old, new))
                if before is not None:
                    gone.add(before.number)
                if after is not None:
                    come[after.number] = after
        known = self._known
        for number in gone - come.keys():
            known.pop(number, None)
        known.update(come)
        self._listed = sorted(known.values(), key=_number)
        self._raw, self._table = header.raw, data
        return self._listed

    def forget(self) -> None:
        """The process' memory was replaced: read the table again."""
        self._raw = self._table = b""
        self._known = {}

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

    def limit(self, most: int, process: int) -> None:
        """The process is interrupted once its table is longer than that (0: it may be of any length)."""
        self._memory.write(self._address + _LIMIT_AT, struct.pack("<2Q", most, process))

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
