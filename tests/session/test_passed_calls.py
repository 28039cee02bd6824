"""A trace that begins in a later call: a repair must do for the calls that the process had passed by then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from wolverine.core.graph import Place, VariableId
from wolverine.frontend import describe
from wolverine.repair.heaps.passed import passed
from wolverine.repair.ranking.aftermath import crashes_before
from wolverine.session.constraints import trace_of

QUEUE = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
struct queue { struct node *head, *tail; };
static void push(struct queue *q, int data)
{
    struct node *n = malloc(sizeof *n);
    n->data = data;
    n->next = NULL;
    if (q->head == NULL)
        q->head = n;
    q->tail = n;
}
int main(void)
{
    struct queue q = {0};
    int data;
    while (scanf("%d", &data) == 1)
        push(&q, data);
    return 0;
}
"""


def test_they_are_run_again_with_what_was_read(play: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "numbers").write_text("1 2 3")
    session = play(QUEUE, stdin=tmp_path / "numbers")
    session("break push if data == 2; run; next 5; change n1->next n2; spec; repair --no-question --line 12")
    execution = session.session.execution
    program, path = execution.model, execution.path
    trace = trace_of(program, path, execution.start, frozenset())
    [heap] = passed(program, trace, ["push"])["push"]
    assert heap.cells[Place(VariableId(0, "main", "q"), 0)] is None
    crash = dict[str, bool]()
    for candidate in path[-1].applied.candidates:
        text = " ".join(edit.after for edit in describe(program, candidate.patch))
        crash[text] = crash.get(text, False) or crashes_before(program, candidate.patch, trace)
    assert crash["q->tail->next = n;"]
    assert not crash["if (q->tail != NULL) q->tail->next = n;"]
