"""Whole programs in the model: from `main` with its arguments to the exit, without gdb."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from wolverine.campaign.library import Exited, StandardLibrary
from wolverine.campaign.statics import initialise
from wolverine.core.program import Concrete, Program, Return
from wolverine.core.types import VOID_POINTER
from wolverine.semantics.address import (
    HALF,
    LOCALS,
    OBJECT_BITS,
    cell_key,
)
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import set_stack

STEPS = 60_000  # machine steps of one run; the programs of a campaign are small
_VECTOR = LOCALS - 1  # the object number of argv's array: no global and no local has it
_WORD = 8  # bytes of a pointer


@dataclass(frozen=True, slots=True)
class Ran:
    """How a run ended: what it printed, its exit status (None: it crashed or went on), and why not.

    `unmodelled` says what the model did not follow; nothing is known of such a run.
    """

    output: str
    status: int | None
    crash: str = ""
    unmodelled: str = ""

    @property
    def seen(self) -> tuple[str, int | None, bool]:
        """What tells two runs apart from outside: the output, the status, and whether it crashed."""
        return self.output, self.status, bool(self.crash)


class _Machine(Machine):
    """A machine that also has the array of the program's arguments."""

    words = 0

    def extent(self, number: int) -> int | None:
        return self.words * _WORD if number == _VECTOR else super().extent(number)


class Execution:
    """One run of a program with arguments (without the program's name).

    `stops` are, per function, the instructions at which `seen` is called.  Memory is strict: the use of
    freed memory ends the run as it would under a sanitizer.
    """

    def __init__(
        self,
        program: Program,
        arguments: Sequence[str],
        stops: Mapping[str, Collection[int]] | None = None,
        seen: Callable[[Execution], None] | None = None,
        result: Callable[[Execution, Concrete, int], None] | None = None,
        steps: int = STEPS,
    ) -> None:
        self.program = program
        wanted = {name: set(found) for name, found in (stops or {}).items()}
        self._watched = {(name, index) for name, found in wanted.items() for index in found}
        code = program.functions["main"].code if "main" in program.functions else ()
        wanted.setdefault("main", set()).update(i for i, s in enumerate(code) if isinstance(s, Return))
        self.machine = machine = _Machine(program, stops=wanted, strict=True)
        self._library = StandardLibrary(program, machine)
        self._seen = seen
        self._result = result
        self._limit = steps
        set_stack(machine, (("main", 0),), ())
        initialise(program, machine)
        self._pass(["program", *arguments])

    def _pass(self, words: Sequence[str]) -> None:
        """Give `main` its argc and argv."""
        machine, frame = self.machine, self.machine.frame
        assert frame is not None
        vector = (_VECTOR << OBJECT_BITS) + HALF
        machine.words = len(words) + 1
        for at, word in enumerate(words):
            machine.memory.put(cell_key(VOID_POINTER, vector + at * _WORD), self._library.string(word))
        machine.memory.put(cell_key(VOID_POINTER, vector + len(words) * _WORD), 0)
        for value, (offset, ctype) in zip((len(words), vector), frame.linked.compiled.parameters):
            machine.memory.put(cell_key(ctype, frame.base + offset), value)

    def run(self) -> Ran:
        """Run to the end."""
        status: int | None = None
        crash = unmodelled = ""
        try:
            status = self._go()
            if status is None:
                crash = "it does not come to an end"
        except Exited as exited:
            status = exited.status
        except Fault as fault:
            crash = fault.message
        except Halt as halt:
            unmodelled = str(halt) or "not modelled"
        except RecursionError:
            unmodelled = "an expression is nested too deeply"
        return Ran("".join(self._library.output), status, crash, unmodelled)

    def _go(self) -> int | None:
        machine = self.machine
        while machine.steps < self._limit:
            frame = machine.frame
            if frame is None:
                return 0
            name, pc = frame.linked.name, machine.pc
            if self._seen is not None and (name, pc) in self._watched:
                self._seen(self)
            step = frame.linked.steps[pc]
            if isinstance(step, Concrete):
                self._call(name, pc, step)
            elif isinstance(step, Return) and frame.caller is None:
                value = machine.attempt(frame.linked.arguments[pc])
                return int(value) & 255 if isinstance(value, int) else 0
            machine.run(self._limit)
        return None

    def _call(self, name: str, pc: int, step: Concrete) -> None:
        machine, frame = self.machine, self.machine.frame
        assert frame is not None
        value = self._library.call(name, pc, step)
        for variable in step.results:
            _, address = machine.layout.address(name, variable)
            machine.memory.put(cell_key(variable.type, frame.base + address), value)
            if self._result is not None:
                self._result(self, step, int(value))
