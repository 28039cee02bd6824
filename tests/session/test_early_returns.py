"""A `return` in the middle of a function, to which gcc may give two pieces of code: only one is executed."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

COUNTED = """\
#include <stdlib.h>
struct word { int length, count; struct word *next; };
static void add(struct word **list, int length)
{
    struct word *w = *list, *fresh;
    while (w != NULL && w->length >= length)
        w = w->next;
    if (w != NULL && w->length == length) {
        w->count++;
        if (w->count > 9) {
            *list = w->next;
            free(w);
        }
        return;
    }
    fresh = malloc(sizeof *fresh);
    fresh->length = length;
    fresh->count = 1;
    fresh->next = *list;
    *list = fresh;
}
int main(void)
{
    struct word *list = NULL;
    add(&list, 3);
    add(&list, 3);
    return list->count != 2 || list->next != NULL;
}
"""


def test_a_repair_is_re_executed_up_to_a_return(play: Callable[..., Played]) -> None:
    session = play(COUNTED)
    session("break add; run; continue; next; leave; next; next; next")
    assert session.last(results.Stopped).text == "return;"
    session("spec; repair --no-question; continue")
    repaired = session.last(results.Repaired)
    assert "w->length > length" in repaired.patch and repaired.applied == "native"
    assert session.last(results.Exited).code == 0
