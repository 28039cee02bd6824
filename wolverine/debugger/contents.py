"""The bytes of the program's blocks, read in windows and compared with those of the stop before."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from wolverine.debugger.layout import MOST_BYTES
from wolverine.debugger.memory import Memory
from wolverine.debugger.tracker import Block

_WINDOW = 1 << 16
_ONE_READ = 64  # windows


class Contents:
    """`data` holds the bytes of every block by number, of a large one the first `MOST_BYTES`."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.data: dict[int, bytes] = {}
        self._windows: dict[int, bytes] = {}
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._numbers: list[int] = []
        self._unread: list[int] = []  # the indices of blocks that come where bytes need not change for them

    def place(self, blocks: Sequence[Block]) -> None:
        """These are the blocks from now on."""
        extents = sorted((each.address, each.address + _length(each), each.number) for each in blocks)
        self._starts = [extent[0] for extent in extents]
        self._ends = [extent[1] for extent in extents]
        self._numbers = [extent[2] for extent in extents]
        if len(self.data) > len(extents):
            there = set(self._numbers)
            self.data = {number: data for number, data in self.data.items() if number in there}
        self._unread = [index for index, number in enumerate(self._numbers) if number not in self.data]

    def refresh(self) -> set[int]:
        """Read everything; the numbers of the blocks whose bytes are others than at the last time."""
        old = self._windows
        self._windows = dict(self._read(self._needed()))
        differing = [at for at, data in self._windows.items() if old.get(at) != data]
        changed: set[int] = set()
        unread, self._unread = self._unread, []
        for index in chain(self._inside(differing), unread):
            start, end, number = self._starts[index], self._ends[index], self._numbers[index]
            data = self._bytes(start, end)
            if len(data) < end - start:
                self.data.pop(number, None)
            elif self.data.get(number) != data:
                self.data[number] = data
                changed.add(number)
        return changed

    def _needed(self) -> list[int]:
        """The windows in which blocks lie, in order."""
        found: list[int] = []
        last = -1
        for start, end in zip(self._starts, self._ends):
            low = max(start // _WINDOW, last + 1)
            high = (end - 1) // _WINDOW if end > start else low - 1
            if high >= low:
                found.extend(range(low, high + 1))
                last = high
        return found

    def _read(self, windows: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        index = 0
        while index < len(windows):
            count = 1
            while (
                index + count < len(windows)
                and count < _ONE_READ
                and windows[index + count] == windows[index] + count
            ):
                count += 1
            data = self._memory.read_some(windows[index] * _WINDOW, count * _WINDOW)
            for at in range(count):
                yield windows[index] + at, data[at * _WINDOW : (at + 1) * _WINDOW]
            index += count

    def _inside(self, windows: Iterable[int]) -> Iterator[int]:
        """The indices of the blocks that lie in these windows, in part at least."""
        done = -1
        for window in windows:
            low, high = window * _WINDOW, (window + 1) * _WINDOW
            first = max(bisect_right(self._starts, low) - 1, 0)
            # Blocks do not overlap: at most the one before begins outside and reaches in.
            for index in range(max(first, done + 1), bisect_left(self._starts, high)):
                if self._ends[index] > low:
                    done = index
                    yield index

    def _bytes(self, start: int, end: int) -> bytes:
        window = start // _WINDOW
        data = self._windows.get(window, b"")[start % _WINDOW : start % _WINDOW + end - start]
        while len(data) < end - start:
            window += 1
            more = self._windows.get(window, b"")[: end - start - len(data)]
            if not more:
                break
            data += more
        return data


class Sparse(Mapping[int, bytes]):
    """The same for a heap of which little is looked at: a window is read when a block in it is."""

    def __init__(self, memory: Memory, blocks: Mapping[int, Block]) -> None:
        self._memory = memory
        self._blocks = blocks
        self._windows: dict[int, bytes] = {}

    def __getitem__(self, number: int) -> bytes:
        block = self._blocks[number]
        length = _length(block)
        window, at = divmod(block.address, _WINDOW)
        if at + length > _WINDOW:
            return self._memory.read_some(block.address, length)
        if window not in self._windows:
            self._windows[window] = self._memory.read_some(window * _WINDOW, _WINDOW)
        return self._windows[window][at : at + length]

    def __iter__(self) -> Iterator[int]:
        return iter(self._blocks)

    def __len__(self) -> int:
        return len(self._blocks)


def _length(block: Block) -> int:
    return min(block.size, MOST_BYTES)
