"""Nodes that count who refers to them: they are freed where that number has come to nothing.

(Collins, "A Method for Overlapping and Erasure of Lists", CACM 1960.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import Dereference, Expression, Load, Member
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Call, Function, Instruction, Program
from wolverine.core.types import StructReference
from wolverine.repair.source.counting import counts_down
from wolverine.semantics.allocation import FREEING


def counting_references(program: Program) -> frozenset[str]:
    """The tags of the structs of which some function counts a field down and frees the node."""
    return frozenset(tag for function in program.functions.values() for tag in _tags(program, function))


def ended(program: Program, code: Sequence[Instruction]) -> Iterator[Expression]:
    """What instructions hand to `free`, or to a function that frees it."""
    given: dict[Expression, Expression] = {}
    for step in code:
        if isinstance(step, Assign):
            given[Load(step.target)] = without_casts(step.value)
        elif isinstance(step, Call):
            for number, argument in enumerate(step.arguments):
                if argument in given and _frees(program, step.function, number):
                    yield given[argument]


def _frees(program: Program, name: str, number: int) -> bool:
    """Whether a function frees what it is given as its argument of that number."""
    if name not in program.functions:
        return name == "free"
    function = program.functions[name]
    if number >= len(function.parameters):
        return False
    parameter, passed = Load(function.parameters[number]), dict[Expression, Expression]()
    for step in function.code:
        if isinstance(step, Assign):
            passed[Load(step.target)] = without_casts(step.value)
        elif (
            isinstance(step, Call)
            and step.function in FREEING
            and parameter in map(passed.get, step.arguments)
        ):
            return True
    return False


def _tags(program: Program, function: Function) -> Iterator[str]:
    freed = {*ended(program, function.code)}
    for step in function.code if freed else ():
        match step:
            case Assign(_, Member(Dereference(pointer, StructReference(tag))) as field, value):
                if pointer in freed and counts_down(field, value):
                    yield tag
