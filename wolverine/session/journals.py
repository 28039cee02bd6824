"""The user's journals: a folder that only the user can read, one file for each session."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from wolverine.config import private_directory, state_dir
from wolverine.errors import JournalError
from wolverine.session.journal import Header, Journal, fingerprint
from wolverine.session.journal_reading import Recorded, read_journal
from wolverine.session.options import SessionOptions

KEPT = 50
_ENDING = ".jsonl"


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of the list of sessions; `reason` tells why it cannot be repeated ("": it can)."""

    name: str
    started: str
    program: str
    commands: int
    reason: str


def folder() -> Path:
    """Where the journals are; it need not exist yet."""
    return state_dir() / "sessions"


def begin_journal(
    options: SessionOptions, files: tuple[str, ...], warn: Callable[[str], None]
) -> Journal | None:
    """A new journal for a session of these options; `files` are all sources of the program.

    Where none can be written `warn` is told, and the answer is None.
    """
    try:
        home = private_directory(folder())
        home.chmod(0o700)
        _prune(home)
        header = _header(options, files)
        stem = Path((*header.sources, header.executable or "program")[0]).stem
        base = f"{datetime.now():%Y%m%d-%H%M%S}-{re.sub(r'[^A-Za-z0-9_.]+', '_', stem)[:40]}"
        for number in range(1, 100):
            path = home / f"{base}{f'-{number}' if number > 1 else ''}{_ENDING}"
            with contextlib.suppress(FileExistsError):
                return Journal(path, warn, header=header)
        raise OSError(None, "all names are taken")
    except OSError as error:
        warn(f"no journal is kept of this session: {error.strerror}")
        return None


def _header(options: SessionOptions, files: tuple[str, ...]) -> Header:
    read = [*options.sources, *map(Path, files)]
    read += [each for each in (options.executable, options.stdin) if each is not None]
    prints: dict[str, str] = {}
    for each in read:
        with contextlib.suppress(OSError):
            if each.is_file():
                prints[str(each.resolve())] = fingerprint(each)
    return Header(
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        directory=str(Path.cwd()),
        sources=tuple(map(str, options.sources)),
        executable=str(options.executable) if options.executable is not None else None,
        arguments=options.arguments,
        cflags=options.cflags,
        stdin=str(options.stdin) if options.stdin is not None else None,
        batch=options.batch,
        files=prints,
    )


def _prune(home: Path) -> None:
    """Remove the oldest journals that nobody writes."""
    for path in sorted(home.glob(f"*{_ENDING}"), reverse=True)[KEPT - 1 :]:
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_RDONLY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
            finally:
                os.close(descriptor)


def sessions() -> list[Listed]:
    """All recorded sessions, the newest first."""
    return [_listed(path) for path in _paths()]


def _paths() -> list[Path]:
    try:
        return sorted(folder().glob(f"*{_ENDING}"), reverse=True)
    except OSError:
        return []


def _in_use(path: Path) -> bool:
    """Whether a process writes the journal."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def _listed(path: Path) -> Listed:
    try:
        found = checked(path)
    except JournalError as error:
        return Listed(path.stem, "", "", 0, str(error))
    header = found.header
    program = " ".join((*header.sources, *([header.executable] if header.executable else [])))
    return Listed(path.stem, header.started, program, len(found.entries), changed_since(header))


def checked(path: Path) -> Recorded:
    """A journal of this user's that nobody else can have written.  Raises JournalError."""
    try:
        status = path.stat()
    except OSError as error:
        raise JournalError(f"the journal {path} cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(status.st_mode):
        raise JournalError(f"{path} is no file")
    if status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise JournalError(f"others can write the journal {path}: it is not repeated")
    return read_journal(path)


def changed_since(header: Header) -> str:
    """Why the session cannot be repeated, because of a file that is not what it was; "" if all are."""
    for name, known in header.files.items():
        try:
            if fingerprint(Path(name)) != known:
                return f"{name} has changed since"
        except OSError as error:
            return f"{name} cannot be read: {error.strerror}"
    return ""


def find(wanted: str, sources: tuple[Path, ...] = ()) -> Path:
    """The journal of the session `wanted`: its name, a part of it that no other has, or a source.

    "" is the newest session, of `sources` where some are given; one that goes on elsewhere only where there
    is no other.  Raises JournalError.
    """
    paths = _paths()
    if not paths:
        raise JournalError("no sessions are recorded")
    named = [path for path in paths if path.stem == wanted]
    if named:
        return named[0]
    files = {str(each.resolve()) for each in sources}
    if wanted and Path(wanted).is_file():
        files = {str(Path(wanted).resolve())}
    if files or not wanted:
        paths.sort(key=_in_use)
    if files:
        for path in paths:
            with contextlib.suppress(JournalError):
                if files <= set(checked(path).header.files):
                    return path
        raise JournalError(f"no session of {', '.join(sorted(files))} is recorded")
    alike = [path for path in paths if wanted in path.stem]
    if not alike:
        raise JournalError(f"there is no session {wanted}; `wolverine sessions` lists them")
    if whole := [path for path in alike if wanted and path.stem.endswith(f"-{wanted}")]:
        return min(whole, key=_in_use)  # the newest of a source
    if wanted and len(alike) > 1:
        raise JournalError(f"{wanted} could be {alike[0].stem} or {alike[1].stem}; write more of it")
    return alike[0]
