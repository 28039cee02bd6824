"""`wolverine --resume`: the commands of a journal carried out anew, up to the same point."""

from __future__ import annotations

import os
import re
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from wolverine.errors import JournalError, WolverineError
from wolverine.session import commands, results
from wolverine.session.commands import GdbCommand, SessionCommand
from wolverine.session.journal import essence, recorded
from wolverine.session.journal_reading import Entry
from wolverine.session.parse import parse_command
from wolverine.session.results import JsonObject
from wolverine.shell.running import Debuggee, Runner

# What only looks at the session, or writes files that have been written.
_LOOKING = (
    commands.Candidates,
    commands.Checkpoints,
    commands.Graph,
    commands.Localize,
    commands.Rewrite,
    commands.Save,
    commands.View,
    commands.Why,
)
_OUTSIDE = re.compile(r"(!|shell\b|make\b|pipe\b|\||dump\b|generate-core-file\b|gcore\b|edit\b)")
_MOST_WAIT = 1.0  # seconds until a command that was interrupted then is interrupted now


class Replay:
    """Repeats commands on a session without showing what they answer.

    `divert` makes the session's results go to the function that it is given, until None is given.
    """

    def __init__(
        self,
        execute: Callable[[SessionCommand], None],
        debuggee: Debuggee,
        divert: Callable[[Callable[[results.Result], None] | None], None],
    ) -> None:
        self._execute = execute
        self._debuggee = debuggee
        self._divert = divert
        self._heard: list[JsonObject] = []

    def __call__(self, entries: Sequence[Entry]) -> None:
        """Carry the entries out.  Raises JournalError where one comes out differently than before."""
        self._divert(lambda result: self._heard.append(recorded(result)))
        try:
            for number, entry in enumerate(entries, 1):
                self._repeat(number, entry)
        finally:
            self._divert(None)

    def _repeat(self, number: int, entry: Entry) -> None:
        command = command_of(entry)
        if command is None:
            return
        self._heard.clear()
        failed = False
        with _typing(entry.inputs) as keyboard, self._interrupting(entry):
            runner = Runner(self._debuggee, keyboard, lambda text: None)
            try:
                runner.run(lambda: self._execute(command))
            except WolverineError:
                failed = True
        if interrupted(entry):
            return
        failed = failed or any(event.get("event") == "no-repair" for event in self._heard)
        if entry.ok is not None and failed is entry.ok:
            how = "fails now" if failed else "succeeds now"
            raise JournalError(f"command {number} (`{entry.text}`) {how}; the replay ends before it")
        if entry.ok is not None and _essential(self._heard) != _essential(entry.events):
            raise JournalError(
                f"command {number} (`{entry.text}`) comes out differently than in the session; "
                "the replay ends behind it"
            )

    @contextmanager
    def _interrupting(self, entry: Entry) -> Iterator[None]:
        """What was interrupted then, or ended by the step budget, is interrupted soon."""
        if not interrupted(entry):
            yield
            return
        wait = entry.seconds if _searching(entry) else min(entry.seconds, _MOST_WAIT)
        timer = threading.Timer(wait, self._debuggee.interrupt)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()


def command_of(entry: Entry) -> SessionCommand | None:
    """The command to repeat; None where nothing is to be done again.  Raises JournalError."""
    if entry.undone:
        return None
    try:
        command = parse_command(entry.text)
    except WolverineError as error:
        raise JournalError(f"`{entry.text}` is no command of this version: {error}") from error
    if isinstance(command, commands.ShellCommand):
        return None
    outside = isinstance(command, GdbCommand) and _OUTSIDE.match(command.text)
    return None if outside or isinstance(command, _LOOKING) else command


def interrupted(entry: Entry) -> bool:
    """Whether a clock or the user ended the command: it does not end at the same place again."""
    return _searching(entry) or any(
        event.get("event") == "stopped" and event.get("reason") in ("interrupt", "budget", "memory")
        for event in entry.events
    )


def _searching(entry: Entry) -> bool:
    """Whether the user ended a search."""
    return any(
        event.get("event") == "no-repair" and event.get("reason") == "interrupted" for event in entry.events
    )


def _essential(events: Sequence[JsonObject]) -> list[JsonObject]:
    return [found for event in events if (found := essence(event)) is not None]


@contextmanager
def _typing(inputs: Sequence[bytes]) -> Iterator[int | None]:
    """A keyboard at which the recorded input lies ready, piece by piece."""
    if not inputs:
        yield None
        return
    # Each piece arrives by itself, as it was typed.
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        writer = threading.Thread(target=_write, args=(ours.fileno(), tuple(inputs)), daemon=True)
        writer.start()
        yield theirs.fileno()
    finally:
        theirs.close()
        ours.close()


def _write(descriptor: int, inputs: Sequence[bytes]) -> None:
    for piece in inputs:
        try:
            os.write(descriptor, piece)
        except OSError:
            return
