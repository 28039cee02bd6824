"""A node is freed where it should have been taken out first, by the function that does that."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, words

from wolverine.core.trace import Budget

COMMON = """\
#include <stdlib.h>
struct item { int key; struct item *low, *high; };
static struct item *item(int key, struct item *low, struct item *high)
{
    struct item *i = malloc(sizeof *i);
    i->key = key;
    i->low = low;
    i->high = high;
    return i;
}
"""
GIVEN_BACK = """\
static struct item *cut(struct item *i, int key)
{
    if (!i)
        return NULL;
    if (key != i->key) {
        if (key < i->key)
            i->low = cut(i->low, key);
        else
            i->high = cut(i->high, key);
        return i;
    }
    if (!i->low || !i->high) {
        struct item *only = i->low ? i->low : i->high;
        free(i);
        return only;
    }
    struct item *next = i->high;
    while (next->low)
        next = next->low;
    i->key = next->key;
    free(next);
    return i;
}
static void top(struct item **root)
{
    *root = cut(*root, (*root)->key);
}
"""
IN_PLACE = """\
static void cut(struct item **at, int key)
{
    struct item *i = *at, *next;
    if (!i)
        return;
    if (key < i->key)
        cut(&i->low, key);
    else if (key > i->key)
        cut(&i->high, key);
    else if (i->low && i->high) {
        for (next = i->high; next->low; next = next->low)
            ;
        i->key = next->key;
        free(next);
    } else {
        *at = i->low ? i->low : i->high;
        free(i);
    }
}
static void top(struct item **root)
{
    cut(root, (*root)->key);
}
"""
MAIN = """\
int main(void)
{
    struct item *left = item(2, 0, 0), *next = item(5, 0, item(6, 0, 0));
    struct item *root = item(4, left, item(8, next, item(9, 0, 0)));
    top(&root);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("how", "wanted"), [(GIVEN_BACK, "i->high = cut(i->high, "), (IN_PLACE, "cut(&i->high, ")]
)
def test_what_takes_it_out_is_called_instead(how: str, wanted: str, tmp_path: Path) -> None:
    text = COMMON + how + MAIN
    play = Play(program_of(text, tmp_path))
    play.open()
    play.to(text.splitlines().index("    top(&root);") + 2, "main")
    play.change("n5->low", "n2")
    play.spec()
    found = best(play.problem(Budget(work=4_000_000)))
    assert words(play.program, found).startswith(wanted)
