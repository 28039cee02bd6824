"""What stretches say is what the cells said: for the machine, for pictures, for what is left."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wolverine.core.graph import MemoryGraph, NodeId, Place, Stretch, VariableId
from wolverine.core.program import Program
from wolverine.core.types import INT
from wolverine.repair.heaps.entries import fresh
from wolverine.repair.heaps.remains import Rules, alters, changes, remains
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import graph_of, seat
from wolverine.semantics.stretches import in_full, shortened

Entry = Callable[[Program], MemoryGraph]

BOARD = """\
#include <stdlib.h>
#include <string.h>
struct entry { int key; struct entry *next; };
struct token { int kind; char text[6]; struct entry *entry; };
struct board { int used; int marks[600]; struct entry *rows[900]; struct entry *last; };
static struct token lexed[700];
static int work(struct board *b, struct entry *e)
{
BODY
}
int main(void)
{
    struct board *b = calloc(1, sizeof *b);
    struct entry *e = malloc(sizeof *e);
    e->key = 750;
    e->next = NULL;
    memset(b->marks, -1, sizeof b->marks);
    b->rows[800] = e;
    lexed[500].kind = 3;
    lexed[500].text[1] = 'x';
    lexed[500].entry = e;
    return work(b, e);
}
"""
BODIES = {
    "nothing": "    return 0;",
    "read": "    b->used = b->marks[300] + (b->rows[400] == NULL);\n    return b->marks[299];",
    "written": "    b->marks[300] = 5;\n    b->rows[400] = e;\n    return b->rows[400]->key + b->marks[300];",
    "gone over": "    int n = 0;\n    for (int i = 0; i < 900; i++) if (b->rows[i]) n++;\n    return n;",
    "moved": "    b->marks[310] = 4;\n    memmove(b->marks + 200, b->marks + 300, 80);\n    return 0;",
    "set": "    memset(b->marks + 250, 0, 100 * sizeof(int));\n    return b->marks[300] + b->marks[400];",
    "copied": "    struct board *c = malloc(sizeof *c);\n    *c = *b;\n    return c->marks[300];",
    "reallocated": "    b = realloc(b, 2 * sizeof *b);\n    b->used = 3;\n    return b->marks[300];",
    "fields": "    lexed[300].text[2] = 'a';\n    lexed[600] = lexed[500];\n    return lexed[299].kind;",
    "all fields": "    int n = 0;\n    for (int i = 0; i < 700; i++) n += lexed[i].text[1];\n    return n;",
    "freed": "    free(b);\n    return 0;",
}


def given(lower: Callable[[str], Program], entry: Entry, body: str) -> tuple[Program, MemoryGraph]:
    """The program and the heap on which it calls `work`."""
    program = lower(BOARD.replace("BODY", BODIES[body]))
    work = program.functions["work"]
    machine = Machine(program, stops={"work": {min(unit.first for unit in work.units if unit.first >= 0)}})
    start = entry(program)
    seat(machine, start, (("main", 0),))
    assert machine.run(100_000) == "stop"
    return program, graph_of(machine, start)


def ran(program: Program, start: MemoryGraph) -> Machine:
    machine = Machine(program, stops={"work": {program.functions["work"].end}}, strict=True)
    seat(machine, start, (("work", 0),))
    machine.run(100_000)
    return machine


def test_the_middle_of_long_rows_is_left_out(lower: Callable[[str], Program], entry: Entry) -> None:
    _, start = given(lower, entry, "nothing")
    short = shortened(start)
    assert next((each.type, each.value) for each in short.stretches[NodeId(1)]) == (INT, -1)
    tokens = [each for each in short.stretches[VariableId(-1, "", "lexed")] if each.type == INT]
    assert [(each.count, each.step) for each in tokens] == [(500 - 72, 24)]  # the rest is not long
    assert len(short.cells) < len(start.cells) / 4
    assert shortened(short) == short
    whole = in_full(short)
    assert (whole.cells, whole.cell_types) == (start.cells, start.cell_types)


@pytest.mark.parametrize("body", BODIES)
def test_what_is_executed_meets_what_is_left_out(
    lower: Callable[[str], Program], entry: Entry, body: str
) -> None:
    program, start = given(lower, entry, body)
    left = [graph_of(ran(program, each), each) for each in (start, shortened(start))]
    one, other = map(in_full, left)
    assert {place: value for place, value in one.cells.items() if other.cells.get(place) != value} == {}
    assert one.nodes == other.nodes


def test_only_what_is_written_alters(lower: Callable[[str], Program], entry: Entry) -> None:
    seen = {}
    for body in ("gone over", "written"):
        program, start = given(lower, entry, body)
        machine = Machine(program, stops={"work": {program.functions["work"].end}}, strict=True)
        seat(machine, shortened(start), (("work", 0),))
        begun = machine.mark()
        before, *_ = remains(machine, None, [], 2, Rules())
        machine.run(100_000)
        after, *_ = remains(machine, None, [], 2, Rules())
        seen[body] = changes(machine, begun), alters((before, ""), (after, "")), before == after
    assert seen == {"gone over": (False, False, True), "written": (True, True, False)}


def test_another_type_is_none_of_a_stretch(lower: Callable[[str], Program], entry: Entry) -> None:
    program, start = given(lower, entry, "nothing")
    machine = Machine(program, strict=True)
    seat(machine, shortened(start), (("work", 0),))
    [stretch, *_] = machine.memory.stretches[1]
    [(key, raw), *_] = machine.memory.unwritten(1)
    assert machine.memory.miss(key) == raw == stretch.raw
    with pytest.raises(Unmodelled):
        machine.memory.miss(key - stretch.bits + (1 << 54))


def test_fresh_heaps_have_them(lower: Callable[[str], Program], entry: Entry) -> None:
    program, start = given(lower, entry, "gone over")
    heaps = fresh(program, start, "work")
    assert heaps
    assert all(len(heap.cells) < len(start.cells) / 4 for heap in heaps)
    held = {Place(NodeId(1), at) for at in Stretch(4 + 4 * 64, 100, 4, INT, -1).offsets}
    for heap in heaps:
        boards = [each.id for each in heap.nodes.values() if each.size == start.nodes[NodeId(1)].size]
        whole = in_full(heap)
        for board in boards:
            assert {whole.cells[Place(board, place.offset)] for place in held} == {-1}
