"""Tests for null that say the opposite of what the code believes.

Where a test lets only null through to what goes through the pointer (`if (p != NULL) return; p->n = q;`,
`p != NULL || p->n == q`), and nothing on its other side does, the test is the wrong way round: the code
contradicts itself (Engler et al., "Bugs as deviant behavior", SOSP 2001, section 3.1).  So it does where it
sets the pointer anew only where it leads somewhere: `if (t->root != NULL) t->root = make(); t->root->n++;`.

Of a new test the code says as much where null is gone through behind it all the same: in the next round of a
loop that should have been left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from wolverine.core.expressions import (
    AddressOf,
    Constant,
    Expression,
    Load,
    Logical,
    LValue,
    VariableReference,
    text,
)
from wolverine.core.parts import negated, null_test, null_tests, parts, without_casts
from wolverine.core.patch import NewJump
from wolverine.core.program import Assign, Branch, Gap, Instruction, Program, successors
from wolverine.core.trace import Trace
from wolverine.core.types import PointerType
from wolverine.repair.ranking.origins import Origins
from wolverine.repair.source.flow import behind, forward
from wolverine.repair.source.walk import expressions_of, goes_through


def contradicted(program: Program, trace: Trace, origins: Origins) -> Mapping[int, frozenset[str]]:
    """By location of a condition: what it would be with such a test turned round, as text.

    It is about the pointer by which the execution crashes, or about one from which that was copied.
    """
    if trace.crash is None or not trace.bare:
        return {}
    _, function, crashed, _ = trace.crash.position
    own = takewhile(lambda each: each[0] == function, origins.places)
    places = list(dict.fromkeys(place for _, place in own if isinstance(place.type, PointerType)))
    code = program.functions[function].code
    found: dict[int, frozenset[str]] = {}
    for index, step in enumerate(code):
        if isinstance(step, Branch) and step.location >= 0:
            turned = {
                text(each)
                for place in places[:1]
                for each in _inside(step.condition, place)
                if not _lets_through(code, index, step, each, place)
            }
            for place in places:
                inverted = _inverted(code, index, step, crashed, place, places)
                if inverted or _replaced(code, index, step, crashed, place):
                    turned |= {text(each) for each in _turned(step.condition, place)}
            if turned:
                found[step.location] = frozenset(turned)
    return found


def only_asked(code: Sequence[Instruction], index: int, step: Branch, condition: Expression) -> bool:
    """Whether another condition of the branch is the first to test a pointer for null, and in vain.

    Null is gone through all the same behind it, with no other test on the way: in the next round of a loop.
    """
    asked = dict.fromkeys(place for place in null_tests(condition) if isinstance(place.type, PointerType))
    known = {*null_tests(step.condition)}
    return any(_lets_through(code, index, step, condition, place) for place in asked if place not in known)


def leaves_with_null(
    code: Sequence[Instruction], index: int, condition: Expression, leaving: NewJump, crashed: int
) -> bool:
    """Whether a loop is left from a gap where a pointer is null by which the condition of a branch crashed.

    A test in that condition alone would do no more than put it off (`only_asked`).
    """
    gap, step = code[index], code[crashed]
    place, kind = null_test(condition) or (None, "")
    if place is None or kind != "==" or leaving.keyword != "break":
        return False
    if not isinstance(gap, Gap) or not isinstance(step, Branch) or not _goes_through(_read(step), place):
        return False
    tests = _testing(code, place)
    outside = _unset(code, gap.leaves, index, place, tests)
    return (
        crashed in _unset(code, index, -1, place, tests)
        and any(
            _goes_through(_read(code[at]), place) for at in _unset(code, step.if_false, crashed, place, tests)
        )
        and not any(_goes_through(_read(code[at]), place) for at in outside)
    )


def looked_at_first(condition: Expression) -> int:
    """How many pointers are tested for null in front of where they are gone through: `p != NULL && p->x`."""
    match condition:
        case Logical(operator, left, right):
            kind = "!=" if operator == "&&" else "=="
            tests = (
                part.place
                for part in parts(left)
                if isinstance(part, Load) and isinstance(part.type, PointerType)
            )
            tested = [place for place in dict.fromkeys(tests) if any(_turned(left, place, operator, (kind,)))]
            inside = looked_at_first(left) + looked_at_first(right)
            return inside + sum(_goes_through([right], place) for place in tested)
    return 0


def _inside(condition: Expression, place: LValue) -> Iterator[Expression]:
    """The condition with the test turned round that lets a null pointer through to what comes behind it.

    Or it is joined the other way: `p != NULL && p->n == q` for `p != NULL || p->n == q`.
    """
    match condition:
        case Logical(operator, left, right):
            lets_through = "==" if operator == "&&" else "!="
            if _goes_through([right], place):
                for each in _turned(left, place, operator, (lets_through,)):
                    yield replace(condition, left=each)
                if _null_test(left, place) == lets_through:
                    yield replace(condition, operator="||" if operator == "&&" else "&&")
            for each in _inside(left, place):
                yield replace(condition, left=each)
            for each in _inside(right, place):
                yield replace(condition, right=each)


def _lets_through(
    code: Sequence[Instruction], index: int, step: Branch, condition: Expression, place: LValue
) -> bool:
    """Whether under that condition a null pointer leads to what goes through it."""
    sense = _leading(condition, place)
    if sense is None:
        return False
    reached = _unset(code, step.if_true if sense else step.if_false, index, place, _testing(code, place))
    return any(_goes_through(_read(code[at]), place) for at in reached)


def _testing(code: Sequence[Instruction], place: LValue) -> set[int]:
    """The branches whose conditions are sure to have one value where the pointer is null."""
    return {
        at
        for at, each in enumerate(code)
        if isinstance(each, Branch) and _leading(each.condition, place) is not None
    }


def _turned(
    condition: Expression, place: LValue, join: str | None = None, kinds: tuple[str, ...] = ("==", "!=")
) -> Iterator[Expression]:
    """The condition with one test of the pointer for null turned round, of those that are joined so."""
    if _null_test(condition, place) in kinds:
        yield negated(condition)
    elif isinstance(condition, Logical) and join in (None, condition.operator):
        for each in _turned(condition.left, place, join, kinds):
            yield replace(condition, left=each)
        for each in _turned(condition.right, place, join, kinds):
            yield replace(condition, right=each)


def _null_test(condition: Expression, place: LValue) -> str:
    """`==` or `!=` for a test of the pointer for null, "" for anything else."""
    tested, operator = null_test(condition) or (None, "")
    return operator if tested == place else ""


def _inverted(
    code: Sequence[Instruction],
    index: int,
    step: Branch,
    crashed: int,
    place: LValue,
    copies: Sequence[LValue],
) -> bool:
    """Whether only null leads from a branch to the crash, and the other side goes through no such pointer."""
    sense = _leading(step.condition, place)
    if sense is None:
        return False
    null, other = (step.if_true, step.if_false) if sense else (step.if_false, step.if_true)
    of_null, of_others = forward(code, null, index), forward(code, other, index)
    if crashed not in of_null - of_others or any(_sets(code[i], place) for i in of_null if i < crashed):
        return False
    return not _steps_to(code, of_others - of_null, place) and not any(
        _goes_through(_read(code[i]), each)
        for each in copies
        for i in _unset(code, other, index, each) - of_null
    )


def _steps_to(code: Sequence[Instruction], among: Collection[int], place: LValue) -> bool:
    """Whether one of the instructions lets a variable lead where the pointer does, which is gone through."""
    for at in among:
        match code[at]:
            case Assign(_, VariableReference() as target, value) if without_casts(value) == Load(place):
                reached = _unset(code, at + 1, at, target)
                if any(_goes_through(_read(code[each]), target) for each in reached):
                    return True
    return False


def _replaced(code: Sequence[Instruction], index: int, step: Branch, crashed: int, place: LValue) -> bool:
    """Whether null leads from a branch to the crash, and another pointer is set anew there, as nothing reads.

    It is lost then, and what was to be made where there is nothing is not.
    """
    sense = _leading(step.condition, place)
    if sense is None:
        return False
    null, other = (step.if_true, step.if_false) if sense else (step.if_false, step.if_true)
    if crashed not in _unset(code, null, index, place):
        return False
    before = _unset(code, other, index, place)
    made = [each.value for at in before if isinstance(each := code[at], Assign) and each.target == place]
    others = [each for at in before if not _sets(code[at], place) for each in _read(code[at])]
    wanted = text(Load(place))
    return (
        bool(made)
        and crashed not in before
        and not any(isinstance(without_casts(value), Constant) for value in made)
        and not any(text(part) == wanted for each in (*made, *others) for part in parts(each))
    )


def _unset(
    code: Sequence[Instruction], start: int, stop: int, place: LValue, barred: Collection[int] = ()
) -> set[int]:
    """The instructions that can be executed from `start` on until the place is set anew, and what sets it.

    The way ends at those that are `barred`.
    """
    setting = {i for i, step in enumerate(code) if _sets(step, place)}
    if start in setting:
        return {start}
    if start in barred:
        return set()
    reached = {start} | behind(code, start, stop, barred=setting.union(barred))
    return reached | {i for i in setting if any(i in successors(code[at], at) for at in reached)}


def _leading(condition: Expression, place: LValue) -> bool | None:
    """The value that the condition is sure to have where the pointer is null; None where it has none."""
    match condition:
        case Logical(operator, left, right):
            decided = operator == "||"
            if decided in (_leading(left, place), _leading(right, place)):
                return decided
            return None
    kind = _null_test(condition, place)
    return kind == "==" if kind else None


def _sets(step: Instruction, place: LValue) -> bool:
    return isinstance(step, Assign) and step.target == place


def _read(step: Instruction) -> list[Expression]:
    return [*expressions_of(step), *([Load(step.target)] if isinstance(step, Assign) else [])]


def _goes_through(expressions: list[Expression], place: LValue) -> bool:
    """Whether one of the expressions reads what the pointer leads to, or takes the address inside."""
    wanted = text(Load(place))
    return any(
        isinstance(part, Load | AddressOf) and goes_through(part.place, wanted)
        for each in expressions
        for part in parts(each)
    )
