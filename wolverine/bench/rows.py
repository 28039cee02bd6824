"""What all rows of `make bench` share: a session to measure in, times, and the row itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from wolverine.session import results
from wolverine.session.options import SessionOptions
from wolverine.session.parse import parse
from wolverine.session.session import Session


@dataclass(frozen=True, slots=True)
class Measured:
    """One row: the median of `runs` in seconds, the bound in seconds, and the reference's median."""

    name: str
    median: float
    bound: float
    runs: int
    reference: str = ""
    reference_median: float | None = None


def times(action: Callable[[], object], runs: int) -> list[float]:
    """Seconds of each of so many runs."""
    taken = []
    for _ in range(runs):
        began = time.perf_counter()
        action()
        taken.append(time.perf_counter() - began)
    return taken


@contextmanager
def opened(source: Path, **options: object) -> Iterator[tuple[Session, list[results.Result]]]:
    """A session on a source file, and all that it answers."""
    heard: list[results.Result] = []
    session = Session(SessionOptions((source,), batch=True, **options), heard.append)  # type: ignore[arg-type]
    try:
        yield session, heard
    finally:
        session.close()


def do(session: Session, line: str) -> None:
    """Carry out a line of commands."""
    for command in parse(line):
        session.execute(command)  # type: ignore[arg-type]
