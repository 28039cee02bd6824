"""The `else` of an `if` that is another one with names exchanged."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.patch import Edit, NewAssignment, Patch
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import describe
from wolverine.repair.ranking.score import Scores

LEVELS = """\
#include <stdlib.h>
struct tree { struct tree *left, *right, *beside; };
void connect(struct tree *level) {
    struct tree *first = NULL, *prev = NULL;
    if (level->left) {
        if (prev)
            prev->beside = level->left;
        else
            first = level->left;
        prev = level->left;
    }
    if (level->right) {
        if (prev)
            prev->beside = level->right;
        prev = level->right;
    }
    level->beside = first;
}
int main(void) { connect(calloc(1, sizeof(struct tree))); return 0; }
"""
DEQUE = """\
#include <stdlib.h>
struct node { struct node *prev, *next; };
struct deque { struct node *head, *tail; };
void front(struct deque *d, struct node *n) {
    n->next = d->head;
    if (d->head)
        d->head->prev = n;
    else
        d->tail = n;
    d->head = n;
}
void back(struct deque *list, struct node *fresh) {
    fresh->prev = list->tail;
    if (list->tail)
        list->tail->next = fresh;
    list->tail = fresh;
}
int main(void) { struct deque d = { NULL, NULL }; front(&d, malloc(16)); back(&d, malloc(16)); return 0; }
"""


def distance(source: str, line: int, words: str, tmp_path: Path) -> float:
    """How far that assignment is as the `else` of the `if` that ends in a line."""
    program = program_of(source, tmp_path)
    menus, scores = Menus(program), Scores(program)
    [gap] = [each.id for each in program.locations if each.gap == "else" and each.line in (line - 1, line)]
    menu = menus.menu(gap)
    assert menu is not None
    made = (
        Patch((Edit(gap, c.replacement),)) for c in menu.choices if isinstance(c.replacement, NewAssignment)
    )
    return next(scores.patch(each) for each in made if describe(program, each)[7:] == words)


@pytest.mark.parametrize(
    ("source", "line", "wanted", "instead"),
    [
        (LEVELS, 14, "first = level->right", ("prev->beside = level->right;", "prev->beside = level;")),
        (LEVELS, 14, "first = level->right", ("first = level->left;", "prev = NULL;")),
        (DEQUE, 14, "list->head = fresh", ("d->head->prev = n;", "d->tail->prev = n;")),
    ],
)
def test_an_else_as_that_of_the_same_if_with_other_names_is_meant(
    source: str, line: int, wanted: str, instead: tuple[str, str], tmp_path: Path
) -> None:
    alike = distance(source, line, wanted, tmp_path)
    assert alike < distance(source.replace(*instead), line, wanted, tmp_path) - 0.1


ORDER = """\
#include <stdlib.h>
struct node { struct node *prev, *next; };
static struct node *first;
void take(struct node *n) {
    if (n->next)
        n->next->prev = n->prev;
    if (n->prev)
        n->prev->next = n->next;
    free(n);
}
int main(void) { take(first); return 0; }
"""


@pytest.mark.parametrize(
    ("line", "wanted", "instead"),
    [
        (8, "first = n->next", ("n->prev->next = n->next", "n->prev->next = NULL")),
        (8, "first = n->next", ("if (n->prev)", "if (n->next)")),
    ],
)
def test_an_else_does_to_the_end_what_is_done_to_the_neighbour(
    line: int, wanted: str, instead: tuple[str, str], tmp_path: Path
) -> None:
    there = distance(ORDER, line, wanted, tmp_path)
    assert there < distance(ORDER.replace(*instead), line, wanted, tmp_path) - 0.4


SORTED = """\
#include <stdlib.h>
struct node { int v; struct node *prev, *next; };
static struct node *first;
void put(struct node *n) {
    struct node *p;
    if (first == NULL) {
        OTHER
        return;
    }
    for (p = first; p; p = p->next) {
        if (p->v > n->v) {
            n->prev = p->prev;
            n->next = p;
            if (p->prev)
                p->prev->next = n;
            p->prev = n;
            break;
        }
    }
    ALSO
}
int main(void) { put(malloc(sizeof *first)); return 0; }
"""


def test_what_an_else_does_to_the_end_may_be_done_to_an_empty_list_as_well(tmp_path: Path) -> None:
    """It is no second statement that does the same on the same way."""
    alone = SORTED.replace("OTHER", "first = n;").replace("ALSO", "")
    again = SORTED.replace("OTHER", ";").replace("return;", ";", 1).replace("ALSO", "if (!p) first = n;")
    there, too = (distance(each, 15, "first = n", tmp_path) for each in (alone, again))
    assert too < there + 0.2
