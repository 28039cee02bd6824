"""Links that are led past a node only where they lead to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, words

from wolverine.core.patch import Edit, Guarded, NewAssignment
from wolverine.core.program import Assign
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import sheltered
from wolverine.repair.menus.taking_out import leads_past, where_it_leads
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.ranking.score import Scores

LANES = """\
#include <stdlib.h>
struct stop { int km; struct stop *on[2]; };
struct stop *new_stop(int km, struct stop *slow, struct stop *fast) {
    struct stop *s = malloc(sizeof *s);
    s->km = km;
    s->on[0] = slow;
    s->on[1] = fast;
    return s;
}
void close(struct stop *before[], struct stop *gone) {
    for (int lane = 0; lane < 2; lane++) {
        before[lane]->on[lane] = gone->on[lane];
    }
    gone->km = 0;
} // end
int main(void) {
    struct stop *last = new_stop(9, NULL, NULL);
    struct stop *local = new_stop(7, last, NULL);
    struct stop *first = new_stop(4, local, last);
    struct stop *before[2] = { first, first };
    close(before, local);
    return 0;
}
"""


def test_a_node_that_is_missing_on_some_levels_is_taken_out(tmp_path: Path) -> None:
    play = Play(program_of(LANES, tmp_path))
    play.enter_function("close")
    play.to(LANES[: LANES.index("// end")].count("\n") + 1)
    play.change("n3+16", "n1")  # `on[1]` of the first stop
    play.spec()
    expected = "if (before[lane]->on[lane] == gone) before[lane]->on[lane] = gone->on[lane]"
    assert words(play.program, best(play.problem())) == expected


MADE = """\
struct node { int key; struct node *next, *prev; };
struct node *first, *last;
void run(struct node *p, struct node **at, struct node *q) {
    MADE; // here
}
int main(void) { run(0, 0, 0); return 0; }
"""


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("first = p->next", ["first == p"]),
        ("q->next = p->next", ["q->next == p"]),
        ("*at = p->prev", ["*at == p"]),
        ("p = p->next", []),  # it steps on
        ("p->prev = p->next", []),
        ("q->next = q->next->next", []),
        ("first = p", []),
        ("q->key = p->key", []),
    ],
)
def test_the_target_is_compared_with_the_node_whose_link_it_gets(
    made: str, expected: list[str], tmp_path: Path
) -> None:
    program = program_of(MADE.replace("MADE", made), tmp_path)
    step = next(each for each in program.functions["run"].code if isinstance(each, Assign))
    found = [*where_it_leads(step.target, step.value)]
    assert [replacement_text(each) for each in found] == [f"if ({each}) {made}" for each in expected]
    assert all(map(leads_past, found))
    assert not leads_past(NewAssignment(step.target, step.value))


def test_it_is_offered_once_and_is_closer_than_other_tests(tmp_path: Path) -> None:
    program = program_of(MADE.replace("MADE", "first = p->next"), tmp_path)
    step = next(each for each in program.functions["run"].code if isinstance(each, Assign))
    menu = Menus(program, guarded=True).menu(step.location)
    assert menu is not None
    [wanted] = where_it_leads(step.target, step.value)
    numbers = [n for n in range(len(menu.choices)) if menu.all >> n & 1]
    tested = {n: made for n in numbers if isinstance(made := menu.choices[n].replacement, Guarded)}
    [number] = (n for n, made in tested.items() if made == wanted)
    assert sheltered(menu, menu.all) >> number & 1
    alike = [
        made for made in tested.values() if made.statement == wanted.statement and made.otherwise is None
    ]
    scores = Scores(program)
    near = sorted(alike, key=lambda made: scores.edit(Edit(step.location, made)))
    assert len(near) > 1 and near[0] == wanted
