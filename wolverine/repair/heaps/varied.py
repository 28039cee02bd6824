"""Fresh heaps on which a function does different things: those that tell repairs apart."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import NamedTuple

from wolverine.core.graph import MemoryGraph, Place, Pointer
from wolverine.core.patch import NO_EDITS, Patch
from wolverine.core.program import Program
from wolverine.repair.execution.onward import onward
from wolverine.semantics.address import ADDRESS_MASK, LOCALS, number_of
from wolverine.semantics.encoding import Encoded, encode_graph
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

_Step = tuple[int, int]  # under which patch, by number, and what is executed
_Done = tuple[Hashable, frozenset[int], frozenset[int]]  # how it ends, cells written, instructions executed


class _Alike(NamedTuple):
    """Heaps on which the program does the same, by index, and what it executes there."""

    indices: list[int]
    steps: set[_Step]


def varied(
    program: Program,
    function: str,
    heaps: Sequence[MemoryGraph],
    limit: int,
    patience: int,
    patches: Sequence[Patch] = (),
) -> list[MemoryGraph]:
    """At most `limit` of the heaps, in the same order, as evenly over their sizes as there are some.

    Of one size those come first on which statements are executed that were not before; then those on which
    the program does something else than on those before: it writes to other cells (the first node is taken
    out, the last one, none), goes another way, crashes elsewhere.  They are taken from all over those that do
    the same, other structures before other orders of their numbers.  Of those without nodes each that does
    something else comes once.  The program is executed as it is, which may crash on all of them, and under
    each of the patches.
    """
    stops = {function: {program.functions[function].end}}
    machines = [Machine(program, patch, stops=stops, strict=True) for patch in (NO_EDITS, *patches)]
    groups: dict[int, dict[Hashable, _Alike]] = {}
    for index, heap in enumerate(heaps):
        try:
            encoded = encode_graph(machines[0].layout, heap)
        except Halt:
            encoded = None
        done = tuple(_done(machine, function, heap, encoded, patience) for machine in machines)
        steps = {(number, step) for number, (*_, path) in enumerate(done) for step in path}
        alike = groups.setdefault(len(heap.nodes), {}).setdefault(done, _Alike([], steps))
        if heap.nodes or not alike.indices:
            alike.indices.append(index)
    chosen: list[int] = []
    covered: set[_Step] = set()
    waiting = sorted(groups.values(), key=lambda group: sum(len(each.indices) for each in group.values()))
    for number, group in enumerate(waiting):
        share = (limit - len(chosen)) // (len(waiting) - number)
        alikes = list(group.values())
        covering = list(_covering(alikes, covered, share))
        first = [each.indices[at * len(each.indices) // len(alikes)] for at, each in enumerate(alikes)]
        taken = {*covering, *first}
        rest = [
            _structures_first(heaps, [i for i in each.indices if i not in taken], taken) for each in alikes
        ]
        chosen += [*dict.fromkeys((*covering, *first, *_in_turn(rest)))][:share]
    return [heaps[index] for index in sorted(chosen)]


def _covering(groups: Sequence[_Alike], covered: set[_Step], share: int) -> Iterator[int]:
    """The first heap of each group that comes to statements which none before came to, most of them first."""
    left = list(groups)
    for _ in range(share):
        best = max(left, key=lambda each: len(each.steps - covered), default=None)
        if best is None or best.steps <= covered:
            return
        covered |= best.steps
        left.remove(best)
        yield best.indices[0]


def _structures_first(
    heaps: Sequence[MemoryGraph], indices: Sequence[int], taken: Collection[int]
) -> list[int]:
    """The indices, those of heaps first that are linked as none before them and none of those taken is.

    What the program does the same on both, a repair may not: it may read a link that the program does not.
    """
    if len(indices) < 2:
        return [*indices]
    known = {_linked(heaps[index]) for index in taken}
    new: list[int] = []
    for index in indices:
        if (links := _linked(heaps[index])) not in known:
            known.add(links)
            new.append(index)
    return [*new, *(index for index in indices if index not in new)]


def _linked(heap: MemoryGraph) -> frozenset[tuple[Place, Pointer]]:
    """The pointers of a heap, with where they stand."""
    return frozenset((place, value) for place, value in heap.cells.items() if isinstance(value, Pointer))


def _in_turn(groups: Sequence[Sequence[int]]) -> Iterator[int]:
    """The first of each group, then the second of each that has one, and so on."""
    for at in range(max(map(len, groups))):
        yield from (group[at] for group in groups if at < len(group))


def _done(
    machine: Machine, function: str, heap: MemoryGraph, encoded: Encoded | None, patience: int
) -> _Done:
    """How the program ends, to which cells outside of the function it writes, and what it executes."""
    mark = machine.mark()
    end: Hashable = None
    path: list[int] = []
    try:
        seat(machine, heap, ((function, 0),), encoded=encoded)
        assert machine.frame is not None
        begun, own = machine.mark().trail, number_of(machine.frame.base)
        try:
            end = next(onward(machine, patience, path=path))
        except Fault as fault:
            end = fault.kind, machine.pc
        trail = machine.memory.trail
        told = machine.memory.repeated if machine.memory.stretches else None
        written = (
            (key, number_of(key & ADDRESS_MASK))
            for key in trail[begun::2]
            if key >= 0
            and (told is None or (known := told(key)) is None or machine.memory.cells[key] != known)
        )
        cells = frozenset(key for key, number in written if number < own or number < LOCALS)
        return end, cells, frozenset(path)
    except Halt:
        return None, frozenset(), frozenset()
    finally:
        machine.undo(mark)
