"""Memory that is cleared as bytes and then carved into pieces with links in them."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

ARENA = """\
#include <stdlib.h>
#include <string.h>
struct piece { struct piece *next; };
struct arena { char *bytes; struct piece *first; int all; int left; };

static void clear(struct arena *a)
{
    memset(a->bytes, 0, a->all * 2 * sizeof(struct piece));
    a->first = (struct piece *)a->bytes;
    struct piece *last = a->first;
    for (int i = 1; i < a->all; i++) {
        last->next = (struct piece *)((char *)(last + 1) + sizeof(struct piece));
        last = last->next;
        a->left++;
    }
    a->left++;
}

int main(void)
{
    struct arena a = {malloc(6 * sizeof(struct piece)), NULL, 3, 0};
    clear(&a);
    a.first = a.first->next;
    a.left--;
    clear(&a);
    free(a.bytes);
    return a.left;
}
"""


def test_the_model_sees_the_links_in_it_and_what_counts_begins_anew(play: Callable[..., Played]) -> None:
    session = play(ARENA, json=False)
    session("break clear; run; continue; finish; change a.left 3; spec; repair --no-question")
    repaired = session.last(results.Repaired)
    [edit] = repaired.edits
    assert (edit.kind, edit.after) == ("insert", "a->left = 0;")
    assert edit.line < 11  # before the loop
    assert repaired.applied == "native"
