"""Faults of other functions: what one leaves that leads to freed nodes, and repairs that come to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import crash

from wolverine.core.expressions import Constant
from wolverine.core.patch import Edit, NewValue, Patch
from wolverine.core.program import Branch, Program
from wolverine.core.trace import Problem
from wolverine.core.types import INT
from wolverine.repair.heaps.own_faults import OwnFaults
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.sequel import sequel_of

# Numbers are summed up beyond the end of the row; whoever takes out its last part forgets where it ends.
ROW = """\
#include <stdlib.h>
struct part { int size; struct part *next; };
struct row { struct part *first, *last; };
static void add(struct row *row, int size)
{
    struct part *fresh = malloc(sizeof *fresh);
    fresh->size = size;
    fresh->next = NULL;
    if (row->first == NULL)
        row->first = fresh;
    else
        row->last->next = fresh;
    row->last = fresh;
}
static int sum(struct row *row)
{
    struct part *part = row->first;
    int total = 0;
    do {
        total += part->size;
        part = part->next;
    } while (total < 100);
    return total;
}
static void drop(struct row *row, int size)
{
    struct part *before = NULL, *part = row->first;
    while (part != NULL && part->size != size) {
        before = part;
        part = part->next;
    }
    if (part == NULL)
        return;
    UNLINK
    free(part);
}
int main(void)
{
    struct row row = { NULL, NULL };
    add(&row, 2);
    add(&row, 5);
    add(&row, 1);
    sum(&row);
    drop(&row, 1);
    add(&row, 4);
    return 0;
}
"""
PLAIN = "if (before != NULL) before->next = part->next; else row->first = part->next;"
WHOLE = f"{PLAIN} if (row->last == part) row->last = before;"
# The rear of a row that is empty is nobody's business.
AS_A_QUEUE = f"{PLAIN} if (row->last == part && before != NULL) row->last = before;"


def _once(program: Program) -> Patch:
    """The patch with which the sum is that of the first part."""
    [location] = [
        step.location
        for step in program.functions["sum"].code
        if isinstance(step, Branch) and "total" in program.location(step.location).text
    ]
    return Patch((Edit(location, NewValue(Constant(0, INT))),))


def _problem(unlink: str, folder: Path) -> Problem:
    return crash(ROW.replace("UNLINK", unlink), "sum", folder)


@pytest.mark.parametrize(("unlink", "stranded"), [(PLAIN, True), (WHOLE, False), (AS_A_QUEUE, False)])
def test_who_leaves_something_that_leads_to_freed_nodes(unlink: str, stranded: bool, tmp_path: Path) -> None:
    problem = _problem(unlink, tmp_path)
    own = OwnFaults(problem.program, problem.traces[0])
    assert own.strands("drop", Menus(problem.program), _once(problem.program)) is stranded


def test_to_come_to_what_another_function_left_says_less(tmp_path: Path) -> None:
    problem = _problem(PLAIN, tmp_path)
    once = _once(problem.program)

    def against(freer: str) -> tuple[float, bool]:
        sequel = sequel_of(problem.program, problem.traces[0])
        assert sequel is not None
        added = sequel.against([("a", once, 1.0)], stranding=lambda _, function: function == freer)
        assert sequel.crashes(once) is not sequel.another(once)
        return added[once], sequel.another(once)

    other, another = against("drop")
    own, by_itself = against("add")
    assert another and not by_itself
    assert other < own
