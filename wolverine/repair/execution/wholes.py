"""Structs that are copied from one node to another."""

from __future__ import annotations

from wolverine.core.expressions import Dereference, Load
from wolverine.core.patch import NewAssignment
from wolverine.repair.execution.effects import CRASH, DONE, NOOP, Effect, writable
from wolverine.repair.execution.pool import FAILED, Pool, look
from wolverine.semantics.generate import spread
from wolverine.semantics.machine import Machine


class Whole:
    """`*p = *q` on one machine."""

    def __init__(self, pool: Pool, name: str, made: NewAssignment) -> None:
        assert isinstance(made.target, Dereference) and isinstance(made.value, Load)
        assert isinstance(made.value.place, Dereference)
        self._into, self._source = pool.values(name, [made.target.pointer, made.value.place.pointer])
        self._cells = spread(pool.machine.program.types, made.target.type)

    def effect(self, machine: Machine) -> Effect:
        """What it does in the present state: the cells that the source holds, one after the other."""
        into, source = look(machine, self._into), look(machine, self._source)
        if into is FAILED or source is FAILED or not into or not source:
            return CRASH
        held = machine.memory.cells
        done: list[Effect] = []
        for cell in self._cells:
            if not writable(machine, source + cell) or not writable(machine, into + cell):
                return CRASH
            value = held.get(source + cell)
            if value is not None and held.get(into + cell) != value:
                done.append((into + cell, value))
        return (DONE, tuple(done)) if done else NOOP
