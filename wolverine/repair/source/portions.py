"""What counts nodes counts every one: it does not stand in one arm of an `if` beside where they are made.

`d->length++` in both functions that add a node stands behind `if (d->tail == NULL) d->head = n; else ...`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from wolverine.core.program import Assign, Call, Instruction, Program, reachable, successors
from wolverine.core.types import CType
from wolverine.repair.source.counting import counted
from wolverine.repair.source.flow import behind, forward
from wolverine.repair.source.joins import joins
from wolverine.repair.source.regions import arm_to
from wolverine.semantics.allocation import FREEING, MAKING

Counted = tuple[CType, str]  # a struct and its field


class Portions:
    """Where a program counts all the nodes that it makes or frees, and where it would count only some."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._joins: dict[str, list[int]] = {}
        self._known: dict[tuple[str, int, Counted], bool] = {}

    def partly(self, function: str, index: int, field: Counted) -> bool:
        """Whether to count there is to count only some, where the program elsewhere counts all of them."""
        key = function, index, field
        if key not in self._known:
            elsewhere = [(name, at) for name, at, each in self._counting if each == field]
            whole = bool(elsewhere) and not any(self._in_part(name, at, field) for name, at in elsewhere)
            self._known[key] = whole and self._in_part(function, index, field)
        return self._known[key]

    def _in_part(self, function: str, index: int, field: Counted) -> bool:
        """Whether one arm of an `if` counts, and another does not, with the nodes made outside of both."""
        code = self._program.functions[function].code
        for branch in range(index):
            arms, join = successors(code[branch], branch), self._joins_of(function)[branch]
            if len(arms) < 2 or join < 0 or arm_to(code, branch, index) is None:
                continue
            within = [forward(code, arm, join) for arm in arms]
            idle = next((arm for arm in within if index not in arm), set[int]())
            if not _sets(code, idle) or any(_counts(code[at]) == field for at in idle):
                continue
            inside = frozenset[int]().union(*within)
            on_the_way = {at for at in self._changing(code) if at < branch and branch in behind(code, at)}
            on_the_way |= self._changing(code) & forward(code, join)
            if on_the_way and not inside & self._changing(code):
                return True
        return False

    def _changing(self, code: Sequence[Instruction]) -> set[int]:
        """The calls that make nodes or free them."""
        return {at for at, step in enumerate(code) if isinstance(step, Call) and step.function in self._calls}

    @cached_property
    def _calls(self) -> frozenset[str]:
        """The functions that make nodes or free them, those of the library included."""
        functions = self._program.functions
        own = {n for n, f in functions.items() if any(_makes_or_frees(step) for step in f.code)}
        return frozenset(n for n in functions if own & reachable(self._program, [n])).union(MAKING, FREEING)

    @cached_property
    def _counting(self) -> Sequence[tuple[str, int, Counted]]:
        return [
            (name, at, field)
            for name, function in self._program.functions.items()
            for at, step in enumerate(function.code)
            if (field := _counts(step)) is not None
        ]

    def _joins_of(self, function: str) -> list[int]:
        if function not in self._joins:
            self._joins[function] = joins(self._program.functions[function])
        return self._joins[function]


def _makes_or_frees(step: Instruction) -> bool:
    return isinstance(step, Call) and step.function in (*MAKING, *FREEING)


def _counts(step: Instruction) -> Counted | None:
    return counted(step.target, step.value) if isinstance(step, Assign) else None


def _sets(code: Sequence[Instruction], indices: Collection[int]) -> bool:
    """Whether anything is assigned by these instructions."""
    return any(isinstance(code[at], Assign) and code[at].location >= 0 for at in indices)
