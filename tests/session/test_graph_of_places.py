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


QUEUES = """\
#include <stdlib.h>
struct job { int id; struct job *next; };
struct queue { struct job *first, *last; int n; } queues[2];
static struct job *job(int id) {
    struct job *made = calloc(1, sizeof *made);
    made->id = id;
    return made;
}
int main(void) {
    queues[0].first = job(1);
    queues[0].last = job(2);
    queues[1].last = job(3);
    return 0;
}
"""


def test_all_that_a_struct_in_a_variable_leads_to_is_drawn(play: Callable[..., Played]) -> None:
    session = play(QUEUES, json=False)
    session("break 13; run")

    def boxes(place: str) -> list[str]:
        session(f"graph {place}")
        picture = session.last(results.Graph).picture
        return [name for name in ("n1", "n2", "n3") if f"─ {name} ─" in picture]

    assert boxes("queues[0]") == ["n1", "n2"]
    assert boxes("queues[1]") == ["n3"]
    assert boxes("queues") == ["n1", "n2", "n3"]
    assert boxes("queues[0].last") == ["n2"]
