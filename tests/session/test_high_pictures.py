"""Pictures that are higher than the terminal for which they are drawn."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
struct key { int high, low; };
struct node { int value; struct node *next; };
static struct key table[9] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
int main(void)
{
    struct node *n = calloc(1, sizeof *n);
    n->value = 1;
    table[7].low = 8;
    n->value = 2;
    return 0;
}
"""


def _picture(session: Played) -> str:
    return str(session.last(results.Graph).picture)


def test_a_table_in_which_nothing_changes_is_folded(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False, height=12)
    session("start")
    assert "[8]" not in _picture(session) and "│ [1] 3    4   │" in _picture(session)
    assert "… 14 more" in _picture(session)
    session("next 3")
    assert "│ [7] 0   *8   │" in _picture(session)
    session("next")
    assert "… 14 more" in _picture(session)
    session("graph table")
    assert "│ [7] 0    8   │" in _picture(session)


def test_where_the_terminal_has_room_nothing_is_folded(play: Callable[..., Played]) -> None:
    for height in (0, 60):
        session = play(PROGRAM, json=False, height=height)
        session("start; next")
        assert "│ [7] 0    0   │" in _picture(session)


DISPATCH = """\
#include <stdlib.h>
struct node { int value; struct node *next; };
static int add(int n) { return n + 1; }
static int drop(int n) { return n - 1; }
static const struct { const char *name; int (*run)(int); } verbs[] = {
    { "add", add }, { "drop", drop }, { "more", add }, { "less", drop },
};
int main(void)
{
    struct node *n = calloc(1, sizeof *n);
    n->value = verbs[1].run(2);
    n->value = 3;
    return n->next != NULL;
}
"""


def test_a_table_that_cannot_change_is_folded_once_it_was_shown(play: Callable[..., Played]) -> None:
    session = play(DISPATCH, json=False, height=60)
    session("start")
    assert '[3] "less" drop' in _picture(session)
    session("next")
    assert '[3] "less"' not in _picture(session) and '[0] "add"  add' in _picture(session)
    assert "… 4 more" in _picture(session)
    session("graph verbs")
    assert '[3] "less"' in _picture(session)


def test_a_table_of_functions_is_folded_as_others_are(play: Callable[..., Played]) -> None:
    session = play(DISPATCH.replace("static const struct", "static struct"), json=False, height=8)
    session("start")
    assert "… 4 more" in _picture(session)
