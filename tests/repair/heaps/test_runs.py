"""Runs on one heap after the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.repair.heaps.runs import ENDLESS, Runs
from wolverine.repair.menus.candidates import Menus

CUT = """\
#include <stdlib.h>
struct node { void *data; struct node *next; };
static struct node *cut(struct node *list)
{
    struct node *rest = list->next;
    list->next = NULL;
    CUT
}
int main(void)
{
    struct node *list = malloc(sizeof *list);
    list->next = malloc(sizeof *list);
    list->next->next = NULL;
    list->data = malloc(4);
    list->data = list->next->data = NULL;
    return cut(list) == NULL;
}
"""


@pytest.mark.parametrize(("ending", "lost"), [("return list;", 1), ("list->next = rest; return list;", 0)])
def test_what_was_lost_before_no_run_loses(ending: str, lost: int, tmp_path: Path) -> None:
    play = Play(program_of(CUT.replace("CUT", ending), tmp_path))
    play.enter_function("cut")
    assert play.begin is not None
    runs = Runs(play.program, Menus(play.program), {}, "cut", 1_000)
    runs.seat(play.begin)
    assert runs.loses is (lost > 0)
    [ended] = runs.run({})
    assert (ended.lost, ended.still) == (0, lost)


ROUND = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static void show(struct node *at)
{
    while (at != NULL) {
        printf("%d ", at->value);
        at = at->next;
    }
}
int main(void)
{
    struct node *list = malloc(sizeof *list);
    list->value = 1;
    list->next = list;
    show(list);
    return 0;
}
"""


def test_what_goes_on_printing_the_same_is_endless(tmp_path: Path) -> None:
    play = Play(program_of(ROUND, tmp_path))
    play.enter_function("show")
    assert play.begin is not None
    runs = Runs(play.program, Menus(play.program), {}, "show", 1_000_000)
    runs.seat(play.begin)
    [ended] = runs.run({})
    assert ended.outcome == ENDLESS
    assert runs.steps < 1_000


POPPED = """\
#include <stdlib.h>
struct node { struct node *next; };
static struct node *list;
static void pop(void)
{
    struct node *first = list;
    list = first->next;
    CLEAR
    free(first);
}
int main(void)
{
    list = malloc(sizeof *list);
    list->next = malloc(sizeof *list);
    list->next->next = NULL;
    pop();
    return 0;
}
"""


def test_what_a_freed_node_held_is_not_left(tmp_path: Path) -> None:
    outcomes = []
    for clear in ("", "first->next = NULL;", "list->next = first;"):
        play = Play(program_of(POPPED.replace("CLEAR", clear), tmp_path))
        play.enter_function("pop")
        assert play.begin is not None
        runs = Runs(play.program, Menus(play.program), {}, "pop", 1_000)
        runs.seat(play.begin)
        [ended] = runs.run({})
        outcomes.append(ended.outcome)
    plain, cleared, led = outcomes
    assert plain == cleared != led


CLOSED = """\
#include <stdlib.h>
struct page { struct page *before; };
static struct page *open;
static void close_page(struct page *p)
{
    free(p);
}
int main(void)
{
    open = malloc(sizeof *open);
    open->before = malloc(sizeof *open);
    open->before->before = NULL;
    struct page *before = open->before;
    close_page(open);
    BEHIND
    return open != NULL;
}
"""


@pytest.mark.parametrize(("behind", "broken"), [("open = before;", 0), ("before = NULL;", 1)])
def test_what_callers_set_anew_may_lead_to_a_freed_node(behind: str, broken: int, tmp_path: Path) -> None:
    play = Play(program_of(CLOSED.replace("BEHIND", behind), tmp_path))
    play.enter_function("close_page")
    assert play.begin is not None
    runs = Runs(play.program, Menus(play.program), {}, "close_page", 1_000, keeping=True, tolerating=True)
    runs.seat(play.begin)
    [ended] = runs.run({})
    assert ended.broken == broken
