"""Several statements, under a test or not, carried out one after the other."""

from __future__ import annotations

from wolverine.core.expressions import VariableReference
from wolverine.core.patch import Guarded, NewAssignment, NewBlock, Several
from wolverine.core.program import RESULT_NAME
from wolverine.repair.execution.effects import (
    CRASH,
    DONE,
    FREE,
    LEAVE,
    NOOP,
    Effect,
    freeable,
    perform,
    writable,
)
from wolverine.repair.execution.pool import FAILED, Pool, compiled, look
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.machine import Machine

Pair = tuple[Evaluate, Evaluate]  # a place, what it is set to


def compiled_pair(pool: Pool, name: str, made: NewAssignment) -> Pair:
    """An assignment's place and value."""
    [key] = pool.keys(name, [made.target])
    [value] = compiled(pool.machine.evaluators.values, name, [(made.value, made.target.type)])
    return key, value


class Block:
    """Several statements on one machine."""

    def __init__(self, pool: Pool, name: str, made: Guarded | Several) -> None:
        self._test: Evaluate | None = None
        self._leaves = False
        if isinstance(made, Several):
            self._steps: list[Pair | Evaluate] = [compiled_pair(pool, name, each) for each in made.statements]
            return
        assert isinstance(made.statement, NewBlock)
        self._test = pool.condition(name, made.condition)
        self._steps = []
        for each in made.statement.statements:
            if isinstance(each, NewAssignment):
                self._steps.append(compiled_pair(pool, name, each))
            else:
                self._steps += pool.values(name, each.arguments)
        leaving = made.statement.leaving
        self._leaves = leaving is not None
        if leaving is not None and leaving.value is not None:
            result = VariableReference(RESULT_NAME, pool.machine.program.functions[name].result)
            self._steps.append(compiled_pair(pool, name, NewAssignment(result, leaving.value)))

    def effect(self, machine: Machine) -> Effect:
        """What it does in the present state: each statement in what those before leave behind."""
        truth = look(machine, self._test) if self._test is not None else True
        if truth is FAILED or not truth:
            return CRASH if truth is FAILED else NOOP
        mark, done = len(machine.memory.trail), list[Effect]()
        try:
            for step in self._steps:
                made = written(machine, step) if isinstance(step, tuple) else _freed(machine, step)
                if made == CRASH:
                    return CRASH
                perform(machine, made)
                done.append(made)
        finally:
            machine.memory.undo(mark)
        return (LEAVE, (DONE, tuple(done))) if self._leaves else (DONE, tuple(done))


def written(machine: Machine, pair: Pair) -> Effect:
    """What an assignment does in the present state."""
    key, raw = look(machine, pair[0]), look(machine, pair[1])
    if key is FAILED or raw is FAILED or raw is None or not writable(machine, key):
        return CRASH
    return NOOP if machine.memory.cells.get(key) == raw else (key, raw)


def _freed(machine: Machine, closure: Evaluate) -> Effect:
    raw = look(machine, closure)
    if raw == 0:
        return NOOP
    known = raw is not None and raw is not FAILED and raw < 1 << 60
    return (FREE, raw) if known and freeable(machine, raw) else CRASH
