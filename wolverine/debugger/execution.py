"""Running the debugged process: launched, resumed, interrupted, stopped.

Everything here is about one process at a time; what a stop means for the user is in `stops`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from wolverine.core.process import ProcessFrame, Stop
from wolverine.debugger.mi import Answer, Gdb, Payload
from wolverine.debugger.requests import console, quoted
from wolverine.debugger.resources import script, tracker_library
from wolverine.debugger.stops import reason_of, words
from wolverine.debugger.target import SETTINGS, environment_settings, gdb_command, gdb_environment
from wolverine.debugger.waiting import Waiting
from wolverine.errors import DebuggerError, DebuggerLostError, ReplacedError, ToolMissingError


@dataclass
class Execution(Waiting):
    """gdb and the process it holds."""

    _exit_break: str = ""
    _ready_break: str = ""
    _stopped_at: int = 0

    def open(self) -> None:
        """Start gdb.  Raises ToolMissingError, DebuggerError."""
        self.gdb = Gdb(
            gdb_command(self.target),
            self.terminal,
            environment=gdb_environment(),
            log=self.target.log,
            on_notice=self._notice,
        )
        self.gdb.on_wake = self._woken_in_command
        for setting in SETTINGS:
            self.gdb.send(f"-gdb-set {setting}")
        self.gdb.send(f"-inferior-tty-set {self.terminal.path}")
        self.tracker_file = str(tracker_library())
        for setting in environment_settings(self.target):
            self.gdb.command(console(setting))
        for name in ("stack.py", "breakpoints.py"):
            try:
                self.gdb.command(console(f"source {script(name)}"))
            except DebuggerLostError:
                raise
            except DebuggerError as error:
                raise ToolMissingError(f"gdb 12 or newer, with Python inside, is needed: {error}") from error
        self._ready_break = self._break("ready", "-qualified __wolverine_ready")
        self._exit_break = self._break("exit", "-qualified _exit")

    def close(self) -> None:
        """End gdb and the process."""
        self._drop_process()
        self.gdb.close()

    # -- running -----------------------------------------------------------------------------------

    def launch(
        self, to_main: bool, loaded: Callable[[], None] = lambda: None, budget: float | None = None
    ) -> Stop:
        """A new process (the old one is killed), run to main or to the first stop.

        `loaded` is called when the process is there and nothing of the program has run; from then on it may
        run for `budget` seconds (reason "budget"), not counting those in which it waits for input.
        """
        self._kill()
        self._own_program()
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
                    payload = self._resume("-exec-continue", budget, patient=True)
        stop = self.stop_from(payload)
        if to_main:
            self.gdb.command("-wolverine-unbreak main")
            if stop.reason == "breakpoint" and stop.frames and stop.frames[0].function == "main":
                return Stop("location", stop.frames)
        return stop

    def _own_program(self) -> None:
        """After an exec gdb would start the other program."""
        answer = self.gdb.command(console("python print(gdb.current_progspace().filename)"))
        if answer.text.strip() != str(self.target.executable.resolve()):
            self.gdb.command(f'-file-exec-and-symbols "{self.target.executable}"')

    def resume(self, command: str, budget: float | None = None, *, patient: bool = False) -> Stop:
        """Any execution command in gdb's words; of a `patient` one waiting for input takes no time.

        Raises DebuggerError when gdb refuses it.
        """
        self.require()
        self.settle_pc()
        payload = self._resume(console(self._passing(command)), budget, patient=patient)
        return self.stop_from(payload)

    def _passing(self, command: str) -> str:
        """`continue N` with the count given to the breakpoint at which the process stands.

        gdb gives it to the one that it stopped at last, which need not be one that the user sees.
        """
        word, _, count = command.partition(" ")
        if word != "continue" or not count:
            return command
        answer = self.gdb.command(f"-wolverine-pass {quoted(f'({count}) - 1')}")
        return word if str(answer.payload.get("here")) == "1" else command

    def at_breakpoint(self) -> bool:
        """Whether the process stands at one of the user's breakpoints that are enabled."""
        return str(self.gdb.command("-wolverine-here").payload.get("here")) != "0"

    def settle_pc(self, address: int = 0) -> None:
        """A breakpoint at a pc that was set is not met before the process comes there anew.

        gdb passes a breakpoint only where it last saw the process stop, so let it stop here where there is
        one, or is going to be one: at the `address`.
        """
        moved = self._moved_to
        if moved is None or moved == self._stopped_at:
            return
        here = self.gdb.command("-wolverine-here").payload
        if str(here.get("pc")) != f"{moved:#x}" or (moved != address and str(here.get("here")) == "0"):
            return  # gdb has moved it elsewhere; or there is no breakpoint yet, but one may come
        self._moved_to = None
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

    def settle(self, answer: Answer, budget: float | None) -> Stop | None:
        """After a command that may have resumed the process: the stop, or None when it did not run."""
        if answer.kind != "running" and not self.gdb.stops and not self._is_running():
            return None
        payload = self._await(budget)
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
        self.require()
        self.settle_pc(address)
        return self._run_to(f"*{address:#x}", lambda frame: frame.pc == address, hits, budget)

    @contextmanager
    def stopping_at(self, addresses: Collection[int]) -> Iterator[None]:
        """Within, the process stops at each of these addresses and passes the user's breakpoints."""
        keys = [f"address{number}" for number, _ in enumerate(addresses)]
        with self._unseen(keys):
            for key, address in zip(keys, sorted(addresses), strict=True):
                self._break(key, f"*{address:#x}")
            yield

    @contextmanager
    def _unseen(self, keys: Sequence[str]) -> Iterator[None]:
        """Within, the user's breakpoints are passed; those of these keys, set within, go at its end."""
        self.require()
        self.command("-wolverine-mute")
        try:
            yield
        finally:
            if not self.gdb.lost:
                for key in keys:
                    self.gdb.command(f"-wolverine-unbreak {key}")
                self.gdb.command("-wolverine-unmute")

    def leave_library(self, budget: float | None) -> Stop:
        """Run to where the code on top of the program's own returns to; waiting for input takes no time."""
        target = self.stack().frames[0]

        def reached(frame: ProcessFrame) -> bool:
            return (frame.pc, frame.cfa) == (target.pc, target.cfa)

        return self._run_to(f"*{target.pc:#x}", reached, 1, budget, patient=True)

    def run_to_function(self, name: str) -> Stop:
        """Run to the first line of a function, passing the user's breakpoints."""
        return self._run_to(f"-qualified {name}", lambda frame: frame.function == name, 1, None)

    def _run_to(
        self,
        spec: str,
        reached: Callable[[ProcessFrame], bool],
        hits: int,
        budget: float | None,
        *,
        patient: bool = False,
    ) -> Stop:
        with self._unseen(("location",)):
            self._break("location", spec, temporary=True, ignore=hits - 1)
            stop = self.resume("continue", budget, patient=patient)
        if stop.reason == "breakpoint" and stop.frames and reached(stop.frames[0]):
            return Stop("location", stop.frames)
        return stop

    def stop_from(self, payload: Payload | None) -> Stop:
        """What a stop record means, with all output of the program delivered before."""
        self.generation += 1
        self.terminal.synchronise()
        cause, self._cause = self._cause, None
        if payload is not None and self._hit and "reason" not in payload:
            # gdb's `silent` leaves the reason out.
            payload = {"reason": "breakpoint-hit", "bkptno": self._hit, **payload}
        self._moved_to = None
        if payload and "frame" in payload:
            self._stopped_at = _address(payload)
        self.gdb.printed()
        said = "".join(self.gdb.spoken) if self._scripted else ""
        if payload is None:
            self._drop_process()
            return Stop("lost", text="gdb has ended")
        if self.replaced:
            raise self._discard()
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
        name = str(payload.get("signal-name", "")) if reason == "signal" else ""
        return Stop(
            reason,
            reading.frames,
            signal=name,
            survived=self.survives(name),
            breakpoint=int(number) if number is not None and int(number) > 0 else None,
            foreign=reading.foreign,
            text=self.fault_text(payload) if reason == "signal" else words(payload, said),
            temporary=payload.get("disp") == "del",
        )

    def user_command(self, text: str, budget: float | None) -> Answer:
        """A command of the user's; a function that it calls is stopped after `budget` seconds."""
        self._cause = None
        try:
            return self.command(console(text), budget, self._late_in_command)
        except DebuggerLostError:
            raise
        except DebuggerError as error:
            raise self._failed_call(error) from error

    def _failed_call(self, error: DebuggerError) -> DebuggerError:
        """What ended a function that gdb called, in our words; other errors as they are."""
        if self.replaced:
            return self._discard()
        cause, self._cause = self._cause, None
        if not self.gdb.stops:
            return error
        payload = self.gdb.stops.pop()
        frame = payload.get("frame")
        function = str(frame.get("func", "")) if isinstance(frame, dict) else ""
        where = f" in {function}" if function else ""
        where += f" at line {frame['line']}" if isinstance(frame, dict) and "line" in frame else ""
        match "exited" if payload.get("bkptno") == self._exit_break else reason_of(payload, cause):
            case "exited":
                return DebuggerError("the function that was called ends the program")
            case "budget":
                return DebuggerError(f"the call did not end within the step budget; it was{where}")
            case "interrupt":
                return DebuggerError(f"the call was interrupted{where}")
            case "signal" | "killed":
                return DebuggerError(f"the call got {payload.get('signal-name')}{where}")
            case _:
                return DebuggerError(f"the call met a breakpoint{where}")

    # -- inside ------------------------------------------------------------------------------------

    def _kill(self) -> None:
        if self._pid is not None:
            with contextlib.suppress(DebuggerError):
                self.gdb.command('-interpreter-exec console "kill"')
        self._drop_process()

    def _discard(self) -> ReplacedError:
        """End a process that has become another program."""
        with contextlib.suppress(OSError):
            became = str(Path(f"/proc/{self._pid}/exe").readlink())
            self._kill()
            return ReplacedError(f"the program has become {became} (exec), which is not debugged")
        self._kill()
        return ReplacedError("the program has become another one (exec), which is not debugged")

    def _break(self, key: str, spec: str, temporary: bool = False, ignore: int = 0) -> str:
        answer = self.gdb.command(f'-wolverine-break {key} "{spec}" {int(temporary)} {ignore}')
        return str(answer.payload.get("number"))


def _address(payload: Payload) -> int:
    """The pc of a stop record, 0 when it has none."""
    frame = payload.get("frame")
    return int(str(frame.get("addr", "0")), 0) if isinstance(frame, dict) else 0
