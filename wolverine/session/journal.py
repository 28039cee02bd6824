"""The journal of a session: every command and what came of it, as JSON lines in a private file.

The first line is the header.  Then come, for each command, a `command` line, an `input` line for each
piece that the user typed into the program, a `result` line for each result, and a `done` line.  The
command is written before it is carried out, the rest after it in one piece; a `spec` waits until the
disk has it.  What a power cut or a full disk leaves behind is cut off by the reader.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wolverine.errors import JournalError
from wolverine.session import results
from wolverine.session.results import JsonObject

VERSION = 1
# A longer picture is recorded by its hash: enough to see whether a replay comes to the same one.
LONGEST_GRAPH = 16 << 10  # bytes
LARGEST_HEAP = 2000  # nodes
LONGEST_OUTPUT = 64 << 10  # characters of the program's output in one command
_MOST_WAITING = 64 << 20  # bytes that are kept for a disk that is full


@dataclass(frozen=True, slots=True)
class Header:
    """What was debugged, and how.  `files` are absolute paths with the SHA-256 of their bytes."""

    started: str
    directory: str
    sources: tuple[str, ...]
    executable: str | None
    arguments: tuple[str, ...]
    cflags: tuple[str, ...]
    stdin: str | None
    batch: bool
    files: Mapping[str, str]

    def as_record(self) -> JsonObject:
        """The first line of the file."""
        return {
            "type": "session",
            "version": VERSION,
            "started": self.started,
            "directory": self.directory,
            "sources": list(self.sources),
            "executable": self.executable,
            "arguments": list(self.arguments),
            "cflags": list(self.cflags),
            "stdin": self.stdin,
            "batch": self.batch,
            "files": dict(self.files),
        }


def fingerprint(file: Path) -> str:
    """The SHA-256 of a file's bytes.  Raises OSError."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def recorded(result: results.Result) -> JsonObject:
    """The event as the journal keeps it: a long picture as the hash of its essence.

    Of a heap too large to be written out at every stop, the numbers of nodes and cells are its essence.
    """
    if isinstance(result, results.Graph) and result.graph is not None:
        size = (len(result.graph.nodes), len(result.graph.cells))
        if size[0] > LARGEST_HEAP:
            return {"event": "graph", "sha256": hashlib.sha256(repr(size).encode()).hexdigest()}
    event = result.as_event()
    if event.get("event") != "graph" or len(json.dumps(event)) <= LONGEST_GRAPH:
        return event
    whole = json.dumps(essence(event), sort_keys=True)
    return {"event": "graph", "sha256": hashlib.sha256(whole.encode()).hexdigest()}


def essence(event: JsonObject) -> JsonObject | None:
    """What of an event is the same when the session is repeated; None for events that may differ."""
    keys = _ESSENTIAL.get(str(event.get("event")))
    if keys is None:
        return None
    return {"event": event["event"], **{key: _steady(event.get(key)) for key in keys}}


_ESSENTIAL: Mapping[str, tuple[str, ...]] = {
    "stopped": ("reason", "line", "function"),
    "graph": ("nodes", "places", "sha256"),
    "spec": ("checkpoint", "line", "function"),
    "changed": ("place", "from", "to"),
    "repaired": ("patch",),
    "no-repair": ("reason",),
    "resumed": ("checkpoint", "line"),
    "exited": ("code",),
    "signalled": ("signal", "line"),
}


def _steady(value: Any) -> Any:
    """Addresses may be others in another process: of the stack, say, behind a longer environment."""
    match value:
        case {"address": _} | {"wild": _}:
            return "an address"
        case dict():
            return {str(key): _steady(each) for key, each in value.items()}
        case list() | tuple():
            return [_steady(each) for each in value]
        case _:
            return value


class Journal:
    """A journal that is written.  The file is locked: a second process cannot append to it.

    What cannot be written waits for the next command; `warn` is told once, in a sentence.
    Raises JournalError where the file is in use, OSError where it cannot be opened.
    """

    def __init__(self, path: Path, warn: Callable[[str], None], *, header: Header | None = None) -> None:
        self.path = path
        self._warn = warn
        kind = os.O_CREAT | os.O_EXCL if header is not None else 0
        self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC | kind, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise JournalError(f"session {path.stem} is in use by another process") from None
        self._length = os.lseek(self._file, 0, os.SEEK_END)
        self._waiting: list[bytes] = []
        self._written = 0
        self._began = 0.0
        self._failed = False
        self._sure = False
        if header is not None:
            self._append(header.as_record())
            self._flush()

    def cut(self, length: int) -> None:
        """Drop what stands behind `length` bytes: a torn line, a command that was not ended."""
        os.ftruncate(self._file, length)
        self._length = length

    def begin(self, text: str) -> None:
        """A command is about to be carried out."""
        self._sure = False
        self._written = 0
        self._began = time.monotonic()
        self._append({"type": "command", "text": text})
        self._flush()

    def input(self, data: bytes) -> None:
        """The user typed this into the program."""
        self._append({"type": "input", "data": data.decode("utf-8", "surrogateescape")})

    def result(self, result: results.Result) -> None:
        """What the command answers."""
        self._sure = self._sure or isinstance(result, results.SpecAdded)
        if isinstance(result, results.Output):
            self._written += len(result.text)
            if self._written > LONGEST_OUTPUT:
                return
        self._append({"type": "result", "event": recorded(result)})

    def end(self, ok: bool, undone: bool = False) -> None:
        """The command is through; `undone` when the session is as before it (interrupted, gdb killed)."""
        seconds = round(time.monotonic() - self._began, 3)
        if (omitted := self._written - LONGEST_OUTPUT) > 0:
            self._append({"type": "result", "event": {"event": "output", "text": "", "omitted": omitted}})
        self._append({"type": "done", "ok": ok, "undone": undone, "seconds": seconds})
        self._flush()

    def close(self) -> None:
        """Release the file; may be called again."""
        if self._file >= 0:
            self._flush()
            os.close(self._file)
            self._file = -1

    def _append(self, record: JsonObject) -> None:
        self._waiting.append(json.dumps(record).encode() + b"\n")

    def _flush(self) -> None:
        if self._file < 0:
            return
        data = b"".join(self._waiting)
        try:
            self._write(data)
            if self._sure:
                os.fsync(self._file)
        except OSError as error:
            self._lost(error, len(data))
            return
        self._waiting.clear()
        self._failed = False

    def _write(self, data: bytes) -> None:
        at = self._length
        try:
            while data:
                done = os.pwrite(self._file, data, at)
                data, at = data[done:], at + done
        except OSError:
            # A half line in the middle would make all that follows unreadable.
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._length)
            raise
        self._length = at

    def _lost(self, error: OSError, size: int) -> None:
        if size > _MOST_WAITING:
            self._waiting.clear()
            os.close(self._file)
            self._file = -1
            self._warn("the journal is given up: it could not be written for too long")
        elif not self._failed:
            self._failed = True
            self._warn(
                f"the journal cannot be written ({error.strerror}); the session goes on, and what is "
                "missing is written with a later command if that succeeds"
            )
