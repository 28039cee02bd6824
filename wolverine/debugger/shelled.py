"""gdb's commands that run a shell: their input is empty, and what they write is caught in a file.

gdb talks to its host on the streams that such a command inherits: it would take gdb's own commands for its
input, and a line of it could look like an answer.
"""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_SHELLS = ("shell", "!", "make", "pipe", "|")


@contextmanager
def caught(command: str) -> Iterator[tuple[str, Callable[[], str]]]:
    """The command with its output redirected, and what that has been so far; "" for all other commands."""
    word, rest = _divided(command)
    if word not in _SHELLS or not rest:
        yield command, lambda: ""
        return
    with tempfile.TemporaryDirectory(prefix="wolverine-shell-") as folder:
        file = Path(folder) / "output"
        file.touch()
        to = f">{shlex.quote(str(file))} 2>&1"
        if word in ("pipe", "|"):
            given = f"pipe {rest} {to}"
        else:
            given = f"shell exec </dev/null {to}; {'make ' if word == 'make' else ''}{rest}"
        yield given, lambda: file.read_text("utf-8", "replace")


def _divided(command: str) -> tuple[str, str]:
    """The command's word, and what stands behind it."""
    text = command.strip()
    if text[:1] in ("!", "|"):
        return text[0], text[1:].strip()
    word, _, rest = text.partition(" ")
    return word, rest.strip()
