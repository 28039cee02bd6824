"""Functions compiled to Python closures: once per program and function, and once per replacement.

A closure takes its frame's base and returns the index of the next instruction, or `~index` when the
machine has to act at `index` (call, return, concrete step, stop).  `linking` binds them to a memory.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from wolverine.core.patch import Replacement
from wolverine.core.program import Instruction, Program
from wolverine.core.types import VOID, ArrayType, StructReference, is_scalar
from wolverine.semantics.address import cell_key, local_offset
from wolverine.semantics.bothways import linked_both_ways
from wolverine.semantics.carriers import Carrier, carriers
from wolverine.semantics.closures import instructions
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.fields import Field
from wolverine.semantics.filled import Filled, possible_filled
from wolverine.semantics.generate import Generator, spread
from wolverine.semantics.indexing import index_fields
from wolverine.semantics.laden import laden
from wolverine.semantics.layout import Layout
from wolverine.semantics.linkaddresses import ends_of_own_lists
from wolverine.semantics.made import sizes_made
from wolverine.semantics.ordering import ordering
from wolverine.semantics.replacing import replace_instruction
from wolverine.semantics.thresholds import thresholds


class CompiledFunction:
    """The closures' factory of one function, its variables and how a call fills them."""

    def __init__(self, code: Code, name: str) -> None:
        function = code.program.functions[name]
        layout, types = code.layout, code.program.types
        self.name = name
        self.code: tuple[Instruction, ...] = function.code
        self.result = function.result
        self.parameters = tuple((local_offset(i), p.type) for i, p in enumerate(function.parameters))
        # By parameter: the key of its cell, or its offset and the keys in it; relative to the frame's base.
        self.parameter_cells: tuple[tuple[int, tuple[int, ...]], ...] = tuple(
            (cell_key(p.type, local_offset(i)), ())
            if is_scalar(p.type)
            else (local_offset(i), spread(types, p.type))
            for i, p in enumerate(function.parameters)
        )
        struct = function.result != VOID and not is_scalar(function.result)
        self.result_cells = spread(types, function.result) if struct else ()
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

    @cached_property
    def index_fields(self) -> frozenset[tuple[str, int]]:
        """The fields that index arrays (`indexing.index_fields`)."""
        return index_fields(self.program)

    @cached_property
    def thresholds(self) -> Mapping[tuple[str, int], tuple[int, ...]]:
        """The constants that fields are compared with (`thresholds.thresholds`)."""
        return thresholds(self.program)

    @cached_property
    def ends_of_own_lists(self) -> Mapping[str, Mapping[int, int]]:
        """The fields that lead to the last link of their node's list (`linkaddresses`)."""
        return ends_of_own_lists(self.program)

    @cached_property
    def laden(self) -> frozenset[Field]:
        """The fields by which each node leads to one of another structure (`laden.laden`)."""
        return laden(self.program)

    @cached_property
    def ordering(self) -> Mapping[str, int]:
        """The numbers by which nodes are compared (`ordering.ordering`)."""
        return ordering(self.program)

    @cached_property
    def carriers(self) -> tuple[Carrier, ...]:
        """The structs whose nodes hang together by links inside (`carriers.carriers`)."""
        return carriers(self.program)

    @cached_property
    def linked_both_ways(self) -> frozenset[tuple[str, int, int]]:
        """The pairs of links that lead back over each other (`bothways.linked_both_ways`)."""
        return linked_both_ways(self.program)

    @cached_property
    def filled(self) -> frozenset[Filled]:
        """The arrays that may be filled up to a number beside them (`filled.possible_filled`)."""
        return possible_filled(self.program)

    @cached_property
    def sizes_made(self) -> Mapping[int, StructReference]:
        """The structs that the program allocates, by size (`made.sizes_made`)."""
        return sizes_made(self.program)

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
