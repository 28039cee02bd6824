"""How far the tests go: with WOLVERINE_THOROUGH set, as by `make thorough`, as far as can be waited for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

THOROUGH = bool(os.environ.get("WOLVERINE_THOROUGH"))

T = TypeVar("T")

# Steps of the machine for one repair (None: as many as users have).
MUCH = None if THOROUGH else 1_500_000
WORK = None if THOROUGH else 700_000
LITTLE = None if THOROUGH else 400_000


def examples(few: int, many: int) -> int:
    """So many examples, or many in a thorough run."""
    return many if THOROUGH else few


def usual(cases: Iterable[T], *others: T) -> list[T]:
    """The cases without those others, or all in a thorough run: a part of what shows one property will do."""
    known = list(cases)
    assert all(each in known for each in others)
    return known if THOROUGH else [each for each in known if each not in others]


def every_other(cases: Iterable[T]) -> list[T]:
    """Half of the cases, or all in a thorough run."""
    return list(cases) if THOROUGH else list(cases)[::2]
