"""`if` where a `while` was meant: in the process, and in the source."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from played_session import Played
from sanitized import printed, sanitized

from wolverine.session import results

TWICE = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *push(struct node *head, int key)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->next = head;
    return fresh;
}
static void unique(struct node *head)
{
    struct node *at = head;
    while (at != NULL) {
        if (at->next != NULL && at->next->key == at->key) {
            struct node *twice = at->next;
            at->next = twice->next;
            free(twice);
        }
        at = at->next;
    }
}
int main(int argc, char **argv)
{
    struct node *head = NULL;
    for (int i = argc - 1; i > 0; i--)
        head = push(head, atoi(argv[i]));
    unique(head);
    head = push(push(push(head, 7), 7), 7);
    unique(head);
    while (head != NULL) {
        struct node *rest = head->next;
        printf("%d ", head->key);
        free(head);
        head = rest;
    }
    return 0;
}
"""


def test_what_an_if_does_once_a_while_does_in_all_cases(play: Callable[..., Played], tmp_path: Path) -> None:
    session = play(TWICE, arguments=("1", "2", "2", "2", "3"))
    out = tmp_path / "out.c"
    session("break 22\nrun\ndelete 1\nchange n4->next n1\nchange n2 freed\nspec")
    session(f"repair --no-question\nrewrite {out}")
    repaired = session.last(results.Repaired)
    [edit] = repaired.edits
    assert (edit.kind, edit.line) == ("change", 15)
    assert (edit.before[:4], edit.after[:7]) == ("if (", "while (")
    assert edit.before[2:] == edit.after[5:]
    assert repaired.applied == "native"
    # In the patched process each round is a stop, and the model keeps up with it.
    session("break 15\ncontinue\ndelete 2")
    lines = []
    for _ in range(8):
        lines.append(session.line())
        session("next")
    assert lines == [15, 16, 17, 18, 15, 16, 17, 18]
    session("leave")
    assert session.line() == 20
    assert not [each for each in session.heard if isinstance(each, results.ConcreteStep)]
    session("back\ncontinue")
    assert session.output() == "7 1 2 3 "
    assert "        while (at->next != NULL && at->next->key == at->key) {\n" in out.read_text()
    assert printed(sanitized(out), "4 4 4 4 4 7 7") == (0, "7 4 7 ")
