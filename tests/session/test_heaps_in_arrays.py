"""A heap in an array: fresh heaps have its values in other orders, which tell comparisons apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from played_session import Played
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


ROWS = """\
#include <stdio.h>
#include <stdlib.h>
struct item { int key; struct item *next; };
struct bag { int size; struct item *rows[20]; };
static struct item *joined(struct item *one, struct item *other)
{
    struct item *last = one;
    while (last->next != NULL)
        last = last->next;
    last->next = other;
    return one;
}
/* row i is empty or has as many items as the bit i of the size says */
static void merge(struct bag *to, struct bag *from)
{
    struct item *carry = NULL;
    to->size += from->size;
    for (int i = 0, j = 1; j < to->size; i++, j *= 2) {
        struct item *one = to->rows[i], *other = from->rows[i];
        to->rows[i] = NULL;
        if (one != NULL && other != NULL) {
            to->rows[i] = carry;
            carry = joined(one, other);
        } else if (carry != NULL && (one != NULL || other != NULL)) {
            carry = joined(one != NULL ? one : other, carry);
        } else {
            to->rows[i] = carry != NULL ? carry : one != NULL ? one : other;
            carry = NULL;
        }
    }
}
static void put(struct bag *bag, int key)
{
    struct bag *one = calloc(1, sizeof *one);
    one->size = 1;
    one->rows[0] = malloc(sizeof(struct item));
    one->rows[0]->key = key;
    one->rows[0]->next = NULL;
    merge(bag, one);
    free(one);
}
int main(void)
{
    struct bag *bag = calloc(1, sizeof *bag);
    put(bag, 5);
    put(bag, 3);
    put(bag, 4);
    for (int i = 0; i < 20; i++)
        for (struct item *p = bag->rows[i]; p != NULL; p = p->next)
            printf("%d:%d ", i, p->key);
    return 0;
}
"""


def test_where_the_place_in_a_row_tells_the_size_the_calls_themselves_make_the_heaps(
    play: Callable[..., Played],
) -> None:
    session = play(ROWS, json=False)
    session("break merge; run; finish; change n1->rows[0] n3; spec; repair --no-question")
    assert "j <= to->size" in session.last(results.Repaired).patch
