"""What one way out of a function frees is freed on another one that has forgotten it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played
from sanitized import plain, printed, sanitized

from wolverine.session import results

TRAINS = """\
#include <stdio.h>
#include <stdlib.h>
struct wagon { int load; struct wagon *next; };
static int full;
static void scrap(struct wagon *w)
{
    while (w != NULL) {
        struct wagon *next = w->next;
        free(w);
        w = next;
    }
}
static struct wagon *coupled(char **loads, int n)
{
    struct wagon *first = NULL, **end = &first;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int load = atoi(loads[i]);
        if (load < 0) {
            printf("no such load: %d\\n", load);
            scrap(first);
            return NULL;
        }
        *end = calloc(1, sizeof **end);
        (*end)->load = load;
        end = &(*end)->next;
        sum += load;
        full = sum > 20;
        if (full) {
            scrap(first);
            return NULL;
        }
    }
    return first;
}
int main(int argc, char **argv)
{
    struct wagon *train = coupled(argv + 1, argc - 1);
    printf("%s", full ? "too heavy\\n" : "");
    for (struct wagon *w = train; w != NULL; w = w->next)
        printf("%d ", w->load);
    scrap(train);
    return 0;
}
"""
FORGOTTEN = """        if (full) {
            scrap(first);
            return NULL;
        }
"""


@pytest.mark.thorough
def test_a_list_that_is_given_up_is_freed_as_elsewhere(play: Callable[..., Played], tmp_path: Path) -> None:
    assert TRAINS.count(FORGOTTEN) == 1
    wrong = TRAINS.replace(FORGOTTEN, "        if (full)\n            return NULL;\n")
    session = play(wrong, arguments=("9", "8", "7", "3"))
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.after) == ("insert", "scrap(first);")
    (tmp_path / "right.c").write_text(TRAINS)
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in ("9 8 7 3", "1 2 3", "21", "5 -1 2", ""):
        assert printed(mended, arguments) == printed(right, arguments), arguments


PRODUCT = """\
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
struct factor { int value; struct factor *next; };
static void scrap(struct factor *f)
{
    while (f != NULL) {
        struct factor *next = f->next;
        free(f);
        f = next;
    }
}
static const char *at;
static struct factor *factors(int *wrong)
{
    struct factor *all = NULL;
    while (*at != '\\0') {
        int value = atoi(at);
        if (value == 0)
            *wrong = 1;
        if (*wrong)
            return NULL;
        struct factor *f = malloc(sizeof *f);
        f->value = value;
        f->next = all;
        all = f;
        while (isdigit(*at))
            at++;
        if (*at == '*')
            at++;
    }
    return all;
}
int main(int argc, char **argv)
{
    int wrong = 0;
    at = argc > 1 ? argv[1] : "";
    struct factor *all = factors(&wrong);
    if (wrong) {
        printf("no product\\n");
        return 1;
    }
    for (struct factor *f = all; f != NULL; f = f->next)
        printf("%d ", f->value);
    scrap(all);
    return 0;
}
"""


def test_what_is_given_up_half_way_is_freed_and_given_up_all_the_same(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    session = play(PRODUCT, arguments=("12*3*x",))
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.after) == ("insert", "scrap(all);")
    (tmp_path / "right.c").write_text(PRODUCT)
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in ("12*3*x", "x", "4*5", ""):
        assert printed(mended, arguments) == printed(right, arguments), arguments
