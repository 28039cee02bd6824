"""Which inputs of a function are like those that an execution gives to it.

Who is asked what a function shall do wants to know the input: a pointer that leads nowhere, or a range that
ends before it begins, comes from no caller, and nobody can tell what is to become of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import permutations

from wolverine.core.graph import (
    External,
    MemoryGraph,
    NodeId,
    ObjectId,
    Place,
    Pointer,
    Value,
    VariableId,
    Wild,
)
from wolverine.core.patch import NO_EDITS, Candidate, Patch
from wolverine.core.program import Program, reachable
from wolverine.core.trace import Trace
from wolverine.core.types import IntType
from wolverine.repair.heaps.given import entered
from wolverine.repair.heaps.outcomes import Bench
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.flow import begins_at_entry
from wolverine.semantics.stretches import shortened

_ENTRIES = 24  # of one function that are looked at: the first ones
_PAIRS = 8  # numbers of one struct, or of one call, that are compared with each other
_THRICE = 3  # structs that tell which of their numbers is the smaller one

LIKE, NEAR = 1, 2  # how an input is like those seen: its values are among them, or next to them

_Slot = tuple[str, int]  # a parameter, or a field of a struct


def seen(
    program: Program, trace: Trace, menus: Menus, patch: Patch, wanted: Collection[str]
) -> dict[str, list[MemoryGraph]]:
    """What the execution gives to the functions, in order, each once of those that look alike from inside.

    After a mere crash that is what the program as it is gives, else it is executed under the patch.
    """
    found: dict[str, list[MemoryGraph]] = {name: [] for name in wanted}
    met: dict[str, list[object]] = {name: [] for name in wanted}
    first = trace.start_stack[0][0]
    if first in found and begins_at_entry(program, trace):
        found[first].append(shortened(trace.start))
        met[first].append(_inner(trace.start))
    edits = NO_EDITS if trace.bare else patch
    for name, reading, later in entered(program, trace, menus, edits, wanted, most=_ENTRIES):
        if later:
            break
        graph = reading()
        inner = _inner(graph)
        if inner not in met[name]:
            met[name].append(inner)
            found[name].append(graph)
    return found


def concerns(program: Program, trace: Trace, candidate: Candidate) -> bool:
    """Whether it says anything about a repair that it crashes on its heap as the program did before.

    Not where it changes nothing of what is called there, nor where that is given null which no call gives;
    nor where it crashes before it comes to any edit, on a heap that is not like what the execution gives.
    """
    heap = candidate.crash_input
    if candidate.harmed or heap is None or not heap.frames:
        return True
    name = heap.frames[0].function
    edited = {program.location(edit.location).function for edit in candidate.patch.edits}
    if edited.isdisjoint(reachable(program, {name})):
        return False
    given = seen(program, trace, Menus(program), candidate.patch, [name])[name]
    usual = Usual(given)
    if not given or usual.passes_null(heap):
        return not given
    return usual.likeness(heap) == LIKE or not Bench(program, name).crashes_before(heap, candidate.patch)


class Usual:
    """What there is to know of the inputs that were seen."""

    def __init__(self, graphs: Sequence[MemoryGraph]) -> None:
        self._leading = {v for graph in graphs for v in graph.cells.values() if _blind(graph, v)}
        self._ranges: dict[_Slot, tuple[int, int]] = {}
        self._null = {at for graph in graphs for at, _, value in _passed(graph) if value is None}
        above: set[tuple[_Slot, _Slot]] = set()  # pairs of which the first is greater somewhere
        counts: Counter[tuple[_Slot, _Slot]] = Counter()  # and how often it is smaller
        compared: Counter[tuple[_Slot, _Slot]] = Counter()
        for graph in graphs:
            for numbers in _numbers(graph):
                for slot, value in numbers.items():
                    low, high = self._ranges.get(slot, (value, value))
                    self._ranges[slot] = min(low, value), max(high, value)
                for pair in permutations(list(numbers)[:_PAIRS], 2):
                    one, other = numbers[pair[0]], numbers[pair[1]]
                    compared[pair] += 1
                    counts[pair] += one < other
                    if one > other:
                        above.add(pair)
        self._ordered = [
            pair
            for pair, count in counts.items()
            if count and pair not in above and (not pair[0][0] or compared[pair] >= _THRICE)
        ]
        self._known = bool(graphs)

    def likeness(self, heap: MemoryGraph) -> int | None:
        """LIKE or NEAR; None for an input that no caller gives."""
        led = heap.led_to(heap.frames[0].depth) if heap.frames else frozenset()
        if any(
            place.object in led and _blind(heap, value) and value not in self._leading
            for place, value in heap.cells.items()
        ):
            return None
        if not self._known:
            return NEAR
        found = LIKE
        low = min((low for low, _ in self._ranges.values()), default=0)
        high = max((high for _, high in self._ranges.values()), default=0)
        margin = high - low + 1
        for numbers in _numbers(heap):
            if any(a in numbers and b in numbers and numbers[a] > numbers[b] for a, b in self._ordered):
                return None
            for slot, value in numbers.items():
                least, most = self._ranges.get(slot, (low, high))
                if not low - margin <= value <= high + margin:
                    return None
                if not least <= value <= most:
                    found = NEAR
        return NEAR if self.passes_null(heap) else found

    def passes_null(self, heap: MemoryGraph) -> bool:
        """Whether a pointer is passed as null which never was."""
        return any(value is None and at not in self._null for at, _, value in _passed(heap))


def _inner(graph: MemoryGraph) -> object:
    """What the innermost activation sees, whichever it is of a recursion."""
    depth = graph.frames[0].depth if graph.frames else -1
    led = graph.led_to(depth)
    return {
        (_anywhere(place.object, depth), place.offset): (
            (_anywhere(value.object, depth), value.offset) if isinstance(value, Pointer) else value
        )
        for place, value in graph.cells.items()
        if place.object in led
    }


def _anywhere(held: ObjectId, depth: int) -> object:
    if isinstance(held, VariableId) and held.depth == depth:
        return held.function, held.name
    return held


def _blind(graph: MemoryGraph, value: Value) -> bool:
    """Whether it is a pointer of which nothing tells where it leads."""
    match value:
        case Wild():
            return True
        case External(address):
            outside = graph.outside
            named = address in outside.symbols or address in outside.functions.values()
            return not named and outside.text(address) is None
    return False


def passes_null(graph: MemoryGraph) -> bool:
    """Whether some pointer is passed as null."""
    return any(value is None for _, _, value in _passed(graph))


def _passed(graph: MemoryGraph) -> Iterator[tuple[int, Place, Value]]:
    """The parameters of the innermost activation, by number."""
    for at, variable in enumerate(graph.frames[0].variables if graph.frames else ()):
        place = Place(variable.id, 0)
        if variable.parameter and place in graph.cells:
            yield at, place, graph.cells[place]


def _numbers(graph: MemoryGraph) -> Iterator[Mapping[_Slot, int]]:
    """The numbers that are passed, and those of every live struct, by what they are."""
    yield {
        ("", at): value
        for at, place, value in _passed(graph)
        if isinstance(value, int) and _counts(graph, place)
    }
    held: dict[tuple[NodeId, int], dict[_Slot, int]] = {}
    for place, value in graph.cells.items():
        if not isinstance(place.object, NodeId) or not isinstance(value, int) or not _counts(graph, place):
            continue
        node = graph.nodes[place.object]
        size = node.size // max(node.count, 1)
        if node.state == "live" and node.type is not None and size:
            element, offset = divmod(place.offset, size)
            held.setdefault((place.object, element), {})[str(node.type), offset] = value
    yield from held.values()


def _counts(graph: MemoryGraph, place: Place) -> bool:
    """Whether a number stands there rather than a character."""
    kind = graph.cell_types.get(place)
    return isinstance(kind, IntType) and kind.size > 1
