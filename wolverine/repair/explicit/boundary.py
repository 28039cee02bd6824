"""Where the state of an execution is known whatever edits lead there: at an assertion of all nodes."""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.graph import MemoryGraph
from wolverine.repair.execution.schedule import Check
from wolverine.semantics.address import (
    ADDRESS_MASK,
    GLOBALS,
    KIND_SHIFT,
    KIND_SIZE,
    STATE,
    STATE_KEY,
    ZEROED,
    node_address,
    number_of,
)
from wolverine.semantics.machine import Machine


def tells(machine: Machine, start: MemoryGraph, checks: Sequence[Check]) -> bool:
    """Whether the assertions say of every node that there is, and of no other, if it is live.

    Nodes that the trace allocates may have each other's names, and have to be of one size then.
    """
    told = {node.number for check in checks for node, _ in check.nodes}
    known = {node.number for node in start.nodes}
    sizes: set[int] = set()
    for key, held in machine.memory.cells.items():
        if key > 0 and key >> KIND_SHIFT == STATE and (number := number_of(key & ADDRESS_MASK)) < GLOBALS:
            if number not in told:
                return False
            told.discard(number)
            if number not in known:
                sizes.add(held if held >= 0 else -1 - held)
    return not told and len(sizes) < 2


def settle(machine: Machine, checks: Sequence[Check]) -> None:
    """Let the machine be in the asserted state, with nothing in the cells of which nothing is said."""
    memory = machine.memory
    cells = memory.cells
    told = {}
    for check in checks:
        for cell in check.cells:
            told[next((k for k in cell.keys if k in cells), cell.keys[0])] = cell.raw
        for node, live in check.nodes:
            key = node_address(node.number) + STATE_KEY
            held = cells.get(key)
            if held is not None and (held >= 0) is not live:
                memory.put(key, -1 - held)
    for key in [k for k in cells if k > 0 and k not in told]:
        if key >> KIND_SHIFT in KIND_SIZE or key >> KIND_SHIFT == ZEROED:
            memory.put(key, None)
    for key, raw in told.items():
        memory.admit((key,))
        if cells.get(key) != raw:
            memory.put(key, raw)
