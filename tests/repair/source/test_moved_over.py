"""Elements of an array over which others are moved, named where that begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import lvalue_text
from wolverine.repair.source.moved_over import moved_over

DESK = """\
#include <stdlib.h>
struct note { int day; struct note *below; };
struct pile { int height; struct note *top; };
struct desk { int used; struct note *piles[4]; struct pile *more; };
static void clear(struct desk *d, int k)
{
    int i = k;
    CLEARED
    d->used--;
}
int main(void)
{
    struct desk d = {0};
    clear(&d, 0);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("cleared", "element"),
    [
        ("for (int j = k; j < d->used - 1; j++) d->piles[j] = d->piles[j + 1];", "d->piles[k]"),
        ("for (int j = k + 1; j < d->used; j++) d->piles[j - 1] = d->piles[j];", "d->piles[k]"),
        ("for (int j = 0; j < d->used - 1; j++) d->more[j].top = d->more[j + 1].top;", "d->more[0].top"),
        ("while (i < d->used - 1) { d->more[i] = d->more[i + 1]; i++; }", "d->more[i]"),
        ("d->piles[k] = d->piles[d->used - 1];", "d->piles[k]"),
        ("d->piles[0] = d->more[0].top;", ""),
        ("d->piles[0]->below = d->piles[1];", ""),
        ("d->more = NULL; d->used = i;", ""),
    ],
)
def test_it_is_named_with_what_its_index_begins_with(cleared: str, element: str, tmp_path: Path) -> None:
    program = program_of(DESK.replace("CLEARED", cleared), tmp_path)
    function = program.functions["clear"]
    line = 1 + DESK.split("\n").index("    CLEARED")
    found = [place for at in range(len(function.code)) if (place := moved_over(function, at)) is not None]
    assert [lvalue_text(place) for _, place in found] == [element][: len(element)]
    assert all(program.location(location).line == line for location, _ in found)
