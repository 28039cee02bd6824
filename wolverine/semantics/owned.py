"""What belongs to structs: texts, numbers and arrays that were made for their fields, freed with them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import inf, prod

from wolverine.core.expressions import Constant, Expression, Load, Member, VariableReference, lvalue_text
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Call, Function, Program
from wolverine.core.types import CType, PointerType, StructReference
from wolverine.semantics.allocation import MAKING
from wolverine.semantics.losing import given


def owned(program: Program, types: Collection[CType]) -> Iterator[Member]:
    """The fields that take texts, numbers and arrays made for them, in structs of these types.

    A single struct that a field leads to is a node of its own, which may be freed by other ways.
    """
    for function in program.functions.values():
        made = {lvalue_text(each) for step in function.code for each in given(step)}
        sizes = _bytes(function)
        for step in function.code:
            match step:
                case Assign(_, Member(base, _, _, PointerType(target)) as place, value) if base.type in types:
                    held = without_casts(value)
                    if isinstance(held, Load) and (name := lvalue_text(held.place)) in made:
                        single = isinstance(target, StructReference)
                        if not single or sizes.get(name, 0) > program.types.size(target):
                            yield place


def _bytes(function: Function) -> dict[str, float]:
    """How many bytes what a function makes has at least, by the variable that takes it.

    Where that is reckoned, or the bytes are new ones (`realloc`), it is an array, as long as need be.
    """
    values: dict[str, Expression] = {}
    found: dict[str, float] = {}
    for step in function.code:
        match step:
            case Assign(_, VariableReference(name), value):
                values[name] = value
            case Call(_, made, arguments, VariableReference(name)) if made in MAKING:
                sizes = (_known(each, values) for each in arguments)
                found[name] = inf if made == "realloc" else prod(sizes)
    return found


def _known(argument: Expression, values: Mapping[str, Expression]) -> float:
    """The number that an argument is, infinity where that is reckoned."""
    plain = without_casts(argument)
    if isinstance(plain, Load) and isinstance(plain.place, VariableReference):
        plain = without_casts(values.get(plain.place.name, plain))
    return plain.value if isinstance(plain, Constant) else inf


def held_in_variables(program: Program) -> frozenset[CType]:
    """The types of structs that are variables: nobody frees these, but what hangs on them."""
    places = [*program.globals]
    for function in program.functions.values():
        places += function.locals
    return frozenset(each.type for each in places if isinstance(each.type, StructReference))
