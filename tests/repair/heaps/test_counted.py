"""Which numbers count nodes: not those from the last node on, and no elements of an array together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.graph import Place, VariableId
from wolverine.core.patch import Patch
from wolverine.core.trace import Assertion
from wolverine.core.types import ArrayType, Field, IntType, PointerType, StructReference, StructType, Types
from wolverine.repair.heaps.counted import counted, counting
from wolverine.repair.heaps.ends import ends
from wolverine.repair.heaps.entries import cases
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.together import together
from wolverine.semantics.address import number_of
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.counters import Counted, kept, possible

LINE = """#include <stdlib.h>
struct guest { int number; struct guest *behind; };
struct line { struct guest *first, *last; int length; };
void join(struct line *l, int number) {
    struct guest *g = malloc(sizeof *g);
    g->number = number;
    g->behind = NULL;
    FIRST
        l->last->behind = g;
    l->last = g;
    l->length++;
}
int main(void) {
    struct line *l = malloc(sizeof *l);
    l->length = 0;
    l->first = l->last = START;
    join(l, 1);
    join(l, 2);
    return 0;
}
"""
FROM_FIRST, FROM_LAST = (Counted(("line", 16), ("line", offset), (8,)) for offset in (0, 8))


@pytest.mark.parametrize(
    ("first", "start", "rules"),
    [
        ("if (l->first == NULL) l->first = g; else", "NULL", {FROM_FIRST, FROM_LAST}),  # one guest: both
        ("", "calloc(1, sizeof(struct guest))", set()),  # a guest that is none comes first
    ],
)
def test_nodes_are_counted_from_the_first_one(
    tmp_path: Path, first: str, start: str, rules: set[Counted]
) -> None:
    play = Play(program_of(LINE.replace("FIRST", first).replace("START", start), tmp_path))
    play.enter_function("join")
    play.to(12)
    layout = compile_program(play.program).layout
    assert kept(possible(play.program, layout), play.graph, layout) == rules


WITHIN = """#include <stdlib.h>
struct guest { int number; struct guest *behind; };
struct line { struct guest *first; int length; };
struct inn { int beds; struct line lines[2]; };
void join(struct line *l, int number) {
    struct guest *g = malloc(sizeof *g);
    g->number = number;
    g->behind = l->first;
    l->first = g;
    l->length++;
}
GLOBAL
int main(void) {
    LOCAL
    join(&inn.lines[0], 1);
    join(&inn.lines[1], 2);
    join(&inn.lines[1], 3);
    return 0;
}
"""
RULE = Counted(("line", 8), ("line", 0), (8,))


def third_guest(text: str, tmp_path: Path) -> Play:
    """Where the third one is to be put in."""
    play = Play(program_of(text, tmp_path))
    for _ in range(3):
        play.to(6, "join")
    play.open()
    return play


def test_structs_inside_of_variables_are_counted_too(tmp_path: Path) -> None:
    play = third_guest(WITHIN.replace("GLOBAL", "").replace("LOCAL", "struct inn inn = { 7 };"), tmp_path)
    layout = compile_program(play.program).layout
    assert kept(possible(play.program, layout), play.graph, layout) == {RULE}


@pytest.mark.parametrize("few", [False, True])
@pytest.mark.parametrize("length", [2, 3])
def test_links_that_are_not_asserted_tell_nothing(few: bool, length: int, tmp_path: Path) -> None:
    play = third_guest(WITHIN.replace("LOCAL", "").replace("GLOBAL", "struct inn inn;"), tmp_path)
    start, inn = play.graph, VariableId(-1, "", "inn")
    play.to(11)
    play.spec()
    trace = play.trace()
    [last] = [event for event in trace.events if isinstance(event, Assertion)]
    cells = {**last.cells, Place(inn, 32): length}
    if few:  # of what is behind the first one nothing is told
        cells = {place: value for place, value in cells.items() if place.object == inn}
    trace = replace(trace, events=(replace(last, cells=cells),))
    layout = compile_program(play.program).layout
    assert counted(play.program, layout, [start], trace) == ({RULE} if few or length == 2 else set())


BUCKETS = """#include <stdlib.h>
struct entry { int key; struct entry *next; };
struct entry *table[4];
int filled;
void put(int key) {
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    e->next = table[key % 4];
    table[key % 4] = e;
    filled++;
}
int main(void) {
    put(1);
    put(5);
    return 0;
}
"""


def test_buckets_keep_rules_by_chance(tmp_path: Path) -> None:
    play = Play(program_of(BUCKETS, tmp_path))
    play.enter_function("put")
    play.to(10)
    play.spec()
    trace = play.problem().traces[0]
    found = cases(play.program, trace, Menus(play.program), Patch(), {"put"})
    heaps = [case.heap for case in found if case.function == "put"]
    layout = compile_program(play.program).layout
    rules = together(layout, heaps, trace)
    assert not any(one[0] == two[0] for one, two in rules)


ALONE = """#include <stdlib.h>
struct item { int v; struct item *next; };
struct item *table[4], *list, *last;
void put(int v) {
    struct item *i = malloc(sizeof *i);
    i->v = v;
    i->next = NULL;
    table[v] = i;
}
int main(void) {
    put(1);
    put(2);
    last = table[2];
    list = table[1];
    list->next = last;
    put(1);
    put(3);
    return 0;
}
"""


def test_elements_lead_to_ends_by_chance(tmp_path: Path) -> None:
    play = Play(program_of(ALONE, tmp_path))
    play.open()
    play.to(18)
    play.spec()
    trace = play.problem().traces[0]
    rules = ends(compile_program(play.program).layout, [play.graph], trace)
    assert {rule.head is None for rule in rules} == {True, False}
    assert len(rules) == 2  # `last`, also behind `list`, and none of the elements


def test_the_outermost_array_of_a_cell() -> None:
    number = IntType("int", 4, True)
    row = ArrayType(number, 2)
    fields = (Field("n", 0, number), Field("rows", 8, ArrayType(row, 3)), Field("p", 32, PointerType(number)))
    types = Types({"table": StructType("table", 40, fields)})
    assert types.array_at(row, 4) == 0
    for offset, begin in ((0, None), (8, 8), (28, 8), (32, None)):
        assert types.array_at(StructReference("table"), offset) == begin
    tables = ArrayType(StructReference("table"), 2)
    for offset, begin in ((0, 0), (8, None), (28, None), (32, 0), (40, 40), (72, 40), (52, None)):
        assert types.record_at(tables, offset) == begin
    assert types.record_at(row, 4) is None


SCOPES = """#include <stdlib.h>
struct name { int level; struct name *next; };
struct name *names;
int level, known;
void open_scope(void) { level++; }
void add(void) {
    struct name *n = malloc(sizeof *n);
    n->level = level;
    n->next = names;
    names = n;
    known++;
}
void close_scope(void) {
    while (names != NULL && names->level == level) {
        struct name *n = names;
        names = n->next;
        free(n);
        known--;
    }
    level--;
}
int main(void) {
    open_scope();
    add();
    close_scope();
    return 0;
}
"""


@pytest.mark.parametrize("opened", ["level++;", "level++; add();", "level++; names = NULL;"])
def test_what_is_counted_where_no_node_comes_or_goes_counts_no_nodes(tmp_path: Path, opened: str) -> None:
    text = SCOPES.replace(
        "void open_scope(void) { level++; }", "void add(void);\nvoid open_scope(void) { OPENED }"
    )
    program = program_of(text.replace("OPENED", opened), tmp_path)
    layout = compile_program(program).layout
    numbers = {g.name: number_of(layout.address("", g)[1]) for g in program.globals}
    counting = {numbers["known"]} if opened == "level++;" else {numbers["known"], numbers["level"]}
    assert {rule.cell[0] for rule in possible(program, layout)} == counting


def test_what_is_empty_where_the_execution_begins_counts_nothing(tmp_path: Path) -> None:
    """A sum that is built up in an empty list is hardly ever given another one."""
    text = WITHIN.replace("GLOBAL", "").replace("LOCAL", "struct inn inn = { 7 };")
    play = third_guest(text, tmp_path)
    first = Play(play.program)
    first.enter_function("join")
    layout = compile_program(play.program).layout
    inn = layout.object_address(VariableId(0, "main", "inn"))
    assert inn is not None
    assert counting(play.program, layout, first.graph) == set()
    assert counting(play.program, layout, play.graph) == {number_of(inn)}
