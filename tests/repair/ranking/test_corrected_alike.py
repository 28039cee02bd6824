"""Nodes in which the fault left the same field as in the one that was corrected."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of

from wolverine.core.expressions import Load
from wolverine.core.patch import Edit, NewAssignment, Patch
from wolverine.core.trace import PICTURE, Assertion
from wolverine.frontend import parse_expression
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.pictured import Pictured

TRAM = """\
#include <stdlib.h>
struct stop { int open, zone; struct stop *next; };
struct stop *first;
static void add(void)
{
    struct stop *s = calloc(1, sizeof *s);
    s->next = first;
    first = s;
}
static void look(void)
{
    struct stop *s;
    for (s = first; s != NULL; s = s->next)
        s->zone += 2;
    s = first;
}
int main(void)
{
    add();
    add();
    add();
    look();
    return 0;
}
"""


def test_who_corrects_one_node_may_mean_all_that_are_like_it(tmp_path: Path) -> None:
    play = Play(program_of(TRAM, tmp_path))
    play.enter_function("look")
    play.to(15, "look")
    play.change("n2->open", "1")
    play.spec("n2->open")
    graph = play.graph
    states = {node: each.state for node, each in graph.nodes.items()}
    cells = {place: value for place, value in graph.cells.items() if place.object in states}
    picture = Assertion(play.position(), cells, states, label=PICTURE)
    program = play.program
    pictured = Pictured(program, play.trace(), Menus(program), [picture], {})
    zone = next(each.id for each in program.locations if each.text.startswith("s->zone"))
    gap = next(
        each.id for each in program.locations if each.kind == "gap" and each.line == 14 and each.id < zone
    )

    def amiss(field: str, number: str) -> int | None:
        place, value = (parse_expression(program, "look", each) for each in (f"s->{field}", number))
        assert isinstance(place, Load)
        return pictured.amiss(Patch((Edit(gap, NewAssignment(place.place, value)),)))

    assert amiss("open", "1") == 1
    assert amiss("open", "3") == 3
    assert amiss("zone", "1") == 4
