"""Which instructions runs come to, as a set of bits: what many runs come to is one number."""

from __future__ import annotations

from collections.abc import Iterable

from wolverine.core.program import Program
from wolverine.repair.source.flow import forward
from wolverine.semantics.machine import PATH_MARK, Machine


class Covered:
    """Gives every instruction of a program a number."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._first: dict[str, int] = {}
        following = 0
        for name, function in program.functions.items():
            self._first[name] = following
            following += len(function.code) + 1

    def number(self, name: str, index: int) -> int:
        """The number of an instruction."""
        return self._first[name] + index

    def bits(self, numbers: Iterable[int]) -> int:
        """The set of these instructions."""
        found = 0
        for number in numbers:
            found |= 1 << number
        return found

    def ahead(self, machine: Machine) -> set[int]:
        """What may still be executed in the activations of a machine, by number."""
        functions = self._program.functions
        return {
            self.number(name, index)
            for name, pc in machine.stack()
            for index in forward(functions[name].code, pc)
        }

    def add(self, seen: set[int], machine: Machine, seated: str, name: str, path: Iterable[int]) -> None:
        """Add what was executed from an activation of function `name` on: a `path` of `Machine.run`.

        `seated` is the function in which the run began.
        """
        first, names = self._first[name], machine.names
        for step in path:
            if step >= 0:
                seen.add(first + step)
            else:
                number = step + PATH_MARK
                first = self._first[names.get(number, seated) if number > 0 else seated]
