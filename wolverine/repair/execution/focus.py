"""Where a machine stops: at all locations that may change, or only at some, which costs less."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress

from wolverine.semantics.closures import Step
from wolverine.semantics.faults import Halt
from wolverine.semantics.linking import Linked
from wolverine.semantics.machine import Machine

_Table = tuple[Linked, list[Step], frozenset[int]]


class Focus:
    """Narrows the stops that a machine has now; of use until these are changed.

    `names` are the functions in question, `editable` their locations by instruction, `always` the
    instructions at which the machine stops in any case.
    """

    def __init__(
        self,
        machine: Machine,
        names: Iterable[str],
        editable: Mapping[str, Mapping[int, int]],
        always: Mapping[str, Collection[int]],
    ) -> None:
        self._editable = editable
        self._always = always
        self._whole: list[_Table] = []
        for name in sorted(names):
            with suppress(Halt):
                linked = machine.linked(name)
                self._whole.append((linked, linked.table, linked.stops))
        self._narrow: dict[frozenset[int], list[_Table]] = {}

    def on(self, locations: frozenset[int] | None) -> None:
        """Stop only at these of the locations from now on (None: at all).

        What else is there runs at the machine's full speed.
        """
        tables = self._whole if locations is None else self._narrow.get(locations)
        if tables is None:
            assert locations is not None
            tables = self._narrow[locations] = [self._table(each, locations) for each in self._whole]
        for linked, table, stops in tables:
            linked.table, linked.stops = table, stops

    def _table(self, whole: _Table, locations: frozenset[int]) -> _Table:
        linked, full, stops = whole
        here = self._editable.get(linked.name, {})
        always = self._always.get(linked.name, ())
        kept = frozenset(i for i in stops if i in always or here.get(i) in locations)
        table = list(linked.real)
        for index in kept:
            table[index] = full[index]
        return linked, table, kept
