"""Special cases that do several things, as the program has them elsewhere (`source.pieces`).

In another function they stand with its variables; in the same one also with another place for the one that is
tested and set: what is done with `list->first` for the first node, and with `before->next` for others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from wolverine.core.expressions import Load, LValue, Member, VariableReference
from wolverine.core.parts import parts
from wolverine.core.patch import Guarded, NewAssignment, NewBlock, NewCall, NewReturn
from wolverine.core.types import PointerType
from wolverine.repair.menus.exchanging import Exchange, exchanged_place, exchanged_value, exchanges, named
from wolverine.repair.menus.vocabulary import Scope
from wolverine.repair.source.pieces import Piece

_MOST = 32  # for one scope


def cases(
    pieces: Sequence[Piece], function: str, scope: Scope, places: Sequence[LValue]
) -> Iterator[tuple[Piece, Guarded]]:
    """The pieces as they would be written in a scope of a function, which names these places."""
    yield from islice(_cases(pieces, function, scope, places), _MOST)


def _cases(
    pieces: Sequence[Piece], function: str, scope: Scope, places: Sequence[LValue]
) -> Iterator[tuple[Piece, Guarded]]:
    seen: set[Guarded] = set()
    for piece in pieces:
        variables = _named(piece)
        ways = [*exchanges(variables, scope)]
        if piece.function == function and all(each in scope for each in variables):
            ways += _places(piece, variables, places)
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


def _named(piece: Piece) -> Sequence[VariableReference]:
    """The variables of a piece, each once."""
    found = dict.fromkeys(named(piece.condition))
    for made in piece.block.statements:
        if isinstance(made, NewAssignment):
            found.update(dict.fromkeys(named(Load(made.target), made.value)))
        else:
            found.update(dict.fromkeys(named(*made.arguments)))
    leaving = piece.block.leaving
    if leaving is not None and leaving.value is not None:
        found.update(dict.fromkeys(named(leaving.value)))
    return [*found]


def _exchanged(piece: Piece, exchange: Exchange) -> Guarded | None:
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
    return Guarded(condition, NewBlock(kept, leaving))


def _statement(made: NewAssignment | NewCall, exchange: Exchange) -> NewAssignment | NewCall | None:
    if isinstance(made, NewAssignment):
        target, value = exchanged_place(made.target, exchange), exchanged_value(made.value, exchange)
        return None if target is None or value is None else NewAssignment(target, value)
    passed = [exchanged_value(each, exchange) for each in made.arguments]
    arguments = tuple(each for each in passed if each is not None)
    return NewCall(made.function, arguments) if len(arguments) == len(passed) else None
