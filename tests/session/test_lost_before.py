"""A node is lost on the way to a crash: what should have kept it comes before the function that crashed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

SHELVES = """\
#include <stdio.h>
#include <stdlib.h>
struct book { int number; struct book *under; };
struct shelf { int books; struct book *top; };
static struct shelf left, right;
static void put(struct shelf *on, int number)
{
    struct book *b = malloc(sizeof(struct book));
    b->number = number;
    b->under = on->top;
    on->top = b;
    on->books++;
}
static void shift(struct shelf *from, struct shelf *to)
{
    struct book *b = from->top;
    from->top = b->under;
    from->books--;
    b->under = to->top;
    to->top = b;
    to->books++;
}
static void take(struct shelf *from)
{
    struct book *b = from->top;
    printf("%d\\n", b->number);
    from->top = b->under;
    from->books--;
    free(b);
}
static void clear(struct shelf *from)
{
    while (from->books > 0)
        take(from);
}
int main(void)
{
    put(&left, 1);
    put(&left, 2);
    put(&left, 3);
    shift(&left, &right);
    shift(&left, &right);
    clear(&left);
    clear(&right);
    return 0;
}
"""


@pytest.mark.thorough
def test_what_was_forgotten_before(play: Callable[..., Played]) -> None:
    session = play(SHELVES.replace("    to->top = b;\n", ""), json=False)
    session("run; repair --no-question")
    assert "a node had been lost when take began" in session.texts()
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "to->top = b;"


COPIED = """\
#include <stdlib.h>
struct stop { int zone; struct stop *next; };
static struct stop *make(int zone)
{
    struct stop *s = malloc(sizeof *s);
    s->zone = zone;
    s->next = NULL;
    return s;
}
static struct stop *within(const struct stop *line)
{
    struct stop first = {0, NULL}, *last = &first;
    for (; line != NULL; line = line->next) {
        if (line->zone > 1)
            last->next = make(line->zone);
        last = last->next;
    }
    return first.next;
}
int main(void)
{
    struct stop *line = make(2);
    line->next = make(1);
    line->next->next = make(3);
    struct stop *some = within(line);
    while (some != NULL) {
        struct stop *gone = some;
        some = some->next;
        free(gone);
    }
    while (line != NULL) {
        struct stop *gone = line;
        line = line->next;
        free(gone);
    }
    return 0;
}
"""


@pytest.mark.thorough
def test_what_a_crash_cut_off_before_it_was_stored_was_not_lost_before(play: Callable[..., Played]) -> None:
    session = play(COPIED, json=False)
    session("run; repair --no-question")
    said = [each.text for each in session.heard if isinstance(each, results.Note)]
    assert not any("lost" in each or "not modelled" in each for each in said)
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (16, "if (last->next != NULL) last = last->next")
