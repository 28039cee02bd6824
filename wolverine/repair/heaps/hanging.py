"""Tables of lists in which each node hangs in one row: the chains of a hash table, the rows of a matrix.

Where all inputs of a function keep such a rule, and what was asserted keeps it too, a repair that lets a node
hang in two rows on another heap has mixed these up there: what one row frees, the other one still leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wolverine.core.graph import MemoryGraph, Place
from wolverine.core.trace import Trace
from wolverine.core.types import VOID_POINTER, ArrayType, CType, PointerType, StructReference, Types
from wolverine.repair.source.chained import Chain, chained
from wolverine.semantics.address import GLOBALS, POINTER, TOKENS, number_of, offset_of
from wolverine.semantics.counters import Held, alive, held, number_at
from wolverine.semantics.layout import Layout

_ALLOCATED = ""  # the holder of an array that was allocated by itself


class Table(NamedTuple):
    """An array of pointers to structs `tag`: `rows` of them from the offset `begin` on.

    Its `holder` is the number of a variable, or the tag of the struct of a node.  An array that was allocated
    by itself has no name.
    """

    holder: int | str
    begin: int
    rows: int
    tag: str
    name: str


class Hanging(NamedTuple):
    """No node hangs in two rows of the holder's table at `begin`, over the pointers at `link`."""

    holder: int | str
    begin: int
    link: int


Tables = Mapping[int, Sequence[Table]]  # by the number of the object in which they lie
_Cells = Callable[[int], Mapping[int, int]]  # the numbers of the nodes that an object leads to, by offset


def tables(layout: Layout, graph: MemoryGraph) -> dict[int, list[Table]]:
    """The tables of a graph in nodes and in variables, but for those of the innermost activation.

    Pointers of a node to its own kind are links, however many they are.
    """
    innermost = graph.frames[0].depth if graph.frames else 0
    found: dict[int, list[Table]] = {}
    for variable in graph.variables():
        if variable.id.depth < innermost and (
            shapes := _shapes(graph.types, variable.type, variable.id.name)
        ):
            number = number_at(layout, Place(variable.id, 0))
            if number is not None:
                found[number] = [Table(number, *each) for each in shapes]
    for node in graph.nodes.values():
        shapes = _shapes(graph.types, node.type, _ALLOCATED) if node.type is not None else []
        holder = node.type.tag if isinstance(node.type, StructReference) else _ALLOCATED
        if kept := [Table(holder, *each) for each in shapes if each[2] != holder]:
            found[node.id.number] = kept
    return found


def _shapes(types: Types, ctype: CType, name: str, begin: int = 0) -> list[tuple[int, int, str, str]]:
    """Where the tables of a type begin, how many rows they have, of which structs, and their names."""
    match ctype:
        case ArrayType(PointerType(StructReference(tag)), rows) if rows > 1:
            return [(begin, rows, tag, name)]
        case StructReference(tag) if tag in types.structs:
            fields = types.structs[tag].fields
            return [each for f in fields for each in _shapes(types, f.type, f.name, begin + f.offset)]
    return []


def hanging(layout: Layout, heaps: Sequence[MemoryGraph], trace: Trace) -> frozenset[Hanging]:
    """The rules that all heaps and the trace's last assertion keep, not all of them for nothing."""
    chains = chained(layout.program)
    found: set[Hanging] = set()
    broken: set[Hanging] = set()
    for heap in heaps if chains else ():
        if here := tables(layout, heap):
            cells, live = held(layout, heap.cells), alive(heap)
            for table, heads in _led(here, _of(cells)):
                for rule in _possible(table, chains):
                    (broken if _mixed(heads, _of(cells), rule.link, live) else found).add(rule)
    found -= broken
    last = trace.outcome
    if found and last is not None:
        cells = held(layout, last.cells)
        live = {node.number for node, state in last.states.items() if state == "live"} | alive(trace.start)
        for table, heads in _led(tables(layout, trace.start), _of(cells)):
            found -= {rule for rule in _possible(table, chains) if _mixed(heads, _of(cells), rule.link, live)}
    return frozenset(found)


def _possible(table: Table, chains: Collection[Chain]) -> Iterator[Hanging]:
    """What may hold of a table, as the program goes on from its rows."""
    for name, tag, link in chains:
        if tag == table.tag and table.name in (name, _ALLOCATED):
            yield Hanging(table.holder, table.begin, link)


def mixes(
    rules: Collection[Hanging],
    cells: Mapping[int, Sequence[tuple[int, int, Any]]],
    sizes: Mapping[int, int],
    here: Tables,
) -> bool:
    """Whether a rule does not hold: `cells` are (offset, kind, raw) by object, `sizes` of the live nodes.

    `here` are the `tables` of the heap with which the function began.
    """

    def there(number: int) -> dict[int, int]:
        return {
            offset: number_of(raw)
            for offset, kind, raw in cells.get(number, ())
            if kind == POINTER and isinstance(raw, int) and 0 < raw < TOKENS and not offset_of(raw)
        }

    kept = {number: each for number, each in here.items() if number >= GLOBALS or number in sizes}
    return any(
        (rule.holder, rule.begin) == (table.holder, table.begin) and _mixed(heads, there, rule.link, sizes)
        for table, heads in _led(kept, there)
        for rule in rules
    )


def _of(cells: Held) -> _Cells:
    return lambda number: cells.get(number, {})


def _led(here: Tables, there: _Cells) -> Iterator[tuple[Table, list[int]]]:
    """The tables of which several rows lead to nodes, with the numbers of these."""
    for number, found in here.items():
        for table in found:
            end = table.begin + table.rows * VOID_POINTER.size
            heads = [node for at, node in there(number).items() if table.begin <= at < end and node]
            if len(heads) > 1:
                yield table, heads


def _mixed(heads: Iterable[int], there: _Cells, link: int, live: Container[int]) -> bool:
    """Whether some node hangs in two rows that begin with these nodes."""
    others: set[int] = set()
    for head in heads:
        node, row = head, set[int]()
        while node in live and node not in row:
            if node in others:
                return True
            row.add(node)
            node = there(node).get(link, 0)
        others |= row
    return False
