"""Choices that name a variable more, and trials that are not made where an edit is not reached."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.patch import Repairs, mentioned
from wolverine.repair import search
from wolverine.repair.execution.spaces import Space
from wolverine.repair.explicit.bench import bench_of
from wolverine.repair.heaps import trials
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.special.declaring import declared, naming

WALK = """#include <stdlib.h>
struct node { int data; struct node *next; };
void drop(struct node *p) {
    while (p != NULL) {
        p->data = 0;
        p = p->next->next;
    }
}
void push(struct node **all, int data) {
    struct node *made = malloc(sizeof *made);
    made->data = data;
    made->next = *all;
    *all = made;
}
int main(void) {
    struct node *all = NULL;
    push(&all, 1);
    push(&all, 2);
    push(&all, 3);
    drop(all);
    return 0;
}
"""


@pytest.fixture
def walk(tmp_path: Path) -> Play:
    """It goes through null where there is an odd number of nodes."""
    return Play(program_of(WALK, tmp_path))


def test_choices_that_name_a_variable(walk: Play) -> None:
    program = walk.program
    menus = Menus(program, spares=True)
    function = program.functions["drop"]
    names = frozenset(v.name for v in function.spares)
    found = 0
    for location in menus.indices("drop"):
        menu = menus.menu(location)
        if menu is None:
            continue
        each = [bool(names & mentioned(choice.replacement)) for choice in menu.choices]
        assert naming(menu, names) == sum(1 << i for i, named in enumerate(each) if named)
        found += any(each)
    assert found > 3


def test_repairs_of_which_every_edit_names_one(walk: Play) -> None:
    walk.enter_function("drop")
    walk.crash()
    bench = bench_of(walk.problem(), Menus(walk.program, spares=True))
    names = frozenset(v.name for v in walk.program.functions["drop"].spares)
    whole = {
        location: menu.all
        for location in bench.editable["drop"].values()
        if (menu := bench.menus.menu(location)) is not None and menu.all
    }
    some = {at: whole[at] & naming(menu, names) for at in whole if (menu := bench.menus.menu(at)) is not None}
    one, other = [at for at in whole if whole[at] & ~some[at]][:2]
    plain = whole[other] & ~some[other]
    spaces = [Space({one: whole[one]}), Space({one: whole[one], other: plain})]
    assert [space.masks for space in declared(bench, spaces)] == [{one: some[one]}]
    beside = replace(bench, decided={other: plain})
    kept = [{one: some[one]}, {one: some[one], other: plain}]
    assert [space.masks for space in declared(beside, spaces)] == kept


def test_what_is_not_reached_need_not_run(walk: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    walk.enter_function("drop")
    walk.crash()
    problem = walk.problem()
    answers = []
    for runs in (1, 1 << 30):
        monkeypatch.setattr(trials, "_MANY", runs)
        answer = search(problem)
        assert isinstance(answer, Repairs)
        answers.append(answer.candidates)
    assert answers[0] == answers[1]
