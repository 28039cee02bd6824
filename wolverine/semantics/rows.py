"""Tables of lists whose rows are told by keys: on a fresh heap, too, a lookup has to find what is there.

Which function of the program tells the row, or whether it is the remainder of the key, is seen from the table
at the start: all that hangs there is in its row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product

from wolverine.core.expressions import Binary
from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer
from wolverine.core.parts import parts
from wolverine.core.program import Program
from wolverine.core.types import ArrayType, CType, IntType, PointerType, StructReference, Types
from wolverine.semantics.anew import Key, key_offset
from wolverine.semantics.asked import WORD, Asked
from wolverine.semantics.indexing import evaluated
from wolverine.semantics.shape import shape_at
from wolverine.semantics.words import is_text, text_at

Root = tuple[Place, str]

_KEYS = 5  # of one row: as many as a structure has nodes
_TRIED = 400  # keys, to find some for a row
_ROWS = 3  # that hold something on fresh heaps, besides the one of what is looked for
_SHOWN = 64  # nodes that are looked at
_SURE = 8  # rows of which one node shows the rule
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Table:
    """An array of lists: the cells of its rows by number."""

    tag: str
    length: int
    rows: dict[int, Place]


class Rows:
    """What is known of a table: `roots` without the rows that fresh heaps leave empty, and keys by root."""

    def __init__(self, roots: Sequence[Root], keys: dict[Place, tuple[Key, ...]]) -> None:
        self.roots = list(roots)
        self.keys = keys


def rows(program: Program, start: MemoryGraph, roots: Sequence[Root], given: Sequence[Key]) -> Rows:
    """The tables among the roots; `given` are the keys with which the function is called."""
    keys: dict[Place, tuple[Key, ...]] = {}
    left: set[Place] = set()
    for table in _tables(start, roots):
        rule = _rule(program, start, table)
        if rule is None:
            continue
        wanted = [row for key in given if (row := rule.row(key)) in table.rows]
        held = [row for row, place in table.rows.items() if isinstance(start.cells.get(place), Pointer)]
        empty = [row for row in table.rows if row not in held]
        chosen = list(dict.fromkeys([*wanted, *held[:_ROWS], *empty]))[: len(wanted) + _ROWS]
        for row, found in rule.keys(start, table, chosen, given).items():
            keys[table.rows[row]] = found
        left.update(place for place in table.rows.values() if place not in keys)
    return Rows([root for root in roots if root[0] not in left], keys)


# -- tables --------------------------------------------------------------------------------------------


def _tables(start: MemoryGraph, roots: Sequence[Root]) -> Iterator[Table]:
    found: dict[tuple[object, int, str], tuple[int, dict[int, Place]]] = {}
    for place, tag in roots:
        around = _array(start, place)
        if around is not None:
            base, step, length = around
            _, held = found.setdefault((place.object, base, tag), (length, {}))
            held[(place.offset - base) // step] = place
    for (_, _, tag), (length, held) in found.items():
        if length > 1:
            yield Table(tag, length, held)


def _array(start: MemoryGraph, place: Place) -> tuple[int, int, int] | None:
    """The array in which a cell lies: where it begins, the size of an element, how many there are."""
    if isinstance(place.object, NodeId):
        node = start.nodes[place.object]
        if node.count > 1 and node.type is not None:
            return 0, start.types.size(node.type), node.count
        ctype = node.type
    else:
        ctype = next((v.type for v in start.variables() if v.id == place.object), None)
    return _array_in(start.types, ctype, place.offset, 0)


def _array_in(types: Types, ctype: CType | None, at: int, base: int) -> tuple[int, int, int] | None:
    match ctype:
        case ArrayType(element, length):
            return base, types.size(element), length
        case StructReference(tag) if tag in types.structs:
            for field in types.structs[tag].fields:
                if field.offset <= at - base < field.offset + types.size(field.type):
                    return _array_in(types, field.type, at, base + field.offset)
    return None


# -- rules ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Rule:
    """`tells` says what a key comes to; its remainder by the table's length is its row."""

    tells: Callable[[Key], int | None]
    field: int
    text: bool
    length: int

    def row(self, key: Key) -> int | None:
        """The row of a key; None where it is not known."""
        if isinstance(key, bytes) != self.text:
            return None
        found = self.tells(key)
        return found % self.length if found is not None and found >= 0 else None

    def keys(
        self, start: MemoryGraph, table: Table, chosen: Sequence[int], given: Sequence[Key]
    ) -> dict[int, tuple[Key, ...]]:
        """Keys of these rows, ascending, `given` ones and those of the start's nodes among them."""
        found: dict[int, list[Key]] = {row: [] for row in chosen}
        present = (key for row in chosen for key in _keys_in(start, table, row, self.field, self.text))
        more = _words() if self.text else iter(range(_TRIED))
        for key in chain(given, present, more):
            row = self.row(key)
            if row in found and key not in found[row] and len(found[row]) < _KEYS:
                found[row].append(key)
            if all(len(each) == _KEYS for each in found.values()):
                break
        return {row: tuple(sorted(each)) for row, each in found.items() if each}


def _words() -> Iterator[bytes]:
    """Some words, short ones first."""
    made = (first + second for first, second in product(["", *_LETTERS], _LETTERS))
    return (word.encode() for word, _ in zip(made, range(_TRIED), strict=False))


def _rule(program: Program, start: MemoryGraph, table: Table) -> _Rule | None:
    """The one that the start's nodes keep, if they are enough to show it."""
    number = key_offset(start, shape_at(start, next(iter(table.rows.values())), table.tag))
    texts = _texts(start.types, table.tag)
    for field, text in [
        *((offset, True) for offset in texts),
        *([(number, False)] if number is not None else []),
    ]:
        there = ((key, row) for row in table.rows for key in _keys_in(start, table, row, field, text))
        shown = list(islice(there, _SHOWN))
        if not shown or (len(shown) == 1 and table.length < _SURE):
            continue
        for tells in _tellers(program, start, table, text):
            rule = _Rule(tells, field, text, table.length)
            if all(rule.row(key) == row for key, row in shown):
                return rule
    return None


def _texts(types: Types, tag: str) -> list[int]:
    """Where the texts of a struct are, by offset: the first one may be its key."""
    return [f.offset for f in types.structs[tag].fields if is_text(f.type) or _is_characters(f.type)][:1]


def _is_characters(ctype: CType) -> bool:
    return isinstance(ctype, ArrayType) and isinstance(ctype.element, IntType) and ctype.element.size == 1


def _keys_in(start: MemoryGraph, table: Table, row: int, field: int, text: bool) -> list[Key]:
    found: list[Key] = []
    for node in shape_at(start, table.rows[row], table.tag).nodes:
        place = Place(node, field)
        if text:
            held = start.cell_types.get(place)
            found.append(
                text_at(start, place) if isinstance(held, PointerType) else _characters(start, place)
            )
        elif isinstance(value := start.cells.get(place), int):
            found.append(value)
    return found


def _characters(start: MemoryGraph, place: Place) -> bytes:
    codes = (start.cells.get(Place(place.object, place.offset + at)) for at in range(WORD))
    return bytes(c & 255 for c in iter(lambda: next(codes, 0), 0) if isinstance(c, int))


def _tellers(
    program: Program, start: MemoryGraph, table: Table, text: bool
) -> Iterator[Callable[[Key], int | None]]:
    """What may tell rows: functions of the program that are given a key, and the key itself."""
    for function in program.functions.values():
        if isinstance(function.result, IntType) and function.code and not function.unsupported:
            for at, parameter in enumerate(function.parameters):
                if is_text(parameter.type) if text else isinstance(parameter.type, IntType):
                    asked = Asked(program, start, function, at, table.length)
                    if asked.ready:
                        yield asked.tell
    if not text and _divides(program):
        yield lambda key: key if isinstance(key, int) else None


def _divides(program: Program) -> bool:
    steps = (step for function in program.functions.values() for step in function.code)
    inside = (part for step in steps for each in evaluated(step) for part in parts(each))
    return any(isinstance(part, Binary) and part.operator in ("%", "&") for part in inside)
