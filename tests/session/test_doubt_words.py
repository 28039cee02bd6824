"""What the shell says about a repair, and about a correction that came too early."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

TWO = """\
#include <stdlib.h>
struct node { struct node *prev, *next; };
static void unlink_node(struct node *e)
{
    e->prev->next = e->next;
    e->next->prev = e->next;
}
int main(void)
{
    struct node a = {0, 0}, b = {0, 0}, c = {0, 0};
    a.next = &b; b.prev = &a; b.next = &c; c.prev = &b;
    unlink_node(&b);
    return 0;
}
"""


NULLED = """\
#include <stdlib.h>
static int *fleet;
int main(void) {
    int *other = malloc(4), *more = malloc(4); fleet = other;
    fleet = NULL;
    return fleet == more;
}
"""


def _notes(played: Played) -> list[str]:
    return [heard.text for heard in played.heard if isinstance(heard, results.Note)]


def test_a_correction_that_the_next_statement_undoes_is_told(play: Callable[..., Played]) -> None:
    played = play(TWO)
    played("break 6\nrun\nchange e->next->prev e->prev\nnext")
    assert [note for note in _notes(played) if "line 6 has just written" in note]


def test_so_it_is_where_the_statement_writes_null(play: Callable[..., Played]) -> None:
    played = play(NULLED)
    played("break 5\nrun\nchange fleet null\nnext")
    assert not [note for note in _notes(played) if "has just written" in note]
    played("back\nchange fleet n2\nnext")
    assert [note for note in _notes(played) if "line 5 has just written fleet" in note]


def test_a_correction_behind_the_statement_is_none_of_these(play: Callable[..., Played]) -> None:
    played = play(TWO)
    played("break 6\nrun\nnext\nchange c.prev a\nnext\nnext")
    assert not [note for note in _notes(played) if "has just written" in note]


def test_a_place_that_is_changed_twice_is_held_against_no_other_statement(
    play: Callable[..., Played],
) -> None:
    played = play(TWO)
    played("break 6\nrun\nchange a.next c\nchange a.next b\nchange a.next c\nnext")
    assert not [note for note in _notes(played) if "has just written" in note]


def test_a_crash_that_was_there_before_is_called_so(play: Callable[..., Played]) -> None:
    played = play(TWO)
    played("break 6\nrun\nnext\nchange c.prev a\nspec\nrepair --no-question")
    doubts = [note for note in _notes(played) if note.startswith("doubt")]
    crashes = [text for text in doubts if "crashes" in text]
    assert crashes
    assert all("as it did before" in text and len(text) < 250 for text in crashes)


FRONT = """\
#include <stdlib.h>
struct item { int value; struct item *next; };
struct list { struct item *front; int n; };
int first(struct list *l)
{
    struct item *it = l->front;
    int v = it->value;
    l->front = it->next;
    return v + 1;
}
int main(void)
{
    struct list all[2] = { { NULL, 0 }, { calloc(1, sizeof(struct item)), 1 } };
    return first(&all[1]);
}
"""


def test_of_an_input_that_crashes_the_condition_is_told_that_makes_it_crash(
    play: Callable[..., Played],
) -> None:
    played = play(FRONT)
    played("break first\nrun\nnext 3\nchange l->n 0\nspec\nrepair --no-question")
    [crash] = [note for note in _notes(played) if "crashes" in note]
    assert "on another input (l->front is null) the patched program crashes, as it did before" in crash


ADD = """\
#include <stdlib.h>
struct node { struct node *next; };
static struct node *add(struct node *head)
{
    struct node *n = malloc(sizeof *n);
    n->next = head;
    return head;
}
int main(void)
{
    struct node *list = NULL, *other = NULL;
    list = add(list);
    return list == other;
}
"""


def test_a_correction_of_what_a_call_is_to_be_stored_in_comes_behind_that(
    play: Callable[..., Played],
) -> None:
    """`finish` stands between the call and the assignment; another place may be changed there."""
    played = play(ADD)
    played("break add\nrun\nfinish\nchange other n1")
    assert played.line() == 12
    played("undo\nchange list n1")
    assert played.line() == 13
    assert [note for note in _notes(played) if "line 12 was still to store" in note]
    played("spec\nrepair --no-question")
    [edit] = played.last(results.Repaired).edits
    assert (edit.line, edit.after) == (7, "n")


def test_a_correction_of_what_is_about_to_be_set_is_told_at_once(play: Callable[..., Played]) -> None:
    played = play(ADD)
    played("break 12\nrun\nchange other null")
    assert not [note for note in _notes(played) if "has not set" in note]
    played("break 5\ncontinue\nchange n new")
    assert [note for note in _notes(played) if "line 5 has not set n yet" in note]
    played("undo\nnext\nchange n null")
    assert len([note for note in _notes(played) if "has not set" in note]) == 1


TAKEN = """\
struct node { int v; struct node *next; };
static void drop(struct node **head, int v)
{
    for (struct node **at = head; *at != 0; at = &(*at)->next)
        if ((*at)->v < v) {
            *at = (*at)->next;
            return;
        }
}
int main(void)
{
    struct node c = {3, 0}, b = {2, &c}, a = {1, &b}, *head = &a;
    drop(&head, 2);
    return 0;
}
"""


def test_where_only_ways_were_forced_nothing_is_said_of_places(play: Callable[..., Played]) -> None:
    played = play(TAKEN)
    played("break 5\nrun\nleave\ncontinue\nenter\nfinish\nrepair --no-question")
    [doubt] = [note for note in _notes(played) if "different behaviours" in note]
    assert "only the ways that you forced are known" in doubt
