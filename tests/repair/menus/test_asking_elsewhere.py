"""Conditions with a test more that the program makes elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import text
from wolverine.core.patch import Edit, Patch
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import describe

LINES = """\
#include <stdio.h>
struct line { int open, waiting; } bank[3];
struct line *shortest(void)
{
    struct line *best = NULL;
    for (int i = 0; i < 3; i++)
        if (best == NULL || bank[i].waiting < best->waiting)
            best = &bank[i];
    return best;
}
int main(void)
{
    for (int n = 0; n < 3; n++)
        printf(bank[n].open ? "open" : "closed");
    return shortest() == NULL;
}
"""
RING = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
struct node *insert(struct node *head, int key)
{
    struct node *at = head, *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    while (at->next != head && at->next->key < key)
        at = at->next;
    fresh->next = at->next;
    at->next = fresh;
    return key < head->key ? fresh : head;
}
int main(void)
{
    struct node *first = malloc(sizeof *first);
    first->key = 1;
    first->next = first;
    return insert(first, 2)->key;
}
"""
FIND = """\
#include <stdlib.h>
struct item { int key; struct item *next; } *items;
struct item *find(int key)
{
    struct item *it = items;
    while (it != NULL)
        it = it->next;
    return it;
}
int main(void) { return find(2) != NULL; }
"""


@pytest.mark.parametrize(
    ("source", "condition", "wanted"),
    [
        (FIND, "it != NULL", "it != NULL && it->key != key"),  # what find was given and does not use
        (
            LINES,
            "best == NULL || bank[i].waiting < best->waiting",
            "bank[i].open && (best == NULL || bank[i].waiting < best->waiting)",
        ),
        (
            RING,
            "at->next != head && at->next->key < key",
            "at->next != head && (key < head->key || at->next->key < key)",
        ),
    ],
)
def test_a_condition_may_lack_a_test_that_is_made_elsewhere(
    source: str, condition: str, wanted: str, tmp_path: Path
) -> None:
    program = program_of(source, tmp_path)
    [asks] = [each.id for each in program.locations if each.text == condition]
    menu = Menus(program).menu(asks)
    assert menu is not None
    made = [describe(program, Patch((Edit(asks, choice.replacement),)))[7:] for choice in menu.choices]
    assert made.count(wanted) == 1


def test_what_is_asked_of_one_node_is_asked_of_others(tmp_path: Path) -> None:
    program = program_of(RING.replace("return key < head->key ? fresh : head;", "return head;"), tmp_path)
    menus = Menus(program, guarded=True)
    gap = max(each.id for each in program.locations if each.kind == "gap" and each.function == "insert")
    asked = {text(each) for each in menus.tests(gap)}
    assert {"at->key < key", "at->key >= key", "head->key > key", "fresh->key <= key"} <= asked
    assert "at->key == key" not in asked  # no order is asked with that
