"""What an `if` compares is what it then stores: `if (u->d + e->w < v->d) v->d = u->d + e->w;`.

So the least or the greatest of several numbers is kept; a comparison of another number with what is replaced,
or of what is stored with another number, forgets half of that.  So it is with the node that has the least or
the greatest: `if (p->key < least->key) least = p;`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from wolverine.core.exchanging import exchanged_value, named
from wolverine.core.expressions import (
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
    text,
    variables,
)
from wolverine.core.parts import parts
from wolverine.core.program import Assign, Branch, Gap, Instruction
from wolverine.core.types import PointerType, is_number
from wolverine.repair.source.arms import arms
from wolverine.repair.source.conversion import convert
from wolverine.repair.source.walk import indices_in


def relaxed(code: Sequence[Instruction], branch: int) -> Iterator[Expression]:
    """The condition at an instruction with one comparison made one of what is stored and what it replaces.

    Where that is an index of what is compared, the elements are: `if (r < n && a[r] < a[least]) least = r;`.
    Where it leads to a node of which a field is compared, the same field of both is.
    """
    step = code[branch]
    if isinstance(step, Branch) and (node := _node_stored(code, branch, step.if_true)) is not None:
        yield from _fields(step.condition, [node])
    stored = [*_stored(code, step.if_true)] if isinstance(step, Branch) else []
    if isinstance(step, Branch) and stored:
        indices = {text(each) for each in indices_in((step.condition,))}
        numbers = [s for s in stored if indices.isdisjoint((text(s.value), text(Load(s.target))))]
        yield from _instead(step.condition, numbers)
        yield from _elements(step.condition, [each for each in stored if each not in numbers])


def stored_alike(code: Sequence[Instruction], index: int, value: Expression) -> bool:
    """Whether an `if` compares the value with what the assignment at an instruction replaces by it.

    It is the first one there; what replaces itself has been reckoned with.
    """
    step = code[index]
    first = index
    while first and isinstance(code[first - 1], Gap):
        first -= 1
    if not isinstance(step, Assign) or not is_number(step.target.type):
        return False
    sides = {text(value), text(Load(step.target))}
    return len(sides) == 2 and any(
        isinstance(each, Branch) and first <= each.if_true <= index and _compares(each.condition, sides)
        for each in code
    )


def _compares(condition: Expression, sides: Collection[str]) -> bool:
    """Whether a comparison of the condition has just these sides."""
    return any(
        isinstance(part, Binary) and part.operator in ORDERS and {text(part.left), text(part.right)} == sides
        for part in parts(condition)
    )


def _instead(condition: Expression, stored: Sequence[Assign]) -> Iterator[Expression]:
    match condition:
        case Logical():
            yield from _joined(condition, stored, _instead)
        case Binary(operator, left, right) if operator in ORDERS:
            sides = text(left), text(right)
            for each in stored:
                new, old = text(each.value), text(Load(each.target))
                if (new in sides) == (old in sides):
                    continue
                other = Load(each.target) if new in sides else each.value
                kept_first = sides[0] in (new, old)
                made = convert(other, right.type if kept_first else left.type)
                if made is not None:
                    yield replace(condition, right=made) if kept_first else replace(condition, left=made)


def _elements(condition: Expression, stored: Sequence[Assign]) -> Iterator[Expression]:
    """The condition with the element at one index compared with that at the other, in both orders."""
    match condition:
        case Logical():
            yield from _joined(condition, stored, _elements)
        case Binary(operator, left, right) if operator in ORDERS:
            for each in stored:
                beside, before = _at_other_index(left, each), _at_other_index(right, each)
                if beside is not None and text(beside) != text(right):
                    yield replace(condition, right=beside)
                if before is not None and text(before) != text(left):
                    yield replace(condition, left=before)


def _fields(condition: Expression, stored: Sequence[Assign]) -> Iterator[Expression]:
    """The condition with a field of the node that is stored compared with that of the node that goes."""
    match condition:
        case Logical():
            yield from _joined(condition, stored, _fields)
        case Binary(operator, Load(one), Load(other)) if operator in ORDERS:
            for each in stored:
                nodes = each.value, Load(each.target)
                beside, before = _of_other_node(one, nodes), _of_other_node(other, nodes)
                if beside is not None and before is None and _same_field(one, other):
                    yield replace(condition, right=beside)
                if before is not None and beside is None and _same_field(one, other):
                    yield replace(condition, left=before)


def _of_other_node(place: LValue, nodes: tuple[Expression, Expression]) -> Load | None:
    """The field of the other one of two nodes of which the place is a field of one."""
    match place:
        case Member(Dereference(led) as node) if led in nodes:
            other = nodes[1] if led == nodes[0] else nodes[0]
            return Load(replace(place, base=replace(node, pointer=other)))
    return None


def _same_field(one: LValue, other: LValue) -> bool:
    """Whether both are the same field of a struct that a pointer leads to."""
    match one, other:
        case Member(Dereference() as node, name), Member(Dereference() as beside, same):
            return name == same and node.type == beside.type
    return False


def _joined(
    condition: Logical,
    stored: Sequence[Assign],
    made: Callable[[Expression, Sequence[Assign]], Iterator[Expression]],
) -> Iterator[Expression]:
    for part in made(condition.left, stored):
        yield replace(condition, left=part)
    for part in made(condition.right, stored):
        yield replace(condition, right=part)


def _at_other_index(element: Expression, stored: Assign) -> Expression | None:
    """What is at the index that is stored as what is at the one that goes, or the other way round."""
    match stored.value:
        case Load(VariableReference() as new) if isinstance(stored.target, VariableReference):
            inside = {text(each) for each in indices_in((element,))}
            for one, other in ((new, stored.target), (stored.target, new)):
                if text(Load(one)) in inside and text(Load(other)) not in inside:
                    others: dict[LValue, LValue] = {each: each for each in named(element)}
                    return exchanged_value(element, {**others, one: other})
    return None


def _node_stored(code: Sequence[Instruction], branch: int, first: int) -> Assign | None:
    """What an `if` without `else` begins with, where that lets a variable lead to some other node."""
    if (found := arms(code, branch)) is None or found[1]:
        return None  # one of two nodes is taken, and none kept
    step = next((each for each in code[first:] if not isinstance(each, Gap)), None)
    match step:
        case Assign(_, VariableReference(type=PointerType()) as kept, Load()):
            return step if kept.name not in variables(step.value) else None
    return None


def _stored(code: Sequence[Instruction], first: int) -> Iterator[Assign]:
    """The numbers that are stored from an instruction on, one after the other, as they are in front of it."""
    before: set[str] = set()
    for step in code[first:]:
        if isinstance(step, Gap):
            continue
        if not isinstance(step, Assign):
            return
        held = Load(step.target)
        named = {text(part) for each in (step.value, held) for part in parts(each)}
        called = any(name.startswith("$") for name in variables(step.value) | variables(step.target))
        itself = text(held) in {text(part) for part in parts(step.value)}
        number = is_number(step.target.type) and not isinstance(step.value, Constant)
        if number and not (itself or called or named & before):
            yield step
        before.add(text(held))
