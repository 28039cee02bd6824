"""What is left when a half is taken, and what each round of a loop begins with anew."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

TEAMS = """\
#include <stdlib.h>
struct team { int size; struct team *one, *other; };
static struct team *divided(int n)
{
    struct team *t = calloc(1, sizeof *t);
    int half = n / 2;
    t->size = n;
    if (n < 2)
        return t;
    t->one = divided(half);
    t->other = divided(half);
    return t;
}
int main(void)
{
    struct team *all = divided(3);
    return all->other->size;
}
"""


def test_the_other_half_is_what_is_left(play: Callable[..., Played]) -> None:
    played = play(TEAMS)
    played("break 12 if n == 3; run; change t->other->size 2; spec t->one->size t->other->size")
    played("repair --no-question")
    assert _added(played) == ["t->other = divided(n - half);"]


SHELVES = """\
#include <stdlib.h>
struct book { int pages; struct book *next; };
struct shelf { int pages; struct book *first; struct shelf *next; };
static struct shelf *shelves;
static void put(int pages)
{
    struct book *b = malloc(sizeof *b);
    b->pages = pages;
    b->next = shelves->first;
    shelves->first = b;
}
static void another(void)
{
    struct shelf *s = calloc(1, sizeof *s);
    s->next = shelves;
    shelves = s;
}
static void count(void)
{
    struct shelf *s;
    struct book *b;
    int pages = 0;
    for (s = shelves; s != NULL; s = s->next) {
        for (b = s->first; b != NULL; b = b->next)
            pages += b->pages;
        s->pages = pages;
    }
}
int main(void)
{
    another();
    put(7);
    another();
    put(3);
    put(5);
    count();
    return 0;
}
"""


def test_a_sum_begins_anew_in_each_round(play: Callable[..., Played]) -> None:
    played = play(SHELVES)
    played("break count; run; finish; change n1->pages 7; spec; repair --no-question")
    assert _added(played) == ["pages = 0;"]


def _added(played: Played) -> list[str]:
    """The lines that the last repair writes."""
    patch = played.last(results.Repaired).patch
    return [line[1:].strip() for line in patch.splitlines() if line.startswith("+ ")]
