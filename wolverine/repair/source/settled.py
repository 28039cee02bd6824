"""What is sure where an instruction stands: how tests on every way there came out, with nothing set since.

Inside `while (a && b)` neither is null up to where one of them is set; nobody asks for that there again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Constant,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    Unary,
    VariableReference,
    lvalue_text,
    text,
    variables,
)
from wolverine.core.parts import MIRRORED, null_test, parts, step_parts, without_casts
from wolverine.core.program import Assign, Branch, Call, Concrete, Declare, Instruction, Library
from wolverine.core.types import IntType
from wolverine.repair.source.flow import forward

HOLDS: dict[str, Callable[[int, int], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne}
_SIGNS = (-1, 0, 1)


@dataclass(frozen=True, slots=True)
class Compared:
    """Two values, as text, and the signs that their difference may have; the second one may be a number."""

    left: str
    right: str | int
    operator: str
    holds: bool = True

    def allows(self, difference: int) -> bool:
        """Whether the difference may be that, or have that sign."""
        return HOLDS[self.operator](difference, 0) == self.holds


class Settled:
    """What is sure in one function, looked for once at each instruction."""

    def __init__(self, code: Sequence[Instruction], leading: Mapping[int, Sequence[int]]) -> None:
        """`leading` are the instructions that lead to each (`flow.predecessors`)."""
        self._code, self._leading = code, leading
        self._known: dict[int, tuple[Compared, ...]] = {}
        places = (part.place for step in code for part in step_parts(step) if isinstance(part, AddressOf))
        self._shared = frozenset(name for place in places if (name := _variable(place)))

    def outcome(self, index: int, condition: Expression) -> bool | None:
        """How a condition comes out whenever the instruction is come to; None where that is not sure."""
        return _outcome(condition, self.sure(index))

    def asked(self, index: int, condition: Expression) -> Iterator[str]:
        """What is asked in a condition, as text, whose answer is sure."""
        known = self.sure(index)
        return (text(each) for each in _single(condition) if _outcome(each, known) is not None)

    def sure(self, index: int) -> tuple[Compared, ...]:
        """The comparisons that are sure there."""
        if index not in self._known:
            self._known[index] = tuple(self._sure(index))
        return self._known[index]

    def _sure(self, index: int) -> Iterator[Compared]:
        before = self._before(index, -1)
        for at in before:
            step = self._code[at]
            if at == index or not isinstance(step, Branch) or step.if_true == step.if_false:
                continue
            if at and index in forward(self._code, 0, stop=at):
                continue  # there is a way round it
            held = forward(self._code, step.if_true, stop=at)
            failed = forward(self._code, step.if_false, stop=at)
            if (index in held) == (index in failed):
                continue
            between = (held if index in held else failed) & self._before(index, at)
            steps = [self._code[each] for each in between]
            for test, holds in _literals(step.condition, index in held):
                if (known := _compared(test)) is not None and not self._changed(test, steps):
                    yield Compared(*known, holds)

    def _before(self, index: int, barred: int) -> set[int]:
        """The instructions from which `index` is come to without executing `barred`."""
        seen: set[int] = set()
        work = [index]
        while work:
            for each in self._leading.get(work.pop(), ()):
                if each not in seen and each != barred:
                    seen.add(each)
                    work.append(each)
        return seen

    def _changed(self, test: Expression, steps: Iterable[Instruction]) -> bool:
        """Whether one of the steps may change what is tested."""
        places = [part.place for part in parts(test) if isinstance(part, Load)]
        names = variables(test)
        own = all(
            isinstance(place, VariableReference)
            and place.level != "global"
            and place.name not in self._shared
            for place in places
        )
        for step in steps:
            match step:
                case Assign(_, target) if any(may_set(target, place) for place in places):
                    return True
                case Assign(_, target) if not own and not isinstance(target, VariableReference):
                    shared = any(isinstance(each, VariableReference) for each in places)
                    if shared and any(each.type == target.type for each in places):
                        return True
                case Declare(_, variable) if variable.name in names:
                    return True
                case Call() | Library() | Concrete():
                    given = step.results if isinstance(step, Concrete) else (step.result,)
                    if not own or any(each is not None and each.name in names for each in given):
                        return True
        return False


def may_set(target: LValue, place: LValue | None) -> bool:
    """Whether an assignment to a place may change what stands in the other, or where that is."""
    if place is None:
        return False
    if isinstance(target, VariableReference):
        return target.name in variables(Load(place))
    inside = (part.place for part in parts(Load(place)) if isinstance(part, Load))
    return any(each.type == target.type and not isinstance(each, VariableReference) for each in inside)


def _variable(place: LValue) -> str:
    """The variable of which a place is a part ("": of none)."""
    while isinstance(place, Member | Element):
        place = place.base
    return place.name if isinstance(place, VariableReference) else ""


def _literals(condition: Expression, holds: bool) -> Iterator[tuple[Expression, bool]]:
    """The tests of which each has surely come out so where a condition has."""
    match condition:
        case Unary("!", operand):
            yield from _literals(operand, not holds)
        case Logical(operator, left, right):
            if holds == (operator == "&&"):
                yield from _literals(left, holds)
                yield from _literals(right, holds)
        case _:
            yield condition, holds


def _single(condition: Expression) -> Iterator[Expression]:
    match condition:
        case Unary("!", operand):
            yield from _single(operand)
        case Logical(_, left, right):
            yield from _single(left)
            yield from _single(right)
        case _:
            yield condition


def _outcome(condition: Expression, known: Sequence[Compared]) -> bool | None:
    match condition:
        case Unary("!", operand):
            inner = _outcome(operand, known)
            return None if inner is None else not inner
        case Logical(operator, left, right):
            decisive = operator == "||"
            answers = _outcome(left, known), _outcome(right, known)
            if decisive in answers:
                return decisive
            return None if None in answers else not decisive
    asked = _compared(condition)
    return None if asked is None else _compares(Compared(*asked), known)


def _compares(asked: Compared, known: Sequence[Compared]) -> bool | None:
    """How a comparison comes out, by those that are known."""
    possible: Iterable[int] = _SIGNS
    if asked.left == asked.right:
        possible = (0,)
    elif isinstance(asked.right, int):
        same = [each for each in known if each.left == asked.left and isinstance(each.right, int)]
        edges = {each.right for each in (asked, *same) if isinstance(each.right, int)}
        near = {edge + step for edge in edges for step in _SIGNS}
        right = asked.right
        possible = [
            at - right
            for at in sorted(near)
            if all(isinstance(each.right, int) and each.allows(at - each.right) for each in same)
        ]
    else:
        for each in known:
            if (each.left, each.right) == (asked.left, asked.right):
                possible = [sign for sign in possible if each.allows(sign)]
            elif (each.right, each.left) == (asked.left, asked.right):
                possible = [sign for sign in possible if each.allows(-sign)]
    answers = {asked.allows(difference) for difference in possible}
    return answers.pop() if len(answers) == 1 else None


def _compared(condition: Expression) -> tuple[str, str | int, str] | None:
    """What is compared with what and how; `p` and `p != NULL` are the same, and so are `n` and `n != 0`."""
    if (tested := null_test(condition)) is not None:
        place, way = tested
        return lvalue_text(place), 0, way
    match condition:
        case Binary(operator, left, right) if operator in HOLDS:
            match without_casts(left), without_casts(right):
                case one, Constant(int() as number):
                    return text(one), number, operator
                case Constant(int() as number), other:
                    return text(other), number, MIRRORED.get(operator, operator)
                case one, other:
                    return text(one), text(other), operator
        case Load(place) if isinstance(place.type, IntType):
            return lvalue_text(place), 0, "!="
    return None
