"""What fresh heaps hold: values that enumerations name, several structures of different sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wolverine.core.graph import UNINITIALISED, MemoryGraph, NodeId, Place, Pointer, VariableId
from wolverine.core.program import Program
from wolverine.core.types import StructReference
from wolverine.semantics.fresh import fresh_graphs, scattered

Walk = Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]]

QUEUES = """\
#include <stdlib.h>
enum state { WAITING = 3, READY = 5, DONE = 9 };
struct task { enum state state; int number; struct task *next; };
struct plan { struct task *now, *later, *done; };
void step(struct plan *p) { p->done = NULL; }
struct task *task(struct task *next)
{
    struct task *t = malloc(sizeof *t);
    t->state = WAITING;
    t->number = 1;
    t->next = next;
    return t;
}
int main(void)
{
    struct plan p = {task(NULL), task(NULL), task(NULL)};
    step(&p);
    return 0;
}
"""
TREE = """\
#include <stdlib.h>
enum kind { LEAF, SUM };
struct term { enum kind kind; int v; struct term *left, *right; };
int value(struct term *t) { return t->kind == LEAF ? t->v : value(t->left) + value(t->right); }
struct term *term(enum kind kind, struct term *left, struct term *right)
{
    struct term *t = malloc(sizeof *t);
    t->kind = kind;
    t->v = 1;
    t->left = left;
    t->right = right;
    return t;
}
int main(void) { return value(term(SUM, term(LEAF, NULL, NULL), term(LEAF, NULL, NULL))); }
"""


ROWS = """\
#include <stdlib.h>
struct owner { int age; };
struct row { int n; int *cells; struct owner *owner; struct row *next; };
struct table { struct row *first; };
static void work(struct table *t) { t->first->n++; }
static struct row *row(int n, struct owner *owner, struct row *next)
{
    struct row *r = malloc(sizeof *r);
    r->n = n;
    r->cells = calloc(2, sizeof(int));
    r->owner = OWNER;
    r->next = next;
    return r;
}
int main(void)
{
    struct table t;
    struct owner *one = calloc(1, sizeof *one);
    t.first = row(1, one, ROW);
    work(&t);
    return 0;
}
"""


def made(lower: Callable[[str], Program], walk: Walk, source: str, function: str) -> list[MemoryGraph]:
    program = lower(source)
    start = next(graph for stack, graph in walk(program) if stack[0][0] == function)
    heaps = fresh_graphs(program, start, ((function, 0),))
    assert heaps
    return heaps


def test_a_field_holds_what_its_enumeration_names(lower: Callable[[str], Program], walk: Walk) -> None:
    heaps = made(lower, walk, QUEUES, "step")
    held = [(p.offset, v) for heap in heaps for p, v in heap.cells.items() if isinstance(p.object, NodeId)]
    assert {value for offset, value in held if offset == 0} == {3, 5, 9}
    assert len({value for offset, value in held if offset == 4}) > 3


def test_in_a_tree_it_goes_with_the_links(lower: Callable[[str], Program], walk: Walk) -> None:
    """What the execution shows of a node stays together: another kind would have other children."""
    for heap in made(lower, walk, TREE, "value"):
        kinds = {v for p, v in heap.cells.items() if isinstance(p.object, NodeId) and p.offset == 0}
        assert kinds <= {0, 1}


def test_of_three_structures_each_is_empty_where_others_are_not(
    lower: Callable[[str], Program], walk: Walk
) -> None:
    ways = set()
    for heap in made(lower, walk, QUEUES, "step"):
        plan = VariableId(0, "main", "p")
        ways.add(tuple(heap.cells[Place(plan, offset)] is None for offset in (0, 8, 16)))
    assert ways >= {(True, False, False), (False, True, False), (False, False, True), (True,) * 3}


TABLE = """\
#include <stdlib.h>
struct entry { int key; struct entry *next; };
struct entry *table[900];
int find(int key)
{
    struct entry *e;
    for (e = table[key % 900]; e != NULL; e = e->next)
        if (e->key == key)
            return 1;
    return 0;
}
int main(void)
{
    struct entry *e = malloc(sizeof *e);
    e->key = 750;
    e->next = NULL;
    table[750] = e;
    return find(750);
}
"""


def test_of_a_long_table_a_few_rows_are_varied(lower: Callable[[str], Program], walk: Walk) -> None:
    rows = set()
    for heap in made(lower, walk, TABLE, "find"):
        rows |= {place.offset // 8 for place in heap.cells if isinstance(heap.cells[place], Pointer)}
    assert 750 in rows
    assert 3 <= len(rows) <= 12


SONGS = """\
#include <stdlib.h>
struct song { int length; struct song *next; };
struct list { struct song *first, *playing; } list;
void add(int length)
{
    struct song *s = malloc(sizeof *s);
    s->length = length;
    s->next = list.first;
    list.first = s;
}
void forward(void) { if (list.playing != NULL) STEP; }
int main(void)
{
    add(1);
    add(2);
    add(3);
    list.playing = list.first;
    forward();
    return 0;
}
"""


def playing(heaps: list[MemoryGraph]) -> set[tuple[int, object]]:
    """Of how many songs which one is played, by number."""
    place = Place(VariableId(-1, "", "list"), 8)
    return {
        (len(heap.nodes), getattr(getattr(heap.cells[place], "object", None), "number", None))
        for heap in heaps
    }


def test_what_goes_on_from_node_to_node_stands_at_each(lower: Callable[[str], Program], walk: Walk) -> None:
    moving = playing(made(lower, walk, SONGS.replace("STEP", "list.playing = list.playing->next"), "forward"))
    assert {(3, 1), (3, 2), (3, 3)} <= moving
    still = playing(made(lower, walk, SONGS.replace("STEP", "list.playing = NULL"), "forward"))
    assert {number for size, number in still if size > 1} == {1}


def test_at_the_end_the_one_that_goes_on_is_no_end(lower: Callable[[str], Program], walk: Walk) -> None:
    begun = "list.playing = list.first;"
    last = "while (list.playing->next != NULL) list.playing = list.playing->next;"
    text = SONGS.replace("STEP", "list.playing = list.playing->next").replace(begun, f"{begun} {last}")
    assert {(3, 3)} == {each for each in playing(made(lower, walk, text, "forward")) if each[0] == 3}
    with_end = text.replace("*playing; }", "*playing, *end; }").replace(
        last, f"{last} list.end = list.playing;"
    )
    assert {(3, 1), (3, 2), (3, 3)} <= playing(made(lower, walk, with_end, "forward"))


@given(st.integers(1, 400))
def test_of_the_graphs_of_one_size_each_comes_once(count: int) -> None:
    steps = list(scattered(count))
    assert sorted(steps) == list(range(count))
    if count > 20:
        assert all(abs(one - two) > 2 for one, two in pairwise(steps))


EDGES = """
#include <stdlib.h>
struct edge { int to; struct edge *next; };
int seen[64];
void visit(struct edge *e) { for (; e != NULL; e = e->next) seen[e->to]++; }
int main(void) {
    struct edge *first = NULL;
    for (int i = 0; i < 3; i++) {
        struct edge *e = malloc(sizeof *e);
        e->to = i % 2;
        e->next = first;
        first = e;
    }
    visit(first);
    return 0;
}
"""


def test_what_indexes_arrays_is_no_greater_than_it_was(lower: Callable[[str], Program], walk: Walk) -> None:
    heaps = made(lower, walk, EDGES, "visit")
    held = [
        {
            value
            for place, value in heap.cells.items()
            if isinstance(place.object, NodeId) and not place.offset
        }
        for heap in heaps
    ]
    assert max(len(heap.nodes) for heap in heaps) > 2
    assert set().union(*held) <= {0, 1}


LETTERS = """
#include <stdlib.h>
struct letter { char what; struct letter *next; };
struct letter *find(struct letter *l, char what) { while (l && l->what != what) l = l->next; return l; }
struct letter *letter(char what, struct letter *next)
{
    struct letter *l = malloc(sizeof *l);
    l->what = what;
    l->next = next;
    return l;
}
int main(void) { return find(letter('q', letter('m', letter('t', NULL))), 'm') == NULL; }
"""


def test_characters_are_like_those_of_the_start(lower: Callable[[str], Program], walk: Walk) -> None:
    heaps = made(lower, walk, LETTERS, "find")
    fields = [
        {
            heap.cells[Place(node, 0)]
            for node, each in heap.nodes.items()
            if each.type == StructReference("letter")
        }
        for heap in heaps
    ]
    assert max(map(len, fields)) > 2 and all(97 <= value <= 122 for each in fields for value in each)
    sought = [heap.cells[Place(VariableId(1, "find", "what"), 0)] for heap in heaps]
    found = [value in each for value, each in zip(sought, fields, strict=True)]
    assert any(found) and not all(found)


SHELVES = """
#include <stdlib.h>
struct book { int pages; struct book *next; };
struct book *shelves[3];
void put(char shelf, int pages)
{
    struct book *b = malloc(sizeof *b);
    b->pages = pages;
    b->next = shelves[shelf - 'A'];
    shelves[shelf - 'A'] = b;
}
int main(void) { put('B', 100); return 0; }
"""


def test_letters_by_which_something_is_named_are_beside_each_other(
    lower: Callable[[str], Program], walk: Walk
) -> None:
    named = [
        heap.cells[Place(VariableId(1, "put", "shelf"), 0)] for heap in made(lower, walk, SHELVES, "put")
    ]
    assert {ord("A"), ord("B"), ord("C")} <= set(named)


@pytest.mark.parametrize(
    ("owner", "row", "own"),
    [
        ("calloc(1, sizeof *owner)", "row(2, one, NULL)", {8: True, 16: True}),
        ("owner", "row(2, one, NULL)", {8: True, 16: False}),  # both have the same
        ("owner", "NULL", {8: True, 16: False}),  # of one node nothing tells
    ],
)
def test_what_each_node_has_for_itself_is_shared_by_none(
    lower: Callable[[str], Program], walk: Walk, owner: str, row: str, own: dict[int, bool]
) -> None:
    heaps = made(lower, walk, ROWS.replace("OWNER", owner).replace("ROW", row), "work")
    large = [heap for heap in heaps if len(rows_of(heap)) > 2]
    assert large
    for heap in large:
        for offset, alone in own.items():
            held = [heap.cells[Place(node, offset)] for node in rows_of(heap)]
            led = [value.object for value in held if isinstance(value, Pointer)]
            assert len(led) == len(held)
            assert (len(set(led)) == len(led)) is alone
            assert all(heap.nodes[node].state == "live" for node in led if isinstance(node, NodeId))


def rows_of(heap: MemoryGraph) -> list[NodeId]:
    return [node for node, each in heap.nodes.items() if each.type == StructReference("row")]


LANES = """\
#include <stdlib.h>
struct car { int speed; struct car *behind; };
struct lane { struct car *front, *rear; };
static void change(struct lane *from, struct lane *to)
{
    struct car *c = from->front;
    if (c == NULL)
        return;
    from->front = c->behind;
    if (from->front == NULL)
        from->rear = NULL;
    c->behind = NULL;
    if (to->rear != NULL)
        to->rear->behind = c;
    else
        to->front = c;
    to->rear = c;
}
static struct car *car(int speed, struct car *behind)
{
    struct car *c = malloc(sizeof *c);
    c->speed = speed;
    c->behind = behind;
    return c;
}
int main(void)
{
    struct lane slow = {NULL, NULL}, fast = {NULL, NULL};
    slow.rear = car(3, NULL);
    slow.front = car(5, slow.rear);
    change(&slow, &fast);
    return 0;
}
"""


def test_what_is_empty_has_its_ends_where_others_of_its_type_have_them(
    lower: Callable[[str], Program], walk: Walk
) -> None:
    sizes = set()
    for heap in made(lower, walk, LANES, "change"):
        fast = VariableId(0, "main", "fast")
        at, last, size = heap.cells[Place(fast, 0)], None, 0
        while isinstance(at, Pointer):
            last, at, size = at, heap.cells[Place(at.object, 8)], size + 1
        assert heap.cells[Place(fast, 8)] == last
        sizes.add(size)
    assert {0, 1, 2} <= sizes


ARRAYS = {
    "of a function": "struct lane road[3] = {{NULL, NULL}};",
    "on the heap": "struct lane *road = calloc(3, sizeof *road);",
}


@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
def test_so_it_is_with_what_is_empty_in_an_array(
    lower: Callable[[str], Program], walk: Walk, array: str
) -> None:
    source = LANES.replace("struct lane slow = {NULL, NULL}, fast = {NULL, NULL};", array)
    source = source.replace("slow", "road[0]").replace("fast", "road[1]").replace("car(5", "car(4")
    sizes = set()
    for heap in made(lower, walk, source, "change"):
        given = heap.cells[Place(VariableId(1, "change", "to"), 0)]
        assert isinstance(given, Pointer)
        at, last, size = heap.cells[Place(given.object, given.offset)], None, 0
        while isinstance(at, Pointer):
            last, at, size = at, heap.cells[Place(at.object, 8)], size + 1
        assert heap.cells[Place(given.object, given.offset + 8)] == last
        sizes.add(size)
    assert {0, 1, 2} <= sizes


RINGS = """\
#include <stdlib.h>
struct seat { int number; struct seat *right; };
struct seat *table, *spare;
static int count(void)
{
    return table != NULL && spare != NULL;
}
static struct seat *seat(int number)
{
    struct seat *s = malloc(sizeof *s);
    s->number = number;
    s->right = s;
    return s;
}
int main(void)
{
    table = seat(1);
    table->right = seat(2);
    table->right->right = table;
    return count();
}
"""


def test_what_is_empty_is_a_ring_where_others_of_its_type_are(
    lower: Callable[[str], Program], walk: Walk
) -> None:
    sizes = set()
    for heap in made(lower, walk, RINGS, "count"):
        lengths = []
        for name in ("table", "spare"):
            first = at = heap.cells[Place(VariableId(-1, "", name), 0)]
            size = 0
            while isinstance(at, Pointer) and (not size or at != first):
                at, size = heap.cells[Place(at.object, 8)], size + 1
            assert at == first
            lengths.append(size)
        sizes.add(tuple(lengths))
    assert {(3, 0), (0, 3), (2, 1)} <= sizes


LEVELS = """\
#include <stdlib.h>
struct item { int n; struct item *prev, *next, *child; };
static int flat(struct item *first)
{
    return first->child == NULL;
}
static struct item *item(int n, struct item *prev)
{
    struct item *i = calloc(1, sizeof *i);
    i->n = n;
    i->prev = prev;
    if (prev)
        prev->next = i;
    return i;
}
int main(void)
{
    struct item *first = item(1, NULL), *second = item(2, first);
    second->child = item(3, NULL);
    item(4, second->child);
    return flat(first);
}
"""


def test_nodes_that_are_linked_by_different_fields_are_a_tree(
    lower: Callable[[str], Program], walk: Walk
) -> None:
    children = 0
    for heap in made(lower, walk, LEVELS, "flat"):
        for node in heap.nodes:
            following, child = (heap.cells[Place(node, offset)] for offset in (16, 24))
            if isinstance(following, Pointer):
                assert heap.cells[Place(following.object, 8)] == Pointer(node)
            if isinstance(child, Pointer):
                assert heap.cells[Place(child.object, 8)] is None
                children += 1
    assert children


FAMILY = """\
#include <stdlib.h>
struct person { int born; struct person *parent, *child, *sibling; };
static int generations(struct person *p)
{
    int n = 0;
    for (; p != NULL; p = p->parent)
        n++;
    return n;
}
static struct person *person(int born, struct person *parent)
{
    struct person *p = calloc(1, sizeof *p);
    p->born = born;
    p->parent = parent;
    if (parent) {
        p->sibling = parent->child;
        parent->child = p;
    }
    return p;
}
int main(void)
{
    struct person *first = person(1, NULL);
    person(2, first);
    person(3, person(4, first));
    return generations(first->child->sibling);
}
"""


def test_siblings_have_one_parent_and_the_topmost_node_has_none(
    lower: Callable[[str], Program], walk: Walk
) -> None:
    several = set()
    for heap in made(lower, walk, FAMILY, "generations"):
        below = 0
        for node in heap.nodes:
            parent, child, sibling = (heap.cells[Place(node, offset)] for offset in (8, 16, 24))
            if isinstance(child, Pointer):
                assert heap.cells[Place(child.object, 8)] == Pointer(node)
            if isinstance(sibling, Pointer):
                assert parent is not None
                assert heap.cells[Place(sibling.object, 8)] == parent
                below += 1
        several.add(below)
    assert max(several) > 2


def test_a_node_may_lead_to_the_last_of_its_children_as_well(
    lower: Callable[[str], Program], walk: Walk
) -> None:
    program = FAMILY.replace("*sibling;", "*sibling, *youngest;").replace(
        """p->sibling = parent->child;
        parent->child = p;""",
        """if (parent->youngest) parent->youngest->sibling = p; else parent->child = p;
        parent->youngest = p;""",
    )
    lengths = set()
    for heap in made(lower, walk, program, "generations"):
        for node in heap.nodes:
            at, youngest = (heap.cells[Place(node, offset)] for offset in (16, 32))
            last, length = at, 0
            while isinstance(at, Pointer):
                last, at, length = at, heap.cells[Place(at.object, 24)], length + 1
            assert youngest == last
            lengths.add(length)
    assert {0, 1, 2} < lengths


ROADS = """\
#include <stdlib.h>
struct town { int far; struct road *roads; struct town *next; };
struct road { int length; struct town *to; struct road *next; };
struct town *towns;
int walk(struct town *t)
{
    int n = 0;
    for (struct road *r = t->roads; r != NULL; r = r->next)
        n += r->length + r->to->far;
    return n;
}
static struct town *town(int far)
{
    struct town *t = malloc(sizeof *t);
    t->far = far;
    t->roads = NULL;
    t->next = towns;
    return towns = t;
}
static void road(struct town *from, struct town *to)
{
    struct road *r = malloc(sizeof *r);
    r->length = 1;
    r->to = to;
    r->next = from->roads;
    from->roads = r;
}
int main(void)
{
    struct town *a = town(1), *b = town(2), *c = town(3);
    road(a, b);
    road(b, c);
    road(c, LAST);
    return walk(a);
}
"""


@pytest.mark.parametrize(("last", "always"), [("a", True), ("NULL", False)])
def test_what_always_leads_to_another_structure_leads_there_whatever_is_made(
    lower: Callable[[str], Program], walk: Walk, last: str, always: bool
) -> None:
    """Where there are fewer towns than there were, roads lead to those that there are."""
    led = []
    for heap in made(lower, walk, ROADS.replace("LAST", last), "walk"):
        nodes = [node for node, each in heap.nodes.items() if each.type == StructReference("road")]
        if any(each.type == StructReference("town") for each in heap.nodes.values()):
            led += [heap.cells[Place(node, 8)] for node in nodes]
    assert led and all(isinstance(each, Pointer) for each in led) is always


CHUNKS = """\
#include <stdlib.h>
struct chunk { TYPE used; struct chunk *next; };
struct rope { struct chunk *first; long length; };
int at(struct rope *r, int place)
{
    for (struct chunk *c = r->first; c != NULL; c = c->next) {
        if (place < c->used)
            return place;
        place -= c->used;
    }
    return -1;
}
static struct chunk *chunk(int used, struct chunk *next)
{
    struct chunk *c = malloc(sizeof *c);
    c->used = used;
    c->next = next;
    return c;
}
int main(void)
{
    struct rope r = {chunk(5, chunk(3, NULL)), LENGTH};
    return at(&r, 6);
}
"""


@pytest.mark.parametrize(
    ("ctype", "length", "summed"), [("long", "8", True), ("unsigned char", "8", True), ("long", "9", False)]
)
def test_a_record_goes_on_telling_what_its_nodes_add_up_to(
    lower: Callable[[str], Program], walk: Walk, ctype: str, length: str, summed: bool
) -> None:
    heaps = made(lower, walk, CHUNKS.replace("TYPE", ctype).replace("LENGTH", length), "at")
    told = []
    for heap in heaps:
        used = [v for p, v in heap.cells.items() if isinstance(p.object, NodeId) and p.offset == 0]
        numbers = [each for each in used if isinstance(each, int)]
        told.append(heap.cells[Place(VariableId(0, "main", "r"), 8)] == sum(numbers))
    assert len(told) > 3 and all(told) is summed


ALARMS = """\
#include <stdlib.h>
struct alarm { int due; void (*rings)(struct alarm *); struct alarm *next; };
struct clock { struct alarm *today, *later; };
static void ring(struct alarm *a) { a->due = 0; }
static void strike(struct clock *c)
{
    for (struct alarm *a = c->today; a != NULL; a = a->next)
        a->rings(a);
}
int main(void)
{
    struct clock c = {NULL, NULL};
    c.later = malloc(sizeof *c.later);
    c.later->due = 1;
    c.later->rings = ring;
    c.later->next = NULL;
    strike(&c);
    return 0;
}
"""


def test_nodes_of_what_is_empty_have_the_functions_that_others_have(
    lower: Callable[[str], Program], walk: Walk
) -> None:
    held = []
    for heap in made(lower, walk, ALARMS, "strike"):
        held += [v for p, v in heap.cells.items() if isinstance(p.object, NodeId) and p.offset == 8]
    assert len(held) > 3 and None not in held


MERGED = """\
#include <stdlib.h>
struct term { int deg; struct term *next; };
static struct term *term(int deg, struct term *next)
{
    struct term *t = malloc(sizeof *t);
    t->deg = deg;
    t->next = next;
    return t;
}
static int sum(struct term *a, struct term *b)
{
    return a->deg + b->deg;
}
int main(void)
{
    return sum(term(5, term(3, term(1, NULL))), term(6, term(4, term(2, NULL))));
}
"""


def test_sorted_lists_have_equal_values_now_and_then(lower: Callable[[str], Program], walk: Walk) -> None:
    shared = set()
    for heap in made(lower, walk, MERGED, "sum"):
        lists = []
        for name in ("a", "b"):
            at, held = heap.cells[Place(VariableId(1, "sum", name), 0)], []
            while isinstance(at, Pointer):
                held.append(heap.cells[Place(at.object, 0)])
                at = heap.cells[Place(at.object, 8)]
            assert held == sorted(set(held), reverse=True)
            lists.append({*held})
        if all(lists):
            shared.add(not lists[0].isdisjoint(lists[1]))
    assert shared == {True, False}


JOBS = """
#include <stdlib.h>
struct job { int id, length; };
struct queue { int n; struct job *jobs[8]; };
int least(struct queue *q) {
    int at = 0;
    for (int i = 1; i < q->n; i++)
        if (q->jobs[i]->length < q->jobs[at]->length)
            at = i;
    return q->jobs[at]->id;
}
int main(void) {
    struct queue q = { 0 };
    int lengths[] = { 5, 2, 9 };
    for (; q.n < 3; q.n++) {
        q.jobs[q.n] = malloc(sizeof **q.jobs);
        q.jobs[q.n]->id = q.n + 1;
        q.jobs[q.n]->length = lengths[q.n];
    }
    return least(&q);
}
"""


def test_a_table_of_nodes_comes_in_other_orders(lower: Callable[[str], Program], walk: Walk) -> None:
    found = []
    for heap in made(lower, walk, JOBS, "least"):
        nodes = sorted(heap.nodes, key=lambda node: node.number)
        assert [heap.cells[Place(node, 0)] for node in nodes] == [1, 2, 3]
        found.append([heap.cells[Place(node, 4)] for node in nodes])
    assert found == [[5, 2, 9], [9, 5, 2], [2, 5, 9], [2, 9, 5], [5, 5, 5]]


LENT = """\
#include <stdlib.h>
struct card { const int *number; struct card *next; };
static int worth(struct card *c) { return c == 0 ? 0 : *c->number + worth(c->next); }
int main(void)
{
    int numbers[3] = {7, 8, 9}, other[2] = {1, 2};
    struct card *all = calloc(1, sizeof *all);
    all->number = &numbers[1];
    all->next = 0;
    return worth(all) + other[0];
}
"""


def test_what_nodes_lead_to_in_callers_keeps_its_values(lower: Callable[[str], Program], walk: Walk) -> None:
    for heap in made(lower, walk, LENT, "worth"):
        held = {
            (place.object.name, place.offset): value
            for place, value in heap.cells.items()
            if isinstance(place.object, VariableId) and place.object.function == "main"
        }
        assert [held["numbers", offset] for offset in (0, 4, 8)] == [7, 8, 9]
        assert held["other", 0] == UNINITIALISED  # nothing leads there
