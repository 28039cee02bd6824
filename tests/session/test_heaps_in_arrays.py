"""A heap in an array: fresh heaps have its values in other orders, which tell comparisons apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sanitized import plain, printed, sanitized

from wolverine.session import results

ALARMS = """\
#include <stdio.h>
#include <stdlib.h>
struct alarm { int hour; };
static struct alarm *due[32];
static int count;
static void put(int hour)
{
    struct alarm *a = malloc(sizeof *a);
    int at = count++;
    a->hour = hour;
    for (; at > 0 && due[(at - 1) / 2]->hour > hour; at = (at - 1) / 2)
        due[at] = due[(at - 1) / 2];
    due[at] = a;
}
static void settle(int at)
{
    int next;
    while ((next = 2 * at + 1) < count) {
        if (next + 1 < count && due[next + 1]->hour < due[NEXT]->hour)
            next++;
        if (due[at]->hour <= due[next]->hour)
            break;
        struct alarm *a = due[at];
        due[at] = due[next];
        due[next] = a;
        at = next;
    }
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        put(atoi(argv[i]));
    while (count > 0) {
        printf("%d\\n", due[0]->hour);
        free(due[0]);
        due[0] = due[--count];
        settle(0);
    }
    return 0;
}
"""
OTHERS = ("", "4", "2 1", "3 2 1", "1 2 3 4", "5 3 8 1 9 2", "7 7 1 7 2", "9 8 7 6 5 4 3 2 1")


def test_the_other_child_is_compared(play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(ALARMS.replace("NEXT", "at"), arguments=["1", "2", "3", "4"])
    session(f"break 21\nrun\nchange next 1\nspec\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert session.last(results.Repaired).applied == "native"
    (tmp_path / "right.c").write_text(ALARMS.replace("NEXT", "next"))
    good, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for each in ("1 2 3 4", *OTHERS):
        assert printed(mended, each) == printed(good, each), each
