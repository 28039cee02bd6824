"""What it is about an input that makes a program crash, in the words of the function that gets it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wolverine import draw
from wolverine.core.graph import (
    UNINITIALISED,
    MemoryGraph,
    ObjectId,
    Place,
    Pointer,
    Uninitialised,
    Value,
    VariableId,
)
from wolverine.core.patch import Patch
from wolverine.core.program import Program
from wolverine.core.types import CType, PointerType
from wolverine.repair.heaps.outcomes import Bench

_TRIED = 40  # places that are given another value
_TOLD = 3  # conditions that stand for one that is not found


def condition(program: Program, heap: MemoryGraph, patch: Patch) -> str:
    """The place whose being null makes the patched function crash on the heap; else what is null in it.

    With something else there it crashes no more, or else it crashes elsewhere.
    A heap that nobody sees has no nodes to be named: places are told by the way that leads there.
    """
    if not heap.frames or heap.frames[0].function not in program.functions:
        return ""
    empty = {place: way for place, way in _ways(heap).items() if heap.cells[place] is None}
    bench = Bench(program, heap.frames[0].function)
    first = bench.outcome(heap, patch)

    def matters(place: Place, value: Value, *, alone: bool = False) -> bool:
        outcome = bench.outcome(replace(heap, cells={**heap.cells, place: value}), patch)
        assert first is not None
        unknown = isinstance(value, Uninitialised)
        if alone:
            return outcome is not None and not outcome.crash
        return unknown if outcome is None else outcome.crash != first.crash

    if first is not None and first.crash:
        tried = list(empty.items())[:_TRIED]
        for alone in (True, False):
            for place, way in tried:
                targets = _targets(heap, heap.cell_types.get(place))
                if any(matters(place, Pointer(to, 0), alone=alone) for to in targets):
                    return f"{way} is null"
        for place, way in tried:  # there is no node to which it might lead
            if matters(place, UNINITIALISED):
                return f"{way} is null"
    passed = [way for place, way in empty.items() if isinstance(place.object, VariableId)]
    return ", ".join(f"{way} is null" for way in passed[:_TOLD])


def _targets(heap: MemoryGraph, ctype: CType | None) -> Iterator[ObjectId]:
    """The nodes to which a pointer of that type may lead."""
    if isinstance(ctype, PointerType):
        for name, node in heap.nodes.items():
            if node.type == ctype.target and node.state == "live":
                yield name


def _ways(heap: MemoryGraph) -> dict[Place, str]:
    """The cells that the innermost function can reach, nearest first, as it would write them."""
    names = draw.Names(heap)
    by_object: dict[ObjectId, list[Place]] = {}
    for place in heap.cells:
        by_object.setdefault(place.object, []).append(place)
    variables = [*heap.frames[0].variables, *heap.globals]
    own = {each.id for each in variables}
    pending: list[tuple[ObjectId, str, str]] = [
        (each.id, names.object(each.id, short=True), "") for each in variables
    ]
    seen: set[ObjectId] = {*own}
    found: dict[Place, str] = {}
    for target, way, begun in pending:  # grows
        for place in sorted(by_object.get(target, ()), key=lambda each: each.offset):
            inner = names.inside(target, place.offset, heap.cell_types.get(place))
            if target in own:
                path = way + inner
            elif inner.startswith(begun):
                rest = inner.removeprefix(begun)
                path = f"{way}->{rest[1:]}" if rest.startswith(".") else way + rest
            else:
                path = names.place(place, short=True)
            found[place] = path
            value = heap.cells[place]
            if isinstance(value, Pointer) and value.object not in seen:
                seen.add(value.object)
                kind = heap.cell_types.get(place)
                wanted = kind.target if isinstance(kind, PointerType) else None
                at = names.inside(value.object, value.offset, wanted) if value.offset else ""
                pending.append((value.object, path, at))
    return found
