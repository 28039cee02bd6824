"""What repairs make of numbers that are counted: `dept->n` next to `dept->staff` (`semantics.counters`).

Where all inputs of a function keep such a rule, and what was asserted keeps it too, a repair that breaks it
on another heap is unlikely to be meant.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import Any

from wolverine.core.graph import MemoryGraph
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.semantics.address import GLOBALS, POINTER, number_of, offset_of
from wolverine.semantics.counters import Counted, Owner, held, judged, judged_in, owners, possible, told
from wolverine.semantics.layout import Layout


def counted(
    program: Program, layout: Layout, heaps: Sequence[MemoryGraph], trace: Trace
) -> frozenset[Counted]:
    """The rules that all heaps and the trace's last assertion keep, not all of them for nothing.

    An assertion of a few places tells nothing of nodes whose links are not among them.
    """
    rules = possible(program, layout)
    if not rules:
        return rules
    right: set[Counted] = set()
    wrong: set[Counted] = set()
    for heap in heaps:
        for rule, _, count, nodes in judged_in(rules, layout, heap):
            if count != nodes:
                wrong.add(rule)
            elif nodes:
                right.add(rule)
    last = trace.outcome
    if right and last is not None:
        live = {node.number for node, state in last.states.items() if state == "live"}
        cells = held(layout, last.cells)
        for rule, owner, count, nodes in judged(right, cells, live, owners(layout, trace.start)):
            if count != nodes and told(rule, owner, cells, live):
                wrong.add(rule)
    return frozenset(right - wrong)


def counting(program: Program, layout: Layout, start: MemoryGraph) -> frozenset[int]:
    """The variables, by number, in which something is counted where the execution begins.

    What is empty there is rather so whenever the function is called: it fills what it was given.
    """
    each = judged_in(possible(program, layout), layout, start)
    return frozenset(owner.object for _, owner, _, nodes in each if nodes and owner.object >= GLOBALS)


def miscounted(
    rules: Iterable[Counted],
    cells: Mapping[int, Sequence[tuple[int, int, Any]]],
    live: Container[int],
    structs: Mapping[str, Collection[Owner]],
) -> bool:
    """Whether a rule does not hold: `cells` are (offset, kind, raw) by object, `structs` are `owners`."""
    found: dict[int, dict[int, int]] = {}
    for number, here in cells.items():
        for offset, kind, raw in here:
            if kind != POINTER:
                if isinstance(raw, int):
                    found.setdefault(number, {})[offset] = raw
            elif isinstance(raw, int) and 0 <= raw < 1 << 60 and not offset_of(raw):
                found.setdefault(number, {})[offset] = number_of(raw)
    return any(count != nodes for _, _, count, nodes in judged(rules, found, live, structs))
