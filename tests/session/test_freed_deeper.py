"""A node is freed by itself where a function of the program frees what hangs on it as well."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

BOXES = """\
#include <stdlib.h>
struct item { struct item *next; };
struct box { struct item *items; struct box *inner[3]; };
static struct item *item(struct item *next)
{
    struct item *i = malloc(sizeof *i);
    i->next = next;
    return i;
}
static struct box *box(struct box *a, struct box *b)
{
    struct box *made = calloc(1, sizeof *made);
    made->items = item(item(NULL));
    made->inner[0] = a;
    made->inner[2] = b;
    return made;
}
static void throw_items(struct item *i)
{
    while (i) {
        struct item *next = i->next;
        free(i);
        i = next;
    }
}
static void throw_box(struct box *b)
{
    if (!b)
        return;
    throw_items(b->items);
    for (int i = 0; i < 3; i++)
        throw_box(b->inner[i]);
    free(b);
}
int main(void)
{
    struct box *all = box(box(NULL, NULL), box(NULL, box(NULL, NULL)));
    throw_box(all);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("throw_box(b->inner[i]);", "free(b->inner[i]);"),
        ("throw_items(b->items);", "free(b->items);"),
        ("throw_box(all);", "free(all);"),
    ],
)
def test_what_hangs_on_a_node_is_freed_by_who_can(
    play: Callable[..., Played], right: str, wrong: str
) -> None:
    session = play(BOXES.replace(right, wrong), json=False)
    session("run; repair --no-question")
    assert f" {right}\n" in session.last(results.Repaired).patch
    assert session.last(results.Repaired).behaviours == 1
