"""Loops whose course depends on nothing that their rounds change: `while (p != NULL) n++;`.

Such a loop has no end although no state comes again: each round does what the one before did.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from wolverine.core.expressions import Binary, Conditional, Logical
from wolverine.core.parts import step_parts
from wolverine.core.program import Assign, Branch, Call, Declare, Gap, Guard, Instruction, Jump, Return
from wolverine.semantics.address import ADDRESS_MASK, GLOBALS, KIND_SHIFT, POINTER, STATE, number_of
from wolverine.semantics.machine import Machine, Outcome
from wolverine.semantics.reads import Reads

_ROUND = 300  # steps of one round at most
_FAILING = ("/", "%", "<<", ">>")  # of some operands there is no value


def unswayed(machine: Machine, limit: int, path: list[int] | None = None) -> Outcome | bool:
    """Whether going on from here to here twice shows that a loop has no end, whatever it counts.

    That is one round, or as many as it takes until all pointers are as they were.  The second time begins
    with other values only in cells that decide nothing: where it goes, what its pointers and subscripts lead
    to, and whether something has a value.  By induction all the next times are like it.

    No more than `limit` steps are executed; what the machine comes to instead is returned, if it does.
    `path` is that of `Machine.run`.  Raises what the machine raises.
    """
    memory, begun = machine.memory, machine.steps
    trail, cells, read = memory.trail, memory.cells, len(memory.trail)
    before: dict[int, Any] = {}
    left = min(limit // 2, _ROUND)
    while True:
        outcome = _round(machine, left - (machine.steps - begun), path)
        if outcome is not True:
            return outcome
        for at in range(read, len(trail), 2):
            before.setdefault(trail[at], trail[at + 1])
        read = len(trail)
        changed = {key for key, old in before.items() if key >= 0 and cells.get(key) != old}
        if not any(key >> KIND_SHIFT == POINTER for key in changed):
            break
    if any(_tells_of_nodes(key) for key in before):
        return False
    taint, time = set(changed), machine.steps - begun
    spread = partial(_spread, machine, Reads(machine), taint)
    while machine.steps - begun < 2 * time:
        outcome = _round(machine, 2 * time - (machine.steps - begun), path, spread)
        if outcome is not True:
            return outcome
    return taint <= changed


def _tells_of_nodes(key: int) -> bool:
    """Whether a cell says that there is a node, or that it is freed."""
    return key >= 0 and key >> KIND_SHIFT >= STATE and number_of(key & ADDRESS_MASK) < GLOBALS


def _round(
    machine: Machine,
    limit: int,
    path: list[int] | None,
    spread: Callable[[str, Instruction], bool] = lambda _function, _step: True,
) -> Outcome | bool:
    """Go on until the machine stands here again; False where that takes too long or `spread` says so.

    That is asked of each step, of a function, that is about to be made.
    """
    frame, pc = machine.frame, machine.pc
    for _ in range(limit):
        here = machine.frame
        if here is None:
            return "exited"
        if not spread(here.linked.name, here.linked.steps[machine.pc]):
            return False
        if (outcome := machine.step(path)) is not None:
            return outcome
        if machine.frame is frame and machine.pc == pc:
            return True
    return False


def _spread(machine: Machine, reads: Reads, taint: set[int], function: str, step: Instruction) -> bool:
    """Carry the taint over a step that the machine is about to make; False where it may decide something.

    `taint` are cells whose values count as others in each round; it gets what depends on them.
    """
    if not isinstance(step, Assign | Declare | Branch | Jump | Gap | Guard | Call | Return):
        return False
    if not isinstance(step, Assign):
        return taint.isdisjoint(reads.of(function, machine.pc, step))
    written = reads.written(function, machine.pc, step)
    if taint.isdisjoint(reads.of(function, machine.pc, step)):
        taint -= written
        return True
    if not taint.isdisjoint(reads.led(function, machine.pc, step)):
        return False
    for part in step_parts(step):
        if isinstance(part, Conditional | Logical) or (
            isinstance(part, Binary) and part.operator in _FAILING
        ):
            return False
    taint |= written
    return True
