"""Two calls in a row about one node: `unlink(n); link_first(list, n);`.

Who forgets one of them in another place mostly forgets both.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Load, VariableReference, text
from wolverine.core.patch import NewBlock, NewCall
from wolverine.core.program import Assign, Function, Gap, Program, reachable
from wolverine.core.types import PointerType
from wolverine.repair.source.blocks import led_to, plain_call
from wolverine.repair.source.pieces import Piece
from wolverine.repair.source.rows import ALWAYS


def call_rows(program: Program) -> Iterator[Piece]:
    """The rows of a program, as pieces of code under a condition that always holds."""
    for name, function in program.functions.items():
        labels = led_to(function.code)
        before: tuple[int, NewCall] | None = None
        for at, step in enumerate(function.code):
            if at in labels:
                before = None
            if isinstance(step, Gap) or _passes(function, at):
                continue
            made = plain_call(function, at)
            if made is not None and made.function not in program.functions:
                made = None
            if before is not None and made is not None and _together(before[1], made):
                yield Piece(name, before[0], at + 1, ALWAYS, NewBlock((before[1], made)))
            before = (at, made) if made is not None else None


def calls_back(program: Program, piece: Piece, function: str) -> bool:
    """Whether the function would come to be called by what the piece calls."""
    called = [each.function for each in piece.block.statements if isinstance(each, NewCall)]
    return function in reachable(program, called)


def _passes(function: Function, at: int) -> bool:
    """Whether an instruction fills in what a call is passed."""
    match function.code[at]:
        case Assign(_, VariableReference(name)):
            return name.startswith("$")
    return False


def _together(first: NewCall, second: NewCall) -> bool:
    """Whether they are two functions, and one is passed a node and nothing that the other is not passed."""
    passed = [frozenset(map(text, made.arguments)) for made in (first, second)]
    node = any(isinstance(e, Load) and isinstance(e.type, PointerType) for e in first.arguments)
    within = passed[0] <= passed[1] or passed[1] <= passed[0]
    return first.function != second.function and node and bool(passed[1]) and within
