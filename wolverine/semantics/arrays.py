"""The arrays in which subscripts have to stay: those that are part of an object.

Of an array that is a whole variable, or a whole node, the end of the object tells the same.
"""

from __future__ import annotations

from wolverine.core.expressions import Element, LValue, Member, VariableReference, lvalue_text
from wolverine.core.types import ArrayType

_FLEXIBLE = 1  # as many elements at most have arrays at the ends of structs that are made longer


def length_within(element: Element) -> int:
    """How many elements the array has in which the subscript has to stay; 0: any may be right."""
    array = element.base.type
    if isinstance(element.base, VariableReference) or not isinstance(array, ArrayType):
        return 0
    return array.length if array.length > _FLEXIBLE else 0


def array_name(array: LValue) -> str:
    """How an array is called, in words."""
    written = lvalue_text(array)
    if "$" not in written:
        return written
    return array.name if isinstance(array, Member) else "an array"
