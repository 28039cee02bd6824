"""Nodes that a function drops knowingly: it goes past them, or a call says that it has not kept them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

UNION = """\
#include <stdio.h>
#include <stdlib.h>
struct mark { int day; struct mark *next; };
static struct mark *mark(int day, struct mark *next)
{
    struct mark *m = malloc(sizeof *m);
    m->day = day;
    m->next = next;
    return m;
}
static struct mark *both(struct mark *one, struct mark *other)
{
    struct mark *first = NULL, **last = &first;
    while (one && other) {
        if (one->day < other->day) {
            *last = one;
            last = &one->next;
            one = one->next;
        } else if (other->day < one->day) {
            *last = other;
            last = &other->next;
            other = other->next;
        } else {
            other = other->next;
        }
    }
    *last = one ? one : other;
    return first;
}
int main(void)
{
    struct mark *all = both(mark(1, mark(4, mark(6, NULL))), mark(2, mark(4, mark(5, mark(7, NULL)))));
    while (all) {
        struct mark *m = all;
        printf("%d\\n", m->day);
        all = m->next;
        free(m);
    }
    return 0;
}
"""


def test_what_a_loop_goes_past_in_one_case_is_freed_there(play: Callable[..., Played]) -> None:
    session = play(UNION, json=False)
    session("run; repair --no-question")
    kept, freed = session.last(results.Repaired).edits
    assert (kept.line, freed.line) == (24, 24)
    assert kept.after.endswith("= other;") and freed.after.startswith("free(")


NAMES = """\
#include <stdio.h>
#include <stdlib.h>
struct user { int id, visits; struct user *next; };
struct list { struct user *users; };
static struct user *user(int id)
{
    struct user *u = malloc(sizeof *u);
    u->id = id;
    u->visits = 1;
    u->next = NULL;
    return u;
}
static int enlist(struct list *l, struct user *u)
{
    struct user *other;
    for (other = l->users; other; other = other->next)
        if (other->id == u->id) {
            other->visits += u->visits;
            return KNOWN;
        }
    u->next = l->users;
    l->users = u;
    return NEW;
}
static void visit(struct list *l, int id)
{
    struct user *u = user(id);
    VISIT
}
int main(void)
{
    struct list l = {NULL};
    visit(&l, 3);
    visit(&l, 5);
    visit(&l, 3);
    while (l.users) {
        struct user *u = l.users;
        printf("%d %d\\n", u->id, u->visits);
        l.users = u->next;
        free(u);
    }
    return 0;
}
"""


@pytest.mark.parametrize(
    ("visit", "known", "new", "freeing"),
    [
        (
            'if (enlist(l, u))\n        printf("%d again\\n", u->id);\n    else\n        puts("new");',
            "1",
            "0",
            "free(u);",
        ),
        ('int new = enlist(l, u);\n    if (new == 1)\n        puts("new");', "0", "1", "else free(u);"),
    ],
)
def test_what_a_call_says_not_to_have_kept_is_freed_by_its_caller(
    visit: str, known: str, new: str, freeing: str, play: Callable[..., Played]
) -> None:
    source = NAMES.replace("VISIT", visit).replace("KNOWN", known).replace("NEW", new)
    session = play(source, json=False)
    session("run; repair --no-question")
    [freed] = session.last(results.Repaired).edits
    assert freed.after == freeing
