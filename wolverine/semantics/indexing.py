"""Parameters and fields that index arrays: what a caller may pass as `m` in `table->row[m]`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from wolverine.core.expressions import (
    COMPARISONS,
    AddressOf,
    Binary,
    Cast,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    variables,
)
from wolverine.core.parts import parts, place_parts, without_casts
from wolverine.core.program import Assign, Branch, Call, Function, Library, Program, Return
from wolverine.core.types import ArrayType, PointerType, StructReference


def index_bounds(function: Function) -> dict[str, int]:
    """By the parameters that a function never changes: the least length of an array that they index."""
    found: dict[str, int] = {}
    changed: set[str] = set()
    for step in function.code:
        if isinstance(step, Assign) and isinstance(step.target, VariableReference):
            changed.add(step.target.name)
        for element in elements(step):
            index = element.index.operand if isinstance(element.index, Cast) else element.index
            match element.base.type, index:
                case ArrayType(_, length), Load(VariableReference(name)) if length:
                    found[name] = min(length, found.get(name, length))
    return {p.name: found[p.name] for p in function.parameters if p.name in found.keys() - changed}


def counts_of(function: Function) -> dict[str, set[tuple[str, bool]]]:
    """By the parameters up to which variables go that index arrays: the parameters that lead to these.

    So `n` with `v` in `for (i = 0; i < n; i++) v[i] = 0;`, and whether it is rather the rows of an array of
    arrays: `c` with `m` in `m[i][j]` with `j < c`.
    """
    names = {parameter.name for parameter in function.parameters}
    changed = {
        step.target.name
        for step in function.code
        if isinstance(step, Assign) and isinstance(step.target, VariableReference)
    }
    limits: dict[str, set[str]] = {}  # by variables
    for step in function.code:
        for part in parts(step.condition) if isinstance(step, Branch) else ():
            match part:
                case Binary("<", below, above) | Binary(">", above, below):
                    counter, count = _variable(below), _variable(above)
                    if count in names - changed:
                        limits.setdefault(counter, set()).add(count)
    found: dict[str, set[tuple[str, bool]]] = {}
    for step in function.code:
        expressions = (*evaluated(step), Load(step.target)) if isinstance(step, Assign) else evaluated(step)
        for part in (each for expression in expressions for each in parts(expression)):
            match part:
                case Binary("+", array, place, PointerType()):
                    led = _array_of(array)
                    for count in limits.get(_variable(place), ()) if led[0] in names - changed else ():
                        found.setdefault(count, set()).add(led)
    return found


def _variable(value: Expression) -> str:
    """The name of the variable that a value is, casts aside; "" where it is none."""
    match without_casts(value):
        case Load(VariableReference(name)):
            return name
    return ""


def _array_of(array: Expression) -> tuple[str, bool]:
    """The variable that leads to an array, or to an array of pointers to such."""
    match without_casts(array):
        case Load(Dereference(Binary("+", inner) | inner)):
            return _variable(inner), True
    return _variable(array), False


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
    yield from (element.index for element in elements(step))
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


def elements(step: object) -> Iterator[Element]:
    """The elements of arrays that an instruction reads or writes, or takes the address of."""
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
