"""A count in a record of the caller: one call alone does not tell it from a number."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

COUNTED = """\
#include <stdlib.h>
struct item { int v; struct item *next; };
struct stack { struct item *top; int size; };
void push(struct stack *s, int v)
{
    struct item *i = malloc(sizeof(struct item));
    i->v = v;
    i->next = s->top;
    s->top = i;
}
int main(void)
{
    struct stack all = {NULL, 0};
    push(&all, 1);
    push(&all, 2);
    push(&all, 3);
    return all.size - 3;
}
"""


def test_a_count_is_told_from_a_number(play: Callable[..., Played]) -> None:
    played = play(COUNTED)
    played("break push\nrun\nnext 4\nchange s->size 1\nspec\nrepair")
    repaired = played.last(results.Repaired)
    assert "s->size = s->size + 1" in repaired.patch or "s->size++" in repaired.patch
    assert repaired.behaviours > 1
    played("delete\ncontinue")
    assert played.last(results.Exited).code == 0
