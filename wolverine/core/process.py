"""What the debugger tells of a process: stops, frames, line-table rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wolverine.core.graph import MemoryGraph, NodeId, Site


@dataclass(frozen=True, slots=True)
class Row:
    """A line-table row: code at `address` belongs to `line` and `column` (both from 1) of `file`.

    `end` marks the address behind a sequence.
    """

    address: int
    file: str
    line: int
    column: int
    statement: bool = True
    end: bool = False


@dataclass(frozen=True, slots=True)
class ProcessFrame:
    """A frame of the program's own code: `depth` 0 is main; `pc` is the next instruction to run in it.

    `cfa` (canonical frame address) tells activations of one function apart.
    """

    depth: int
    function: str
    file: str
    line: int
    pc: int
    cfa: int


Reason = Literal[
    "step", "breakpoint", "watchpoint", "finish", "location", "signal", "violation", "interrupt", "budget",
    "memory", "exited", "killed", "lost",
]  # fmt: skip


FAULTS = frozenset(["SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGSYS"])  # a statement's own doing
STACK_FULL = "the stack is full (recursion without end?)"


@dataclass(frozen=True, slots=True)
class Stop:
    """The process stopped (or ended: reasons exited, killed by `signal`, lost with gdb itself).

    `frames` are innermost first and hold only functions with debug information; `foreign` tells that
    the very top of the stack is other code (a library).  A `temporary` breakpoint is gone again.
    """

    reason: Reason
    frames: tuple[ProcessFrame, ...] = ()
    signal: str = ""
    code: int | None = None
    breakpoint: int | None = None
    foreign: bool = False
    text: str = ""
    temporary: bool = False

    @property
    def alive(self) -> bool:
        """Whether the process still exists."""
        return self.reason not in ("exited", "killed", "lost")

    @property
    def signalled(self) -> bool:
        """Whether a signal has stopped it that neither gdb nor the user has sent."""
        return self.reason == "signal" and self.signal not in ("SIGINT", "SIGTRAP", "SIGSTOP", "0")

    @property
    def faulty(self) -> bool:
        """Whether that was one by which a statement crashes; others are messages, as SIGUSR1 and SIGCHLD."""
        return self.signalled and self.signal in FAULTS

    @property
    def overflowed(self) -> bool:
        """Whether calls without end have filled the stack."""
        return self.reason == "signal" and self.text.startswith(STACK_FULL)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a stopped process: `graph` and the frames it was taken in, read in one round trip."""

    graph: MemoryGraph
    frames: tuple[ProcessFrame, ...]


@dataclass(frozen=True, slots=True)
class Allocated:
    """Where the program had a node of `size` bytes from: `site` and `callers` as those of a node."""

    size: int
    site: Site | None
    callers: tuple[Site, ...]


@dataclass(frozen=True, slots=True)
class NeverFreed:
    """What one call allocated and nothing freed up to the end: `count` blocks, the `first` of them by number.

    `site` is where the call stands, None where that is not known; `callers` are the calls that led to it, as
    those of a node.
    """

    site: Site | None
    callers: tuple[Site, ...]
    count: int
    first: tuple[NodeId, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """Where a jump out of a condition's code leads: its `address` and that address' row."""

    address: int
    row: Row | None
