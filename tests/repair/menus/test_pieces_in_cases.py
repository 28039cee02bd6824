"""Special cases that do several things, as the program has them elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, best, program_of, words

from wolverine.core.trace import Problem
from wolverine.repair.menus.cases import cases
from wolverine.repair.menus.vocabulary import Vocabulary
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.source.pieces import pieces
from wolverine.repair.widening.questions import Found, Questions
from wolverine.repair.widening.relaxed import Plan
from wolverine.semantics.address import node_address

BAG = """\
#include <stdlib.h>
struct item { int key, count; struct item *next; };
struct bag { struct item *first; int kinds; };
void put(struct bag *bag, int key, int count) {
    struct item *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->count = count;
    fresh->next = bag->first;
    bag->first = fresh;
    bag->kinds++;
}
void take(struct bag *bag, int key) {
    struct item *at, *gone;
    if (bag->first == NULL) return;
    if (bag->first->key == key) {
        bag->first->count--;
        if (bag->first->count == 0) {
            gone = bag->first;
            bag->first = gone->next;
            bag->kinds--;
            free(gone);
        }
        return;
    }
    at = bag->first;
    while (at->next != NULL && at->next->key != key) at = at->next;
    if (at->next != NULL) {
        at->next->count--;
        return;
    }
}
int main(void) {
    struct bag *bag = calloc(1, sizeof *bag);
    put(bag, 1, 2);
    put(bag, 2, 1);
    put(bag, 3, 2);
    take(bag, 2);
    return 0;
}
"""
MIDDLE = (
    "if (at->next->count == 0) "
    "{ gone = at->next; at->next = gone->next; bag->kinds = bag->kinds - 1; free(gone) }"
)


def test_what_is_done_with_the_first_node_is_written_for_one_behind_another(tmp_path: Path) -> None:
    program = program_of(BAG, tmp_path)
    function, vocabulary = program.functions["take"], Vocabulary(program, "take")
    scope = (*function.parameters, *(v for v in function.locals if not v.name.startswith("$")))
    places = vocabulary.places(scope)
    known = [*pieces(program)]
    made = [replacement_text(each) for _, each in cases(program.types, known, "take", scope, places)]
    assert MIDDLE in made
    assert made[0] == MIDDLE.replace("at->next", "bag->first")
    other = program.functions["put"].parameters
    assert not [*cases(program.types, known, "put", other, ())]  # it has but one variable of that type


DEQUE = """\
struct node { int v; struct node *prev, *next; };
struct deque { struct node *front, *back; int size; };
void take(struct deque *d, struct node *n) {
    d->size--;
    if (d->front == n) {
        d->front = n->next;
        if (d->front != 0) d->front->prev = 0;
        return;
    }
    if (d->back == n) {
        d->back = n->prev;
        d->back->next = 0;
        return;
    }
    n->prev->next = n->next;
    n->next->prev = n->prev;
}
int main(void) {
    struct node one = { 1, 0, 0 };
    struct deque d = { &one, &one, 1 };
    take(&d, &one);
    return 0;
}
"""


def test_at_the_other_end_each_field_stands_for_the_other(tmp_path: Path) -> None:
    program = program_of(DEQUE, tmp_path)
    scope = program.functions["take"].parameters
    made = [replacement_text(e) for _, e in cases(program.types, [*pieces(program)], "take", scope, ())]
    assert made == [
        "if (d->back == n) { d->back = n->prev; d->back->next = 0; return }",
        "if (d->front == n) { d->front = n->next; d->front->prev = 0; return }",
    ]


SHELVES = """\
#include <stdlib.h>
struct book { int id; struct book *next; };
struct shelf { int floor; struct book *books; struct shelf *next; };
static struct shelf *lowest; static int cleared;
void clear(void) {
    cleared++;
    struct shelf *s = lowest;
    free(s->books);
    s->books = 0;
    if (s->books == 0) {
        lowest = s->next;
        free(s);
    }
}
void lend(struct shelf **at) {
    struct shelf *here = *at;
    struct book *gone = here->books;
    here->books = gone->next;
    free(gone);
}
void drop(struct shelf **where) {
    struct shelf *all = *where;
    if (all->books == 0) {
        *where = all->next;
        free(all);
    }
}
void put(struct shelf *only) {
    struct book *fresh = malloc(sizeof *fresh);
    fresh->next = only->books;
    only->books = fresh;
}
int main(void) {
    for (int i = 2; i > 0; i--) {
        struct shelf *shelf = malloc(sizeof *shelf);
        shelf->floor = i;
        shelf->books = 0;
        shelf->next = lowest;
        put(shelf);
        lowest = shelf;
    }
    lend(&lowest);
    return 0;
}
"""

DROP = SHELVES[SHELVES.index("void drop") : SHELVES.index("void put")]


@pytest.mark.parametrize(
    ("function", "others", "made"),
    [
        ("lend", ("clear",), ["lowest = here->next", "*at = here->next"]),
        ("put", ("drop",), ["lowest = only->next"]),
    ],
)
def test_the_link_that_is_set_may_be_known_by_its_address(
    function: str, others: tuple[str, ...], made: list[str], tmp_path: Path
) -> None:
    program = program_of(SHELVES, tmp_path)
    within, vocabulary = program.functions[function], Vocabulary(program, function)
    scope = (*within.parameters, *(v for v in within.locals if not v.name.startswith("$")), *program.globals)
    known = [each for each in pieces(program) if each.function in others]
    found = cases(program.types, known, function, scope, vocabulary.places(scope))
    texts = [replacement_text(each) for _, each in found]
    assert all(any(each in written for written in texts) for each in made), texts


def test_what_the_function_names_is_set_rather_than_what_it_does_not(tmp_path: Path) -> None:
    play = Play(program_of(SHELVES.replace(DROP, ""), tmp_path))
    play.enter_function("lend")
    play.to(20, "lend")
    play.change("lowest", "n1")
    play.machine.memory.release(node_address(3))
    play.spec()
    problem = play.problem()
    assert words(problem.program, best(problem)) == "if (here->books == 0) { *at = here->next; free(here) }"


def taken(folder: Path) -> Problem:
    """The node behind the first was to go, as none is left of it."""
    play = Play(program_of(BAG, folder))
    play.enter_function("take")
    play.to(31, "take")
    play.change("n4->next", "n2")
    play.change("n1->kinds", "2")
    play.machine.memory.release(node_address(3))
    play.spec()
    return play.problem()


def test_what_is_missing_for_the_nodes_behind_stands_at_the_first(tmp_path: Path) -> None:
    problem = taken(tmp_path)
    assert words(problem.program, best(problem)) == MIDDLE


@pytest.mark.thorough
def test_where_it_was_accepted_both_engines_keep_it(tmp_path: Path) -> None:
    problem = taken(tmp_path)
    accepted = best(problem).patch
    assert best(replace(problem, accepted=accepted)).patch == accepted
    questions = Questions(problem, lambda: False)
    questions.encode(Plan(0, kept=accepted))
    answer = questions.ask([questions.at_most("all", [s.term for s in questions.selectors], 0)])
    assert isinstance(answer, Found)
    assert answer.patch == accepted
