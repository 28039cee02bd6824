"""Unions: what they lead to is reached and drawn, and their members can be corrected."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

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
    assert session.texts().endswith("it can be reached: n2.u")


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


def test_a_text_in_a_union_is_seen(play: Callable[..., Played]) -> None:
    session = play(VALUES, json=False)
    session("break 17; run")
    picture = session.last(results.Graph).picture
    assert 'u.s      "hello"' in picture
    assert "u.i      1819043176" in picture
