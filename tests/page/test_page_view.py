"""Opening pages: in the user's browser only where the user sits, and without telling others the token."""

from __future__ import annotations

import json
import stat
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from page_talk import talked

from wolverine.page import server, telling
from wolverine.page.browser import may_open, open_page
from wolverine.page.telling import Teller
from wolverine.page.timeline import Tail

PROGRAM = "int main(void) {\n int i = 0;\n i = 1;\n i = 2;\n return i;\n}\n"


@pytest.mark.parametrize(
    ("environment", "opens"),
    [
        ({}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({"DISPLAY": ""}, False),
        ({"DISPLAY": "localhost:10.0", "SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22"}, False),
        ({"DISPLAY": ":0", "SSH_TTY": "/dev/pts/1"}, False),
    ],
)
def test_only_a_local_screen_gets_the_page_by_itself(environment: dict[str, str], opens: bool) -> None:
    assert may_open(environment) is opens


def test_the_browser_is_not_told_the_token_in_its_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(webbrowser, "open", told.append)
    leading = tmp_path / "pages" / "1.html"
    leading.parent.mkdir()
    leading.write_text("somebody else's")
    leading.chmod(0o644)
    open_page("http://127.0.0.1:1/secret/", leading)
    assert told == [leading.as_uri()]
    assert "url=http://127.0.0.1:1/secret/" in leading.read_text()
    assert stat.S_IMODE(leading.stat().st_mode) == 0o600


def test_view_opens_a_page_where_the_user_sits(
    live: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(webbrowser, "open", told.append)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("DISPLAY", ":0")
    for name in ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    session = live(PROGRAM, serve=False)
    session.command("view")
    [opened] = told
    url = session.view.server.url
    assert url not in opened
    assert f"the live page: {url}" in session.out.getvalue()
    session.command("view")
    assert session.view.server.url == url


def test_a_page_that_fails_does_not_end_the_session(
    live: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = live(PROGRAM)

    def fail(*_: Any) -> None:
        raise ZeroDivisionError("drawn too far")

    monkeypatch.setattr(session.view.timeline.listener, "_moment", fail)
    session.command("start")
    assert "the page cannot show this (ZeroDivisionError: drawn too far)" in session.out.getvalue()
    monkeypatch.undo()
    session.command("next")
    assert '"command":"next"' in session.view.timeline.listener.hello()[1]
    assert '"busy":null' in session.view.timeline.listener.hello()[1]


def test_a_page_that_lags_behind_starts_over(
    live: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is kept for it without end: it gets a new hello in place of what it missed."""
    monkeypatch.setattr(server, "_MOST_WAITING", 200)
    session = live(PROGRAM)

    async def talk() -> list[dict[str, Any]]:
        origin = {"Origin": "/".join(session.url.split("/")[:3])}
        async with (
            aiohttp.ClientSession() as client,
            client.ws_connect(f"{session.url}ws", headers=origin) as page,
        ):
            heard = [await page.receive_json(timeout=60)]
            session.type("start")
            while heard[-1]["kind"] != "hello" or not heard[-1]["moments"]:
                heard.append(await page.receive_json(timeout=60))
            return heard

    heard = talked(talk())
    assert "moment" not in [message["kind"] for message in heard]
    assert [moment["line"] for moment in heard[-1]["moments"]] == [2]


def test_stops_that_are_too_much_for_one_hello_are_forgotten(
    live: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = live(PROGRAM, serve=False)
    for line in ("start", "next", "next"):
        session.command(line)
    whole = Teller(session.view.timeline, drives=True).hello()[1]
    assert '"forgotten":0' in whole
    monkeypatch.setattr(telling, "MOST_TEXT", 100)
    least = Teller(session.view.timeline, drives=True).hello()[1]
    assert '"forgotten":2' in least
    assert len(least) < len(whole)


def test_the_end_of_a_long_output_is_kept() -> None:
    tail = Tail(10)
    for number in range(1000):
        tail.add(f"{number} ")
    assert tail.text() == "7 998 999 "
    tail.add("x" * 50)
    assert tail.text() == "x" * 10
    tail.add("")
    assert tail.text() == "x" * 10


def test_an_interrupt_when_nothing_runs_does_nothing(live: Callable[..., Any]) -> None:
    session = live(PROGRAM)
    session.command("start")

    async def talk() -> None:
        origin = {"Origin": "/".join(session.url.split("/")[:3])}
        async with (
            aiohttp.ClientSession() as client,
            client.ws_connect(f"{session.url}ws", headers=origin) as page,
        ):
            await page.send_str('{"kind":"interrupt"}')
            await page.send_str('{"kind":"command","line":"next"}')
            while (await page.receive_json(timeout=60)).get("here") != 2:
                pass

    talked(talk())
    session.command("next")
    hello = json.loads(session.view.timeline.listener.hello()[1])
    assert [moment["reason"] for moment in hello["moments"]] == ["breakpoint", "step", "step"]
