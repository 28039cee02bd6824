"""The first one is kept where the least of several is looked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, unseen, words

from wolverine.core.expressions import text
from wolverine.core.program import Branch
from wolverine.repair.source.first_kept import first_kept

OFFERS = """\
#include <stdlib.h>
struct offer { int price, days; struct offer *next; };
struct offer *cheapest(struct offer *o)
{
    struct offer *found = FIRST;
    int least = 0;
    while (o != NULL) {
        if (o->price < least) {
            found = o;
            least = KEPT;
        }
        o = o->next;
    }
    return found;
}
int main(void)
{
    struct offer *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->price = 9;
    b->price = 7;
    a->days = b->days = 1;
    a->next = b;
    b->next = NULL;
    return cheapest(a) != NULL;
}
"""


@pytest.mark.parametrize(
    ("first", "kept", "tests"),
    [
        ("NULL", "o->price", ["found == NULL || o->price < least"]),
        ("NULL", "o->days", []),
        ("o", "o->price", []),
    ],
)
def test_it_is_where_the_number_and_its_node_are_kept(
    first: str, kept: str, tests: list[str], tmp_path: Path
) -> None:
    code = (
        program_of(OFFERS.replace("FIRST", first).replace("KEPT", kept), tmp_path).functions["cheapest"].code
    )
    found = [each for at, s in enumerate(code) if isinstance(s, Branch) for each in first_kept(code, at)]
    assert [text(each) for each in found] == tests


def test_that_comes_before_what_sets_the_result_elsewhere(tmp_path: Path) -> None:
    program = program_of(OFFERS.replace("FIRST", "NULL").replace("KEPT", "o->price"), tmp_path)
    play = Play(program)
    play.enter_function("cheapest")
    play.to(14)
    play.change("found", "n2")
    play.spec("found")
    problem = unseen(play.problem())
    assert words(program, best(problem)) == "found == NULL || o->price < least"
