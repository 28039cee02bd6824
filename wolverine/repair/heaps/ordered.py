"""Sorted structures: along a link keys never fall, or never rise; a search tree has one link of either sort.

Where all inputs of a function keep such a rule, and what was asserted shows it kept, a repair that leaves
nodes in another order on another heap is unlikely to be meant.  Nothing is told by equal keys alone, nor by
numbers that the program counts or adds to where they are: these are no keys.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wolverine.core.expressions import Member
from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, Value
from wolverine.core.parts import amount_added
from wolverine.core.program import Assign, Program, reachable
from wolverine.core.trace import Trace
from wolverine.core.types import IntType, StructReference
from wolverine.repair.heaps.backlinks import Backlink
from wolverine.semantics.address import BITS, GLOBALS, POINTER, number_of, offset_of
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.counters import alive, tags
from wolverine.semantics.ordering import ordering
from wolverine.semantics.shape import self_pointers

_SHOWN = 2  # links that the last assertion shows to keep the rule, one of them between unequal keys


class Ordered(NamedTuple):
    """From structs `tag` of `size` bytes, the link leads to no lesser key, or to no greater one."""

    tag: str
    size: int
    link: int
    key: int
    rising: bool

    def kept(self, here: int, there: int) -> bool:
        """Whether two keys that follow each other are as they should."""
        return here <= there if self.rising else here >= there


def ordered(program: Program, heaps: Sequence[MemoryGraph], trace: Trace) -> frozenset[Ordered]:
    """The rules that all heaps and the trace's last assertion keep, neither of them for nothing.

    Where nothing is asserted those that the heap kept before the call, if it compares these keys by order.
    """
    last = trace.outcome
    if last is None and not trace.bare:
        return frozenset()
    compared = compile_program(program).ordering
    found: set[Ordered] = set()
    broken: set[Ordered] = set()
    for heap in heaps:
        living = alive(heap)
        for rule in _possible(heap, compared):
            pairs = [
                pair
                for pair, at in _pairs(rule, heap.cells)
                if at <= living and all(tags(heap).get(number) == rule.tag for number in at)
            ]
            if not all(rule.kept(*pair) for pair in pairs):
                broken.add(rule)
            elif any(here != there for here, there in pairs):
                found.add(rule)
    changing = set(_added_to(program))
    found = {rule for rule in found if (rule.tag, rule.key) not in changing}
    known = tags(trace.start)
    if last is None:
        asked = ordering(program, reachable(program, [trace.start_stack[0][0]]))
        found = {rule for rule in found if asked.get(rule.tag) == rule.key}
        cells, gone = trace.start.cells, known.keys() - alive(trace.start)
    else:
        cells, gone = last.cells, {node.number for node, state in last.states.items() if state != "live"}
    return frozenset(rule for rule in found - broken if _shown(rule, cells, known, gone))


def _added_to(program: Program) -> Iterator[tuple[str, int]]:
    """The fields, by struct and offset, to which the program adds something: `x->n -= y->n`."""
    for function in program.functions.values():
        for step in function.code:
            match step:
                case Assign(_, Member(base, _, offset) as target, value) if (
                    amount_added(target, value) is not None
                ):
                    if isinstance(base.type, StructReference):
                        yield base.type.tag, offset


def _shown(
    rule: Ordered, cells: Mapping[Place, Value], known: Mapping[int, str], gone: Iterable[int]
) -> bool:
    """Whether what is asserted keeps the rule, and often enough to tell."""
    pairs = [
        pair
        for pair, at in _pairs(rule, cells)
        if at.isdisjoint(gone) and all(known.get(number, rule.tag) == rule.tag for number in at)
    ]
    kept = all(rule.kept(*pair) for pair in pairs)
    return kept and len(pairs) >= _SHOWN and any(here != there for here, there in pairs)


def _possible(heap: MemoryGraph, compared: Mapping[str, int]) -> Iterator[Ordered]:
    """Rules about each link to the same struct and its number `compared` (or first), in both directions."""
    for tag in sorted(set(tags(heap).values())):
        struct = heap.types.structs.get(tag)
        numbers = (f for f in (struct.fields if struct is not None else ()) if isinstance(f.type, IntType))
        first = next((f.offset for f in numbers if not f.type.bits), None)  # type: ignore[union-attr]
        key = compared.get(tag, first)
        if struct is None or key is None:
            continue
        for field in self_pointers(heap.types, tag):
            for rising in (True, False):
                yield Ordered(tag, struct.size, field.offset, key, rising)


def _pairs(rule: Ordered, cells: Mapping[Place, Value]) -> Iterator[tuple[tuple[int, int], frozenset[int]]]:
    """The keys of nodes that follow each other over the link, with the nodes' numbers."""
    for place, value in cells.items():
        node = place.object
        if place.offset != rule.link or not isinstance(node, NodeId) or not isinstance(value, Pointer):
            continue
        if not isinstance(value.object, NodeId) or value.offset:
            continue
        here, there = cells.get(Place(node, rule.key)), cells.get(Place(value.object, rule.key))
        if isinstance(here, int) and isinstance(there, int):
            yield (here, there), frozenset((node.number, value.object.number))


def throughout(
    rules: Collection[Ordered], heap: MemoryGraph, back: Collection[Backlink]
) -> frozenset[Ordered]:
    """The rules that tell something of a heap: not those of a tree that is not sorted as a whole.

    A search tree may well have its keys in order from each node to the next and not be one: `5` with `8` at
    its right and `3` at the left of that.  What is done to it as to a search tree then leaves it in disorder,
    and so it is where one link of a node tells of an order and another one does not, unless it leads `back`.
    """
    found = set(rules)
    for tag, key in {(rule.tag, rule.key) for rule in rules}:
        turned: dict[int, set[int]] = {}  # by link, those that lead back from where it leads
        for each in back:
            if each.tag == tag:
                turned.setdefault(each.forth, set()).add(each.back)
        of_this = {rule.link: rule for rule in rules if (rule.tag, rule.key) == (tag, key)}
        all_back = set[int]().union(*(turned.get(link, ()) for link in of_this))
        links = {field.offset for field in self_pointers(heap.types, tag)} - (all_back - of_this.keys())
        if not (links <= of_this.keys() and _sorted(of_this, turned, heap)):
            found -= {*of_this.values()}
    return frozenset(found)


def _sorted(rules: Mapping[int, Ordered], turned: Mapping[int, set[int]], heap: MemoryGraph) -> bool:
    """Whether what lies behind each link keeps its rule, not just the next node."""
    led = {
        (place.object, place.offset): value.object
        for place, value in heap.cells.items()
        if place.offset in rules and isinstance(value, Pointer) and isinstance(value.object, NodeId)
    }
    for (node, link), first in led.items():
        here = heap.cells.get(Place(node, rules[link].key))
        onward = rules.keys() - turned.get(link, set())
        behind, work = {first}, [first]
        while work:
            at = work.pop()
            further = {to for each in onward if (to := led.get((at, each))) is not None} - behind
            behind |= further
            work += further
        keys = (heap.cells.get(Place(each, rules[link].key)) for each in behind)
        if isinstance(here, int) and not all(rules[link].kept(here, k) for k in keys if isinstance(k, int)):
            return False
    return True


def disordered(
    rules: Iterable[Ordered],
    cells: Mapping[int, Sequence[tuple[int, int, Any]]],
    sizes: Mapping[int, int],
    structs: Mapping[int, str],
) -> bool:
    """Whether a rule does not hold; `cells`, `sizes` and `structs` are as in `backlinks.breaks`."""
    pointers = {(n, at): raw for n in sizes for at, kind, raw in cells.get(n, ()) if kind == POINTER}
    numbers = {(n, at): raw for n in sizes for at, kind, raw in cells.get(n, ()) if POINTER != kind < BITS}
    for rule in rules:
        for (node, at), raw in pointers.items():
            if at != rule.link or sizes[node] != rule.size or not isinstance(raw, int):
                continue
            to = number_of(raw)
            if not 0 < raw < 1 << 60 or to >= GLOBALS or offset_of(raw) or sizes.get(to) != rule.size:
                continue
            if any(structs.get(each, rule.tag) != rule.tag for each in (node, to)):
                continue
            here, there = numbers.get((node, rule.key)), numbers.get((to, rule.key))
            if isinstance(here, int) and isinstance(there, int) and not rule.kept(here, there):
                return True
    return False
