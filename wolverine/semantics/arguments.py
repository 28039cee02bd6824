"""What a function may be given besides on the very heap that it was given: other numbers, texts and flags.

Heaps that are made anew keep the shapes of structures, but not what a program knows of them: in which chain
of a table a key belongs, which index leads where.  The heap of the execution keeps all of it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, islice, pairwise, permutations

from wolverine.core.graph import External, MemoryGraph, NodeId, Place, Pointer, Value
from wolverine.core.types import ArrayType, CType, FloatType, IntType, PointerType, StructReference
from wolverine.semantics.words import address, is_text, text_at, text_of

_MOST = 8  # of one parameter


def other_arguments(start: MemoryGraph) -> Iterator[MemoryGraph]:
    """The graph with another value for one parameter of the innermost activation.

    A number is another one that some node holds, or lies between two such if it is a floating-point one, a
    text another one of the heap's.  A pointer to a node stays: what else it may lead to, in view of the
    others, nothing tells.
    """
    if not start.frames:
        return
    for variable in start.frames[0].variables:
        if variable.parameter:
            place = Place(variable.id, 0)
            present = start.cells.get(place)
            others = (value for value in _others(start, variable.type, present) if value != present)
            for value in islice(dict.fromkeys(others), _MOST):
                yield replace(start, cells={**start.cells, place: value})
            if is_text(variable.type) and _lies_outside(present):
                yield from _other_texts(start, place)


def _lies_outside(value: Value | None) -> bool:
    """Whether a text is in no node: the program reads it, or writes it into a variable."""
    return isinstance(value, External) or (
        isinstance(value, Pointer) and not isinstance(value.object, NodeId)
    )


def _other_texts(start: MemoryGraph, place: Place) -> Iterator[MemoryGraph]:
    """The graph with the texts of live nodes in the place of one outside of them, and with shorter ones.

    A text may be empty, or a single character: of these nothing is made, or just one node.
    """
    present = text_at(start, place)
    held = dict.fromkeys(
        text for each in _texts(start) if (text := text_of(start, each)) not in (b"", present)
    )
    shorter = (present[:length] for length in (0, 1) if present is not None and length < len(present))
    for number, text in enumerate((*shorter, *islice(held, _MOST))):
        at = address(start, number)
        outside = replace(start.outside, strings={**start.outside.strings, at: text + b"\0"})
        yield replace(start, cells={**start.cells, place: External(at)}, outside=outside)


def another_node(start: MemoryGraph) -> Iterator[MemoryGraph]:
    """The graph with one parameter of the innermost activation that leads to a node leading to another one.

    That is a live one of the same struct.  Where several parameters lead to nodes, which go together is not
    known: then it is one beside it in a list that leads back.
    """
    if not start.frames:
        return
    parameters = [Place(v.id, 0) for v in start.frames[0].variables if v.parameter]
    given = [place for place in parameters if (_struct(start, start.cells.get(place))) is not None]
    taken = {start.cells[place] for place in given}
    for place in given:
        present = start.cells[place]
        assert isinstance(present, Pointer) and isinstance(present.object, NodeId)
        kind = _struct(start, present)
        alike = (n.id for n in start.nodes.values() if n.state == "live" and n.type == kind)
        nodes = alike if len(given) == 1 else _beside(start, present.object)
        for value in islice((p for each in nodes if (p := Pointer(each, 0)) not in taken), _MOST):
            yield replace(start, cells={**start.cells, place: value})


def _beside(start: MemoryGraph, node: NodeId) -> Iterator[NodeId]:
    """The other nodes of its list: over links that lead back, one from each node, and the same otherwise."""
    links: dict[NodeId, dict[int, NodeId | None]] = {}
    for place, value in start.cells.items():
        if isinstance(place.object, NodeId) and isinstance(start.cell_types.get(place), PointerType):
            led = value.object if isinstance(value, Pointer) and isinstance(value.object, NodeId) else None
            links.setdefault(place.object, {})[place.offset] = led
    holders = Counter((offset, led) for each in links.values() for offset, led in each.items())
    seen, ahead = {node}, [node]
    while ahead:
        one = ahead.pop(0)
        for offset, other in links.get(one, {}).items():
            if other is None or other in seen or start.nodes[other].type != start.nodes[one].type:
                continue
            back = {at for at, led in links.get(other, {}).items() if led == one}
            lists = {at for at in back if holders[offset, other] == holders[at, one] == 1}
            if lists and _alike(links[one], links[other], {offset, *back}):
                seen.add(other)
                ahead.append(other)
                yield other


def _alike(one: Mapping[int, object], other: Mapping[int, object], but: Collection[int]) -> bool:
    """Whether the same of their pointers lead on, save at some offsets."""
    return all((one[at] is None) == (other.get(at) is None) for at in one if at not in but)


def another_flag(start: MemoryGraph, flags: Collection[tuple[CType | str, str]]) -> Iterator[MemoryGraph]:
    """The graph with a flag turned round in one of the nodes to which the innermost activation is led.

    `flags` are fields, by the struct and the name, that are 0 or 1.
    """
    led = start.led_to(start.frames[0].depth) if start.frames else frozenset()
    turned = (
        (place, 1 - value)
        for node in sorted(start.nodes.values(), key=lambda each: each.id.number)
        if node.state == "live" and node.id in led and isinstance(node.type, StructReference)
        for each in start.types.structs[node.type.tag].fields
        if (node.type, each.name) in flags
        and (value := start.cells.get(place := Place(node.id, each.offset))) in (0, 1)
        and isinstance(value, int)
    )
    for place, value in islice(turned, _MOST):
        yield replace(start, cells={**start.cells, place: value})


def _struct(start: MemoryGraph, value: Value | None) -> CType | None:
    """The struct to which a pointer leads, None for all else."""
    if not isinstance(value, Pointer) or value.offset or not isinstance(value.object, NodeId):
        return None
    kind = start.nodes[value.object].type
    return kind if isinstance(kind, StructReference) else None


def two_other_numbers(start: MemoryGraph) -> Iterator[MemoryGraph]:
    """The graph with other values for two numbers that are parameters of the innermost activation.

    One alone may tell nothing: which node is moved, and where to.
    """
    if not start.frames:
        return
    parameters = [each for each in start.frames[0].variables if each.parameter]
    numbers = [Place(each.id, 0) for each in parameters if isinstance(each.type, IntType)]
    held = sorted(_numbers(start))[:_MOST]
    for one, other in combinations(numbers, 2):
        for first, second in permutations(held, 2):
            if first != start.cells.get(one) and second != start.cells.get(other):
                yield replace(start, cells={**start.cells, one: first, other: second})


def _others(start: MemoryGraph, ctype: CType, present: Value | None) -> Iterable[Value]:
    match ctype:
        case IntType(size=size) if size > 1 and isinstance(present, int):
            return sorted(_numbers(start))
        case FloatType() if isinstance(present, float):
            return _reals(start)
        case PointerType() if is_text(ctype) and isinstance(present, Pointer) and not _lies_outside(present):
            return _texts(start)
    return ()


def _reals(start: MemoryGraph) -> list[float]:
    """The floating-point numbers that live nodes hold, and others between and beside them."""
    held = sorted(
        {
            value
            for place, value in start.cells.items()
            if isinstance(value, float) and math.isfinite(value) and _live(start, place)
        }
    )[:_MOST]
    if not held:
        return []
    between = {(one + other) / 2 for one, other in pairwise(held)}
    return sorted({*held, *between, held[0] - 1, held[-1] + 1})


def _numbers(start: MemoryGraph) -> set[int]:
    """The numbers that live nodes hold."""
    return {
        value
        for place, value in start.cells.items()
        if isinstance(value, int)
        and _live(start, place)
        and isinstance(kind := start.cell_types.get(place), IntType)
        and kind.size > 1
    }


def _texts(start: MemoryGraph) -> Iterator[Pointer]:
    """Where the texts are to which live nodes lead, or which they hold."""
    for place in sorted(p for p in start.cells if isinstance(p.object, NodeId)):
        value = start.cells[place]
        if isinstance(value, Pointer) and _live(start, place) and is_text(start.cell_types.get(place)):
            yield value
    for node in sorted(start.nodes.values(), key=lambda each: each.id.number):
        if node.state != "live" or not isinstance(node.type, StructReference):
            continue
        for field in start.types.structs[node.type.tag].fields:
            match field.type:
                case ArrayType(IntType(size=1)):
                    yield Pointer(node.id, field.offset)


def _live(start: MemoryGraph, place: Place) -> bool:
    return isinstance(place.object, NodeId) and start.nodes[place.object].state == "live"
