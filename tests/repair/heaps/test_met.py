"""Inputs for functions whose nodes hang on several structures: consistent, and more than are met."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from playing import Play, program_of, unseen

from wolverine.core.graph import MemoryGraph, Node, NodeId, ObjectId, Place, Pointer
from wolverine.core.patch import Patch
from wolverine.core.types import StructReference
from wolverine.repair.heaps.entries import Case, cases
from wolverine.repair.menus.candidates import Menus

CACHE = """#include <stdlib.h>
struct entry { int key; struct entry *next, *chain; };
struct cache { struct entry *newest, *chains[3]; int held; };
struct cache cache;
void enter(struct cache *c, int key) {
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    e->chain = c->chains[key % 3];
    c->chains[key % 3] = e;
    e->next = c->newest;
    c->newest = e;
    c->held++;
}
int main(void) {
    enter(&cache, 4);
    enter(&cache, 7);
    enter(&cache, 2);
    return 0;
}
"""
NEWEST, CHAINS, HELD = 0, (8, 16, 24), 32
KEY, NEXT, CHAIN = 0, 8, 16


def _walked(heap: MemoryGraph, first: Place, link: int) -> list[Node]:
    found = []
    at = heap.cells[first]
    while isinstance(at, Pointer) and isinstance(at.object, NodeId):
        found.append(heap.nodes[at.object])
        at = heap.cells[Place(at.object, link)]
    return found


def _found(play: Play, name: str) -> list[Case]:
    """The runs for repairs of the function."""
    return cases(play.program, play.problem().traces[0], Menus(play.program), Patch(), {name})


def test_they_keep_what_holds_the_structures_together(tmp_path: Path) -> None:
    play = Play(program_of(CACHE, tmp_path))
    play.open()
    play.to(18)
    play.spec()
    found = _found(play, "enter")
    heaps = [case.heap for case in found if case.function == "enter"]
    sizes = set()
    for heap in heaps:
        [cache] = {place.object for place in heap.cells if getattr(place.object, "name", "") == "cache"}
        entries = [n for n in heap.nodes.values() if n.type == StructReference("entry")]
        listed = _walked(heap, Place(cache, NEWEST), NEXT)
        sizes.add(len(entries))
        if len(entries) > 1:
            assert len(listed) == len(entries) == heap.cells[Place(cache, HELD)]
            for number, offset in enumerate(CHAINS):
                chained = _walked(heap, Place(cache, offset), CHAIN)
                assert chained == [n for n in listed if _key(heap, n.id) % 3 == number]
    assert sizes >= {0, 1, 2, 3, 4}


def _key(heap: MemoryGraph, node: ObjectId) -> int:
    key = heap.cells[Place(node, KEY)]
    assert isinstance(key, int)
    return key


WIRES = """#include <stdlib.h>
struct wire { int volt; struct wire *out, *in; struct socket *from; };
struct socket { int id; struct wire *wires; };
struct wire *board;
void cut(struct wire *w) {
    w->volt = 0;
    w->from->wires = w->out;
}
int main(void) {
    struct socket *s = calloc(1, sizeof *s);
    for (int i = 1; i < 4; i++) {
        struct wire *w = calloc(1, sizeof *w);
        w->volt = i;
        w->from = s;
        w->out = s->wires;
        w->in = board;
        s->wires = board = w;
    }
    cut(board);
    return 0;
}
"""


def test_another_node_of_the_same_structures_is_given(tmp_path: Path) -> None:
    play = Play(program_of(WIRES, tmp_path))
    play.enter_function("cut")
    play.to(8)
    play.change("n4->volt", "7")
    play.spec()
    found = _found(play, "cut")
    given = set()
    for case in found:
        [parameter] = [v.id for v in case.heap.frames[0].variables if v.parameter]
        given.add(case.heap.cells[Place(parameter, 0)])
    assert given >= {Pointer(NodeId(number), 0) for number in (2, 3, 4)}


TRACKS = """#include <stdlib.h>
struct stop { int number; struct stop *north, *south; };
struct trip { struct stop *at; struct trip *then; };
struct plan { struct trip *first, *last; };
struct stop stops[3];
void plan(struct plan *p, struct stop *at) {
    struct trip *t = malloc(sizeof *t);
    t->at = at;
    t->then = NULL;
    if (p->last) p->last->then = t; else p->first = t;
    p->last = t;
}
struct stop *go(struct plan *p) {
    struct trip *t = p->first;
    struct stop *at = t->at;
    p->first = t->then;
    free(t);
    return at;
}
int main(void) {
    struct stop *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b), *c = calloc(1, sizeof *c);
    struct plan p = { NULL, NULL };
    a->north = b->north = c;
    a->south = b;
    b->south = a;
    c->south = b;
    plan(&p, a);
    return go(&p) == a;
}
"""


def test_what_only_leads_to_such_nodes_is_made_anew(tmp_path: Path) -> None:
    play = Play(program_of(TRACKS, tmp_path))
    play.enter_function("go")
    play.to(18)
    play.change("p->last", "null")
    play.spec()
    found = _found(play, "go")
    trips = [sum(n.type == StructReference("trip") for n in each.heap.nodes.values()) for each in found]
    assert {1, 2, 3} <= {*trips}


AROUND = CACHE.replace("e->next = c->newest;\n    c->newest = e;", "c->newest = e;\n    e->next = c->newest;")
SOUGHT = """int place(struct cache *c, int key) {
    int n = 0;
    for (struct entry *e = c->newest; e != NULL; e = e->next) {
        struct entry *none = NULL;
        if (n++ > 4)
            return none->key;
        if (e->key == key)
            break;
    }
    return n;
}
int main(void) {"""


def test_rings_that_a_fault_has_made_are_none_of_them(tmp_path: Path) -> None:
    text = AROUND.replace("int main(void) {", SOUGHT).replace("return 0;", "return place(&cache, 5);")
    play = Play(program_of(text, tmp_path))
    play.open()
    play.crash()
    trace = unseen(play.problem()).traces[0]
    assert trace.crash is not None
    # as if what crashed after some rounds had come to no end
    trace = replace(trace, events=(*trace.events[:-1], replace(trace.crash, endless=True)))
    found = cases(play.program, trace, Menus(play.program), Patch(), {"enter"})
    heaps = [case.heap for case in found if case.function == "enter"]
    assert any(len(heap.nodes) > 1 for heap in heaps)
    for heap in heaps:
        for node in heap.nodes:
            assert heap.cells[Place(node, NEXT)] != Pointer(node, 0)


TERMS = """#include <stdlib.h>
struct term { int leaf; union { int n; struct { struct term *one, *two; } both; } u; };
struct term *leaf(int n) {
    struct term *t = malloc(sizeof *t);
    t->leaf = 1;
    t->u.n = n;
    return t;
}
struct term *both(struct term *one, struct term *two) {
    struct term *t = malloc(sizeof *t);
    t->leaf = 0;
    t->u.both.one = one;
    t->u.both.two = two;
    return t;
}
int sum(struct term *t) {
    return t->leaf ? t->u.n : sum(t->u.both.one) + sum(t->u.both.two);
}
int main(void) {
    struct term *t = both(leaf(1), both(leaf(2), leaf(4)));
    return sum(t);
}
"""


def test_where_links_are_in_unions_the_parts_of_what_is_given_are_met_as_well(tmp_path: Path) -> None:
    play = Play(program_of(TERMS, tmp_path))
    play.open()
    play.to(22)
    play.spec()
    found = _found(play, "sum")
    given = set()
    for case in (each for each in found if each.function == "sum"):
        [parameter] = [v.id for v in case.heap.frames[0].variables if v.parameter]
        given.add(case.heap.cells[Place(parameter, 0)])
    assert given >= {Pointer(NodeId(number), 0) for number in range(1, 6)}


PATHS = """#include <stdlib.h>
struct fork { int n; struct fork *one, *two; };
struct path { struct fork *at; struct path *back; };
struct walk { struct path *last; };
void back(struct walk *w) { w->last->at->n++; w->last = w->last->back; }
void to(struct walk *w, struct fork *at) {
    struct path *p = malloc(sizeof *p);
    p->at = at;
    p->back = w->last;
    w->last = p;
}
int main(void) {
    struct fork *low = calloc(1, sizeof *low), *tops[2] = {calloc(1, sizeof *low), NULL};
    struct walk w = {NULL};
    tops[0]->one = low;
    to(&w, tops[0]);
    to(&w, low);
    back(&w);
    return 0;
}
"""


def test_a_list_of_nodes_that_hang_elsewhere_ends_earlier_as_well(tmp_path: Path) -> None:
    play = Play(program_of(PATHS, tmp_path))
    play.enter_function("back")
    play.to(5)
    play.spec()
    found = _found(play, "back")
    paths = [_walked(case.heap, _last(case.heap), 8) for case in found]
    assert {len(path) for path in paths if path and path[0].id == NodeId(4)} == {1, 2}


def _last(heap: MemoryGraph) -> Place:
    """Where the last path of the walk stands to which a parameter leads."""
    [parameter] = [v.id for v in heap.frames[0].variables if v.parameter]
    walk = heap.cells[Place(parameter, 0)]
    assert isinstance(walk, Pointer)
    return Place(walk.object, 0)


PRICED = (
    CACHE.replace("int held;", "int held; double worth;")
    .replace("struct cache *c, int key)", "struct cache *c, int key, double worth)")
    .replace("c->held++;", "c->held++; c->worth += worth;")
)


def test_a_function_that_is_given_floating_point_numbers_can_be_called_again(tmp_path: Path) -> None:
    text = PRICED.replace("4)", "4, 1.5)").replace("7)", "7, 2.5)").replace("2)", "2, 0.5)")
    play = Play(program_of(text, tmp_path))
    play.open()
    play.to(18)
    play.spec()
    found = _found(play, "enter")
    held = {
        sum(node.type == StructReference("entry") for node in case.heap.nodes.values())
        for case in found
        if case.function == "enter"
    }
    assert held >= {0, 1, 2, 3, 4}


BOUNDED = """#include <stdlib.h>
struct entry { int key; struct entry *older, *newer; };
struct cache { int room, held; struct entry *newest, *oldest, *rows[5]; };
void enter(struct cache *c, int key) {
    struct entry *e = malloc(sizeof *e), *last = c->oldest;
    if (c->held < c->room)
        c->held++;
    else {
        c->rows[last->key % 5] = NULL;
        c->oldest = last->newer;
        if (c->oldest != NULL)
            c->oldest->older = NULL;
        free(last);
    }
    e->key = key;
    c->rows[key % 5] = e;
    e->newer = NULL;
    e->older = c->newest;
    if (c->newest != NULL)
        c->newest->newer = e;
    c->newest = e;
    if (c->oldest == NULL)
        c->oldest = e;
}
int main(void) {
    struct cache *c = calloc(1, sizeof *c);
    c->room = 1;
    enter(c, 4);
    enter(c, 7);
    return 0;
}
"""
ROOM, COUNT, OLDEST, OLDER, NEWER = 0, 4, 16, 8, 16


def test_a_bound_that_is_met_is_raised(tmp_path: Path) -> None:
    play = Play(program_of(BOUNDED, tmp_path))
    play.to(29, "main")
    play.enter_function("enter")
    play.to(13)
    play.change("n1->newest", "null")
    play.spec()
    found = _found(play, "enter")
    full = set()
    for heap in (case.heap for case in found if case.function == "enter"):
        caches = [node.id for node in heap.nodes.values() if node.type == StructReference("cache")]
        for cache in caches:
            room, held = heap.cells[Place(cache, ROOM)], heap.cells[Place(cache, COUNT)]
            if room == held:
                full.add(len(_walked(heap, Place(cache, OLDEST), NEWER)))
    assert full >= {1, 2, 3}


HELPED = """#include <stdlib.h>
struct entry { int key; struct entry *next, *chain; };
struct entry *rows[4], *oldest, *newest;
int held;
void unchain(struct entry *e) {
    struct entry **at = &rows[e->key % 4];
    while (*at != e)
        at = &(*at)->chain;
    *at = e->chain;
}
void enter(int key) {
    struct entry *e, *gone = oldest;
    if (held == 2) {
        oldest = gone->next;
        unchain(gone);
        free(gone);
    } else
        held++;
    e = malloc(sizeof *e);
    e->key = key;
    e->next = NULL;
    e->chain = rows[key % 4];
    rows[key % 4] = e;
    if (oldest == NULL)
        oldest = e;
    else
        newest->next = e;
    newest = e;
}
int main(void) {
    enter(1);
    enter(5);
    enter(7);
    return 0;
}
"""


def test_a_function_that_takes_a_node_is_given_what_its_caller_gives_when_it_is_called_again(
    tmp_path: Path,
) -> None:
    play = Play(program_of(HELPED, tmp_path))
    play.to(15, "enter")
    play.enter_function("unchain")
    play.to(10)
    play.spec()
    found = _found(play, "unchain")
    given = set()
    for heap in (case.heap for case in found if case.function == "unchain"):
        [parameter] = heap.frames[0].variables[:1]
        e = heap.cells.get(Place(parameter.id, 0))
        if isinstance(e, Pointer):
            given.add(_key(heap, e.object))
    assert 7 in given  # which is made only when the call under way goes on
