"""Nodes that are made through a pointer to the library's `malloc` have their own size in the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wolverine.core.trace import Effect
from wolverine.session.constraints import trace_of

MADE = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
static void *(*room)(size_t) = malloc;
static struct node *node(int data, struct node *next) {
    struct node *n = room(sizeof *n);
    n->data = data;
    n->next = next;
    return n;
}
int main(void) {
    struct node *head = node(1, node(2, NULL));
    head->next = head;
    return head->data;
}
"""


def test_they_have_the_size_that_was_asked_for(play: Callable[..., Any]) -> None:
    session = play(MADE)
    session("break 12\nrun\nnext\nchange n2->next n1\nspec n2->next")
    execution = session.session.execution
    trace = trace_of(execution.model, execution.path, execution.start, frozenset())
    effects = [each for each in trace.events if isinstance(each, Effect)]
    made = {node.number: each.room(node) for each in effects for node in each.nodes}
    assert made == {1: 16, 2: 16}
