"""What may be written from one instruction on up to the next assertion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Dereference,
    Element,
    LValue,
    Member,
    VariableReference,
)
from wolverine.core.parts import parts, place_parts
from wolverine.core.patch import Deletion, Guarded, NewAssignment, NewCall, NewValue
from wolverine.core.program import Assign, Call, Concrete, Declare, Function, Program, reachable
from wolverine.core.types import ArrayType, PointerType, StructReference, is_scalar
from wolverine.repair.menus.menu import Assigned, Conjoined, Menu
from wolverine.repair.source.walk import expressions_of
from wolverine.semantics.address import field_key, kind_of, number_of
from wolverine.semantics.layout import Layout

FieldKey = tuple[int, int]  # offset in the node, kind of the cell
_MANY = 1_000_000


@dataclass
class Ahead:
    """What may be written from one instruction on; `wild` when anything may."""

    wild: bool = False
    acyclic: bool = True
    locations: set[int] = field(default_factory=set)
    locals: set[int] = field(default_factory=set)
    globals: set[int] = field(default_factory=set)
    fields: Counter[FieldKey] = field(default_factory=Counter)
    kinds: set[int] = field(default_factory=set)  # written through pointers of unknown kind

    def copy(self) -> Ahead:
        """A copy that can be added to."""
        return replace(
            self,
            locations=set(self.locations),
            locals=set(self.locals),
            globals=set(self.globals),
            fields=Counter(self.fields),
            kinds=set(self.kinds),
        )

    def merge(self, inner: Ahead) -> None:
        """Add what another function writes beyond its own variables."""
        self.wild |= inner.wild
        self.globals |= inner.globals
        self.fields.update(inner.fields)
        self.kinds |= inner.kinds


class Writes:
    """Collects what statements of a program may write."""

    def __init__(self, program: Program, layout: Layout, functions: Iterable[str]) -> None:
        """`functions` are those that may be executed."""
        self._program = program
        self._layout = layout
        known = [program.functions[name] for name in functions]
        self._interior = any(map(_interior, known)) or _nested(program)
        self.taken = any(map(_takes_address, known))

    def region(self, ahead: Ahead, name: str, steps: set[int], *, acyclic: bool) -> None:
        """Add what these instructions of a function write, each once if `acyclic`."""
        code = self._program.functions[name].code
        for each in steps:
            step = code[each]
            if step.location >= 0:
                ahead.locations.add(step.location)
            self._write(ahead, name, step, 1 if acyclic else _MANY)

    def result(self, ahead: Ahead, name: str, call: Any) -> None:
        """Add the place where a call that is under way stores its result."""
        if isinstance(call, Call) and call.result is not None:
            self._target(ahead, name, call.result, 1)

    def chosen(self, ahead: Ahead, name: str, menu: Menu, mask: int) -> bool:
        """Add what the choices of `mask` write; False if that cannot be told."""
        targets: list[LValue] = []
        if isinstance(menu.choices, Assigned):
            rows, _ = menu.choices.masks()
            targets += (place for place, row in zip(menu.choices.targets, rows, strict=True) if row & mask)
        elif not isinstance(menu.choices, tuple | Conjoined):
            return False  # statements under tests are too many to look at
        for number, choice in menu.others if not isinstance(menu.choices, Conjoined) else ():
            if mask >> number & 1:
                match choice.replacement:
                    case NewAssignment(target):
                        targets.append(target)
                    case Guarded(_, NewAssignment(target), None):
                        targets.append(target)
                    case Guarded(_, NewAssignment(target), NewAssignment(other)):
                        targets += (target, other)
                    case Deletion() | NewCall("free") | NewValue():
                        pass
                    case _:
                        return False
        times = 1 if ahead.acyclic else _MANY
        for target in targets:
            if menu.function == name:
                self._target(ahead, name, target, times)
            else:
                inner = Ahead()
                self._target(inner, menu.function, target, times)
                ahead.merge(inner)
        return True

    def _write(self, ahead: Ahead, name: str, step: Any, times: int) -> None:
        match step:
            case Concrete():
                ahead.wild = True
            case Assign(_, target):
                self._target(ahead, name, target, times)
            case Declare(_, variable):
                self._target(ahead, name, variable, times)
            case Call(_, called, _, result):
                if result is not None:
                    self._target(ahead, name, result, times)
                if called in self._program.functions:
                    self._called(ahead, called)
                elif called == "realloc":
                    ahead.wild = True

    def _called(self, ahead: Ahead, called: str) -> None:
        inner = Ahead()
        for name in reachable(self._program, [called]):
            for step in self._program.functions[name].code:
                if step.location >= 0:
                    ahead.locations.add(step.location)
                if not isinstance(step, Call):
                    self._write(inner, name, step, _MANY)
                elif step.function not in self._program.functions and step.function == "realloc":
                    inner.wild = True
        ahead.merge(inner)
        ahead.acyclic = False

    def _target(self, ahead: Ahead, name: str, target: LValue, times: int) -> None:
        if not is_scalar(target.type) and not isinstance(target, VariableReference):
            ahead.wild = True
            return
        kind = kind_of(target.type) if is_scalar(target.type) else 0
        offset, place, whole = 0, target, True
        while isinstance(place, (Member, Element)):
            if isinstance(place, Member):
                offset += place.offset
            else:
                whole = False
            place = place.base
        match place:
            case VariableReference():
                self._variable(ahead, self._layout, name, place)
            case Dereference():
                if kind:
                    offset, kind = field_key(target.type, offset)
                if place is target or not whole or self._interior:
                    ahead.kinds.add(kind)
                else:
                    ahead.fields[offset, kind] += times

    @staticmethod
    def _variable(ahead: Ahead, layout: Layout, name: str, variable: VariableReference) -> None:
        relative, address = layout.address(name, variable)
        (ahead.locals if relative else ahead.globals).add(number_of(address))


def _all_parts(function: Function) -> Iterable[Any]:
    for step in function.code:
        for expression in expressions_of(step):
            yield from parts(expression)
        if isinstance(step, Assign):
            yield from place_parts(step.target)


def _interior(function: Function) -> bool:
    """Whether pointers into the middle of objects may arise."""
    for part in _all_parts(function):
        match part:
            case AddressOf(Member() | Element() | Dereference()):
                return True
            case Binary("+" | "-", _, _, PointerType()):
                return True
    return False


def _nested(program: Program) -> bool:
    """Whether a struct holds structs or arrays."""
    return any(
        isinstance(f.type, (StructReference, ArrayType))
        for struct in program.types.structs.values()
        for f in struct.fields
    )


def _takes_address(function: Function) -> bool:
    return any(isinstance(part, AddressOf) for part in _all_parts(function))
