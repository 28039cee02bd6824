"""A loop without an end in a program that reads: what led to it is followed, and told where it stops."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wolverine.session import results

RING = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int key; struct node *next, *prev; };
struct node *start;
static void append(int key) {
    struct node *made = malloc(sizeof *made);
    made->key = key;
    if (!start) { start = made->next = made->prev = made; return; }
    made->next = start;
    made->prev = start->prev;
    start->prev->next = made;
    start->prev = made;
}
static void drop_last(void) {
    struct node *last = start;
    while (last->next != start) last = last->next;
    last->prev->next = start;
    free(last);
}
int main(void) {
    int what, key, sum = 0;
    while (scanf("%d", &what) == 1) {
        if (what == 1 && scanf("%d", &key) == 1) append(key);
        if (what == 2) drop_last();
        if (what == 3 && scanf("%d", &key) == 1) { append(key); start = start->prev; }
    }
    struct node *p = start;
    do { sum ^= p->key; p = p->next; } while (p != start);
    return sum == 99;
}
"""

READING = """\
#include <stdio.h>
int main(void) {
    int x = 0, sum = 0;
    while (x != 9) {
        scanf("%d", &x);
        sum += x;
    }
    return sum;
}
"""


@pytest.mark.thorough
def test_what_was_freed_and_led_to_the_loop_is_told_and_repaired(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "in").write_text("1 10 1 20 1 30 2 3 40")
    played = play(RING, stdin=tmp_path / "in")
    played("set step-budget 0.5\nrun")
    assert played.last(results.Stopped).reason == "budget"
    assert "does not follow" not in played.texts()
    assert "n3 is used after it was freed, by line 11 in append" in played.texts()
    played("repair --no-question")
    assert "line 11 in append, where it first does what C forbids" in played.texts()
    assert "->prev = last->prev;" in played.last(results.Repaired).patch


def test_a_loop_that_reads_without_an_end_is_left_as_it_is(play: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "in").write_text("1 2")
    played = play(READING, stdin=tmp_path / "in")
    played("set step-budget 0.5\nrun")
    assert played.last(results.Stopped).reason == "budget"
    assert len(played.session.execution.path) == 2
