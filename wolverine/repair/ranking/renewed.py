"""Calls that are made again, since what they answered is stale: `p = slot(t, key);` behind an eviction."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from wolverine.core.expressions import Load, VariableReference, text, variables
from wolverine.core.parts import without_casts
from wolverine.core.patch import NewCall
from wolverine.core.program import Assign, Call, Function, Program, reachable
from wolverine.repair.menus.calling import writes
from wolverine.repair.source.flow import behind, preceding
from wolverine.repair.source.retained import passed_to
from wolverine.semantics.allocation import FREEING

_MOVING = (*FREEING, "realloc")


class Renewed:
    """Which calls of a program answer anew what may have changed since."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._changes = cache(self._changed_by)

    def behind(self, name: str, index: int, made: NewCall) -> float | None:
        """How far behind what may have changed the answer a call stands in a gap: 0 right behind it, else 1.

        None where the function does not make the same call before, for the same variable, or nothing has
        changed since.
        """
        function = self._program.functions[name]
        target = made.target
        if not isinstance(target, VariableReference) or any(
            target.name in variables(a) for a in made.arguments
        ):
            return None  # a walk
        changes = list(self._changes_between(function, index, made))
        if not changes:
            return None
        return 0 if any(step in changes for step in preceding(function.code, index)) else 1

    def _changes_between(self, function: Function, index: int, made: NewCall) -> Iterator[Call]:
        """The calls between such a call and an instruction that may change what it answers."""
        code = function.code
        for first in _same(function, made):
            since = behind(code, first, index)
            for at in sorted(since):
                step = code[at]
                if isinstance(step, Call) and self._changes(step.function) and index in behind(code, at):
                    yield step

    def _changed_by(self, called: str) -> bool:
        """Whether a call may change what is on the heap, other than by a new node."""
        if called not in self._program.functions:
            return called in _MOVING
        return writes(self._program, reachable(self._program, [called]))


def _same(function: Function, made: NewCall) -> Iterator[int]:
    """Where the function makes a call with the same arguments, and keeps the answer in the same variable."""
    code, units = function.code, function.unit_of
    wanted = [text(each) for each in made.arguments]
    for index, step in enumerate(code):
        if not isinstance(step, Call) or step.function != made.function or step.result is None:
            continue
        if [text(passed_to(code[:index], each)) for each in step.arguments] != wanted:
            continue
        unit = (s for s, number in zip(code[index:], units[index:], strict=True) if number == units[index])
        stored = (s.value for s in unit if isinstance(s, Assign) and s.target == made.target)
        if any(without_casts(value) == Load(step.result) for value in stored):
            yield index
