"""Questions to gdb about the stopped process, and small changes to it."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from wolverine.core.process import STACK_FULL
from wolverine.debugger.memory import PAGE
from wolverine.debugger.mi import Answer, Gdb, Payload
from wolverine.debugger.stops import Reading, reading_of
from wolverine.debugger.target import Process, Target, attach
from wolverine.debugger.terminal import Terminal
from wolverine.errors import DebuggerError

MOST_FRAMES = 64
_SI_KERNEL = 0x80  # x86-64: an address that is not canonical, of which the kernel does not tell more
_WORD = (1 << 64) - 1
# what ends a program or should, also where it has a handler that reports it
_FAULTS = frozenset(
    (
        signal.SIGSEGV,
        signal.SIGBUS,
        signal.SIGFPE,
        signal.SIGILL,
        signal.SIGABRT,
        signal.SIGSYS,
        signal.SIGTRAP,
    )
)
_HARMLESS = frozenset(
    (
        *(signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH, signal.SIGCONT),
        *(signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU),
    )
)  # those that end no program


@dataclass
class Requests:
    """gdb, and the process it holds while that is stopped.

    `generation` counts what may have changed the stack; `held_exit` tells that the process stands at its
    end, `replaced` that it is another program since an exec.
    """

    target: Target
    terminal: Terminal
    on_process: Callable[[Process], None]
    before_launch: Callable[[], None]
    on_notice: Callable[[str, Payload], None]
    process: Process | None = None
    held_exit: bool = False
    signalled: bool = False
    replaced: bool = False
    tracker_file: str = ""
    generation: int = 0
    _pid: int | None = None
    _running: bool = False
    _moved_to: int | None = None
    _last_reading: tuple[int, Reading] | None = None
    stack_pointer = 0
    gdb: Gdb = field(init=False)

    @property
    def pid(self) -> int | None:
        """The process id, None without a process."""
        return self._pid

    def require(self) -> Process:
        """The live process; raises DebuggerError when there is none."""
        if self.process is not None and self._pid is None:
            self._drop_process()
        if self.process is None or self.held_exit:
            raise DebuggerError("the program is not running")
        return self.process

    def command(
        self, text: str, budget: float | None = None, late: Callable[[], None] = lambda: None
    ) -> Answer:
        """An MI command that may change what is known of the process; see `Gdb.command`."""
        self.generation += 1
        self.gdb.stops.clear()
        self.gdb.running = False
        with self._busy():
            return self.gdb.command(text, budget, late)

    def evaluate(self, expression: str) -> str:
        """gdb's value of an expression."""
        escaped = expression.replace("\\", "\\\\").replace('"', '\\"')
        return str(self.gdb.command(f'-data-evaluate-expression "{escaped}"').payload.get("value", ""))

    def integer(self, expression: str) -> int:
        """The number at the start of gdb's value of an expression."""
        return int(self.evaluate(expression).split()[0], 0)

    def registers(self, vector: bool = False) -> dict[str, int]:
        """The general registers and the modes of rounding; the vector registers where asked for."""
        return _registers(self.gdb.command(f"-wolverine-registers{' vector' if vector else ''}"))

    def threads(self) -> tuple[int, ...]:
        """The kernel's numbers of the threads, that of the current one first."""
        try:
            found = sorted(map(int, os.listdir(f"/proc/{self._pid}/task")))  # noqa: PTH208
        except OSError:
            return ()
        if len(found) > 1:
            answer = self.gdb.command(console("python print(gdb.selected_thread().ptid[1])"))
            current = int(answer.text.split()[-1])
            found.sort(key=lambda number: number != current)
        return tuple(found)

    def unwound(self, level: int) -> dict[str, int]:
        """The registers as the frame `level` calls further out will find them."""
        return _registers(self.gdb.command(f"-wolverine-unwound {level}"))

    def set_registers(self, values: dict[str, int]) -> None:
        """Set registers; a signal that waits to be delivered is dropped."""
        if self.signalled:
            with contextlib.suppress(DebuggerError):
                self.gdb.command('-interpreter-exec console "queue-signal 0"')
            self.signalled = False
        words = " ".join(f"{name}={value:x}" for name, value in values.items())
        self.command(f"-wolverine-set-registers {words}")
        self._moved_to = values.get("rip", self._moved_to)

    def call(self, function: str, *arguments: int) -> int:
        """The result of one of the tracker's functions, called in the process with whole numbers."""
        process = self.require()
        if process.tracker is None:
            raise DebuggerError("the allocation tracker is not in the process")
        self.generation += 1
        types = ",".join(["long"] * len(arguments))
        listed = ",".join(f"(long){value & _WORD:#x}" for value in arguments)
        return self.integer(f"((long(*)({types})){function})({listed})")

    def scratch(self, data: bytes) -> int:
        """Put data where calls can find it: a page that belongs to no image; its address."""
        process = self.require()
        header = process.tracker.header() if process.tracker is not None else None
        if header is None or not header.code:
            raise DebuggerError("the allocation tracker is not in the process")
        address = header.code + header.code_size - PAGE
        process.memory.write(address, data[:PAGE])
        return address

    def stack(self) -> Reading:
        """The frames of the program's own code."""
        process = self.require()
        if self._last_reading is None or self._last_reading[0] != self.generation:
            payload = self.gdb.command(f"-wolverine-stack {MOST_FRAMES}").payload
            reading = reading_of(process.code, str(payload.get("stack", "")), int(payload.get("count", 0)))
            self.stack_pointer = int(payload.get("sp", 0))
            self._last_reading = (self.generation, reading)
        return self._last_reading[1]

    def selected(self) -> int | None:
        """The depth of the frame that `up`, `down` or `frame` chose; None where it is no own code."""
        cfa = int(str(self.gdb.command("-wolverine-selected").payload.get("cfa", "0")), 16)
        return next((frame.depth for frame in self.stack().frames if frame.cfa == cfa), None)

    def fault_text(self, payload: Payload) -> str:
        """What a signal was about, in words."""
        name = str(payload.get("signal-name", ""))
        meaning = str(payload.get("signal-meaning", ""))
        if name == "SIGABRT" and self.process is not None and self.process.tracker is not None:
            return self.process.tracker.fault() or meaning
        if name in ("SIGSEGV", "SIGBUS"):
            with contextlib.suppress(DebuggerError, ValueError, IndexError):
                if self.integer("(int)$_siginfo.si_code") == _SI_KERNEL:
                    return f"{meaning} at an address that no process has"
                address = self.integer("(long)$_siginfo._sifields._sigfault.si_addr") & _WORD
                if abs(address - (self.integer("(long)$rsp") & _WORD)) < 1 << 16:
                    return STACK_FULL
                return f"{meaning} at address {address:#x}"
        return meaning

    def survives(self, name: str) -> bool:
        """Whether the program goes on behind a signal: it handles or ignores it, and it is no fault."""
        number = getattr(signal, name, None)
        if not isinstance(number, signal.Signals) or number in _FAULTS:
            return False
        if number in _HARMLESS:
            return True
        with contextlib.suppress(OSError, ValueError):
            for line in Path(f"/proc/{self._pid}/status").read_text().splitlines():
                key, _, mask = line.partition(":")
                if key in ("SigCgt", "SigIgn") and int(mask, 16) >> (number - 1) & 1:
                    return True
        return False

    @contextlib.contextmanager
    def _busy(self) -> Iterator[None]:
        """While something runs that `interrupt` ends."""
        before, self._running = self._running, True
        try:
            yield
        finally:
            self._running = before

    def _attach(self) -> None:
        assert self._pid is not None
        if self.process is not None:
            self.process.memory.close()
        header = None
        with contextlib.suppress(DebuggerError, ValueError):
            header = self.integer("(long)&__wolverine_header")
        self.process = attach(self.target, self._pid, header)
        self.on_process(self.process)

    def _notice(self, message: str, payload: Payload) -> None:
        if message == "thread-group-started":
            with contextlib.suppress(KeyError, TypeError, ValueError):
                self._pid = int(payload["pid"])
        elif message == "thread-group-exited":
            self._pid = None
        elif message == "library-unloaded" and self.process is not None and self._pid == self.process.pid:
            # Only an exec takes the tracker away.
            if str(payload.get("id")) == self.tracker_file:
                self.replaced = True
                self.gdb.wake()
        else:
            self.on_notice(message, payload)

    def _drop_process(self) -> None:
        if self.process is not None:
            self.process.memory.close()
        self.process = None
        self.held_exit = False
        self.signalled = False
        self.replaced = False
        self.generation += 1
        if self.gdb.lost:
            self._pid = None


def console(command: str) -> str:
    """A line of gdb's command language as an MI command."""
    return f"-interpreter-exec console {quoted(command)}"


def quoted(text: str) -> str:
    """A text as one argument of an MI command."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _registers(answer: Answer) -> dict[str, int]:
    parts = str(answer.payload.get("registers", "")).split()
    return {name: int(value, 16) for name, _, value in (part.partition("=") for part in parts)}
