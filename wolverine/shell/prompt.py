"""The prompt: line editing, history file, completion."""

from __future__ import annotations

import sys
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.output import create_output
from prompt_toolkit.shortcuts import CompleteStyle

from wolverine.config import private_directory, state_dir
from wolverine.shell.completer import CommandCompleter, Knows
from wolverine.shell.lines import Line

PROMPT = "(wolverine) "


class PromptReader:
    """Reads lines from the terminal.  Ctrl-C raises KeyboardInterrupt, Ctrl-D is the end."""

    def __init__(self, session: Knows, color: bool, *, on_stderr: bool = False) -> None:
        self._prompts: PromptSession[str] = PromptSession(
            history=_history(),
            completer=CommandCompleter(session),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            output=create_output(sys.stderr if on_stderr else sys.stdout),
        )
        self._color = color

    def read(self, continuation: bool = False) -> Line | None:
        """One line."""
        shown = ">" if continuation else PROMPT
        try:
            text = self._prompts.prompt(ANSI(f"\x1b[1m{shown}\x1b[0m") if self._color else shown)
        except EOFError:
            return None
        return Line(text)


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
