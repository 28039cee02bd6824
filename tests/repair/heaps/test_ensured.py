"""What the callers of a function make sure of."""

from __future__ import annotations

from pathlib import Path

from playing import Play, best, crash, program_of, words

from wolverine.core.graph import Place, Pointer
from wolverine.repair.heaps.ensured import as_called, ensured
from wolverine.semantics.fresh import fresh_graphs

TREE = """\
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
static int height(struct tree *t) { return t ? 1 + height(t->left) + height(t->right) : 0; }
static struct tree *raise(struct tree *x)
{
    struct tree *y = x->right;
    x->right = y->left;
    y->left = x;
    return y;
}
static struct tree *lower(struct tree *x, int by)
{
    struct tree *y = x->left;
    x->left = y->right;
    y->right = x;
    return by ? y : x;
}
static struct tree *put(struct tree *t, int key)
{
    if (t == NULL) {
        t = calloc(1, sizeof *t);
        t->key = key;
        return t;
    }
    if (key < t->key)
        t->left = put(t->left, key);
    else
        t->right = put(t->right, key);
    int more = height(t->left) - height(t->right);
    if (more < -1 && key > t->right->key)
        return raise(t);
    if (more > 1 && key > t->left->key) {
        t->left = raise(t->left);
        return lower(t, 1);
    }
    if (t->left != NULL && more > 1)
        return lower(t, 1);
    return t;
}
int main(void)
{
    struct tree *root = NULL;
    for (int i = 1; i < 5; i++)
        root = put(root, i);
    return root->key != 2;
}
"""
LEFT, RIGHT = 8, 16


def test_what_is_gone_through_in_front_of_a_call_is_there(tmp_path: Path) -> None:
    program = program_of(TREE, tmp_path)
    assert ensured(program, "raise") == {(0, ()), (0, (RIGHT,))}  # the call that tells nothing does not count
    assert ensured(program, "lower") == {(0, ()), (0, (LEFT,))}
    assert ensured(program, "put") == frozenset()


def test_what_is_set_in_between_is_not_known(tmp_path: Path) -> None:
    set_first = TREE.replace("return raise(t);", "{ t = t->right; return raise(t); }")
    assert ensured(program_of(set_first, tmp_path), "raise") == frozenset()


def test_heaps_for_a_rotation_have_what_it_turns_up(tmp_path: Path) -> None:
    program = program_of(TREE, tmp_path)
    play = Play(program)
    play.enter_function("raise")
    assert play.begin is not None
    heaps = fresh_graphs(program, play.begin, (("raise", 0),), limit=60)
    kept = as_called(program, "raise", heaps)
    assert 4 <= len(kept) < len(heaps)
    for heap in kept:
        at = next(v for p, v in heap.cells.items() if getattr(p.object, "name", "") == "x")
        assert at is None or (isinstance(at, Pointer) and heap.cells[Place(at.object, RIGHT)] is not None)


def test_a_rotation_is_repaired_as_it_is_called(tmp_path: Path) -> None:
    """The chain that sorted keys make is a tree, and every node that is turned has a right child."""
    wrong = TREE.replace("struct tree *y = x->right;", "struct tree *y = x->left;")
    problem = crash(wrong, "raise", tmp_path)
    assert words(problem.program, best(problem)) == "x->right"


READING = """\
#include <stdio.h>
struct node { int key; struct node *next; };
static void mark(struct node *n, int key) { n->key = key; }
static void turn(struct node **n) { *n = (*n)->next; }
int main(void)
{
    struct node last = {2, NULL}, first = {1, &last}, *p = &first;
    int key;
    while (p->next != NULL)
        p = p->next;
    if (scanf("%d", &key) == 1)
        mark(p, key);
    return 0;
}
"""


def test_what_every_caller_has_gone_through_is_not_null(tmp_path: Path) -> None:
    """Whatever is called since, if the variable is one that only the caller itself sets."""
    assert ensured(program_of(READING, tmp_path), "mark") == {(0, ())}
    for other in ("turn(&p); mark(p", "p = p->next; mark(p", "mark(NULL, 1); mark(p"):
        program = program_of(READING.replace("mark(p", f"{other}"), tmp_path)
        assert ensured(program, "mark") == frozenset()


TASKS = """\
#include <stdlib.h>
#include <string.h>
struct task { struct task *up, *next; char name[8]; };
static void lift(struct task *t) { t->next = t->up->next; t->up->next = t; t->up = t->up->up; }
static void clear(struct task *t) { INSIDE; }
static void on(struct task *t, const char *word)
{
    if (t && t->up) {
        clear(t);
        if (strcmp(word, "lift") == 0)
            lift(t);
    }
}
int main(void) { struct task one = {NULL, NULL, "one"}; on(&one, "lift"); return 0; }
"""


def test_library_functions_in_between_set_no_pointer(tmp_path: Path) -> None:
    compared = TASKS.replace("clear(t);", "strcpy(t->name, word);").replace("INSIDE", "t->up = NULL")
    assert ensured(program_of(compared, tmp_path), "lift") == {(0, ()), (0, (0,))}
    called = TASKS.replace("INSIDE", "t->up = NULL")
    assert ensured(program_of(called, tmp_path), "lift") == {(0, ())}
    copied = TASKS.replace("clear(t);", "memset(t, 0, 8);").replace("INSIDE", "t->up = NULL")
    assert ensured(program_of(copied, tmp_path), "lift") == {(0, ())}


SORTED = """\
#include <stdlib.h>
struct word { int length; struct word *next; };
static int shorter(const struct word *a, const struct word *b) { return a->length < b->length; }
static int first(const struct word *a, const struct word *b) { return a != NULL && a->length < b->length; }
static struct word *least(struct word *w, int (*before)(const struct word *, const struct word *))
{
    struct word *found = w;
    for (; w != NULL; w = w->next)
        if (before(w, found))
            found = w;
    return found;
}
int main(int argc, char **argv)
{
    struct word one = { argc, NULL }, two = { 2, &one };
    return least(&two, argc > 1 ? shorter : first)->length;
}
"""


def test_what_is_called_through_pointers_is_not_given_null_unless_it_asks_for_that(tmp_path: Path) -> None:
    program = program_of(SORTED, tmp_path)
    assert ensured(program, "shorter") == {(0, ()), (1, ())}
    assert ensured(program, "first") == {(1, ())}
    assert ensured(program, "main") == frozenset()
