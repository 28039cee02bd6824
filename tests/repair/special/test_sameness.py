"""Returns where two arguments are one, or what stands for them is."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import crash

from wolverine.core.patch import Repairs
from wolverine.repair.engine import search
from wolverine.repair.menus.wording import describe

TEAMS = """\
#include <stdlib.h>
struct player { struct player *captain, *next, *last; int left; };
static int merge(struct player *a, struct player *b)
{
    struct player *x = a->captain, *y = b->captain;
    x->last->next = y;
    x->last = y->last;
    for (struct player *p = y; p != NULL; p = p->next) {
        p->left = 6 / p->left - 1;
        p->captain = x;
    }
    return 1;
}
int main(void)
{
    struct player *made[3];
    for (int i = 0; i < 3; i++) {
        made[i] = malloc(sizeof **made);
        made[i]->captain = made[i]->last = made[i];
        made[i]->next = NULL;
        made[i]->left = 3;
    }
    int joined = merge(made[0], made[1]);
    joined += merge(made[1], made[2]);
    joined += merge(made[2], made[0]);
    return joined;
}
"""


@pytest.mark.thorough
def test_nothing_is_joined_with_itself(tmp_path: Path) -> None:
    problem = crash(TEAMS, "main", tmp_path)
    answer = search(problem)
    assert isinstance(answer, Repairs)
    assert "if (x == y) return 0" in describe(problem.program, answer.candidates[0].patch)
