"""Executions that come to a state in which they were before, and so never come to an end."""

from __future__ import annotations

from typing import Literal

from wolverine.semantics.machine import Machine, Outcome

_QUIET = 100  # steps that are nothing unusual
_WATCHED = 400  # steps of one round that are noticed


def advance(machine: Machine, limit: int, path: list[int] | None = None) -> Outcome | Literal["endless"]:
    """Execute up to `limit` instructions until the driver is needed, or "endless" where it never would be.

    `path` is that of `Machine.run`.  Raises what that raises.
    """
    first = machine.run(min(limit, _QUIET), path)
    if first != "limit" or limit <= _QUIET:
        return first
    begun, state = machine.steps, machine.key()
    frame, pc = machine.frame, machine.pc
    watched = min(_WATCHED, limit - _QUIET)
    while machine.steps - begun < watched:
        outcome = machine.step(path)
        if outcome is not None:
            return outcome
        if machine.pc == pc and machine.frame is frame and machine.key() == state:
            return "endless"
    left = limit - _QUIET - watched
    return machine.run(left, path) if left > 0 else "limit"


class Rounds:
    """Notices that an execution goes round, by the states at which it is looked at (Brent's method)."""

    __slots__ = ("_due", "_frame", "_pc", "_state")

    def __init__(self) -> None:
        self._due = _QUIET
        self._frame: object = None
        self._pc = -1
        self._state: object = None

    def again(self, machine: Machine, used: int) -> bool:
        """Whether the present state is one of before; `used` counts what was executed so far."""
        if machine.pc == self._pc and machine.frame is self._frame and machine.key() == self._state:
            return True
        if used >= self._due:
            self._due = 2 * used
            self._pc, self._frame, self._state = machine.pc, machine.frame, machine.key()
        return False

    def forget(self) -> None:
        """What is counted or asked for has changed: states of before do not come again."""
        self._pc = -1
