"""From the command line to a running session, and to the exit status."""

from __future__ import annotations

import gc
import io
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import FrameType

from wolverine.cli.arguments import Arguments, Inline, Script, read_arguments
from wolverine.cli.piped import as_file
from wolverine.cli.resuming import Earlier, as_recorded, earlier, open_journal, repeat
from wolverine.config import COLLECTED
from wolverine.errors import JournalError, SourceError, UsageError, WolverineError
from wolverine.page.view import View
from wolverine.session import results
from wolverine.session.journal import Journal
from wolverine.session.options import SessionOptions
from wolverine.session.session import Session
from wolverine.shell.inbox import Piped
from wolverine.shell.lines import Line, Lines
from wolverine.shell.loop import Outlet, Shell, read_script
from wolverine.shell.presenter import JsonPresenter, Presenter, TextPresenter
from wolverine.shell.recorded import session_list

_NOTHING_STARTED = 2
_HINT = (
    "`run` runs the program to a crash, a breakpoint or its end, `start` to the first line of main; `repair` "
    "repairs it after a crash, `help` lists all commands, Ctrl-D leaves."
)
_PROMPT = "wolverine.shell.prompt"
_ENDING = (signal.SIGTERM, signal.SIGHUP)
_AGAIN = 5.0  # seconds


def main(argv: Sequence[str] | None = None) -> int:
    """Run Wolverine; returns the exit status (0, 1 or 2 as `--help` explains)."""
    _tolerate_any_text()
    gc.set_threshold(*COLLECTED)
    given = sys.argv[1:] if argv is None else argv
    if list(given) == ["sessions"]:
        print(session_list(), end="")
        return 0
    if list(given[:1]) == ["campaign"]:
        # Imported here: who debugs a program need not wait for it.
        return int(import_module("wolverine.campaign.command").main(given[1:]))
    try:
        arguments = read_arguments(given)
    except UsageError as error:
        print(f"wolverine: {error}", file=sys.stderr)
        return _NOTHING_STARTED
    try:
        return _run(arguments)
    except BrokenPipeError:
        # Nobody reads what is still buffered; without this Python complains at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _tolerate_any_text() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")


def _run(arguments: Arguments) -> int:
    presenter = _presenter(arguments)
    outlet = Outlet(presenter)
    try:
        _check_platform()
        readers = _readers(arguments)
        before = earlier(arguments)
        options = _options(as_recorded(arguments, before) if before is not None else arguments)
        if before is not None:
            options = replace(options, batch=before.recorded.header.batch)
        if _interactive(arguments):
            _preload_prompt()
        session = Session(options, outlet)
    except WolverineError as error:
        if arguments.debug:
            traceback.print_exc()
        presenter.show(results.Error("", str(error)))
        return _NOTHING_STARTED
    except KeyboardInterrupt:
        presenter.show(results.Error("", "interrupted before the session began"))
        return _NOTHING_STARTED
    for number in _ENDING:
        signal.signal(number, _leave)
    journal: Journal | None = None
    view = View(session, drives=not arguments.batch)
    try:
        if _records(arguments):
            journal = open_journal(session, before, lambda text: outlet(results.Note(text)))
        return _converse(arguments, session, outlet, readers, before, journal, view)
    except JournalError as error:
        presenter.show(results.Error("", str(error)))
        return _NOTHING_STARTED
    finally:
        _undisturbed()
        if journal is not None:
            journal.close()
        view.close()
        session.close()


def _records(arguments: Arguments) -> bool:
    return _interactive(arguments) if arguments.journal is None else arguments.journal


def _interactive(arguments: Arguments) -> bool:
    return _at_terminal() and not arguments.batch


def _at_terminal() -> bool:
    # Python has no sys.stdin where the descriptor is closed.
    return sys.stdin is not None and sys.stdin.isatty()


def _preload_prompt() -> None:
    """Import the line editor while the compiler and gdb work; it takes as long as gdb."""
    executor = ThreadPoolExecutor(1)
    executor.submit(import_module, _PROMPT)
    executor.shutdown(wait=False)


def _leave(number: int, _frame: FrameType | None) -> None:
    # What is raised gets lost where a finalizer is interrupted: then it is raised again.
    signal.signal(signal.SIGALRM, lambda _, frame: _leave(number, frame))
    signal.setitimer(signal.ITIMER_REAL, _AGAIN)
    raise SystemExit(128 + number)


def _undisturbed() -> None:
    """From now on nothing ends it early: gdb is ended, and files go, which must not be left half done."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    for each in _ENDING:
        signal.signal(each, signal.SIG_IGN)


def _converse(
    arguments: Arguments,
    session: Session,
    outlet: Outlet,
    readers: list[Lines],
    before: Earlier | None,
    journal: Journal | None,
    view: View,
) -> int:
    interactive = _interactive(arguments)
    shell = Shell(
        session,
        outlet,
        keyboard=sys.stdin.fileno() if interactive and arguments.stdin is None else None,
        debug=arguments.debug,
    )
    if before is not None and not repeat(session, outlet, shell, before):
        journal = None
        if arguments.batch:
            return shell.status
    if journal is not None:
        shell.keep(journal, [entry.text for entry in before.recorded.entries] if before is not None else [])
    shell.watch(view)
    if arguments.view and not shell.line(Line("view")) and arguments.batch:
        return shell.status
    shell.echo = not arguments.json
    for reader in readers:
        if not shell.script(reader) and arguments.batch:
            return shell.status
    if shell.left or arguments.batch:
        return shell.status
    if interactive:
        shell.echo = False
        if before is None and not readers and not arguments.json:
            outlet.presenter.show(results.Text(_HINT, prose=True))
        prompt = import_module(_PROMPT).PromptReader
        shell.interact(prompt(session, _color(arguments), on_stderr=arguments.json, inbox=view.inbox))
    elif sys.stdin is not None:
        shell.interact(Piped(sys.stdin.fileno(), view.inbox))
    return shell.status


def _readers(arguments: Arguments) -> list[Lines]:
    return [_reader(script) for script in arguments.scripts]


def _reader(script: Script | Inline) -> Lines:
    match script:
        case Script(file):
            return Lines(read_script(file), str(file))
        case Inline(text):
            return Lines([text])


def _options(arguments: Arguments) -> SessionOptions:
    for source in arguments.sources:
        _check_readable(source, of_program=source is not arguments.sources[0])
    if arguments.executable is not None:
        _check_readable(arguments.executable)
    stdin = as_file(arguments.stdin) if arguments.stdin is not None else None
    if stdin is not None:
        _check_readable(stdin)
    encoding = (sys.stdout.encoding or "").lower()
    return SessionOptions(
        sources=arguments.sources,
        executable=arguments.executable,
        arguments=arguments.arguments,
        cflags=arguments.cflags,
        stdin=stdin,
        batch=arguments.batch or not _at_terminal(),
        json=arguments.json,
        debug=arguments.debug,
        width=shutil.get_terminal_size((100, 24)).columns,
        height=_height(arguments),
        color=_color(arguments),
        unicode=encoding.startswith("utf"),
    )


def _check_readable(file: Path, *, of_program: bool = False) -> None:
    """Raises SourceError where a file cannot be read, which may be an argument meant `of_program`."""
    try:
        with file.open("rb"):
            return
    except OSError as error:
        meant = "; what is given to the program stands behind --" if of_program and not file.suffix else ""
        raise SourceError(f"{file} cannot be read: {error.strerror}{meant}") from error
    except ValueError as error:
        raise SourceError(f"{str(file)!r} is no file name") from error


def _check_platform() -> None:
    here = os.uname()
    system, machine = here.sysname, here.machine
    if (system, machine) != ("Linux", "x86_64"):
        raise UsageError(f"Wolverine runs on Linux on x86-64 only; this is {system} on {machine}")


def _color(arguments: Arguments) -> bool:
    return (
        arguments.color
        and not arguments.json
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
        and sys.stdout.isatty()
    )


def _presenter(arguments: Arguments) -> Presenter:
    if arguments.json:
        return JsonPresenter(sys.stdout, sys.stderr)
    terminal = sys.stdout.isatty() and sys.stderr.isatty()  # in a file a sentence is one line
    width = shutil.get_terminal_size().columns if terminal else 0
    return TextPresenter(sys.stdout, sys.stderr, _color(arguments), width, _height(arguments))


def _height(arguments: Arguments) -> int:
    """The rows that somebody at the prompt sees at once; 0 where nobody is."""
    if arguments.batch or arguments.json or not _at_terminal() or not sys.stdout.isatty():
        return 0
    return shutil.get_terminal_size().lines
