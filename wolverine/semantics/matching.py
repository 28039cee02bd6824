"""Comparing a machine's state with a process' graph, cell by cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from wolverine.core.graph import (
    MemoryGraph,
    NodeId,
    ObjectId,
    Place,
    VariableId,
)
from wolverine.semantics.address import (
    ADDRESS_MASK,
    BITS,
    CELL_KINDS,
    EXTERNAL,
    FILLED,
    HALF,
    HIDDEN,
    KIND_SHIFT,
    KIND_SIZE,
    LITERAL,
    LOCALS,
    POINTER,
    SPOILT,
    STATE_KEY,
    WILD,
    ZEROED_KEY,
    node_address,
    number_of,
    offset_of,
)
from wolverine.semantics.encoding import Encoded, encode_changes, encode_graph
from wolverine.semantics.layout import Layout
from wolverine.semantics.machine import Machine
from wolverine.semantics.unknown import Unknown

WORD = (1 << 64) - 1


class Comparison:
    """Whether a machine is in the state of a graph: cells that the machine never wrote do not count.

    With `since` (a graph and its encoding in whose state the machine was when its trail began) only what
    the process has changed since then, and what the machine has written, is looked at.
    """

    def __init__(
        self, layout: Layout, graph: MemoryGraph, since: tuple[MemoryGraph, Encoded] | None = None
    ) -> None:
        told = encode_changes(layout, graph, *since) if since is not None else None
        self.encoded = told[0] if told is not None else encode_graph(layout, graph)
        self._changed = told[1] if told is not None else None
        self._order = list(self.encoded.cells if told is None else told[1] & self.encoded.cells.keys())
        self._latest = 0  # the key that differed last
        self._node = next(reversed(self.encoded.nodes), 0)  # likewise; the youngest is the last to come
        self._keys: dict[int, None] = {}
        self._scanned = 0  # so much of the machine's trail is in `_keys`
        self._layout = layout
        self._graph = graph
        self._addresses: dict[ObjectId, int] = {}
        self.scanned = 0  # cells, in search of unknown values

    def differs(self, machine: Machine) -> bool:
        """Whether any cell or node differs; remembers where, so that the next call is quick."""
        cells, wanted, get = self._order, self.encoded.cells, machine.memory.cells.get
        if self._latest in wanted and self._cell(machine, self._latest, get(self._latest)):
            return True
        nodes = self.encoded.nodes
        if self._node in nodes and self._other(machine, self._node):
            return True
        for number in self._nodes(machine):
            self._node = node_address(number) + STATE_KEY
            return True
        for key in chain(cells, self._written(machine)):
            if key not in wanted:
                continue
            have = get(key)
            if have is not wanted[key] and self._cell(machine, key, have):
                self._latest = key
                return True
        return False

    def rewound(self, machine: Machine) -> None:
        """The machine went back: what it writes from here on has not been seen."""
        self._scanned = min(self._scanned, len(machine.memory.trail))

    def _written(self, machine: Machine) -> Iterable[int]:
        """The keys that the machine has written (and those that it had written before it went back)."""
        if self._changed is None:
            return ()
        trail = machine.memory.trail
        self._keys.update(dict.fromkeys(trail[self._scanned :: 2]))
        self._scanned = len(trail)
        return self._keys

    def differences(self, machine: Machine) -> tuple[Place, ...]:
        """The places that differ, and byte 0 of each node that is there, live or freed on one side only."""
        get = machine.memory.cells.get
        found = [Place(NodeId(number), 0) for number in self._nodes(machine)]
        wanted, places = self.encoded.cells, self.encoded.places
        return (*found, *(places[k] for k in wanted if self._cell(machine, k, get(k))))

    def unknowns(self, machine: Machine) -> Iterator[tuple[Unknown, Any]]:
        """The unknown values of the machine's cells with the process' values."""
        get, cells = machine.memory.cells.get, self.encoded.cells
        keys = cells if self._changed is None else dict.fromkeys((*self._order, *self._written(machine)))
        self.scanned += len(keys)
        for key in keys:
            have, wanted = get(key), cells.get(key)
            if isinstance(have, Unknown) and wanted is not None:
                yield have, wanted

    def _nodes(self, machine: Machine) -> Iterator[int]:
        nodes = self.encoded.nodes
        keys: Iterable[int] = nodes
        if self._changed is not None:
            keys = dict.fromkeys(k for k in (*self._changed, *self._written(machine)) if k in nodes)
        for key in keys:
            if self._other(machine, key):
                yield number_of(key & ADDRESS_MASK)
        yield from range(self.encoded.count + 1, machine.memory.node_count + 1)

    def _other(self, machine: Machine, key: int) -> bool:
        """Whether the node with that key is not there, or live and freed on one side only."""
        have, wanted = machine.memory.cells.get(key), self.encoded.nodes[key]
        if have == wanted:
            return False
        size = machine.memory.node_size(number_of(key & ADDRESS_MASK))
        return size is None or ((have or 0) < 0) != (wanted < 0)

    def _cell(self, machine: Machine, key: int, have: Any) -> bool:
        """Whether a cell that holds `have` in the model differs from the graph's."""
        wanted = self.encoded.cells[key]
        if isinstance(have, Unknown) or key >> KIND_SHIFT == SPOILT:
            return False
        if have is None:
            if wanted is None or not self._zeroed(machine, key):
                return False
            have = 0
        if wanted is None:
            if key >> KIND_SHIFT >= BITS:
                return False  # what fresh memory is filled with looks like any value there
            return bool(have != FILLED.get(key >> KIND_SHIFT))
        if type(have) is int and type(wanted) is int and key >> KIND_SHIFT == POINTER:
            if have >= LITERAL:
                return have != wanted and not EXTERNAL <= wanted < WILD
            if number_of(have) >= LOCALS and have < EXTERNAL and have != wanted:
                found = machine.layout.object_at(have, machine.function_at)
                if isinstance(found, VariableId) and found.name.startswith("$"):
                    return number_of(wanted) < LOCALS  # a compound literal: somewhere among the locals
                if wanted >= EXTERNAL:
                    return found is not None
            return bool(have != wanted) and not self._same_address(machine, have, wanted)
        if have != have and wanted != wanted:
            return False  # both are not a number
        return bool(have != wanted)

    def _same_address(self, machine: Machine, one: int, two: int) -> bool:
        """Whether two pointers are equal in the process: one object may lie just behind another."""
        if not self._addresses:
            self._addresses.update((variable.id, variable.address) for variable in self._graph.variables())
            self._addresses.update((node.id, node.address) for node in self._graph.nodes.values())
        places = []
        for raw in (one, two):
            found = machine.layout.object_at(raw, machine.function_at) if 0 < raw < EXTERNAL else None
            address = self._addresses.get(found, 0) if found is not None else 0
            if EXTERNAL <= raw < LITERAL:
                places.append(raw & WORD)
            elif abs(raw) < HALF:
                places.append(raw & WORD)  # beside null
            elif address:
                places.append(address + offset_of(raw))
        return len(places) == 2 and places[0] == places[1]

    def _zeroed(self, machine: Machine, key: int) -> bool:
        """Whether calloc cleared the cell and nothing was written there, also before the node was freed."""
        address, cells = key & ADDRESS_MASK, machine.memory.cells
        if cells.get(address - offset_of(address) + ZEROED_KEY) is None:
            return False
        keys = [key, *(address + (kind << KIND_SHIFT) for kind in CELL_KINDS)]
        spoilt = address + (SPOILT << KIND_SHIFT)
        keys += range(spoilt, spoilt + KIND_SIZE.get(key >> KIND_SHIFT, 1))
        return not any(key in cells or key + HIDDEN in cells for key in keys)
