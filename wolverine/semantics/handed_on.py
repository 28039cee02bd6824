"""Nodes that are taken out by a call: it is handed the place of a pointer, and what hangs on the node there.

`join(at, (*at)->left, (*at)->right);` puts both in the place of the node.  What is called only stores, as it
does elsewhere where the place held nothing: what becomes of the node is for who has looked into it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wolverine.core.expressions import (
    AddressOf,
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
)
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Call, Instruction, Program
from wolverine.core.types import PointerType
from wolverine.semantics.activation import Activation, outwards


def taken_by(program: Program, by: tuple[str, int], frame: Activation) -> Activation | None:
    """The call, if any, by which its caller has taken out what the statement at `by` has overwritten.

    That is a (function, instruction), of the activation at hand; where that has called itself, it is the
    outermost of these calls.
    """
    name, at = by
    function = program.functions[name]
    match function.code[at]:
        case Assign(_, Dereference(Load(pointer))) if pointer in function.parameters:
            pass
        case _:
            return None
    if frame.linked.name != name:
        return None
    called = next((each for each in outwards(frame) if _called_by_another(each)), None)
    if called is None or called.caller is None:
        return None
    code = program.functions[called.caller.linked.name].code
    return called if _hands_on_what_hangs(code, called.back - 1) else None


def _called_by_another(frame: Activation) -> bool:
    return frame.caller is None or frame.caller.linked.name != frame.linked.name


def _hands_on_what_hangs(code: Sequence[Instruction], at: int) -> bool:
    """Whether a call is given the place of a pointer, and a link of the node to which that leads."""
    call = code[at]
    if not isinstance(call, Call):
        return False
    values = {step.target: step.value for step in code[:at] if isinstance(step, Assign)}
    given = [meant(each, values) for each in call.arguments]
    held = {
        Load(each.place if isinstance(each, AddressOf) else Dereference(each, each.type.target))
        for each in given
        if isinstance(each.type, PointerType)
    }
    return any(
        isinstance(each, Load)
        and isinstance(each.place, Member)
        and isinstance(each.place.base, Dereference)
        and each.place.base.pointer in held
        for each in given
    )


def meant(value: Expression, values: Mapping[LValue, Expression]) -> Expression:
    """What is handed on, where a variable that the source does not name takes it first."""
    match without_casts(value):
        case Load(VariableReference(name) as variable) if name.startswith("$") and variable in values:
            return without_casts(values[variable])
        case plain:
            return plain
