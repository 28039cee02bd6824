"""What the rest of a stretch can still put right: a bound on writes up to the next assertion.

A cell that does not hold what the next assertion says, and that no statement up to there can write,
needs an edit of its own.  So when few edits are left, only effects count that mend such a cell, and an
effect that spoils one is not followed (Wolverine2 has no counterpart; the bound is admissible: every
statement that may be executed counts, whatever its pointers lead to).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
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
from wolverine.core.program import Assign, Call, Concrete, Declare, Function, Program
from wolverine.core.types import ArrayType, PointerType, StructReference, is_scalar
from wolverine.repair.flow import behind, cyclic
from wolverine.repair.runner import Runner, reachable
from wolverine.repair.schedule import Check
from wolverine.repair.walk import expressions_of, parts, place_parts
from wolverine.semantics.address import (
    ADDRESS_MASK,
    FRAME,
    GLOBALS,
    KIND_SHIFT,
    LOCALS,
    kind_of,
    number_of,
    offset_of,
)
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


class Lack:
    """How much the present state lacks of the next assertion, beyond what may still be written.

    `total` is the least number of writes that edits have to do.
    """

    __slots__ = ("_ahead", "_counts", "_depth", "_taken", "cells", "total", "wrong")

    def __init__(self, ahead: Ahead, depth: int, taken: bool, cells: dict[int, Any]) -> None:
        self._ahead = ahead
        self._depth = depth
        self._taken = taken
        self._counts: Counter[FieldKey] = Counter()
        self.cells = cells  # what the assertion says, by key
        self.wrong: list[int] = []
        self.total = 0

    def add(self, key: int) -> None:
        """The cell does not hold what it should."""
        self.wrong.append(key)
        self.total += self._weight(key, 1)
        number = number_of(key & ADDRESS_MASK)
        if number < GLOBALS:
            self._counts[offset_of(key & ADDRESS_MASK), key >> KIND_SHIFT] += 1

    def _weight(self, key: int, change: int) -> int:
        """How the total changes when one cell more (1) or less (-1) is wrong."""
        address, kind = key & ADDRESS_MASK, key >> KIND_SHIFT
        number = number_of(address)
        ahead = self._ahead
        if number < GLOBALS:
            if kind in ahead.kinds:
                return 0
            name = (offset_of(address), kind)
            have, can = self._counts[name], ahead.fields[name]
            return max(0, have + change - can) - max(0, have - can)
        if self._taken and (kind in ahead.kinds or any(k == kind for _, k in ahead.fields)):
            return 0
        if number < LOCALS:
            return 0 if number in ahead.globals else change
        depth, index = divmod(number - LOCALS, FRAME)
        return 0 if depth == self._depth and index in ahead.locals else change

    def after(self, key: int, raw: Any, held: Any) -> int:
        """The total when `raw` is written to a cell that holds `held`."""
        if key not in self.cells:
            return self.total
        wanted = self.cells[key]
        before, now = held != wanted, raw != wanted
        if before == now:
            return self.total
        return self.total + self._weight(key, 1 if now else -1)

    def mends(self, key: int) -> bool:
        """Whether putting the cell right lowers the total."""
        return self._weight(key, -1) < 0


class Outlook:
    """The bounds for one trace on the straight line."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._program = runner.machine.program
        self._layout = runner.machine.layout
        functions = [f for f in self._program.functions.values() if f.name in runner.reachable]
        self._interior = any(map(_interior, functions)) or _nested(self._program)
        self._taken = any(map(_takes_address, functions))
        self._ahead: dict[tuple[str, int, int], Ahead | None] = {}
        self._cells: dict[int, tuple[dict[int, Any], tuple[tuple[int, Any], ...]]] = {}

    def lack(self, following: int, decided: Iterable[int], location: int) -> tuple[Lack, bool] | None:
        """The lack right behind the instruction at which the machine stands, if that can be told.

        Also whether no statement up to the assertion is executed twice.
        """
        machine = self._runner.machine
        frame = machine.frame
        assert frame is not None
        name = (frame.linked.name, machine.pc, following)
        if name not in self._ahead:
            self._ahead[name] = self._look(frame.linked.name, machine.pc, following)
        ahead = self._ahead[name]
        if ahead is None or location in ahead.locations:
            return None
        group = self._next(following)
        if group is None or group[1].position.activation != frame.number:
            return None
        if any(each in ahead.locations for each in decided):
            return None
        wanted, order = self._wanted(group[0], group[1].checks)
        lack = Lack(ahead, frame.depth, self._taken, wanted)
        get = machine.memory.cells.get
        for key, raw in order:
            if get(key) != raw:
                lack.add(key)
        return lack, ahead.acyclic

    def _next(self, following: int) -> tuple[int, Any] | None:
        groups = self._runner.schedule.groups
        for index in range(following, len(groups)):
            if groups[index].checks:
                return index, groups[index]
            if groups[index].interval is not None:
                return None
        return None

    def _wanted(self, index: int, checks: list[Check]) -> tuple[dict[int, Any], tuple[tuple[int, Any], ...]]:
        known = self._cells.get(index)
        if known is None:
            cells = {}
            for check in checks:
                if check.renamed is not None:
                    continue  # its nodes may have other names
                for cell in check.cells:
                    if len(cell.keys) == 1:
                        cells[cell.keys[0]] = cell.raw
            known = self._cells[index] = (cells, tuple(cells.items()))
        return known

    def _look(self, name: str, pc: int, following: int) -> Ahead | None:
        found = self._next(following)
        if found is None:
            return None
        index, group = found
        if group.position.function != name:
            return None
        schedule = self._runner.schedule
        function = self._program.functions[name]
        stop = group.position.instruction
        if stop in schedule.loops.get(name, ()):
            before = [g for g in schedule.groups[following:index] if g.place == group.place]
        else:
            before = schedule.groups[following:index]
        onward = behind(function, pc, -1 if before else stop)
        ahead = Ahead(acyclic=not cyclic(function, onward))
        for each in onward:
            step = function.code[each]
            if step.location >= 0:
                ahead.locations.add(step.location)
            self._write(ahead, name, step, 1 if ahead.acyclic else _MANY)
        return None if ahead.wild else ahead

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
        ahead.wild |= inner.wild
        ahead.globals |= inner.globals
        ahead.fields.update(inner.fields)
        ahead.kinds |= inner.kinds
        ahead.acyclic = False

    def _target(self, ahead: Ahead, name: str, target: LValue, times: int) -> None:
        if not is_scalar(target.type) and not isinstance(target, VariableReference):
            ahead.wild = True
            return
        kind = kind_of(target.type) if is_scalar(target.type) else 0
        offset, place = 0, target
        while isinstance(place, (Member, Element)):
            if isinstance(place, Element):
                kind, offset = kind, -1
            elif offset >= 0:
                offset += place.offset
            place = place.base
        match place:
            case VariableReference():
                self._variable(ahead, self._layout, name, place)
            case Dereference():
                if place is target or offset < 0 or self._interior:
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
