"""The debugged process' memory, read and written through /proc while gdb holds the process stopped."""

from __future__ import annotations

import contextlib
import os
import re
import struct
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wolverine.errors import DebuggerError

PAGE = 4096
_MAP = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S{4}) (\S+) \S+ \d+ *(.*)")
_PRESENT_OR_SWAPPED = 3 << 62


@dataclass(frozen=True, slots=True)
class Mapping:
    """A line of /proc/PID/maps."""

    low: int
    high: int
    permissions: str
    offset: int
    name: str

    @property
    def private_writable(self) -> bool:
        """Whether the pages belong to the process alone and may change."""
        return self.permissions[1] == "w" and self.permissions[3] == "p"

    @property
    def shared_writable(self) -> bool:
        """Whether other processes may have the pages too, and write them."""
        return self.permissions[1] == "w" and self.permissions[3] == "s"


class Memory:
    """One process' memory.  Reads and writes raise DebuggerError where nothing is mapped."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        try:
            self._file = os.open(f"/proc/{pid}/mem", os.O_RDWR)
            self._pages = os.open(f"/proc/{pid}/pagemap", os.O_RDONLY)
        except OSError as error:
            raise DebuggerError(f"the memory of process {pid} cannot be opened: {error.strerror}") from error

    def close(self) -> None:
        """Release the descriptors."""
        for descriptor in (self._file, self._pages):
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def read(self, address: int, size: int) -> bytes:
        """`size` bytes from `address`."""
        try:
            data = os.pread(self._file, size, address)
        except (OSError, OverflowError):
            data = b""
        while data and len(data) < size:
            more = b""
            with contextlib.suppress(OSError):
                more = os.pread(self._file, size - len(data), address + len(data))
            if not more:
                break
            data += more
        if len(data) != size:
            raise DebuggerError(f"cannot read {size} bytes at {address:#x}")
        return data

    def read_some(self, address: int, size: int) -> bytes:
        """Up to `size` bytes, fewer (or none) where the mapping ends."""
        try:
            return os.pread(self._file, size, address)
        except (OSError, OverflowError):
            return b""

    def write(self, address: int, data: bytes) -> None:
        """Write, also into code."""
        self.write_pieces(address, [data])

    def write_pieces(self, address: int, pieces: Sequence[bytes]) -> None:
        """Write neighbouring pieces, the first at `address`."""
        for start in range(0, len(pieces), 512):
            group = pieces[start : start + 512]
            size = sum(map(len, group))
            try:
                done = os.pwritev(self._file, group, address)
            except OSError:
                done = 0
            if done != size:
                raise DebuggerError(f"cannot write {size} bytes at {address:#x}")
            address += size

    def mappings(self) -> list[Mapping]:
        """What is mapped now, in address order."""
        found = []
        for line in Path(f"/proc/{self.pid}/maps").read_text(errors="surrogateescape").splitlines():
            match = _MAP.match(line)
            if match:
                low, high, permissions, offset, name = match.groups()
                found.append(Mapping(int(low, 16), int(high, 16), permissions, int(offset, 16), name))
        return found

    def present(self, low: int, high: int) -> list[int]:
        """The addresses of the pages in [low, high) that have been touched."""
        data = os.pread(self._pages, (high - low) // PAGE * 8, low // PAGE * 8)
        words = struct.unpack(f"<{len(data) // 8}Q", data)
        return [low + index * PAGE for index, word in enumerate(words) if word & _PRESENT_OR_SWAPPED]


class MappedRanges:
    """Answers whether an address is mapped, from one reading of the map."""

    def __init__(self, mappings: Sequence[Mapping]) -> None:
        self._lows = [each.low for each in mappings]
        self._highs = [each.high for each in mappings]

    def __contains__(self, address: int) -> bool:
        index = bisect_right(self._lows, address) - 1
        return index >= 0 and address < self._highs[index]
