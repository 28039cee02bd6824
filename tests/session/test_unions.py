"""Unions: what they lead to is reached and drawn, and their members can be corrected."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from played_session import Played

from wolverine.draw import layout, terminal
from wolverine.errors import CommandError
from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
struct expr {
    int kind;
    union {
        int value;
        struct { struct expr *left, *right; } op;
    };
};
static struct expr *number(int value) {
    struct expr *made = malloc(sizeof *made);
    made->kind = 0;
    made->value = value;
    return made;
}
static struct expr *sum(struct expr *left, struct expr *right) {
    struct expr *made = malloc(sizeof *made);
    made->kind = 1;
    made->op.left = left;
    made->op.right = right;
    return made;
}
int main(void) {
    struct expr *e = sum(sum(number(1), number(2)), NULL);
    e->op.left = NULL;
    return 0;
}
"""


def states(session: Played) -> list[str]:
    nodes = session.last(results.Graph).data["nodes"]
    return [node["state"] for node in sorted(nodes, key=lambda node: int(node["name"][1:]))]


def test_what_a_union_leads_to_is_lost_when_the_pointer_goes(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False)
    session("start; next")
    assert states(session) == ["live"] * 4
    assert "op.left  n3" in session.last(results.Graph).picture
    session("next")
    assert states(session) == ["leaked", "leaked", "leaked", "live"]


LEADS = """\
#include <stdlib.h>
struct n { int tag; union { struct n *p; long l; } u; };
struct n *g;
int main(void) {
    g = calloc(1, sizeof *g);
    g->u.p = calloc(1, sizeof *g);
    g->u.p->u.p = calloc(1, sizeof *g);
    g->tag = 1;
    return 0;
}
"""


def test_what_only_a_union_leads_to_has_its_type_and_is_reached(play: Callable[..., Played]) -> None:
    session = play(LEADS, json=False)
    session("break 8; run")
    assert states(session) == ["live"] * 3
    assert [node["type"] for node in session.last(results.Graph).data["nodes"]] == ["struct n"] * 3
    session("why n3")
    assert session.texts().endswith("it can be reached: n2.u.p")


def test_a_pointer_in_a_union_is_drawn_as_one(play: Callable[..., Played]) -> None:
    session = play(LEADS, json=False)
    session("break 8; run")
    picture = session.last(results.Graph).picture
    assert "u.p n2" in picture and "u.p n3" in picture
    assert picture.count("▶") == 2
    assert "lost" not in picture


VALUES = """\
#include <stdlib.h>
#include <string.h>
struct value {
    int kind;
    union {
        int i;
        char s[8];
        struct { struct value *a, *b; } pair;
        unsigned low : 3;
    } u;
    union { short first; long whole; };
};
int main(void) {
    struct value *a = calloc(1, sizeof *a);
    struct value *b = malloc(sizeof *b);
    strcpy(a->u.s, "hello");
    a->kind = a->u.i;
    return b == a;
}
"""


def test_of_a_union_the_member_in_use_is_drawn_and_all_where_none_is_known(
    play: Callable[..., Played],
) -> None:
    session = play(VALUES, json=False)
    session("break 17; run")
    picture = session.last(results.Graph).picture
    assert 'u.s   "hello"' in picture and "u.i" not in picture
    assert "first 0" in picture and "whole 0" in picture


def printed(session: Played, expression: str) -> str:
    (answer,) = session(f"print {expression}")[:1]
    return answer.text.strip().partition(" = ")[2]


def test_members_of_unions_are_changed_in_the_process_and_in_the_model(play: Callable[..., Played]) -> None:
    session = play(VALUES, json=False)
    session("break 17; run; change a->u.i 43")
    assert session.last(results.Changed).place == "n1.u.i"
    assert session.last(results.Changed).after == 43
    assert printed(session, "a->u.i") == "43"
    session("change a->u.pair.b n2")
    assert printed(session, "a->u.pair.b == b") == "1"
    session("change a->u.pair.b->kind 5")
    assert printed(session, "b->kind") == "5"
    session("change a->u.pair.b null; undo")
    assert session.last(results.Changed).after == "n2"
    assert printed(session, "a->u.pair.b == b") == "1"
    session("change a->u.pair.a n1; change a->u.pair.a null; undo")
    assert (session.last(results.Changed).place, session.last(results.Changed).after) == ("n1.u.pair.a", "n1")
    session("undo; change a->u.s[1] 'e'; change a->first 7; change a->u.low 6")
    assert printed(session, "a->u.s[1]") == "101 'e'"
    assert printed(session, "a->whole") == "7"
    assert printed(session, "a->u.low") == "6"
    session("next")  # a->kind = a->u.i
    assert session.fields("n1")["kind"] == int.from_bytes(b"\x2ee\0\0", "little")


def test_what_a_union_does_not_have_is_said(play: Callable[..., Played]) -> None:
    session = play(VALUES, json=False)
    session("break 17; run")
    with pytest.raises(CommandError, match="its fields are i, s, pair, low"):
        session("change a->u.j 1")
    with pytest.raises(CommandError, match="its fields are kind, u, first, whole"):
        session("change a->third 1")


TAGGED = """\
#include <stdlib.h>
#include <string.h>
struct list { int count; struct value *first; };
struct value { int tag; union { char *text; struct list *list; int *numbers; double real; } as; };
int main(void) {
    struct value *all = calloc(4, sizeof *all), *empty = calloc(1, sizeof *empty);
    all[0].as.text = strdup("hi");
    all[1].as.list = calloc(1, sizeof(struct list));
    all[2].as.text = strdup("as long as two of them.");
    all[3].as.real = 1.5;
    empty->as.text = strdup("");
    return 0;
}
"""


def test_what_a_union_leads_to_is_what_it_holds(play: Callable[..., Played]) -> None:
    played = play(TAGGED)
    played("break 12\nrun")
    graph = played.last(results.Graph)
    types = {node["name"]: node["type"] for node in graph.data["nodes"]}
    assert [types[f"n{k}"] for k in (3, 4, 5, 6)] == ["char [3]", "struct list", "char [24]", "char"]
    drawn = terminal(layout(graph.graph), width=120, color=False, unicode=True)
    assert "as.text n3" in drawn and "as.list n4" in drawn and "as.real 1.5" in drawn
    assert "0x3ff8" not in drawn  # no address is like that


def test_a_union_without_a_name_is_called_after_its_members(play: Callable[..., Played]) -> None:
    played = play(PROGRAM)
    played("break 11\nrun")
    drawn = terminal(layout(played.last(results.Graph).graph), width=120, color=False, unicode=True)
    assert "value/op ?" in drawn


POOL = """\
#include <stdlib.h>
struct item { int key; long weight; };
union slot { union slot *next; struct item item; };
static union slot *unused;
static struct item *take(void) {
    struct item *taken = &unused->item;
    unused = unused->next;
    return taken;
}
static void put(struct item *item) {
    union slot *slot = (union slot *)item;
    slot->next = slot;
    unused = slot;
}
int main(void) {
    union slot *all = malloc(3 * sizeof(union slot));
    for (int i = 0; i < 2; i++)
        all[i].next = &all[i + 1];
    all[2].next = NULL;
    unused = all;
    struct item *one = take(), *two = take();
    one->key = 1;
    one->weight = 10;
    two->key = 2;
    put(one);
    free(all);
    return 0;
}
"""


def test_a_free_list_laid_over_its_elements_is_followed_drawn_corrected_and_repaired(
    play: Callable[..., Played],
) -> None:
    session = play(POOL, json=False)
    session("break put; run; finish")
    assert "not modelled" not in session.texts() and "before it has a value" not in session.texts()
    graph = session.last(results.Graph)
    for line in ("[0].next       *n1", "[1].item.key    2", "[1].item.weight ?", "[2].next        ╱"):
        assert line in graph.picture
    assert "unused" in graph.picture and "two([1].item)" in graph.picture
    session("change unused->next n1[2]")
    changed = session.last(results.Changed)
    assert changed.place == "n1[0].next"
    assert "[0].next       *&n1[2]" in session.last(results.Graph).picture
    session("repair")
    assert "-    slot->next = slot;\n+    slot->next = unused;" in session.last(results.Repaired).patch


BLOCKS = """\
union cell { struct { union cell *rest; int held; } s; long align; };
static union cell cells[4];
static union cell *take(int wanted) {
    union cell *c = cells;
    if (wanted < 5)
        c = c + 2;
    c->s.held = wanted;
    return c;
}
int main(void) { return take(3)->s.held; }
"""


def test_of_unions_in_static_storage_the_first_member_is_zero(play: Callable[..., Played]) -> None:
    session = play(BLOCKS, json=False)
    session("break take; run; next; leave; next")
    assert "s.rest s.held" in session.last(results.Graph).picture
    session("spec; repair --no-question")
    repaired = session.last(results.Repaired)
    assert [edit.line for edit in repaired.edits] == [5]


TREE = """\
#include <stdlib.h>
enum kind { NUMBER, MINUS, PLUS };
struct tree {
    enum kind kind;
    union {
        long number;
        struct tree *only;
        struct { char sign; struct tree *left, *right; } two;
    } u;
};
static struct tree *number(long value) {
    struct tree *made = calloc(1, sizeof *made);
    made->u.number = value;
    return made;
}
static struct tree *minus(struct tree *only) {
    struct tree *made = calloc(1, sizeof *made);
    made->u.only = only;
    return made;
}
static struct tree *negative(void) {
    return minus(number(3));
}
int main(void) {
    struct tree *first = number(2);
    struct tree *second = negative();
    return first == second;
}
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    source = tmp_path_factory.mktemp("tree") / "tree.c"
    source.write_text(TREE)
    session = Played(source, json=False)
    session("break minus; run; finish; spec")
    yield session
    session.session.close()


@pytest.fixture
def built(tree: Played) -> Played:
    """In `negative`, where `minus` has just returned n3, which leads to n2; n1 was made further out."""
    tree("resume 0")
    return tree


def drawn(session: Played) -> str:
    """The last picture without the marks, as lines without frames."""
    found = session.last(results.Graph).graph
    return terminal(layout(found), width=120, color=False, unicode=True)


def test_a_member_in_use_is_changed_whether_the_bytes_tell_it_or_the_execution(built: Played) -> None:
    built("change n2->u.number 4")
    assert printed(built, "n2->u.number") == "4"
    assert "* n2.u.number: 3 → 4" in built.last(results.Graph).picture
    built("set var n2->u.number = 5")
    assert "* n2.u.number: 4 → 5" in built.last(results.Graph).picture
    built("undo")
    assert printed(built, "n2->u.number") == "4"


def test_which_member_is_in_use_is_known_after_a_change_elsewhere(built: Played) -> None:
    before = drawn(built)
    built("change n2->kind NUMBER")
    assert drawn(built) == before
    built("change n3->kind MINUS")
    assert drawn(built).count("u.number") == 2
    built("undo")
    assert drawn(built) == before


def test_the_member_that_is_changed_is_the_one_in_use_from_then_on(built: Played) -> None:
    before = drawn(built)
    built("change n3->u.two.left n1")
    assert "u.two.left  n1" in drawn(built) and "u.only" not in drawn(built)
    picture = built.last(results.Graph).picture
    assert "* n3.u.two.left: NULL → n1" in picture and "sign:" not in picture
    built("change n3->u.number 5")
    assert "u.number 5" in drawn(built) and "u.two" not in drawn(built)
    changed = built.last(results.Changed)
    assert changed.told == ("n2", "5")  # the number is the address of what it led to
    assert "* n3.u.number: n2 → 5" in built.last(results.Graph).picture
    built("undo; undo")
    assert drawn(built) == before


def test_a_member_of_which_nothing_was_known_is_marked_with_what_the_bytes_were(
    play: Callable[..., Played],
) -> None:
    session = play(VALUES, json=False)
    session("break 17; run; change a->whole 258")
    assert "* n1.whole: 0 → 258" in session.last(results.Graph).picture


def test_what_was_changed_is_followed_on(built: Played) -> None:
    built("change n3->u.two.left n1")
    before = built.texts().count("does not follow")
    built("next")
    assert built.texts().count("does not follow") == before
    picture = drawn(built)
    assert "u.two.left  n1" in picture and "u.number 3" in picture and "u.number 2" in picture


def test_a_union_is_changed_as_a_whole(play: Callable[..., Played]) -> None:
    session = play(LEADS)
    session("start; next; graph")
    node = next(n for n in session.last(results.Graph).data["nodes"] if n["state"] == "live")["name"]
    changed = session(f"change {node}->u {node}")[0]
    assert isinstance(changed, results.Changed) and changed.place == f"{node}.u.p"
    with pytest.raises(CommandError, match="no variable"):
        session(f"change {node}->u nothing")


PAIRS = """\
#include <stdlib.h>
struct expr {
    enum kind { NUMBER, PAIR, CHOICE } kind;
    union {
        long number;
        struct { struct expr *left, *right; } BOTH;
        struct { struct expr *test; union { struct { struct expr *yes, *no; }; char text[16]; }; };
    };
    struct expr *older;
};
static struct expr *number(long value) {
    struct expr *made = malloc(sizeof *made);
    made->kind = NUMBER;
    made->number = value;
    made->older = NULL;
    return made;
}
static void exchange(struct expr *e) {
    struct expr *was = e->INleft;
    e->INleft = e->INright;
    e->INright = e->INleft;
}
static void turn(struct expr *e) {
    struct expr *was = e->yes;
    e->yes = e->no;
    e->no = e->yes;
}
int main(void) {
    struct expr *e = malloc(sizeof *e), *c = malloc(sizeof *c);
    e->kind = PAIR;
    e->older = NULL;
    e->INleft = NULL;
    e->INright = number(2);
    c->kind = CHOICE;
    c->older = e;
    c->test = number(0);
    c->yes = number(1);
    c->no = NULL;
    exchange(e);
    turn(c);
    return 0;
}
"""


@pytest.fixture(params=[False, True], ids=["without a name", "with one"])
def pairs(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Programs where the struct in the union has a name, or none, and how its members are written."""
    name = "both" if request.param else ""
    inside = f"{name}." if name else ""
    return PAIRS.replace("BOTH", name).replace("IN", inside), inside


def test_a_struct_in_a_union_is_whole_in_picture_and_json(
    play: Callable[..., Played], pairs: tuple[str, str]
) -> None:
    program, inside = pairs
    session = play(program, json=False)
    session("break 39; run")
    picture = drawn(session)
    for line in (f"{inside}left   ╱", f"{inside}right  n3", "test  n4", "yes   n5", "no    ╱", "number 2"):
        assert " ".join(line.split()) in " ".join(picture.split())
    both = {"left": None, "right": "n3"}
    assert session.fields("n1") == {"kind": 1, **({"both": both} if inside else both), "older": None}
    assert session.fields("n2") == {"kind": 2, "test": "n4", "yes": "n5", "no": None, "older": "n1"}
    assert session.fields("n3") == {"kind": 0, "number": 2, "older": None}


def test_what_nothing_has_set_of_a_union_without_a_name_is_told_by_its_members(
    play: Callable[..., Played],
) -> None:
    session = play(PAIRS.replace("BOTH", "").replace("IN", ""))
    session("break 31; run")
    names = ("number", "left", "right", "test", "yes", "no", "text")
    unset = {name: {"uninitialised": True} for name in names}
    assert session.fields("n1") == {"kind": 1, **unset, "older": {"uninitialised": True}}


def test_members_of_a_struct_in_a_union_are_changed_asserted_and_repaired(
    play: Callable[..., Played], pairs: tuple[str, str]
) -> None:
    program, inside = pairs
    session = play(program, json=False)
    session(f"break 22; break turn; run; change e->{inside}right n1")
    assert session.last(results.Changed).place == f"n1.{inside}right"
    session(f"undo; change e->{inside}right null; spec; repair")
    patch = session.last(results.Repaired).patch
    assert f"+    e->{inside}right = was;" in patch
    session("continue; next 3; change e->no n5; spec; repair")
    assert "+    e->no = was;" in session.last(results.Repaired).patch
    assert "does not follow" not in session.texts()


VARIABLE = """\
#include <stdlib.h>
union any { long *where; struct { long x, y; }; };
int main(void) {
    union any point, led;
    union { int number; char text[4]; } plain;
    point.x = 4;
    point.y = 5;
    led.where = calloc(1, sizeof(long));
    plain.number = 7;
    return 0;
}
"""


def test_a_variable_that_may_be_a_struct_is_drawn_with_all_that_is_in_use(
    play: Callable[..., Played],
) -> None:
    session = play(VARIABLE)
    session("break 10; run")
    picture = drawn(session)
    assert "x 4" in picture and "y 5" in picture and "plain = 7" in picture
    assert "where n1" in picture and "▶" in picture


TERMS = """\
#include <stdlib.h>
struct term {
    int op;
    union {
        struct { struct term *left, *right; } two;
        struct term *one;
    } of;
};
static struct term *one(struct term *t) {
    struct term *made = malloc(sizeof *made);
    made->op = 1;
    made->of.one = t;
    return made;
}
static struct term *two(struct term *left, struct term *right) {
    struct term *made = malloc(sizeof *made);
    made->op = 2;
    made->of.two.left = left;
    made->of.two.right = right;
    return made;
}
int main(void) {
    struct term *end = malloc(sizeof *end);
    end->op = 0;
    struct term *both = two(end, one(end));
    return both->op;
}
"""


@pytest.mark.parametrize("members", ["two first", "one first"])
def test_of_members_that_lead_to_nodes_that_is_drawn_which_leaves_nothing_unset(
    members: str, play: Callable[..., Played]
) -> None:
    pair, single = TERMS.splitlines()[4:6]
    text = TERMS if members == "two first" else TERMS.replace(f"{pair}\n{single}", f"{single}\n{pair}")
    session = play(text, json=False)
    session("break 26; run")
    picture = session.last(results.Graph).picture
    assert "of.one n1" in picture
    assert "of.two.left  n1" in picture and "of.two.right n2" in picture
    assert picture.count("of.") == 3
