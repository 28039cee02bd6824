"""Forcing control flow: where `enter` and `leave` put the process (CONTRACT "What the words mean").

The addresses come from the machine code of the condition: every jump that leads out of it ends at a
row whose unit is the first one of the body or the one behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wolverine.core.process import Edge
from wolverine.core.program import Branch, Function, Location, Program
from wolverine.errors import CommandError
from wolverine.session.positions import UNMAPPED, CodeMap


@dataclass(frozen=True, slots=True)
class Fork:
    """A condition: the unit that evaluates it, and the Branch instructions in it, in order."""

    function: Function
    unit: int
    branches: tuple[int, ...]
    location: Location


def fork_at(program: Program, name: str, instruction: int) -> Fork | None:
    """The condition that the execution meets next when it stands before `instruction`.

    At a for loop's initialiser or increment that is the loop's condition.  None where the statement is
    no condition and no part of a for header.
    """
    function = program.functions[name]
    unit = function.unit_of[instruction]
    if unit == UNMAPPED:
        return None
    fork = _in_unit(program, function, unit)
    if fork is not None:
        return fork
    if getattr(function.code[instruction], "location", -1) < 0:
        return None
    passed, following = [unit], _unit_after(program, function, unit)
    while following is not None and following not in passed:
        fork = _in_unit(program, function, following)
        if fork is not None:
            inside = all(_in_header(function, each, fork) for each in passed)
            return fork if fork.location.role == "for" and inside else None
        passed.append(following)  # `i = 0, j = n`
        following = _unit_after(program, function, following)
    return None


def _in_header(function: Function, unit: int, fork: Fork) -> bool:
    span = function.units[unit].span
    condition = function.units[fork.unit].span
    header = [u.span for u in function.units if u.header and u.first == function.units[fork.unit].first]
    return any(h.start <= span.start and span.end <= h.end and h.start <= condition.start for h in header)


def _in_unit(program: Program, function: Function, unit: int) -> Fork | None:
    branches = tuple(
        index
        for index, code in enumerate(function.code)
        if function.unit_of[index] == unit
        and isinstance(code, Branch)
        and code.location >= 0
        and program.location(code.location).kind == "condition"
    )
    if not branches:
        return None
    location = program.location(function.code[branches[-1]].location)
    # The condition of `a ? b : c` leads to no other statement.
    return Fork(function, unit, branches, location) if location.role != "other" else None


def _unit_after(program: Program, function: Function, unit: int) -> int | None:
    last = max(index for index, each in enumerate(function.unit_of) if each == unit)
    return landing(function, last + 1)


def landing(function: Function, instruction: int) -> int | None:
    """The first unit that is executed from `instruction` on, passing gaps, declarations and jumps."""
    seen: set[int] = set()
    while instruction not in seen and instruction < len(function.code):
        seen.add(instruction)
        code = function.code[instruction]
        if function.unit_of[instruction] != UNMAPPED:
            return function.unit_of[instruction]
        instruction = getattr(code, "target", instruction + 1) if hasattr(code, "target") else instruction + 1
    return None


@dataclass(frozen=True, slots=True)
class Ways:
    """The addresses to which a condition's code leads when it is true and when it is false."""

    if_true: int | None
    if_false: int | None


def ways(codes: CodeMap, fork: Fork, edges: Sequence[Edge]) -> Ways:
    """Tell the edges of the condition's code apart by the units that they lead to."""
    function = fork.function
    first = function.code[fork.branches[0]]
    last = function.code[fork.branches[-1]]
    assert isinstance(last, Branch) and isinstance(first, Branch)
    wanted = {True: landing(function, last.if_true), False: landing(function, last.if_false)}
    found: dict[bool, int] = {}
    for edge in edges:
        piece = codes.at(function.name, edge.address)
        if piece is None:
            continue
        unit = piece.unit
        if unit != UNMAPPED and function.units[unit].header:
            unit = function.unit_of[function.units[unit].first]
        for taken, target in wanted.items():
            if unit == target and target is not None and taken not in found:
                found[taken] = edge.address
    addresses = {edge.address for edge in edges}
    start = codes.unit_start(function.name, fork.unit)
    for taken, other in ((True, False), (False, True)):
        if taken in found:
            continue
        rest = addresses - {found[other]} if other in found else addresses
        if wanted[taken] == fork.unit and start is not None:
            found[taken] = start
        elif len(rest) == 1:
            found[taken] = rest.pop()
        elif wanted[taken] is not None:
            address = codes.unit_start(function.name, wanted[taken] or 0)
            if address is not None:
                found[taken] = address
    return Ways(found.get(True), found.get(False))


def address_of(way: int | None, command: str) -> int:
    """The address, or CommandError when the code does not show where that way leads."""
    if way is None:
        raise CommandError("the machine code does not show where this condition leads")
    return way
