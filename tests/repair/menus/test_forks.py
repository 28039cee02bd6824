"""What the program does elsewhere in one of two ways."""

from __future__ import annotations

from pathlib import Path

from playing import Play, best, program_of, words

from wolverine.core.expressions import lvalue_text, text
from wolverine.core.patch import Guarded
from wolverine.repair.menus.forks import Fork, forked, forks

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
