"""What the search for a stop of the process finds: the way there, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wolverine.core.graph import Place
from wolverine.semantics.concrete import Touched


@dataclass(frozen=True)
class Decided:
    """A loop's branch was executed when the path had `at` entries."""

    at: int
    number: int
    function: str
    pc: int
    taken: bool
    forced: bool = False


@dataclass(frozen=True)
class Touching:
    """A concrete step was executed when the path had `at` entries."""

    at: int
    number: int
    function: str
    pc: int
    touched: Touched


Note = Decided | Touching


@dataclass
class Match:
    """The way to the stop: what to note, the path's instructions, values of tokens, unexplained places."""

    notes: list[Note]
    path: list[int]
    known: dict[int, Any]
    unexplained: tuple[Place, ...] = ()


@dataclass
class NoMatch:
    """The target was not reached in the process' state; `differences` of the first visit.

    `modelled` is false when the model met something that it does not follow.
    """

    differences: tuple[Place, ...]
    reason: str
    modelled: bool = True
