"""Which members of unions are in use, as the model has written them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from wolverine.core.graph import MemoryGraph, NodeId, Part, Place, Union, VariableId
from wolverine.core.types import CType, Types
from wolverine.core.unions import alternatives
from wolverine.semantics.address import ADDRESS_MASK, HIDDEN, KIND_SHIFT, KIND_SIZE, SPOILT, kind_of
from wolverine.semantics.machine import Machine
from wolverine.semantics.memory import Memory
from wolverine.semantics.unknown import Unknown

_SPOILT = SPOILT << KIND_SHIFT
Choices = Sequence[tuple[tuple[Part, ...], Collection[int]]]  # what each is made of, the keys from address 0


class Members:
    """The members of the unions of a program's types, and which of them a memory has."""

    def __init__(self, types: Types) -> None:
        self._types = types
        self._known: dict[CType, Choices] = {}

    def choices(self, ctype: CType) -> Choices:
        """What a union may be made of."""
        if ctype not in self._known:
            self._known[ctype] = [(each, self._keys(each)) for each in alternatives(self._types, ctype)]
        return self._known[ctype]

    def _keys(self, parts: tuple[Part, ...]) -> dict[int, None]:
        return {
            offset + (kind_of(scalar) << KIND_SHIFT): None
            for part in parts
            for offset, scalar in self._types.scalars(part.type, part.offset)
        }

    def written(self, memory: Memory, address: int, ctype: CType) -> set[int]:
        """The keys, from address 0, of the cells that the union at an address has."""
        cells = memory.cells
        found: set[int] = set()
        for _, keys in self.choices(ctype):
            for key in keys:
                value = cells.get(address + key)
                if value is None and memory.strict:
                    value = cells.get(address + key + HIDDEN)
                if value is not None and not isinstance(value, Unknown):
                    found.add(key)
        return found

    def of(
        self, memory: Memory, address: int, ctype: CType, shown: tuple[Part, ...] = ()
    ) -> tuple[Part, ...] | None:
        """The member that has all the cells of the union at an address, rather the one `shown`.

        None where there are none, or of several members.
        """
        written = self.written(memory, address, ctype)
        fitting = [(parts, len(keys)) for parts, keys in self.choices(ctype) if written <= set(keys)]
        if not written or not fitting:
            return None
        return min(fitting, key=lambda each: (each[0] != shown, each[1]))[0]

    def enter(self, memory: Memory, address: int, ctype: CType, key: int) -> None:
        """The member with that cell is in use now: the cells that only others have go, their bytes stay."""
        inner = key - address
        own = {each for _, keys in self.choices(ctype) if inner in keys for each in keys}
        for each in self.written(memory, address, ctype) - own if own else ():
            memory.put(address + each, None)
            memory.put(address + each + HIDDEN, None)
            start = (address + each) & ADDRESS_MASK
            for at in range(start, start + KIND_SIZE.get(each >> KIND_SHIFT, 1)):
                memory.put(at + _SPOILT, 1)
                memory.admit((at + _SPOILT,))


def in_use(machine: Machine, graph: MemoryGraph) -> dict[Place, tuple[Part, ...]]:
    """The members of the graph's unions that are in use in the machine, of those that have cells there.

    A variable in which the machine has written nothing has none.
    """
    found: dict[Place, tuple[Part, ...]] = {}
    members = Members(graph.types)
    for place, union in graph.unions.items():
        base = machine.layout.object_address(place.object)
        if base is None:
            continue
        parts = members.of(machine.memory, base + place.offset, union.type, union.parts)
        if parts is not None:
            found[place] = parts
        elif isinstance(place.object, VariableId) and _untouched(members, machine, base, place, union):
            found[place] = ()
    return found


def unwritten_unions(machine: Machine, graph: MemoryGraph) -> frozenset[Place]:
    """The unions in variables of the graph in which the machine has written nothing."""
    members = Members(graph.types)
    found: set[Place] = set()
    for place, union in graph.unions.items():
        base = machine.layout.object_address(place.object)
        known = base is not None and not isinstance(place.object, NodeId)
        if known and base is not None and _untouched(members, machine, base, place, union):
            found.add(place)
    return frozenset(found)


def _untouched(members: Members, machine: Machine, base: int, place: Place, union: Union) -> bool:
    spoilt = kind_of(union.type) << KIND_SHIFT
    start = base + place.offset
    cells = machine.memory.cells
    if any(at + spoilt in cells for at in range(start, start + len(union.data))):
        return False
    return not members.written(machine.memory, start, union.type)
