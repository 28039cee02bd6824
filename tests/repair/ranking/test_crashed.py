"""What speaks against a repair where a crash is all that is known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import best, crash, program_of, words

from wolverine.core.expressions import Constant, Dereference, Load, Member
from wolverine.core.patch import Edit, NewAssignment, NewCall, Patch, Repairs
from wolverine.core.program import Program
from wolverine.core.types import INT, StructReference
from wolverine.repair import search
from wolverine.repair.heaps.trials import Part
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import describe
from wolverine.repair.ranking.crashed import against, crash_kind
from wolverine.repair.source.forgotten import fields_set

TEXT = """\
#include <stdlib.h>
struct node { int key, depth; struct node *next; };
struct node *head;
int count;
void create(int key, struct node **made) {
    *made = malloc(sizeof **made);
    (*made)->key = key;
}
void push(struct node *made, int depth) {
    made->next = head;
    head = made;
}
int main(void) {
    struct node *made;
    create(1, &made);
    push(made, 0);
    return 0;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return program_of(TEXT, tmp_path)


def worst(program: Program, function: str, wanted: str) -> float:
    """What speaks against an insertion, where most does."""
    menus, found = Menus(program), []
    for location in program.locations:
        menu = menus.menu(location.id) if location.function == function and location.kind == "gap" else None
        for choice in menu.choices if menu is not None else ():
            patch = Patch((Edit(location.id, choice.replacement),))
            if isinstance(choice.replacement, NewAssignment) and describe(program, patch).endswith(wanted):
                found.append(against(program, patch, (), Part({}, {}), 0, filled=fields_set(program)))
    assert found, wanted
    return max(found)


def test_numbers_are_set_rather_than_pointers_to_get_round_a_crash(program: Program) -> None:
    pointer = worst(program, "create", "(*made)->next = NULL")
    assert pointer < worst(program, "push", "made->key = depth") < worst(program, "push", "depth = 0")
    assert worst(program, "push", " count = 0") > 0


def test_a_number_that_nobody_sets_may_be_missing(program: Program) -> None:
    assert worst(program, "push", "made->depth = depth") < 0


def test_counting_is_no_way_round_a_crash(program: Program) -> None:
    assert worst(program, "push", "count = count + 1") == 0


FILLED = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *head;
void push(int v) {
    struct node *made = malloc(sizeof *made);
    head->v = v;
    made->next = head;
    head = made;
}
int main(void) {
    push(1);
    push(2);
    return head->v;
}
"""


def test_what_a_new_node_lacks_is_what_was_meant(tmp_path: Path) -> None:
    """A test that the other node is there avoids the crash as well, and the new ones hold nothing."""
    problem = crash(FILLED, "push", tmp_path)
    assert words(problem.program, best(problem)) == "made->v = v"


TABLE = """\
#include <stdlib.h>
struct entry { int key; struct entry *next; };
struct entry *slots[2];
struct entry *find(int key) {
    struct entry *e = slots[key & 1];
    while (e != NULL && e->key != key)
        e = e->next;
    return e;
}
void put(int key) {
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    e->next = slots[key & 1];
}
int main(void) {
    put(1);
    put(2);
    put(3);
    return find(1)->key;
}
"""


def test_what_is_forgotten_in_every_call_is_made_up_for_in_every_call(tmp_path: Path) -> None:
    """`put` had come to its end, and does something else on all heaps; another subscript changes nothing."""
    problem = crash(TABLE, "main", tmp_path)
    assert words(problem.program, best(problem)) == "slots[key & 1] = e"


TREES = """\
#include <stdlib.h>
struct tree { int key, seen; struct tree *left, *right; };
static struct tree *root;
static struct tree *find(int key) {
    struct tree *t = root;
    while (t != NULL && t->key != key)
        t = key < t->key ? t->left : t->right;
    return t;
}
static int weight(struct tree *t) {
    if (WEIGHT)
        return 0;
    t->seen = 1;
    return t->key + weight(t->left) + weight(t->right);
}
static int rename_key(int from, int to) {
    struct tree *t = find(from);
    if (RENAME)
        return 0;
    t->key = to;
    t->seen++;
    return 1;
}
int main(void) {
    root = calloc(1, sizeof *root);
    root->key = 4;
    return CALL;
}
"""


@pytest.mark.parametrize(
    ("weight", "rename", "call", "function", "test"),
    [
        # one more test in front of what crashed, rather than another one in its place
        ("t->seen", "t == NULL", "weight(root)", "weight", "t == NULL"),
        # what a function answers is asked for as before
        ("t == NULL", "find(to) != NULL", "rename_key(9, 2)", "rename_key", "t == NULL"),
    ],
)
def test_what_the_condition_asked_for_is_still_asked(
    weight: str, rename: str, call: str, function: str, test: str, tmp_path: Path
) -> None:
    text = TREES.replace("WEIGHT", weight).replace("RENAME", rename).replace("CALL", call)
    problem = crash(text, function, tmp_path)
    found = search(problem)
    assert isinstance(found, Repairs)
    listed = [words(problem.program, each) for each in found.candidates]
    both = next(each for each in listed if test in each and " || " in each)
    assert listed.index(both) < listed.index(test)


def test_what_goes_round_for_ever_is_not_carried_out_to_see_how_it_ends(tmp_path: Path) -> None:
    text = TEXT.replace("create(1, &made);", "made = NULL;")
    problem = crash(text, "main", tmp_path)
    trace = problem.traces[0]
    assert crash_kind(problem.program, trace) == "null"
    assert trace.crash is not None
    endless = replace(trace, events=(*trace.events[:-1], replace(trace.crash, endless=True)))
    assert crash_kind(problem.program, endless) == ""


ADDING = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
struct list { struct node *head, *last; };
struct node *add(struct list *l, int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = l->head;
    l->head = n;
    return n;
}
int main(void)
{
    struct list l = {NULL, NULL}, *p = &l;
    add(p, 1);
    return 0;
}
"""


@pytest.mark.parametrize(("kept", "more"), [("head", True), ("last", False)])
def test_a_node_that_is_added_is_kept_where_the_function_does_not_keep_it(
    kept: str, more: bool, tmp_path: Path
) -> None:
    program = program_of(ADDING, tmp_path)
    [held] = [each for each in program.functions["main"].locals if each.name == "p"]
    record = program.types.structs["list"]
    [field] = [each for each in record.fields if each.name == kept]
    base = Dereference(Load(held), StructReference("list"))
    target = Member(base, kept, field.offset, field.type)
    made = NewCall("add", (Load(held), Constant(2, INT)), target)
    gap = next(s.location for s in program.functions["main"].code if s.location >= 0)
    patch = Patch((Edit(gap, made),))
    without = against(program, patch, frozenset(), Part({}), 1)
    assert (against(program, patch, frozenset(("add",)), Part({}), 1) > without) is more
