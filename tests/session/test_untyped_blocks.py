"""Blocks that only `void *` leads to."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
#include <string.h>
struct T { int id; double weight; struct T *twin; };
struct other { char text[24]; };
struct item { void *data; struct item *next; };
static struct item *push(struct item *list, void *data) {
    struct item *n = malloc(sizeof *n);
    n->data = data;
    n->next = list;
    return n;
}
static void *make(int id) {
    void *p = malloc(sizeof(struct T));
    ((struct T *)p)->id = id;
    ((struct T *)p)->weight = 1.5;
    ((struct T *)p)->twin = NULL;
    return p;
}
static int get(void *p) { struct T *t = (struct T *)p; return t->id; }
int main(void) {
    struct item *list = NULL;
    void *raw = calloc(5, 9);
    list = push(list, make(1));
    list = push(list, make(2));
    list = push(list, strdup("abc"));
    list = push(list, raw);
    return get(list->next->next->data);
}
"""


def test_casts_tell_what_a_block_holds_and_others_show_their_size(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False)
    session("break get; run")
    shown = session.last(results.Graph)
    types = {node["name"]: node["type"] for node in shown.data["nodes"]}
    assert {types[name] for name in ("n2", "n4")} == {"struct T"}
    assert (types["n1"], types["n6"]) == ("unknown", "char [4]")
    assert "│ weight 1.5" in shown.picture
    assert "│ 45 bytes │" in shown.picture
