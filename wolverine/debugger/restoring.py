"""Putting an image back into a process: its own, whatever has become of that, or a new one."""

from __future__ import annotations

from wolverine.debugger.execution import Execution
from wolverine.debugger.image import (
    Image,
    OpenFile,
    beyond,
    blocked_signals,
    missing,
    open_files,
    surplus,
    write_back,
)
from wolverine.debugger.memory import PAGE, Mapping
from wolverine.debugger.target import Process
from wolverine.errors import DebuggerError

_LSEEK, _MMAP, _MUNMAP, _BRK, _SIGPROCMASK, _DUP2, _CLOSE, _OPEN, _GETRANDOM = 8, 9, 11, 12, 14, 33, 3, 2, 318
_PRIVATE_FIXED = 0x12  # MAP_PRIVATE | MAP_FIXED
_ANONYMOUS = 0x20
_READ_WRITE = 3
_NO_TERMINAL = 0o400  # O_NOCTTY
_KEEP_FLAGS = 0o3 | 0o2000 | 0o2000000  # access mode, O_APPEND, O_CLOEXEC


def put_back(execution: Execution, image: Image, fresh: bool) -> tuple[str, ...]:
    """Restore the image; `fresh` says that the process is a new one, stopped in main.

    Returns what could not be restored, in words.  Raises DebuggerError when the state cannot be had.
    """
    process = execution.require()
    if fresh:
        notes = _fix(execution, process, image)
        _fill(execution, process, image)
        return (*(notes or ()), *image.notes)
    outside = beyond(process.pid, open_files(process.pid), process.memory.mappings())
    # Calls in the process need a sound stack first: after a crash it may have none.
    lost = missing(image, process.memory.mappings())
    partial = _without(image, lost) if lost else image
    _fill(execution, process, partial)
    notes = _fix(execution, process, image)
    if notes is not None:
        _fill(execution, process, image)
    return tuple(dict.fromkeys((*(notes or ()), *image.notes, *outside)))


def _fill(execution: Execution, process: Process, image: Image) -> None:
    write_back(process.memory, image)
    values = dict(image.registers)
    # Never changed by a program itself, and costly to write.
    for name in ("fs_base", "gs_base"):
        values.pop(name, None)
    execution.set_registers(values)


def _without(image: Image, lost: list[tuple[int, int]]) -> Image:
    def kept(address: int) -> bool:
        return not any(low <= address < high for low, high in lost)

    pages = {address: page for address, page in image.pages.items() if kept(address)}
    regions = tuple(region for region in image.regions if kept(region[0]) and kept(region[1] - PAGE))
    return Image(**{**image.__dict__, "pages": pages, "regions": regions})


def _fix(execution: Execution, process: Process, image: Image) -> tuple[str, ...] | None:
    """Put right what only system calls can; None when there was nothing to do."""
    kernel = _Kernel(execution)
    mappings = process.memory.mappings()
    if lost := missing(image, mappings):
        _map_again(kernel, image, lost)
        if missing(image, process.memory.mappings()):
            raise DebuggerError("memory that the state needs cannot be mapped again")
    for each in surplus(image, mappings):
        kernel.call(_MUNMAP, each.low, each.high - each.low)
    notes = _files(kernel, process, image)
    if blocked_signals(process.pid) != image.blocked_signals:
        mask = execution.scratch(image.blocked_signals.to_bytes(8, "little"))
        kernel.call(_SIGPROCMASK, 2, mask, 0, 8)
    return tuple(notes) if kernel.called or notes else None


def _map_again(kernel: _Kernel, image: Image, lost: list[tuple[int, int]]) -> None:
    for low, high in lost:
        old = next(each for each in image.mappings if each.low <= low < each.high)
        if old.name == "[stack]":
            # The stack grows when a page below it is written from inside the process.
            kernel.call(_GETRANDOM, low, 1, 0)
        elif old.name == "[heap]":
            kernel.call(_BRK, image.heap_end)
        else:
            _map_one(kernel, old, low, high)


def _map_one(kernel: _Kernel, old: Mapping, low: int, high: int) -> None:
    protection = _READ_WRITE | (4 if old.permissions[2] == "x" else 0)
    if old.name.startswith("/"):
        descriptor = kernel.open(OpenFile(old.name, 0, 0))
        if descriptor < 0:
            raise DebuggerError(f"{old.name} cannot be mapped again")
        kernel.call(
            _MMAP, low, high - low, protection, _PRIVATE_FIXED, descriptor, old.offset + low - old.low
        )
        kernel.call(_CLOSE, descriptor)
    else:
        kernel.call(_MMAP, low, high - low, protection, _PRIVATE_FIXED | _ANONYMOUS, -1, 0)


def _files(kernel: _Kernel, process: Process, image: Image) -> list[str]:
    notes: list[str] = []
    opened_now = open_files(process.pid)
    files, descriptors = opened_now.regular, opened_now.all
    for number in sorted(descriptors - image.descriptors):
        if number > 2:
            kernel.call(_CLOSE, number)
    for number, wanted in image.files.items():
        present = files.get(number)
        if present is None or present.path != wanted.path:
            opened = kernel.open(wanted)
            if opened < 0:
                notes.append(f"{wanted.path} cannot be opened again")
                continue
            if opened != number:
                kernel.call(_DUP2, opened, number)
                kernel.call(_CLOSE, opened)
            if wanted.position >= 0:
                kernel.call(_LSEEK, number, wanted.position, 0)
        elif present.position != wanted.position:
            kernel.call(_LSEEK, number, wanted.position, 0)
    for number in image.descriptors - descriptors - frozenset(image.files):
        notes.append(f"descriptor {number} was closed and cannot be opened again")
    return notes


class _Kernel:
    """System calls made by the process itself, through the tracker's helper."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self.called = False

    def call(self, number: int, *arguments: int) -> int:
        """The result of a system call."""
        self.called = True
        padded = (number, *arguments, *(0,) * (6 - len(arguments)))
        return self._execution.call("__wolverine_syscall", *padded)

    def open(self, file: OpenFile) -> int:
        """A descriptor for the file, opened without truncating it; negative when that fails."""
        name = self._execution.scratch(file.path.encode("utf-8", "surrogateescape") + b"\0")
        return self.call(_OPEN, name, file.flags & _KEEP_FLAGS | _NO_TERMINAL, 0)
