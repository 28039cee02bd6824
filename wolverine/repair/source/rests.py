"""What is left of a number when a part of it is taken: `n - half`, where there is `half = n / 2`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import (
    Binary,
    Constant,
    Expression,
    Load,
    LValue,
    VariableReference,
    variables,
)
from wolverine.core.program import Assign, Instruction
from wolverine.core.types import IntType

_TAKING = ("/", ">>", "-", "%")


class Rests:
    """The variables of a function that are parts of other ones."""

    def __init__(self, code: Sequence[Instruction]) -> None:
        self._whole: dict[LValue, LValue] = {}
        sets: dict[LValue, list[int]] = {}
        for at, step in enumerate(code):
            if isinstance(step, Assign) and isinstance(step.target, VariableReference):
                sets.setdefault(step.target, []).append(at)
        for part, [at, *more] in sets.items():
            step = code[at]
            assert isinstance(step, Assign)
            whole = _whole(step.value)
            if not more and whole is not None and all(each < at for each in sets.get(whole, ())):
                self._whole[part] = whole

    def of(self, value: Expression, scope: Sequence[VariableReference]) -> Iterator[Expression]:
        """What is left where the value is a part of something, and one less: one was taken besides."""
        whole = self._whole.get(value.place) if isinstance(value, Load) else _whole(value, "/", ">>")
        names = {variable.name for variable in scope}
        if whole is None or whole.type != value.type or not variables(whole) <= names:
            return
        rest = Binary("-", Load(whole), value, value.type)
        yield rest
        yield Binary("-", rest, Constant(1, value.type), value.type)


def _whole(value: Expression, *taking: str) -> VariableReference | None:
    """The variable of which the value is a part."""
    match value:
        case Binary(operator, Load(VariableReference() as whole), _) if operator in (taking or _TAKING):
            is_number = isinstance(whole.type, IntType) and whole.type == value.type
            return whole if is_number and not whole.name.startswith("$") else None
    return None
