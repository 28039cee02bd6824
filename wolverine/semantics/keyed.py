"""Fields that functions compare their integer parameters with: what is looked for is a key of nodes.

On fresh heaps the parameter has a number that these fields have more often than one of others.  Where several
make up the key, as a place's `x` and `y` do, they are those of one node now and then.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from wolverine.core.expressions import COMPARISONS, Binary, Expression, Load, VariableReference
from wolverine.core.graph import Place
from wolverine.core.parts import step_parts, without_casts
from wolverine.core.program import Assign, Call, Program
from wolverine.semantics.fields import Field, field_of


def keyed_by(program: Program, function: str, name: str) -> frozenset[Field]:
    """The fields with which a function, or one that it hands the parameter on to, compares it."""
    found: set[Field] = set()
    seen: set[tuple[str, str]] = set()
    work = [(function, name)]
    while work:
        here = work.pop()
        inside = program.functions.get(here[0])
        if here in seen or inside is None:
            continue
        seen.add(here)
        names = {here[1]}  # and the temporaries in which it is handed on
        for step in inside.code:
            match step:
                case Assign(_, VariableReference(to), value) if to.startswith("$") and _names(value, names):
                    names.add(to)
            for part in step_parts(step):
                match part:
                    case Binary(operator, left, right) if operator in COMPARISONS:
                        for one, other in ((left, right), (right, left)):
                            field = field_of(other) if _names(one, names) else None
                            if field is not None:
                                found.add(field)
            if isinstance(step, Call) and step.function in program.functions:
                parameters = program.functions[step.function].parameters
                work += [
                    (step.function, parameter.name)
                    for parameter, passed in zip(parameters, step.arguments, strict=False)
                    if _names(passed, names)
                ]
    return frozenset(found)


def joined(keyed: Mapping[Place, Collection[Field]]) -> dict[str, list[tuple[Place, int]]]:
    """By struct: the parameters that are compared with different fields of its nodes, where several are."""
    found: dict[str, list[tuple[Place, int]]] = {}
    for place, fields in keyed.items():
        for tag, offset in sorted(fields):
            beside = found.setdefault(tag, [])
            if all(place != one and offset != other for one, other in beside):
                beside.append((place, offset))
    return {tag: beside for tag, beside in found.items() if len(beside) > 1}


def _names(value: Expression, names: Collection[str]) -> bool:
    match without_casts(value):
        case Load(VariableReference(name)):
            return name in names
    return False
