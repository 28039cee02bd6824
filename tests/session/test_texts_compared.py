"""Pointers to texts are compared where the texts were meant: only `strcmp` makes it right for all inputs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sanitized import plain, printed, sanitized

from wolverine.session import results

GUESTS = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct guest { char *name; char seat[4]; struct guest *next; };
static struct guest *guests;
static struct guest *arrive(char *name, const char *seat)
{
    struct guest **at = &guests, *g;
    while (*at != NULL && WHERE)
        at = &(*at)->next;
    g = calloc(1, sizeof *g);
    g->name = strdup(name);
    strncpy(g->seat, seat, 3);
    g->next = *at;
    *at = g;
    return g;
}
static struct guest *find(const char *name)
{
    struct guest *g;
    for (g = guests; g != NULL; g = g->next)
        if (WHICH)
            break;
    return g;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *is = strchr(argv[i], '?');
        if (is != NULL) {
            *is = 0;
            struct guest *g = find(argv[i]);
            printf("%s\\n", g != NULL ? g->seat : "not here");
        } else
            arrive(argv[i], "a1");
    }
    while (guests != NULL) {
        struct guest *next = guests->next;
        puts(guests->name);
        free(guests->name);
        free(guests);
        guests = next;
    }
    return 0;
}
"""
WHERE, WHICH = "strcmp((*at)->name, name) < 0", "strcmp(g->name, name) == 0"
OTHERS = ("", "b?", "b a", "a b b?", "c a b a b? d? c?", "b a c a?", "ab aa ab aa? a? ab?")


@pytest.mark.parametrize(
    ("where", "which", "arguments", "commands"),
    [
        (WHERE, "g->name == name", "b a a?", "break find\nrun\nnext\nenter\nfinish\nspec"),
        (WHERE, "name != NULL && g->name == name", "a b b?", "break 24\nrun\nchange g n3"),
    ],
)
def test_the_texts_are_compared(
    where: str, which: str, arguments: str, commands: str, play: Callable[..., Any], tmp_path: Path
) -> None:
    right = GUESTS.replace("WHERE", WHERE).replace("WHICH", WHICH)
    session = play(GUESTS.replace("WHERE", where).replace("WHICH", which), arguments=arguments.split())
    session(f"{commands}\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert session.last(results.Repaired).applied == "native"
    (tmp_path / "right.c").write_text(right)
    good, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for each in (arguments, *OTHERS):
        assert printed(mended, each) == printed(good, each), each
