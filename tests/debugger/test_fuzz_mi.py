"""Whatever gdb sends, or something in its place: an answer, an error of ours, or nothing; no hang."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wolverine.core.process import Reason
from wolverine.debugger.mi import Gdb
from wolverine.debugger.stops import reason_of, words
from wolverine.debugger.terminal import Terminal
from wolverine.errors import DebuggerError, DebuggerLostError

RECORDS = st.sampled_from(
    [
        b"^done", b'^done,value="1"', b"1^done", b"1^error", b'1^error,msg="x"', b"1^running", b"*running",
        b'*stopped,reason="exited",reason="signal-received"', b'~"text\\n"', b'&"log\\n"', b"(gdb) ",
        b"=x,y=[", b"*stopped,frame={", b'1^done,a={b=[c="\\', b"99999999999^done", b"\xff\xfe", b"{" * 500,
        b'~"' + b"\\" * 99,
        b"1^done,x=[" + b"[" * 300, b'=thread-group-started,id="i1",pid="x"', b"\x1b[2J",
    ]
)  # fmt: skip
LINES = RECORDS | st.binary(max_size=60)
PUPPET = """\
import sys
data = open(sys.argv[1], "rb").read()
sys.stdin.buffer.raw.readline() if hasattr(sys.stdin.buffer, "raw") else sys.stdin.readline()
sys.stdout.buffer.write(data)
sys.stdout.buffer.flush()
"""


@pytest.fixture(scope="module")
def terminal() -> Terminal:
    return Terminal(lambda data: None)


@given(st.lists(LINES, max_size=8).map(b"\n".join))
@settings(deadline=None)
def test_no_record_makes_the_reader_stumble(terminal: Terminal, data: bytes) -> None:
    gdb = Gdb(["cat"], terminal)
    try:
        for line in data.split(b"\n"):
            gdb._record(line.decode("utf-8", "replace").rstrip("\r"))
        assert all(isinstance(stop, dict) for stop in gdb.stops)
    finally:
        gdb.close()


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"garbage\n" * 1000,
        b"^done\n",
        b"1^done\n",
        b'1^error,msg="no"\n',
        b"\xff" * 5000 + b"\n",
        b"1^done",
    ],
)
def test_a_command_to_something_that_is_no_gdb_ends(
    tmp_path: Path, terminal: Terminal, answer: bytes
) -> None:
    script, text = tmp_path / "puppet.py", tmp_path / "answer"
    script.write_text(PUPPET)
    text.write_bytes(answer)
    gdb = Gdb([sys.executable, str(script), str(text)], terminal)
    try:
        assert gdb.command("-list-features").kind == "done"
        assert answer in (b"1^done\n", b"1^done,x=[\n")
    except DebuggerLostError:
        assert not answer.startswith(b"1^") or not answer.endswith(b"\n")
    except DebuggerError as error:
        assert str(error) == "no"
    finally:
        gdb.close()


@given(st.lists(LINES, max_size=8).map(b"\n".join), st.lists(st.integers(1, 40), min_size=1, max_size=20))
@settings(deadline=None)
def test_it_does_not_matter_in_which_pieces_records_arrive(
    terminal: Terminal, data: bytes, sizes: list[int]
) -> None:
    whole, pieces = Gdb(["cat"], terminal), Gdb(["cat"], terminal)
    read, write = os.pipe()
    try:
        for gdb, cuts in ((whole, [len(data) + 1]), (pieces, sizes)):
            left, at = data + b"\n", 0
            while left:
                size = cuts[at % len(cuts)]
                os.write(write, left[:size])
                left, at = left[size:], at + 1
                gdb._output, own = read, gdb._output
                gdb._receive()
                gdb._output = own
        assert list(whole.stops) == list(pieces.stops)
        assert whole._results == pieces._results
        assert (whole.printed(), whole.running) == (pieces.printed(), pieces.running)
    finally:
        for gdb in (whole, pieces):
            gdb.close()
        os.close(read)
        os.close(write)


TEXT = st.text(max_size=8) | st.sampled_from(
    ["signal-received", "exited", "breakpoint-hit", "0x1f", "7", "SIGSEGV"]
)
VALUES = st.recursive(
    TEXT | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
STOPS = st.dictionaries(
    st.sampled_from(
        ["reason", "signal-name", "signal-meaning", "bkptno", "wpt", "value", "frame", "return-value",
         "gdb-result-var", "wpnum", "exit-code", "hw-rwpt", "hw-awpt"]
    ),
    VALUES,
)  # fmt: skip


@given(STOPS, st.sampled_from([None, "budget", "interrupt"]), st.text(max_size=10))
@settings(deadline=None)
def test_every_stop_record_has_a_reason_and_words(
    stop: dict[str, object], cause: str | None, said: str
) -> None:
    assert reason_of(stop, cause) in get_args(Reason)
    assert isinstance(words(stop, said), str)
