"""Parameters and fields that index arrays: what a caller may pass as `m` in `table->row[m]`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from wolverine.core.expressions import (
    COMPARISONS,
    AddressOf,
    Binary,
    Cast,
    Constant,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    variables,
)
from wolverine.core.parts import parts, place_parts
from wolverine.core.program import Assign, Branch, Call, Function, Library, Program, Return
from wolverine.core.types import ArrayType, PointerType, StructReference


def index_bounds(function: Function) -> dict[str, int]:
    """By the parameters that a function never changes: the least length of an array that they index."""
    found: dict[str, int] = {}
    changed: set[str] = set()
    for step in function.code:
        if isinstance(step, Assign) and isinstance(step.target, VariableReference):
            changed.add(step.target.name)
        for element in _elements(step):
            index = element.index.operand if isinstance(element.index, Cast) else element.index
            match element.base.type, index:
                case ArrayType(_, length), Load(VariableReference(name)) if length:
                    found[name] = min(length, found.get(name, length))
    return {p.name: found[p.name] for p in function.parameters if p.name in found.keys() - changed}


def index_fields(program: Program) -> frozenset[tuple[str, int]]:
    """The fields, by struct and offset, that index arrays: at once, or by way of variables and parameters."""
    indexing: set[tuple[str, str]] = set()  # variables, by function
    fields: set[tuple[str, int]] = set()
    known = -1
    while known != len(indexing) + len(fields):
        known = len(indexing) + len(fields)
        for name, function in program.functions.items():
            for step in function.code:
                for value in _indices(step, name, program, indexing):
                    match _plain(value):
                        case Load(VariableReference(variable, level="local")):
                            indexing.add((name, variable))
                        case Load(Member(base, _, offset)) if isinstance(base.type, StructReference):
                            fields.add((base.type.tag, offset))
    return frozenset(fields)


def _plain(index: Expression) -> Expression:
    """What an index is but for a number that is added; a remainder keeps any number within the array."""
    match index:
        case Cast(operand) | Binary("+" | "-", operand, Constant()):
            return _plain(operand)
    return index


def _indices(
    step: object, function: str, program: Program, indexing: Collection[tuple[str, str]]
) -> Iterator[Expression]:
    """What indexes an array in a step, or becomes a variable that does."""
    match step:
        case Assign(_, VariableReference(variable), value) if (function, variable) in indexing:
            yield value
        case Call(_, called, arguments) if called in program.functions:
            parameters = program.functions[called].parameters
            for parameter, argument in zip(parameters, arguments):
                if (called, parameter.name) in indexing:
                    yield argument
    yield from (element.index for element in _elements(step))
    expressions = (*evaluated(step), Load(step.target)) if isinstance(step, Assign) else evaluated(step)
    for expression in expressions:
        for part in parts(expression):
            match part:
                case Binary("+", _, index, PointerType()):
                    yield index


def reckoned_with(function: Function) -> frozenset[str]:
    """The variables that a function adds, subtracts, multiplies and so on; what it compares is none."""
    found: set[str] = set()
    for step in function.code:
        for expression in evaluated(step):
            for part in parts(expression):
                if isinstance(part, Binary) and part.operator not in COMPARISONS:
                    found |= variables(part)
    return frozenset(found)


def evaluated(step: object) -> tuple[Expression, ...]:
    """The expressions that an instruction evaluates, those inside its target included."""
    match step:
        case Assign(_, target, value):
            return (value, *place_parts(target))
        case Branch(_, condition):
            return (condition,)
        case Call(_, _, arguments) | Library(_, _, arguments):
            return arguments
        case Return(_, value) if value is not None:
            return (value,)
    return ()


def _elements(step: object) -> Iterator[Element]:
    if isinstance(step, Assign):
        yield from _of_place(step.target)
    for expression in evaluated(step):
        for part in parts(expression):
            if isinstance(part, Load | AddressOf):
                yield from _of_place(part.place)


def _of_place(place: LValue) -> Iterator[Element]:
    while isinstance(place, Member | Element):
        if isinstance(place, Element):
            yield place
        place = place.base
