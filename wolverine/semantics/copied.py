"""Whence a variable has what nothing has set: the field of a node that was copied into it (`p = p->next`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wolverine.core.expressions import Dereference, Load, Member, VariableReference
from wolverine.core.graph import NodeId, Place
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Function
from wolverine.semantics.activation import Activation
from wolverine.semantics.address import ADDRESS_MASK, GLOBALS, cell_place, number_of
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.evaluating import Evaluators
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.memory import Memory

_LOOKED_AT = 20_000  # of what was written last, with what was there


class Copied(NamedTuple):
    """The field of a node that a variable was set to, `where` as (function, instruction)."""

    field: Place
    where: tuple[str, int]


def copied_from(
    function: Function, memory: Memory, evaluators: Evaluators, frame: Activation, key: int, name: str
) -> Copied | None:
    """The field that a variable of the activation was set to, its cell being `key`; None where not sure.

    Nothing has set it yet, and by what the variable held before it may have been found.
    """
    fields = [*_read(function, evaluators, name)]
    if not fields:
        return None
    trail, cells, now = memory.trail, memory.cells, memory.cells.get(key)
    last = range(len(trail) - 2, max(-1, len(trail) - _LOOKED_AT), -2)
    before = next((trail[at + 1] for at in last if trail[at] == key and trail[at + 1] is not None), None)
    found: dict[Place, int] = {}
    for at, evaluate, walks in fields:
        cells[key] = before if walks else now
        try:
            read = evaluate(frame.base)
            unset = _is_unset(memory, read)
        except (KeyError, TypeError, Fault, Halt):
            continue  # it leads to no node
        finally:
            cells[key] = now
        if unset:
            number = number_of(read & ADDRESS_MASK)
            found[Place(NodeId(number), cell_place(read))] = at
    if len(found) != 1:
        return None
    field, at = found.popitem()
    return Copied(field, (function.name, at))


def _is_unset(memory: Memory, key: int) -> bool:
    """Whether it is the cell of a live node that nothing has set, nor the allocation cleared."""
    number = number_of(key & ADDRESS_MASK)
    if not (0 < number < GLOBALS and memory.node_live(number)):
        return False
    return memory.cells.get(key) is None and memory.miss(key) is None


def _read(function: Function, evaluators: Evaluators, name: str) -> Iterator[tuple[int, Evaluate, bool]]:
    """Where a function sets a variable to a field, the field's cell, and whether the variable leads there."""
    for at, step in enumerate(function.code):
        match step:
            case Assign(_, VariableReference(target), value) if target == name:
                match without_casts(value):
                    case Load(Member(Dereference(Load(VariableReference(walker)))) as field):
                        [evaluate] = evaluators.keys(function.name, [field])
                        yield at, evaluate, walker == name
