"""Whether a state meets an assertion up to the names of the nodes that the trace allocates.

The same question as `wolverine.semantics.assertions` answers, asked so often that it is answered by one
walk: what an asserted pointer leads to has one possible name, so the first cell that differs decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wolverine.core.graph import External, MemoryGraph, NodeId, ObjectId, Pointer, Uninitialised, VariableId
from wolverine.core.trace import Assertion
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
from wolverine.semantics.assertions import kept_names
from wolverine.semantics.layout import Layout
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import encode, guess_kinds, held, scalar_type
from wolverine.semantics.unknown import Unknown


@dataclass(frozen=True, slots=True)
class _Cell:
    """An asserted cell at a byte offset: what it holds, or (`node`, `inside`) where it has to lead."""

    offset: int
    kinds: tuple[int, ...]
    typed: bool
    raw: Any
    external: bool
    node: NodeId | None
    inside: int


class Renaming:
    """An assertion that mentions nodes which the start of its trace does not have.

    It is `loose` where asserted pointers do not lead to all of these: others may stand for them.
    """

    def __init__(self, layout: Layout, start: MemoryGraph, assertion: Assertion) -> None:
        self._fixed = frozenset(start.nodes)
        self._allocated = assertion.allocated
        self._states = assertion.states
        self._cells: dict[ObjectId, list[_Cell]] = {}
        self._bases: dict[ObjectId, int] = {}
        for place, value in assertion.cells.items():
            base = layout.object_address(place.object)
            if base is None or isinstance(value, Uninitialised):
                continue
            ctype = scalar_type(layout, start, place)
            kinds = guess_kinds(value, place.offset) if ctype is None else (kind_of(ctype),)
            node, inside = None, 0
            target = value.object if isinstance(value, Pointer) else None
            if isinstance(value, Pointer) and isinstance(target, NodeId) and target not in self._fixed:
                node, inside = target, value.offset
            raw = encode(layout, value, ctype)
            cell = _Cell(
                place.offset, kinds, ctype is not None, raw, isinstance(value, External), node, inside
            )
            self._cells.setdefault(place.object, []).append(cell)
            self._bases[place.object] = base
        self._roots = [o for o in self._cells if isinstance(o, VariableId) or o in self._fixed]
        mentioned = {o for o in self._cells if isinstance(o, NodeId)} | set(self._states)
        self._fresh = sorted(n for n in mentioned if n not in self._fixed)
        self._targets = {c.node for cells in self._cells.values() for c in cells if c.node is not None}
        self.loose = not self._led_to().issuperset(self._fresh)

    def _led_to(self) -> set[NodeId]:
        """The nodes whose names follow from asserted pointers."""
        found: set[NodeId] = set()
        pending = list(self._roots)
        while pending:
            for cell in self._cells.get(pending.pop(), ()):
                if cell.node is not None and cell.node not in found:
                    found.add(cell.node)
                    pending.append(cell.node)
        return found

    def met(self, machine: Machine) -> bool:
        """Whether the machine's state meets the assertion under some other naming of the nodes."""
        if machine.memory.node_count == self._allocated:
            return False
        names: dict[NodeId, NodeId] = {}
        taken: set[NodeId] = set()
        pending: list[NodeId] = []
        for index, root in enumerate(self._roots):
            if not self._agrees(machine, self._cells[root], self._bases[root], names, taken, pending):
                if index:
                    self._roots.insert(0, self._roots.pop(index))  # looked at first next time
                return False
        if not self._walk(machine, names, taken, pending):
            return False
        left = [n for n in self._fresh if n not in names]
        numbers = range(1, machine.memory.node_count + 1)
        free = [NodeId(k) for k in numbers if NodeId(k) not in self._fixed and NodeId(k) not in taken]
        kept = kept_names(left, free)  # what no asserted path reaches
        names = {each: each for each in self._targets} | names | kept
        taken.update(kept.values())
        pending += left
        if not self._walk(machine, names, taken, pending):
            return False
        live, absent = machine.memory.node_live, NodeId(0)
        return all(
            live(names.get(n, n if n in self._fixed else absent).number) is (state == "live")
            for n, state in self._states.items()
        )

    def _walk(
        self,
        machine: Machine,
        names: dict[NodeId, NodeId],
        taken: set[NodeId],
        pending: list[NodeId],
    ) -> bool:
        while pending:
            node = pending.pop()
            base = node_address(names.get(node, node).number)
            if not self._agrees(machine, self._cells.get(node, ()), base, names, taken, pending):
                return False
        return True

    def _agrees(
        self,
        machine: Machine,
        cells: Sequence[_Cell],
        base: int,
        names: dict[NodeId, NodeId],
        taken: set[NodeId],
        pending: list[NodeId],
    ) -> bool:
        memory = machine.memory
        get = memory.cells.get
        for cell in cells:
            address = base + cell.offset
            node = cell.node
            if node is None:
                if get(address + (cell.kinds[0] << KIND_SHIFT)) == cell.raw and cell.typed:
                    continue
                if not _holds(machine, address, cell):
                    return False
                continue
            have = held(memory, address, POINTER)
            if not isinstance(have, int) or have >= EXTERNAL or offset_of(have) != cell.inside:
                return False
            found = NodeId(number_of(have))
            known = names.get(node)
            if known is None:
                if found in self._fixed or found in taken:
                    return False
                names[node] = found
                taken.add(found)
                pending.append(node)
            elif known != found:
                return False
        return True


def _holds(machine: Machine, address: int, cell: _Cell) -> bool:
    have: Any = None
    kind = POINTER
    written = [k for k in cell.kinds if address + (k << KIND_SHIFT) in machine.memory.cells]
    for kind in written or cell.kinds:  # memory that calloc cleared is zero as a cell of any kind
        have = held(machine.memory, address, kind)
        if have is not None:
            break
    if have is None or isinstance(have, Unknown):
        return False
    if cell.external and isinstance(have, int) and have >= LITERAL:
        return True
    raw = cell.raw
    if not cell.typed and isinstance(raw, int) and kind != POINTER:
        raw = integer_raw(raw, kind)
    return bool(have == raw)
