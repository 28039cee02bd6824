"""New statements that store just where the statement in front of them has stored, by another name.

After `*link = NULL;` with `link` at `last->next`, `last->next = rest;` leaves nothing of it: it is given the
other value.  Which names are one place tells the execution.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from wolverine.core.expressions import Load, lvalue_text
from wolverine.core.parts import parts
from wolverine.core.patch import Edit, NewAssignment, Patch
from wolverine.core.program import Assign, Concrete, Gap, Program
from wolverine.core.trace import Trace
from wolverine.repair.execution.concrete import passed
from wolverine.repair.execution.tape import Tape
from wolverine.repair.source.flow import predecessors
from wolverine.repair.source.walk import located
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

_STEPS = 30_000  # of an execution that is looked into


def storing_over(program: Program, trace: Trace, accepted: Patch, edits: Iterable[Edit]) -> frozenset[Edit]:
    """Those of the edits that put in such a statement, wherever the execution comes to it.

    The execution is that of the program with what was `accepted`.
    """
    kept = {edit.location for edit in accepted.edits}
    waiting: dict[tuple[str, int], list[Edit]] = {}  # by what stores in front of them
    for edit in dict.fromkeys(edits):
        if (stored := _stored_in_front(program, edit)) is not None and stored[1].location not in kept:
            waiting.setdefault((program.location(edit.location).function, stored[0]), []).append(edit)
    over, beside = set[Edit](), set[Edit]()
    machine = Machine(program, accepted, strict=trace.strict)
    try:
        for name, at in _stores(machine, trace, waiting.keys()):
            step = program.functions[name].code[at]
            assert isinstance(step, Assign)
            [here] = machine.evaluators.keys(name, [step.target])
            stored_at = machine.attempt(here)
            machine.step()
            for edit in waiting[name, at]:
                same = _leads_to(machine, name, edit, stored_at)
                (over if same else beside).add(edit)
    except Halt:
        pass
    return frozenset(over - beside)


def _stores(machine: Machine, trace: Trace, wanted: Collection[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """The (function, instruction) of those that are wanted, when the machine is there; who asks steps on."""
    if not wanted:
        return
    seat(machine, trace.start, trace.start_stack)
    tape = Tape(machine, trace)
    while machine.steps < _STEPS and (frame := machine.frame) is not None:
        here = frame.linked.name, machine.pc
        if here in wanted:
            yield here
        elif isinstance(machine.program.functions[here[0]].code[machine.pc], Concrete):
            if not passed(machine) and not tape.take(machine):
                return
        elif machine.step() in ("exited", "undetermined"):
            return


def _leads_to(machine: Machine, name: str, edit: Edit, place: object) -> bool:
    """Whether what a new statement sets is that place now."""
    assert isinstance(edit.replacement, NewAssignment)
    [there] = machine.evaluators.keys(name, [edit.replacement.target])
    try:
        return bool(machine.attempt(there) == place)
    except Halt:
        return False


def _stored_in_front(program: Program, edit: Edit) -> tuple[int, Assign] | None:
    """The assignment right in front of a new one, with its number: to a place of its type by another name."""
    where = program.location(edit.location)
    match edit.replacement:
        case NewAssignment(target, value) if where.kind == "gap":
            function = program.functions[where.function]
        case _:
            return None
    leading, at = predecessors(function.code), located(function, edit.location)
    while leading.get(at) == [at - 1]:
        at -= 1
        step = function.code[at]
        if isinstance(step, Assign):
            other = lvalue_text(step.target) != lvalue_text(target) and step.target.type == target.type
            reckoned = {Load(target), Load(step.target)} & {*parts(value)}
            return (at, step) if other and not reckoned else None
        if not isinstance(step, Gap):
            return None
    return None
