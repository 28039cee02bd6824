"""What a function was handed to link it, and lost, is rather linked than freed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wolverine.session import results

TRAIN = """\
#include <stdio.h>
#include <stdlib.h>
struct car { int number; struct car *next; };
static struct car *row(int from, int count)
{
    struct car *car;
    if (count == 0)
        return NULL;
    car = malloc(sizeof *car);
    car->number = from;
    car->next = row(from + 1, count - 1);
    return car;
}
static struct car *zip(struct car *left, struct car *right)
{
    struct car *all = NULL, **end = &all;
    while (left != NULL && right != NULL) {
        *end = left;
        left = left->next;
        end = &(*end)->next;
        *end = right;
        right = right->next;
        end = &(*end)->next;
    }
    *end = left;
    return all;
}
static struct car *train(int left, int right)
{
    struct car *one = row(1, left), *other = row(11, right);
    return zip(one, other);
}
static void show(struct car *car)
{
    while (car != NULL) {
        struct car *next = car->next;
        printf("%d ", car->number);
        free(car);
        car = next;
    }
    printf("\\n");
}
int main(void)
{
    show(train(2, 2));
    show(train(2, 1));
    show(train(0, 1));
    return 0;
}
"""


def test_the_rest_of_the_other_list_is_linked(play: Callable[..., Any]) -> None:
    session = play(TRAIN, work=None)
    session("run; repair --no-question")
    patch = session.last(results.Repaired).patch
    assert "+    if (left != NULL)\n+        *end = left;\n+    else\n+        *end = right;\n" in patch
    assert not any("should not have been lost" in text for text in session.texts().splitlines())
