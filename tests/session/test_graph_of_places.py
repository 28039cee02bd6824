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
    assert "1 node is not drawn, 3 more variables are not listed" in picture
    # A link in a node stands for what it leads to.
    session("graph n3->next")
    picture = session.last(results.Graph).picture
    assert "n2" in picture and "n3 ─" not in picture
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


VERTICES = """\
#include <stdlib.h>
struct vertex { int id; struct vertex *to, *next; };
struct { struct vertex *first; int count; } all;
static struct vertex *vertex(int id) {
    struct vertex *made = calloc(1, sizeof *made);
    made->id = id;
    made->next = all.first;
    all.first = made;
    return made;
}
int main(void) {
    struct vertex *a = vertex(1), *b = vertex(2), **link = &b->next, *table[2] = {a, b};
    a->to = b;
    return table[0] == *link;
}
"""


def labels(session: Played) -> set[str]:
    return {word.strip(",") for word in session.last(results.Graph).picture.split()} & {
        "a", "b", "link(.next)", "all", "table", "a->to", "table[1]", "all.first", "n2", "b->id"
    }  # fmt: skip


def test_what_was_asked_for_is_pointed_at_and_other_variables_are_left_out(
    play: Callable[..., Played],
) -> None:
    session = play(VERTICES, json=False)
    session("break 14; run")
    for asked, shown in {
        "a": "a",
        "a->to": "a->to",
        "table[1]": "table[1]",
        "all.first": "all.first",
    }.items():
        session(f"graph {asked}")
        picture = session.last(results.Graph).picture
        assert labels(session) - {"n2"} == {shown}, asked
        assert "n1 ─" in picture and "n2 ─" in picture, "what hangs on it is drawn"
    session("graph link b->id")
    assert labels(session) - {"n2"} == {"link(.next)", "b->id"}
    session("graph table")
    assert labels(session) - {"n2"} == {"table"}
    session("graph n2")
    assert session.last(results.Graph).picture.splitlines()[0].strip() == "n2"
    assert session("graph b->to")[0].text == "b->to is null"


def test_events_hold_what_is_drawn(play: Callable[..., Played]) -> None:
    session = play(VERTICES)
    session("break 14; run")

    def asked(places: str) -> tuple[list[str], dict[str, object]]:
        session(f"graph {places}")
        data = session.last(results.Graph).data
        return [node["name"] for node in data["nodes"]], data["places"]

    every = asked("")
    assert every[0] == ["n1", "n2"] and len(every[1]) > 3
    assert asked("a->to") == (["n1", "n2"], {"a->to": "n2"})
    assert asked("n1") == (["n1", "n2"], {"n1": "n1"})
    session("change a->to null")
    assert asked("a") == (["n1"], {"main::a": "n1"})
    assert asked("a->id table[1]") == (["n1", "n2"], {"a->id": 1, "table[1]": "n2"})
    assert asked("table") == (["n1", "n2"], {"main::table": ["n1", "n2"]})
