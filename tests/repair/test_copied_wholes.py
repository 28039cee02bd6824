"""`*p = *q` where a program keeps `q` itself, although the node has its own room."""

from __future__ import annotations

from pathlib import Path

from test_widening_demand import asked, text_of

from wolverine.core.patch import Repairs
from wolverine.repair import search

SPANS = """\
#include <stdio.h>
#include <stdlib.h>
struct span { int low, high; struct { char unit; double step; } scale; };
struct node { struct span *span; struct node *next; };
struct node *head;
void push(struct span *given) {
    struct node *fresh = malloc(sizeof(struct node));
    fresh->span = malloc(sizeof(struct span));
    *fresh->span = *given;
    fresh->next = head;
    head = fresh;
}
int main(int argc, char **argv) {
    struct span read;
    for (int i = 1; i < argc; i++) {
        read.low = atoi(argv[i]);
        read.high = read.low + i;
        read.scale.unit = 'm';
        read.scale.step = i / 2.0;
        push(&read);
    }
    for (struct node *at = head; at != NULL; at = at->next)
        printf("%d-%d %g%c ", at->span->low, at->span->high, at->span->scale.step, at->span->scale.unit);
    return 0;
}
"""


def test_the_pointer_was_kept(tmp_path: Path) -> None:
    problem = asked(SPANS, "*fresh->span = *given;", "push", tmp_path, "fresh->span = given;")
    answer = search(problem)
    assert isinstance(answer, Repairs)
    assert "*fresh->span = *given;" in text_of(problem, answer.candidates[0].patch)
