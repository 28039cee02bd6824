"""Executions that come to a state in which they were before, and so never come to an end."""

from __future__ import annotations

from typing import Any, Literal

from wolverine.semantics.activation import Activation, level
from wolverine.semantics.address import ADDRESS_MASK, FRAME, KIND_SHIFT, LOCALS, local_offset, number_of
from wolverine.semantics.machine import Machine, Outcome
from wolverine.semantics.unswayed import unswayed

_QUIET = 100  # steps that are nothing unusual
_WATCHED = 400  # steps of one round that are noticed
_ROUNDS = 5  # after which it is looked at what decides where a loop goes
_CELLS = 100  # of an activation that are compared


def advance(
    machine: Machine, limit: int, path: list[int] | None = None, *, counting: bool = True
) -> Outcome | Literal["endless"]:
    """Execute up to `limit` instructions until the driver is needed, or "endless" where it never would be.

    The machine was in the same state before, or (unless not `counting`) goes round in a loop that changes
    only what its course does not depend on.  `path` is that of `Machine.run`.  Raises what that raises.
    """
    left, quiet = limit, _QUIET
    while True:
        begun = machine.steps
        outcome = machine.run(min(left, quiet), path)
        left -= machine.steps - begun
        if outcome != "limit" or left <= 0:
            return outcome
        begun = machine.steps
        watched = _watch(machine, min(left, _WATCHED), left, path, counting)
        left -= machine.steps - begun
        if watched is None:
            watched = machine.arrived()
        if watched is not None:
            return watched
        if left <= 0:
            return "limit"
        quiet *= 2


def _watch(
    machine: Machine, steps: int, limit: int, path: list[int] | None, counting: bool
) -> Outcome | Literal["endless"] | None:
    """Execute so many instructions, and look at whether these lead round; in no case more than `limit`."""
    begun, state = machine.steps, machine.key()
    frame, pc, rounds = machine.frame, machine.pc, 0
    while (left := steps - (made := machine.steps - begun)) > 0:
        if path is None:
            outcome = machine.come_to(pc if machine.frame is frame else -1, left)
        else:
            outcome = machine.step(path)
        if outcome is not None:
            return outcome
        if machine.steps - begun > made and machine.pc == pc and machine.frame is frame:
            if machine.key() == state:
                return "endless"
            rounds += 1
            if rounds == _ROUNDS and counting:
                came = unswayed(machine, limit - (machine.steps - begun), path)
                if came is not False:
                    return "endless" if came is True else came
        elif machine.frame is not None and frame is not None and machine.frame.depth < frame.depth:
            frame, pc, rounds, state = machine.frame, machine.pc, 0, machine.key()  # that call is over
    return None


class Rounds:
    """Notices that an execution goes round, by the states at which it is looked at.

    What is remembered is replaced after ever longer stretches, as in Brent's method.  A recursion goes round
    that comes to the same place with the same variables while nothing else in memory has changed: what an
    activation does depends on nothing else.
    """

    __slots__ = ("_counted", "_due", "_frame", "_held", "_pc", "_state", "_trail")

    def __init__(self) -> None:
        self._due = _QUIET
        self._frame: Activation | None = None
        self._pc = -1
        self._state: object = None
        self._held: dict[int, Any] | None = None
        self._trail = 0
        self._counted = False

    def again(self, machine: Machine, used: int, awaited: int = 0) -> bool:
        """Whether the present state is one of before; `used` counts what was executed so far.

        In the activation numbered `awaited` something is still to come, if it comes to it.
        """
        frame = machine.frame
        if machine.pc == self._pc and frame is not None:
            if frame is self._frame:
                if not self._counted and machine.key() == self._state:
                    return True
            elif level(awaited) <= level(frame.number) and self._stands_as_before(machine, frame):
                if self._memory_is_as_before(machine):
                    return True
                self.forget()  # until the next state is remembered: memory is not compared at every level
        if used >= self._due and frame is not None:
            self._due = used + max(_QUIET, used // 4)
            self._pc, self._frame, self._state = machine.pc, frame, machine.key()
            self._held, self._trail = _held(machine, frame), len(machine.memory.trail)
            self._counted = False
        return False

    def forget(self) -> None:
        """What is asked for has changed: states of before do not come again."""
        self._pc = -1

    def count(self) -> None:
        """An arrival was counted: in the same activation states of before do not come again.

        Those further in count anew.
        """
        self._counted = True

    def _stands_as_before(self, machine: Machine, frame: Activation) -> bool:
        """Whether an activation further in has the variables of the remembered one, which waits for it."""
        before, cells = self._frame, machine.memory.cells
        if before is None or frame.linked.name != before.linked.name or frame.depth <= before.depth:
            return False
        if self._held is None or any(cells.get(frame.base + k) != held for k, held in self._held.items()):
            return False
        caller: Activation | None = frame
        while caller is not None and caller.depth > before.depth:
            caller = caller.caller
        return caller is before

    def _memory_is_as_before(self, machine: Machine) -> bool:
        """Apart from what belongs to the remembered activation and those further in."""
        assert self._frame is not None
        cells, trail = machine.memory.cells, machine.memory.trail
        own = LOCALS + self._frame.depth * FRAME
        first: dict[int, Any] = {}
        for at in range(self._trail, len(trail), 2):
            first.setdefault(trail[at], trail[at + 1])
        return all(
            key < 0 or number_of(key & ADDRESS_MASK) >= own or cells.get(key) == old
            for key, old in first.items()
        )


def _held(machine: Machine, frame: Activation) -> dict[int, Any] | None:
    """What the variables of an activation hold, by keys relative to its base; None where they are many."""
    cells, found = machine.memory.cells, {}
    for index in range(len(machine.layout.variables(frame.linked.name))):
        for at, kind in machine.layout.kinds(LOCALS + frame.depth * FRAME + index, machine.function_at) or ():
            key = local_offset(index) + at + (kind << KIND_SHIFT)
            found[key] = cells.get(frame.base + key)
            if len(found) > _CELLS:
                return None
    return found
