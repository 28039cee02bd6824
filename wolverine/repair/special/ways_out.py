"""Ways out of a loop without an end, as the program has them elsewhere: it has come round, or marks nodes.

A walk round a ring that ends at null was to end where it began, if the program walks in rings elsewhere.
A loop that asks for a mark (`if (!w->visited)`) and never sets it comes to the same nodes again and again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import Binary, Constant, Expression, Load, Member, Unary
from wolverine.core.parts import conjuncts, without_casts
from wolverine.core.patch import Edit, NewAssignment, NewValue
from wolverine.core.program import Assign, Branch, Call, Function, Gap, Instruction, Jump, Program, reachable
from wolverine.core.trace import Trace
from wolverine.core.types import IntType
from wolverine.repair.heaps.opened import knows_rings
from wolverine.repair.source.flow import loops_around
from wolverine.repair.source.forgotten import field_of_struct
from wolverine.repair.source.ringed import back_at_start

_OPPOSITE = {"==": "!=", "!=": "=="}


def ways_out(program: Program, trace: Trace) -> Iterator[Edit]:
    """The edits that are such a way out; none where it is no mere loop without an end."""
    if trace.crash is None or not trace.endless or not trace.bare:
        return
    _, name, instruction, _ = trace.crash.position
    function = program.functions[name]
    loop = next(loops_around(function.code, instruction), range(0))
    rings = knows_rings(program, trace)
    for at in loop:
        step = function.code[at]
        if not isinstance(step, Branch) or step.location < 0:
            continue
        if not program.location(step.location).loop:
            yield from _marks(program, function, loop, at)
        elif rings and (condition := back_at_start(function.code, at)) is not None:
            yield Edit(step.location, NewValue(condition))


def _marks(program: Program, function: Function, loop: range, at: int) -> Iterator[Edit]:
    """What marks the node first of all where a test in a loop asks whether it has no mark.

    The mark is one that nothing in the loop sets: as the function sets it in front of the loop, or 1 if
    nothing ever does.  What other functions set may be no mark, but what nodes are.
    """
    step, code = function.code[at], function.code
    assert isinstance(step, Branch)
    inside = [code[each] for each in loop]
    called = reachable(program, {s.function for s in inside if isinstance(s, Call)} & set(program.functions))
    inside += [each for other in called for each in program.functions[other].code]
    all_steps = [each for other in program.functions.values() for each in other.code]
    for test, entered in _entering(code, step):
        match test:
            case Binary(sign, Load(Member(type=IntType()) as mark), Constant(value)):
                pass
            case _:
                continue
        if _values(inside, mark):
            continue
        gap = code[entered]
        if not isinstance(gap, Gap) or gap.location < 0:
            continue
        set_to = [v for v in _values(code, mark) if isinstance(v, Constant)]
        if all(v == Constant(0, v.type) for v in _values(all_steps, mark)):
            set_to = [Constant(1, mark.type)]
        for other in set_to:
            if (other.value == value) is (sign == "!="):
                yield Edit(gap.location, NewAssignment(mark, other))


def _values(steps: Sequence[Instruction], mark: Member) -> list[Expression]:
    """What steps set the field of any node to, each once."""
    field = field_of_struct(mark)
    given = (s for s in steps if isinstance(s, Assign) and field_of_struct(s.target) == field)
    return list(dict.fromkeys(without_casts(each.value) for each in given))


def _entering(code: Sequence[Instruction], step: Branch) -> Iterator[tuple[Expression, int]]:
    """What holds where a test leads, as a comparison with a number, and where that begins.

    A test that only leads on to the next round (`if (w->visited) continue;`) is for what stands behind it.
    """
    passed = next((s for s in code[step.if_true : step.if_false] if not isinstance(s, Gap)), None)
    skips = isinstance(passed, Jump) and passed.target != step.if_false
    if skips:
        if (test := _compared(step.condition)) is not None and isinstance(test, Binary):
            yield Binary(_OPPOSITE[test.operator], test.left, test.right, test.type), step.if_false
        return
    for each in conjuncts(step.condition):
        if (test := _compared(each)) is not None:
            yield test, step.if_true


def _compared(condition: Expression) -> Binary | None:
    """The comparison of a field with a number that a condition is: `!w->seen` is `w->seen == 0`."""
    match condition:
        case Binary("==" | "!=" as sign, left, right):
            left, right = without_casts(left), without_casts(right)
            return Binary(sign, left, right, condition.type) if isinstance(right, Constant) else None
        case Unary("!", inner):
            opposite = _compared(inner)
            if opposite is None:
                return None
            return Binary(_OPPOSITE[opposite.operator], opposite.left, opposite.right, condition.type)
    plain = without_casts(condition)
    if isinstance(plain, Load) and isinstance(plain.type, IntType):
        return Binary("!=", plain, Constant(0, plain.type), plain.type)
    return None
