"""What every localizer answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wolverine.core.program import GapKind, Location, Program

_NEW: dict[GapKind, str] = {
    "before": "(a new statement before it)",
    "after": "(a new statement behind it)",
    "block": "(a statement in the empty block)",
    "else": "(a new else)",
    "wrap-before": "(a new statement before it)",
    "wrap-after": "(a new statement behind it)",
    "test": "(a test in front of it)",
    "result": "(its result stored)",
}


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A location of the program; `score` lies between 0 and 1.

    `line` and `text` are its source; of a gap the text says in brackets what could be put there.
    """

    location: int
    line: int
    text: str
    score: float


def ranked(program: Program, scores: Mapping[int, tuple[float, float]]) -> tuple[Suspicion, ...]:
    """Suspicions from (score, tie breaker) by location; a smaller tie breaker comes first."""
    order: Iterable[int] = sorted(scores, key=lambda at: (-scores[at][0], scores[at][1], at))
    return tuple(
        Suspicion(at, where.line, _words(where), round(min(scores[at][0], 1.0), 6))
        for at in order
        for where in (program.location(at),)
    )


def _words(location: Location) -> str:
    return _NEW[location.gap] if location.kind == "gap" else location.text
