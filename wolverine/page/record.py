"""`python -m wolverine.page.record PROGRAM.c SCRIPT`: play a session and print what a page would be told."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from wolverine.page.telling import Teller
from wolverine.page.view import View
from wolverine.session import results
from wolverine.session.commands import SessionCommand
from wolverine.session.options import SessionOptions
from wolverine.session.parse import parse_command
from wolverine.session.session import Session
from wolverine.session.splitting import split_commands


@contextmanager
def played(program: Path, lines: Iterable[str]) -> Iterator[View]:
    """A session that has carried out these command lines, with its pages.

    Raises WolverineError as the session does.
    """
    told: list[View] = []

    def emit(result: results.Result) -> None:
        for view in told:
            view.result(result)

    session = Session(SessionOptions((program,), batch=True, json=True), emit)
    try:
        told.append(View(session, drives=True))
        for line in lines:
            carry_out(session, told[0], line)
        yield told[0]
    finally:
        for view in told:
            view.close()
        session.close()


def carry_out(session: Session, view: View, line: str) -> None:
    """One line of commands, of which the view is told."""
    for text in split_commands(line):
        command = parse_command(text)
        assert isinstance(command, SessionCommand)
        view.begin(text, command)
        try:
            session.execute(command)
        finally:
            view.end()


def hello(program: Path, lines: Iterable[str]) -> str:
    """What a saved page holds after these command lines.  Raises as `played`."""
    with played(program, lines) as view:
        return Teller(view.timeline, drives=False).hello(live=False)[1]


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m wolverine.page.record PROGRAM.c SCRIPT")
    print(hello(Path(sys.argv[1]), Path(sys.argv[2]).read_text().splitlines()))
