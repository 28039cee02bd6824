"""Sets of repairs, and what is known on the way to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wolverine.core.graph import Place


@dataclass(frozen=True, slots=True)
class Space:
    """A set of repairs: one choice of each mask (over the location's menu), all combinations.

    `executed` counts the executions of the changed locations, `given_up` are asserted places that these
    repairs do not meet, as (label, place).
    """

    masks: Mapping[int, int]
    executed: Mapping[int, int] = field(default_factory=dict)
    given_up: frozenset[tuple[str, Place]] = frozenset()


class Ledger:
    """What holds on the present path of a search, and how to go back to an earlier point of it.

    `decided` has the choices that are left at each changed location, `agree` those at an unchanged one
    that did the same as the statement itself so far, `times` the executions by location, `given` the
    asserted places that were given up.
    """

    def __init__(self) -> None:
        self.decided: dict[int, int] = {}
        self.agree: dict[int, int] = {}
        self.times: dict[int, int] = {}
        self.given: dict[tuple[str, Place], int] = {}
        self._log: list[tuple[dict[Any, int], Any, int | None]] = []

    def clear(self) -> None:
        """Begin anew."""
        for table in (self.decided, self.agree, self.times):
            table.clear()
        self.given.clear()
        self._log.clear()

    @property
    def length(self) -> int:
        """The present point, for `unwind`."""
        return len(self._log)

    def set(self, table: dict[Any, int], key: Any, value: int) -> None:
        """Change an entry of one of the tables."""
        self._log.append((table, key, table.get(key)))
        table[key] = value

    def unwind(self, length: int) -> None:
        """Go back to an earlier point."""
        log = self._log
        while len(log) > length:
            table, key, old = log.pop()
            if old is None:
                del table[key]
            else:
                table[key] = old
