"""The model takes a loop that reads to have ended where it may have, not after more rounds that also fit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from played_session import Played

MENU = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct dish { char name[8]; long price; struct dish *below, *beside; };
static struct dish *menu;
static struct dish *find(struct dish *d, const char *name)
{
    struct dish *hit = NULL;
    if (strcmp(d->name, name) == 0)
        return d;
    for (struct dish *at = d->below; at && !hit; at = at->beside)
        hit = find(at, name);
    return hit;
}
static struct dish *dish(const char *name, long price)
{
    struct dish *d = calloc(1, sizeof *d);
    strncpy(d->name, name, 7);
    d->price = price;
    return d;
}
static void add(const char *under, const char *name, long price)
{
    struct dish *d = find(menu, under);
    if (!d || find(menu, name)) {
        printf("no %s\\n", name);
        return;
    }
    struct dish *made = dish(name, price);
    made->beside = d->below;
    d->below = made;
}
static void discard(struct dish *d)
{
    if (d->below) {
        struct dish *first = d->below;
        d->below = first->beside;
        discard(first);
    }
    free(d);
}
static void show(const struct dish *d)
{
    printf("%s %ld\\n", d->name, d->price);
    for (const struct dish *at = d->below; at; at = at->beside)
        show(at);
}
int main(void)
{
    char word[8], one[8], other[8];
    long price;
    menu = dish("all", 0);
    while (scanf("%7s", word) == 1) {
        if (!strcmp(word, "kind") && scanf("%7s %7s", one, other) == 2) {
            add(one, other, 0);
        } else if (!strcmp(word, "dish") && scanf("%7s %7s %ld", one, other, &price) == 3) {
            add(one, other, price);
        } else {
            show(menu);
        }
    }
    show(menu);
    discard(menu);
    return 0;
}
"""


def test_what_was_typed_is_typed_once(play: Callable[..., Played], tmp_path: Path) -> None:
    typed = tmp_path / "typed"
    typed.write_text("kind all soup kind soup hot dish hot pea 7 dish soup gazpacho 4 dish all bread 1\n")
    session = play(MENU, stdin=typed)
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert "    while (d->below) {\n" in (tmp_path / "out.c").read_text()
