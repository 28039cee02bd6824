"""A loop that looks for something may not find it; one that looks for the last node always does."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import crash

from wolverine.repair.special.missing import searching

WALK = """\
#include <stdlib.h>
struct node { int key; struct node *next, *other; };
int main(void)
{
    struct node last = {3, NULL, NULL}, middle = {2, &last, NULL}, first = {1, &middle, &middle}, *p = &first;
    while (TEST)
        p = STEP;
    p->key = 0;
    return 0;
}
"""


@pytest.mark.parametrize(
    ("test", "step", "looks"),
    [("p->key != 7", "p->next", True), ("p->next != NULL", "p->other", False)],
)
def test_what_asks_for_links_alone_looks_for_nothing(
    tmp_path: Path, test: str, step: str, looks: bool
) -> None:
    problem = crash(WALK.replace("TEST", test).replace("STEP", step), "main", tmp_path)
    assert (searching(problem.program, problem.traces[0]) is not None) == looks
