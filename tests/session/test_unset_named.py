"""Messages about what is used before it has a value name it by its fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SOURCE = """\
#include <stdlib.h>
struct link { struct link *prev, *next; };
struct person { struct link link; int age; };
int linked(struct person *p) { return p->link.next != 0; }
int main(void)
{
    struct person *q = malloc(sizeof *q), *p = malloc(sizeof *p);
    q->age = 1;
    if (linked(p))
        p->age = 3;
    free(q);
    free(p);
    return 0;
}
"""


def test_a_node_that_no_picture_has_shown_is_seen_as_the_statement_sees_it(play: Callable[..., Any]) -> None:
    session = play(SOURCE)
    session("run")
    assert "n2.link.next is used before it has a value, by line 4 in linked" in session.texts()
