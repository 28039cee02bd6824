"""A session with its live page, driven from the shell's side and from a browser."""

from __future__ import annotations

import io
import os
import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from wolverine.page.view import View
from wolverine.session.options import SessionOptions
from wolverine.session.session import Session
from wolverine.shell.inbox import Piped
from wolverine.shell.lines import Line
from wolverine.shell.loop import Outlet, Shell
from wolverine.shell.presenter import TextPresenter

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
PATIENCE = 60  # seconds until a test gives up waiting


class Watched:
    """The shell's reader: tells which line has been carried out whenever the next one is asked for."""

    def __init__(self, reader: Piped) -> None:
        self._reader = reader
        self._last: Line | None = None
        self.typed: queue.Queue[str] = queue.Queue()
        self.from_pages: queue.Queue[str] = queue.Queue()

    def read(self, continuation: bool = False) -> Line | None:
        if self._last is not None:
            (self.from_pages if self._last.echo else self.typed).put(self._last.text)
        self._last = self._reader.read(continuation)
        return self._last


class Live:
    """A session, its shell in a thread, and its live page at `url`; its program may be one that `asks`."""

    def __init__(self, source: Path, *, drives: bool = True, serve: bool = True, asks: bool = False) -> None:
        self.out = io.StringIO()
        outlet = Outlet(TextPresenter(self.out, self.out, color=False))
        self.session = Session(SessionOptions((source,), batch=not asks), outlet)
        self.view = View(self.session, drives=drives)
        self.shell = Shell(self.session, outlet)
        self.shell.watch(self.view)
        taking, self._giving = os.pipe()
        self.reader = Watched(Piped(taking, self.view.inbox))
        self._taking = taking
        self.url = self.view.open() if serve else ""
        self._thread = threading.Thread(target=self.shell.interact, args=(self.reader,), daemon=True)
        self._thread.start()

    def command(self, line: str) -> None:
        """As if the line had been typed in the shell; comes back when it has been carried out."""
        self.type(line)
        self.reader.typed.get(timeout=PATIENCE)

    def type(self, line: str) -> None:
        """The same, without waiting."""
        os.write(self._giving, f"{line}\n".encode())

    def from_page(self) -> str:
        """The next line that a page gave, once it has been carried out."""
        return self.reader.from_pages.get(timeout=PATIENCE)

    def close(self) -> None:
        os.close(self._giving)
        self.session.interrupt()
        self._thread.join(PATIENCE)
        os.close(self._taking)
        self.view.close()
        self.session.close()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Callable[..., Live]]:
    """Start a session on C text, or on a C file."""
    opened: list[Live] = []

    def start(program: str | Path, **options: Any) -> Live:
        source = program
        if isinstance(source, str):
            source = tmp_path / f"program{len(opened)}.c"
            source.write_text(str(program))
        opened.append(Live(source, **options))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    if not Path(CHROMIUM).exists():
        pytest.skip(f"there is no {CHROMIUM}; `make setup` installs it where it may")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield chromium
        chromium.close()
