"""What may be handed on as `void *`, as the argument of `free` is: a pointer of any type.

A number is handed on so by a slip alone, and any pointer may be meant; in the place of a pointer one that is
a step away is: another field, what the field is in, or a field of what it leads to.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Cast, Constant, Dereference, Expression, Load, LValue, Member
from wolverine.core.parts import without_casts
from wolverine.core.types import VOID_POINTER, CType, IntType, PointerType
from wolverine.repair.menus.vocabulary import Scope, Vocabulary


def handed(vocabulary: Vocabulary, scope: Scope, ctype: CType, value: Expression) -> Iterator[Expression]:
    """The pointers of other types that may be meant with a value that is converted to `ctype`."""
    if ctype != VOID_POINTER or not isinstance(value, Cast) or value.written:
        return
    given = without_casts(value)
    if isinstance(given, Constant):
        return
    number = isinstance(given.type, IntType)
    for place in vocabulary.places(scope) if number else _near(vocabulary, given):
        if isinstance(place.type, PointerType) and place.type not in (given.type, VOID_POINTER):
            yield Cast(Load(place), ctype)


def _near(vocabulary: Vocabulary, given: Expression) -> Iterator[LValue]:
    yield from vocabulary.fields(given)
    match given:
        case Load(Member(Dereference(Load(pointer)) as base)):
            yield pointer
            yield from vocabulary.members(base)
