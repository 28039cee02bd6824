"""The shell in a pseudo-terminal: prompt, keys, history, input of the program, escapes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pyte
import pytest
from answering import AnsweringScreen

SHELL = Path(__file__).parent / "scripted_shell.py"
PROMPT = "(wolverine) "


class Screen:
    """A terminal of 80 by 24 that shows what a person would see."""

    def __init__(self, child: pexpect.spawn) -> None:
        self.child = child
        self._screen = AnsweringScreen(child, 80, 24)
        self._stream = pyte.Stream(self._screen)

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    def last(self) -> str:
        return self.text().rpartition("\n")[2]

    def until(self, wanted: str, times: int = 1) -> str:
        """Read until `wanted` can be seen that often; the whole screen then."""
        while self.text().count(wanted) < times:
            try:
                data = self.child.read_nonblocking(4096, timeout=30)
            except (pexpect.EOF, pexpect.TIMEOUT) as error:
                raise AssertionError(f"{wanted} never came; the screen shows:\n{self.text()}") from error
            self._stream.feed(data)
        return self.text()

    def until_prompt(self) -> str:
        """Read until the last line is an empty prompt."""
        return self.until_last(PROMPT.rstrip())

    def until_last(self, line: str) -> str:
        """Read until the last line is this one."""
        while self.last() != line:
            self.until_more()
        return self.text()

    def until_more(self) -> None:
        """Read something."""
        self._stream.feed(self.child.read_nonblocking(4096, timeout=30))

    def type(self, text: str) -> None:
        self.child.send(text)

    def end(self) -> int:
        """Read to the end; the exit status."""
        try:
            while True:
                self.until_more()
        except pexpect.EOF:
            self.child.close()
        return int(self.child.exitstatus)


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm"}
    child = pexpect.spawn(
        sys.executable, [str(SHELL)], env=environment, dimensions=(24, 80), encoding="utf-8", timeout=30
    )
    yield Screen(child)
    child.close(force=True)


def test_a_session_at_the_keyboard(screen: Screen, tmp_path: Path) -> None:
    screen.until_prompt()
    screen.type("next 2\r")
    screen.until("did next 2")
    screen.until_prompt()
    screen.type("\r")
    screen.until("did next 2", times=2)
    screen.type("quit\r")
    assert screen.end() == 0
    history = tmp_path / "wolverine" / "history"
    assert "+next 2" in history.read_text()
    assert history.stat().st_mode & 0o077 == 0


def test_tab_completes_and_ctrl_c_clears_the_line(screen: Screen) -> None:
    screen.until_prompt()
    screen.type("rew\t")
    screen.until("(wolverine) rewrite")
    screen.type("\x03")
    screen.until_prompt()
    screen.type("next\r")
    screen.until("did next")
    screen.until_prompt()
    screen.type("\x04")
    assert screen.end() == 0


def test_a_long_list_of_completions_asks_nothing(screen: Screen) -> None:
    screen.until_prompt()
    screen.type("info \t\t")
    screen.until("(and more: type on)")
    screen.until_last("(wolverine) info")
    screen.type("\x03")
    screen.until_prompt()
    screen.type("next\r")
    screen.until("did next")


def test_ctrl_c_stops_what_runs_and_the_shell_goes_on(screen: Screen) -> None:
    screen.until_prompt()
    screen.type("continue\r")
    screen.until("running")
    screen.type("\x03")
    screen.until("reverse () at list.c:7")
    screen.until_prompt()
    screen.type("next\r")
    screen.until("did next")


def test_what_is_typed_ahead_waits_for_its_turn(screen: Screen) -> None:
    screen.until_prompt()
    screen.type("next 1\rnext 2\rnext 3\rquit\r")
    assert screen.end() == 0
    text = screen.text()
    assert text.index("did next 1") < text.index("did next 2") < text.index("did next 3")


def test_the_program_reads_what_is_typed_and_cannot_steer_the_terminal(screen: Screen) -> None:
    screen.until_prompt()
    screen.type("next\r")
    screen.until("did next")
    screen.type("until\r")
    screen.until("number?")
    screen.type("42\r")
    text = screen.until("thanks^[[2J")
    assert "did next" in text
    assert "number? 42\nthanks" in text


def test_what_is_typed_ahead_goes_to_a_program_that_reads(screen: Screen) -> None:
    screen.until_prompt()
    screen.type("until\r42\rnext\r")
    text = screen.until("did next")
    assert "number? 42\nthanks" in text
    assert "(wolverine) next" in text


def test_of_several_pasted_lines_the_first_is_the_command(screen: Screen) -> None:
    screen.until_prompt()
    screen.type("\x1b[200~until\n42\nnext\x1b[201~")
    screen.until_last("next")
    screen.type("\r")
    text = screen.until("did next")
    assert "number? 42\nthanks" in text


def test_a_failed_command_gives_status_1(screen: Screen) -> None:
    screen.until_prompt()
    screen.type("enter\r")
    screen.until("no branch")
    screen.type("\x04")
    assert screen.end() == 1


def test_a_search_says_that_it_is_still_under_way(screen: Screen) -> None:
    screen.until_prompt()
    screen.type("repair\r")
    screen.until("looking for repairs, 1 s")
    screen.type("\x03")
    screen.until("nothing found")
    shown = screen.until_prompt()
    assert "looking for" not in shown
