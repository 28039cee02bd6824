"""What somebody corrected in a picture, and what sets that."""

from __future__ import annotations

from wolverine.core.expressions import LValue, Member, VariableReference
from wolverine.core.graph import NodeId, VariableId
from wolverine.core.program import Assign, Program
from wolverine.core.trace import Assertion, Trace
from wolverine.core.types import StructReference

_FEW = 6  # places that were named

Places = frozenset[str | int]


def corrected(trace: Trace, *, null: bool = False) -> Places:
    """The variables by name and the fields by offset that somebody named or corrected, if these are few.

    With `null`, those of which it was said that they are null.
    """
    asserted = [event for event in trace.events if isinstance(event, Assertion)]
    said = [place for event in asserted for place in event.cells if place not in event.weak]
    if len(said) > _FEW:
        return frozenset()
    if null:
        said = [p for e in asserted for p, value in e.cells.items() if p not in e.weak and value is None]
    records = {v.id for v in trace.start.variables() if isinstance(v.type, StructReference)}
    names = {p.object.name for p in said if isinstance(p.object, VariableId)}
    return frozenset(names | {p.offset for p in said if isinstance(p.object, NodeId) or p.object in records})


def sets(target: LValue, places: Places) -> bool:
    """Whether a place is one of these, or a field of theirs to which a pointer leads."""
    match target:
        case VariableReference(name):
            return name in places
        case Member(base, _, offset):
            named = isinstance(base, VariableReference) and base.name in places
            return offset in places and not named
    return False


def setting(program: Program, places: Places) -> frozenset[str]:
    """The functions that assign something to one of these."""
    return frozenset(
        name
        for name, function in program.functions.items()
        if any(isinstance(step, Assign) and sets(step.target, places) for step in function.code)
    )
