"""`python -m wolverine.shell.demo PROGRAM.c SCRIPT`: play a session at a pace that can be followed.

Where nobody watches (no terminal), all at once.  Ends with the difference that the repairs make.
"""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

from wolverine.errors import WolverineError
from wolverine.session import results
from wolverine.session.options import SessionOptions
from wolverine.session.session import Session
from wolverine.session.splitting import split_commands
from wolverine.shell.lines import Line
from wolverine.shell.loop import Outlet, Shell, read_script
from wolverine.shell.presenter import TextPresenter

# Seconds: between two characters, before a command is typed, and for reading a comment.
_KEY = 0.03
_THINK = 0.6
_READ = 1.5


def play(program: Path, script: Path, *, paced: bool) -> int:
    """The exit status: 0 when every command of the script succeeded."""
    color = sys.stdout.isatty()
    presenter = _Typist(color, paced=paced)
    outlet = Outlet(presenter)
    width = shutil.get_terminal_size((100, 24)).columns
    try:
        lines = read_script(script)
        session = Session(SessionOptions((program,), batch=True, width=width, color=color), outlet)
    except WolverineError as error:
        presenter.show(results.Error("", str(error)))
        return 2
    try:
        shell = Shell(session, outlet, echo=True)
        for number, text in enumerate(lines, 1):
            if text.lstrip().startswith("#"):
                presenter.comment(text.strip())
            elif not shell.line(Line(text, str(script), number)):
                break
            if shell.left:
                break
        if shell.status == 0 and not _shows_difference(lines):
            shell.line(Line("rewrite"))
        return shell.status
    finally:
        session.close()


def _shows_difference(lines: list[str]) -> bool:
    return any("rewrite" in split_commands(line) for line in lines)


class _Typist(TextPresenter):
    """Types the commands as a person would."""

    def __init__(self, color: bool, *, paced: bool) -> None:
        super().__init__(sys.stdout, sys.stderr, color)
        self._paced = paced

    def comment(self, text: str) -> None:
        """A line of the script's story."""
        print(f"\n{text}", flush=True)
        self._wait(_READ)

    def command(self, text: str) -> None:
        """The prompt, then the command key by key."""
        if not self._paced:
            super().command(text)
            return
        print("(wolverine) ", end="", flush=True)
        self._wait(_THINK)
        for character in text:
            print(character, end="", flush=True)
            self._wait(_KEY)
        print(flush=True)

    def _wait(self, seconds: float) -> None:
        if self._paced:
            time.sleep(seconds)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m wolverine.shell.demo PROGRAM.c SCRIPT")
    try:
        sys.exit(play(Path(sys.argv[1]), Path(sys.argv[2]), paced=sys.stdout.isatty()))
    except KeyboardInterrupt:
        sys.exit(130)
