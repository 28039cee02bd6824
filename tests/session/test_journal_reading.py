"""The journal's file: what is written is read back, whatever a full disk or a power cut left of it."""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wolverine.errors import JournalError
from wolverine.session import results
from wolverine.session.journal import LONGEST_OUTPUT, Header, Journal
from wolverine.session.journal_reading import read_journal, understood

HEADER = Header("2026-01-02T03:04:05+00:00", "/", ("a.c",), None, ("-x",), (), None, False, {"/a.c": "00"})
STOPPED = results.Stopped("step", "a.c", 3, "main", "x = 1;")


def write(path: Path, count: int = 3) -> Journal:
    journal = Journal(path, lambda text: None, header=HEADER)
    for number in range(count):
        journal.begin(f"command {number}")
        journal.input(b"typed \xff\n")
        journal.result(STOPPED)
        journal.end(number != 1)
    return journal


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    write(path).close()
    found = read_journal(path)
    assert found.header == HEADER
    assert [entry.text for entry in found.entries] == ["command 0", "command 1", "command 2"]
    assert [entry.ok for entry in found.entries] == [True, False, True]
    assert found.entries[0].inputs == (b"typed \xff\n",)
    assert found.entries[0].events == (STOPPED.as_event(),)
    assert (found.length, found.torn) == (path.stat().st_size, False)


def test_every_torn_end_leaves_the_whole_commands(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    write(path).close()
    data = path.read_bytes()
    first = data.index(b"\n") + 1
    for length in range(first, len(data)):
        found = understood(data[:length])
        assert [entry.text for entry in found.entries] == [f"command {n}" for n in range(len(found.entries))]
        assert found.length <= length
        again = understood(data[: found.length])
        assert again.entries == found.entries
        assert not again.torn
    assert len(understood(data[:-1]).entries) == 3


def test_a_line_broken_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    write(path).close()
    lines = path.read_bytes().split(b"\n")
    lines[3] = b"{"
    with pytest.raises(JournalError, match="line 4"):
        understood(b"\n".join(lines))


def test_two_processes_do_not_write_one_journal(tmp_path: Path) -> None:
    journal = write(tmp_path / "one.jsonl")
    with pytest.raises(JournalError, match="in use"):
        Journal(tmp_path / "one.jsonl", lambda text: None)
    journal.close()
    Journal(tmp_path / "one.jsonl", lambda text: None).close()


def test_a_flood_of_output_is_cut_and_said(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "one.jsonl", lambda text: None, header=HEADER)
    journal.begin("continue")
    for _ in range(100):
        journal.result(results.Output("x" * LONGEST_OUTPUT))
    journal.end(True)
    journal.close()
    (entry,) = read_journal(tmp_path / "one.jsonl").entries
    assert entry.events[-1]["omitted"] == 99 * LONGEST_OUTPUT
    assert (tmp_path / "one.jsonl").stat().st_size < 3 * LONGEST_OUTPUT


@contextmanager
def files_end_at(size: int) -> Iterator[None]:
    """No file grows beyond `size` bytes, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_said_once_and_nothing_is_lost_when_there_is_room_again(tmp_path: Path) -> None:
    said: list[str] = []
    path = tmp_path / "one.jsonl"
    journal = Journal(path, said.append, header=HEADER)
    with files_end_at(path.stat().st_size + 100):
        for number in range(3):
            journal.begin(f"command {number}")
            journal.result(STOPPED)
            journal.end(True)
        assert len(said) == 1
        assert os.strerror(27) in said[0]
        assert len(read_journal(path).entries) == 0
    journal.begin("command 3")
    journal.end(True)
    journal.close()
    assert [entry.text for entry in read_journal(path).entries] == [f"command {n}" for n in range(4)]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_KINDS = st.sampled_from(["session", "command", "input", "result", "done"]) | _JSON
_RECORD = st.fixed_dictionaries(
    {"type": _KINDS},
    optional={"text": _JSON, "data": _JSON, "event": _JSON, "ok": _JSON, "seconds": _JSON, "undone": _JSON},
)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_make_the_reader_stumble(data: bytes) -> None:
    with pytest.raises(JournalError):
        understood(data)


@settings(deadline=None)
@given(st.lists(_RECORD, max_size=8), st.binary(max_size=10))
def test_no_records_make_the_reader_stumble(records: list[object], tail: bytes) -> None:
    lines = [json.dumps(each).encode() for each in (HEADER.as_record(), *records)]
    try:
        found = understood(b"\n".join([*lines, tail]))
    except JournalError:
        return
    assert all(isinstance(entry.text, str) for entry in found.entries)


@settings(deadline=None)
@given(st.integers(1, 100_000))
def test_deep_nesting_is_no_journal(depth: int) -> None:
    with pytest.raises(JournalError):
        understood(b'{"type":' + b"[" * depth + b"\n\n")


def test_a_spec_waits_until_the_disk_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.jsonl"
    journal = Journal(path, lambda text: None, header=HEADER)
    on_disk: list[list[str]] = []

    def noting(descriptor: int) -> None:
        on_disk.append([entry.text for entry in read_journal(path).entries])

    monkeypatch.setattr(os, "fsync", noting)
    for text, result in (
        ("next", STOPPED),
        ("spec", results.SpecAdded(0, "a.c", 3, "main")),
        ("next", STOPPED),
    ):
        journal.begin(text)
        journal.result(result)
        journal.end(True)
    journal.close()
    assert on_disk == [["next", "spec"]]
