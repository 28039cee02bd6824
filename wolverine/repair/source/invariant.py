"""Comparisons of a loop's condition that no round changes, and elements that are asked for apart.

Who writes `while (a[i] != NULL && *a != GONE)` asks in every round for what was known before the first one,
so another element was meant, or nothing.  And who asks whether an element is neither of two values has that
element in mind both times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import (
    COMPARISONS,
    AddressOf,
    Binary,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    VariableReference,
    text,
    variables,
)
from wolverine.core.parts import null_test, parts, without_casts
from wolverine.core.program import Assign, Call, Concrete, Instruction, Library
from wolverine.repair.source.flow import loops_around
from wolverine.repair.source.walk import element_of


def asks_for_the_same(code: Sequence[Instruction], index: int, old: Expression, new: Expression) -> bool:
    """Whether a loop's condition has a comparison now that no round changes, where it had none before.

    Tests for null are not looked at: they protect something.
    """
    around = next(loops_around(code, index), range(0))
    if not around or any(_lasts(code, around, each) for each in _comparisons(old)):
        return False
    return any(_lasts(code, around, each) for each in _comparisons(new) if null_test(each) is None)


def parts_elements(old: Expression, new: Expression) -> bool:
    """Whether one element was compared with two values, and two elements of its array are now."""
    match old, new:
        case Logical(operator, Binary() as left, Binary() as right), Logical(
            other, Binary() as one, Binary() as two
        ):
            alike = "!=" if operator == "&&" else "=="
            if operator != other or {alike} != {each.operator for each in (left, right, one, two)}:
                return False
            before, after = (_element(left), _element(right)), (_element(one), _element(two))
            if None in before or None in after or text(left.right) == text(right.right):
                return False
            arrays = {array for array, _ in (*before, *after)}  # type: ignore[misc]
            return len(arrays) == 1 and before[0] == before[1] and after[0] != after[1]
    return False


def _element(test: Binary) -> tuple[str, str] | None:
    """The array and the index, as text, of the element that a comparison has on its left."""
    match without_casts(test.left):
        case Load(Dereference(pointer) as place):
            return element_of(place) or (text(pointer), "0")
        case Load(place):
            return element_of(place)
    return None


def _comparisons(condition: Expression) -> Iterator[Expression]:
    """The comparisons that are joined in a condition."""
    match condition:
        case Logical(_, left, right):
            yield from _comparisons(left)
            yield from _comparisons(right)
        case Binary(operator) if operator in COMPARISONS:
            yield condition


def _lasts(code: Sequence[Instruction], around: range, comparison: Expression) -> bool:
    """Whether what is compared stays as it is as long as the loop goes round."""
    read = [part.place for part in parts(comparison) if isinstance(part, Load)]
    names = variables(comparison)
    return not any(may_change(code[at], read, names) for at in around)


def may_change(step: Instruction, read: Sequence[LValue], names: frozenset[str]) -> bool:
    """Whether an instruction may change what stands in one of the places, or where they are."""
    match step:
        case Assign(_, VariableReference(name)):
            return name in names
        case Assign(_, target):
            return any(place.type == target.type for place in read)
        case Call(_, _, _, result):
            elsewhere = any(
                not isinstance(place, VariableReference) or place.level != "local" for place in read
            )
            return elsewhere or (result is not None and result.name in names)
        case Library(_, _, arguments, result):
            given = {_owner(p.place) for a in arguments for p in parts(a) if isinstance(p, AddressOf)}
            return bool(given & names) or (result is not None and result.name in names)
        case Concrete(_, _, results):
            return any(each.name in names for each in results)
    return False


def _owner(place: LValue) -> str:
    """The variable of which a place is a part; "" where it is one of a node."""
    while isinstance(place, Element | Member):
        place = place.base
    return place.name if isinstance(place, VariableReference) else ""
