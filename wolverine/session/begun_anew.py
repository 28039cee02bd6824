"""A statement that crashed begins anew where something was corrected: it counts as not executed."""

from __future__ import annotations

from dataclasses import replace

from wolverine.core.expressions import VariableReference
from wolverine.core.program import Assign, Function
from wolverine.session.constraints import crashed
from wolverine.session.execution import Execution
from wolverine.session.positions import UNMAPPED

_AMID = "the statement that crashed has had effects already: it goes on amid them, with what it read before"


def begin_anew(execution: Execution) -> None:
    """Let the process stand before the statement that crashed, not amid it.

    What the statement has read before is in registers, and older than what was corrected since.  Where it
    has made a call or may have stored something already, that is not done twice: it is said instead.
    """
    moment = execution.path[-1]
    if not (crashed(moment) and moment.stop.reason == "signal" and moment.stack):
        return
    name, instruction = moment.stack[0]
    frame = moment.stop.frames[0]
    version = execution.codes.of(name, frame.pc)
    if instruction == UNMAPPED or version is None:
        return
    function = execution.program.functions[name]
    unit = function.unit_of[instruction]
    start = version.map.unit_start(name, unit) if unit >= 0 else None
    if start is None or not start < frame.pc:
        return
    behind = (each for each in version.map.returns(name, unit) if start < each <= frame.pc)
    done = [each for each in behind if each < frame.pc or not moment.stop.foreign]
    if done or _stores_twice(function, unit):
        execution.tell(_AMID)
        return
    execution.debugger.set_pc(start)
    frames = (replace(frame, pc=start), *moment.stop.frames[1:])
    execution.path[-1] = replace(moment, stop=replace(moment.stop, frames=frames, foreign=False))


def _stores_twice(function: Function, unit: int) -> bool:
    """Whether a statement sets several places of the program, so that it may crash behind the first."""
    steps = (step for step, at in zip(function.code, function.unit_of, strict=True) if at == unit)
    stored = [
        step
        for step in steps
        if isinstance(step, Assign)
        and not (isinstance(step.target, VariableReference) and step.target.name.startswith("$"))
    ]
    return len(stored) > 1
