"""One slip in several places of a function, found and mended at once."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.patch import Patch
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.source.slips import Together
from wolverine.repair.source.throughout import everywhere, throughout
from wolverine.repair.special.moves import moved

CHAIN = """\
#include <stddef.h>
struct pair { struct pair *next, *chain; int key; };
struct pair *first;
int count(void)
{
    struct pair *at = first->next;
    int n = 0;
    while (at != NULL) {
        at = at->next;
        n++;
    }
    return n;
}
int main(void) { return first != NULL ? count() : 0; }
"""
SIZES = """\
#include <stdlib.h>
struct node { struct node *next; long value; };
struct node *make(void)
{
    struct node *one = malloc(sizeof(struct node *));
    struct node *two = malloc(sizeof(struct node *));
    one->next = two;
    return one;
}
int main(void) { return make() == NULL; }
"""
STORED = """\
#include <stdlib.h>
struct node { struct node *next; int key; };
int total;
int put(struct node *p)
{
    struct node *first = NULL, *last = NULL, *other = NULL;
    first = other = p;
    return first != NULL;
} // end
int main(void) { return put(malloc(sizeof(struct node))); }
"""
HANDED = """\
struct node { int more; struct node *left, *right; };
void hand(struct node *p)
{
    p->left->more = p->more;
    p->right->more = p->more;
}
int main(void) { return 0; }
"""
# Each call is given just what the function was given, and never ends.
GOING_DOWN = """\
struct leaf { int n; struct leaf *less, *more; };
struct leaf *cut(struct leaf *t, int n)
{
    if (t == 0)
        return 0;
    if (n < t->n)
        t->less = cut(t, n);
    else if (n > t->n)
        t->more = cut(t, n);
    else
        return t->less;
    return t;
}
int sum(struct leaf *t) { return t == 0 ? 0 : t->n + sum(t) + sum(t); }
int main(void) { return cut(0, 1) == 0 && sum(0) == 0; }
"""


@pytest.mark.parametrize(
    ("text", "function", "wanted"),
    [
        (GOING_DOWN, "cut", {"t->less", "t->more"}),
        (GOING_DOWN, "sum", {"t->less", "t->more"}),
        (
            HANDED,
            "hand",
            {"p->left->more = p->left->more + p->more", "p->right->more = p->right->more + p->more"},
        ),
        (HANDED.replace(" = p", " += p"), "hand", {"p->left->more = p->more", "p->right->more = p->more"}),
        (CHAIN, "count", {"first->chain", "at = at->chain"}),
        (SIZES, "make", {"sizeof(*one)", "sizeof(*two)"}),
        (STORED, "put", {"last = p", "first = last"}),
    ],
)
def test_all_places_of_a_slip_are_mended(tmp_path: Path, text: str, function: str, wanted: set[str]) -> None:
    program = program_of(text, tmp_path)
    offered = [*throughout(program, program.functions[function])]
    texts = [{replacement_text(edit.replacement).rstrip(";") for edit in edits} for edits in offered]
    assert wanted in texts, texts
    edits = offered[texts.index(wanted)]
    assert len(edits) > 1
    together = Together(program, partial(everywhere, program))
    assert set(edits) in map(set, together.made_by(Patch(edits)))
    assert [*together.made_by(Patch(edits[:1]))] == []


def test_so_is_something_else_besides(tmp_path: Path) -> None:
    play = Play(program_of(STORED, tmp_path))
    play.enter_function("put")
    play.to(9)
    play.change("last", "n1")
    play.change("other", "null")
    play.change("total", "1")
    play.spec()
    problem = play.problem()
    bench = bench_of(problem, Menus(problem.program))
    work = Work(problem.budget, lambda: False)
    assert not moved(bench, work, 100_000)
    found = moved(bench, work, 100_000, 1)
    assert found
    assert all(len(space.masks) == 3 for space in found)


def test_a_recursion_that_goes_down_in_one_call_is_no_such_slip(tmp_path: Path) -> None:
    program = program_of(GOING_DOWN.replace("t->less = cut(t", "t->less = cut(t->less"), tmp_path)
    assert [*throughout(program, program.functions["cut"])] == []
