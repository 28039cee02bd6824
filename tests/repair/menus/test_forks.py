"""What the program does elsewhere in one of two ways."""

from __future__ import annotations

from pathlib import Path

from playing import Play, best, program_of, words

from wolverine.core.expressions import lvalue_text, text
from wolverine.core.patch import Guarded
from wolverine.repair.menus.forks import Fork, at_the_other_end, forked, forks

LIST = """\
#include <stdlib.h>
struct item { int v; struct item *next, *prev; };
struct item *first;
void push(int v) {
    struct item *n = calloc(1, sizeof *n);
    n->v = v;
    n->next = first;
    if (n->next) n->next->prev = n;
    first = n;
}
void to_front(struct item *at) {
    if (at->next) at->next->prev = at->prev;
    if (at->prev)
        at->prev->next = at->next;
    else
        first = at->next;
    at->prev = NULL;
    at->next = first;
    if (at->next) at->next->prev = at;
    first = at;
}
void drop(struct item *old) {
    if (old->next) old->next->prev = old->prev;
    free(old);
}
int smallest(int a, int b) {
    int c = a < b ? a : b;
    c = a < b ? a : b;
    return c;
}
int main(void) {
    push(1);
    push(2);
    push(3);
    drop(first->next);
    drop(first);
    return smallest(1, 2);
}
"""


def as_text(made: Fork | Guarded) -> str:
    one = made.then if isinstance(made, Fork) else made.statement
    other = made.otherwise
    arms = [f"{lvalue_text(each.target)} = {text(each.value)}" for each in (one, other)]  # type: ignore[union-attr]
    return f"{text(made.condition)}: {arms[0]}; {arms[1]}"


def test_both_arms_are_written_with_the_variables_at_hand(tmp_path: Path) -> None:
    program = program_of(LIST, tmp_path)
    sources = [*forks(program)]
    assert [as_text(each) for each in sources] == [
        "at->prev: at->prev->next = at->next; first = at->next",
        "a < b: c = a; c = b",
    ]
    scope = (*program.functions["drop"].parameters, *program.globals)
    assert [as_text(each) for each in forked(sources, scope)] == [
        "old->prev: old->prev->next = old->next; first = old->next"
    ]


def test_what_is_missing_stands_in_another_function(tmp_path: Path) -> None:
    play = Play(program_of(LIST, tmp_path))
    play.enter_function("drop")
    play.to(24, "drop")
    play.change("n3->next", "n1")
    play.spec()
    play.to(24, "drop")
    play.change("first", "n1")
    play.spec()
    problem = play.problem()
    assert words(problem.program, best(problem)) == (
        "if (old->prev) old->prev->next = old->next; else first = old->next"
    )


TRAIN = """\
#include <stdlib.h>
struct car { int load; struct car *back, *front; };
struct train { struct car *engine, *caboose; int cars; };
void couple(struct train *t, int load) {
    struct car *c = calloc(1, sizeof *c);
    c->load = load;
    c->front = t->caboose;
    if (t->caboose)
        t->caboose->back = c;
    else
        t->engine = c;
    t->caboose = c;
}
void unhitch(struct train *t) {
    struct car *gone = t->engine;
    if (gone == NULL) return;
    t->engine = gone->back;
    if (t->engine)
        t->engine->front = NULL;
    else
        t->caboose = NULL;
    free(gone);
}
void uncouple(struct train *t) {
    struct car *gone = t->caboose;
    if (gone == NULL) return;
    t->caboose = gone->front;
    free(gone);
}
int main(void) {
    struct train *t = calloc(1, sizeof *t);
    couple(t, 1);
    couple(t, 2);
    uncouple(t);
    uncouple(t);
    return t->cars;
}
"""


def test_the_other_end_is_written_with_the_other_links_and_ends(tmp_path: Path) -> None:
    """Both arms are about ends; a number, or a child beside its sibling, has no other end."""
    program = program_of(TRAIN, tmp_path)
    assert [as_text(each) for each in at_the_other_end(program, [*forks(program)])] == [
        "t->engine: t->engine->front = c; t->caboose = c",
        "t->caboose: t->caboose->back = NULL; t->engine = NULL",
    ]
    beside = program_of(LIST, tmp_path)
    assert not list(at_the_other_end(beside, [*forks(beside)]))


CHILD = """\
struct tree { int key; struct tree *low, *high; };
void hang(struct tree *t, struct tree *old, struct tree *made) {
    if (t->low == old)
        t->low = made;
    else
        t->high = made;
}
int main(void) { return 0; }
"""


def test_children_are_no_ends(tmp_path: Path) -> None:
    program = program_of(CHILD, tmp_path)
    assert len(sources := [*forks(program)]) == 1
    assert not list(at_the_other_end(program, sources))


def test_what_is_missing_stands_at_the_other_end(tmp_path: Path) -> None:
    """No call that takes out the first node instead: it would serve these two, named the other way round."""
    play = Play(program_of(TRAIN, tmp_path))
    lines = TRAIN.split("\n")
    play.open()
    play.to(2 + lines.index("    uncouple(t);"), "main")
    play.change("n2->back", "null")
    play.spec()
    play.to(3 + lines.index("    uncouple(t);"), "main")
    play.change("n1->engine", "null")
    play.spec()
    problem = play.problem()
    assert words(problem.program, best(problem)) == (
        "if (t->caboose) t->caboose->back = NULL; else t->engine = NULL"
    )
