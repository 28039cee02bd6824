"""What statements under way have evaluated: the temporaries that are read yet, out of a machine and into one.

The process does not show them, so that whoever begins in the middle of an execution has them from the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wolverine.core.graph import Place, Uninitialised, Value, VariableId
from wolverine.core.types import CType
from wolverine.semantics.activation import outwards
from wolverine.semantics.address import cell_key, kind_of
from wolverine.semantics.encoding import decode, encode, held
from wolverine.semantics.machine import Machine
from wolverine.semantics.reaching import Reaching
from wolverine.semantics.unknown import Unknown


def pending(machine: Machine, reaching: Reaching) -> dict[Place, Value]:
    """The scalars in temporaries of the activations that will be read, as far as they are known."""
    found: dict[Place, Value] = {}
    for place, address, scalar in _read_yet(machine, reaching):
        value = decode(machine, held(machine.memory, address, kind_of(scalar)), scalar)
        if not isinstance(value, Uninitialised):
            found[place] = value
    return found


def awaited(machine: Machine, reaching: Reaching) -> frozenset[Unknown]:
    """The tokens on which the temporaries depend that will be read."""
    cells = machine.memory.cells
    keys = (cell_key(scalar, address) for _, address, scalar in _read_yet(machine, reaching))
    values = (cells.get(key) for key in keys)
    return frozenset[Unknown]().union(*(each.tokens() for each in values if isinstance(each, Unknown)))


def _read_yet(machine: Machine, reaching: Reaching) -> Iterator[tuple[Place, int, CType]]:
    """The scalars in temporaries of the activations that will be read: places, addresses and types."""
    functions, types = machine.program.functions, machine.layout.types
    pc = machine.pc
    for frame in outwards(machine.frame):
        name = frame.linked.name
        for variable in functions[name].temporaries:
            if not variable.name.startswith("$") or variable.name not in reaching.reads(name, pc):
                continue
            base = frame.base + machine.layout.address(name, variable)[1]
            for offset, scalar in types.scalars(variable.type):
                yield Place(VariableId(frame.depth, name, variable.name), offset), base + offset, scalar
        pc = frame.back


def shown(machine: Machine, values: Mapping[Place, Value]) -> Iterator[tuple[Unknown, Any]]:
    """The unknown values of the machine's temporaries with those that the process has shown."""
    for key, value in _cells(machine, values):
        have = machine.memory.cells.get(key)
        if isinstance(have, Unknown):
            yield have, value


def resume(machine: Machine, values: Mapping[Place, Value]) -> None:
    """Let the temporaries of the machine's activations hold these values."""
    for key, value in _cells(machine, values):
        machine.memory.put(key, value)


def _cells(machine: Machine, values: Mapping[Place, Value]) -> Iterator[tuple[int, Any]]:
    layout = machine.layout
    under_way = {(frame.depth, frame.linked.name) for frame in outwards(machine.frame)}
    for place, value in values.items():
        held_in = place.object
        if not isinstance(held_in, VariableId) or (held_in.depth, held_in.function) not in under_way:
            continue
        address, ctype = layout.object_address(held_in), layout.variable_type(held_in)
        scalar = layout.scalar(ctype, place.offset) if ctype is not None else None
        if address is not None and scalar is not None:
            yield cell_key(scalar, address + place.offset), encode(layout, value, scalar)
