"""Memory images: the whole state of a stopped process, to go back to any number of times.

An image holds the private writable pages, the registers, the signal mask and the places in open
files.  Pages that two images of one process have in common are held once.  What the kernel or other
processes keep (threads, sockets, children, output that was written) does not come back.  Terminal input
that was read is typed again where an execution is to be repeated (`Debugger.repeat_from`).
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wolverine.debugger.memory import PAGE, Memory
from wolverine.debugger.memory import Mapping as MemoryMapping
from wolverine.debugger.tracker import ANSWERS_AT, Tracker

ZERO = bytes(PAGE)
_RED_ZONE = 128  # bytes below the stack pointer that belong to the function (System V ABI 3.2.2)
_LONGEST_RUN = 256  # pages: a buffer of this size stays in the processor's cache
_WORTH_COMPARING = 128  # pages: reading is cheaper than writing, but one more call
_WHOLE_FILE_MAPPING = 4 << 20
_STANDARD = 2  # descriptors up to this one are standard input, output and error


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A descriptor of a regular file or a device; `flags` as open takes them.

    `position` is -1 where there is none, as in a terminal.
    """

    path: str
    position: int
    flags: int


@dataclass(frozen=True, slots=True)
class Opened:
    """The regular files and devices that are open, by descriptor; all descriptors.

    `channels` tells whether sockets or pipes are among them.
    """

    regular: dict[int, OpenFile]
    all: frozenset[int]
    channels: bool


@dataclass(frozen=True, eq=False)
class Image:
    """One state.  `regions` are the captured [low, high); pages in them that are missing are zero.

    `own` bytes of the pages are shared with no image before.  An image whose `pages` were cleared has
    been given up and cannot be restored.  Of several `threads` the image holds the first: the others do not
    go back.  One that has `ended` stands at its end.
    """

    registers: Mapping[str, int]
    regions: tuple[tuple[int, int], ...]
    pages: dict[int, bytes]
    mappings: tuple[MemoryMapping, ...]
    files: Mapping[int, OpenFile]
    descriptors: frozenset[int]
    blocked_signals: int
    heap_end: int
    input_consumed: int = 0
    types: object = None
    notes: tuple[str, ...] = ()
    own: int = 0
    threads: tuple[int, ...] = (0,)
    ended: bool = False

    def alone(self) -> bool:
        """Whether the process had but one thread."""
        return len(self.threads) == 1

    def exchangeable(self, other: Image) -> bool:
        """Whether the process can go from one to the other and back: threads neither come nor go."""
        return self.threads == other.threads or (self.alone() and other.alone())

    @property
    def kept(self) -> bool:
        """Whether the state can still be restored."""
        return bool(self.pages)

    def same(self, other: Image) -> bool:
        """Whether memory and registers are as in the other."""
        return self.pages == other.pages and self.registers == other.registers

    def there(self, other: Image) -> bool:
        """Whether the process is where it is in the other, with the same memory.

        What else registers hold between two statements depends on how the process was stopped.  What calls
        that have returned left on the stack may differ: `fstat` tells when a file was last read.
        """
        here = all(self.registers[name] == other.registers[name] for name in ("rip", "rsp", "rbp"))
        if not here or self.pages.keys() != other.pages.keys():
            return False
        lowest = self.registers["rsp"] - _RED_ZONE
        low = lowest & -PAGE
        top = self.pages.get(low, ZERO)[lowest - low :] == other.pages.get(low, ZERO)[lowest - low :]
        return top and all(page == other.pages[at] for at, page in self.pages.items() if at != low)

    @property
    def size(self) -> int:
        """Bytes of all pages, shared or not."""
        return len(self.pages) * PAGE


def capture(
    memory: Memory,
    tracker: Tracker | None,
    registers: Mapping[str, int],
    previous: Image | None,
    *,
    input_consumed: int,
    types: object,
    threads: tuple[int, ...],
) -> Image:
    """The state of the stopped process; pages equal to those of `previous` are shared with it."""
    mappings = memory.mappings()
    regions = tuple(_regions(mappings, tracker, registers["rsp"]))
    known = previous.pages if previous is not None else {}
    pages: dict[int, bytes] = {}
    own = 0
    for low, high, whole in regions:
        present = range(low, high, PAGE) if whole else memory.present(low, high)
        for start, count in _runs(present):
            data = memory.read(start, count * PAGE)
            for index in range(count):
                address = start + index * PAGE
                page = data[index * PAGE : index * PAGE + PAGE]
                old = known.get(address)
                if old == page:
                    pages[address] = old
                elif page == ZERO:
                    pages[address] = ZERO
                else:
                    pages[address] = page
                    own += PAGE
    opened = open_files(memory.pid)
    return Image(
        registers=dict(registers),
        regions=tuple((low, high) for low, high, _ in regions),
        pages=pages,
        mappings=tuple(mappings),
        files=opened.regular,
        descriptors=opened.all,
        blocked_signals=blocked_signals(memory.pid),
        heap_end=_heap_end(mappings),
        input_consumed=input_consumed,
        types=types,
        notes=beyond(memory.pid, opened, mappings),
        own=own,
        threads=threads,
    )


def write_back(memory: Memory, image: Image) -> None:
    """Make the captured regions what they were.  Raises DebuggerError where they are not mapped."""
    for start, count in _runs(sorted(image.pages)):
        pages = [image.pages[start + index * PAGE] for index in range(count)]
        if count < _WORTH_COMPARING:
            memory.write_pieces(start, pages)
            continue
        now = memory.read(start, count * PAGE)
        differing = [
            start + index * PAGE
            for index, page in enumerate(pages)
            if now[index * PAGE : index * PAGE + PAGE] != page
        ]
        for low, number in _runs(differing):
            memory.write_pieces(low, [image.pages[low + index * PAGE] for index in range(number)])
    for low, high in image.regions:
        for address in memory.present(low, high):
            if address not in image.pages:
                memory.write(address, ZERO)


def missing(image: Image, mappings: Sequence[MemoryMapping]) -> list[tuple[int, int]]:
    """The parts of the image's regions that are not mapped now."""
    found = []
    for low, high in image.regions:
        at = low
        for each in mappings:
            if each.high <= at or each.low >= high:
                continue
            if each.low > at:
                found.append((at, each.low))
            at = each.high
        if at < high:
            found.append((at, high))
    return found


def surplus(image: Image, mappings: Sequence[MemoryMapping]) -> list[MemoryMapping]:
    """Mappings that were made since and share no page with one of the image's."""
    old = [(each.low, each.high) for each in image.mappings]
    return [
        each
        for each in mappings
        if not each.name.startswith("[") and not any(each.low < high and low < each.high for low, high in old)
    ]


def open_files(pid: int) -> Opened:
    """What the process has open."""
    files: dict[int, OpenFile] = {}
    numbers, channels = [], []
    for name in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208 - three times as fast
        number = int(name)
        numbers.append(number)
        with contextlib.suppress(OSError, ValueError):
            link = f"/proc/{pid}/fd/{name}"
            mode = os.stat(link).st_mode  # noqa: PTH116
            device = stat.S_ISCHR(mode)
            if not (stat.S_ISREG(mode) or device):
                if number > _STANDARD and (stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode)):
                    channels.append(number)
                continue
            lines = Path(f"/proc/{pid}/fdinfo/{name}").read_text().splitlines()
            told = dict(line.split(":", 1) for line in lines if ":" in line)
            position = -1 if device else int(told["pos"])
            files[number] = OpenFile(os.readlink(link), position, int(told["flags"].strip(), 8))  # noqa: PTH115
    return Opened(files, frozenset(numbers), bool(channels))


def blocked_signals(pid: int) -> int:
    """The main thread's signal mask."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("SigBlk:"):
            return int(line.split()[1], 16)
    return 0


def _regions(
    mappings: Sequence[MemoryMapping], tracker: Tracker | None, rsp: int
) -> Iterator[tuple[int, int, bool]]:
    """(low, high, whether to take pages that were never touched) of all that may change."""
    header = tracker.header() if tracker is not None else None
    extents = header.extents if header is not None else ()
    for each in mappings:
        if not each.private_writable or (header is not None and each.low == header.code):
            continue
        # Neighbouring anonymous mappings are shown as one: the tracker's three can be.
        inside = [(low, high) for low, high in extents if each.low <= low < each.high]
        if inside:
            for low, high in inside:
                yield low & -PAGE, min((high + PAGE - 1) & -PAGE, each.high), False
        elif each.low <= rsp < each.high:
            yield max(each.low, (rsp - _RED_ZONE) & -PAGE), each.high, True
        elif each.name.startswith("/") and each.high - each.low <= _WHOLE_FILE_MAPPING:
            yield each.low, each.high, True
        else:
            yield each.low, each.high, False


def _runs(addresses: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Neighbouring pages as (first address, number of pages)."""
    start, count = 0, 0
    for address in addresses:
        if count and address == start + count * PAGE and count < _LONGEST_RUN:
            count += 1
            continue
        if count:
            yield start, count
        start, count = address, 1
    if count:
        yield start, count


def _heap_end(mappings: Sequence[MemoryMapping]) -> int:
    return max((each.high for each in mappings if each.name == "[heap]"), default=0)


def beyond(pid: int, opened: Opened, mappings: Sequence[MemoryMapping]) -> tuple[str, ...]:
    """What going back does not restore, in words."""
    notes = []
    if opened.channels:
        notes.append("the program has sockets or pipes; what went through them does not go back")
    if any(each.shared_writable and each.low != ANSWERS_AT for each in mappings):
        notes.append("the program has memory that other processes can share; it does not go back")
    if len(os.listdir(f"/proc/{pid}/task")) > 1:  # noqa: PTH208
        notes.append("the program has several threads; only the current one goes back")
    with contextlib.suppress(OSError):
        if Path(f"/proc/{pid}/task/{pid}/children").read_text().strip():
            notes.append("the program has child processes; they do not go back")
    return tuple(notes)
