"""Pieces of code under a test that do several things: the special cases of a program.

`if (n == NULL) { *ok = 0; return 0; }` stands in each function that takes something out; where one lacks it,
what stands around it is what stands around the others (Li et al., "CP-Miner", OSDI 2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wolverine.core.expressions import Binary, Cast, Constant, Expression, Load, Logical, Member, Unary, text
from wolverine.core.patch import Guarded, NewAssignment, NewBlock, NewCall, NewReturn
from wolverine.core.program import (
    Assign,
    Branch,
    Call,
    Declare,
    Function,
    Gap,
    Instruction,
    Jump,
    Program,
    Return,
    is_result,
)
from wolverine.core.types import VOID
from wolverine.repair.source.blocks import statement

_LEAST, _MOST = 2, 5  # statements, a `return` among them
_Shape = tuple[object, ...]


@dataclass(frozen=True)
class Piece:
    """What a function does under the condition at instruction `first`; `behind` is what comes behind it."""

    function: str
    first: int
    behind: int
    condition: Expression
    block: NewBlock


def pieces(program: Program) -> Iterator[Piece]:
    """The pieces of a program that do nothing but assign, free and return."""
    for name, function in program.functions.items():
        for at, step in enumerate(function.code):
            if not isinstance(step, Branch) or not at < step.if_true < step.if_false:
                continue
            if program.location(step.location).kind != "condition" or _temporary(step.condition):
                continue
            block = _block(function, step.if_true, step.if_false)
            if block is not None:
                yield Piece(name, at, step.if_false, step.condition, block)


def _block(function: Function, start: int, stop: int) -> NewBlock | None:
    """What is done between two instructions; None where that is too little, too much, or something else."""
    code, made = function.code, list[NewAssignment | NewCall]()
    leaving: NewReturn | None = None
    for at in range(start, stop):
        match code[at]:
            case Gap():
                continue
            case Jump(location, target) if location < 0:
                if target > stop and not all(isinstance(step, Gap) for step in code[stop:target]):
                    return None  # there is an `else`
            case Jump(_, target) if target == function.end and function.result == VOID:
                leaving = NewReturn()
            case Assign(_, target, value) if is_result(target):
                if _temporary(value) or not isinstance(code[at + 1], Jump):
                    return None
                leaving = NewReturn(value)
            case Assign(_, target) if isinstance(code[at + 1], Call) and _temporary(Load(target)):
                continue  # what is passed
            case _:
                done = statement(function, at)
                if done is None:
                    return None
                made.append(done)
        if leaving is not None:
            break
    count = len(made) + (leaving is not None)
    return NewBlock(tuple(made), leaving) if made and _LEAST <= count <= _MOST else None


def _temporary(expression: Expression) -> bool:
    return "$" in text(expression)


class Pieces:
    """Where a program's pieces stand, to tell whether one is missing somewhere."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._pieces: list[Piece] | None = None

    def known(self, made: Guarded) -> bool:
        """Whether there is such a piece somewhere."""
        if self._pieces is None:
            self._pieces = [*pieces(self._program)]
        assert isinstance(made.statement, NewBlock)
        wanted = _whole(made.condition, made.statement)
        return made.statement.onward is None and any(
            _whole(each.condition, each.block) == wanted for each in self._pieces
        )

    def fits(self, function: str, index: int, made: Guarded) -> int:
        """How many neighbours, of two, the gap at an instruction shares with such a piece."""
        if self._pieces is None:
            self._pieces = [*pieces(self._program)]
        assert isinstance(made.statement, NewBlock)
        wanted, code = _whole(made.condition, made.statement), self._program.functions[function].code
        here = _neighbours(code, index, index + 1)
        most = 0
        for piece in self._pieces:
            if _whole(piece.condition, piece.block) == wanted:
                there = _neighbours(self._program.functions[piece.function].code, piece.first, piece.behind)
                most = max(most, sum(one == two for one, two in zip(here, there, strict=True)))
        return most


def _whole(condition: Expression, block: NewBlock) -> _Shape:
    leaving = () if block.leaving is None else ("return",)
    return (_shape(condition), *(_made(each) for each in block.statements), *leaving)


def _made(made: NewAssignment | NewCall) -> _Shape:
    if isinstance(made, NewAssignment):
        return "=", made.target.type, _shape(made.value)
    return made.function, *(each.type for each in made.arguments)


def _neighbours(code: Sequence[Instruction], first: int, behind: int) -> tuple[_Shape, _Shape]:
    """What is done before and behind a piece."""
    before = next((s for at in range(first - 1, -1, -1) if (s := _step(code[at]))), ("begin",))
    after = next((s for at in range(behind, len(code)) if (s := _step(code[at]))), ("end",))
    return before, after


def _step(step: Instruction) -> _Shape | None:
    """The shape of what an instruction does, if that is anything."""
    match step:
        case Gap() | Declare():
            return None
        case Jump(location):
            return ("jump",) if location >= 0 else None
        case Assign(_, target, value):
            return "=", target.type, isinstance(target, Member), _shape(value)
        case Branch(_, condition):
            return "if", _shape(condition)
        case Return():
            return ("end",)
    return (type(step).__name__, *((step.function,) if isinstance(step, Call) else ()))


def _shape(expression: Expression) -> _Shape:
    """What is reckoned, whatever the names."""
    match expression:
        case Load(place):
            return type(place).__name__, place.type
        case Constant():
            return "constant", text(expression)
        case Binary(operator, left, right) | Logical(operator, left, right):
            return operator, _shape(left), _shape(right)
        case Unary(operator, operand):
            return operator, _shape(operand)
        case Cast(operand):
            return _shape(operand)
    return (type(expression).__name__,)
