"""Menus of jumps, returns and kept bounds by themselves offer what the guarded menus do of these."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.patch import NewBlock, NewJump, NewReturn, Replacement, unguarded
from wolverine.repair.execution.spaces import Space
from wolverine.repair.explicit.bench import Bench, bench_of
from wolverine.repair.menus.bounds import is_bound
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.menu import Menu
from wolverine.repair.special.singles import singular, spelled

TEXT = """\
struct part { int low, high; struct part *next; };
int most;
RESULT run(struct part *p, int v) {
    struct part *at = p;
    while (at) {
        if (at->low == v) {
            at->high = at->low;
            most = at->high;
        }
        at = at->next;
    }
    if (!p) {
        most = 0;
    }
    most = most + 1;
    return LAST;
}
int main(void) {
    struct part b = {2, 3, 0}, a = {1, 2, &b};
    run(&a, 2);
    return 0;
}
"""


@pytest.fixture(params=[("void", ""), ("int", "most")], ids=["void", "int"])
def guarded(request: pytest.FixtureRequest, tmp_path: Path) -> Bench:
    result, last = request.param
    play = Play(program_of(TEXT.replace("RESULT", result).replace("LAST", last), tmp_path))
    play.enter_function("run")
    play.to(17)
    play.change("most", "7")
    play.spec()
    problem = play.problem()
    return bench_of(problem, Menus(problem.program)).widened(guarded=True)


def offered(menu: Menu | None) -> list[Replacement]:
    """What a guarded menu has of such edits, none under a further test."""
    if menu is None:
        return []
    numbers = (number for number in range(menu.all.bit_length()) if menu.all >> number & 1)
    made = (menu.choices[number].replacement for number in numbers)
    return [
        each
        for each in made
        if isinstance(each, NewJump)
        or (isinstance(each, NewReturn) and each.before is None)
        or is_bound(each)
    ]


def test_they_are_those_of_the_guarded_menus(guarded: Bench) -> None:
    alone = singular(guarded, returning=True)
    kinds, cases = set[type](), 0
    for found in alone.editable.values():
        for location in found.values():
            single, whole = alone.menus.menu(location), guarded.menus.menu(location)
            mine = [each.replacement for each in single.choices] if single is not None else []
            # A bound is also a statement under a test, where the function compares the two.
            blocks = [each for each in mine if isinstance(unguarded(each), NewBlock)]
            assert list(dict.fromkeys(offered(whole))) == [each for each in mine if each not in blocks]
            cases += len(blocks)
            kinds.update(map(type, mine))
            for number, made in enumerate(mine):
                assert whole is not None
                told = spelled(Space({location: 1 << number}), alone.menus, guarded.menus)
                assert (whole.all | whole.alone) & told.masks[location]
                assert whole.choices[told.masks[location].bit_length() - 1].replacement == made
    assert len(kinds) == 3
    assert cases  # which the guarded menus have, but do not offer among others


def test_what_is_decided_stays(guarded: Bench) -> None:
    location = next(
        at for found in guarded.editable.values() for at in found.values() if guarded.menus.menu(at)
    )
    kept = replace(guarded, decided={location: 1})
    alone = singular(kept)
    assert alone.menus.menu(location) is guarded.menus.menu(location)
    assert location in {at for found in alone.editable.values() for at in found.values()}
    assert spelled(Space({location: 1}), alone.menus, guarded.menus).masks == {location: 1}
