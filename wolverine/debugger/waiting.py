"""Waiting for the process: until it stops, is interrupted, has used up its time or memory, or is gone."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from wolverine.debugger.mi import Payload, Waited
from wolverine.debugger.requests import Requests
from wolverine.debugger.stops import Cause
from wolverine.errors import WolverineError

_PATIENCE = 1.0  # seconds until a process that ignores SIGINT gets SIGSTOP
_LOOKED_AFTER = 0.2  # seconds after which it is looked whether the process is still there, and how it grows
_MOST_BLOCKS = 1_000_000  # allocations more in one go: a loop without end; all of them would have to be read


@dataclass
class Waiting(Requests):
    """The process while it runs."""

    _cause: Cause | None = None
    _woken: bool = False
    _stale_interrupt: bool = False
    _times: dict[str, int] = field(default_factory=dict)
    _hit: str = ""
    _scripted: bool = False
    _most_blocks: int = 0

    def _resume(self, command: str, budget: float | None, *, patient: bool = False) -> Payload | None:
        """Resume and wait; of a `patient` wait the budget begins when the program has its input."""
        with self._busy():
            self.gdb.clear_wake()
            self._woken = False
            self._cause = None
            self._hit, self._scripted = "", False
            self._most_blocks = self._blocks() + _MOST_BLOCKS
            with self._limited():
                return self._resumed(command, budget, patient)

    @contextlib.contextmanager
    def _limited(self) -> Iterator[None]:
        """The process interrupts itself where it grows beyond what it may (looking on may come too late)."""
        tracker = self.process.tracker if self.process is not None and self._pid is not None else None
        if tracker is None or self._pid is None:
            yield
            return
        with contextlib.suppress(WolverineError):
            tracker.limit(self._most_blocks, self._pid)
        try:
            yield
        finally:
            if self._pid is not None:
                with contextlib.suppress(WolverineError):
                    tracker.limit(0, 0)

    def _resumed(self, command: str, budget: float | None, patient: bool) -> Payload | None:
        while True:
            self.gdb.stops.clear()
            self.gdb.running = False
            self.gdb.listen()
            self.gdb.on_wake = self._remember_wake
            try:
                answer = self.gdb.command(command)
            finally:
                self.gdb.on_wake = self._woken_in_command
            if answer.kind == "done" and not self.gdb.running and not self.gdb.stops:
                return {}
            payload = self._through_commands(self._await(budget, patient), budget, patient)
            if not self._stale_interrupt:
                return payload
            self._stale_interrupt = False
            if payload is None or payload.get("signal-name") != "SIGINT" or self._cause is not None:
                return payload

    def _await(self, budget: float | None, patient: bool = False) -> Payload | None:
        """The next stop; interrupts the process at a `wake`, after the budget, or when it grows endlessly."""
        deadline = time.monotonic() + budget if budget is not None else None
        anew = budget if patient else None
        sent = 0
        with self._busy():
            while True:
                happened = "woken" if self._woken else self._wait(deadline, anew)
                self._woken = False
                if happened == "lost":
                    return None
                if happened == "stopped":
                    payload = self.gdb.stops.popleft()
                    if payload.get("signal-name") == "SIGINT" and self._blocks() > self._most_blocks:
                        self._cause = self._cause or "memory"
                    if sent == 1 and payload.get("signal-name") != "SIGINT":
                        self._cause = None
                        self._stale_interrupt = self._pending_interrupt()
                    return payload
                self._cause = self._cause or ("budget" if happened == "deadline" else "interrupt")
                self._send(signal.SIGINT if sent == 0 else signal.SIGSTOP)
                sent += 1
                deadline, anew = time.monotonic() + _PATIENCE, None

    def _wait(self, deadline: float | None, anew: float | None = None) -> Waited:
        """As `Gdb.wait`; a gdb that does not see that the process has died is ended ("lost").

        While the process waits for input, the deadline is `anew` seconds ahead.
        """
        dead = 0
        while True:
            soon = time.monotonic() + _LOOKED_AFTER
            happened = self.gdb.wait(soon if deadline is None else min(soon, deadline))
            if happened == "deadline" and anew is not None and self._reads():
                deadline = time.monotonic() + anew
            if happened != "deadline" or (deadline is not None and time.monotonic() >= deadline and not dead):
                return happened
            if self._cause is None and self._blocks() > self._most_blocks:
                self._cause = "memory"
                return "deadline"
            dead = dead + 1 if self._is_dead() else 0
            if dead > 1:
                self.gdb.abandon()

    def _blocks(self) -> int:
        """How many blocks of memory the process has, in use or not; 0 where nothing tells."""
        tracker = self.process.tracker if self.process is not None and self._pid is not None else None
        try:
            header = tracker.header() if tracker is not None else None
        except WolverineError:
            return 0
        return header.table_used if header is not None else 0

    def _is_dead(self) -> bool:
        """Whether nothing is left of the process but its entry in the table."""
        return self._pid is not None and self._state() in ("Z", "X", "")

    def _reads(self) -> bool:
        """Whether the process waits for its standard input (system call 0 on descriptor 0)."""
        try:
            call, descriptor, *_ = Path(f"/proc/{self._pid}/syscall").read_text().split()
        except (OSError, ValueError):
            return False
        return call == "0" and int(descriptor, 16) == 0

    def _state(self) -> str:
        """The kernel's letter for the state of the process, "" where there is none."""
        try:
            return Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (OSError, IndexError):
            return ""

    def _through_commands(
        self, payload: Payload | None, budget: float | None, patient: bool
    ) -> Payload | None:
        """The last stop of those that the commands of a breakpoint lead to; what they print is kept."""
        while payload is not None and self._hit and self._pid is not None and self._cause is None:
            hit, self._hit = self._hit, ""
            # gdb answers when it is through with the commands.
            self._scripted = True
            self.gdb.command("-thread-info")
            if not self.gdb.stops and not self.gdb.running:
                self._hit = hit
                break
            payload = self._await(budget, patient)
        return payload

    def _notice(self, message: str, payload: Payload) -> None:
        super()._notice(message, payload)
        breakpoint = payload.get("bkpt")
        if message == "breakpoint-modified" and isinstance(breakpoint, dict) and "script" in breakpoint:
            number, times = str(breakpoint.get("number")), str(breakpoint.get("times"))
            if times.isdigit() and int(times) > self._times.get(number, 0):
                self._hit = number
            self._times[number] = int(times) if times.isdigit() else 0

    def _send(self, number: signal.Signals) -> None:
        if self._pid is not None:
            with contextlib.suppress(OSError):
                os.kill(self._pid, number)

    def _woken_in_command(self) -> None:
        """An interrupt while gdb evaluates (a call of a function that does not end, say)."""
        self._cause = self._cause or "interrupt"
        self._send(signal.SIGINT)

    def _late_in_command(self) -> None:
        """The budget of a command is used up: a function that gdb calls is stopped."""
        if self._state() not in ("t", "T"):
            self._cause = "budget"
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
