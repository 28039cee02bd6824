"""An `if` without `else` that is another one with names exchanged, which has one.

Of two pieces of code that are alike up to their names, what one of them lacks was forgotten in copying (Li et
al., "CP-Miner", OSDI 2004): `if (prev) prev->next = t->right;` beside
`if (prev) prev->next = t->left; else first = t->left;`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from wolverine.core.expressions import (
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    text,
    variables,
)
from wolverine.core.parts import is_end, null_tests
from wolverine.core.program import Assign, Branch, Gap, Instruction, Program
from wolverine.repair.source.arms import arms

_TOKEN = re.compile(r"\w+|\S")
_Tokens = tuple[str, ...]


class Mirrored:
    """What the forgotten arms of a program would do; `program` is as it is."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._whole: list[tuple[_Tokens, _Tokens]] | None = None  # each up to its `else`, and what is there

    def completes(self, function: str, index: int, target: LValue, value: Expression) -> bool:
        """Whether an assignment in the gap at an index is the arm that is forgotten there."""
        branch, steps = self._without_else(function, index)
        begun = _begun(branch, steps) if branch is not None else None
        if begun is None:
            return False
        wanted = _written(target, value)
        if self._whole is None:
            self._whole = [*_whole(self._program)]
        for other, otherwise in self._whole:
            names = _exchange(other, begun)
            if names is not None and tuple(names.get(each, each) for each in otherwise) == wanted:
                return True
        return False

    def ends(self, function: str, index: int, target: LValue, value: Expression) -> bool:
        """Whether it does to the end of a list what the `if` does to the neighbour, if there is one.

        So does `else first = p->next` behind `if (p->prev) p->prev->next = p->next`.
        """
        branch, steps = self._without_else(function, index)
        done = [step for step in steps if isinstance(step, Assign)]
        if branch is None or not done or done[-1].value != value:
            return False
        match done[-1].target, target:
            case Member(Dereference(Load(neighbour))), VariableReference() | Dereference() | Member():
                apart = variables(target).isdisjoint(variables(neighbour))
                outside = apart or not isinstance(target, Member) or is_end(target)
                return outside and neighbour in null_tests(branch.condition)
        return False

    def _without_else(self, function: str, index: int) -> tuple[Branch | None, Sequence[Instruction]]:
        """The `if` whose `else` would be at an index, and its arm."""
        code = self._program.functions[function].code
        branch = next((s for s in code[:index] if isinstance(s, Branch) and s.if_false == index), None)
        return branch, code[branch.if_true : index - 1] if branch is not None else ()


def _whole(program: Program) -> Iterator[tuple[_Tokens, _Tokens]]:
    """Each `if` whose arms do nothing but assign, the second one once."""
    for function in program.functions.values():
        for at, step in enumerate(function.code):
            if not isinstance(step, Branch):
                continue
            match arms(function.code, at):
                case first, [Assign(_, target, value)] if (begun := _begun(step, first)) is not None:
                    yield begun, _written(target, value)


def _begun(branch: Branch, steps: Sequence[Instruction]) -> _Tokens | None:
    """The condition and the first arm; None where that does not just assign."""
    done: list[str] = []
    for step in steps:
        match step:
            case Assign(_, target, value):
                done += _written(target, value)
            case Gap():
                pass
            case _:
                return None
    return (*_TOKEN.findall(text(branch.condition)), ";", *done) if done else None


def _written(target: LValue, value: Expression) -> _Tokens:
    return (*_TOKEN.findall(f"{lvalue_text(target)} = {text(value)}"), ";")


def _exchange(one: _Tokens, two: _Tokens) -> Mapping[str, str] | None:
    """Which names of the first stand for which of the second, and back, if that is all that differs."""
    if len(one) != len(two):
        return None
    names: dict[str, str] = {}
    for mine, other in zip(one, two, strict=True):
        alike = mine == other or (mine.isidentifier() and other.isidentifier())
        if not alike or names.setdefault(mine, other) != other:
            return None
    if len({*names.values()}) < len(names):
        return None
    return {other: mine for mine, other in names.items()} | names
