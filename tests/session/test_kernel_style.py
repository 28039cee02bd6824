"""Lists threaded through nodes (`container_of`), inline functions, globals further down, enumerators."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
struct link { struct link *next, *prev; };
enum state { READY, DONE };
struct task { int pid; enum state state; struct link run; };
static inline void add_between(struct link *new, struct link *prev, struct link *next)
{
    next->prev = new;
    new->next = next;
    new->prev = prev;
    prev->next = next;
}
static struct link queue = { &queue, &queue };
static void wake(int pid)
{
    struct task *t = malloc(sizeof *t);
    t->pid = pid;
    t->state = DONE;
    add_between(&t->run, queue.prev, &queue);
}
int main(void)
{
    int woken = 0;
    wake(1);
    woken = 2;
    wake(woken);
    return 0;
}
"""


@pytest.fixture
def second(play: Callable[..., Played]) -> Played:
    """In `add_between`, called for the second task, before the first statement."""
    session = play(PROGRAM, json=False)
    session("break add_between; run; continue")
    return session


def test_a_link_inside_a_node_is_named_as_the_picture_shows_it(second: Played) -> None:
    inside = {"node": "n2", "field": "run"}
    second("finish; change n1->run.next n2.run")
    changed = second.last(results.Changed)
    assert (changed.place, changed.after) == ("n1.run.next", inside)
    second("undo; change n1.run.next n2")
    assert second.last(results.Changed).after == inside
    with pytest.raises(CommandError, match="the place is a whole struct link"):
        second("change n1.run n2")


DEEPER = """\
#include <stdlib.h>
struct node { struct node *next; };
static int leaf(void) {
    return 1;
}
static int down(struct node *n, int depth) {
    return depth == 1 ? leaf() : down(n->next, depth - 1);
}
int main(void) {
    struct node two = { NULL }, one = { &two };
    int count = down(&one, 2);
    return count;
}
"""


def test_a_variable_further_out_needs_no_function_where_one_activation_has_it(
    play: Callable[..., Played],
) -> None:
    session = play(DEEPER)
    session("break leaf; run; change two.next one")
    changed = session.last(results.Changed)
    assert (changed.place, changed.after) == ("main::two.next", {"place": "main::one"})
    session("change count 7")
    assert session.places()["main::count"] == 7
    with pytest.raises(CommandError, match="several activations have a depth: down::depth, down#2::depth"):
        session("change depth 1")
    session("change down#2::depth 5")
    assert session.last(results.Changed).place == "down#2::depth"


def test_an_inline_function_is_repaired_in_the_process(second: Played) -> None:
    second("finish; change n1->run.next n2.run; spec; repair --no-question")
    repaired = second.last(results.Repaired)
    assert repaired.applied == "native"
    assert "+    prev->next = new;" in repaired.patch
    assert "not modelled" not in second.texts()


RECKONED = """\
#include <stdint.h>
#include <stdlib.h>
struct link { struct link *next; };
struct task { int pid, marks[3]; struct link run; };
#define OFFSET(type, name) ((size_t)&((type *)0)->name)
#define OWNER(p, type, name) ((type *)((size_t)(p) - OFFSET(type, name)))
int main(void)
{
    struct task *t = malloc(sizeof *t), *owner;
    struct link *at = &t->run;
    int *mark;
    t->marks[2] = 7;
    owner = OWNER(at, struct task, run);
    mark = (int *)((uintptr_t)owner + OFFSET(struct task, marks[2]));
    owner->pid = *mark;
    free(t);
    return owner->pid;
}
"""


def test_addresses_that_are_reckoned_with_as_integers_are_followed(play: Callable[..., Played]) -> None:
    session = play(RECKONED)
    session("break 16\nrun")
    assert session.places()["main::owner"] == "n1"
    assert session.places()["main::mark"] == {"node": "n1", "field": "marks[2]"}
    session("continue")
    assert "not modelled" not in session.texts()
    assert "n1 is used after it was freed, by line 17 in main" in session.texts()
