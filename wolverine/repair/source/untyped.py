"""What places of type `void *` hold, as the conversions of the program tell.

`current = current->next`, where `next` is a `void *` that the program converts to `struct cell *` elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import (
    Cast,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
)
from wolverine.core.parts import parts
from wolverine.core.program import Assign, Program
from wolverine.core.types import VOID_POINTER, CType, PointerType, StructReference
from wolverine.repair.source.walk import expressions_of

_Named = tuple[str, str]  # a struct's tag and a field; a function, "" for globals, and a variable


class Untyped:
    """The types of pointers that `void *` fields and variables take and give, with how casts are written."""

    def __init__(self, program: Program) -> None:
        self._held: dict[_Named, dict[CType, str]] = {}
        for name, function in program.functions.items():
            for step in function.code:
                for expression in expressions_of(step):
                    for part in parts(expression):
                        match part:
                            case Cast(Load(place), PointerType() as ctype, written):
                                self._note(name, place, ctype, written)
                match step:
                    case Assign(_, target, Cast(Load(), _) as value):
                        self._note(name, target, value.operand.type, "")
        self.types = frozenset(ctype for found in self._held.values() for ctype in found)

    def _note(self, function: str, place: LValue, ctype: CType, written: str) -> None:
        named = _named(function, place)
        if named is not None and place.type == VOID_POINTER != ctype and isinstance(ctype, PointerType):
            found = self._held.setdefault(named, {})
            found[ctype] = found.get(ctype) or written

    def converted(self, function: str, place: LValue, ctype: CType) -> Iterator[Expression]:
        """What the place holds, as a value of the type, where the program converts one into the other."""
        if place.type == VOID_POINTER:
            held = self._held.get(_named(function, place) or ("", ""), {})
            if ctype in held:
                yield Cast(Load(place), ctype, held[ctype])
        elif ctype == VOID_POINTER and place.type in self.types:
            yield Cast(Load(place), ctype)


def _named(function: str, place: LValue) -> _Named | None:
    match place:
        case Member(base, name) if isinstance(base.type, StructReference):
            return base.type.tag, name
        case Element(base):
            return _named(function, base)
        case VariableReference(name, level=level) if not name.startswith("$"):
            return "" if level == "global" else function, name
    return None
