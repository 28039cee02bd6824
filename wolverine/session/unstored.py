"""Where a call has returned and the rest of its statement is still to come: its value is not stored yet."""

from __future__ import annotations

from wolverine import draw
from wolverine.core.expressions import lvalue_text
from wolverine.core.graph import Place
from wolverine.core.program import Assign, Call, Gap, Program
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
    """What to say where the process stands within a statement, behind one of its calls; "" elsewhere."""
    function, instruction = moment.stack[0] if moment.stack else ("", UNMAPPED)
    if instruction == UNMAPPED or moment.stop.foreign or moment.stop.reason == "signal":
        return ""
    lowered = program.functions[function]
    unit = lowered.unit_of[instruction]
    if unit < 0 or instruction <= lowered.units[unit].first or instruction >= lowered.end:
        return ""
    steps = [
        step for step, of in zip(lowered.code[instruction:], lowered.unit_of[instruction:]) if of == unit
    ]
    steps = [step for step in steps if not isinstance(step, Gap)]
    where = f"in the middle of line {lowered.units[unit].span.line}"
    match steps:
        case [Assign(_, target)] if not lvalue_text(target).startswith("$"):
            return f"{where}: the result is not stored in {lvalue_text(target)} yet"
        case _:
            return f"{where}: the rest of it is still to be executed"
