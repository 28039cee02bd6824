"""A list that is as long as it may be loses its oldest node before another one is added."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

LOG = """\
#include <stdio.h>
#include <stdlib.h>
struct entry { int number; struct entry *next; };
static struct entry *oldest;
static int kept, most = 2;
static void forget(void)
{
    struct entry *gone = oldest;
    oldest = gone->next;
    free(gone);
    kept--;
}
static void note(int number)
{
    struct entry *e, **end = &oldest;
    if (kept == most)
        forget();
    e = malloc(sizeof *e);
    e->number = number;
    e->next = NULL;
    while (*end != NULL)
        end = &(*end)->next;
    *end = e;
    kept++;
}
int main(void)
{
    for (int i = 1; i < 5; i++)
        note(i);
    while (oldest != NULL) {
        printf("%d ", oldest->number);
        forget();
    }
    return 0;
}
"""


def test_room_is_made_where_the_number_has_come_to_its_limit(play: Callable[..., Played]) -> None:
    session = play(LOG.replace("    if (kept == most)\n        forget();\n", ""), json=False)
    session("break note; run; continue; continue; finish; change oldest n2; change n1 freed; change kept 2")
    session("repair --no-question")
    patch = session.last(results.Repaired).patch
    assert "+    if (kept == most)\n+        forget();\n     e = malloc" in patch
