"""Whether a machine's state meets an assertion, up to the names of nodes allocated since the start."""

from __future__ import annotations

from typing import Any

from wolverine.core.graph import (
    External,
    MemoryGraph,
    NodeId,
    ObjectId,
    Place,
    Pointer,
    Uninitialised,
    Value,
    VariableId,
)
from wolverine.core.trace import Assertion
from wolverine.core.types import CType
from wolverine.semantics.address import (
    EXTERNAL,
    KIND_SHIFT,
    LITERAL,
    POINTER,
    integer_raw,
    kind_of,
    node_address,
    number_of,
    offset_of,
)
from wolverine.semantics.layout import Layout
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import encode, guess_kinds, held, scalar_type
from wolverine.semantics.unknown import Unknown


class Asserted:
    """An assertion prepared for checking; `start` is the graph at the start of its trace."""

    def __init__(self, layout: Layout, start: MemoryGraph, assertion: Assertion) -> None:
        self._layout = layout
        self._fixed = frozenset(start.nodes)
        self._assertion = assertion
        self._cells: list[tuple[Place, int, Value, CType | None, Any]] = []
        for place, value in assertion.cells.items():
            base = layout.object_address(place.object)
            if base is None or isinstance(value, Uninitialised):
                continue
            ctype = scalar_type(layout, start, place)
            raw = encode(layout, value, ctype)
            self._cells.append((place, base + place.offset, value, ctype, raw))

    def fails(self, machine: Machine) -> str:
        """Why the state does not meet the assertion, "" if it does."""
        wrong = self._mismatch(machine, {})
        if wrong is None:
            return ""
        if machine.memory.node_count == self._assertion.allocated:
            return f"the assertion does not hold at {_words(wrong)}"
        names = self._names(machine)
        if names and self._mismatch(machine, names) is None:
            return ""
        return f"the assertion does not hold at {_words(wrong)}"

    def failing_places(self, machine: Machine) -> tuple[Place, ...]:
        """The places whose values differ, under the given names of nodes; freed and live nodes as byte 0."""
        found = [p for p, a, v, t, raw in self._cells if not self._holds(machine, a, v, t, raw)]
        states = self._assertion.states.items()
        found += [Place(n, 0) for n, s in states if machine.memory.node_live(n.number) != (s == "live")]
        return tuple(dict.fromkeys(found))

    def _mismatch(self, machine: Machine, names: dict[NodeId, NodeId]) -> Place | None:
        for place, address, value, ctype, raw in self._cells:
            there, wanted = address, raw
            if names:
                if isinstance(place.object, NodeId):
                    there = node_address(names.get(place.object, place.object).number) + place.offset
                if isinstance(value, Pointer) and isinstance(value.object, NodeId):
                    number = names.get(value.object, value.object).number
                    wanted = node_address(number) + value.offset
            if not self._holds(machine, there, value, ctype, wanted):
                return place
        for node, state in self._assertion.states.items():
            named = names.get(node)
            if named is None and (not names or node in self._fixed):
                named = node
            live = named is not None and machine.memory.node_live(named.number)
            if live != (state == "live"):
                return Place(node, 0)
        return None

    def _holds(self, machine: Machine, address: int, value: Value, ctype: CType | None, raw: Any) -> bool:
        kinds = guess_kinds(value, address) if ctype is None else (kind_of(ctype),)
        # memory that calloc cleared is zero as a cell of any kind: what was written counts first
        kinds = tuple(k for k in kinds if address + (k << KIND_SHIFT) in machine.memory.cells) or kinds
        have: Any = None
        for kind in kinds:
            have = held(machine.memory, address, kind)
            if have is not None:
                break
        else:
            return False
        if isinstance(have, Unknown):
            return False
        if isinstance(value, External) and isinstance(have, int) and have >= LITERAL:
            return True
        if ctype is None and isinstance(value, int) and kind != POINTER:
            raw = integer_raw(value, kind)
        return bool(have == raw)

    def _names(self, machine: Machine) -> dict[NodeId, NodeId]:
        """A renaming of the nodes that the start does not have, found by walking from what has a name."""
        cells: dict[ObjectId, list[tuple[int, NodeId, int]]] = {}
        for place, _, value, _, _ in self._cells:
            if isinstance(value, Pointer) and isinstance(value.object, NodeId):
                cells.setdefault(place.object, []).append((place.offset, value.object, value.offset))
        names: dict[NodeId, NodeId] = {}
        taken: set[NodeId] = set()
        known = [o for o in cells if isinstance(o, VariableId) or o in self._fixed]
        bases = {o: self._layout.object_address(o) for o in known}
        work = [(o, base) for o, base in bases.items() if base is not None]
        while work:
            identity, base = work.pop()
            for offset, node, inside in cells.get(identity, ()):
                have = held(machine.memory, base + offset, POINTER)
                if node in self._fixed or node in names or not isinstance(have, int) or have >= EXTERNAL:
                    continue
                found = NodeId(number_of(have))
                if found in self._fixed or found in taken or offset_of(have) != inside:
                    continue
                names[node] = found
                taken.add(found)
                work.append((node, node_address(found.number)))
        return self._rest(machine, names, taken)

    def _rest(
        self, machine: Machine, names: dict[NodeId, NodeId], taken: set[NodeId]
    ) -> dict[NodeId, NodeId]:
        """Nodes that no asserted path reaches keep their names, or their order where another has theirs."""
        wanted = {p.object for p, *_ in self._cells if isinstance(p.object, NodeId)}
        wanted |= set(self._assertion.states)
        left = sorted(n for n in wanted if n not in self._fixed and n not in names)
        numbers = range(1, machine.memory.node_count + 1)
        free = [NodeId(k) for k in numbers if NodeId(k) not in self._fixed and NodeId(k) not in taken]
        return names | kept_names(left, free)


def kept_names(left: list[NodeId], free: list[NodeId]) -> dict[NodeId, NodeId]:
    """Nodes of `free` for those of `left` (both in order): themselves, and the rest as they come."""
    same = set(left).intersection(free)
    rest = zip((n for n in left if n not in same), (n for n in free if n not in same))
    return {n: n for n in same} | dict(rest)


def _words(place: Place) -> str:
    if isinstance(place.object, NodeId):
        return f"n{place.object.number}+{place.offset}"
    return place.object.name
