"""A function crashes by the null pointer that it was given: the case that ends a recursion is missing."""

from __future__ import annotations

from collections.abc import Callable

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
