"""Special cases that do several things, as the program has them elsewhere (`source.pieces`, `source.rows`).

In another function they stand with its variables, and as in a mirror: what is done at the front of a list is
done at its back with `prev` for `next`.  There the link that is set may be known by its address, `*at` for
`first`.  In the same one they also stand with another place for the one that is tested and set: what is done
with `list->first` for the first node, and with `before->next` for others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from wolverine.core.exchanging import Exchange, exchanged_place, exchanged_value, named
from wolverine.core.expressions import (
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
)
from wolverine.core.parts import parts, place_parts
from wolverine.core.patch import Guarded, NewAssignment, NewBlock, NewCall, NewReturn, Several
from wolverine.core.types import CType, Field, PointerType, StructReference, Types
from wolverine.repair.menus.exchanging import exchanges
from wolverine.repair.menus.vocabulary import Scope, lives_on
from wolverine.repair.source.pieces import Piece
from wolverine.repair.source.rows import ALWAYS

_MOST = 32  # for one scope

_Field = tuple[CType, int]  # a struct and an offset


def cases(
    types: Types, pieces: Sequence[Piece], function: str, scope: Scope, places: Sequence[LValue]
) -> Iterator[tuple[Piece, Guarded | Several]]:
    """The pieces as they would be written in a scope of a function, which names these places."""
    yield from islice(_cases(types, pieces, function, scope, places), _MOST)


def _cases(
    types: Types, pieces: Sequence[Piece], function: str, scope: Scope, places: Sequence[LValue]
) -> Iterator[tuple[Piece, Guarded | Several]]:
    seen: set[Guarded | Several] = set()
    back = frozenset(_backwards(pieces))
    for piece in pieces:
        variables = _named(piece)
        ways = [*exchanges(variables, scope)]
        ways += [_mirrored(types, piece, each, back) for each in ways]
        if piece.function == function and all(each in scope for each in variables):
            ways += _places(piece, variables, places)
        elif piece.function != function:
            ways += _links(piece, variables, scope, places)
            ways += _known_by_address(piece, variables, scope, places)
        for exchange in ways:
            made = _exchanged(piece, exchange)
            if made is not None and made not in seen:
                seen.add(made)
                yield piece, made


def _places(
    piece: Piece, variables: Sequence[VariableReference], places: Sequence[LValue]
) -> Iterator[Exchange]:
    """Other places for a link of a node that the piece tests, or what it leads to, and sets."""
    tested = {part.place for part in parts(piece.condition) if isinstance(part, Load)}
    for made in piece.block.statements:
        mine = made.target if isinstance(made, NewAssignment) else None
        if not isinstance(mine, Member) or mine not in tested or not isinstance(mine.type, PointerType):
            continue
        for other in places:
            if other.type == mine.type and other != mine and isinstance(other, Member):
                yield {**{each: each for each in variables}, mine: other}


def _links(
    piece: Piece, variables: Sequence[VariableReference], scope: Scope, places: Sequence[LValue]
) -> Iterator[Exchange]:
    """Other links for one that the piece sets, where one of the two is known by its address."""
    for made in piece.block.statements:
        mine = made.target if isinstance(made, NewAssignment) else None
        if mine is None or not (isinstance(mine.type, PointerType) and lives_on(mine)):
            continue
        ways = [*exchanges(_beside(piece, variables, mine), scope)]
        for other in places:
            pointed = isinstance(mine, Dereference) or isinstance(other, Dereference)
            if pointed and other.type == mine.type and other != mine and lives_on(other):
                yield from ({**exchange, mine: other} for exchange in ways)


def _known_by_address(
    piece: Piece, variables: Sequence[VariableReference], scope: Scope, places: Sequence[LValue]
) -> Iterator[Exchange]:
    """A link that is known by its address, `*at`, for a variable that calls are passed."""
    if piece.condition != ALWAYS or not all(isinstance(e, NewCall) for e in piece.block.statements):
        return
    pointed = [e for e in places if isinstance(e, Dereference) and isinstance(e.type, PointerType)]
    for mine in variables:
        rest = [each for each in variables if each != mine]
        for other in pointed if mine.level != "global" else ():
            if other.type == mine.type:
                yield from ({**exchange, mine: other} for exchange in exchanges(rest, scope))


def _beside(
    piece: Piece, variables: Sequence[VariableReference], place: LValue
) -> Sequence[VariableReference]:
    """The variables of a piece that are named elsewhere than in this place."""
    hole = VariableReference("$", place.type, "global")
    made = _exchanged(piece, {**{each: each for each in variables}, place: hole})
    if not isinstance(made, Guarded) or not isinstance(made.statement, NewBlock):
        return variables
    left = _named(replace(piece, condition=made.condition, block=made.statement))
    return [each for each in left if each != hole]


def _mirrored(types: Types, piece: Piece, exchange: Exchange, back: Collection[_Field]) -> Exchange:
    """The exchange, and of fields that are two of a type in their struct each for the other.

    Links that lead `back` to where one came from are none of them.
    """
    found: dict[LValue, LValue] = dict(exchange)
    inside = {part.place for each in _expressions(piece) for part in parts(each) if isinstance(part, Load)}
    for place in sorted(inside, key=lambda each: len(lvalue_text(each))):  # what it goes through comes first
        if isinstance(place, Member) and (other := _partner(types, place, back)) is not None:
            base = exchanged_place(place.base, found)
            if base is not None:
                found[place] = Member(base, other.name, other.offset, other.type)
    return found


def _backwards(pieces: Iterable[Piece]) -> Iterator[_Field]:
    """The links that lead back to where one came from: `n->left->up = n`."""
    for piece in pieces:
        for made in piece.block.statements:
            match made:
                case NewAssignment(
                    Member(Dereference(Load(Member(Dereference(came)))), _, offset) as link, value
                ) if value == came and link.type == came.type:
                    yield link.base.type, offset


def _partner(types: Types, place: Member, back: Collection[_Field]) -> Field | None:
    struct = types.structs.get(place.base.type.tag) if isinstance(place.base.type, StructReference) else None
    fields = struct.fields if struct is not None else ()
    alike = [e for e in fields if e.type == place.type and (place.base.type, e.offset) not in back]
    if (place.base.type, place.offset) in back:
        return None
    if len(alike) != 2 or not isinstance(place.type, PointerType):
        return None
    return next((each for each in alike if each.name != place.name), None)


def _expressions(piece: Piece) -> Iterator[Expression]:
    """What a piece evaluates, and the places that it sets."""
    yield piece.condition
    for made in piece.block.statements:
        if isinstance(made, NewAssignment):
            yield from (*place_parts(made.target), Load(made.target), made.value)
        else:
            yield from made.arguments
    leaving = piece.block.leaving
    if leaving is not None and leaving.value is not None:
        yield leaving.value


def _named(piece: Piece) -> Sequence[VariableReference]:
    """The variables of a piece, each once."""
    return [*dict.fromkeys(each for value in _expressions(piece) for each in named(value))]


def _exchanged(piece: Piece, exchange: Exchange) -> Guarded | Several | None:
    condition = exchanged_value(piece.condition, exchange)
    statements = [_statement(each, exchange) for each in piece.block.statements]
    kept = tuple(each for each in statements if each is not None)
    leaving = piece.block.leaving
    if leaving is not None and leaving.value is not None:
        value = exchanged_value(leaving.value, exchange)
        leaving = NewReturn(value) if value is not None else None
        if leaving is None:
            return None
    if condition is None or len(kept) < len(statements):
        return None
    if condition == ALWAYS:
        return Several(kept)
    return Guarded(condition, NewBlock(kept, leaving))


def _statement(made: NewAssignment | NewCall, exchange: Exchange) -> NewAssignment | NewCall | None:
    if isinstance(made, NewAssignment):
        target, value = exchanged_place(made.target, exchange), exchanged_value(made.value, exchange)
        return None if target is None or value is None else NewAssignment(target, value)
    passed = [exchanged_value(each, exchange) for each in made.arguments]
    arguments = tuple(each for each in passed if each is not None)
    return NewCall(made.function, arguments) if len(arguments) == len(passed) else None
