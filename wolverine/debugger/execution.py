"""The debugged process under gdb: launched, run, stopped, asked for its stack.

Everything here is about one process at a time; what a stop means for the user is in `stops`.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wolverine.core.process import ProcessFrame, Stop
from wolverine.debugger.code_index import CodeIndex, Module
from wolverine.debugger.debug_info import DebugInfo
from wolverine.debugger.memory import PAGE, Memory
from wolverine.debugger.mi import Answer, Gdb, Payload
from wolverine.debugger.resources import script, tracker_library
from wolverine.debugger.stops import Reading, reason_of, words
from wolverine.debugger.terminal import Terminal
from wolverine.debugger.tracker import Tracker
from wolverine.errors import DebuggerError, DebuggerLostError, ToolMissingError

MOST_FRAMES = 64
_LAUNCH = (
    "-nx", "-q", "--interpreter=mi3",
    "-iex", "set auto-load off",
    "-iex", "set debuginfod enabled off",
    "-iex", "set debug-file-directory /nonexistent",
)  # fmt: skip
_SETTINGS = (
    "confirm off",
    "pagination off",
    "mi-async on",
    "unwindonsignal on",
    "disable-randomization on",
    # The host writes the process' memory too: gdb must not keep copies.
    "stack-cache off",
    "code-cache off",
)
# Library code then leaves the registers alone that images do not hold.
_TUNABLES = "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX2_Usable,-EVEX"
_WORD = (1 << 64) - 1
_PATIENCE = 1.0  # seconds until a process that ignores SIGINT gets SIGSTOP

Cause = Literal["interrupt", "budget"]


@dataclass
class Target:
    """What is debugged, and how it is started."""

    executable: Path
    arguments: Sequence[str]
    stdin: Path | None
    info: DebugInfo
    gdb: str
    log: Callable[[str], None] | None


@dataclass
class Process:
    """A live process: its memory, tracker and code."""

    pid: int
    memory: Memory
    tracker: Tracker | None
    tracker_address: int
    code: CodeIndex
    bias: int


@dataclass
class Execution:
    """gdb and the process it holds."""

    target: Target
    terminal: Terminal
    on_process: Callable[[Process], None]
    before_launch: Callable[[], None]
    on_notice: Callable[[str, Payload], None]
    process: Process | None = None
    held_exit: bool = False
    signalled: bool = False
    generation: int = 0
    _pid: int | None = None
    _cause: Cause | None = None
    _running: bool = False
    _woken: bool = False
    _stale_interrupt: bool = False
    _exit_break: str = ""
    _ready_break: str = ""
    _moved_to: int | None = None
    _stopped_at: int = 0
    _last_reading: tuple[int, Reading] | None = None

    def open(self) -> None:
        """Start gdb.  Raises ToolMissingError, DebuggerError."""
        command = [self.target.gdb, *_LAUNCH, "--args", str(self.target.executable), *self.target.arguments]
        self.gdb = Gdb(command, self.terminal, log=self.target.log, on_notice=self._notice)
        self.gdb.on_wake = self._woken_in_command
        for setting in _SETTINGS:
            self.gdb.send(f"-gdb-set {setting}")
        self.gdb.send(f"-inferior-tty-set {self.terminal.path}")
        for setting in self._environment():
            self.gdb.command(console(setting))
        for name in ("LINES", "COLUMNS"):
            self.gdb.send(f'-interpreter-exec console "unset environment {name}"')
        for name in ("stack.py", "breakpoints.py"):
            try:
                self.gdb.command(console(f"source {script(name)}"))
            except DebuggerLostError:
                raise
            except DebuggerError as error:
                raise ToolMissingError(f"gdb 12 or newer, with Python inside, is needed: {error}") from error
        self._ready_break = self._break("ready", "-qualified __wolverine_ready")
        self._exit_break = self._break("exit", "-qualified _exit")

    def _environment(self) -> list[str]:
        """What only the program gets, not the shell that starts it (which splits its arguments)."""
        preloaded = [str(tracker_library()), *filter(None, [os.environ.get("LD_PRELOAD")])]
        variables = [
            f"LD_PRELOAD={':'.join(preloaded)}",
            "LD_BIND_NOW=1",
            f"GLIBC_TUNABLES={_TUNABLES}",
        ]
        if self.target.stdin is not None:
            variables.append(f"WOLVERINE_STDIN={self.target.stdin.resolve()}")
        settings = [f"set exec-wrapper env {' '.join(map(shlex.quote, variables))}"]
        shell = os.environ.get("SHELL")
        settings.append(f"set environment SHELL {shell}" if shell else "unset environment SHELL")
        return settings

    def close(self) -> None:
        """End gdb and the process."""
        self._drop_process()
        self.gdb.close()

    @property
    def pid(self) -> int | None:
        """The process id, None without a process."""
        return self._pid

    # -- running -----------------------------------------------------------------------------------

    def launch(self, to_main: bool, loaded: Callable[[], None] = lambda: None) -> Stop:
        """A new process (the old one is killed), run to main or to the first stop.

        `loaded` is called when the process is there and nothing of the program has run.
        """
        if self._pid is not None:
            with contextlib.suppress(DebuggerError):
                self.gdb.command('-interpreter-exec console "kill"')
        self._drop_process()
        self.terminal.reset()
        self.terminal.forget_input()
        self.before_launch()
        if to_main:
            self._break("main", "-qualified main", temporary=True)
        payload = self._resume("-exec-run", None)
        if payload is not None and self._pid is not None and "exited" not in str(payload.get("reason")):
            self._attach()
            if payload.get("bkptno") == self._ready_break:
                loaded()
                while payload is not None and payload.get("bkptno") == self._ready_break:
                    payload = self._resume("-exec-continue", None)
        stop = self.stop_from(payload)
        if to_main:
            self.gdb.command("-wolverine-unbreak main")
            if stop.reason == "breakpoint" and stop.frames and stop.frames[0].function == "main":
                return Stop("location", stop.frames)
        return stop

    def resume(self, command: str, budget: float | None = None) -> Stop:
        """Any execution command in gdb's words.  Raises DebuggerError when gdb refuses it."""
        self.require()
        self.settle_pc()
        payload = self._resume(console(command), budget)
        return self.stop_from(payload)

    def settle_pc(self) -> None:
        """A breakpoint at a pc that was set is not met before the process comes there anew.

        gdb passes a breakpoint only where it last saw the process stop, so let it stop here.
        """
        moved, self._moved_to = self._moved_to, None
        if moved is None or moved == self._stopped_at:
            return
        if str(self.gdb.command("-wolverine-here").payload.get("here")) == "0":
            return
        self.command("-wolverine-mute")
        self._break("here", f"*{moved:#x}", temporary=True)
        payload = self._resume("-exec-continue", None)
        if payload is not None:
            self._stopped_at = _address(payload)
            self.gdb.command("-wolverine-unbreak here")
            self.gdb.command("-wolverine-unmute")
        self.gdb.printed()

    def interrupt(self) -> None:
        """End what is running; does nothing when nothing is."""
        if self._running:
            self.gdb.wake()

    def settle(self, answer: Answer) -> Stop | None:
        """After a command that may have resumed the process: the stop, or None when it did not run."""
        if answer.kind != "running" and not self.gdb.stops and not self._is_running():
            return None
        payload = self._await(None)
        # A user's command may go on after the first stop; gdb answers when it is through.
        if payload is not None:
            self.gdb.command("-thread-info")
        while self.gdb.stops:
            payload = self.gdb.stops.popleft()
        if payload is not None and payload.get("bkptno") == self._ready_break:
            self._attach()
            payload = self._resume("-exec-continue", None)
        return self.stop_from(payload)

    def look_again(self) -> None:
        """After a command that may have switched to another process (gdb's `restart`)."""
        answer = self.gdb.command(console("python print(gdb.selected_inferior().pid)"))
        pid = int(answer.text.split()[-1])
        if self.process is not None and pid and pid != self.process.pid:
            self._pid = pid
            self._attach()

    def _is_running(self) -> bool:
        """Whether gdb has left the process running; calls made by gdb leave their traces, too."""
        if not self.gdb.running or self._pid is None:
            return False
        threads = self.gdb.command("-thread-info").payload.get("threads", [])
        self.gdb.running = any(each.get("state") == "running" for each in threads)
        return self.gdb.running

    def run_to(self, address: int, hits: int = 1, budget: float | None = None) -> Stop:
        """Run until `address` is reached for the `hits`-th time, passing the user's breakpoints."""
        return self._run_to(f"*{address:#x}", lambda frame: frame.pc == address, hits, budget)

    def run_to_function(self, name: str) -> Stop:
        """Run to the first line of a function, passing the user's breakpoints."""
        return self._run_to(f"-qualified {name}", lambda frame: frame.function == name, 1, None)

    def _run_to(
        self, spec: str, reached: Callable[[ProcessFrame], bool], hits: int, budget: float | None
    ) -> Stop:
        self.require()
        self.command("-wolverine-mute")
        try:
            self._break("location", spec, temporary=True, ignore=hits - 1)
            stop = self.resume("continue", budget)
        finally:
            if not self.gdb.lost:
                self.gdb.command("-wolverine-unbreak location")
                self.gdb.command("-wolverine-unmute")
        if stop.reason == "breakpoint" and stop.frames and reached(stop.frames[0]):
            return Stop("location", stop.frames)
        return stop

    # -- asking ------------------------------------------------------------------------------------

    def require(self) -> Process:
        """The live process; raises DebuggerError when there is none."""
        if self.process is not None and self._pid is None:
            self._drop_process()
        if self.process is None or self.held_exit:
            raise DebuggerError("the program is not running")
        return self.process

    def command(self, text: str) -> Answer:
        """An MI command that may change what is known of the process."""
        self.generation += 1
        self.gdb.stops.clear()
        self.gdb.running = False
        with self._busy():
            return self.gdb.command(text)

    def evaluate(self, expression: str) -> str:
        """gdb's value of an expression."""
        escaped = expression.replace("\\", "\\\\").replace('"', '\\"')
        return str(self.gdb.command(f'-data-evaluate-expression "{escaped}"').payload.get("value", ""))

    def integer(self, expression: str) -> int:
        """The number at the start of gdb's value of an expression."""
        return int(self.evaluate(expression).split()[0], 0)

    def registers(self, names: Sequence[str] = ()) -> dict[str, int]:
        """The general registers, and the vector registers that are named."""
        return _registers(self.gdb.command(" ".join(["-wolverine-registers", *names])))

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
            reading = self._reading(process, str(payload.get("stack", "")), int(payload.get("count", 0)))
            self._last_reading = (self.generation, reading)
        return self._last_reading[1]

    def stop_from(self, payload: Payload | None) -> Stop:
        """What a stop record means, with all output of the program delivered before."""
        self.generation += 1
        self.terminal.synchronise()
        cause, self._cause = self._cause, None
        self._moved_to = None
        if payload and "frame" in payload:
            self._stopped_at = _address(payload)
        printed = self.gdb.printed()
        if payload is None:
            self._drop_process()
            return Stop("lost", text="gdb has ended")
        reason = reason_of(payload, cause)
        if reason in ("exited", "killed") or self._pid is None:
            self._drop_process()
            code = int(str(payload.get("exit-code", "0")), 8) if reason == "exited" else None
            return Stop(reason, signal=str(payload.get("signal-name", "")), code=code)
        if self.process is None or self.process.pid != self._pid:
            self._attach()
        if payload.get("bkptno") == self._exit_break:
            self.held_exit = True
            return Stop("exited", code=self.integer("$edi") & 0xFF)
        self.signalled = reason == "signal" or "signal-name" in payload
        reading = self.stack()
        number = payload.get("bkptno")
        return Stop(
            reason,
            reading.frames,
            signal=str(payload.get("signal-name", "")) if reason == "signal" else "",
            breakpoint=int(number) if number is not None and int(number) > 0 else None,
            foreign=reading.foreign,
            text=self._fault_text(payload) if reason == "signal" else words(payload, printed),
        )

    # -- inside ------------------------------------------------------------------------------------

    def _break(self, key: str, spec: str, temporary: bool = False, ignore: int = 0) -> str:
        answer = self.gdb.command(f'-wolverine-break {key} "{spec}" {int(temporary)} {ignore}')
        return str(answer.payload.get("number"))

    @contextlib.contextmanager
    def _busy(self) -> Iterator[None]:
        """While something runs that `interrupt` ends."""
        before, self._running = self._running, True
        try:
            yield
        finally:
            self._running = before

    def _resume(self, command: str, budget: float | None) -> Payload | None:
        with self._busy():
            self.gdb.clear_wake()
            self._woken = False
            self._cause = None
            while True:
                self.gdb.stops.clear()
                self.gdb.running = False
                self.gdb.on_wake = self._remember_wake
                try:
                    answer = self.gdb.command(command)
                finally:
                    self.gdb.on_wake = self._woken_in_command
                if answer.kind == "done" and not self.gdb.running and not self.gdb.stops:
                    return {}
                payload = self._await(budget)
                if not self._stale_interrupt:
                    return payload
                self._stale_interrupt = False
                if payload is None or payload.get("signal-name") != "SIGINT" or self._cause is not None:
                    return payload

    def _await(self, budget: float | None) -> Payload | None:
        """The next stop, interrupting the process at a `wake` or when the budget is used up."""
        deadline = time.monotonic() + budget if budget is not None else None
        sent = 0
        with self._busy():
            while True:
                happened = "woken" if self._woken else self.gdb.wait(deadline)
                self._woken = False
                if happened == "lost":
                    return None
                if happened == "stopped":
                    payload = self.gdb.stops.popleft()
                    if sent == 1 and payload.get("signal-name") != "SIGINT":
                        self._cause = None
                        self._stale_interrupt = self._pending_interrupt()
                    return payload
                self._cause = self._cause or ("budget" if happened == "deadline" else "interrupt")
                self._send(signal.SIGINT if sent == 0 else signal.SIGSTOP)
                sent += 1
                deadline = time.monotonic() + _PATIENCE

    def _send(self, number: signal.Signals) -> None:
        if self._pid is not None:
            with contextlib.suppress(OSError):
                os.kill(self._pid, number)

    def _woken_in_command(self) -> None:
        """An interrupt while gdb evaluates (a call of a function that does not end, say)."""
        self._send(signal.SIGINT)

    def _remember_wake(self) -> None:
        """An interrupt before the process has begun to run: it counts as soon as it runs."""
        self._woken = True

    def _pending_interrupt(self) -> bool:
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{self._pid}/status").read_text().splitlines():
                if line.startswith(("SigPnd", "ShdPnd")) and int(line.split()[1], 16) & 2:
                    return True
        return False

    def _reading(self, process: Process, stack: str, left_out: int) -> Reading:
        raw = [part.split(":") for part in stack.split()]
        found: list[tuple[int, ProcessFrame]] = []
        for level, (pc, cfa, _) in enumerate(raw):
            frame = process.code.frame(0, int(pc, 16), int(cfa, 16), level == 0)
            if frame is not None:
                found.append((level, frame))
        depth = len(found) - 1 + left_out
        frames = []
        for index, (_, frame) in enumerate(found):
            outermost = left_out > 0 and index == len(found) - 1
            number = 0 if outermost else depth - index
            frames.append(ProcessFrame(number, frame.function, frame.file, frame.line, frame.pc, frame.cfa))
        return Reading(
            tuple(frames), found[0][0] if found else 0, bool(raw) and (not found or found[0][0] > 0)
        )

    def _fault_text(self, payload: Payload) -> str:
        name = str(payload.get("signal-name", ""))
        meaning = str(payload.get("signal-meaning", ""))
        if name == "SIGABRT" and self.process is not None and self.process.tracker is not None:
            return self.process.tracker.fault() or meaning
        if name in ("SIGSEGV", "SIGBUS"):
            with contextlib.suppress(DebuggerError, ValueError, IndexError):
                address = self.integer("(long)$_siginfo._sifields._sigfault.si_addr") & _WORD
                if abs(address - (self.integer("(long)$rsp") & _WORD)) < 1 << 16:
                    return "the stack is full (recursion without end?)"
                return f"{meaning} at address {address:#x}"
        return meaning

    def _attach(self) -> None:
        assert self._pid is not None
        if self.process is not None:
            self.process.memory.close()
        memory = Memory(self._pid)
        bias = self._bias(memory)
        code = CodeIndex()
        code.add(Module(self.target.info, bias))
        tracker, address = None, 0
        with contextlib.suppress(DebuggerError, ValueError):
            address = self.integer("(long)&__wolverine_header")
            tracker = Tracker(memory, address)
        self.process = Process(self._pid, memory, tracker, address, code, bias)
        self.on_process(self.process)

    def _bias(self, memory: Memory) -> int:
        if not self.target.info.relocatable:
            return 0
        data = Path(f"/proc/{memory.pid}/auxv").read_bytes()
        for at in range(0, len(data) - 15, 16):
            if int.from_bytes(data[at : at + 8], "little") == 3:  # AT_PHDR
                return int.from_bytes(data[at + 8 : at + 16], "little") - self.target.info.entry_header
        return 0

    def _notice(self, message: str, payload: Payload) -> None:
        if message == "thread-group-started":
            self._pid = int(payload["pid"])
        elif message == "thread-group-exited":
            self._pid = None
        else:
            self.on_notice(message, payload)

    def _drop_process(self) -> None:
        if self.process is not None:
            self.process.memory.close()
        self.process = None
        self.held_exit = False
        self.signalled = False
        self.generation += 1
        if getattr(self, "gdb", None) is not None and self.gdb.lost:
            self._pid = None


def console(command: str) -> str:
    """A line of gdb's command language as an MI command."""
    escaped = command.replace("\\", "\\\\").replace('"', '\\"')
    return f'-interpreter-exec console "{escaped}"'


def _address(payload: Payload) -> int:
    """The pc of a stop record, 0 when it has none."""
    frame = payload.get("frame")
    return int(str(frame.get("addr", "0")), 0) if isinstance(frame, dict) else 0


def _registers(answer: Answer) -> dict[str, int]:
    parts = str(answer.payload.get("registers", "")).split()
    return {name: int(value, 16) for name, _, value in (part.partition("=") for part in parts)}
