"""`python -m wolverine.page.record PROGRAM.c SCRIPT`: play a session and print what a page would be told."""

from __future__ import annotations

import sys
from pathlib import Path

from wolverine.page.telling import Teller
from wolverine.page.timeline import Timeline
from wolverine.session import results
from wolverine.session.commands import SessionCommand
from wolverine.session.options import SessionOptions
from wolverine.session.parse import parse_command, split_commands
from wolverine.session.session import Session


def hello(program: Path, lines: list[str]) -> str:
    """The `hello` of a saved page after these command lines.  Raises WolverineError as the session does."""
    kept: list[Timeline] = []

    def emit(result: results.Result) -> None:
        for timeline in kept:
            timeline.result(result)

    session = Session(SessionOptions((program,), batch=True, json=True), emit)
    try:
        kept.append(Timeline(session))
        for text in (text for line in lines for text in split_commands(line)):
            command = parse_command(text)
            assert isinstance(command, SessionCommand)
            kept[0].begin(text, command)
            try:
                session.execute(command)
            finally:
                kept[0].end()
        return Teller(kept[0], drives=False).hello(live=False)[1]
    finally:
        session.close()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m wolverine.page.record PROGRAM.c SCRIPT")
    print(hello(Path(sys.argv[1]), Path(sys.argv[2]).read_text().splitlines()))
