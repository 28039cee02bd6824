"""Where nodes are lost, and what had been done to them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wolverine.core.graph import MemoryGraph, NodeId
from wolverine.core.program import Program
from wolverine.repair.special.cutoff import fate
from wolverine.semantics.losing import first_loss
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import graph_of, seat

TEXT = """\
#include <stdlib.h>
struct cell { struct cell *next; };
static struct cell *swapped(struct cell *first)
{
    struct cell *done = NULL;
    while (first != NULL && first->next != NULL) {
        struct cell *one = first, *other = one->next;
        first = other->next;
        one->next = done;
        other->next = one;
        done = other;
    }
    return done;
}
static struct cell *without_last(struct cell *first)
{
    struct cell **at = &first;
    while (*at != NULL && (*at)->next != NULL)
        at = &(*at)->next;
    *at = NULL;
    return first;
}
int main(void)
{
    struct cell *all = NULL;
    for (int i = 0; i < 3; i++) {
        struct cell *made = malloc(sizeof *made);
        made->next = all;
        all = made;
    }
    all = LOSING(all);
    while (all != NULL) {
        struct cell *gone = all;
        all = all->next;
        free(gone);
    }
    return 0;
}
"""


@pytest.mark.parametrize(("losing", "expected"), [("swapped", "stays"), ("without_last", "either")])
def test_what_is_lost_among_others_that_are_linked_anew_was_to_stay(
    losing: str, expected: str, lower: Callable[[str], Program], entry: Callable[[Program], MemoryGraph]
) -> None:
    program = lower(TEXT.replace("LOSING", losing))
    machine = Machine(program)
    seat(machine, entry(program), (("main", 0),))
    loss = first_loss(machine, 10_000)
    assert loss is not None
    assert (loss.nodes, loss.cut) == ((1,), losing)
    graph = graph_of(machine, entry(program))
    nodes = {NodeId(1)}
    said = fate(program, graph, nodes, loss.by, fresh=loss.fresh, makes=loss.makes, among=loss.among)
    assert said == expected


DUMMY = """\
#include <stdlib.h>
struct cell { struct cell *next; };
static struct cell *made(struct cell *next)
{
    struct cell *one = malloc(sizeof *one);
    one->next = next;
    return one;
}
static struct cell *row(int count)
{
    struct cell *dummy = made(NULL), *first;
    while (count-- > 0)
        dummy->next = made(dummy->next);
    first = dummy->next;
    free(dummy);
    return first;
}
static struct cell *rest(struct cell *first)
{
    struct cell *behind = first->next;
    free(first);
    return behind;
}
int main(void)
{
    struct cell *all = row(2);
    all = AGAIN;
    all = NULL;
    return all != NULL;
}
"""


@pytest.mark.parametrize(("again", "expected"), [("row(1)", ""), ("rest(all)", "rest")])
def test_who_frees_its_own_dummy_has_cut_off_nothing(
    again: str, expected: str, lower: Callable[[str], Program], entry: Callable[[Program], MemoryGraph]
) -> None:
    program = lower(DUMMY.replace("AGAIN", again))
    machine = Machine(program, strict=True)
    seat(machine, entry(program), (("main", 0),))
    loss = first_loss(machine, 10_000)
    assert loss is not None
    assert loss.cut == expected
