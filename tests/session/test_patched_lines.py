"""What a patched line has changed is told as its doing, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

COUNTED = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
struct list { struct node *first; int count; } list;
void put(struct list *l, int key)
{
    struct node *n = calloc(1, sizeof *n);
    n->key = key;
    n->next = l->first;
    l->first = n;
}
int main(void)
{
    put(&list, 1);
    put(&list, 2);
    list.first->key = 3;
    return 0;
}
"""


def test_only_steps_over_patched_lines_are_told_as_theirs(play: Callable[..., Played]) -> None:
    session = play(COUNTED, json=False)
    session("break 10\nrun\ndelete 1\nchange list.count 1\nspec\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    session(f"tbreak {edit.line}\ncontinue\nnext")
    assert f"by the patched line {edit.line}:" in session.last(results.Graph).picture
    session("back\ntbreak 15\ncontinue")
    told = session.last(results.Graph).picture
    assert "list.first: n1 → n2" in told
    assert "by the patched" not in told


PUSHED = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
struct node *head;
void push(int key)
{
    struct node *n = calloc(1, sizeof *n);
    n->key = key;
    if (key > 0) {
        n->next = head;
    }
}
int main(void)
{
    push(1);
    push(2);
    return 0;
}
"""


def test_what_is_inserted_behind_a_statement_is_shown_behind_it(play: Callable[..., Played]) -> None:
    session = play(PUSHED, json=False)
    session("break 11\nrun\nchange head n1\nspec\nrepair --no-question --line 9")
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "head = n;"
    session("delete 1\nbreak 9\nrun\ncontinue")
    assert session.last(results.Stopped).text == "n->next = head; head = n;    [patched]"
