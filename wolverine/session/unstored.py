"""Where a call has returned and the rest of its statement is still to come: its value is not stored yet."""

from __future__ import annotations

from wolverine import draw
from wolverine.core.expressions import lvalue_text
from wolverine.core.graph import Place
from wolverine.core.program import Assign, Call, Function, Gap, Program
from wolverine.frontend import split_assignment
from wolverine.session.moments import Moment
from wolverine.session.positions import UNMAPPED


def is_to_be_stored(program: Program, moment: Moment, place: Place) -> bool:
    """Whether all that is left of the statement at hand is to store a call's value in that place."""
    function, instruction = moment.stack[0] if moment.stack else ("", UNMAPPED)
    if instruction in (UNMAPPED, 0):
        return False
    lowered = program.functions[function]
    step, units = lowered.code[instruction], lowered.unit_of
    within = units[instruction - 1] == units[instruction]
    ends = instruction + 1 == len(units) or units[instruction + 1] != units[instruction]
    if not (within and ends and isinstance(step, Assign)):
        return False
    name = draw.place_text(moment.graph, place, short=True).rpartition("::")[2]
    return isinstance(lowered.code[instruction - 1], Call) and lvalue_text(step.target) == name


def in_the_middle(program: Program, moment: Moment) -> str:
    """What to say where the process stands within a statement, or a line, behind a call; "" elsewhere."""
    function, instruction = moment.stack[0] if moment.stack else ("", UNMAPPED)
    if instruction == UNMAPPED or moment.stop.foreign or moment.stop.reason == "signal":
        return ""
    lowered = program.functions[function]
    if (done := _ended_by(lowered, instruction, moment.stop.reason)) is not None:
        line, call = done
        return f"line {line}: the call of {call.function} has returned"
    unit = lowered.unit_of[instruction]
    if unit < 0 or instruction <= lowered.units[unit].first or instruction >= lowered.end:
        return ""
    steps = [
        step for step, of in zip(lowered.code[instruction:], lowered.unit_of[instruction:]) if of == unit
    ]
    steps = [step for step in steps if not isinstance(step, Gap)]
    where = f"in the middle of line {lowered.units[unit].span.line}"
    match steps:
        case [Assign(_, target) as step] if not lvalue_text(target).startswith("$"):
            return f"{where}: the result is not stored in {_as_written(program, step)} yet"
        case _:
            return f"{where}: the rest of it is still to be executed"


def _ended_by(function: Function, instruction: int, reason: str) -> tuple[int, Call] | None:
    """The call with which a statement ends, and its line, where the process stands right behind it there."""
    at = instruction - 1
    between = isinstance(function.code[instruction], Gap)  # no statement begins where it stands
    while not between and at >= 0 and isinstance(function.code[at], Gap):
        at -= 1
    call = function.code[at] if at >= 0 else None
    if not isinstance(call, Call):
        return None
    unit, here = function.unit_of[at], function.unit_of[instruction]
    line = function.units[unit].span.line
    on = reason == "finish" and unit != here >= 0 and function.units[here].span.line == line
    return (line, call) if between or on else None


def _as_written(program: Program, step: Assign) -> str:
    """The place to which a statement assigns, as the source has it where parts of it are reckoned before."""
    name = lvalue_text(step.target)
    sides = split_assignment(program.location(step.location).text) if "$" in name else None
    return sides[0] if sides is not None else name
