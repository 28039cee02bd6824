"""Library calls of whole programs in the model: what they print, and how they end, without a process.

The model carries out most calls itself (`wolverine.semantics.library`).  What it leaves to the process is
answered here, for the functions that the programs of a campaign use, from the arguments as they were lowered.
"""

from __future__ import annotations

from typing import Any

from wolverine.core.program import Concrete, Library, Program
from wolverine.semantics.address import LITERAL, OBJECT_BITS
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.faults import Fault, Unmodelled
from wolverine.semantics.machine import Machine
from wolverine.semantics.printing import printed


class Exited(Exception):  # noqa: N818
    """The program called `exit(status)`."""

    def __init__(self, status: int) -> None:
        super().__init__(f"exit {status}")
        self.status = status


class StandardLibrary:
    """The C library of one run, and the standard output so far."""

    def __init__(self, program: Program, machine: Machine) -> None:
        self._program = program
        self._machine = machine
        self._prepared: dict[tuple[str, int], tuple[str, list[Evaluate]]] = {}
        self.output: list[str] = []

    def string(self, text: str) -> int:
        """The pointer value of a string that the program is given."""
        return LITERAL + (self._machine.layout.literal(text, text.encode() + b"\0") << OBJECT_BITS)

    def call(self, function: str, index: int, step: Concrete) -> Any:
        """Execute the call at which the machine stands; returns its value.

        Raises Exited, Fault for a use of what is uninitialised, Unmodelled for what is not known here.
        """
        name, arguments = self._prepare(function, index, step)
        given = [self._machine.attempt(argument) for argument in arguments]
        if any(value is None for value in given):
            raise Fault("uninitialised", f"{name} is called with an uninitialised value")
        match name:
            case "printf" | "puts" | "putchar":
                self.output.append(printed(name, given, self._text))
                return given[0] if name == "putchar" else 0
            case "exit":
                raise Exited(int(given[0]) & 255)
            case "fflush" | "srand":
                return 0
            case _:
                raise Unmodelled(f"call of {name}")

    def _prepare(self, function: str, index: int, step: Concrete) -> tuple[str, list[Evaluate]]:
        """The function that a call names, and its arguments: of the instruction that looks at them first."""
        known = self._prepared.get((function, index))
        if known is None:
            look = self._program.functions[function].code[index - 1]
            if not isinstance(look, Library) or look.location != step.location:
                raise Unmodelled(step.reason)
            found = self._machine.evaluators.values(function, [(a, a.type) for a in look.arguments])
            self._prepared[function, index] = known = (look.function, found)
        return known

    def _text(self, pointer: Any) -> str:
        data = None
        if isinstance(pointer, int) and pointer >= LITERAL:
            data = self._machine.layout.literal_data(pointer - LITERAL >> OBJECT_BITS)
        if data is None:
            raise Unmodelled("characters in memory")
        return data.partition(b"\0")[0].decode("latin-1")
