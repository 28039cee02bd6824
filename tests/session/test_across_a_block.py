"""Two statements stand in each other's place, one of them in a loop."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

LAST = """\
#include <stdlib.h>
struct link { int data; struct link *next; };
static struct link *append(struct link *first, int data)
{
    struct link *p = first, *n = malloc(sizeof(struct link));
    n->data = data;
    n->next = NULL;
    while (p->next != NULL)
        p = p->next;
    p->next = n;
    return first;
}
int main(void)
{
    struct link *first = calloc(1, sizeof(struct link));
    for (int i = 0; i < 3; i++)
        append(first, i);
    return first->next->next->next->data;
}
"""


@pytest.mark.thorough
def test_they_are_exchanged(play: Callable[..., Played]) -> None:
    right = "        p = p->next;\n    p->next = n;\n"
    session = play(LAST.replace(right, "        p->next = n;\n    p = p->next;\n"), json=False)
    session("run; repair --no-question")
    found = session.last(results.Repaired)
    assert [edit.after for edit in found.edits] == ["p = p->next", "p->next = n"]
