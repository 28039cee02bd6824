"""Shell and page in step: lines of pages come in between, and nothing that is being typed is lost."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pexpect
import pyte
import pytest
from answering import AnsweringScreen
from page_talk import talked

PROGRAM = """\
#include <stdio.h>
int main(void) {
    int i = 0;
    i = i + 1;
    i = i + 1;
    printf("out\\n");
    while (i)
        i = i | 1;
    return 0;
}
"""
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/[\w-]+/")


class Terminal:
    """A shell in a terminal of 100 by 40, as a person sees it."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        command = ["-m", "wolverine", *arguments]
        self.child = pexpect.spawn(
            sys.executable, command, env=environment, dimensions=(40, 100), encoding="utf-8", timeout=60
        )
        self._screen = AnsweringScreen(self.child, 100, 40)
        self._stream = pyte.Stream(self._screen)

    def lines(self) -> list[str]:
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip("\n").splitlines()

    def until(self, wanted: str, after: str) -> list[str]:
        """Read until the last line is `wanted` and one before it begins with `after`; all lines then."""
        while not self._shows(wanted, after):
            try:
                data = self.child.read_nonblocking(4096, timeout=60)
            except (pexpect.EOF, pexpect.TIMEOUT) as error:
                shown = "\n".join(self.lines())
                raise AssertionError(f"{wanted!r} after {after!r} never came:\n{shown}") from error
            self._stream.feed(data)
        return self.lines()

    def _shows(self, wanted: str, after: str) -> bool:
        lines = self.lines()
        return bool(lines) and lines[-1] == wanted and any(line.startswith(after) for line in lines[:-1])


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**kept, "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm"}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "p.c").write_text(PROGRAM)
    return tmp_path / "p.c"


@pytest.fixture
def terminal(source: Path, environment: dict[str, str]) -> Iterator[Terminal]:
    opened = Terminal([str(source), "--view", "--no-color", "-ex", "start"], environment)
    yield opened
    opened.child.close(force=True)


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """The socket of a page."""
    origin = {"Origin": "/".join(url.split("/")[:3])}
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{url}ws", headers=origin) as page:
        yield page


def say(url: str, *messages: dict[str, str], until: str = "") -> list[dict[str, Any]]:
    """Be a page: say something, and listen until a command of that text is through."""

    async def talk() -> list[dict[str, Any]]:
        async with connected(url) as page:
            heard: list[dict[str, Any]] = [await page.receive_json(timeout=60)]
            for message in messages:
                await page.send_str(json.dumps(message))
            while until and not any(m.get("entry", {}).get("command") == until for m in heard):
                heard.append(await page.receive_json(timeout=60))
            return heard

    return talked(talk())


def command(line: str) -> dict[str, str]:
    return {"kind": "command", "line": line}


def address(text: str) -> str:
    found = ADDRESS.search(text)
    assert found is not None, text
    return found[0]


def test_the_prompt_gives_way_to_a_page_and_comes_back(terminal: Terminal) -> None:
    url = address("".join(terminal.until("(wolverine)", "3 ")))
    terminal.child.send("print i + 4")
    terminal.until("(wolverine) print i + 4", "3 ")
    terminal.child.send("\x1b[D")  # the cursor stands before the 4
    heard = say(url, command("next"), until="next")
    assert [m["moment"]["line"] for m in heard if m["kind"] == "moment"] == [4]
    lines = terminal.until("(wolverine) print i + 4", "4 ")
    assert "(wolverine) next" in lines
    assert sum(line.startswith("(wolverine) print") for line in lines) == 1
    # What was typed is as it was, the cursor too.
    terminal.child.send("1\r")
    terminal.until("(wolverine)", "$1 = 14")


def test_pages_and_keyboard_take_turns(terminal: Terminal) -> None:
    url = address("".join(terminal.until("(wolverine)", "3 ")))
    say(url, command("next"), command("next"), command("print i"), until="print i")
    terminal.until("(wolverine)", "$1 = 1")
    terminal.child.send("print i * 10\r")
    terminal.until("(wolverine)", "$2 = 10")
    hello = say(url)[0]
    assert [entry["command"] for entry in hello["entries"]][-4:] == [
        "next",
        "next",
        "print i",
        "print i * 10",
    ]


def test_a_page_interrupts_what_the_keyboard_has_started(terminal: Terminal) -> None:
    url = address("".join(terminal.until("(wolverine)", "3 ")))
    say(url, command("set step-budget 1000"), until="set step-budget 1000")
    terminal.until("(wolverine)", "a step is stopped")
    terminal.child.send("continue\r")

    async def talk() -> str:
        async with connected(url) as page:
            written = ""
            while "out" not in written:
                heard = await page.receive_json(timeout=60)
                written += heard.get("text", "") + heard.get("output", "")
            await page.send_str('{"kind":"interrupt"}')
            while heard["kind"] != "moment":
                heard = await page.receive_json(timeout=60)
            return str(heard["moment"]["reason"])

    assert talked(talk()) == "interrupt"
    terminal.until("(wolverine)", "Interrupted in main ()")


def test_a_block_of_gdbs_is_not_begun_by_a_page(terminal: Terminal) -> None:
    url = address("".join(terminal.until("(wolverine)", "3 ")))
    heard = say(url, command("commands"), until="commands")
    assert "typed in the shell" in heard[-1]["entry"]["error"]
    terminal.until("(wolverine)", "a command of several lines")
    terminal.child.send("print 7\r")
    terminal.until("(wolverine)", "$1 = 7")


def test_a_page_ends_the_session(terminal: Terminal) -> None:
    url = address("".join(terminal.until("(wolverine)", "3 ")))
    say(url, command("quit"))
    terminal.child.expect(pexpect.EOF)
    terminal.child.close()
    assert terminal.child.exitstatus == 0


def test_a_piped_shell_hears_pages_too(source: Path, environment: dict[str, str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "wolverine", str(source), "--json"],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as shell:  # fmt: skip
        assert shell.stdin is not None
        assert shell.stdout is not None
        shell.stdin.write("start\nview\n")
        shell.stdin.flush()
        events: list[dict[str, Any]] = []
        while not events or "live page" not in events[-1].get("text", ""):
            events.append(json.loads(shell.stdout.readline()))
        heard = say(address(events[-1]["text"]), command("next 2"), until="next 2")
        assert heard[0]["moments"][0]["line"] == 3
        assert heard[0]["drives"] is True
        rest, _ = shell.communicate("next\n", timeout=60)
    lines = [json.loads(line) for line in rest.splitlines()]
    assert [event["line"] for event in lines if event["event"] == "stopped"] == [5, 6]
    assert shell.returncode == 0


def test_a_batch_run_is_shown_and_not_driven(
    source: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with subprocess.Popen(
        [sys.executable, "-m", "wolverine", str(source), "--batch", "--view", "--no-color", "-ex", "start",
         "-ex", f"shell cat {gate}", "-ex", "next"],
        env=environment, stdout=subprocess.PIPE, text=True,
    ) as shell:  # fmt: skip
        assert shell.stdout is not None
        text = ""
        while "shell cat" not in text:
            text += shell.stdout.readline()

        async def talk() -> list[dict[str, Any]]:
            async with connected(address(text)) as page:
                heard = [await page.receive_json(timeout=60)]
                await page.send_str(json.dumps(command("next")))
                gate.write_text("")
                async for message in page:
                    heard.append(json.loads(message.data))
                assert page.close_code == 1001
            return heard

        heard = talked(talk())
        shell.communicate(timeout=60)
    assert heard[0]["drives"] is False
    # The last stop reaches the page before the server ends; the page's own command was not carried out.
    assert [m["moment"]["line"] for m in heard if m["kind"] == "moment"] == [4]
    assert shell.returncode == 0
