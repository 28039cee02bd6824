"""Arguments that are one and the same in the call that fails: `unite(s, s)`, `swap(x, x)`.

Whoever wrote the function thought of two; where a crash or a loop without an end comes of one, the case has
to be asked for.  Not so nodes that lead to others like them: `remove(head, node)` may be given the first one.
What stands for two arguments in the same way (`x = find(a); y = find(b);`) is like two arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from wolverine.core.expressions import Binary, Expression, Load, VariableReference, variables
from wolverine.core.parts import parts
from wolverine.core.patch import Guarded, NewJump, NewReturn, NewSkip, NewValue, Replacement
from wolverine.core.program import Function, Program
from wolverine.core.trace import Trace
from wolverine.core.types import CType, PointerType, StructReference, Types
from wolverine.repair.execution.onward import ending
from wolverine.repair.execution.tape import Tape
from wolverine.repair.ranking.oddity import never_set
from wolverine.repair.source.likewise import likewise
from wolverine.semantics.activation import Activation, outwards
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.shape import self_pointers
from wolverine.semantics.state import seat

_STEPS = 30_000  # of an execution that is looked into

Pair = tuple[str, frozenset[str]]  # a function, and the names of two variables


def aliased(program: Program, trace: Trace) -> frozenset[Pair]:
    """The pairs of arguments that are the same node in the calls in which it crashes, or goes round."""
    if not trace.bare or not any(_pairs(program.types, each) for each in program.functions.values()):
        return frozenset()
    machine = Machine(program, strict=trace.strict)
    try:
        seat(machine, trace.start, trace.start_stack)
        ending(machine, _STEPS, Tape(machine, trace))
    except Halt:
        return frozenset()
    return frozenset(pair for frame in outwards(machine.frame) for pair in _same(machine, frame))


def leaves_out(pairs: frozenset[Pair], function: str, made: Replacement) -> bool:
    """Whether a replacement in the function leaves something out where two such arguments are the same."""
    match made:
        case NewValue(condition) | Guarded(condition, NewReturn(_, None) | NewJump() | NewSkip(_, _, None)):
            return any((function, names) in pairs for names in _compared(condition))
    return False


def _compared(condition: Expression) -> Iterator[frozenset[str]]:
    """The pairs of variables that a condition compares with each other."""
    for part in parts(condition):
        match part:
            case Binary("==" | "!=", Load(VariableReference()), Load(VariableReference())):
                yield variables(part)


def _pairs(types: Types, function: Function) -> list[tuple[VariableReference, VariableReference]]:
    """The parameters for structs of one type that the function leaves as they are, and what is like two."""
    given = [each for each in function.parameters if _owns(types, each.type) and never_set(function, each)]
    alike = likewise(function)
    found = [each for each in function.locals if any(each.name in pair for pair in alike)]
    return [
        *((one, other) for one, other in combinations(given, 2) if one.type == other.type),
        *((one, other) for one, other in combinations(found, 2) if {one.name, other.name} in alike),
    ]


def _owns(types: Types, ctype: CType) -> bool:
    """Whether it is a pointer to a struct that leads to none of its own type."""
    match ctype:
        case PointerType(StructReference(tag)):
            return tag in types.structs and not self_pointers(types, tag)
    return False


def _same(machine: Machine, frame: Activation) -> Iterator[Pair]:
    name = frame.linked.name
    for pair in _pairs(machine.program.types, machine.program.functions[name]):
        wanted = [(Load(each), each.type) for each in pair]
        try:
            one, other = (value(frame.base) for value in machine.evaluators.values(name, wanted))
        except (KeyError, Halt):
            continue
        if one == other and isinstance(one, int) and one:
            yield name, frozenset(each.name for each in pair)
