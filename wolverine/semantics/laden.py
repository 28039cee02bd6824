"""Fields by which each node leads to a node of another structure: what is in a queue is in a tree as well.

The program never sets them to null and never asks whether they are: it goes through them right away.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Constant, LValue, Member
from wolverine.core.parts import null_tests, step_parts, without_casts
from wolverine.core.program import Assign, Branch, Program
from wolverine.core.types import IntType, PointerType, StructReference
from wolverine.semantics.fields import Field


def laden(program: Program) -> frozenset[Field]:
    """Such fields, of nodes of any other struct, by struct and offset."""
    found = set[Field]()
    null = set[Field]()
    for function in program.functions.values():
        for step in function.code:
            if isinstance(step, Assign):
                empty = isinstance(without_casts(step.value), Constant)
                (null if empty else found).update(_led_across(step.target))
            asked = [part for part in step_parts(step) if isinstance(part.type, IntType)]
            asked += [step.condition] if isinstance(step, Branch) else []
            null.update(each for part in asked for place in null_tests(part) for each in _led_across(place))
    return frozenset(found - null)


def _led_across(place: LValue) -> Iterator[Field]:
    """The field that a place is, where that leads to another struct than it belongs to."""
    match place:
        case Member(base, _, offset, PointerType(StructReference(other))):
            if isinstance(base.type, StructReference) and base.type.tag != other:
                yield base.type.tag, offset
