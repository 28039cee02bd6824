"""Calls that make room: what counts a number down is called where another function is about to count it up.

`if (used == room) evict(); ... used++`: the number has come to what there is room for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from wolverine.core.expressions import Binary, Constant, Expression, Load, LValue, Member, VariableReference
from wolverine.core.parts import amount_added, unconverted
from wolverine.core.patch import Guarded, NewCall
from wolverine.core.program import Assign, Call, Function, Program
from wolverine.core.types import INT, IntType
from wolverine.repair.menus.allocations import makers
from wolverine.repair.source.forgotten import field_of_struct
from wolverine.semantics.allocation import MAKING

_LIMITS = 6  # numbers that may be the limit
_WAYS = 3  # lists of arguments for one function


def when_full(
    program: Program, function: Function, scope: Sequence[VariableReference], calls: Iterable[NewCall]
) -> Iterator[Guarded]:
    """The likeliest of the calls under the tests that `room_tests` gives for them."""
    taken = Counter[str]()
    tests: dict[str, list[Expression]] = {}
    for call in calls:
        if call.target is not None or taken[call.function] == _WAYS:
            continue
        taken[call.function] += 1
        if call.function not in tests:
            tests[call.function] = [*room_tests(program, function, scope, call.function)]
        yield from (Guarded(test, call) for test in tests[call.function])


def room_tests(
    program: Program, function: Function, scope: Sequence[VariableReference], called: str
) -> Iterator[Expression]:
    """Whether what a function counts up, and the called one down, is as much as another number."""
    down = [place for place, counted in _counted(program.functions[called]) if counted == "-"]
    up = dict.fromkeys(place for place, counted in _counted(function) if counted == "+")
    for place in up:
        if any(_same(place, each) for each in down):
            for limit in _limits(program, scope, place):
                yield from (Binary(op, Load(place), Load(limit), INT) for op in ("==", ">="))


def in_front(program: Program, function: Function, index: int) -> bool:
    """Whether the function makes nodes, and all of them behind an instruction."""
    making = {*MAKING, *(name for found in makers(program).values() for name in found)}
    code = enumerate(function.code)
    made = [at for at, step in code if isinstance(step, Call) and step.function in making]
    return bool(made) and index < min(made)


def _counted(function: Function) -> Iterator[tuple[LValue, str]]:
    """The globals and fields that a function counts by one, and which way."""
    for step in function.code:
        match step:
            case Assign(_, VariableReference(level="global") | Member() as place, value):
                match unconverted(value), amount_added(place, value):
                    case Binary(way), Constant(1):
                        yield place, way


def _same(one: LValue, other: LValue) -> bool:
    field = field_of_struct(one)
    return one == other or (field is not None and field == field_of_struct(other))


def _limits(program: Program, scope: Sequence[VariableReference], place: LValue) -> list[LValue]:
    """The variables beside a counted one, or the fields beside a counted field."""
    if isinstance(place, VariableReference):
        beside: list[LValue] = [v for v in scope if v.level == "global" and v.type == place.type]
    else:
        assert isinstance(place, Member)
        fields = program.types.members(place.base.type)
        beside = [Member(place.base, f.name, f.offset, f.type) for f in fields if f.type == place.type]
    return [each for each in beside if each != place and isinstance(each.type, IntType)][:_LIMITS]
