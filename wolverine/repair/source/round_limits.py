"""Loops that count their rounds, and end by something else: `while (cur != NULL && count < k)`.

Who counts what a loop does has some number in mind to which it counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from wolverine.core.expressions import (
    COMPARISONS,
    ORDERS,
    Binary,
    Constant,
    Dereference,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    VariableReference,
    variables,
)
from wolverine.core.parts import amount_added, parts, unconverted, without_casts
from wolverine.core.program import Assign, Branch, Function, Instruction
from wolverine.core.types import INT, IntType, promoted
from wolverine.repair.source.flow import loops_around
from wolverine.repair.source.invariant import may_change
from wolverine.repair.source.walk import expressions_of

_MOST = 8  # numbers to which one counter may count


def limited(function: Function, branch: int, places: Sequence[LValue]) -> Iterator[Expression]:
    """The condition of the loop of that branch with a limit besides to what the loop counts by ones.

    It is one of the numbers in `places` that no round changes, or one less; of what is counted down also 0
    or 1.  The test comes last, or first where the condition names what is counted, as an index say.
    """
    code, step = function.code, function.code[branch]
    around = next(loops_around(code, branch), range(0))
    if not isinstance(step, Branch):
        return
    condition, spare = step.condition, {each.name for each in function.spares}
    known = [each for each in places if isinstance(each.type, IntType) and not variables(each) & spare]
    for counter, way in _counters(code, around):
        if counter not in known or any(_compares(part, counter) for part in parts(condition)):
            continue
        lasting = (each for each in known if each != counter and _plain(each) and _lasts(code, around, each))
        for limit in islice(lasting, _MOST):
            if limit.type == counter.type:
                yield from _with(condition, counter, _tests(counter, way, Load(limit)))
        if way == "-":
            tests = (Binary(">", Load(counter), Constant(n, counter.type), INT) for n in (0, 1))
            yield from _with(condition, counter, tests)


def limits_rounds(function: Function, branch: int, new: Expression) -> bool:
    """Whether a loop's new condition only asks besides for what the loop counts and nothing else reads.

    Or nothing else reads what it counts to.  One of the two was made for this then.
    """
    code, step = function.code, function.code[branch]
    match step, new:
        case Branch(condition=old), Logical("&&", left, right) if old in (left, right):
            test = right if old == left else left
        case _:
            return False
    match test:
        case Binary(operator, Load(VariableReference() as counter), limit) if operator in ORDERS:
            around = next(loops_around(code, branch), range(0))
            if (counter, "+" if operator in ("<", "<=") else "-") not in _counters(code, around):
                return False
            made = [counter, *(p.place for p in parts(limit) if isinstance(p, Load))]
            return any(
                isinstance(each, VariableReference)
                and each.level != "global"
                and not any(_reads(step, each) for step in code)
                for each in made
            )
    return False


def _counters(code: Sequence[Instruction], around: range) -> list[tuple[VariableReference, str]]:
    """The variables that the rounds of a loop do nothing with but count by one, up (`+`) or down (`-`)."""
    found: dict[VariableReference, set[str]] = {}
    for at in around:
        match code[at]:
            case Assign(_, VariableReference(type=IntType() as ctype) as target, value) if (
                promoted(ctype) == ctype
            ):
                inner = next(loops_around(code, at), range(0)) != around
                ways = found.setdefault(target, set())
                match amount_added(target, value), unconverted(value):
                    case Constant(1), Binary(way) if not inner:
                        ways.add(way)
                    case _:
                        ways.add("=")
    return [(each, way) for each, ways in found.items() for way in "+-" if ways == {way}]


def _tests(counter: LValue, way: str, limit: Expression) -> Iterator[Binary]:
    """The tests by which a loop ends that counts to a limit."""
    for operator in ("<", "<=") if way == "+" else (">", ">="):
        yield Binary(operator, Load(counter), limit, INT)
    if way == "+":
        less = Binary("-", limit, Constant(1, limit.type), limit.type)
        yield Binary("<", Load(counter), less, INT)


def _with(condition: Expression, counter: VariableReference, tests: Iterator[Binary]) -> Iterator[Logical]:
    first = counter.name in variables(condition)
    for test in tests:
        yield Logical("&&", test, condition) if first else Logical("&&", condition, test)


def _compares(part: Expression, counter: VariableReference) -> bool:
    return (
        isinstance(part, Binary)
        and part.operator in COMPARISONS
        and Load(counter) in (without_casts(part.left), without_casts(part.right))
    )


def _plain(place: LValue) -> bool:
    """Whether a place is a variable, or a field of what one leads to."""
    match place:
        case VariableReference() | Member(Dereference(Load(VariableReference()))):
            return True
    return False


def _lasts(code: Sequence[Instruction], around: range, place: LValue) -> bool:
    """Whether a number stays as it is as long as the loop goes round."""
    return not any(may_change(code[at], [place], variables(place)) for at in around)


def _reads(step: Instruction, variable: VariableReference) -> bool:
    """Whether an instruction reads a variable otherwise than to count it."""
    if isinstance(step, Assign) and step.target == variable:
        return amount_added(variable, step.value) is None and variable.name in variables(step.value)
    return any(variable.name in variables(each) for each in expressions_of(step)) or (
        isinstance(step, Assign) and variable.name in variables(step.target)
    )
