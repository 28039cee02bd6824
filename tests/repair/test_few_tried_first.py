"""A search for one edit that would take all the work leaves some for two edits that are quick to try."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from playing import Play, program_of

from wolverine.core.patch import Repairs
from wolverine.core.trace import Budget, Problem
from wolverine.repair import search
from wolverine.repair.menus.wording import replacement_text

TEXT = """\
#include <stdlib.h>
struct part { int kind; struct part *left, *right; };
static int digits[4], at;
static struct part *join(int kind, struct part *left, struct part *right)
{
    struct part *made = malloc(sizeof *made);
    made->kind = kind;
    made->left = left;
    made->right = right;
    return made;
}
static struct part *digit(void)
{
    int value = digits[at];
    at = at + 1;
    return join(value, NULL, NULL);
}
static struct part *sum(void)
{
    struct part *all = digit();
    while (at < 4) {
        struct part *next = digit();
        all = join('-', next, all);
    }
    return all;
}
int main(void)
{
    struct part *whole;
    digits[0] = 7;
    digits[1] = 4;
    digits[2] = 2;
    digits[3] = 9;
    whole = sum();
    return whole->kind;
}
"""


def _problem(folder: Path) -> Problem:
    play = Play(program_of(TEXT, folder))
    play.to(34)
    play.open()
    play.to(35)
    for node, left, right in (("n3", "n1", "n2"), ("n5", "n3", "n4"), ("n7", "n5", "n6")):
        play.change(f"{node}->left", left)
        play.change(f"{node}->right", right)
    play.spec()
    return play.problem()


def test_arguments_are_exchanged(tmp_path: Path) -> None:
    problem = replace(_problem(tmp_path), budget=Budget(60_000))
    found = search(problem)
    assert isinstance(found, Repairs) and found.complete == "budget"
    edits = found.candidates[0].patch.edits
    assert [replacement_text(each.replacement) for each in edits] == ["all", "next"]
