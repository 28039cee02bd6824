"""Nodes that are freed over two links: what is freed branch by branch has become a graph.

The function that frees them is right then; who let a second link lead to a node has returned long ago.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from itertools import chain

from wolverine.core.expressions import AddressOf, Load, LValue, Member
from wolverine.core.graph import MemoryGraph, NodeId, Pointer
from wolverine.core.parts import parts
from wolverine.core.program import Program, reachable
from wolverine.core.trace import Trace
from wolverine.core.types import PointerType
from wolverine.repair.execution.onward import until_freed
from wolverine.repair.execution.tape import Tape
from wolverine.repair.ranking.origins import Way
from wolverine.repair.source.walk import expressions_of
from wolverine.repair.special.severed import STALE
from wolverine.semantics.address import GLOBALS, number_of
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.memory import Memory
from wolverine.semantics.state import seat


def links_read(program: Program, function: str) -> frozenset[int]:
    """The offsets of the pointers in nodes that a function and those that it calls read."""
    functions = (program.functions[name] for name in reachable(program, [function]))
    expressions = chain.from_iterable(expressions_of(step) for each in functions for step in each.code)
    return frozenset(
        _offset(part.place)
        for part in chain.from_iterable(parts(each) for each in expressions)
        if isinstance(part, Load | AddressOf)
        and isinstance(part.place, Member)
        and isinstance(part.place.type, PointerType)
    )


def _offset(place: LValue) -> int:
    """Where a member lies in its node, structs and unions inside of which it is counted in."""
    found = 0
    while isinstance(place, Member):
        found, place = found + place.offset, place.base
    return found


def led_twice(memory: Memory, links: Container[int]) -> frozenset[int]:
    """The nodes to which more than one pointer at these offsets of live nodes leads.

    Pointers that answer each other (a parent's and its child's) do not count: such nodes are usual.
    """
    return _twice(
        (number, number_of(raw))
        for number, offset, raw in memory.pointers()
        if number < GLOBALS and offset in links and memory.node_live(number)
    )


def drawn_twice(graph: MemoryGraph, links: Container[int]) -> frozenset[int]:
    """`led_twice` in a memory graph."""
    return _twice(
        (place.object.number, value.object.number)
        for place, value in graph.cells.items()
        if isinstance(value, Pointer)
        and isinstance(value.object, NodeId)
        and isinstance(place.object, NodeId)
        and place.offset in links
        and graph.nodes[place.object].state == "live"
    )


def _twice(led: Iterable[tuple[int, int]]) -> frozenset[int]:
    """Where more than one of the pointers leads, each given as from which node to which one."""
    pointers = [*led]
    known = {*pointers}
    counts = Counter(to for owner, to in pointers if owner == to or (to, owner) not in known)
    return frozenset(number for number, count in counts.items() if count > 1)


def over_one_link(program: Program, trace: Trace, node: int) -> bool:
    """Whether a freed node is the first that is used, and over the very link over which it was freed.

    Then it matters little how many others lead there: what frees it is at fault, or what goes on.
    """
    using, freed = (_way(program, trace, node) for _ in range(2))
    if using is None or freed is None:
        return False
    link = using.link()
    return link is not None and link == freed.link_freed()


def _way(program: Program, trace: Trace, node: int) -> Way | None:
    """The execution up to where it uses the freed node first; None where it does not, as far as is known."""
    machine = Machine(program, strict=True)
    try:
        seat(machine, trace.start, trace.start_stack)
        way = Way(machine, Tape(machine, trace))
    except Halt:
        return None
    found = way.fault
    return way if found is not None and found.kind in STALE and found.node == node else None


def while_sound(
    machine: Machine, tape: Tape, limit: int, node: int, links: Container[int]
) -> tuple[str, bool]:
    """What the program prints before a node is freed, and up to where two such links lead to it for good.

    The machine goes on, up to `limit` instructions, and keeps its output; what is true is told at its stops.
    Also whether two links lead to the node when it is freed.
    """
    printed, twice = machine.output, False
    for _ in until_freed(machine, limit, tape, node):
        twice = node in led_twice(machine.memory, links)
        printed = printed if twice else machine.output
    return printed, twice
