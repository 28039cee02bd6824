"""A second crash, when what was repaired before is over: repaired beside the edits that are in force."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

UNLINKED = """\
#include <stdlib.h>
struct node { int v; struct node *prev, *next; };
static struct node *all, *end;
static void add(int v)
{
    struct node *made = malloc(sizeof *made);
    made->v = v;
    made->next = NULL;
    made->prev = end;
    if (end != NULL)
        end->next = made;
    else
        all = made;
    end = made;
}
static void take(struct node *n)
{
    if (n == all)
        all = n->next;
    if (n == end)
        end = n->prev;
    n->prev->next = n->next;
    n->next->prev = n->prev;
    free(n);
}
int main(void)
{
    for (int i = 0; i < 4; i++)
        add(i);
    take(end);
    take(all);
    while (all != NULL)
        take(all);
    return 0;
}
"""


@pytest.mark.thorough
def test_the_edits_that_are_in_force_stay(play: Callable[..., Played]) -> None:
    session = play(UNLINKED)
    session("run\nrepair --line 23 --no-question")
    (first,) = session.last(results.Repaired).edits
    assert first.before == "n->next->prev = n->prev"
    session("continue\nrepair --line 21-23 --no-question")
    second = session.last(results.Repaired)
    assert [each.before for each in second.edits] == ["n->prev->next = n->next"]
    assert "+    if (n->next != NULL)" in second.patch
    assert "+    if (n->prev != NULL)" in second.patch
    session("continue")
    assert session.last(results.Exited).code == 0


TAKEN = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static int value(struct node *n)
{
    return n->v;
}
static int take(struct node **head)
{
    struct node *old = *head;
    free(old);
    *head = old->next;
    return value(*head);
}
int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *made = malloc(sizeof *made);
        made->v = i;
        made->next = head;
        head = made;
    }
    while (head != NULL)
        printf("%d ", take(&head));
    return 0;
}
"""


@pytest.mark.thorough
def test_what_crashes_in_a_later_call_on_the_same_frame_is_another_execution(
    play: Callable[..., Played],
) -> None:
    session = play(TAKEN)
    session("run\nrepair --no-question\ncontinue")
    assert session.last(results.Signalled).line == 6
    session("repair --no-question")
    second = session.last(results.Repaired)
    assert second.edits
    assert all(each.line in (6, 13) for each in second.edits)
    assert "-    *head = old->next;" in second.patch
    session("continue")
    assert session.last(results.Exited).code == 0


DROPPED = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int key; struct node *next, *prev; };
static struct node *head;
static void drop(int key)
{
    struct node *at = head;
    while (at != NULL) {
        if (at->key == key) {
            if (at == head) {
                at->next->prev = NULL;
                head = at->next;
            } else {
                at->prev->next = at->next;
                if (at->next != NULL)
                    at->next->prev = at->prev;
            }
            free(at);
        }
        at = at->next;
    }
}
int main(void)
{
    int key;
    for (key = 0; key < 1; key++) {
        struct node *n = malloc(sizeof *n);
        n->key = key;
        n->prev = NULL;
        n->next = head;
        if (head != NULL)
            head->prev = n;
        head = n;
    }
    while (key-- > 0)
        drop(key);
    printf("%s\\n", head == NULL ? "empty" : "more");
    return 0;
}
"""


@pytest.mark.thorough
def test_another_fault_that_a_repair_comes_to_does_not_speak_against_it(play: Callable[..., Played]) -> None:
    session = play(DROPPED)
    session("run\nrepair --no-question")
    (edit,) = session.last(results.Repaired).edits
    assert edit.line == 11
    assert "if (at->next != NULL)" in edit.after


STAFF = """\
#include <stdlib.h>
struct person { char name; struct person *first, *next; };
static struct person *hire(struct person *boss, char name)
{
    struct person *p = calloc(1, sizeof *p);
    p->name = name;
    p->next = boss->first;
    boss->first = NULL;
    return p;
}
static char last(struct person *boss)
{
    struct person *at = boss->first;
    while (at->next != NULL)
        at = at->next;
    return at->name;
}
int main(void)
{
    struct person top = { 'T', NULL, NULL };
    struct person *a = hire(&top, 'A');
    return last(&top) + last(a) > 200;
}
"""


@pytest.mark.thorough
def test_what_was_asserted_and_repaired_binds_no_crash_in_another_call(play: Callable[..., Played]) -> None:
    session = play(STAFF)
    session("break hire\nrun\nfinish\nchange top.first n1\nrepair --no-question")
    (first,) = session.last(results.Repaired).edits
    assert first.after == "boss->first = p"
    session("delete\ncontinue\nrepair --no-question")
    edits = session.last(results.Repaired).edits
    assert {each.line in range(11, 18) for each in edits if each != first} == {True}


CRATES = """\
#include <stdlib.h>
struct crate { int weight; struct crate *below, *above; };
static struct crate *bottom, *top;
static void pile(int weight)
{
    struct crate *c = malloc(sizeof *c);
    c->weight = weight;
    c->above = NULL;
    c->below = top;
    if (top != NULL)
        top->above = top;
    else
        bottom = c;
    top = c;
}
static void clear(void)
{
    struct crate *c = bottom;
    while (c != NULL) {
        free(c);
        c = c->above;
    }
    bottom = top = NULL;
}
int main(void)
{
    pile(3);
    pile(2);
    pile(1);
    clear();
    return 0;
}
"""


def test_nor_does_it_bind_the_use_of_freed_nodes_that_the_process_survives(
    play: Callable[..., Played],
) -> None:
    session = play(CRATES)
    session("break pile\nrun\ncontinue\nfinish\nchange n1->above n2\nrepair --no-question")
    (first,) = session.last(results.Repaired).edits
    assert first.after == "top->above = c"
    session("delete\nbreak clear\ncontinue\nnext 4\nrepair --no-question")
    second = session.last(results.Repaired)
    assert "+            top->above = c;" in second.patch or "+        top->above = c;" in second.patch
    assert "c->above;" in second.edits[0].after
    assert all(each.line in range(17, 25) for each in second.edits if each != first)


CLASS = """\
#include <stdio.h>
#include <stdlib.h>
#define PUPILS 3
struct pupil { int mark; };
int main(void)
{
    struct pupil *pupils[PUPILS];
    int i, sum = 0;
    for (i = 0; i < PUPILS; i++) {
        pupils[i] = malloc(sizeof *pupils[i]);
        pupils[i]->mark = 2 * i + 1;
    }
    for (i = 0; i <= PUPILS; i++)
        sum += pupils[i]->mark;
    for (i = 0; i < PUPILS; i++)
        free(pupils[i]);
    free(pupils[0]);
    return sum;
}
"""


@pytest.mark.thorough
def test_another_fault_behind_a_crash_is_left_to_the_next_repair(play: Callable[..., Played]) -> None:
    """Nothing that goes round both comes before what repairs the first one."""
    session = play(CLASS, json=False)
    session("run; repair --no-question")
    (edit,) = session.last(results.Repaired).edits
    assert (edit.before, edit.after) == ("i <= PUPILS", "i < PUPILS")
    assert "further on the patched program crashes: n1 is freed twice at line 17" in session.texts()
    session("continue; repair --no-question; continue")
    (edit,) = session.last(results.Repaired).edits
    assert (edit.kind, edit.before) == ("delete", "free(pupils[0])")
    assert session.last(results.Exited).code == 9
