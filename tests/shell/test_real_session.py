"""A person at a terminal with a real program in a real gdb."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest
from test_terminal import Screen

SAMPLES = Path(__file__).parents[2] / "samples"
ASKING = """\
#include <stdio.h>
int main(void)
{
    int number = 0;
    printf("number? ");
    scanf("%d", &number);
    printf("twice is %d\\x1b[2J\\n", 2 * number);
    printf("for %s\\n", "ever");
    while (number)
        ;
    return 0;
}
"""

Start = Callable[..., Screen]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    children: list[pexpect.spawn] = []

    def started(*arguments: str) -> Screen:
        environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm", "NO_COLOR": "1"}
        child = pexpect.spawn(
            sys.executable,
            ["-m", "wolverine", *arguments],
            env=environment,
            dimensions=(24, 80),
            encoding="utf-8",
            timeout=30,
            cwd=str(SAMPLES),
        )
        children.append(child)
        return Screen(child)

    yield started
    for child in children:
        child.close(force=True)


def test_pictures_completion_and_repetition(start: Start) -> None:
    screen = start("reverse_dll.c")
    screen.until_prompt()
    screen.type("start\r")
    screen.until("push(2);")
    screen.type("next\r")
    screen.until("push(4);")
    screen.until_prompt()
    screen.type("\r")
    screen.until("push(8);")
    assert "n2 new" in screen.until_prompt()
    screen.type("change n1->pr\t")
    screen.until("change n1->prev")
    screen.type("\x03")
    screen.until_prompt()
    screen.type("break rever\t\r")
    screen.until("Breakpoint 1 at")
    screen.type("quit\r")
    assert screen.end() == 0


def test_who_begins_is_told_how(start: Start) -> None:
    screen = start("reverse_dll.c")
    shown = screen.until_prompt()
    assert "`run` runs the program to a crash" in shown
    assert "`help` lists all commands" in shown
    screen.type("quit\r")
    assert screen.end() == 0
    screen = start("reverse_dll.c", "-ex", "start")
    assert "`run` runs" not in screen.until_prompt()


def test_the_program_asks_and_runs_forever(start: Start, tmp_path: Path) -> None:
    asking = tmp_path / "asking.c"
    asking.write_text(ASKING)
    screen = start(str(asking), "-ex", "start")
    screen.until_prompt()
    screen.type("next 2\r")
    screen.until("scanf(")
    screen.type("next\r")
    screen.until("number?")
    screen.type("21\r")
    screen.until("printf(")
    screen.until_prompt()
    screen.type("next\r")
    screen.until("twice is 42^[[2J")
    screen.until_prompt()
    screen.type("continue\r")
    screen.until("for ever")
    screen.type("\x03")
    screen.until("Interrupted in")
    screen.until_prompt()
    screen.type("change number 0; continue\r")
    screen.until("exited with status 0")
    screen.type("\x04")
    assert screen.end() == 0


def test_the_prompt_survives_mistakes(start: Start) -> None:
    screen = start("reverse_dll.c")
    screen.until_prompt()
    for command, answer in [
        ("enter", "start"),
        ("spec", "start"),
        ("repair", ""),
        ("resume 7", "7"),
        ("change", "n4->prev n3"),
    ]:
        screen.type(f"{command}\r")
        screen.until(answer)
        screen.until_prompt()
    assert "Traceback" not in screen.text()
    screen.type("\x04")
    assert screen.end() == 1
