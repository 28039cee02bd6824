"""After a mere crash: what the heap of the crash does not show of the inputs of the function that crashed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import best, crash, program_of, words

from wolverine.core.expressions import Binary, Constant, Load, VariableReference
from wolverine.core.graph import Place, Pointer
from wolverine.core.patch import Edit, Guarded, NewAssignment
from wolverine.core.program import Assign
from wolverine.core.types import INT
from wolverine.repair.heaps.unrepaired import led_somewhere
from wolverine.repair.ranking.distance import distance
from wolverine.repair.ranking.score import Scores
from wolverine.semantics.fresh import fresh_graphs

MINIMUM = """\
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
struct tree *make(int key, struct tree *left) {
    struct tree *t = malloc(sizeof *t);
    t->key = key;
    t->left = left;
    t->right = NULL;
    return t;
}
int minimum(struct tree *root) {
    while (root != NULL)
        root = root->left;
    return root->key;
}
int main(void) { return minimum(make(3, make(2, make(1, NULL)))); }
"""

LIST = """\
#include <stdlib.h>
struct node { int v; struct node *prev, *next; };
struct list { struct node *head, *tail; };
void push(struct list *l, int v) {
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = NULL;
    n->prev = l->tail;
    PUSHED
    l->tail = n;
}
void unlink(struct list *l, struct node *n) {
    UNLINKED
    if (n->next != NULL)
        n->next->prev = n->prev;
    else
        l->tail = n->prev;
    free(n);
}
int main(void) {
    struct list l = { NULL, NULL };
    push(&l, 1);
    push(&l, 2);
    push(&l, 3);
    unlink(&l, l.head);
    return 0;
}
"""
PUSHED = "if (l->tail != NULL) l->tail->next = n; else l->head = n;"


REMOVE = """\
#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct cell *cons(int v, struct cell *next) {
    struct cell *c = malloc(sizeof *c);
    c->v = v;
    c->next = next;
    return c;
}
struct cell *without(struct cell *head, int v) {
    struct cell *prev = NULL, *cur = head;
    while (cur != NULL) {
        if (cur->v == v) {
            struct cell *dead = cur;
            cur = cur->next;
            prev->next = cur;
            free(dead);
        } else {
            prev = cur;
            cur = cur->next;
        }
    }
    return head;
}
int main(void) { return without(cons(2, cons(2, NULL)), 2) != NULL; }
"""


def test_null_that_it_was_not_given_says_nothing_about_a_function_that_comes_to_it(tmp_path: Path) -> None:
    problem = crash(MINIMUM, "minimum", tmp_path)
    assert led_somewhere(problem.program, problem.traces[0]) == {"root"}
    first = best(problem)
    assert words(problem.program, first) == "root->left != NULL"
    assert first.crashes == 1  # on the empty tree, as every other one that keeps to what the function is for


@pytest.mark.thorough
def test_a_parameter_at_the_first_node_is_tried_at_others_too(tmp_path: Path) -> None:
    text = LIST.replace("PUSHED", PUSHED).replace(
        "UNLINKED", "if (n != NULL) n->prev->next = n->next; else l->head = n->next;"
    )
    problem = crash(text, "unlink", tmp_path)
    start = problem.traces[0].start
    node = next(v.id for v in start.frames[0].variables if v.id.name == "n")
    assert start.cells[Place(node, 0)] == Pointer(min(start.nodes))
    heaps = fresh_graphs(problem.program, start, (("unlink", 0),), limit=24, elsewhere=True)
    led = {(len(h.nodes), h.cells[Place(node, 0)].object.number) for h in heaps if h.nodes}  # type: ignore[union-attr]
    assert {(3, 1), (3, 2), (3, 3)} <= led
    assert words(problem.program, best(problem)) == "n->prev != NULL"  # `n == NULL` does at the first node


@pytest.mark.thorough
def test_what_another_repair_builds_tells_how_the_structure_hangs_together(tmp_path: Path) -> None:
    text = LIST.replace("PUSHED", "l->tail->next = n;").replace("UNLINKED", "l->head = n->next;")
    problem = crash(text, "push", tmp_path)
    assert not problem.traces[0].start.nodes
    assert words(problem.program, best(problem)) == "if (l->tail != NULL) l->tail->next = n; else l->head = n"


@pytest.mark.thorough
def test_what_leaves_a_pointer_to_a_freed_node_comes_behind_the_special_case(tmp_path: Path) -> None:
    """`prev = head` and `dead->next = cur` get round the crash too, and return the node that was freed."""
    problem = crash(REMOVE, "without", tmp_path)
    assert words(problem.program, best(problem)) == "if (prev != NULL) prev->next = cur; else head = cur"


def test_a_test_that_its_statement_contradicts_is_far(tmp_path: Path) -> None:
    program = program_of(
        MINIMUM.replace("root = root->left", "root = root->sub[0]").replace(
            "struct tree *left, *right", "struct tree *sub[2], *left, *right"
        ),
        tmp_path,
    )
    scores = Scores(program)
    step = next(s for s in program.functions["minimum"].code if isinstance(s, Assign))
    place = step.target
    null = Constant(0, place.type)
    statement = NewAssignment(place, step.value)
    against, sheltering = (
        scores.edit(Edit(step.location, Guarded(Binary(operator, Load(place), null, INT), statement)))
        for operator in ("==", "!=")
    )
    assert against > sheltering + 1


def test_an_operation_that_changes_nothing_is_far() -> None:
    number = Load(VariableReference("i", INT))
    for operator, neutral in (("+", 0), ("-", 0), ("*", 1), ("/", 1)):
        idle = Binary(operator, number, Constant(neutral, INT), INT)
        step = Binary(operator, number, Constant(4, INT), INT)
        assert distance(step, idle) > distance(step, Binary(operator, number, Constant(5, INT), INT)) + 0.5


ROWS = """\
#include <stdlib.h>
struct cell { int row, column; struct cell *next, *below; };
struct table { int rows, columns; struct cell **row, **column; };
static struct cell **in_row(struct table *t, int row) { return &t->row[row]; }
static struct cell **in_column(struct table *t, int column) { return &t->column[column]; }
static void add(struct table *t, int row, int column)
{
    struct cell **first = in_row(t, row), *c = *first;
    if (c->column == column)
        return;
    c = calloc(1, sizeof *c);
    c->row = row;
    c->column = column;
    c->next = *first;
    *first = c;
    first = in_column(t, column);
    c->below = *first;
    *first = c;
}
int main(void)
{
    struct table t = {1, 1, calloc(1, sizeof *t.row), calloc(1, sizeof *t.column)};
    int row = 0, column = 0;
    if (column < t.columns)
        add(&t, row, column);
    return t.row[0] == NULL;
}
"""


def test_numbers_that_lead_beyond_an_array_are_none_that_are_given(tmp_path: Path) -> None:
    """What leaves the function in time is no better for that."""
    problem = crash(ROWS, "add", tmp_path)
    assert words(problem.program, best(problem)) == "c != NULL && c->column == column"
