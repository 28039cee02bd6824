"""The node that a call has returned is on its way to where it is kept."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.page.pictures import Pictured
from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
static struct node *made(int data) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->data = data;
    fresh->next = NULL;
    return fresh;
}
static int linked(struct node *front, struct node *back) {
    front->next = back;
    return front->data + back->data;
}
int main(void) {
    struct node *head = made(1);
    head->next = made(2);
    made(3);
    return linked(made(4), made(5)) != 9;
}
"""


def states(session: Played) -> dict[str, str]:
    return {node["name"]: node["state"] for node in session.last(results.Graph).data["nodes"]}


def test_a_node_that_is_being_returned_has_its_name_and_is_not_lost(play: Callable[..., Played]) -> None:
    session = play(PROGRAM)
    session("break made if data == 2; run; finish")
    assert "Value returned is $1 = (struct node *) n2" in session.texts().splitlines()
    assert states(session) == {"n1": "live", "n2": "live"}
    assert "it is what the call has returned" in session("why n2")[0].text
    session("change n2->data 5")
    assert states(session) == {"n1": "live", "n2": "live"}
    session("next")
    assert states(session) == {"n1": "live", "n2": "live"}
    session("next")
    assert states(session) == {"n1": "live", "n2": "live", "n3": "leaked"}


def test_the_picture_shows_what_a_call_has_returned(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False)
    session("break made if data == 2; run; finish")
    shown = session.last(results.Graph)
    assert "(returned)" in shown.picture
    chips = Pictured(shown.graph, None, None, alive=True).picture.variables
    assert [chip.editable for chip in chips if chip.label == "(returned)"] == [False]
    session("next")
    assert "(returned)" not in session.last(results.Graph).picture


def test_what_a_call_has_returned_is_held_until_it_is_used(play: Callable[..., Played]) -> None:
    session = play(PROGRAM)
    session("break made if data == 2; run; next 5")
    assert session.line() == 15
    assert states(session) == {"n1": "live", "n2": "live"}
    session("delete; break 7 if data == 4; continue; next; spec")
    assert states(session)["n4"] == "live"  # the argument that was evaluated first
    assert "it is what the call has returned" in session("why n4")[0].text
    session("step")
    assert session("why n4")[0].text.endswith("it can be reached: linked::back")
    session("continue")
    assert session.last(results.Exited).code == 0
    assert not [line for line in session.texts().splitlines() if "lost" in line and "n3" not in line]
    assert "before it has a value" not in session.texts()
