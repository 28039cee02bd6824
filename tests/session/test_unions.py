"""Pointers in unions: what they lead to is not lost."""

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
    assert "op.left=n3 op.right=NULL" in session.last(results.Graph).picture
    session("next")
    assert states(session) == ["leaked", "leaked", "leaked", "live"]
