"""Which locals may have been written before an instruction, or may be read from there on (may-analyses)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import or_

from wolverine.core.expressions import (
    AddressOf,
    Element,
    Expression,
    LValue,
    Member,
    VariableReference,
    source_name,
    variables,
)
from wolverine.core.parts import parts, place_parts
from wolverine.core.program import (
    Assign,
    Branch,
    Call,
    Concrete,
    Declare,
    Function,
    Gap,
    Instruction,
    Jump,
    Library,
    Program,
    Return,
    successors,
)

_WORD = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)


def possibly_assigned(function: Function, instruction: int, program: Program | None = None) -> frozenset[str]:
    """The locals that may have been written, or whose address was taken, before that instruction.

    Parameters are included.  What a `Concrete` instruction writes is not known: with `program` these
    are the locals that its text names, without it all locals.  A library call writes only what it is led to.
    """
    return _assigned(function, instruction, program, int.__or__)


def surely_assigned(function: Function, instruction: int) -> frozenset[str]:
    """The locals that have been written, or whose address was taken, on every way to that instruction."""
    return _assigned(function, instruction, None, int.__and__)


def assigned_behind(function: Function, instruction: int, program: Program) -> frozenset[str]:
    """The locals that may be written by that instruction or after it, or through a pointer."""
    found = {name for step in function.code for name in _led_to(step)}
    seen, work = set[int](), [instruction]
    while work:
        index = work.pop()
        if index not in seen and index < len(function.code):
            seen.add(index)
            found.update(_written(function.code[index], function, program))
            work.extend(_behind(function.code[index], index))
    return frozenset(found)


def possibly_read(function: Function, instruction: int, program: Program) -> frozenset[str]:
    """The locals whose present value may be read by that instruction or after it, or through a pointer."""
    return reads(function, program)[instruction]


def reads(function: Function, program: Program) -> tuple[frozenset[str], ...]:
    """`possibly_read` at each instruction, and behind the last."""
    code = function.code
    addressed = frozenset(name for step in code for name in _led_to(step))
    behind = [tuple(t for t in _behind(step, i) if t < len(code)) for i, step in enumerate(code)]
    used = [uses(step, function, program) for step in code]
    live: list[frozenset[str]] = [frozenset()] * len(code)
    changed = True
    while changed:
        changed = False
        for index in range(len(code) - 1, -1, -1):
            after = frozenset[str]().union(*(live[target] for target in behind[index]))
            before = used[index] | after - _set_anew(code[index])
            changed = changed or before != live[index]
            live[index] = before
    return (*(addressed | names for names in live), addressed)


def _led_to(step: Instruction) -> Iterator[str]:
    match step:
        case Assign(_, target, value):
            yield from _addressed_place(target)
            yield from _addressed(value)
        case Branch(_, value) | Return(_, value) if value is not None:
            yield from _addressed(value)
        case Call(_, _, arguments) | Library(_, _, arguments):
            for value in arguments:
                yield from _addressed(value)


def uses(step: Instruction, function: Function, program: Program) -> frozenset[str]:
    """The variables that an instruction reads; what a `Concrete` one names, it may read."""
    match step:
        case Assign(_, target, value):
            return variables(value) | (
                frozenset() if isinstance(target, VariableReference) else variables(target)
            )
        case Branch(_, value) | Return(_, value) if value is not None:
            return variables(value)
        case Call(_, _, arguments) | Library(_, _, arguments):
            return frozenset[str]().union(*map(variables, arguments))
        case Concrete():
            return frozenset(_written(step, function, program))
    return frozenset()


def _set_anew(step: Instruction) -> frozenset[str]:
    match step:
        case Assign(_, VariableReference(name)):
            return frozenset((name,))
        case Declare(_, variable):
            return frozenset((variable.name,))
        case Call(_, _, _, result) | Library(_, _, _, result) if result is not None:
            return frozenset((result.name,))
    return frozenset()


def _assigned(
    function: Function, instruction: int, program: Program | None, joined: Callable[[int, int], int]
) -> frozenset[str]:
    """The locals that have been written before that instruction, `joined` (as bits) where ways meet."""
    code = function.code
    bits: dict[str, int] = {}

    def mask(names: Iterable[str]) -> int:
        return reduce(or_, (bits.setdefault(name, 1 << len(bits)) for name in names), 0)

    parameters = mask(variable.name for variable in function.parameters)
    writes = [mask(_written_by(function, index, program)) for index in range(len(code))]
    stays = [~mask((step.variable.name,)) if isinstance(step, Declare) else ~0 for step in code]
    behind = [tuple(t for t in _behind(step, i) if t < len(code)) for i, step in enumerate(code)]
    before: list[int | None] = [None] * len(code)
    before[0] = parameters
    changed = True
    while changed:
        changed = False
        for index, state in enumerate(before):
            if state is None:
                continue
            after = (state | writes[index]) & stays[index]
            for target in behind[index]:
                known = before[target]
                met = after if known is None else joined(known, after)
                if met != known:
                    before[target] = met
                    changed = True
    found = before[instruction]
    known = parameters if found is None else found
    return frozenset(name for name, bit in bits.items() if known & bit)


def _behind(step: Instruction, index: int) -> tuple[int, ...]:
    """A library call that the model carries out passes over its concrete form."""
    return (index + 1, index + 2) if isinstance(step, Library) else successors(step, index)


def _written_by(function: Function, index: int, program: Program | None) -> Iterator[str]:
    """The locals that an instruction may write or take the address of."""
    step, before = function.code[index], function.code[index - 1] if index else None
    if isinstance(step, Concrete) and isinstance(before, Library):
        yield from (variable.name for variable in step.results)
        yield from _led_to(before)
        return
    yield from _written(step, function, program)
    if isinstance(step, Call):
        yield from _led_to(step)


def _written(step: object, function: Function, program: Program | None) -> Iterator[str]:
    match step:
        case Assign(_, target, value):
            root = _root(target)
            if root is not None:
                yield root
            yield from _addressed_place(target)
            yield from _addressed(value)
        case Branch(_, condition):
            yield from _addressed(condition)
        case Call(_, _, _, result) | Library(_, _, _, result) if result is not None:
            yield result.name
        case Concrete(location, _, results):
            yield from (variable.name for variable in results)
            words = None
            if program is not None and location >= 0:
                words = frozenset(_WORD.findall(program.location(location).text))
            for variable in function.locals:
                if words is None or source_name(variable.name) in words:
                    yield variable.name
        case Call() | Library() | Declare() | Jump() | Return() | Gap():
            return


def _root(place: LValue) -> str | None:
    match place:
        case VariableReference(name, _, level):
            return name if level == "local" else None
        case Member(base) | Element(base):
            return _root(base)
        case _:
            return None


def _addressed_place(place: LValue) -> Iterator[str]:
    return _roots(place_parts(place))


def _addressed(expression: Expression) -> Iterator[str]:
    return _roots(parts(expression))


def _roots(found: Iterator[Expression]) -> Iterator[str]:
    """The locals whose addresses are taken in one of the expressions."""
    for part in found:
        if isinstance(part, AddressOf) and (root := _root(part.place)) is not None:
            yield root
