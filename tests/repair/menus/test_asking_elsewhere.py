"""Conditions with a test more that the program makes elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, words

from wolverine.core.expressions import text
from wolverine.core.patch import Edit, Patch
from wolverine.frontend import parse_expression
from wolverine.repair.menus.asking import as_of_others
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
SHELF = """\
#include <stdlib.h>
struct book { int width; struct book *beside; };
struct book *put(struct book *shelf, int width)
{
    struct book *at = shelf, *b = malloc(sizeof *b);
    b->width = width;
    b->beside = NULL;
    if (shelf == NULL) {
        b->beside = shelf;
        return b;
    }
    while (at->beside != NULL && at->beside->width > width)
        at = at->beside;
    b->beside = at->beside;
    at->beside = b;
    return shelf;
}
int main(void)
{
    struct book *all = put(NULL, 2);
    all = put(all, 4);
    all = put(all, 3);
    return all->width;
}
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
        (SHELF, "shelf == NULL", "shelf == NULL || shelf->width <= width"),  # what the loop asks of others
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


def test_who_asks_of_the_others_asks_of_the_first_one_too(tmp_path: Path) -> None:
    play = Play(program_of(SHELF, tmp_path))
    play.open()
    play.to(23)
    play.change("all", "n2")
    play.change("n2->beside", "n3")
    play.change("n3->beside", "n1")
    play.change("n1->beside", "null")
    play.spec()
    problem = play.problem()
    assert words(problem.program, best(problem)) == "shelf == NULL || shelf->width <= width"


@pytest.mark.parametrize(
    ("condition", "likely"),
    [
        ("shelf == NULL || shelf->width <= width", True),
        ("shelf == NULL || width >= shelf->width", True),
        ("shelf != NULL && shelf->width > width", False),  # it asks for something else as well
        ("shelf == NULL || shelf->width < width", False),
        ("shelf == NULL || shelf->width <= b->width", False),
        ("shelf == NULL || at->beside->width > width", False),  # of no other node
    ],
)
def test_just_what_is_asked_of_others_is_likelier(condition: str, likely: bool, tmp_path: Path) -> None:
    program = program_of(SHELF, tmp_path)
    old, new = (parse_expression(program, "put", each) for each in ("shelf == NULL", condition))
    assert as_of_others(program.functions["put"], old, new) is likely


def test_what_is_asked_of_one_node_is_asked_of_others(tmp_path: Path) -> None:
    program = program_of(RING.replace("return key < head->key ? fresh : head;", "return head;"), tmp_path)
    menus = Menus(program, guarded=True)
    gap = max(each.id for each in program.locations if each.kind == "gap" and each.function == "insert")
    asked = {text(each) for each in menus.tests(gap)}
    assert {"at->key < key", "at->key >= key", "head->key > key", "fresh->key <= key"} <= asked
    assert "at->key == key" not in asked  # no order is asked with that
