"""A wrong store is given the right value; nothing is stored over it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

HOIST = """\
#include <stdlib.h>
struct item { int id; struct item *after, *before; };
static struct item *first;

static void hoist(void)
{
    struct item *top = first;
    struct item *up = top->after;
    top->after = up->after;
    if (up->after != NULL)
        up->after->before = up;
    up->after = top;
    up->before = NULL;
    top->before = top;
    first = up;
}

int main(void)
{
    for (int i = 3; i > 0; i--) {
        struct item *made = calloc(1, sizeof *made);
        made->id = i;
        made->after = first;
        if (first != NULL)
            first->before = made;
        first = made;
    }
    hoist();
    return first->id;
}
"""


@pytest.mark.thorough
def test_wrong_stores_are_given_other_values(play: Callable[..., Played]) -> None:
    session = play(HOIST, json=False)
    session("break hoist; run; finish; change n1->before n3; change n3->before n2; repair --no-question")
    edits = session.last(results.Repaired).edits
    assert [(edit.kind, edit.line) for edit in edits] == [("change", 11), ("change", 14)]
