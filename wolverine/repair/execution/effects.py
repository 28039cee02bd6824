"""What a statement does in one state of a machine, as a value: an effect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wolverine.repair.execution.demand import ANY, NEVER, Demand, Either
from wolverine.semantics.faults import Halt
from wolverine.semantics.linking import Linked
from wolverine.semantics.machine import Machine
from wolverine.semantics.text import Text

# An effect: (cell, value) written, (FREE, address), (ALLOCATE, (cell, size, zeroed)), with what it
# holds in the place of the size where that is a string, (CALL, (function,
# arguments, cell that takes the value or 0, its first instruction, whether its caller ends with it)), as that
# with INSTEAD for a call in the place of another one, (FREE_LIST, (cell that is null then, addresses)), or
# one of these.
Effect = tuple[int, Any] | bool
NOOP: Effect = (0, 0)
SKIP: Effect = (-1, 0)  # a call or a jump that does not happen
CRASH: Effect = (-2, 0)
FREE = -3
OTHER: Effect = (-4, 0)  # what no choice does: a call, or what the model does not look into
ALLOCATE = -6
CALL = -7
INSTEAD = -9
JUMP = -8  # (JUMP, instruction): execution goes on there
PASS = -10  # (PASS, (instruction, effect)): the effect, then execution goes on there
FREE_LIST = -11
DONE = -12  # (DONE, effects): one after the other
PUT = -13  # (PUT, cells): what calls have left behind, each with what it holds
LEAVE = -5  # (LEAVE, effect): the effect, then the function returns


def demanded(classes: Mapping[Effect, int], demand: Demand | Either) -> dict[Effect, int]:
    """Those of the effects that do what is demanded, or do more than write."""
    return {effect: mask for effect, mask in classes.items() if _does(effect, demand)}


def _does(effect: Effect, demand: Demand | Either) -> bool:
    if not isinstance(effect, tuple) or effect[0] < 0:
        return True
    wish = demand.of(effect[0])
    return wish is ANY or (wish is not NEVER and bool(wish == effect[1]))


def writable(machine: Machine, key: Any) -> bool:
    """Whether something may be written to the cell."""
    if key in machine.memory.cells:
        return True
    try:
        machine.memory.check(key)
    except Halt:
        return False
    return True


def freeable(machine: Machine, address: int) -> bool:
    """Whether `free` of the address is no fault."""
    mark = len(machine.memory.trail)
    try:
        machine.memory.release(address)
    except Halt:
        return False
    machine.memory.undo(mark)
    return True


def perform(machine: Machine, effect: Effect) -> None:
    """Let the effect happen."""
    assert isinstance(effect, tuple)
    key, value = effect
    if key == LEAVE:
        perform(machine, value)
    elif key == PASS:
        perform(machine, value[1])
    elif key == DONE:
        for each in value:
            perform(machine, each)
    elif key == PUT:
        for cell, held in value:
            machine.memory.put(cell, held)
    elif key == FREE:
        machine.memory.release(value)
    elif key == FREE_LIST:
        cell, addresses = value
        for address in addresses:
            machine.memory.release(address)
        machine.memory.put(cell, 0)
    elif key == ALLOCATE:
        cell, size, zeroed = value
        machine.memory.make_room(cell)
        held = size if isinstance(size, bytes) else b""
        address = machine.memory.allocate(len(held) or size, zeroed=zeroed)
        for place, character in Text(machine.memory).store(address, held):
            machine.memory.put(place, character)
        machine.memory.put(cell, address)
    elif key == CALL:
        machine.insert(*value[:3], leaving=value[4])
    elif key == INSTEAD:
        machine.call_instead(*value[:3])
    elif key > 0:
        if key not in machine.memory.cells:
            machine.memory.make_room(key)
        machine.memory.put(key, value)


def landing(linked: Linked, pc: int, effect: Effect) -> int:
    """Where execution goes on after the effect of the statement at `pc`."""
    if isinstance(effect, tuple) and effect[0] == LEAVE:
        return linked.following[len(linked.steps) - 1]
    if isinstance(effect, tuple) and effect[0] in (CALL, INSTEAD):
        return int(effect[1][3])
    if isinstance(effect, tuple) and effect[0] == PASS:
        return int(linked.following[effect[1][0]])
    if isinstance(effect, tuple) and effect[0] == JUMP:
        return linked.following[effect[1]]
    return linked.following[pc + 1]
