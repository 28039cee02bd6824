"""Runs on one heap after the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.repair.heaps.runs import Runs
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
