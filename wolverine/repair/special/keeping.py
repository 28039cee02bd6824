"""Repairs that keep a value in a variable before something spoils it: a link that is followed too late.

A loop goes on with `p = p->next` when the node was relinked or freed already.  It takes two edits, each of
which does nothing alone, among all pairs of edits; but there are few such pairs, so each is tried by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from wolverine.core.expressions import (
    Cast,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    variables,
)
from wolverine.core.parts import parts, unconverted
from wolverine.core.patch import NewAssignment, NewValue, Replacement
from wolverine.core.program import Assign, Call, Function, Gap, Instruction, Program, reachable
from wolverine.repair.execution.accepted import number_of
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped, Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.explicit.needed import Needed
from wolverine.repair.menus.calling import writes
from wolverine.repair.source.flow import behind
from wolverine.semantics.allocation import FREEING

_PLAIN = ("before", "after", "block", "wrap-before")
KEEPING = 2  # edits: what keeps the value, and what takes it from there


def kept_early(bench: Bench, work: Work, most: int, *, own_control: bool = False) -> list[Space]:
    """The repairs of this kind, as far as `most` of the work finds them; the bench's menus have spares."""
    found: list[Space] = []
    explorer = bench.explorer(work, own_control=own_control)
    needed = Needed(() if own_control else bench.segments)
    try:
        with work.at_most(most):
            for masks in _choices(bench, needed):
                found += explorer.search(0, decided={**bench.decided, **masks})
    except Stopped as stop:
        found += explorer.found
        if not found and not stop.of_stage:
            raise
    return found


def kept_elsewhere(
    bench: Bench, work: Work, found: Sequence[Space], *, own_control: bool = False
) -> list[Space]:
    """Repairs that take the value of one of these from a variable in which the source keeps it: one edit."""
    program = bench.problem.program
    explorer = bench.explorer(work, own_control=own_control)
    taken: list[Space] = []
    for location in dict.fromkeys(each for space in found for each in space.masks):
        where = program.location(location)
        function = program.functions[where.function]
        index = bench.menus.indices(where.function)[location]
        step = function.code[index]
        if not isinstance(step, Assign):
            continue
        mask = 0
        for other in kept_in(function.code, index, step):
            mask |= _taking(bench, location, step, _as_passed(step.value, Load(other)))
        if mask:
            taken += explorer.search(0, decided={**bench.decided, location: mask})
    return taken


def kept_in(code: Sequence[Instruction], index: int, step: Assign) -> Iterator[VariableReference]:
    """The variables to which the same value is assigned on every way to an assignment."""
    for at, other in enumerate(code):
        match other:
            case Assign(_, VariableReference() as variable, value) if value == unconverted(step.value):
                named = not variable.name.startswith("$")
                if named and variable != step.target and _always_before(code, at, index):
                    yield variable


def _always_before(code: Sequence[Instruction], at: int, index: int) -> bool:
    """Whether every way to an instruction leads through another one, each time."""
    barred = (at,)
    begun = not at or index not in behind(code, 0, barred=barred)
    return begun and index not in behind(code, index, barred=barred)


def _as_passed(value: Expression, other: Load) -> Expression:
    """The other one in the place of a value, converted as that is: as the argument of `free` it is."""
    return replace(value, operand=other) if isinstance(value, Cast) and not value.written else other


def _taking(bench: Bench, location: int, step: Assign, value: Expression) -> int:
    """The choice that the assignment takes another value."""
    return _choice(bench, location, NewAssignment(step.target, value)) or _choice(
        bench, location, NewValue(value)
    )


def _choices(bench: Bench, needed: Needed) -> Iterator[Mapping[int, int]]:
    program = bench.problem.program
    for name in sorted(bench.editable):
        function, places = program.functions[name], bench.editable[name]
        for index, gap in keepable(program, function):
            if index not in places or gap not in places:
                continue
            location, before = places[index], places[gap]
            step = function.code[index]
            free = location not in bench.decided and before not in bench.decided
            if not free or not needed.possible(frozenset((location, before, *bench.decided)), 0):
                continue
            assert isinstance(step, Assign)
            value = unconverted(step.value)
            spare = next(each for each in function.spares if each.type == value.type)
            keeping = _choice(bench, before, NewAssignment(spare, value))
            taking = _taking(bench, location, step, _as_passed(step.value, Load(spare))) if keeping else 0
            if taking:
                yield {before: keeping, location: taking}


def _choice(bench: Bench, location: int, replacement: Replacement) -> int:
    """The choice as a mask; 0 where it is not offered."""
    menu = bench.menus.menu(location)
    number = number_of(menu, replacement) if menu is not None else None
    return 0 if number is None else 1 << number


def keepable(program: Program, function: Function) -> Iterator[tuple[int, int]]:
    """The assignments of a link that may be spoilt before, each with the gaps in which it could be kept.

    Every way to the assignment leads through the gap.  Of gaps between which nothing can spoil the value,
    only the last is told.
    """
    code = function.code
    types = {spare.type for spare in function.spares}
    for index, step in enumerate(code):
        if not isinstance(step, Assign) or step.location < 0:
            continue
        value = unconverted(step.value)
        if value.type not in types or not isinstance(value, Load):
            continue
        if isinstance(value.place, VariableReference):
            continue  # a variable that is set anew was rather meant to be
        if any(name.startswith("$") for name in variables(value)):
            continue
        others = ((at, other) for at, other in enumerate(code) if at != index)
        spoiling = {at for at, other in others if _spoils(program, other, value)}
        between = 0
        for gap, reached in _gaps_before(program, code, index) if spoiling else ():
            if len(spoiling & reached) > between:
                between = len(spoiling & reached)
                yield index, gap


def _gaps_before(program: Program, code: Sequence[Instruction], index: int) -> list[tuple[int, set[int]]]:
    """The gaps through which every way leads to an instruction, nearest first, with what lies between."""
    found = []
    for at, step in enumerate(code):
        if type(step) is not Gap or program.location(step.location).gap not in _PLAIN:
            continue
        if _always_before(code, at, index):
            found.append((at, behind(code, at, index, barred=(at,))))
    return sorted(found, key=lambda entry: (len(entry[1]), -entry[0]))


def _spoils(program: Program, step: Instruction, value: Load) -> bool:
    """Whether an instruction may change the value of the place that is read, or free what it lies in."""
    match step:
        case Assign(_, VariableReference() as variable):
            return variable.name in variables(value)
        case Assign(_, Member(base, _, offset)):
            return any(
                isinstance(each, Member) and (each.base.type, each.offset) == (base.type, offset)
                for each in _places(value)
            )
        case Assign(_, target):
            aliased = (each for each in _places(value) if isinstance(each, Dereference | Element))
            return any(each.type == target.type for each in aliased)
        case Call(_, called):
            within = reachable(program, {called})
            return called in FREEING or writes(program, within)
    return False


def _places(value: Expression) -> Iterator[LValue]:
    """The places that are read."""
    for each in parts(value):
        if isinstance(each, Load):
            place = each.place
            while True:
                yield place
                if not isinstance(place, Member | Element):
                    break
                place = place.base
