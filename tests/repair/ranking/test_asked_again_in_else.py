"""What an `if` has just asked is not asked once more in its `else`."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load
from wolverine.core.patch import Edit, Guarded, NewAssignment
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.score import Scores

LANE = """\
#include <stdlib.h>
struct car { struct car *front, *rear; };
struct lane { struct car *head, *tail; };
static void leave(struct lane *l, struct car *c)
{
    if (c->front != NULL)
        c->front->rear = c->rear;
    else
        l->head = c->rear;
    if (c->rear != NULL)
        c->rear->front = c->front;
    free(c);
}
int main(void)
{
    struct lane l = { NULL, NULL };
    struct car *a = calloc(1, sizeof *a);
    leave(&l, a);
    return 0;
}
"""


@pytest.mark.parametrize("asked", ["c->rear != NULL", "c->rear == NULL"])
def test_what_stands_there_anyway_comes_first(asked: str, tmp_path: Path) -> None:
    program = program_of(LANE, tmp_path)
    scores = Scores(program)
    [gap] = [each.id for each in program.locations if each.gap == "else" and each.line >= 10]

    def assigned(target: str, value: str) -> NewAssignment:
        place = parse_expression(program, "leave", target)
        assert isinstance(place, Load)
        return NewAssignment(place.place, parse_expression(program, "leave", value))

    plain, other = assigned("l->tail", "c->front"), assigned("c->rear->front", "c->front")
    test = parse_expression(program, "leave", asked)
    without = scores.edit(Edit(gap, plain))
    assert without < scores.edit(Edit(gap, Guarded(test, other, plain)))
    assert without + 1 < scores.edit(Edit(gap, Guarded(test, plain)))
