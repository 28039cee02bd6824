"""Keys typed ahead of a prompt as lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from prompt_toolkit.input import Input, create_pipe_input
from prompt_toolkit.input.typeahead import clear_typeahead, get_typeahead, store_typeahead
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyPress

from wolverine.shell.ahead import TypedAhead


@pytest.fixture
def source() -> Iterator[Input]:
    with create_pipe_input() as pipe:
        yield pipe
        clear_typeahead(pipe)


def _typed(source: Input, text: str) -> TypedAhead:
    keys: list[KeyPress] = []
    Vt100Parser(keys.append).feed_and_flush(text)
    store_typeahead(source, keys)
    return TypedAhead(source)


def test_lines_come_one_by_one_and_what_is_no_line_stays(source: Input) -> None:
    ahead = _typed(source, "5 6\r\rx")
    assert [ahead.line(), ahead.line(), ahead.line()] == [b"5 6\n", b"\n", b""]
    assert "".join(key.data for key in get_typeahead(source)) == "x"


def test_the_end_of_input_ends_a_line_too(source: Input) -> None:
    ahead = _typed(source, "a\x04\x04b\r")
    assert [ahead.line(), ahead.line(), ahead.line()] == [b"a\x04", b"\x04", b"b\n"]


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("12\x7f3\r", b"13\n"),
        ("12\x153\r", b"3\n"),
        ("1\x1b[A2\r", b"12\n"),
        ("1\t2\r", b"1\t2\n"),
        ("\u00e9\r", "\u00e9\n".encode()),
        ("\x7f1\r", b"1\n"),
    ],
)
def test_a_line_is_edited_as_a_terminal_does(source: Input, keys: str, line: bytes) -> None:
    assert _typed(source, keys).line() == line


def test_several_lines_pasted_come_one_by_one(source: Input) -> None:
    ahead = _typed(source, "\x1b[200~1\n2\n3\x1b[201~4\r")
    assert [ahead.line(), ahead.line(), ahead.line(), ahead.line()] == [b"1\n", b"2\n", b"34\n", b""]


def test_the_beginning_of_a_line_is_taken_with_what_ends_it(source: Input) -> None:
    ahead = _typed(source, "5 ")
    assert (ahead.line(), ahead.begun(), ahead.begun()) == (b"", b"5 ", b"")


def test_text_is_put_before_and_behind(source: Input) -> None:
    ahead = _typed(source, "2\r")
    ahead.add("3\r4\r")
    ahead.insert("0\n1\n")
    assert [ahead.line() for _ in range(6)] == [b"0\n", b"1\n", b"2\n", b"3\n", b"4\n", b""]
