"""The loop: lines in, commands carried out, everything that goes wrong caught and said."""

from __future__ import annotations

import shutil
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from wolverine.errors import CommandError, RestartedError, UsageError, WolverineError
from wolverine.session import commands, results
from wolverine.session.commands import Command, GdbCommand, Resume, SessionCommand
from wolverine.session.parse import parse_command
from wolverine.session.splitting import opens_block, split_commands
from wolverine.shell.guide import explain, overview, settings
from wolverine.shell.lines import Line, Lines, Reader, read_whole
from wolverine.shell.presenter import Presenter
from wolverine.shell.recorded import session_list
from wolverine.shell.running import Ahead, Debuggee, Runner

_DEEPEST = 20
_REPEATED_BY_GDB = frozenset(["stepi", "si", "nexti", "ni", "up", "down", "reverse-step", "reverse-next"])
_CONTINUED_BY_GDB = frozenset(["list", "l", "x"])


class Session(Debuggee, Protocol):
    """What the loop needs of a session."""

    def execute(self, command: SessionCommand) -> None:
        """Carry out a command; raises WolverineError when it fails."""


class Journaling(Protocol):
    """Who writes down what happens."""

    def begin(self, text: str) -> None:
        """A command is about to be carried out."""

    def input(self, data: bytes) -> None:
        """The user typed this into the program."""

    def result(self, result: results.Result) -> None:
        """What the command answers."""

    def end(self, ok: bool, undone: bool = False) -> None:
        """The command is through; `undone` when the session is as before it."""


class Pages(Protocol):
    """Who shows the session in a browser."""

    def begin(self, text: str, command: Command) -> None:
        """A command is about to be carried out."""

    def result(self, result: results.Result) -> None:
        """What is answered."""

    def end(self) -> None:
        """The command is through."""

    def open(self) -> str:
        """Serve the live page; its address."""

    def save(self, file: str) -> None:
        """Write the session as a page that needs nothing else."""

    def watched(self) -> bool:
        """Whether a page is served."""

    def waits(self, now: bool) -> None:
        """The program waits for a line from now on, or does not any more."""

    def typed(self) -> bytes:
        """The next line that a page has for the program, taken away; b"" for none."""

    def input(self, data: bytes) -> None:
        """This was typed into the program, wherever that was."""


class Outlet:
    """Passes results on to the presenter and notes which of them mean that the command failed.

    While something is `diverted` to, results go there instead; `heard` and `watched` get a copy of those
    shown.
    """

    def __init__(self, presenter: Presenter) -> None:
        self.presenter = presenter
        self.failed = False
        self.signalled = False  # a signal has hit the program
        self.diverted: Callable[[results.Result], None] | None = None
        self.heard: Callable[[results.Result], None] | None = None
        self.watched: Callable[[results.Result], None] | None = None

    def __call__(self, result: results.Result) -> None:
        """One result."""
        if isinstance(result, results.NotRepaired | results.Error):
            self.failed = True
        self.signalled = self.signalled or isinstance(result, results.Signalled)
        if self.diverted is not None:
            self.diverted(result)
            return
        if self.heard is not None:
            self.heard(result)
        if self.watched is not None:
            self.watched(result)
        self.presenter.show(result)

    def divert(self, other: Callable[[results.Result], None] | None) -> None:
        """Results go to `other` from now on; to the presenter again with None."""
        self.diverted = other


class _Quit(Exception):  # noqa: N818
    """The user wants to leave."""


class Shell:
    """Carries out lines.  `status` is 0 until a command has failed, then 1.

    `echo` shows the commands of scripts as they come; `debug` shows tracebacks of internal errors.
    """

    def __init__(
        self,
        session: Session,
        outlet: Outlet,
        *,
        keyboard: int | None = None,
        echo: bool = False,
        debug: bool = False,
    ) -> None:
        self._session = session
        self._emit = outlet
        self._runner = Runner(self, keyboard, outlet.presenter.typed)
        self._journal: Journaling | None = None
        self._pages: Pages | None = None
        self.echo = echo
        self._debug = debug
        self._repeat: Command | None = None
        self._history: list[str] = []
        self._depth = 0
        self._ahead: Ahead | None = None
        self.status = 0
        self.left = False

    def keep(self, journal: Journaling) -> None:
        """Write down all commands from now on."""
        self._journal = journal

    def recall(self, history: Sequence[str]) -> None:
        """These commands were given before, in a session that has been repeated."""
        self._history.extend(history)

    def watch(self, pages: Pages) -> None:
        """Tell the pages of all commands and results from now on; `view` opens one."""
        self._pages = pages
        self._emit.watched = pages.result
        self._runner.elsewhere = pages

    def interrupt(self) -> None:
        """Stop what runs."""
        self._session.interrupt()

    def send_input(self, data: bytes) -> None:
        """A line for the program."""
        if self._journal is not None:
            self._journal.input(data)
        if self._pages is not None:
            self._pages.input(data)
        self._session.send_input(data)

    def unread(self) -> bool:
        """Whether the program has not yet read all that it was sent."""
        return self._session.unread()

    def script(self, reader: Reader) -> bool:
        """All lines of a script up to the first that fails; whether all went well.

        Sets `left` where the script says `quit`.
        """
        while not self.left and (line := read_whole(reader)) is not None:
            if not self.line(line):
                return False
        return True

    def interact(self, reader: Reader, *, repeats: bool = True, ahead: Ahead | None = None) -> None:
        """Lines up to the end or `quit`, whatever fails; an empty line repeats a stepping command.

        Not one that a signal has stopped.
        What the reader has typed `ahead` of its prompts goes to a program that waits for input.
        """
        self._ahead = ahead
        while not self.left:
            try:
                line = read_whole(reader)
                if line is None:
                    return
                if repeats and self._repeat is not None and not line.text.strip():
                    self._perform(line, [("", self._repeat)])
                else:
                    self.line(line)
            except KeyboardInterrupt:
                continue

    def line(self, line: Line) -> bool:
        """One line; the first command that fails ends it.  Whether all went well."""
        if line.block:
            found: list[tuple[str, Command]] = [(line.text, GdbCommand(line.text))]
        else:
            found = []
            for text in split_commands(line.text.replace("\0", "")):
                try:
                    if line.echo and opens_block(text):
                        raise UsageError("a command of several lines has to be typed in the shell")
                    found.append((text, parse_command(text)))
                except UsageError as error:
                    if line.echo:
                        self._emit.presenter.command(text)
                    return self._fail(text, str(error), line)
        if found:
            self._history.append(line.text.strip())
        return self._perform(line, found)

    def _perform(self, line: Line, found: list[tuple[str, Command]]) -> bool:
        for text, command in found:
            if self.echo or line.echo:
                self._emit.presenter.command(text)
            self._emit.signalled = False
            try:
                done = self._guarded(text, command, line)
            except _Quit:
                self.left = True
                return True
            if not done:
                return False
            # To go on from a crash ends the program: an empty line is not to do that.
            self._repeat = None if self._emit.signalled else repeated(command)
        return True

    def _guarded(self, text: str, command: Command, line: Line) -> bool:
        if self._pages is None:
            return self._attempt(text, command, line)
        self._pages.begin(text, command)
        try:
            return self._attempt(text, command, line)
        finally:
            self._told(self._pages)

    def _told(self, pages: Pages) -> None:
        """The command is through; whatever goes wrong with the pages, the session goes on."""
        try:
            pages.end()
        except Exception as error:
            if self._debug:
                traceback.print_exc()
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
            self._emit(results.Note(f"the page cannot show this ({reason}); --debug shows where"))

    def _attempt(self, text: str, command: Command, line: Line) -> bool:
        self._emit.failed = False
        try:
            self._carry_out(text, command)
        except WolverineError as error:
            if self._debug:
                traceback.print_exc()
            return self._fail(text, str(error), line)
        except KeyboardInterrupt:
            return self._fail(text, "interrupted", line)
        except (BrokenPipeError, _Quit):
            raise
        except Exception as error:
            if self._debug:
                traceback.print_exc()
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
            return self._fail(text, f"Wolverine has a bug here ({reason}); --debug shows where", line)
        if self._emit.failed:
            self.status = 1
        return not self._emit.failed

    def _fail(self, text: str, message: str, line: Line) -> bool:
        self.status = 1
        self._emit(results.Error(text, message, line.script, line.number))
        return False

    def _carry_out(self, text: str, command: Command) -> None:
        match command:
            case commands.Quit():
                raise _Quit
            case commands.Help(topic):
                self._help(topic)
            case commands.History(count):
                self._show_history(count)
            case commands.Source(file):
                self._source(file)
            case commands.Sessions():
                self._emit(results.Text(session_list()))
            case commands.View():
                self._emit(results.Note(f"the live page: {self._with_pages().open()}"))
            case commands.Save(file) if file.lower().endswith((".html", ".htm")):
                self._with_pages().save(file)
                self._emit(results.Saved(file))
            case _:
                self._on_session(text, command)

    def _with_pages(self) -> Pages:
        if self._pages is None:
            raise CommandError("this session has no pages")
        return self._pages

    def _on_session(self, text: str, command: SessionCommand) -> None:
        if self._journal is None:
            self._run(command)
            return
        # An empty line repeats a command that has its own text.
        self._journal.begin(text or getattr(command, "text", ""))
        self._emit.heard = self._journal.result
        ok = undone = False
        try:
            self._run(command)
            ok = not self._emit.failed
        except (WolverineError, KeyboardInterrupt) as error:
            undone = isinstance(error, RestartedError | KeyboardInterrupt)
            self._journal.result(results.Error(text, str(error)))
            raise
        finally:
            self._emit.heard = None
            self._journal.end(ok, undone)

    def _run(self, command: SessionCommand) -> None:
        """Carry it out; what was said meanwhile of the waiting does not outlast it."""
        searches = isinstance(command, commands.Repair)
        waiting = self._searching if searches else None
        # Who types ahead of a repair does not mean what a program under repair reads meanwhile.
        self._runner.ahead = None if searches or isinstance(command, commands.Accept) else self._ahead
        try:
            self._runner.run(lambda: self._session.execute(command), waiting)
        finally:
            self._emit.presenter.busy("")

    def _searching(self, seconds: int) -> None:
        ends = "Ctrl-C ends it, and shows what is known"
        self._emit.presenter.busy(f"looking for repairs, {seconds} s; {ends}", seconds)

    def _help(self, topic: str) -> None:
        width = shutil.get_terminal_size((100, 24)).columns
        if not topic:
            self._emit(results.Text(overview(width)))
        elif (text := explain(topic, width)) is not None:
            self._emit(results.Text(text))
        else:
            if text := settings(topic.strip()):
                self._emit(results.Text(text))
            self._on_session(f"help {topic}", GdbCommand(f"help {topic}"))

    def _show_history(self, count: int | None) -> None:
        numbered = list(enumerate(self._history, 1))[-(count or len(self._history)) :]
        self._emit(results.Text("".join(f"{number:5}  {text}\n" for number, text in numbered)))

    def _source(self, file: str) -> None:
        if self._depth >= _DEEPEST:
            raise CommandError(f"{file}: scripts call each other more than {_DEEPEST} deep")
        lines = read_script(Path(file).expanduser())
        self._depth += 1
        try:
            done = self.script(Lines(lines, file))
        finally:
            self._depth -= 1
        if self.left:
            raise _Quit
        # The line that failed has been reported.
        self._emit.failed = not done


def repeated(command: Command) -> Command | None:
    """What an empty line does after this command, as in gdb."""
    match command:
        case Resume():
            return command
        case GdbCommand(text) if text.split()[0].partition("/")[0] in _REPEATED_BY_GDB:
            return command
        case GdbCommand(text) if text.split()[0].partition("/")[0] in _CONTINUED_BY_GDB:
            return GdbCommand(text.split()[0].partition("/")[0])
        case _:
            return None


def read_script(file: Path) -> list[str]:
    """The lines of a script.  Raises CommandError where it cannot be read."""
    try:
        return file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise CommandError(f"{file} cannot be read: {reason}") from error
