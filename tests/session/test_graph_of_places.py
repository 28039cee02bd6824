"""`graph PLACE`: what hangs on a place, also over variables."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
struct song { int id; struct song *next; };
struct list { struct song *head; int n; };
static void add(struct list *p, int id) {
    struct song *s = malloc(sizeof *s);
    s->id = id;
    s->next = p->head;
    p->head = s;
    p->n++;
}
int main(void) {
    struct list mine = {NULL, 0}, other = {NULL, 0};
    add(&other, 7);
    add(&mine, 5);
    add(&mine, 6);
    return mine.n - 2;
}
"""


def test_a_struct_on_the_stack_to_which_a_pointer_leads_is_drawn(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False)
    session("break 9 if id == 6; run; graph p")
    picture = session.last(results.Graph).picture
    assert "main::mine" in picture and "n3" in picture and "n2" in picture
    assert "n1" not in picture.partition("…")[0]
    assert "&main::mine" not in picture
    # One is of the present frame.
    assert "1 node is not drawn, 2 more variables are not listed" in picture
    # A link in a node stands for what it leads to.
    session("graph n3->next")
    picture = session.last(results.Graph).picture
    assert "n2" in picture and "n3" not in picture.partition("…")[0]
    assert session("graph n2->next")[0].text == "n2->next is null"
