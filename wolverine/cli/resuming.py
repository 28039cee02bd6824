"""`--resume`: the program and the options of a recorded session, its commands repeated."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from wolverine.cli.arguments import Arguments
from wolverine.errors import JournalError
from wolverine.session import results
from wolverine.session.journal import Journal
from wolverine.session.journal_reading import Recorded
from wolverine.session.journals import begin_journal, changed_since, checked, find
from wolverine.session.session import Session
from wolverine.shell.loop import Outlet, Shell
from wolverine.shell.replaying import Replay


@dataclass(frozen=True, slots=True)
class Earlier:
    """The recorded session that is taken up again."""

    path: Path
    recorded: Recorded


def earlier(arguments: Arguments) -> Earlier | None:
    """The session that --resume names, None without --resume; its working directory is ours from then on.

    Raises JournalError where there is none, or where it cannot be repeated.
    """
    if arguments.resume is None:
        return None
    path = find(arguments.resume, arguments.sources)
    recorded = checked(path)
    if reason := changed_since(recorded.header):
        raise JournalError(f"session {path.stem} cannot be repeated: {reason}")
    try:
        os.chdir(recorded.header.directory)
    except OSError as error:
        raise JournalError(
            f"session {path.stem} cannot be repeated: {recorded.header.directory}: {error.strerror}"
        ) from error
    return Earlier(path, recorded)


def as_recorded(arguments: Arguments, session: Earlier) -> Arguments:
    """The arguments with what the recorded session was started with."""
    header = session.recorded.header
    return replace(
        arguments,
        sources=tuple(map(Path, header.sources)),
        executable=Path(header.executable) if header.executable is not None else None,
        arguments=header.arguments,
        cflags=header.cflags,
        stdin=Path(header.stdin) if header.stdin is not None else None,
    )


def open_journal(session: Session, before: Earlier | None, warn: Callable[[str], None]) -> Journal | None:
    """The journal to write: that of the earlier session, or a new one.

    Raises JournalError where another process writes it.
    """
    if before is None:
        files = tuple(file.path for file in session.program.files)
        return begin_journal(session.options, files, warn)
    try:
        journal = Journal(before.path, warn)
        journal.cut(before.recorded.length)
    except OSError as error:
        warn(f"the journal is not continued: {error.strerror}")
        return None
    return journal


def repeat(session: Session, outlet: Outlet, shell: Shell, before: Earlier) -> bool:
    """Carry the recorded commands out and show where that leads to; whether all came out as recorded."""
    name, entries = before.path.stem, before.recorded.entries
    try:
        Replay(session.execute, session, outlet.divert)(entries)
    except JournalError as error:
        outlet(results.Error(f"--resume {name}", f"{error}; the session is not recorded any further"))
        session.show()
        shell.status = 1
        return False
    torn = "; what stood behind them was torn off" if before.recorded.torn else ""
    outlet(results.Note(f"session {name} is taken up again: {len(entries)} commands repeated{torn}"))
    session.show()
    return True
