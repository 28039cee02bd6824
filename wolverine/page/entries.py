"""What of the protocol a timeline keeps from the start; see `protocol`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A command, whoever gave it, and what it answered.  `moment` is the stop to which it led, if any."""

    command: str
    texts: tuple[str, ...]
    error: str | None
    moment: int | None = None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint; `parent` is the one before it.  `dropped` when its assertion was withdrawn."""

    checkpoint: int
    parent: int | None
    moment: int | None
    file: str
    line: int
    function: str
    dropped: bool
