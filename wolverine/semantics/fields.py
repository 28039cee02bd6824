"""Fields of structs, whichever node they are read from."""

from __future__ import annotations

from wolverine.core.expressions import Expression, Load, Member
from wolverine.core.parts import without_casts
from wolverine.core.types import IntType, StructReference

Field = tuple[str, int]  # struct and offset


def field_of(value: Expression) -> Field | None:
    """The field that a value is, casts aside; None for anything else.

    Of a struct inside of another one it is that of the outermost: `node->data.key`.
    """
    match without_casts(value):
        case Load(Member() as place):
            return _field_at(place, 0)
    return None


def _field_at(place: Member, offset: int) -> Field | None:
    match place.base:
        case Member() as outer:
            return _field_at(outer, offset + place.offset)
        case base if isinstance(base.type, StructReference):
            return base.type.tag, offset + place.offset
    return None


def number_field(value: Expression) -> Field | None:
    """The same of fields that hold integers; characters make up texts."""
    found = without_casts(value)
    return field_of(found) if isinstance(found.type, IntType) and found.type.size > 1 else None
