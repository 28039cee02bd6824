"""What one way out of a function frees is freed on another one that has forgotten it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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
