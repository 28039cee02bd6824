"""A node that others share is freed where the number of those has come to nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

SHARED = """\
#include <stdio.h>
#include <stdlib.h>
struct sound { int pitch; int users; };
struct note { struct sound *sound; struct note *next; };
static struct note *melody;
static struct note *play(struct sound *s)
{
    struct note *n = malloc(sizeof *n);
    n->sound = s;
    s->users++;
    n->next = melody;
    melody = n;
    return n;
}
static struct sound *tune(int pitch)
{
    struct sound *s = malloc(sizeof *s);
    s->pitch = pitch;
    s->users = 0;
    return s;
}
FORGET
static int sum(void)
{
    int all = 0;
    for (struct note *n = melody; n != NULL; n = n->next)
        all += n->sound->pitch;
    return all;
}
int main(void)
{
    struct note *first = play(tune(3));
    play(tune(4));
    play(first->sound);
    forget();
    printf("%d\\n", sum());
    while (melody != NULL)
        forget();
    return 0;
}
"""

FORGET = """\
static void forget(void)
{
    struct note *n = melody;
    melody = n->next;
    n->sound->users--;
    free(n->sound);
    free(n);
}
"""

RELEASE = """\
static void release(struct sound *s)
{
    s->users--;
    free(s);
}
static void forget(void)
{
    struct note *n = melody;
    melody = n->next;
    release(n->sound);
    free(n);
}
"""


@pytest.mark.parametrize(
    ("forget", "test"),
    [
        pytest.param(FORGET, "n->sound->users == 0", marks=pytest.mark.thorough),
        pytest.param(RELEASE, "s->users == 0", marks=pytest.mark.thorough),
    ],
    ids=["among others", "at the end"],
)
def test_it_is_freed_with_the_last_of_them(play: Callable[..., Played], forget: str, test: str) -> None:
    session = play(SHARED.replace("FORGET", forget), json=False)
    session("run; repair --no-question")
    assert f"+    if ({test})" in session.last(results.Repaired).patch
