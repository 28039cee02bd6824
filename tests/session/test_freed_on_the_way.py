"""What a picture shows as freed has to be freed by then, also where the execution is followed anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wolverine.core.graph import NodeId
from wolverine.session import results
from wolverine.session.tracing import before_changes

TAKEN_OUT = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *head;
static void put(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = head;
    head = n;
}
static void drop(void)
{
    struct node *n = head;
    head = n->next;
    n->v = 0;
}
int main(void)
{
    put(1);
    put(2);
    put(3);
    drop();
    put(4);
    return 0;
}
"""


def test_a_node_marked_freed_before_another_assertion_is_freed_there(play: Callable[..., Any]) -> None:
    """The caller's assertion has the execution followed from further out: no statement has freed the node."""
    game = play(TAKEN_OUT)
    game("break drop\nrun\nnext\nnext\nnext\nchange n3 freed\nspec\nfinish\nspec\nrepair --no-question")
    assert [edit.after for edit in game.last(results.Repaired).edits] == ["free(n);"]


NOT_MADE = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *head;
static void put(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = NULL;
    head = n;
}
int main(void)
{
    put(1);
    put(2);
    return 0;
}
"""


def test_a_node_made_for_a_picture_was_not_there_before(play: Callable[..., Any]) -> None:
    """Who follows the execution anew comes to that stop without it, and finds what the process had."""
    game = play(NOT_MADE)
    game("break 10\nrun\ncontinue")
    came = game.session.execution.path[-1].graph
    game("change n2->next new\nchange n3->v 1")
    assert NodeId(3) in game.session.execution.path[-1].graph.nodes
    before = before_changes(game.session.execution.path[-1])
    assert (before.nodes, before.cells) == (came.nodes, came.cells)
