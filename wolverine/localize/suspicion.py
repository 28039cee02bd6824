"""What every localizer answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wolverine.core.program import Program


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A location of the program; `line` and `text` are its source, `score` lies between 0 and 1."""

    location: int
    line: int
    text: str
    score: float


def ranked(program: Program, scores: Mapping[int, tuple[float, float]]) -> tuple[Suspicion, ...]:
    """Suspicions from (score, tie breaker) by location; a smaller tie breaker comes first."""
    order: Iterable[int] = sorted(scores, key=lambda at: (-scores[at][0], scores[at][1], at))
    return tuple(
        Suspicion(at, program.location(at).line, program.location(at).text, round(min(scores[at][0], 1.0), 6))
        for at in order
    )
