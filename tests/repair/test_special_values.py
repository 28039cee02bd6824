"""Assignments that are right in some cases only: one of two values, and what leads to a certain node."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, crash, only, program_of, words

from wolverine.core.patch import Edit, Patch, Repairs
from wolverine.repair import search
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.wording import describe
from wolverine.repair.ranking.score import Scores

MERGE = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *cons(int v, struct node *next) {
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = next;
    return n;
}
struct node *merge(struct node *a, struct node *b) {
    struct node head, *tail = &head;
    head.next = NULL;
    while (a != NULL && b != NULL) {
        if (a->v <= b->v) {
            tail->next = a;
            a = a->next;
        } else {
            tail->next = b;
            b = b->next;
        }
        tail = tail->next;
    }
    tail->next = a;
    return head.next;
}
int main(void) {
    struct node *n = merge(cons(1, NULL), cons(2, cons(3, NULL)));
    return n->v;
}
"""

CIRCLE = """\
#include <stdlib.h>
struct person { int id; struct person *next; };
struct person *last;
void join(int id) {
    struct person *p = malloc(sizeof *p);
    p->id = id;
    if (last == NULL)
        p->next = p;
    else {
        p->next = last->next;
        last->next = p;
    }
    last = p;
}
int leave(int id) {
    struct person *p = last, *gone;
    if (last == NULL)
        return 0;
    do {
        gone = p->next;
        if (gone->id == id) {
            if (gone == p)
                last = NULL;
            else
                p->next = gone->next;
            free(gone);
            return 1;
        }
        p = gone;
    } while (p != last);
    return 0;
}
int main(void) {
    join(1); join(2); join(3);
    leave(3);
    return 0;
}
"""


def test_one_of_two_lists_is_what_is_left(tmp_path: Path) -> None:
    """`tail->next = b` is right in this run, and loses the rest of the other list in others."""
    play = Play(program_of(MERGE, tmp_path))
    play.enter_function("merge")
    play.to(23)
    play.change("n3->next", "n2")
    play.spec()
    problem = play.problem()
    assert words(problem.program, best(problem)) == "if (a != NULL) tail->next = a; else tail->next = b"


def test_what_leads_to_the_node_that_goes_is_set_where_it_does(tmp_path: Path) -> None:
    """`last = p` is right in this run, and moves the end where another one leaves."""
    play = Play(program_of(CIRCLE, tmp_path))
    play.enter_function("leave")
    play.to(27)
    play.change("last", "n2")
    play.spec()
    problem = play.problem()
    assert words(problem.program, best(problem)) == "if (gone == last) last = p"


DELETE = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
struct node *table[4];
void insert(int key) {
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = table[key % 4];
    table[key % 4] = n;
}
void drop(int key) {
    struct node *at = table[key % 4], *before = NULL;
    while (at != NULL) {
        if (at->key == key) {
            if (before == NULL)
                table[key % 4] = at->next;
            else
                before->next = at->next;
            free(at);
        }
        before = at;
        at = at->next;
    }
}
int main(void) {
    insert(1); insert(5); insert(2);
    drop(5);
    return 0;
}
"""


@pytest.mark.thorough
def test_a_return_is_forgotten_at_the_end_of_an_if(tmp_path: Path) -> None:
    problem = only(crash(DELETE, "main", tmp_path, strict=True), "drop")
    found = search(problem)
    assert isinstance(found, Repairs)
    leaving = ("break", "return")  # nothing stands behind the loop
    alike = [c for c in found.candidates[:4] if words(problem.program, c) in leaving]
    assert alike[0] is found.candidates[0] and {words(problem.program, c) for c in alike} == {*leaving}
    [edit] = alike[0].patch.edits
    assert problem.program.location(edit.location).line in (18, 19, 20)


def test_nowhere_else_is_it_offered_under_no_test(tmp_path: Path) -> None:
    program = program_of(DELETE, tmp_path)
    menus = Menus(program, guarded=True)
    ending = set()
    for location in program.locations:
        menu = menus.menu(location.id) if location.kind == "gap" else None
        if menu is not None and isinstance(menu.choices, Product):
            statements = menu.choices.statements
            if menu.all & statements.returning:
                ending.add((location.function, location.line))
    assert {function for function, _ in ending} == {"drop"}


SONGS = """\
#include <stdlib.h>
struct song { int id; struct song *next, *prev; };
struct song *head, *current;
int length;
void add(int id) {
    struct song *s = malloc(sizeof *s);
    s->id = id;
    if (head == NULL) {
        s->next = s;
        s->prev = s;
        head = s;
        current = s;
    } else {
        s->next = head;
        s->prev = head->prev;
        head->prev->next = s;
        head->prev = s;
    }
    length++;
}
void forward(void) { current = current->next; }
void drop(void) {
    struct song *s = current;
    if (length == 1) {
        head = NULL;
        current = NULL;
    } else {
        s->prev->next = s->next;
        s->next->prev = s->prev;
        current = s->next;
    }
    free(s);
    length--;
}
int main(void) {
    add(1); add(2); add(3);
    drop();
    forward();
    return 0;
}
"""


def test_what_is_well_where_another_goes_is_left_alone(tmp_path: Path) -> None:
    """`head = s->next` is right in this run, and moves the head whichever song goes."""
    play = Play(program_of(SONGS, tmp_path))
    play.enter_function("drop")
    play.to(33)
    play.change("head", "n2")
    play.spec()
    problem = play.problem()
    first = words(problem.program, best(problem))
    assert first.startswith("if (") and "== " in first and first.endswith("head = s->next")


CARRY = """\
#include <stdlib.h>
struct digit { int d; struct digit *next; };
struct digit *digit(int d, struct digit *next) {
    struct digit *n = malloc(sizeof *n);
    n->d = d;
    n->next = next;
    return n;
}
void twice(struct digit *n) {
    int carry = 0;
    while (n != NULL) {
        n->d = 2 * n->d + carry;
        if (n->d >= 10) {
            n->d = n->d - 10;
            carry = 1;
        }
        n = n->next;
    }
}
int main(void) {
    twice(digit(7, digit(2, digit(1, NULL))));
    return 0;
}
"""


def test_what_is_set_to_numbers_and_never_counts_is_set(tmp_path: Path) -> None:
    program = program_of(CARRY, tmp_path)
    menus, scores = Menus(program), Scores(program)
    found: dict[str, float] = {}
    for location in program.locations:
        menu = menus.menu(location.id) if location.function == "twice" and location.kind == "gap" else None
        for choice in menu.choices if menu is not None else ():
            patch = Patch((Edit(location.id, choice.replacement),))
            written = describe(program, patch)[7:]
            found[written] = min(found.get(written, 9.0), scores.patch(patch))
    assert found["carry = 0"] < found["carry = carry - 1"]


PULLED = """\
#include <stdlib.h>
struct tree { int key; struct tree *low, *high; };
struct tree *leaf(int key, struct tree *low, struct tree *high) {
    struct tree *t = malloc(sizeof *t);
    t->key = key;
    t->low = low;
    t->high = high;
    return t;
}
void pull(struct tree *t) {
    struct tree *up = t, *next = t->high;
    while (next->low != NULL) {
        up = next;
        next = next->low;
    }
    t->key = next->key;
    up->low = next->high;
    free(next);
}
int main(void) {
    struct tree *low = leaf(3, NULL, NULL), *t = leaf(9, NULL, NULL);
    t = leaf(8, NULL, t);
    t = leaf(5, low, t);
    pull(t);
    return t->key;
}
"""


def test_what_is_set_instead_is_set_only_where_the_usual_would_lose_nodes(tmp_path: Path) -> None:
    """`t->high = next->high` is right in this run, and leaves a freed node where the walk goes further."""
    play = Play(program_of(PULLED, tmp_path))
    play.enter_function("pull")
    play.to(18)
    play.change("n4->low", "n1")
    play.change("n4->high", "n2")
    play.spec()
    problem = play.problem()
    first = words(problem.program, best(problem))
    assert first == "if (up != t) up->low = next->high; else t->high = next->high"
