"""Letting a machine go on in its program, past what is not modelled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wolverine.core.program import Concrete
from wolverine.repair.execution.concrete import passed
from wolverine.repair.execution.tape import Tape
from wolverine.semantics.address import node_address
from wolverine.semantics.endless import Rounds, advance
from wolverine.semantics.faults import Fault
from wolverine.semantics.machine import Machine
from wolverine.semantics.machine import Outcome as Stopped

Outcome = Stopped | Literal["endless"]


def onward(
    machine: Machine, limit: int, tape: Tape | None = None, path: list[int] | None = None
) -> Iterator[Outcome]:
    """Execute up to `limit` instructions: each stop on the way, then what ended it (see `Machine.run`).

    Statements that are not modelled do what is on the `tape`; "concrete" is the end where they cannot be
    passed over.  `path` is that of `Machine.run`.  Raises what the machine raises.
    """
    begun = machine.steps
    arrived: Outcome
    rounds = Rounds()
    while (left := limit - (machine.steps - begun)) > 0:
        frame = machine.frame
        if rounds.again(machine, machine.steps - begun):
            yield "endless"
            return
        if frame is not None and isinstance(frame.linked.steps[machine.pc], Concrete):
            if not passed(machine):
                if tape is None or not tape.take(machine):
                    yield "concrete"
                    return
                rounds.forget()  # the next thing that is read may be another one
            arrived = machine.arrived() or "concrete"
        else:
            arrived = advance(machine, left, path)
        if arrived != "concrete":
            yield arrived
            if arrived != "stop":
                return
    yield "limit"


def until_freed(machine: Machine, limit: int, tape: Tape, node: int) -> Iterator[None]:
    """The machine's stops before a node is freed; it ends where the execution does, without a fault."""
    try:
        for outcome in onward(machine, limit, tape):
            if outcome != "stop" or machine.memory.gone(node_address(node)):
                return
            yield
    except Fault:
        return


def ending(machine: Machine, limit: int, tape: Tape | None = None) -> Fault | None:
    """The fault by which the execution ends within so many instructions, where the machine stays.

    Raises `Halt` where it ends by what is not modelled.
    """
    try:
        for _ in onward(machine, limit, tape):
            pass
    except Fault as fault:
        return fault
    return None
