"""Several statements, under a test or not, carried out one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from wolverine.core.expressions import VariableReference
from wolverine.core.patch import Guarded, NewAssignment, NewBlock, NewJump, NewSkip, Several
from wolverine.core.program import RESULT_NAME, Gap
from wolverine.repair.execution.effects import (
    CRASH,
    DONE,
    FREE,
    LEAVE,
    NOOP,
    PASS,
    PUT,
    Effect,
    freeable,
    perform,
    writable,
)
from wolverine.repair.execution.pool import FAILED, Pool, compiled, look
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.replacing import slot_at

_CALLED = 2_000  # steps of a call

Pair = tuple[Evaluate, Evaluate]  # a place, what it is set to
_Step: TypeAlias = "Pair | Evaluate | _Calling"


def compiled_pair(pool: Pool, name: str, made: NewAssignment) -> Pair:
    """An assignment's place and value."""
    [key] = pool.keys(name, [made.target])
    [value] = compiled(pool.machine.evaluators.values, name, [(made.value, made.target.type)])
    return key, value


class Block:
    """Several statements on one machine."""

    def __init__(self, pool: Pool, name: str, index: int, made: Guarded | Several) -> None:
        self._test: Evaluate | None = None
        self._leaves = False
        self._onward: int | None = None
        self._steps: list[_Step] = []
        block = made if isinstance(made, Several) else made.statement
        assert isinstance(block, Several | NewBlock)
        for each in block.statements:
            if isinstance(each, NewAssignment):
                self._steps.append(compiled_pair(pool, name, each))
            elif each.function == "free":
                self._steps += pool.values(name, each.arguments)
            else:
                self._steps.append(_Calling(each.function, pool.values(name, each.arguments)))
        if isinstance(made, Several):
            return
        assert isinstance(made.statement, NewBlock)
        self._test = pool.condition(name, made.condition)
        function, leaving = pool.machine.program.functions[name], made.statement.leaving
        self._leaves = leaving is not None
        if leaving is not None and leaving.value is not None:
            result = VariableReference(RESULT_NAME, function.result)
            self._steps.append(compiled_pair(pool, name, NewAssignment(result, leaving.value)))
        match made.statement.onward, function.code[index]:
            case NewSkip(until), _:
                self._onward = slot_at(function, until)
            case NewJump(keyword), Gap() as gap:
                self._onward = gap.onward(keyword)

    def effect(self, machine: Machine) -> Effect:
        """What it does in the present state: each statement in what those before leave behind."""
        truth = look(machine, self._test) if self._test is not None else True
        if truth is FAILED or not truth:
            return CRASH if truth is FAILED else NOOP
        mark, done = machine.mark(), list[Effect]()
        try:
            for step in self._steps:
                if isinstance(step, _Calling):
                    made = step.effect(machine)
                elif isinstance(step, tuple):
                    made = written(machine, step)
                else:
                    made = _freed(machine, step)
                if made == CRASH:
                    return CRASH
                perform(machine, made)
                done.append(made)
        finally:
            machine.undo(mark)
        every: Effect = (DONE, tuple(done))
        if self._onward is not None:
            return PASS, (self._onward, every)
        return (LEAVE, every) if self._leaves else every


class _Calling(NamedTuple):
    """A call of a function of the program."""

    function: str
    arguments: Sequence[Evaluate]

    def effect(self, machine: Machine) -> Effect:
        """What the call leaves behind; the machine stands where it stood."""
        values = [look(machine, each) for each in self.arguments]
        if any(each is FAILED for each in values):
            return CRASH
        mark, memory = machine.mark(), machine.memory
        try:
            if not carried_out(machine, self.function, values):
                return CRASH
            changed = dict.fromkeys(memory.trail[mark.trail :: 2])
            return PUT, tuple((key, memory.cells.get(key)) for key in changed)
        finally:
            machine.undo(mark)


def carried_out(machine: Machine, function: str, values: Sequence[Any]) -> bool:
    """Call a function of the program and let it come to its end; whether it does.

    The machine stands then where it stood before.
    """
    frame, pc = machine.frame, machine.pc
    try:
        machine.insert(function, values, 0)
        for _ in range(_CALLED):
            if machine.frame is frame:
                break
            if machine.step() in ("exited", "undetermined"):
                return False
    except Halt:
        return False
    if machine.frame is not frame:
        return False
    machine.pc = pc
    return True


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
