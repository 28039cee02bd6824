"""The session: commands in, results out.  The only mutable state of the program."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from wolverine.core.patch import Patch
from wolverine.draw.history import Asserted, save_history
from wolverine.errors import (
    CommandError,
    DebuggerError,
    DebuggerLostError,
    ReplacedError,
    RestartedError,
    WolverineError,
)
from wolverine.session import commands, moving, results
from wolverine.session.codes import Codes
from wolverine.session.constraints import crashed, under_way
from wolverine.session.correcting import Correcting
from wolverine.session.execution import Execution
from wolverine.session.launching import NO_PROGRAM, describe, launch
from wolverine.session.moments import Moment
from wolverine.session.onward import UNENDING, lost_by_main
from wolverine.session.options import Names, SessionOptions
from wolverine.session.outlet import Outlet
from wolverine.session.places import going_on, resolve_place
from wolverine.session.refining import Refining
from wolverine.session.reinstating import Saved, reinstate, saved
from wolverine.session.retracing import retrace, retrace_to_end
from wolverine.session.returning import back, resume
from wolverine.session.rewriting import rewritten
from wolverine.session.showing import Showing, require_saved
from wolverine.session.undone import Undone
from wolverine.session.unstored import is_to_be_stored
from wolverine.session.visible import names, tagged
from wolverine.session.without_code import goal
from wolverine.tools import stop_tool

if TYPE_CHECKING:
    from wolverine.session.repairing import Repairing

# More steps at once than these are left to gdb, and the model follows them in one go.
STEPS_APART = 200
# gdb's commands that are meant to end the process.
_ENDING = ("kill", "k", "detach")


class Session:
    """One debugged program from launch to `quit`.

    `emit` is called with each result as it happens, from the thread that executes.  Raises what
    `compile_program` and `Debugger` raise when the program cannot be debugged at all.
    """

    def __init__(self, options: SessionOptions, emit: Callable[[results.Result], None]) -> None:
        self.options = options
        self._emit = emit
        self._muted = False
        self._interrupt = False
        self._thread = threading.get_ident()
        self._outlet = Outlet(emit)
        self._build = tempfile.TemporaryDirectory(prefix="wolverine-")
        self.debugger, loaded = launch(options, Path(self._build.name), self._output)
        self.program = loaded.program if loaded is not None else NO_PROGRAM
        describe(self.debugger, loaded)
        self.execution = Execution(
            self.program,
            self.debugger,
            Codes(self.program, self.debugger, options.cflags),
            lambda followed, graph: self.showing.differed(followed, graph),
        )
        self.execution.muted, self.execution.write = self._mute, self._write
        self.execution.interrupted, self.execution.heed = lambda: self._interrupt, self._heed
        self.execution.retrace, self.execution.retrace_to_end = retrace, retrace_to_end
        self.showing = Showing(options, self.program, lambda: self.execution, emit, self._outlet.tell)
        self.execution.tell = self.showing.note
        self._undone = Undone()
        self._resumed: list[tuple[int, int]] = []  # checkpoint before, checkpoint gone to
        self._correcting = Correcting(self.execution)
        self._refining = Refining(self.program, self.execution, self.showing.note)
        if loaded is not None:
            for warning in loaded.warnings:
                emit(results.Note(warning))

    @cached_property
    def _repairing(self) -> Repairing:
        # Imported when it is first needed: the prompt should not wait for the engines.
        from wolverine.session.gate import Gate
        from wolverine.session.repairing import Repairing

        return Repairing(
            self.program,
            self.execution,
            Gate(self.execution),
            self._emit,
            lambda: self._interrupt,
            self.showing.aside,
            self._correcting,
            self.options.work,
        )

    # -- the outside -------------------------------------------------------------------------------

    def execute(self, command: commands.SessionCommand) -> None:
        """Carry out a command; raises WolverineError when it fails, with nothing lost."""
        self._interrupt = False
        self._thread = threading.get_ident()
        before, there = saved(self.execution), self.debugger.pid is not None
        self._outlet.begin()
        try:
            self._dispatch(command)
            self.execution.settle()
        except BrokenPipeError:
            raise
        except DebuggerLostError as lost:
            self._recover(before)
            raise RestartedError(
                f"{lost}; gdb was started anew, the session is as before the command"
            ) from lost
        except (DebuggerError, OSError) as error:
            if self._ended(command, there):
                self._recover(before)
                what = error if isinstance(error, ReplacedError) else "the program was killed from outside"
                raise RestartedError(
                    f"{what}; it was started anew, the session is as before the command"
                ) from error
            if isinstance(error, DebuggerError):
                raise
            reinstate(self.execution, before)
            raise CommandError(
                f"the system refused: {_sentence(error)}; the session is as before the command"
            ) from error
        except WolverineError:
            raise
        except Exception:
            # A bug: what it left half done is undone.
            with suppress(WolverineError, OSError):
                reinstate(self.execution, before)
            raise
        finally:
            self._outlet.tell()

    @property
    def faulty(self) -> bool:
        """Whether the program has stopped with a fault, or ended with one that `repair` goes back to."""
        return self._repairing.faulty

    def interrupt(self) -> None:
        """Ctrl-C: stop the running program or end a search.  Safe from signal handlers and threads."""
        self._interrupt = True
        self.debugger.interrupt()
        stop_tool(self._thread)

    def _heed(self) -> None:
        self._interrupt = False

    def close(self) -> None:
        """End gdb and the debugged program."""
        self.debugger.close()
        self._build.cleanup()

    def show(self) -> None:
        """Emit the present stop once more; nothing before the program was started."""
        if (moment := self.execution.moment) is not None:
            self.showing.stop(moment)

    def names(self, typed: str = "") -> Names:
        """What can be named now, and with what a place that was `typed` may go on."""
        functions = self.program.functions
        having = sorted({each.file for each in functions.values()})
        files = [f"{Path(self.program.files[file].path).name}:" for file in having]
        code = (*sorted(functions), *(files if len(files) > 1 else ()))
        types = tagged(self.program)
        moment = self.execution.moment
        if moment is None:
            return Names(code=code, types=types)
        nodes = tuple(f"n{node.number}" for node in sorted(moment.graph.nodes))
        known = (*names(moment.graph), *going_on(moment.graph, typed))
        return Names(tuple(dict.fromkeys(known)), nodes, code, types)

    def gdb_complete(self, text: str) -> list[str]:
        """gdb's own completions of a command line."""
        try:
            return self.debugger.complete(text)
        except WolverineError:
            return []

    def send_input(self, data: bytes) -> None:
        """What the user types while the program runs goes to the program."""
        self.debugger.send_input(data)

    def unread(self) -> bool:
        """Whether the program has not yet read all that was typed for it."""
        return self.debugger.unread()

    def _output(self, data: bytes) -> None:
        self.execution.heard = self.execution.heard.more(data)
        if not self._muted:
            self._write(data)

    def _write(self, data: bytes) -> None:
        self.execution.written += len(data)
        self._outlet.write(data)

    @contextmanager
    def _mute(self) -> Iterator[None]:
        """What is repeated has been written before."""
        self._muted = True
        try:
            yield
        finally:
            self._muted = False

    def _ended(self, command: commands.SessionCommand, there: bool) -> bool:
        """Whether the process that was `there` has ended by itself, and not in a way that makes a stop."""
        if isinstance(command, commands.GdbCommand) and command.text.split()[0] in _ENDING:
            return False
        return self.debugger.gone or (there and self.debugger.pid is None)

    def _recover(self, before: Saved) -> None:
        """Another gdb and another process, in the state that was saved."""
        with self._mute():
            self.debugger.relaunch()
            reinstate(self.execution, before)

    # -- commands ----------------------------------------------------------------------------------

    def _dispatch(self, command: commands.SessionCommand) -> None:
        execution, showing = self.execution, self.showing
        match command:
            case commands.GdbCommand(text) if text.strip().isdecimal() and self._repairing.asks:
                self._dispatch(commands.Repair(answer=int(text)))
            case commands.Start() | commands.Run():
                self._begin(command)
            case commands.Resume():
                self._resume_process(command)
            case commands.Enter():
                showing.stop(moving.force(execution, "enter", True))
            case commands.Leave():
                showing.stop(moving.force(execution, "leave", False))
            case commands.Back(count):
                patch = execution.patch
                moment = back(execution, count)
                self._mark_output(moment)
                self._in_force(patch)
                showing.gone_back(execution.path)
            case commands.ResumeCheckpoint(number):
                self._resume(number)
            case commands.Change(place, value):
                self._store_first(place)
                self._emit(self._correcting.change(place, value))
                showing.graph(execution.path[-1])
                showing.under_way(execution.path[-1])
                showing.to_freed(execution.path[-1])
            case commands.Undo():
                self._emit(self._correcting.undo())
                showing.graph(execution.path[-1])
            case commands.Spec(places):
                self._spec(places)
            case commands.SpecDrop(number):
                showing.note(self._correcting.drop(number))
            case commands.Track(places):
                showing.note(self._correcting.track(places))
            case commands.Untrack():
                showing.note(self._correcting.untrack())
            case _:
                self._dispatch_more(command)

    def _dispatch_more(self, command: commands.SessionCommand) -> None:
        execution, showing = self.execution, self.showing
        match command:
            case commands.Repair():
                before = self._to_the_end(command)
                self._repairing.repair(command)
                showing.patched(before, execution.path[-1])
                self._repairing.ask()
            case commands.Candidates(number):
                self._repairing.candidates(number)
            case commands.Accept(number):
                before = execution.path[-1] if execution.path else None
                self._repairing.accept(number)
                showing.patched(before, execution.path[-1])
            case commands.Localize():
                self._repairing.localize(command)
            case commands.Concrete():
                self._refining.concrete(command)
                showing.concretes(anew=True)
            case commands.Rewrite(file):
                done, notes = rewritten(self.program, execution, file)
                self._emit(done)
                for words in notes:
                    showing.note(words)
            case commands.Checkpoints(picture):
                self._checkpoints(picture)
            case commands.Graph(places):
                showing.selected(self._pictured(), places, command.tidy)
            case commands.Save(file):
                showing.save(self._pictured(), file)
            case commands.Why(node):
                self._emit(results.Text(showing.fates.why(require_saved(execution.moment), node), prose=True))
            case commands.StepBudget(seconds):
                self._step_budget(seconds)
            case commands.ImageMemory(size):
                self._image_memory(size)
            case commands.GdbCommand(text):
                moving.gdb_command(execution, showing, text)
            case _:
                name = type(command).__name__.lower()
                raise CommandError(f"{name} is not there yet in this version")

    def _store_first(self, place: str) -> None:
        """Where a call's value is still to be stored in a place that is changed, let it be stored before."""
        if not self.execution.path or not self.execution.path[-1].stop.alive:
            return
        moment = self.execution.path[-1]
        with suppress(CommandError):
            target = resolve_place(moment.graph, place)
            if is_to_be_stored(self.program, moment, target.place):
                line = self.showing.lines.line(moment)
                self.showing.note(
                    f"line {line} was still to store its call's value there: it has done so now"
                )
                self.showing.stop(self.execution.step("next", 1))

    def _begin(self, command: commands.Start | commands.Run) -> None:
        if command.arguments:
            self.debugger.console(f"set args {command.arguments}")
        patch = " with the patch" if self.execution.patch.edits else ""
        there = self.execution.moment is not None and self.execution.moment.stop.alive
        if there or patch:
            ends = ": the trace ends here" if there else ""
            drop = "; `accept 0` takes the patch out of force" if patch else ""
            self.showing.note(f"the program is started anew{patch}{ends}{drop}")
        self.showing.forget()
        self.showing.stop(self.execution.begin(isinstance(command, commands.Start)))

    def _pictured(self) -> Moment:
        """The stop whose picture is asked for; of a program that has ended the last one, which is said."""
        moment = require_saved(self.execution.moment)
        if moment.stop.alive:
            return moment
        stops = (each for each in reversed(self.execution.path) if each.stop.alive and not each.transit)
        last = next(stops, None)
        if last is None:
            return self.execution.here()
        file, line, function = self.showing.lines.place(last)
        self.showing.note(
            f"the program has ended; this is the picture of its last stop, {function} () at {file}:{line}"
        )
        return last

    def _times(self, command: commands.Resume) -> commands.Resume:
        """`next k`: how many times is what gdb makes of it, and not less than once."""
        given = command.argument
        if command.verb not in ("next", "step") or not given or (given.isascii() and given.isdigit()):
            return command
        self.execution.here()
        times = self.debugger.console(f"output (long)({given})").strip()
        if not times.isdigit() or times == "0":
            raise CommandError(f"{command.verb} needs a number of times from 1 on; {given} is {times}")
        return commands.Resume(command.verb, times)

    def _resume_process(self, command: commands.Resume) -> None:
        command = self._times(command)
        if command.verb in ("next", "step") and 1 < command.count <= STEPS_APART:
            self.showing.stop(self.execution.step(command.verb, command.count))
            return
        if command.verb == "continue" and command.argument and self._counts_nothing():
            self.showing.note(
                f"continue {command.argument} counts how often the breakpoint at which the program stands is "
                f"reached, and it stands at none: {command.argument} is ignored"
            )
            command = commands.Resume("continue")
        there = goal(self.execution, command.argument) if command.verb in ("until", "advance") else None
        moment = self.execution.move(command.text)
        self.showing.stop(moment)
        if there is not None and (words := there.missed(moment.stop)):
            self.showing.note(words)

    def _counts_nothing(self) -> bool:
        """Whether `continue N` has no breakpoint to pass."""
        return self.execution.here().stop.alive and not self.debugger.at_breakpoint()

    def _to_the_end(self, command: commands.Repair) -> Moment | None:
        """Where nothing is to be met and main lost nodes, let the program go on: its end tells of them.

        A loop in which it goes round for ever comes before that end.  The last stop of the program's own.
        """
        execution = self.execution
        stopped = execution.path[-1] if execution.path else None
        if command.answer is not None:
            return stopped
        self._repairing.leave_loop()
        lost = lost_by_main(execution, settled=self._repairing.settled())
        if not lost:
            return stopped
        self.showing.note(
            f"{lost}, and nothing is asserted: the program goes on to its end, which tells more"
        )
        self._resume_process(commands.Resume("continue"))
        stopped = execution.path[-1]
        self._repairing.leave_loop()
        if stopped.stop.alive and not crashed(execution.path[-1]):
            raise CommandError(
                UNENDING
                if under_way(stopped)
                else "the program has stopped before its end: `continue` to it, and `repair` there"
            )
        return stopped

    def _spec(self, places: tuple[str, ...]) -> None:
        earlier = self.execution.path[-1].asserted if self.execution.path else ()
        added = self._correcting.spec(places)
        held = dict(self.execution.path[-1].asserted[-1].cells)
        for each in earlier:
            otherwise = [place for place, value in each.cells if place in held and held[place] != value]
            if otherwise and each.checkpoint not in self.execution.dropped:
                self.showing.note(
                    f"checkpoint {each.checkpoint} says otherwise of this stop; what was asserted last holds"
                )
        file, line, function = self.showing.lines.place(self.execution.path[-1])
        self._emit(replace(added, file=file, line=line, function=function))

    def _resume(self, number: int) -> None:
        before, patch = self.execution.checkpoint, self.execution.patch
        moment = resume(self.execution, number)
        if before is not None and before != number:
            self._resumed.append((before, number))
        _, line, _ = self.showing.lines.place(moment)
        self._emit(results.ResumedAt(number, line))
        self._mark_output(moment)
        self._in_force(patch)
        self.showing.gone_back(self.execution.path)

    def _in_force(self, before: Patch) -> None:
        """Say that another patch is in force at a stop that was gone back to than `before` that."""
        now = self.execution.patch
        if now == before:
            return
        if not now.edits:
            self.showing.note("the patch is not in force any more: there was none at this stop")
        elif not before.edits:
            self.showing.note("the patch is in force again: it was at this stop")
        else:
            self.showing.note("the patch that was in force at this stop is in force again")

    def _checkpoints(self, picture: str | None) -> None:
        listed = []
        for number, checkpoint in sorted(self.execution.checkpoints.items()):
            _, line, function = self.showing.lines.place(checkpoint.moment)
            listed.append(
                results.CheckpointEntry(
                    number,
                    checkpoint.parent,
                    line,
                    function,
                    "withdrawn" if number in self.execution.dropped else "",
                )
            )
        current = self.execution.checkpoint
        self._emit(results.CheckpointList(tuple(listed), current))
        if picture is not None:
            asserted = [
                Asserted(e.checkpoint, e.parent, f"{e.function} () line {e.line}", bool(e.note))
                for e in listed
            ]
            save_history(asserted, current, self._resumed, picture)
            self._emit(results.Saved(picture))

    def _mark_output(self, moment: Moment) -> None:
        """Tell how much of what was written belongs to what has just been undone."""
        if size := self._undone.add(moment.written, self.execution.written):
            self._emit(results.OutputStays(size))

    def _image_memory(self, size: int | None) -> None:
        album = self.execution.album
        if size is not None:
            album.limit = size
            self.execution.keep_within()
        used = album.size() / (1 << 20)
        self.showing.note(f"images of stops take {used:.1f} MB of at most {album.limit / (1 << 20):g} MB")

    def _step_budget(self, seconds: float | None) -> None:
        if seconds is not None:
            self.execution.budget = seconds
        budget = self.execution.budget
        self.showing.note(f"a step is stopped after {budget:g} second{'s' * (budget != 1)}")


def _sentence(error: OSError) -> str:
    """What the operating system refused, and where."""
    where = f"{error.filename}: " if isinstance(error.filename, str) else ""
    return f"{where}{error.strerror or error}"
