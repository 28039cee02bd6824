"""What a program prints, and what it reads for that: part of what a repair does."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

NUMBERED = """\
#include <stdio.h>
struct node { int data; struct node *next; };
void show(struct node *p)
{
    int i = 0;
    while (p != NULL) {
        printf("%d:%d ", i, p->data);
        p = p->next;
    }
    printf("\\n");
}
int main(void)
{
    struct node c = {3, NULL}, b = {2, &c}, a = {1, &b};
    show(&a);
    return 0;
}
"""
LAST = """\
#include <stdio.h>
struct node { int data; struct node *next; };
int main(void)
{
    struct node b = {2, NULL}, a = {1, &b};
    struct node *p = &a;
    while (p != NULL)
        p = p->next;
    fprintf(stdout, "%d\\n", p->data);
    return 0;
}
"""


def test_repairs_that_print_something_else_are_told_apart(play: Callable[..., Played]) -> None:
    played = play(NUMBERED)
    played("break 6\nrun\nuntil 8\nnext\nchange i 1\nspec\nuntil 8\nnext\nchange i 2\nspec\nrepair")
    asked = played.last(results.Question)
    outputs = [each.data["output"] for each in asked.results]
    assert len(set(outputs)) == len(outputs) > 1
    number = next(i for i, text in enumerate(outputs, 1) if text.startswith("0:"))
    heard = played(f"repair --answer {number}\nfinish")
    assert [h for h in heard if isinstance(h, results.Repaired)]
    assert played.output().endswith("0:1 1:2 2:3 \n")


def test_a_crash_in_what_is_printed_is_repaired_for_good(play: Callable[..., Played]) -> None:
    played = play(LAST)
    played("run")
    played("repair --no-question")
    played.last(results.Repaired)
    played("continue")
    assert played.last(results.Exited).code == 0
