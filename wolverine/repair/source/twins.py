"""Functions that are another one with names exchanged, but for one statement that they lack.

`rotate_right` is `rotate_left` with `x` and `y`, and `left` and `right`, exchanged.  Of two pieces of code
that are alike up to their names, what one of them lacks was forgotten in copying (Li et al., "CP-Miner", OSDI
2004).  Few statements are alike by chance, so there have to be some.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from wolverine.core.expressions import Expression, LValue, lvalue_text, text
from wolverine.core.program import (
    Assign,
    Branch,
    Call,
    Concrete,
    Declare,
    Function,
    Gap,
    Instruction,
    Jump,
    Library,
    Program,
    Return,
)
from wolverine.repair.source.called import Called, as_written

_TOKEN = re.compile(r"\$?\w+|\S")
_ALIKE = 3  # statements that both have at least, besides what is returned
_Tokens = tuple[str, ...]


class _Lacking(NamedTuple):
    """A statement that a function lacks: behind how many others, and its tokens in the function's names."""

    behind: int
    tokens: _Tokens


class Twins:
    """What the functions of a program lack that others have which are alike; `program` is as it is."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._lacking: dict[str, frozenset[_Lacking]] = {}
        self._written: dict[str, list[_Tokens]] | None = None

    def call(self, function: str, index: int, made: Called) -> bool:
        """Whether a call in the gap at an index is what the function lacks."""
        return self._lacks(function, index, _calling(made))

    def assignment(self, function: str, index: int, target: LValue, value: Expression) -> bool:
        """Whether an assignment in the gap at an index is what the function lacks."""
        return self._lacks(function, index, _assigned(target, value))

    def lacks_a_call(self, function: str) -> bool:
        """Whether the function lacks a call."""
        return any(each.tokens[0] == _CALL for each in self._of(function))

    def _lacks(self, function: str, index: int, tokens: _Tokens) -> bool:
        found = self._of(function)
        if not any(each.tokens == tokens for each in found):
            return False
        code = self._program.functions[function].code
        behind = 1 + sum(1 for _ in _statements(self._program, code[:index]))
        return _Lacking(behind, tokens) in found

    def _of(self, function: str) -> frozenset[_Lacking]:
        if self._written is None:
            self._written = {n: [*_whole(self._program, f)] for n, f in self._program.functions.items()}
        if function not in self._lacking:
            mine = self._written[function]
            others = (each for name, each in self._written.items() if name != function)
            self._lacking[function] = frozenset(_missing(mine, others))
        return self._lacking[function]


_CALL = "call"


def names_exchanged(program: Program, one: Function, other: Function) -> Mapping[str, str] | None:
    """The names of the other function by those of one that is the same with names exchanged; None if not."""
    mine, its = [*_whole(program, one)], [*_whole(program, other)]
    if len(mine) != len(its) or len(mine) - 1 < _ALIKE:
        return None
    return _exchange(mine, its)


def _missing(mine: Sequence[_Tokens], others: Iterator[Sequence[_Tokens]]) -> Iterator[_Lacking]:
    """What of others is missing in one function that is the same up to its names."""
    if len(mine) - 2 < _ALIKE:
        return
    for other in others:
        if len(other) != len(mine) + 1:
            continue
        for at in range(1, len(other)):
            names = _exchange([*other[:at], *other[at + 1 :]], mine)
            if names is not None:
                yield _Lacking(at, tuple(names.get(each, each) for each in other[at]))


def _exchange(one: Sequence[_Tokens], two: Sequence[_Tokens]) -> dict[str, str] | None:
    """Which names of the first stand for which of the second, one for one, if that is all that differs."""
    names: dict[str, str] = {}
    for mine, other in zip(one, two, strict=True):
        if len(mine) != len(other):
            return None
        for word, instead in zip(mine, other, strict=True):
            alike = word == instead or (word.isidentifier() and instead.isidentifier())
            if not alike or names.setdefault(word, instead) != instead:
                return None
    return names if len({*names.values()}) == len(names) else None


def _whole(program: Program, function: Function) -> Iterator[_Tokens]:
    """The statements of a function, behind its parameters."""
    yield tuple(each.name for each in function.parameters)
    yield from _statements(program, function.code)


def _statements(program: Program, code: Sequence[Instruction]) -> Iterator[_Tokens]:
    for index, step in enumerate(code):
        match step:
            case Gap() | Declare():
                pass
            case Assign(location, target, value):
                if location < 0 or program.location(location).kind != "argument":
                    yield _assigned(target, value)
            case Branch(_, condition):
                yield "if", *_tokens(text(condition))
            case Call():
                yield _calling(as_written(code, index, step))
            case Library(_, function, arguments):
                yield "library", function, *(word for a in arguments for word in _tokens(text(a)))
            case Concrete(_, reason):
                yield "concrete", reason
            case Jump():
                yield ("jump",)
            case Return():
                yield ("return",)
            case _:
                yield (type(step).__name__,)


def _assigned(target: LValue, value: Expression) -> _Tokens:
    return *_tokens(lvalue_text(target)), "=", *_tokens(text(value))


def _calling(made: Called) -> _Tokens:
    function, arguments = made
    return _CALL, function, *(word for each in arguments for word in ("(", *_tokens(each)))


def _tokens(written: str) -> _Tokens:
    """The words of an expression; what is reckoned on the way has no names that count."""
    found = _TOKEN.findall(written)
    return tuple("$" if re.fullmatch(r"\$\d+", each) else each for each in found)
