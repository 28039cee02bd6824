"""`||` in the place of `&&`, and the other way round, in front of a test that calls."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

NAMES = """\
#include <stdlib.h>
#include <string.h>
struct item { const char *name; int price; struct item *next; };
static struct item *items;
static int cheap(const struct item *i)
{
    return i != NULL && i->price < 10;
}
static void add(const char *name, int price)
{
    struct item *i = malloc(sizeof *i);
    i->name = name;
    i->price = price;
    i->next = items;
    items = i;
}
static struct item *find(const char *name)
{
    struct item *i = items;
    while (i != NULL && strcmp(i->name, name) != 0)
        i = i->next;
    return i;
}
static int offers(void)
{
    int found = 0;
    for (struct item *i = items; i != NULL; i = i->next)
        if (i->next == NULL || cheap(i->next))
            found++;
    return found;
}
int main(void)
{
    add("pear", 12);
    add("plum", 3);
    add("fig", 30);
    if (find("apple") != NULL)
        return 1;
    return offers();
}
"""


LOOKED_FOR = "while (i != NULL && strcmp(i->name, name) != 0)"
COUNTED = "if (i->next == NULL || cheap(i->next))"


@pytest.mark.parametrize(
    ("right", "wrong", "script"),
    [
        (LOOKED_FOR, LOOKED_FOR.replace("&&", "||"), "run"),
        (COUNTED, COUNTED.replace("||", "&&"), "break 31; run; change found 2; spec"),
    ],
)
def test_the_other_operator_joins_two_tests(
    play: Callable[..., Played], right: str, wrong: str, script: str
) -> None:
    session = play(NAMES.replace(right, wrong), json=False)
    session(f"{script}; repair --no-question; continue")
    assert f" {right}\n" in session.last(results.Repaired).patch
    assert session.last(results.Exited).code == 2
