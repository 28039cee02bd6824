"""Global pointers that no function hands on to another: each sets them before it reads them.

Beginners declare `*head, *temp, *new` in one go; `temp` is then a local that happens to stand outside.  What
it holds when a function returns says nothing of the program's state.  (Live variables: Aho, Lam, Sethi and
Ullman, "Compilers", 9.2.5, here at the entries of functions and behind calls.)

So it is with a global that all callers of a function set anew behind it (`drop(current); current = before;`):
what it holds when that function returns is nobody's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from wolverine.core.expressions import AddressOf, Element, LValue, Member, VariableReference, variables
from wolverine.core.parts import parts, place_parts
from wolverine.core.program import (
    Assign,
    Branch,
    Call,
    Concrete,
    Function,
    Instruction,
    Library,
    Program,
    Return,
    successors,
)
from wolverine.core.types import PointerType
from wolverine.semantics.address import number_of
from wolverine.semantics.layout import Layout

_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def scratch(program: Program) -> frozenset[VariableReference]:
    """The global pointers that are read only where the same activation has set them since its last call."""
    found = {each for each in program.globals if isinstance(each.type, PointerType) and not each.function}
    names = frozenset(each.name for each in found)
    if any(function.unsupported for function in program.functions.values()):
        return frozenset()
    for function in program.functions.values():
        live = _live(function, names, partial(_read, program)) if names else ()
        calls = (i for i, step in enumerate(function.code) if _calls(program, step))
        entered = (i for i in (0, *(i + 1 for i in calls)) if i < len(live))
        names = names.difference(_addressed(function), *(live[i] for i in entered))
    return frozenset(each for each in found if each.name in names)


def set_behind(program: Program, called: str) -> frozenset[VariableReference]:
    """The global pointers that whoever calls the function sets behind it, before anything may read them.

    There are none where nobody calls it.  Functions that are called meanwhile, and whoever goes on when the
    caller returns, may read them all.
    """
    found = {each for each in program.globals if isinstance(each.type, PointerType) and not each.function}
    names = frozenset(each.name for each in found)
    if not names or any(function.unsupported for function in program.functions.values()):
        return frozenset()

    every = names

    def read(step: Instruction) -> Iterable[str]:
        return every if isinstance(step, Return) or _calls(program, step) else _read(program, step)

    known = False
    for function in program.functions.values():
        names = names.difference(_addressed(function))
        there = [
            i for i, step in enumerate(function.code) if isinstance(step, Call) and step.function == called
        ]
        if names and there:
            known = True
            live = _live(function, names, read)
            names = names.difference(*(live[i + 1] - _set(function.code[i]) for i in there))
    return frozenset(each for each in found if known and each.name in names)


def _calls(program: Program, step: Instruction) -> bool:
    return isinstance(step, Call) and step.function in program.functions


def numbers(program: Program, layout: Layout) -> frozenset[int]:
    """The objects that these pointers are."""
    return _objects(scratch(program), layout)


def numbers_set_behind(program: Program, layout: Layout, called: str) -> frozenset[int]:
    """The objects that are set anew behind a function."""
    return _objects(set_behind(program, called), layout)


def _objects(found: Iterable[VariableReference], layout: Layout) -> frozenset[int]:
    return frozenset(number_of(layout.address("", each)[1]) for each in found)


def _live(
    function: Function, names: frozenset[str], read: Callable[[Instruction], Iterable[str]]
) -> Sequence[frozenset[str]]:
    """Which of these variables may be `read` before they are set, from each instruction on."""
    code = function.code
    live = [frozenset[str]()] * len(code)
    changed = True
    while changed:
        changed = False
        for index in range(len(code) - 1, -1, -1):
            step = code[index]
            targets = (index + 1, index + 2) if isinstance(step, Library) else successors(step, index)
            after = frozenset[str]().union(*(live[i] for i in targets if i < len(code)))
            before = names & (frozenset(read(step)) | (after - _set(step)))
            changed = changed or before != live[index]
            live[index] = before
    return live


def _read(program: Program, step: Instruction) -> Iterator[str]:
    """The variables that an instruction reads; what is not modelled may read whatever it names."""
    match step:
        case Assign(_, target, value):
            yield from variables(value)
            if not isinstance(target, VariableReference):
                yield from variables(target)
        case Branch(_, value) | Return(_, value) if value is not None:
            yield from variables(value)
        case Call(_, _, arguments) | Library(_, _, arguments):
            for argument in arguments:
                yield from variables(argument)
        case Concrete(location) if location >= 0:
            yield from _WORD.findall(program.location(location).text)


def _set(step: Instruction) -> frozenset[str]:
    match step:
        case Assign(_, VariableReference(name, level="global")):
            return frozenset((name,))
        case Call(_, _, _, VariableReference(name, level="global")):
            return frozenset((name,))
    return frozenset()


def _addressed(function: Function) -> Iterator[str]:
    """The variables whose addresses are taken."""
    for step in function.code:
        match step:
            case Assign(_, target, value):
                found = [*place_parts(target), *parts(value)]
            case Branch(_, value) | Return(_, value) if value is not None:
                found = [*parts(value)]
            case Call(_, _, arguments) | Library(_, _, arguments):
                found = [part for argument in arguments for part in parts(argument)]
            case _:
                continue
        yield from (_root(part.place) for part in found if isinstance(part, AddressOf))


def _root(place: LValue) -> str:
    while isinstance(place, Member | Element):
        place = place.base
    return place.name if isinstance(place, VariableReference) else ""
