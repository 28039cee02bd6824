"""From the command line to a running session, and to the exit status."""

from __future__ import annotations

import gc
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from types import FrameType

from wolverine.cli.arguments import Arguments, Inline, Script, read_arguments, read_fix
from wolverine.cli.fixing import fix
from wolverine.cli.resuming import Earlier, as_recorded, earlier, open_journal, repeat
from wolverine.cli.starting import (
    at_terminal,
    check_platform,
    presenter_for,
    session_options,
    tolerate_any_text,
    with_color,
)
from wolverine.config import COLLECTED
from wolverine.errors import JournalError, UsageError, WolverineError
from wolverine.page.view import View
from wolverine.session import results
from wolverine.session.journal import Journal
from wolverine.session.session import Session
from wolverine.shell.inbox import Piped
from wolverine.shell.lines import Line, Lines
from wolverine.shell.loop import Outlet, Shell, read_script
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
    tolerate_any_text()
    gc.set_threshold(*COLLECTED)
    given = sys.argv[1:] if argv is None else argv
    if list(given) == ["sessions"]:
        print(session_list(), end="")
        return 0
    if list(given[:1]) == ["campaign"]:
        # Imported here: who debugs a program need not wait for it.
        return int(import_module("wolverine.campaign.command").main(given[1:]))
    try:
        arguments = read_fix(given[1:]) if list(given[:1]) == ["fix"] else read_arguments(given)
    except UsageError as error:
        print(f"wolverine: {error}", file=sys.stderr)
        return _NOTHING_STARTED
    try:
        return _run(arguments)
    except BrokenPipeError:
        # Nobody reads what is still buffered; without this Python complains at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _run(arguments: Arguments) -> int:
    presenter = presenter_for(arguments)
    outlet = Outlet(presenter)
    try:
        check_platform()
        readers = _readers(arguments)
        before = earlier(arguments)
        options = session_options(as_recorded(arguments, before) if before is not None else arguments)
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
    return at_terminal() and not arguments.batch


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
    if before is not None:
        shell.recall([entry.text for entry in before.recorded.entries])
    if journal is not None:
        shell.keep(journal)
    shell.watch(view)
    if arguments.view and not shell.line(Line("view")) and arguments.batch:
        return shell.status
    shell.echo = not arguments.json
    if arguments.fixing is not None:
        return fix(session, outlet, shell, arguments.fixing)
    for reader in readers:
        if not shell.script(reader) and arguments.batch:
            return shell.status
    if shell.left or arguments.batch:
        return shell.status
    if interactive:
        shell.echo = False
        if before is None and not readers and not arguments.json:
            outlet.presenter.show(results.Text(_HINT, prose=True))
        reader = import_module(_PROMPT).PromptReader
        prompt = reader(session, with_color(arguments), on_stderr=arguments.json, inbox=view.inbox)
        shell.interact(prompt, ahead=prompt.ahead)
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
