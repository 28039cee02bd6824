"""Reading journals back: what was recorded, up to the last command that is whole."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wolverine.errors import JournalError
from wolverine.session.journal import VERSION, Header
from wolverine.session.results import JsonObject

_MOST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Entry:
    """A command as it was given, what was typed into the program meanwhile, and what it answered.

    `ok` is None where the end of the command is missing; `seconds` is how long it took.
    """

    text: str
    inputs: tuple[bytes, ...] = ()
    events: tuple[JsonObject, ...] = ()
    ok: bool | None = None
    undone: bool = False
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Recorded:
    """A journal: `length` bytes of it are whole; `torn` tells that something stood behind them."""

    header: Header
    entries: tuple[Entry, ...]
    length: int
    torn: bool


def read_journal(path: Path) -> Recorded:
    """Read a journal.  Raises JournalError where it cannot be read or makes no sense."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise JournalError(f"the journal {path} is too long to be repeated")
        return understood(path.read_bytes(), str(path))
    except OSError as error:
        raise JournalError(f"the journal {path} cannot be read: {error.strerror}") from error


def understood(data: bytes, name: str = "the journal") -> Recorded:
    """The journal in `data`.

    A last line without its end, or that is no JSON, was torn; it and what belongs to it are left out.
    Raises JournalError for anything else that is no journal.
    """
    lines = data.split(b"\n")
    rest = lines.pop()
    records: list[JsonObject] = []
    ends: list[int] = []
    at = 0
    torn = bool(rest)
    for number, line in enumerate(lines, 1):
        at += len(line) + 1
        record = _record(line)
        if record is None:
            if number < len(lines) or rest:
                raise JournalError(f"line {number} of {name} cannot be understood")
            torn = True
            break
        records.append(record)
        ends.append(at)
    if not records:
        raise JournalError(f"{name} is empty")
    header = _header(records[0], name)
    entries, count = _entries(records, name)
    return Recorded(header, entries, ends[count - 1], torn or count < len(records))


def _record(line: bytes) -> JsonObject | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _entries(records: list[JsonObject], name: str) -> tuple[tuple[Entry, ...], int]:
    """The commands, and how many of the records belong to the whole ones."""
    entries: list[Entry] = []
    whole, at = 1, 1
    while at < len(records):
        first = records[at]
        if first.get("type") != "command":
            raise JournalError(f"line {at + 1} of {name} belongs to no command")
        end = at + 1
        while end < len(records) and records[end].get("type") in ("input", "result"):
            end += 1
        done = records[end] if end < len(records) and records[end].get("type") == "done" else None
        events = tuple(_checked(r.get("event"), dict, name) for r in records[at:end] if r["type"] == "result")
        if done is None and (end < len(records) or not events):
            if end < len(records):
                raise JournalError(f"line {end + 1} of {name} stands where a command should end")
            break
        typed = (_checked(r.get("data"), str, name) for r in records[at:end] if r["type"] == "input")
        entries.append(
            Entry(
                _checked(first.get("text"), str, name),
                tuple(each.encode("utf-8", "surrogateescape") for each in typed),
                events,
                None if done is None else done.get("ok") is True,
                done is not None and done.get("undone") is True,
                _seconds(done),
            )
        )
        at = end + (done is not None)
        whole = at
    return tuple(entries), whole


def _seconds(done: JsonObject | None) -> float:
    seconds = done.get("seconds") if done is not None else None
    return float(seconds) if isinstance(seconds, (int, float)) and 0 <= seconds < 1e9 else 0.0


def _header(record: JsonObject, name: str) -> Header:
    if record.get("type") != "session":
        raise JournalError(f"{name} is no journal of a session")
    if record.get("version") != VERSION:
        raise JournalError(f"{name} was written by another version of Wolverine")
    files = _checked(record.get("files"), dict, name)
    return Header(
        started=_checked(record.get("started"), str, name),
        directory=_checked(record.get("directory"), str, name),
        sources=_texts(record.get("sources"), name),
        executable=_optional(record.get("executable"), name),
        arguments=_texts(record.get("arguments"), name),
        cflags=_texts(record.get("cflags"), name),
        stdin=_optional(record.get("stdin"), name),
        batch=record.get("batch") is True,
        files={key: _checked(value, str, name) for key, value in files.items()},
    )


def _texts(value: Any, name: str) -> tuple[str, ...]:
    return tuple(_checked(each, str, name) for each in _checked(value, list, name))


def _optional(value: Any, name: str) -> str | None:
    return None if value is None else str(_checked(value, str, name))


def _checked(value: Any, kind: type, name: str) -> Any:
    if not isinstance(value, kind):
        raise JournalError(f"{name} lacks what a journal has to tell")
    return value
