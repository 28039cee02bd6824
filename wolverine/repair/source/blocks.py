"""Which statements of a block could stand in which of its gaps."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from wolverine.core.expressions import Constant, Expression, Load, VariableReference, variables
from wolverine.core.parts import without_casts
from wolverine.core.patch import NewAssignment, NewCall, NewNode
from wolverine.core.program import (
    Assign,
    Before,
    Branch,
    Call,
    Function,
    Gap,
    Instruction,
    Jump,
    Program,
    Return,
    successors,
)
from wolverine.repair.source.flow import loops_around
from wolverine.semantics.allocation import FRESH

_FURTHEST = 3  # statements that one is moved across
_OUTWARDS = 2  # loops and `if`s that one is moved out of


def statement(function: Function, index: int) -> NewAssignment | NewCall | None:
    """The statement at an instruction as an insertion; None where it is more than that."""
    match function.code[index]:
        case Assign(_, target, value):
            temporary = any(n.startswith("$") for n in variables(target) | variables(value))
            return None if temporary else NewAssignment(target, value)
        case Call(_, "free", (Load(VariableReference() as passed),)):
            before = function.code[index - 1]
            if isinstance(before, Assign) and before.target == passed:
                return NewCall("free", (without_casts(before.value),))
    return None


def plain_call(function: Function, index: int) -> NewCall | None:
    """The call at an instruction as an insertion; None where it is more."""
    step = function.code[index]
    return _call(function, index, step) if isinstance(step, Call) and step.result is None else None


def stored_call(function: Function, index: int) -> NewCall | None:
    """The assignment of what a call returns as an insertion; None where it is more."""
    code, before = function.code, index - 1
    while before > 0 and isinstance(code[before], Gap):
        before -= 1
    match code[index], code[before]:
        case Assign(_, target, value), Call(_, _, _, VariableReference() as result) as step:
            made = _call(function, before, step)
            temporary = any(n.startswith("$") for n in variables(target))
            if made is not None and value == Load(result) and not temporary:
                return replace(made, target=target)
    return None


def _call(function: Function, index: int, step: Call) -> NewCall | None:
    """The call, with what its arguments are filled with; None where these have no text of their own."""
    if step.function.startswith("$"):
        return None
    filling = function.code[max(index - len(step.arguments), 0) : index]
    passed: dict[Expression, Expression] = {
        Load(each.target): each.value for each in filling if isinstance(each, Assign)
    }  # as they are evaluated, which need not be from left to right
    plain = not any(n.startswith("$") for value in passed.values() for n in variables(value))
    if plain and passed.keys() == set(step.arguments):
        return NewCall(step.function, tuple(passed[each] for each in step.arguments))
    return None


def new_node(function: Function, index: int) -> tuple[NewNode, int] | None:
    """The new node to which the assignment at an instruction leads a place, and the location of the call.

    None where it does not, or the bytes of the node are not known.
    """
    at, step = index - 1, function.code[index]
    while at > 0 and isinstance(function.code[at], Gap):
        at -= 1
    match step, function.code[at]:
        case Assign(_, target, value), Call(location, called, given, VariableReference() as result) if (
            called in FRESH and location >= 0 and without_casts(value) == Load(result)
        ):
            filling = function.code[max(at - len(given), 0) : at]
            sizes: dict[Expression, int] = {
                Load(each.target): each.value.value
                for each in filling
                if isinstance(each, Assign) and isinstance(each.value, Constant)
            }
            known = [sizes[each] for each in given if each in sizes]
            if len(known) == len(given) and not any(n.startswith("$") for n in variables(target)):
                return NewNode(target, prod(known), called == "calloc"), location
    return None


def gaps(program: Program, function: Function, index: int, places: Mapping[int, int]) -> Iterator[int]:
    """The gaps of the same block behind and before the statement, nearest first, with others between.

    Behind it these may be whole `if`s and loops.

    `places` are the instructions that may change, with their locations.

    Before its neighbour a statement is put only where the neighbour cannot be put behind it: that is the
    same text.
    """
    code, units = function.code, function.unit_of
    labels = led_to(code)
    for way in (1, -1):
        crossed, unit, put = 0, units[index], 0
        movable = False
        at = index
        while 0 <= at + way < len(code):
            behind = compound(code, at + 1, labels) if way > 0 else None
            if behind is not None:
                at, crossed, unit, movable = behind, crossed + 1, units[behind], False
                if crossed > _FURTHEST:
                    break
            elif (at + way if way > 0 else at) in labels or isinstance(
                code[at + way], (Before, Branch, Jump, Return)
            ):
                break
            else:
                at += way
            if units[at] >= 0 and units[at] != unit:
                crossed, unit, movable = crossed + 1, units[at], False
                if crossed > _FURTHEST:
                    break
            location = program.location(code[at].location) if code[at].location >= 0 else None
            if location is None:
                continue
            if location.kind in ("assignment", "call") and crossed == 1:
                movable = movable or statement(function, at) is not None
            if (
                location.kind == "gap"
                and location.gap not in ("result", "test")
                and crossed > put
                and at in places
            ):
                put = crossed
                if way > 0 or crossed > 1 or not movable:
                    yield location.id


def led_to(code: Sequence[Instruction]) -> set[int]:
    """The instructions to which branches and jumps lead."""
    leaping = ((at, step) for at, step in enumerate(code) if isinstance(step, (Branch, Jump)))
    return {target for at, step in leaping for target in successors(step, at)}


def gaps_around(function: Function, index: int, places: Mapping[int, int]) -> Iterator[int]:
    """The gaps behind and in front of the loop or `if` in which a statement is, then of the one around that.

    `places` are the instructions that may change, with their locations.
    """
    code = function.code
    around = ((each.start, each.stop) for each in loops_around(code, index))
    enclosing = sorted({*around, *arms_around(code, index)}, reverse=True)
    for first, behind in enclosing[:_OUTWARDS]:
        before = next((at for at in range(first - 1, -1, -1) if isinstance(code[at], Gap)), -1)
        for at in (behind, before):
            if at in places and isinstance(code[at], Gap):
                yield places[at]


def gaps_in_arms(
    program: Program, function: Function, index: int, places: Mapping[int, int]
) -> Iterator[int]:
    """Where the arms begin of the `if` right behind a statement, and end of the one right in front of it.

    An `else` that is not written is none: who passes a statement over in one case writes a jump as well.
    `places` are the instructions that may change, with their locations.
    """
    code = function.code
    for at, step in enumerate(code):
        if not isinstance(step, Branch) or step.location < 0 or program.location(step.location).loop:
            continue
        arms = _arms(code, at, step)
        last = max((arm.stop for arm in arms), default=at)
        in_front = index < at and all(isinstance(each, Gap) for each in code[index + 1 : at])
        behind = last <= index and all(isinstance(each, Gap) for each in code[last:index])
        for arm in arms if in_front or behind else ():
            inside = [n for n in arm if n in places and program.location(places[n]).kind == "gap"]
            inside = [n for n in inside if program.location(places[n]).gap != "else"]
            yield from (places[n] for n in (inside[:1] if in_front else inside[-1:]))


def _arms(code: Sequence[Instruction], at: int, step: Branch) -> list[range]:
    """The instructions of the arms of the `if` whose condition is at an instruction."""
    if not at < step.if_true < step.if_false:
        return []
    last = next(n for n in range(step.if_false - 1, at - 1, -1) if not isinstance(code[n], Gap))
    match code[last]:
        case Jump(-1, join) if join > step.if_false:
            return [range(step.if_true, last), range(step.if_false, join)]
    return [range(step.if_true, step.if_false)]


def arms_around(code: Sequence[Instruction], index: int) -> Iterator[tuple[int, int]]:
    """The conditions of the `if`s around an instruction, and what stands behind these."""
    for at, step in enumerate(code[:index]):
        if not isinstance(step, Branch) or step.if_true <= at:
            continue
        if step.if_true <= index < step.if_false:
            last = code[step.if_false - 1]
            yield at, last.target if isinstance(last, Jump) and last.target > index else step.if_false
        elif _in_else(code, step, index):
            before = next(each for each in reversed(code[: step.if_false]) if not isinstance(each, Gap))
            yield at, before.target if isinstance(before, Jump) else step.if_false


def _goes_round(step: Instruction, at: int, first: int) -> bool:
    """Whether it leads back into the loop whose body stands behind the jump at `first`."""
    return isinstance(step, Branch) and first + 1 in successors(step, at)


def compound(code: Sequence[Instruction], first: int, labels: Collection[int]) -> int | None:
    """The instruction behind the `if` or loop that begins at `first`; None where none does, or it leaves."""
    if not isinstance(code[first], (Before, Branch, Jump)) and first not in labels:
        return None
    furthest, at = first + 1, first
    while at < furthest or _goes_round(code[at], at, first):
        following = successors(code[at], at)
        if min(following, default=-1) < first:
            return None
        furthest = max(furthest, *following)
        at += 1
    if furthest == first + 1 or isinstance(code[furthest], Return):
        return None
    within = range(first + 1, furthest)
    from_before = any(
        each in within
        for index in range(first)
        if isinstance(code[index], (Branch, Jump))
        for each in successors(code[index], index)
    )
    return None if from_before else furthest


def neighbours(
    program: Program, name: str, places: Mapping[int, int]
) -> dict[int, list[NewAssignment | NewCall | NewNode]]:
    """The statements of a block that could stand in its gaps instead, by gap; `places` as for `gaps`."""
    found: dict[int, list[NewAssignment | NewCall | NewNode]] = {}
    function = program.functions[name]
    for index, location in places.items():
        moving = program.location(location).kind in ("assignment", "call")
        made: NewAssignment | NewCall | NewNode | None = statement(function, index) if moving else None
        if made is None and moving and (node := new_node(function, index)) is not None:
            made, _ = node
        if made is not None:
            near = (
                *gaps(program, function, index, places),
                *gaps_in_arms(program, function, index, places),
            )
            for gap in near:
                found.setdefault(gap, []).append(made)
    return found


def ends_an_arm(program: Program, location: int, index: int) -> bool:
    """Whether the gap at an instruction is the end of an `if` or `else`, or all of it; more is behind it."""
    where = program.location(location)
    code = program.functions[where.function].code
    solid = next((step for step in code[index + 1 :] if not isinstance(step, Gap)), None)
    if where.gap not in ("after", "block") or solid is None or isinstance(solid, Return):
        return False
    inner = None
    for step in code[:index]:
        if isinstance(step, Branch) and (
            step.if_true <= index < step.if_false or _in_else(code, step, index)
        ):
            inner = step
    return inner is not None and not program.location(inner.location).loop


def _in_else(code: Sequence[Instruction], step: Branch, index: int) -> bool:
    """Whether an instruction is in the `else` of an `if`: what leads past it stands in front."""
    if step.if_false > index:
        return False
    before = next((each for each in reversed(code[: step.if_false]) if not isinstance(each, Gap)), None)
    return isinstance(before, Jump) and index < before.target
