"""What a trace says of states: asserted values, and what concrete steps wrote, in an encoding."""

from __future__ import annotations

from typing import Any

from wolverine.core.graph import NodeId, Place, Uninitialised
from wolverine.core.trace import Assertion, Effect, Trace
from wolverine.core.types import CType, StructReference
from wolverine.repair.widening.meaning import UNINITIALISED
from wolverine.repair.widening.symbolic import Symbolic
from wolverine.semantics.address import (
    COUNT_KEY,
    KIND_SHIFT,
    OBJECT_LIMIT,
    STATE_KEY,
    cell_key,
    kind_of,
    node_address,
)
from wolverine.semantics.state import encode, guess_kinds, scalar_type
from wolverine.solve import terms


class Facts:
    """Puts what the trace says into the symbolic state, and into the machine that leads the way."""

    def __init__(self, symbolic: Symbolic, trace: Trace) -> None:
        self._symbolic = symbolic
        self._machine = symbolic.machine
        self._trace = trace

    def _cell(self, place: Any, value: Any, seen: CType | None = None) -> tuple[int, Any] | None:
        layout = self._machine.layout
        base = layout.object_address(place.object)
        if base is None or isinstance(value, Uninitialised):
            return None
        ctype = seen or scalar_type(layout, self._trace.start, place) or self._field_type(place)
        raw = encode(layout, value, ctype)
        if ctype is not None:
            key = cell_key(ctype, base + place.offset)
        else:
            keys = [base + place.offset + (kind << KIND_SHIFT) for kind in guess_kinds(value, place.offset)]
            written = [k for k in keys if k in self._machine.memory.cells]
            key = next((k for k in (*written, *keys) if k in self._symbolic.state), keys[0])
        return (key, raw) if isinstance(raw, int) else None

    def _field_type(self, place: Place) -> CType | None:
        """The type of a cell of a node younger than the trace, where its size tells its struct."""
        if not isinstance(place.object, NodeId):
            return None
        types = self._machine.program.types
        size = self._machine.memory.node_size(place.object.number)
        found = {
            scalar
            for tag, struct in types.structs.items()
            if struct.size == size
            for offset, scalar in types.scalars(StructReference(tag))
            if offset == place.offset
        }
        return found.pop() if len({kind_of(each) for each in found}) == 1 else None

    def assertion(self, event: Assertion) -> None:
        """Every asserted place holds its value; from here on it is that value."""
        symbolic = self._symbolic
        for place, value in event.cells.items():
            found = self._cell(place, value)
            if found is not None:
                key, raw = found
                symbolic.require(True, terms.equality(symbolic.state.get(key, UNINITIALISED), raw))
                symbolic.state[key] = raw
                self._machine.memory.put(key, raw)
        for node, state in event.states.items():
            key = node_address(node.number) + STATE_KEY
            held = symbolic.state.get(key)
            if held is not None:
                live = terms.comparison(">=", held, 0)
                symbolic.require(True, live if state == "live" else terms.negation(live))

    def effect(self, effect: Effect) -> None:
        """What the process wrote, allocated and freed."""
        memory, symbolic = self._machine.memory, self._symbolic
        for node in effect.nodes:
            address = node_address(node.number)
            if memory.node_size(node.number) is None:
                memory.put(COUNT_KEY, max(memory.node_count, node.number))
                memory.put(address + STATE_KEY, effect.room(node) or OBJECT_LIMIT)
            symbolic.addresses.setdefault(address)
            symbolic.state[address + STATE_KEY] = memory.cells[address + STATE_KEY]
        for place, value in effect.cells.items():
            found = self._cell(place, value, effect.types.get(place))
            if found is not None:
                symbolic.state[found[0]] = found[1]
                memory.put(*found)
                memory.admit((found[0],))
        for node in effect.freed:
            if memory.node_live(node.number):
                memory.release(node_address(node.number))
                symbolic.free(node_address(node.number), True)
