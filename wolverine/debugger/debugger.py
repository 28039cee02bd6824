"""The one door to the debugged process: everything that a session asks of it is a method here."""

from __future__ import annotations

import contextlib
import re
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from wolverine.core.graph import NodeId, NodeState, Place, Site, Value
from wolverine.core.process import Allocated, Edge, NeverFreed, Row, Snapshot, Stop
from wolverine.core.types import CType
from wolverine.debugger.code_index import rows_of
from wolverine.debugger.debug_info import DebugInfo
from wolverine.debugger.execution import Execution
from wolverine.debugger.flow import Flow, Ranges
from wolverine.debugger.hotpatch import PatchedCode
from wolverine.debugger.image import Image
from wolverine.debugger.imaging import Images
from wolverine.debugger.migrate import move_callers, move_innermost, moved_pointers
from wolverine.debugger.patching import Patching
from wolverine.debugger.remembered import Remembered
from wolverine.debugger.requests import console
from wolverine.debugger.shelled import caught
from wolverine.debugger.snapshot import SnapshotReader
from wolverine.debugger.target import Process, Target
from wolverine.debugger.terminal import Terminal
from wolverine.debugger.writing import encoded
from wolverine.errors import CommandError, DebuggerError, DebuggerLostError

_STARTING = ("run", "r", "start")
_TOLD = 8  # blocks of one call that are named when they were never freed
_BREAKING = (
    *("b", "br", "bre", "brea", "break", "tb", "tbr", "tbre", "tbrea", "tbreak"),
    *("hbreak", "thbreak", "dprintf"),
)
_NUMBERED = ("delete", "enable", "disable", "undisplay")
_NO_NUMBER = re.compile(r"^(No (breakpoint|display)|Could not find display) number ", re.MULTILINE)
_SWITCHING = ("restart", "checkpoint", "inferior", "attach", "detach")


class Debugger:
    """gdb and one program in it.

    `on_output` receives what the program writes, always before the stop that follows it is returned.
    The program reads `stdin`, or nothing in `batch` mode, or what `send_input` is given.  `duplicates`
    are the (function, variable) names that are told apart by the line of their declaration;
    `allocates` tells by (function, line) what the allocations there are for.  `log`
    receives the dialogue with gdb.

    Raises SourceError when the executable has no debug information, ToolMissingError without gdb.
    Every method may raise DebuggerError, with gdb's message, and DebuggerLostError when gdb is gone;
    `relaunch` then starts another.
    """

    def __init__(
        self,
        executable: Path,
        arguments: Sequence[str] = (),
        *,
        stdin: Path | None = None,
        batch: bool = False,
        duplicates: frozenset[tuple[str, str]] = frozenset(),
        allocates: Mapping[tuple[str, int], CType] = MappingProxyType({}),
        on_output: Callable[[bytes], None],
        log: Callable[[str], None] | None = None,
        gdb: str = "gdb",
    ) -> None:
        source = stdin if stdin is not None else (Path("/dev/null") if batch else None)
        self._info = DebugInfo(executable)
        self._target = Target(executable, tuple(arguments), source, self._info, gdb, log)
        self._terminal = Terminal(on_output)
        self._duplicates = duplicates
        self._allocates = allocates
        self._snapshots: SnapshotReader | None = None
        self._patching = Patching(self._info, executable)
        self._images = Images(self._terminal)
        self._breakpoints = Remembered()
        self._displaying = False
        self._closed = False
        self.last_stop: Stop | None = None
        self._open()

    def describe(
        self,
        duplicates: frozenset[tuple[str, str]],
        allocates: Mapping[tuple[str, int], CType],
        renamed: Mapping[tuple[str, str], str] = MappingProxyType({}),
    ) -> None:
        """What the sources tell, for the next process that is started; see the class.

        `renamed` tells apart what several files have under one name, see `DebugInfo.rename`.
        """
        self._info.rename(renamed)
        self._duplicates = duplicates
        self._allocates = allocates

    def _open(self) -> None:
        self._execution = Execution(
            self._target,
            self._terminal,
            self._process_started,
            self._patching.before_launch,
            self._breakpoints.notice,
        )
        self._flow = Flow(lambda text: self._execution.gdb.command(text))
        self._patching.gdb_started(self._execution, self._flow)
        try:
            self._execution.open()
        except Exception:
            self._terminal.close()
            raise

    def close(self) -> None:
        """End gdb and the program; may be called again."""
        if self._closed:
            return
        self._closed = True
        self._execution.close()
        self._terminal.close()
        self._patching.close()

    def relaunch(self) -> None:
        """Start another gdb after one was lost, with the same breakpoints (numbered anew).

        There is no process until `start` or `restore`.
        """
        with contextlib.suppress(OSError):
            self._execution.close()
        self._terminal.drain()
        again = self._breakpoints.commands()
        self._breakpoints.clear()
        self._open()
        for command in again:
            with contextlib.suppress(DebuggerError):
                self._execution.command(console(command))

    @property
    def gone(self) -> bool:
        """Whether somebody else has ended the process while it was stopped."""
        pid = self._execution.pid
        if pid is None:
            return False
        with contextlib.suppress(OSError):
            return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] in (b"Z", b"X")
        return True

    @property
    def pid(self) -> int | None:
        """The process id of the program, None when there is no process."""
        return self._execution.pid

    # -- running -----------------------------------------------------------------------------------

    def start(self) -> Stop:
        """Run (anew) to the first line of main."""
        return self._execution.launch(to_main=True)

    def run(self, at_main: Callable[[Stop], object] | None = None, budget: float | None = None) -> Stop:
        """Run (anew) to the first breakpoint, signal or end; after `budget` seconds it is interrupted.

        `at_main` is called at the first line of main, which is no stop: it may look at the process
        but not move it.
        """
        if at_main is None:
            return self._execution.launch(to_main=False, budget=budget)
        return self._execution.launch(to_main=False, loaded=lambda: self._look_ahead(at_main), budget=budget)

    def _look_ahead(self, at_main: Callable[[Stop], object]) -> None:
        """Run to main, past all breakpoints, and put everything back."""
        execution = self._execution
        before = self.take_image()
        with self._terminal.unheard():
            patched = self._patching.body_of("main")
            stop = execution.run_to_function("main") if patched is None else execution.run_to(patched)
            if stop.reason == "location":
                at_main(stop)
        self.restore(before)

    def resume(self, command: str, budget: float | None = None, *, patient: bool = False) -> Stop:
        """Any execution command in gdb's words ("next 3", "step", "finish", "advance f", "stepi").

        After `budget` seconds the program is interrupted (reason "budget"); if `patient`, those in which it
        waits for input do not count.  Where `step` enters a function that is patched, it stops at the
        patched code.
        """
        self._patching.tidy()
        verb, _, times = command.partition(" ")
        if verb in ("next", "step") and times.isdigit():
            return self._repeated(verb, int(times), budget, patient)
        stop = self._execution.resume(command, budget, patient=patient)
        if not stop.frames and stop.reason in ("step", "location", "finish"):
            # main has returned: what is left is the library's, up to the end of the program.
            return self._execution.resume("continue", budget)
        entry = stop.frames[0].pc if stop.frames and not stop.foreign else 0
        if stop.reason in ("step", "location") and entry in self._patching.entries:
            # gdb took the way into the function's old code for its beginning.
            new = self._execution.run_to(self._patching.body(entry), budget=budget)
            return Stop(stop.reason, new.frames) if new.reason == "location" else new
        return stop

    def _repeated(self, verb: str, times: int, budget: float | None, patient: bool) -> Stop:
        """One step after the other: gdb's own `next N` never ends where main returns on the way."""
        deadline = None if budget is None else time.monotonic() + budget
        stop = self.resume(verb, budget, patient=patient)
        for _ in range(times - 1):
            if stop.reason != "step" or not stop.alive:
                break
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return replace(stop, reason="budget")
            stop = self.resume(verb, left, patient=patient)
        return stop

    def leave_library(self, budget: float | None = None) -> Stop:
        """Run until the code that stands on top of the program's own has returned, as `resume` if patient.

        The reason is "location" when it has; the user's breakpoints on the way are passed.
        """
        self._patching.tidy()
        return self._execution.leave_library(budget)

    def at_breakpoint(self) -> bool:
        """Whether the process stands at one of the user's breakpoints that are enabled."""
        return self._execution.at_breakpoint()

    def interrupt(self) -> None:
        """Stop what is running (reason "interrupt"); safe in signal handlers and other threads."""
        self._execution.interrupt()

    def run_to(
        self,
        address: int,
        *,
        hits: int = 1,
        budget: float | None = None,
        thread_frame_depth: int | None = None,
    ) -> Stop:
        """Run until `address` is reached for the `hits`-th time; the user's breakpoints are passed over.

        With `thread_frame_depth` only activations of that depth count.  The reason is "location" when it
        was reached.
        """
        if thread_frame_depth is None:
            return self._execution.run_to(address, hits, budget)
        while True:
            stop = self._execution.run_to(address, 1, budget)
            if stop.reason != "location":
                return stop
            hits -= stop.frames[0].depth == thread_frame_depth
            if hits <= 0:
                return stop

    def stopping_at(self, addresses: Collection[int]) -> AbstractContextManager[None]:
        """Within, the process stops at each of these addresses and passes the user's breakpoints."""
        return self._execution.stopping_at(addresses)

    def set_pc(self, address: int) -> None:
        """Let the innermost activation of the program's own code go on at `address`.

        Library code that stands on top of it is left, a signal that waits to be delivered is dropped.
        """
        reading = self._execution.stack()
        registers = self._execution.unwound(reading.level) if reading.foreign else {}
        self._execution.set_registers({**registers, "rip": address})

    def stop_info(self) -> Stop:
        """The present stop, its frames read again."""
        self._execution.generation += 1
        reading = self._execution.stack()
        return Stop("step", reading.frames, foreign=reading.foreign)

    def selected(self) -> int | None:
        """The depth of the frame that `up`, `down` or `frame` chose; None where it is no own code."""
        return self._execution.selected()

    def select_own(self) -> None:
        """Choose the innermost frame of the program's own code, where a library stands on top of it."""
        reading = self._execution.stack()
        if reading.foreign and reading.frames:
            self._execution.gdb.command(console(f"frame {reading.level}"))

    # -- reading and writing ----------------------------------------------------------------------

    def returned(self) -> int:
        """The pointer or integer that a call has returned, right behind it (System V ABI: in rax)."""
        return self._execution.integer("$rax")

    def snapshot(self) -> Snapshot:
        """The memory graph of the stopped process, in one round trip."""
        reading = self._execution.stack()
        return self._reader().read(reading.frames, self._execution.stack_pointer, calling=reading.foreign)

    def never_freed(self) -> tuple[NeverFreed, ...] | None:
        """What the program that stands at its end has not freed, by the calls that allocated it.

        None where that is not known: it has not ended, or it is gone (killed, or left without `_exit`).
        """
        process = self._execution.process
        if process is None or process.tracker is None or not self._execution.held_exit:
            return None
        found: dict[tuple[Site | None, tuple[Site, ...]], list[int]] = {}
        for block in process.tracker.blocks():
            if block.state == "live":
                call = process.code.site(block.allocated_by), process.code.sites(block.callers)
                found.setdefault(call, []).append(block.number)
        return tuple(
            NeverFreed(*call, len(numbers), tuple(NodeId(n) for n in numbers[:_TOLD]))
            for call, numbers in found.items()
        )

    def allocated(self, node: NodeId) -> Allocated | None:
        """Where a node is from, also once the program stands at its end; None where that is not known."""
        process = self._execution.process
        if process is None or process.tracker is None or self.gone:
            return None
        block = next((each for each in process.tracker.blocks() if each.number == node.number), None)
        if block is None:
            return None
        return Allocated(block.size, process.code.site(block.allocated_by), process.code.sites(block.callers))

    def write(self, place: Place, value: Value, snapshot: Snapshot) -> None:
        """Set a cell of the process; `snapshot` tells where things are.

        Raises CommandError when there is no such cell or the value does not fit it.
        """
        memory = self._execution.require().memory
        memory.write(*encoded(snapshot.graph, place, value, memory.read))

    def set_state(self, node: NodeId, state: NodeState) -> None:
        """Free a node without its program's doing, or take it back from quarantine."""
        tracker = self._execution.require().tracker
        if tracker is None:
            raise DebuggerError("the allocation tracker is not in the process")
        tracker.set_state(node.number, state)

    def last_number(self) -> int:
        """How many nodes the program has allocated."""
        tracker = self._execution.require().tracker
        header = tracker.header() if tracker is not None else None
        if header is None:
            raise DebuggerError("the allocation tracker is not in the process")
        return header.numbers

    def make_node(self, size: int) -> None:
        """A new node of the program's that its code did not allocate; raises CommandError without memory."""
        if not self._execution.call("__wolverine_make", size):
            raise CommandError(f"the process has no {size} bytes left")

    def unmake_node(self, node: NodeId, snapshot: Snapshot) -> None:
        """Take back the node that was made last; raises CommandError where others came since."""
        if not self._execution.call("__wolverine_unmake", snapshot.graph.nodes[node].address):
            raise CommandError(f"n{node.number} cannot be taken back: it is not the latest node")

    def console(self, command: str, budget: float | None = None) -> str:
        """Any gdb command; the text that gdb prints.

        A function of the program that it calls is stopped after `budget` seconds, and so is a process that
        it resumes: then `last_stop` is the stop that followed, else None.
        """
        self.last_stop = None
        self._displaying |= "disp" in command
        word, _, rest = command.strip().partition(" ")
        if word in _STARTING:
            # The program's start is more than gdb's: the tracker and patches come with it.
            if rest:
                self._execution.command(console(f"set args {rest}"))
            self.last_stop = self.start() if word == "start" else self.run()
            return ""
        self._patching.tidy()
        if self._execution.process is not None and not self._execution.held_exit:
            self._execution.settle_pc()
        if "\n" in command:
            with tempfile.NamedTemporaryFile("w", suffix=".gdb") as file:
                file.write(command + "\n")
                file.flush()
                return self._console(f"source {file.name}", budget)
        return self._console(command, budget)

    def _console(self, command: str, budget: float | None) -> str:
        newest = self._breakpoints.newest
        with caught(command) as (given, written):
            answer = self._execution.user_command(given, budget)
            shown = answer.text + written()
        if answer.complaint and _word(command) in _BREAKING and self._breakpoints.newest == newest:
            # gdb would ask whether the breakpoint is to wait for a library, and takes no for an answer.
            wait = " (`set breakpoint pending on` lets it wait for a library)"
            raise DebuggerError(answer.complaint + (wait if answer.complaint.startswith("Function") else ""))
        if _NO_NUMBER.search(shown) and any(each.startswith(_word(command)) for each in _NUMBERED):
            raise DebuggerError(shown.strip())  # which gdb only prints, as it goes on with other numbers
        self.last_stop = self._execution.settle(answer, budget)
        if _word(command) in _SWITCHING:
            self._execution.look_again()
        return shown

    def displayed(self, budget: float | None = None) -> str:
        """What gdb prints at each stop for the expressions that were given to `display`.

        Functions that they call are stopped after `budget` seconds.
        """
        if not self._displaying:
            return ""
        try:
            return self._execution.user_command("display", budget).text
        except DebuggerLostError:
            raise
        except DebuggerError as error:
            return str(error)

    def complete(self, text: str) -> list[str]:
        """gdb's completions of a command line."""
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        payload = self._execution.gdb.command(f'-complete "{escaped}"').payload
        return [str(each) for each in payload.get("matches", [])]

    def send_input(self, data: bytes) -> None:
        """Type into the program's terminal."""
        self._terminal.type(data)

    def unread(self) -> bool:
        """Whether something typed has not been read yet."""
        return self._terminal.unread()

    def repeat_from(self, image: Image) -> Stop:
        """`restore`, and what was typed since the image was taken is there to be read again."""
        stop = self.restore(image)
        self._terminal.type_again(image.input_consumed)
        return stop

    # -- code --------------------------------------------------------------------------------------

    def rows(self, function: str) -> tuple[Row, ...]:
        """The line-table rows, with columns, of a function as it was built."""
        return rows_of(self._execution.require().code.modules[0], function)

    def entries(self, names: Iterable[str]) -> frozenset[int]:
        """Where the program's own calls of these library functions lead."""
        return self._reader().entries(names)

    def edges(self, ranges: Ranges) -> tuple[Edge, ...]:
        """Where the jumps and the fall-through out of these address ranges lead."""
        return self._flow.edges(ranges, self._execution.require().code.row_at)

    def jump_at(self, address: int) -> int | None:
        """Where the unconditional jump at an address leads; None where there is none."""
        return self._flow.jump_at(address)

    def idle(self, ranges: Ranges) -> bool:
        """Whether the code in these address ranges does nothing at all (`nop`)."""
        return self._flow.idle(ranges)

    def jumps(self, ranges: Ranges) -> tuple[int, ...]:
        """The addresses of the conditional jumps in these ranges."""
        return self._flow.jumps(ranges)

    def calls(self, ranges: Ranges) -> tuple[int, ...]:
        """The return addresses of the calls in these ranges, in address order."""
        return self._flow.calls(ranges)

    # -- images ------------------------------------------------------------------------------------

    def take_image(self) -> Image:
        """The whole state of the stopped process."""
        return self._images.take(self._execution, self._reader().types)

    def ending(self) -> Image | None:
        """The process as it stands at its end; None where it does not stand there, or is gone."""
        if self._execution.process is None or not self._execution.held_exit:
            return None
        self._execution.held_exit = False
        try:
            return replace(self.take_image(), ended=True)
        finally:
            self._execution.held_exit = True

    def restore(self, image: Image) -> Stop:
        """Put the process back to the image, whatever has become of it; a new process if it is gone.

        The patch in force stays in force.  What could not be restored stands in the stop's text.
        Raises DebuggerError when the state cannot be had.
        """
        if not image.kept:
            raise DebuggerError("the image of that stop has been given up to save memory")
        there = self._execution.process is not None and not self._execution.replaced
        if self._images.belongs(self._execution, image) and there:
            try:
                return self._restored(image, fresh=False)
            except DebuggerLostError:
                raise
            except (DebuggerError, OSError):
                # Killed from outside, or another program since exec: a new process takes its place.
                self.relaunch()
        return self._restored(image, fresh=True)

    def _restored(self, image: Image, fresh: bool) -> Stop:
        stop = self._images.put_back(self._execution, image, fresh)
        self._reader().forget()
        self._reader().types.load(image.types)
        self._execution.held_exit = image.ended
        return stop

    # -- patches -----------------------------------------------------------------------------------

    def patch(
        self, hot: Sequence[tuple[str, bytes]], functions: Sequence[str], cflags: Sequence[str]
    ) -> PatchedCode:
        """Compile the new text of `functions` and load it beside the program; `use` puts it in force.

        `hot` are (path, content) of the source files.  Raises SourceError with gcc's message.
        """
        return self._patching.load(hot, functions, cflags)

    def use(self, patched: PatchedCode | None) -> None:
        """From now on calls of the patched functions run this code; None: the program as it was built."""
        self._patching.use(patched)

    def unpatch(self) -> None:
        """`use(None)`."""
        self._patching.use(None)

    def migrate(self, patched: PatchedCode | None, pc: int) -> tuple[str, ...]:
        """Let the innermost activation go on at `pc`, in the code of `patched` (None: as built).

        Its variables move along, and pointers to them follow.  Outer activations of functions whose code
        has changed return into the code in force, where the frames agree; the names of those functions
        that have activations for which that is not possible are returned.
        """
        self._patching.check(patched)
        before = self.snapshot()
        move_innermost(self._execution, self._flow, self._execution.stack(), pc)
        after = self.snapshot()
        for place, value in moved_pointers(before, after):
            self.write(place, value, after)
        reading = self._execution.stack()
        return move_callers(self._execution, self._flow, reading.frames, self._patching.entries)

    # -- inside ------------------------------------------------------------------------------------

    def _reader(self) -> SnapshotReader:
        self._execution.require()
        assert self._snapshots is not None
        return self._snapshots

    def _process_started(self, process: Process) -> None:
        self._patching.process_started(process)
        self._snapshots = SnapshotReader(
            process.memory, process.tracker, process.code, self._duplicates, self._allocates
        )
        self._images.forget()


def _word(command: str) -> str:
    """The first word of a command."""
    return command.split(maxsplit=1)[0] if command.strip() else ""
