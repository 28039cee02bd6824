"""What the source at a location can name."""

from __future__ import annotations

from pathlib import Path

from playing import program_of

from wolverine.core.expressions import lvalue_text, text
from wolverine.core.program import Program
from wolverine.core.types import INT, SIZE
from wolverine.repair.menus.vocabulary import Scope, Vocabulary

CHILDREN = """\
struct tree { int key; struct tree *child[2]; int many[8]; };
void turn(struct tree **link, int i) {
    struct tree *x = *link, *y = x->child[1];
    y->many[i] = 1;
    *link = y;
}
"""


GRANDCHILD = "int main(void) { struct tree *x = 0; return x && x->child[0]->child[1]; }"


def _vocabulary(tmp_path: Path, main: str = "int main(void) { return 0; }") -> tuple[Vocabulary, Scope]:
    program: Program = program_of(CHILDREN + main, tmp_path)
    function = program.functions["turn"]
    return Vocabulary(program, "turn"), (*function.parameters, *function.locals)


def test_every_element_of_a_short_array_is_named(tmp_path: Path) -> None:
    vocabulary, scope = _vocabulary(tmp_path)
    places = {lvalue_text(place) for place in vocabulary.places(scope)}
    assert {"x->child[0]", "x->child[1]", "y->child[0]", "y->child[1]", "(*link)->child[0]"} <= places


def test_of_a_long_array_the_elements_are_named_whose_subscripts_occur(tmp_path: Path) -> None:
    vocabulary, scope = _vocabulary(tmp_path)
    places = {lvalue_text(place) for place in vocabulary.places(scope)}
    assert {"x->many[i]", "y->many[i]", "y->many[1]"} <= places
    assert "x->many[0]" not in places
    without = tuple(v for v in scope if v.name != "i")
    assert not any("[i]" in lvalue_text(place) for place in vocabulary.places(without))


def test_a_pointer_to_a_pointer_takes_the_addresses_of_fields(tmp_path: Path) -> None:
    vocabulary, scope = _vocabulary(tmp_path)
    link = next(v for v in scope if v.name == "link")
    values = {text(value) for value in vocabulary.values(scope, link.type)}
    assert {"&x->child[1]", "&(*link)->child[1]"} <= values
    assert not any(value.startswith("&x->many") for value in values)


def test_a_node_further_on_is_written_to_and_not_read(tmp_path: Path) -> None:
    vocabulary, scope = _vocabulary(tmp_path)
    assert not vocabulary.further(scope)
    vocabulary, scope = _vocabulary(tmp_path, GRANDCHILD)
    further = {lvalue_text(place) for place in vocabulary.further(scope)}
    assert {"x->child[0]->child[1]", "(*link)->child[1]->child[0]"} <= further
    assert not further & {lvalue_text(place) for place in vocabulary.places(scope)}
    assert not any(place.endswith("key") for place in further)


def test_what_lies_beyond_a_link_that_is_tested_is_named(tmp_path: Path) -> None:
    tested = CHILDREN.replace("    *link = y;", "    if (y->child[0] != 0)\n        *link = y;")
    program = program_of(tested + "int main(void) { return 0; }", tmp_path)
    function = program.functions["turn"]
    scope = (*function.parameters, *function.locals)
    values = {text(v) for v in Vocabulary(program, "turn").values(scope, scope[-1].type)}
    assert "y->child[0]->child[1]" in values
    assert "y->child[1]->child[0]" not in values


CELLS = """\
#include <stdlib.h>
struct cell { void *data; void *next; };
struct cell *cons(void *data, struct cell *rest) {
    struct cell *c = malloc(sizeof(struct cell));
    c->data = data;
    c->next = rest;
    return c;
}
int length(struct cell *c) {
    int n = 0;
    for (; c != NULL; c = c->next)
        n++;
    return n;
}
int main(void) { return length(cons(NULL, NULL)); }
"""


def test_void_pointers_hold_what_the_program_converts_them_to(tmp_path: Path) -> None:
    program = program_of(CELLS, tmp_path)
    [c] = program.functions["length"].parameters
    vocabulary = Vocabulary(program, "length")
    assert "c->next" in {text(value) for value in vocabulary.values((c,), c.type)}
    assert "c->data" not in {text(value) for value in vocabulary.values((c,), c.type)}
    data, rest = program.functions["cons"].parameters
    assert "rest" in {text(value) for value in Vocabulary(program, "cons").values((data, rest), data.type)}


def test_what_is_declared_later_cannot_be_named(tmp_path: Path) -> None:
    program = program_of("int main(void) { int x = 1; int y = x; return y; }", tmp_path)
    gap, *_ = (each for each in program.locations if each.kind == "gap")
    assert gap.scope == ()
    assert Vocabulary(program, "main").scope(gap) == ()


def test_of_a_long_array_the_links_are_named_that_other_functions_name(tmp_path: Path) -> None:
    text = """\
struct quad { int width[4]; struct quad *part[4]; };
struct quad *corner(struct quad *q) { return q->part[3]; }
void cover(struct quad *over, struct quad *q) { over->part[0] = q; over->width[0] = 1; }
int grow(struct quad *q) { return q != 0; }
int main(void) { return 0; }
"""
    program = program_of(text, tmp_path)
    function = program.functions["grow"]
    places = {lvalue_text(place) for place in Vocabulary(program, "grow").places(function.parameters)}
    assert places == {"q", "q->part[0]", "q->part[3]"}


LINES = """\
struct job { struct job *next; };
static struct job *first, **last = &first;
static struct { struct job *first, **end; } waiting;
static int taken;
void take(void) {
    first = first->next;
    waiting.first = waiting.first->next;
    taken++;
}
int main(void) { waiting.end = &waiting.first; return last == 0; }
"""


def test_pointers_to_links_get_addresses_of_globals_that_no_statement_takes(tmp_path: Path) -> None:
    program = program_of(LINES, tmp_path)
    last = next(each for each in program.globals if each.name == "last")
    values = Vocabulary(program, "take").values(program.globals, last.type)
    assert {"&first", "&waiting.first"} <= {text(value) for value in values}


LISTED = """\
struct cell { int used; struct cell *rest; };
int counted(const char *s, int k)
{
    int n[200] = { 0 };
    int named[200] = { 0 };
    struct cell cells[50] = { { 0 } };
    while (*s)
        n[*s++ & 127]++;
    named[7] = n[k];
    return n[k] + named[k] + cells[k].used;
}
int main(int argc, char **argv) { return counted(argv[0], argc); }
"""


def test_what_a_list_gives_the_elements_of_an_array_names_none_of_them(tmp_path: Path) -> None:
    program = program_of(LISTED, tmp_path)
    function = program.functions["counted"]
    location = next(each for each in program.locations if each.text == "named[7] = n[k]")
    vocabulary = Vocabulary(program, function.name)
    places = {lvalue_text(place) for place in vocabulary.places(vocabulary.scope(location))}
    assert {"n[k]", "named[k]", "named[7]", "cells[k].used"} <= places
    assert not {"n[0]", "n[199]", "named[0]", "cells[0].used", "cells[49].rest"} & places


SIZED = """\
#include <stdlib.h>
static int *marks;
void mark(int count, int at) {
    marks = calloc(16, sizeof *marks);
    marks[at] = count + 7;
}
int main(void) { mark(3, 1); return 0; }
"""


def test_what_is_written_with_sizeof_is_a_value_only_where_a_size_is_wanted(tmp_path: Path) -> None:
    program = program_of(SIZED, tmp_path)
    vocabulary = Vocabulary(program, "mark")
    scope = program.functions["mark"].parameters
    numbers, sizes = ({text(each) for each in vocabulary.values(scope, kind)} for kind in (INT, SIZE))
    assert "7" in numbers & sizes
    assert "sizeof *marks" in sizes - numbers


DOCKS = """\
struct crane { int weight; struct crane *next; };
struct dock { struct crane *nearest; struct { int booked, free; } berths; int cranes; };
struct dock docks[9];
void close_one(struct dock *others, int i, struct crane *gone)
{
    docks[i].nearest = gone->next;
    others[i + 1].berths.free = 0;
}
int main(void) { return docks[0].cranes; }
"""


def test_of_an_element_all_fields_are_named(tmp_path: Path) -> None:
    """Also of an inner struct; of no other elements than those that the function names."""
    program = program_of(DOCKS, tmp_path)
    function = program.functions["close_one"]
    [docks] = program.globals
    places = {lvalue_text(p) for p in Vocabulary(program, "close_one").places((*function.parameters, docks))}
    assert {"docks[i].cranes", "docks[i].berths.booked", "docks[i].berths.free"} <= places
    assert {"others[i + 1].berths.booked", "others[i + 1].nearest", "others[i + 1].cranes"} <= places
    assert not any(place.startswith(("docks[0]", "docks[i + 1]")) for place in places)
    assert not any("[" in p for p in map(lvalue_text, Vocabulary(program, "close_one").places((docks,))))


ROOM = """\
struct bag { int held, room; long weight; };
int most;
void begin(struct bag *b) { b->held = 0; b->room = 6; b->weight = 90; most = 40; }
void grow(struct bag *b) { b->room = 2 * b->held; most++; }
int main(void) { struct bag b; begin(&b); b.held = 7; grow(&b); return 0; }
"""


def test_numbers_that_other_functions_set_named_fields_and_globals_to_are_values(tmp_path: Path) -> None:
    program: Program = program_of(ROOM, tmp_path)
    numbers = [number for number, _ in Vocabulary(program, "grow").numbers(INT)]
    assert {6, 40} <= set(numbers)
    assert 90 not in numbers  # that is of a field which it does not name
