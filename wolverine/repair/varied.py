"""Fresh heaps on which a function does different things: those that tell repairs apart."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from wolverine.core.graph import MemoryGraph
from wolverine.core.program import Program
from wolverine.repair.onward import onward
from wolverine.semantics.address import ADDRESS_MASK, LOCALS, number_of
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat


def varied(
    program: Program, function: str, heaps: Sequence[MemoryGraph], limit: int, patience: int
) -> list[MemoryGraph]:
    """At most `limit` of the heaps, in the same order, as evenly over their sizes as there are some.

    Of one size those come first on which the program as it is writes to other cells than on those before, or
    crashes elsewhere: the first node is taken out, the last one, none.  Of those without nodes each that does
    something else comes once.
    """
    machine = Machine(program, stops={function: {program.functions[function].end}}, strict=True)
    groups: dict[int, dict[Hashable, list[int]]] = {}
    for index, heap in enumerate(heaps):
        done = _done(machine, function, heap, patience)
        alike = groups.setdefault(len(heap.nodes), {}).setdefault(done, [])
        if heap.nodes or not alike:
            alike.append(index)
    chosen: list[int] = []
    waiting = sorted(groups.values(), key=lambda group: sum(map(len, group.values())))
    for number, group in enumerate(waiting):
        share = (limit - len(chosen)) // (len(waiting) - number)
        chosen += [index for index, _ in zip(_in_turn(list(group.values())), range(share), strict=False)]
    return [heaps[index] for index in sorted(chosen)]


def _in_turn(groups: Sequence[Sequence[int]]) -> Iterator[int]:
    """The first of each group, then the second of each that has one, and so on."""
    for at in range(max(map(len, groups))):
        yield from (group[at] for group in groups if at < len(group))


def _done(machine: Machine, function: str, heap: MemoryGraph, patience: int) -> Hashable:
    """To which cells outside of the function the program as it is writes, and how it ends."""
    mark = machine.mark()
    end: Hashable = None
    try:
        seat(machine, heap, ((function, 0),))
        assert machine.frame is not None
        begun, own = machine.mark().trail, number_of(machine.frame.base)
        try:
            end = next(onward(machine, patience))
        except Fault as fault:
            end = fault.kind, machine.pc
        trail = machine.memory.trail
        written = ((key, number_of(key & ADDRESS_MASK)) for key in trail[begun::2] if key >= 0)
        return end, frozenset(key for key, number in written if number < own or number < LOCALS)
    except Halt:
        return None
    finally:
        machine.undo(mark)
