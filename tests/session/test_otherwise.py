"""A loop without an end that goes on in one case only: what is missing is the other case."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played
from sanitized import plain, printed, sanitized

from wolverine.session import results

ROOMS = """\
#include <stdio.h>
#include <stdlib.h>
struct guest;
struct room { int beds; struct guest *guest; struct room *beside; };
struct guest { int number; struct room *room; struct guest *chain; };
static struct room *floor_;
static struct guest *guests[3];
static struct guest **of(int number)
{
    struct guest **g = &guests[number % 3];
    while (*g != NULL && (*g)->number != number)
        g = &(*g)->chain;
    return g;
}
static void join_empty_rooms(void)
{
    struct room *r = floor_;
    while (r != NULL && r->beside != NULL) {
        struct room *next = r->beside;
        if (r->guest == NULL && next->guest == NULL) {
            r->beds += next->beds;
            r->beside = next->beside;
            free(next);
        } else {
            r = next;
        }
    }
}
static void arrive(int number)
{
    struct room *r = floor_;
    while (r != NULL && (r->guest != NULL || r->beds < 2))
        r = r->beside;
    if (r == NULL || *of(number) != NULL)
        return;
    struct room *rest = malloc(sizeof *rest);
    rest->beds = r->beds - 1;
    rest->guest = NULL;
    rest->beside = r->beside;
    r->beside = rest;
    r->beds = 1;
    struct guest *g = malloc(sizeof *g);
    g->number = number;
    g->room = r;
    g->chain = NULL;
    *of(number) = g;
    r->guest = g;
}
static void leave(int number)
{
    struct guest **link = of(number), *g = *link;
    if (g == NULL)
        return;
    g->room->guest = NULL;
    *link = g->chain;
    free(g);
    join_empty_rooms();
}
int main(int argc, char **argv)
{
    floor_ = calloc(1, sizeof *floor_);
    floor_->beds = 9;
    for (int i = 1; i < argc; i++)
        if (atoi(argv[i]) < 0)
            leave(-atoi(argv[i]));
        else
            arrive(atoi(argv[i]));
    while (floor_ != NULL) {
        struct room *r = floor_;
        floor_ = r->beside;
        printf("%d:%d ", r->beds, r->guest != NULL ? r->guest->number : 0);
        if (r->guest != NULL)
            free(r->guest);
        free(r);
    }
    return 0;
}
"""
FORGOTTEN = """ else {
            r = next;
        }"""


@pytest.mark.thorough
def test_it_goes_on_where_it_does_nothing_else(play: Callable[..., Played], tmp_path: Path) -> None:
    assert ROOMS.count(FORGOTTEN) == 1
    session = play(ROOMS.replace(FORGOTTEN, ""), arguments=("1", "2", "3", "-2"))
    session(f"set step-budget 1\nrun\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    [edit] = session.last(results.Repaired).edits
    assert edit.after in ("else r = next;", "else r = r->beside;")
    (tmp_path / "right.c").write_text(ROOMS)
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in (
        "1 2 3 -2",
        "1 2 3 4 -2 -1 5",
        "1 2 3 4 -1 -2 -3 -4",
        "1 -1 2 3 -2 4 -3 5 -5",
        "7 8 9 -9 -7 -8",
    ):
        assert printed(mended, arguments) == printed(right, arguments), arguments
