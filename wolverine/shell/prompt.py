"""The prompt: line editing, history file, completion."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.output import create_output
from prompt_toolkit.shortcuts import CompleteStyle

from wolverine.config import private_directory, state_dir
from wolverine.shell.ahead import TypedAhead
from wolverine.shell.completer import CommandCompleter, Knows, OnePage
from wolverine.shell.inbox import Inbox
from wolverine.shell.lines import Line

PROMPT = "(wolverine) "


class PromptReader:
    """Reads lines from the terminal.  Ctrl-C raises KeyboardInterrupt, Ctrl-D is the end.

    A line in the `inbox` comes first: the prompt is wiped away for it, and what was being typed comes back
    with the next prompt.
    """

    def __init__(
        self, session: Knows, color: bool, *, on_stderr: bool = False, inbox: Inbox | None = None
    ) -> None:
        output = create_output(sys.stderr if on_stderr else sys.stdout)
        self._prompts: PromptSession[str] = PromptSession(
            history=_history(),
            completer=OnePage(CommandCompleter(session), output.get_size),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            output=output,
        )
        self._color = color
        self._inbox = inbox or Inbox()
        self._typed = Document()
        self.ahead = TypedAhead(self._prompts.input)

    def read(self, continuation: bool = False) -> Line | None:
        """One line."""
        shown = ">" if continuation else PROMPT
        message = ANSI(f"\x1b[1m{shown}\x1b[0m") if self._color else shown
        try:
            if continuation:
                return self._first(self._prompts.prompt(message))
            while True:
                line = self._inbox.take() or self._prompted(message)
                if line is not None:
                    return line
        except EOFError:
            return None

    def _prompted(self, message: ANSI | str) -> Line | None:
        """What is typed; None where the prompt has given way to the inbox."""
        app = self._prompts.app
        app.erase_when_done = False
        typed, self._typed = self._typed, Document()

        def give_way() -> None:
            if app.is_running and not app.is_done:
                self._typed = self._prompts.default_buffer.document
                app.erase_when_done = True
                app.exit(exception=_GaveWay())

        def listen() -> None:
            loop = asyncio.get_running_loop()

            def wake() -> None:
                # The loop may have ended just now: then the line is found before the next prompt.
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(give_way)

            self._inbox.listen(wake)

        try:
            return self._first(self._prompts.prompt(message, default=typed, pre_run=listen))
        except _GaveWay:
            return None
        finally:
            self._inbox.listen(None)

    def _first(self, text: str) -> Line:
        """The first of several lines that were pasted; the others are as if typed ahead of what has been."""
        first, _, rest = text.partition("\n")
        if rest:
            self.ahead.insert(rest if rest.endswith("\n") else rest + "\n")
        return Line(first)


class _GaveWay(Exception):  # noqa: N818
    """A line has come from elsewhere."""


def _history() -> History:
    try:
        file = private_directory(state_dir()) / "history"
        _make_private(file)
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(file))


def _make_private(file: Path) -> None:
    file.touch(mode=0o600)
    if not file.stat().st_mode & 0o200:
        raise PermissionError(file)
