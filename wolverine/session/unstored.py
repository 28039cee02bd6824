"""Where a call has returned and its value is still to be stored: what is changed there is written over."""

from __future__ import annotations

from wolverine import draw
from wolverine.core.expressions import lvalue_text
from wolverine.core.graph import Place
from wolverine.core.program import Assign, Call, Program
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
