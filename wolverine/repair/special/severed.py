"""Where a node was freed that is used afterwards: what still leads to it is to be set there.

A queue's rear, a list's tail and a table's last entry are forgotten in the function that frees, and that is
noticed in another one, maybe much later.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator
from typing import NamedTuple

from wolverine.core.expressions import Dereference, Element, Expression, LValue, Member, VariableReference
from wolverine.core.parts import without_casts
from wolverine.core.patch import NO_EDITS, NewAssignment, Patch, unguarded
from wolverine.core.program import Call, Concrete, Program
from wolverine.core.trace import Trace
from wolverine.core.types import PointerType
from wolverine.repair.execution.concrete import passed
from wolverine.repair.execution.onward import ending, until_freed
from wolverine.repair.execution.tape import Tape
from wolverine.repair.source.given_back import variables_returned
from wolverine.repair.source.references import counts_references
from wolverine.repair.source.slips import passing
from wolverine.semantics.activation import Activation, outwards
from wolverine.semantics.address import (
    GLOBALS,
    LOCALS,
    node_address,
    number_of,
)
from wolverine.semantics.allocation import FREEING
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

_STEPS = 200_000
_LOOKED_AT = 30_000  # instructions of which it is looked at what they overwrite
STALE = ("freed", "double-free")


class Severed(NamedTuple):
    """A freed node that is used: the `functions` that were under way when it was freed, and are done.

    So are those that were when the last link to it that went before was set to something else, and those
    that were given the node in the same function: `unlink(p); free(p);`.

    What leads to it still: `variables` by name, fields by their `offsets`; where `outer`, a variable
    of a caller, which may have got it from what these functions returned: (function, variable).  One live
    node that leads to it leads to freed nodes in `several` fields.  Where nodes like it count who refers to
    them it is `counted`.
    """

    functions: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()
    offsets: frozenset[int] = frozenset()
    outer: bool = False
    returned: frozenset[tuple[str, str]] = frozenset()
    several: int = 1
    counted: bool = False

    def sets(self, function: str, target: LValue) -> bool:
        """Whether an assignment to the target, in a function, may set what still leads to the node."""
        match target:
            case VariableReference(name) if (function, name) in self.returned:
                return True
            case VariableReference(name, level="global"):
                return name in self.variables
            case Element(VariableReference(name, level="global"), _, PointerType()):
                return name in self.variables
            case Member(_, _, offset, PointerType()):
                return offset in self.offsets
            case Dereference():
                return self.outer
        return False

    def cut(self, program: Program, patch: Patch) -> bool:
        """Whether a patch does nothing but that."""
        made = [
            (program.location(edit.location).function, unguarded(edit.replacement)) for edit in patch.edits
        ]
        return all(isinstance(each, NewAssignment) and self.sets(name, each.target) for name, each in made)


def severed(program: Program, trace: Trace, accepted: Patch = NO_EDITS) -> Severed:
    """What is known of the freed node that the execution uses in the end; nothing where it ends otherwise.

    It is the execution under the edits that were accepted before.
    """
    stops = {
        name: {i for i, step in enumerate(f.code) if isinstance(step, Call) and step.function in FREEING}
        for name, f in program.functions.items()
    }
    machine = Machine(program, accepted, stops=stops, strict=True)
    try:
        seat(machine, trace.start, trace.start_stack)
        tape, origin = Tape(machine, trace), machine.mark()
        node = _used(machine, tape)
        if not node:
            return Severed()
        found = _leading(machine, node)
        counted = counts_references(program, machine.memory.node_size(node))
        remaining = {each.number for each in outwards(machine.frame)}
        machine.undo(origin)
        active = _freeing(machine, tape, node)
        machine.undo(origin)
        active |= _unlinking(machine, tape, node)
        functions = frozenset(name for number, name in active.items() if number not in remaining)
        functions |= {each for name in functions for each in _given(program, name)}
        returned = frozenset(_returned(program, functions)) if found.outer else frozenset()
        offsets = frozenset(_fields(program, found.offsets))
        return found._replace(functions=functions, offsets=offsets, returned=returned, counted=counted)
    except Halt:
        return Severed()


def _given(program: Program, name: str) -> Iterator[str]:
    """The functions to which a function passes what it frees as well."""
    freed: set[Expression] = set()
    others: list[tuple[str, Expression]] = []
    for called, assigned in passing(program.functions[name]):
        for value in (without_casts(each.value) for each in assigned):
            if called in FREEING:
                freed.add(value)
            elif called in program.functions:
                others.append((called, value))
    yield from (called for called, value in others if value in freed)


def _returned(program: Program, functions: Collection[str]) -> Iterator[tuple[str, str]]:
    """The pointers that functions return, by function, where these are variables."""
    for name in functions:
        for _, variable in variables_returned(program.functions[name]):
            if isinstance(variable.type, PointerType):
                yield name, variable.name


def _fields(program: Program, offsets: Collection[int]) -> Iterator[int]:
    """The offsets, and those of the fields that lie there in a later element of an array of structs."""
    yield from offsets
    for layout in program.types.structs.values():
        for field in layout.fields:
            further = (at - field.offset for at in offsets if at >= layout.size > 0)
            if isinstance(field.type, PointerType) and any(at % layout.size == 0 for at in further):
                yield field.offset


def _used(machine: Machine, tape: Tape) -> int:
    """The freed node that the execution uses, where the machine stays; 0: it ends otherwise."""
    fault = ending(machine, _STEPS, tape)
    return fault.node if fault is not None and fault.kind in STALE else 0


def _freeing(machine: Machine, tape: Tape, node: int) -> dict[int, str]:
    """The functions that are under way, by activation, when the node is freed."""
    active: dict[int, str] = {}
    for _ in until_freed(machine, _STEPS, tape, node):
        active = {each.number: each.linked.name for each in outwards(machine.frame)}
    return active


def _unlinking(machine: Machine, tape: Tape, node: int) -> dict[int, str]:
    """The functions that were under way, by activation, when the last link to go led elsewhere."""
    memory = machine.memory
    marks: list[int] = []
    frames: list[Activation] = []
    try:
        for _ in range(_LOOKED_AT):
            if machine.frame is None or memory.gone(node_address(node)):
                break
            marks.append(len(memory.trail))
            frames.append(machine.frame)
            if not isinstance(machine.frame.linked.steps[machine.pc], Concrete):
                if machine.step() in ("exited", "undetermined"):
                    break
            elif not passed(machine) and not tape.take(machine):
                break
    except Fault:
        return {}
    for at, holder, raw in memory.gone_by() if marks else ():
        if at >= marks[0] and number_of(raw) == node != holder and holder < LOCALS:
            frame = frames[bisect_right(marks, at) - 1]
            return {each.number: each.linked.name for each in outwards(frame)}
    return {}


def _leading(machine: Machine, node: int) -> Severed:
    """What leads to the node."""
    memory = machine.memory
    names = set()
    offsets = set()
    outer = False
    stale: dict[int, set[int]] = {}  # fields of live nodes that lead to freed ones
    holders = set()
    for number, offset, raw in memory.pointers():
        to = number_of(raw)
        if number == node:
            continue
        if number < GLOBALS and to < GLOBALS and memory.node_live(number) and not memory.node_live(to):
            stale.setdefault(number, set()).add(offset)
        if to != node:
            continue
        if number < GLOBALS:
            if memory.node_live(number):
                offsets.add(offset)
                holders.add(number)
            continue
        offsets.add(offset)
        if number < LOCALS:
            names |= {each.name for each in machine.layout.globals[number - GLOBALS : number - GLOBALS + 1]}
        else:
            outer = True
    several = max((len(stale[number]) for number in holders), default=1)
    offsets.update(*(stale[number] for number in holders))
    return Severed(variables=frozenset(names), offsets=frozenset(offsets), outer=outer, several=several)
