"""What is freed in one case, and behind it in every case: `if (one) { ...; free(p); } free(p);`."""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Load, VariableReference
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Call, Function, Program
from wolverine.repair.source.flow import behind, predecessors


def freed_anyway(program: Program, location: int) -> Iterator[int]:
    """The locations of calls of `free` that all lead on to the one in the statement at `location`.

    Both free what one local variable leads to, which nothing sets in between; the later one is executed
    in other cases, too, so that it is the earlier one that frees what is freed anyway.
    """
    if location < 0:
        return
    function = program.functions[program.location(location).function]
    code = function.code
    units = {unit for step, unit in zip(code, function.unit_of, strict=True) if step.location == location}
    frees = [at for at, step in enumerate(code) if isinstance(step, Call) and step.function == "free"]
    last = next((at for at in frees if function.unit_of[at] in units), None)
    if last is None or (freed := _freed(function, last)) is None or last in behind(code, last):
        return
    leading = predecessors(code)
    ends = {at for at in range(len(code)) if at not in {each for on in leading.values() for each in on}}
    for at in frees:
        between = behind(code, at, last)
        sets = (step for each in between if isinstance(step := code[each], Assign))
        if (
            at != last
            and _freed(function, at) == freed
            and last in behind(code, at)
            and not ends & between
            and last in behind(code, 0, barred=(at,))
            and all(step.target != freed for step in sets)
        ):
            yield code[at].location


def _freed(function: Function, at: int) -> VariableReference | None:
    """The local variable or parameter whose node is freed by a call of `free`."""
    call = function.code[at]
    given = call.arguments[0] if isinstance(call, Call) else None
    for step in reversed(function.code[:at]):
        match given:
            case Load(VariableReference(name) as variable) if not name.startswith("$"):
                return variable if variable in (*function.parameters, *function.locals) else None
            case Load(passed) if isinstance(step, Assign) and step.target == passed:
                given = without_casts(step.value)
    return None
