"""A function crashes by the null pointer that it was given: the case that ends a recursion is missing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

OUTLINE = """\
#include <stdio.h>
#include <stdlib.h>
#define WIDTH 3
struct part { int weight; struct part *sub[WIDTH]; };
static struct part *make(int weight)
{
    struct part *p = calloc(1, sizeof(struct part));
    p->weight = weight;
    return p;
}
static struct part *lighten(struct part *p, const char *path)
{
    if (*path == '\\0') {
        p->weight -= 1;
    } else {
        int at = *path - '0';
        if (at < 0 || at >= WIDTH)
            return p;
        p->sub[at] = lighten(p->sub[at], path + 1);
    }
    return p;
}
int main(void)
{
    struct part *whole = make(9);
    whole->sub[1] = make(4);
    whole = lighten(whole, "1");
    whole = lighten(whole, "120");
    printf("%d %d\\n", whole->weight, whole->sub[1]->weight);
    return 0;
}
"""


def test_what_is_asked_of_numbers_has_not_led_to_it(play: Callable[..., Played]) -> None:
    session = play(OUTLINE, json=False)
    session("run; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (13, "if (p == NULL) return NULL;")


RETURNS = """\
#include <stdio.h>
#include <stdlib.h>
struct letter { int weight; struct letter *after; };
struct box { int owner; struct letter *letters, **end; struct box *next; };
struct office { struct box *boxes; int letters; };
static struct box *look_up(struct office *o, int owner)
{
    struct box *b = o->boxes;
    while (b != NULL && b->owner != owner)
        b = b->next;
    return b;
}
static void let(struct office *o, int owner)
{
    struct box *b = look_up(o, owner);
    if (b != NULL)
        return;
    b = malloc(sizeof *b);
    b->owner = owner;
    b->letters = NULL;
    b->end = &b->letters;
    b->next = o->boxes;
    o->boxes = b;
}
static void append(struct office *o, struct box *b, int weight)
{
    struct letter *l = malloc(sizeof *l);
    l->weight = weight;
    l->after = NULL;
    *b->end = l;
    b->end = &l->after;
    o->letters++;
}
static int deliver(struct office *o, char kind, int owner)
{
    switch (kind) {
    case 'l':
        let(o, owner);
        break;
    case 'd': {
        struct box *b = look_up(o, owner);
        append(o, b, 5);
        break;
    }
    default:
        return 0;
    }
    return 1;
}
int main(void)
{
    struct office office = {NULL, 0};
    deliver(&office, 'l', 4);
    deliver(&office, 'd', 4);
    deliver(&office, 'd', 7);
    deliver(&office, 'd', 4);
    printf("%d\\n", office.letters);
    return 0;
}
"""


@pytest.mark.thorough
def test_nothing_is_made_for_what_was_not_found(play: Callable[..., Played]) -> None:
    session = play(RETURNS, json=False)
    session("run; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (42, "if (b == NULL) break;")
