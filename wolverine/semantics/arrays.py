"""The arrays in which subscripts have to stay: those that are part of an object.

Of an array that is a whole variable, or a whole node, the end of the object tells the same.
"""

from __future__ import annotations

from wolverine.core.expressions import Element, LValue, Member, VariableReference, lvalue_text
from wolverine.core.types import ArrayType, OpaqueType, Types

_SINGLE = 1  # of one element is what stands for more


def length_within(element: Element, types: Types) -> int:
    """How many elements the array has in which the subscript has to stay; 0: any may be right.

    At the end of a struct an array of any length may be a longer one, for which more was allocated, and
    members of a union are seen through one another.
    """
    array = element.base.type
    match element.base:
        case VariableReference():
            return 0
        case Member(base, _, offset):
            members = list(types.members(base.type))
            if isinstance(base.type, OpaqueType) or all(each.offset <= offset for each in members):
                return 0
    return array.length if isinstance(array, ArrayType) and array.length > _SINGLE else 0


def array_name(array: LValue) -> str:
    """How an array is called, in words."""
    written = lvalue_text(array)
    if "$" not in written:
        return written
    return array.name if isinstance(array, Member) else "an array"
