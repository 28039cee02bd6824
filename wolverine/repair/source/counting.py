"""Variables and fields that count: which statements do so, and which variables never do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Constant,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    variables,
)
from wolverine.core.parts import amount_added, parts, unconverted, without_casts
from wolverine.core.program import (
    Assign,
    Branch,
    Call,
    Concrete,
    Function,
    Instruction,
    Library,
    Program,
    reachable,
)
from wolverine.core.types import CType, is_number
from wolverine.repair.source.flow import loops_around
from wolverine.repair.source.frees import may_free
from wolverine.repair.source.walk import expressions_of
from wolverine.semantics.counters import moves_nodes

# Functions of the library that change nothing in the program.
_LOOKING = (
    "strcmp",
    "strncmp",
    "memcmp",
    "strlen",
    "strchr",
    "strrchr",
    "strstr",
    "printf",
    "puts",
    "putchar",
)


# of which conditions others may be meant where a number is counted this way
_PASSED_BY = {("==", "<="): "-", ("==", ">="): "+", ("!=", ">"): "-", ("!=", "<"): "+"}


def counted(target: LValue, value: Expression) -> tuple[CType, str] | None:
    """The struct and the field of `x->n = x->n + 1`, or `- 1`; the field or variable may be an array."""
    if not _is_one(amount_added(target, value)):
        return None
    match target:
        case Member(base, name) | Element(Member(base, name)):
            return base.type, name
        case Element(VariableReference(name, level="global") as array):
            return array.type, name
    return None


def counts_down(target: LValue, value: Expression) -> bool:
    """Whether it is `x->n = x->n - 1`."""
    sum_ = unconverted(value)
    return isinstance(sum_, Binary) and sum_.operator == "-" and counted(target, value) is not None


def counts_up(target: LValue, value: Expression) -> bool:
    """Whether it is `n = n + 1`, of a field or a variable."""
    sum_ = unconverted(value)
    return isinstance(sum_, Binary) and sum_.operator == "+" and _is_one(amount_added(target, value))


def outright(program: Program) -> Mapping[str, frozenset[int]]:
    """The global numbers that the program counts by ones, with the numbers to which it sets them besides.

    None of those that it gives another value, or of which it takes the address: they do not only count.
    """
    counted_: set[str] = set()
    others: set[str] = set()
    numbers: dict[str, set[int]] = {}
    for step in (step for function in program.functions.values() for step in function.code):
        held = (part for each in expressions_of(step) for part in parts(each))
        others |= {p.place.name for p in held if isinstance(p, AddressOf) and _is_global(p.place)}
        match step:
            case Assign(_, VariableReference(name) as target, value) if _is_global(target):
                if _is_one(amount_added(target, value)):
                    counted_.add(name)
                elif isinstance(number := without_casts(value), Constant):
                    numbers.setdefault(name, set()).add(int(number.value))
                else:
                    others.add(name)
            case Call(_, _, _, VariableReference(name)) | Library(_, _, _, VariableReference(name)):
                others.add(name)
    return {name: frozenset(numbers.get(name, ())) for name in counted_ - others}


def sets_outright(known: Mapping[str, frozenset[int]], target: LValue, value: Expression) -> bool:
    """Whether what is `known` only to count is set to something that is neither 0 nor one of its numbers.

    Who counts `depth++` wherever a scope is entered counts on with `depth--`: that there is one scope
    (`depth = 1`), or as many as a node says, holds in this execution.
    """
    if not _is_global(target) or target.name not in known or _way(target, value) is not None:
        return False
    number = without_casts(value)
    return not isinstance(number, Constant) or number.value not in known[target.name] | {0}


def _is_global(place: LValue) -> TypeGuard[VariableReference]:
    """Whether it is a global number; a pointer that steps on through an array counts nothing."""
    return isinstance(place, VariableReference) and place.level == "global" and is_number(place.type)


def only_looks(program: Program, function: str) -> bool:
    """Whether a function changes nothing that outlasts it, nor does what it calls, as far as is known.

    Who asks something does not expect that anything is counted by that.
    """
    return all(_only_looks(program.functions[name]) for name in reachable(program, {function}))


def _only_looks(function: Function) -> bool:
    before: Instruction | None = None
    for step in function.code:
        match step:
            case Assign(_, target) if _outlasts(target):
                return False
            case Call(_, "malloc" | "calloc" | "realloc" | "free"):
                return False
            case Library(_, name) if name not in _LOOKING:
                return False
            case Concrete() if not isinstance(before, Library):
                return False
        before = step
    return True


def passes_by(code: Sequence[Instruction], index: int, new: Expression) -> bool:
    """Whether a condition asks for more or less instead of equality, as steps may lead past that.

    `if (p->left <= 0)` for `if (p->left == 0)` in the loop of `p->left -= slice;`: only what goes by ones
    surely comes to each number.  So it is with `while (n > 0)` for `while (n != 0)`.
    """
    step = code[index]
    if not isinstance(step, Branch):
        return False
    match unconverted(step.condition), unconverted(new):
        case Binary(old, left, right), Binary(operator, same, other) if (left, right) == (same, other):
            way = _PASSED_BY.get((old, operator))
            around = next(loops_around(code, index), range(0))
            return way is not None and {*_leaps(code[around.start : around.stop], left)} == {way}
    return False


def _leaps(steps: Sequence[Instruction], counter: Expression) -> Iterator[str]:
    """Which way, `+` or `-`, a number is counted, where it is not by ones."""
    for step in steps:
        match step:
            case Assign(_, target, value) if unconverted(counter) == Load(target):
                amount, sum_ = amount_added(target, value), unconverted(value)
                if amount is None:
                    yield "="
                elif not _is_one(amount) and isinstance(sum_, Binary):
                    yield sum_.operator


def counted_by_others(program: Program, function: str, target: LValue, value: Expression) -> bool:
    """Whether functions that this one calls make the very step, `depth = depth + 1`, of a global.

    Who calls `enter_scope` leaves it to that, unless it links nodes itself, as `push` does it elsewhere.
    """
    if not isinstance(target, VariableReference) or target.level != "global":
        return False
    if amount_added(target, value) is None or moves_nodes(program.functions[function]):
        return False
    called = {step.function for step in program.functions[function].code if isinstance(step, Call)}
    return any(
        isinstance(step, Assign) and (step.target, step.value) == (target, value)
        for name in called & program.functions.keys()
        for step in program.functions[name].code
    )


def counts_back(code: Sequence[Instruction], index: int, target: LValue, value: Expression) -> bool:
    """Whether the gap is in a loop in which a number is to be counted up that goes down outside of it.

    Or the other way round: that is no more than once undone, whatever the rounds.
    """
    around = next(loops_around(code, index), range(0))
    return (way := _way(target, value)) is not None and any(
        isinstance(step, Assign) and step.target == target and _way(target, step.value) not in (None, way)
        for at, step in enumerate(code)
        if around and at not in around
    )


def _way(target: LValue, value: Expression) -> str | None:
    """`+` or `-` where a place is counted by ones."""
    sum_ = unconverted(value)
    return sum_.operator if isinstance(sum_, Binary) and _is_one(amount_added(target, value)) else None


def counts_otherwise(target: LValue, value: Expression, new: Expression) -> bool:
    """Whether what counts by one is to count by another number: `x -= 2` for `x--`."""
    return (
        _is_one(amount_added(target, value))
        and not _is_one(amount_added(target, new))
        and _moved(target, new)
    )


def counts_only_up(
    program: Program, function: Function, target: LValue, value: Expression, new: Expression
) -> bool:
    """Whether what counts a field down, by itself in the program, is to count it up where a node is freed.

    Other functions count it up: what is counted as nodes come is counted down as they go.
    """
    field = counted(target, value)
    if field is None or counted(target, new) != field:
        return False
    if (_way(target, value), _way(target, new)) != ("-", "+"):
        return False
    ways = [
        (each, _way(step.target, step.value))
        for each in program.functions.values()
        for step in each.code
        if isinstance(step, Assign) and counted(step.target, step.value) == field
    ]
    others = any(way == "+" and each is not function for each, way in ways)
    alone = sum(way == "-" for _, way in ways) == 1
    return (
        others and alone and any(isinstance(s, Call) and may_free(program, s.function) for s in function.code)
    )


def _is_one(amount: Expression | None) -> bool:
    match amount:
        case Constant(1):
            return True
    return False


def _moved(target: LValue, value: Expression) -> bool:
    """Whether numbers are added to the place, or subtracted."""
    match unconverted(value):
        case Binary("+" | "-", left, Constant()):
            return unconverted(left) == Load(target) or _moved(target, left)
    return False


def is_counter(function: Function, target: LValue, value: Expression) -> bool:
    """Whether it counts a local variable that has been set once."""
    return _counts(function, target, value) and len(_set_to(function, target)) == 1


def never_counts(function: Function, target: LValue, value: Expression) -> bool:
    """Whether it counts a local variable that the function sets to several numbers: a carry."""
    numbers = _set_to(function, target)
    return (
        _counts(function, target, value)
        and len(numbers) > 1
        and all(isinstance(each, Constant) for each in numbers)
    )


def is_first(function: Function, index: int, target: LValue) -> bool:
    """Whether nothing sets the local variable before that instruction, and something reads it behind."""
    if not _is_local(target, function):
        return False
    if any(isinstance(step, Assign) and step.target == target for step in function.code[:index]):
        return False
    return any(target.name in variables(e) for step in function.code[index:] for e in expressions_of(step))


def _counts(function: Function, target: LValue, value: Expression) -> bool:
    """Whether it is `n = n + 1`, or another number, of a local variable."""
    match value:
        case Binary(_, left, Constant()):
            return left == Load(target) and _is_local(target, function)
    return False


def _is_local(place: LValue, function: Function) -> TypeGuard[VariableReference]:
    """Whether it is a local variable and no parameter."""
    return (
        isinstance(place, VariableReference) and place.level != "global" and place not in function.parameters
    )


def _set_to(function: Function, target: LValue) -> list[Expression]:
    return [step.value for step in function.code if isinstance(step, Assign) and step.target == target]


def _outlasts(place: LValue) -> bool:
    """Whether the place is there when the function has returned."""
    match place:
        case VariableReference(level=level):
            return level == "global"
        case Member(base) | Element(base):
            return _outlasts(base)
    return True
