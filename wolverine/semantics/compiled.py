"""Functions compiled to Python closures, and linked for one machine, patch and set of stops.

Compiling (Python source, `compile`) is done once per program and function, and once per replacement;
linking binds the closures to a memory and lets execution pass over slots and jumps that do nothing.
A closure takes its frame's base and returns the index of the next instruction, or `~index` when the
machine has to act at `index` (call, return, concrete step, stop).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from wolverine.core.patch import Replacement
from wolverine.core.program import Gap, Instruction, Jump, Program
from wolverine.core.types import ArrayType
from wolverine.semantics.address import local_offset
from wolverine.semantics.closures import instructions
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.generate import Generator, spread
from wolverine.semantics.layout import Layout
from wolverine.semantics.replacing import replace_instruction

Step = Callable[[int], int]
Evaluate = Callable[[int], Any]


class CompiledFunction:
    """The closures' factory of one function, its variables and how a call fills them."""

    def __init__(self, code: Code, name: str) -> None:
        function = code.program.functions[name]
        layout, types = code.layout, code.program.types
        self.name = name
        self.code: tuple[Instruction, ...] = function.code
        self.result = function.result
        self.parameters = tuple((local_offset(i), p.type) for i, p in enumerate(function.parameters))
        self.extents = tuple(types.size(v.type) for v in layout.variables(name))
        self.cells = tuple(
            local_offset(i) + key
            for i, v in enumerate(layout.variables(name))
            for key in spread(types, v.type)
        )
        self.unmeasured = tuple(  # arrays whose length is not known
            local_offset(i)
            for i, v in enumerate(layout.variables(name))
            if isinstance(v.type, ArrayType) and v.type.length == 0
        )
        self.unit_of = function.unit_of
        self.factory = code.factory(name, list(enumerate(self.code)))


class Code:
    """A program's compiled functions; use `compile_program`, which remembers them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.layout = Layout(program)
        self._functions: dict[str, CompiledFunction] = {}
        self._replacements: dict[tuple[str, int, Replacement], tuple[Instruction, Any]] = {}

    def function(self, name: str) -> CompiledFunction:
        """The compiled function; raises `Unmodelled` if it could not be lowered or is not there."""
        found = self._functions.get(name)
        if found is None:
            function = self.program.functions.get(name)
            if function is None or function.unsupported or not function.code:
                why = function.unsupported if function is not None else "its source is not known"
                raise Unmodelled(f"{name} is not modelled: {why}")
            found = self._functions[name] = CompiledFunction(self, name)
        return found

    def replaced(self, name: str, index: int, replacement: Replacement) -> tuple[Instruction, Any]:
        """The instruction that stands at `index` under the replacement, and its factory."""
        wanted = (name, index, replacement)
        found = self._replacements.get(wanted)
        if found is None:
            function = self.program.functions[name]
            instruction = replace_instruction(function, function.code[index], replacement)
            found = (instruction, self.factory(name, [(index, instruction)]))
            self._replacements[wanted] = found
        return found

    def generator(self, function: str) -> Generator:
        """A generator of source for expressions in a function."""
        return Generator(
            self.program.types,
            lambda variable: self.layout.address(function, variable),
            self.layout.literal_address,
        )

    def factory(self, function: str, code: Sequence[tuple[int, Instruction]]) -> Any:
        """A Python function that makes the closures of these instructions."""
        return instructions(self.program, self.generator(function), function, code)


class Linked:
    """A function ready to run: `table` with stops, `real` without, `arguments` of calls and returns."""

    def __init__(
        self,
        code: Code,
        name: str,
        bindings: Sequence[Any],
        replacements: Mapping[int, Replacement],
        stops: frozenset[int],
    ) -> None:
        self.compiled = compiled = code.function(name)
        self.name = name
        self.stops = stops
        steps = list(compiled.code)
        changed = {i: code.replaced(name, i, replacement) for i, replacement in replacements.items()}
        for index, (step, _) in changed.items():
            steps[index] = step
        self.steps: tuple[Instruction, ...] = tuple(steps)
        following = _following(steps, compiled.unit_of, stops)
        functions, self.arguments = compiled.factory(*bindings, following)
        for index, (_, factory) in changed.items():
            made, arguments = factory(*bindings, following)
            functions[index] = made[index]
            self.arguments.pop(index, None)
            self.arguments.update(arguments)
        self.following = following
        self.conditions: dict[int, Evaluate] = {}  # the machine's, by branch
        self.real: list[Step] = [functions[i] for i in range(len(steps))]
        self.real.append(_fall_off)
        self.table: list[Step] = list(self.real)
        for index in stops:
            self.table[index] = _stopper(~index)


_CACHE: OrderedDict[int, Code] = OrderedDict()
_CACHED = 8


def compile_program(program: Program) -> Code:
    """The compiled form of a program, remembered for the latest few programs."""
    found = _CACHE.get(id(program))
    if found is None or found.program is not program:
        found = _CACHE[id(program)] = Code(program)
        while len(_CACHE) > _CACHED:
            _CACHE.popitem(last=False)
    _CACHE.move_to_end(id(program))
    return found


def _following(steps: Sequence[Instruction], unit_of: Sequence[int], stops: frozenset[int]) -> list[int]:
    """For each index the first instruction at or behind it that does something or has to be seen."""

    def passed(index: int) -> bool:
        if index in stops or index >= len(steps):
            return False
        step = steps[index]
        return isinstance(step, Gap) or (isinstance(step, Jump) and unit_of[index] < 0)

    result = []
    for start in range(len(steps) + 1):
        index, seen = start, set[int]()
        while passed(index) and index not in seen:
            seen.add(index)
            step = steps[index]
            index = step.target if isinstance(step, Jump) else index + 1
        result.append(index)
    return result


def _stopper(code: int) -> Step:
    return lambda _base: code


def _fall_off(_base: int) -> NoReturn:
    raise Unmodelled("execution runs past the end of a function")
