"""What changes together in one node: `b->start += n` where the function has `b->len -= n`.

So does what a variable counts and a node holds: `p->left -= slice` where the function has `clock += slice`.
So do fields that are copied from another node: `t->value = least->value` where it has `t->key = least->key`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import (
    Binary,
    Constant,
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    text,
)
from wolverine.core.parts import amount_added, gone_through, step_parts
from wolverine.core.patch import NewAssignment
from wolverine.core.program import Assign, Function, Instruction
from wolverine.core.types import CType, PointerType, StructReference, Types, is_number

_ALIKE = -0.3
_BESIDE = -0.5
_COPIED = -0.5  # one field of a node is copied, and the other one with it
_RECKONED = -0.2  # such numbers are rather changed than set (`sums`)


def parallels(types: Types, function: Function) -> Iterator[NewAssignment]:
    """The other numbers of the nodes that the function counts something off or on, counted the same way.

    And those of nodes that it names, where a variable counts what another one holds.
    """
    for _, base, name, amount in _counted(function.code):
        if not isinstance(base.type, StructReference) or base.type.tag not in types.structs:
            continue
        for field in types.structs[base.type.tag].fields:
            if field.name in ("", name) or not is_number(field.type) or field.type != amount.type:
                continue
            target = Member(base, field.name, field.offset, field.type)
            for operator in "+-":
                yield NewAssignment(target, Binary(operator, Load(target), amount, field.type))
    amounts = dict.fromkeys(amount for _, amount in _passing(function.code))
    for amount in amounts:
        for place in dict.fromkeys(_numbers(function.code, amount.type)):
            for operator in "+-":
                yield NewAssignment(place, Binary(operator, Load(place), amount, place.type))


def _passing(code: Sequence[Instruction]) -> Iterator[tuple[int, Load]]:
    """Every `v += n` and `v -= n` of two variables: its index, and the amount."""
    for at, step in enumerate(code):
        match step:
            case Assign(_, VariableReference() as target, value):
                amount = amount_added(target, value)
                if isinstance(amount, Load) and isinstance(amount.place, VariableReference):
                    yield at, amount


def _numbers(code: Sequence[Instruction], ctype: CType) -> Iterator[LValue]:
    """The fields of that type that are named in the nodes to which variables lead."""
    for step in code:
        for part in step_parts(step):
            match part:
                case Load(Member(Dereference(Load(VariableReference()))) as place) if place.type == ctype:
                    yield place


def parallel(code: Sequence[Instruction], index: int, target: LValue, value: Expression) -> float:
    """What speaks for such an assignment in the gap `index`, most of all next to what it goes with."""
    amount = amount_added(target, value)
    if _copies(code, target, value):
        return _COPIED
    match target:
        case Member(base, name) if amount is not None:
            alike = [
                at
                for at, other, field, counted in _counted(code)
                if (lvalue_text(other), text(counted)) == (lvalue_text(base), text(amount)) and field != name
            ]
            if alike:
                return _BESIDE if any(abs(at - index) == 1 for at in alike) else _ALIKE
            passed = [at for at, other in _passing(code) if text(other) == text(amount)]
            if passed:
                return _BESIDE if any(abs(at - index) == 1 for at in passed) else _ALIKE
            if not isinstance(amount, Constant):
                return _RECKONED
    return 0.0


def _copies(code: Sequence[Instruction], target: LValue, value: Expression) -> bool:
    """Whether a field is copied from a node of which another field is copied to the same one.

    `x->next->prev = x->prev` takes `x` out of its list, and copies nothing.
    """
    match target, value:
        case Member(base, name), Load(Member(other, same)) if name == same and base != other:
            return any(
                isinstance(step, Assign)
                and isinstance(step.target, Member)
                and isinstance(step.value, Load)
                and isinstance(step.value.place, Member)
                and step.target.name == step.value.place.name != name
                and (step.target.base, step.value.place.base) == (base, other)
                and not _unlinks(step.target, other)
                for step in code
            )
    return False


def _unlinks(target: Member, node: LValue) -> bool:
    """Whether a link that is copied from a node is set in its neighbour."""
    return (
        target.type == PointerType(target.base.type)
        and isinstance(node, Dereference)
        and any(Load(place) == node.pointer for place in gone_through(target.base))
    )


def _counted(code: Sequence[Instruction]) -> Iterator[tuple[int, LValue, str, Expression]]:
    """Every `x->f += n` and `x->f -= n`: its index, the node, the field and the amount."""
    for at, step in enumerate(code):
        match step:
            case Assign(_, Member(base, name) as target, value):
                amount = amount_added(target, value)
                if amount is not None and not isinstance(amount, Constant):
                    yield at, base, name, amount
