"""A jump, and an edit that only tells where it is made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from playing import Play, program_of

from wolverine.core.trace import Problem
from wolverine.repair.engine.context import context_of
from wolverine.repair.engine.exploration import Exploration
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import Bench, bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.menu import Menu
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.special.behind_jumps import behind_jumps
from wolverine.repair.special.stages import Stage

PILES = """\
#include <stdlib.h>
struct card { int suit; struct card *below; };
struct pile { struct card *top; int count; };
static void put(struct pile *p, struct card *c)
{
    c->below = p->top;
    p->top = c;
    p->count++;
}
static struct card *take(struct pile *p)
{
    struct card *c = p->top;
    if (c != NULL)
        p->top = c->below;
    return c;
}
static void turn_over(struct pile *from, struct pile *to)
{
    if (from->top != NULL)
        put(to, take(from));
}
int main(void)
{
    struct pile *deck = calloc(1, sizeof *deck), *hand = calloc(1, sizeof *hand);
    for (int suit = 0; suit < 3; suit++) {
        struct card *c = malloc(sizeof *c);
        c->suit = suit;
        put(deck, c);
    }
    turn_over(deck, hand);
    return hand->count;
}
"""


ALL = {
    "n1->top": "null",
    "n1->count": "0",
    "n2->top": "n3",
    "n2->count": "3",
    "n3->below": "n4",
    "n4->below": "n5",
    "n5->below": "null",
}


def _turned_over(folder: Path, changed: Mapping[str, str]) -> Problem:
    """What comes of it is corrected there; all that is corrected may be asserted by itself."""
    play = Play(program_of(PILES, folder))
    play.enter_function("turn_over")
    play.to(21)
    for place, value in changed.items():
        play.change(place, value)
    if len(changed) > 1:
        play.spec()
    return play.problem()


def menu_of(bench: Bench, location: int) -> Menu:
    """The menu of a location that was chosen from."""
    menu = bench.menus.menu(location)
    assert menu is not None
    return menu


def test_behind_a_jump_one_edit_more_is_looked_for(tmp_path: Path) -> None:
    problem = _turned_over(tmp_path, ALL)
    plain = bench_of(problem, Menus(problem.program))
    context = context_of(problem, plain, Work(problem.budget, lambda: False))
    found = Exploration(context).search(Stage(2, several=True), plain)
    made = [
        {
            replacement_text(menu_of(found.bench, at).choices[number].replacement)
            for at, mask in space.masks.items()
            for number in range(mask.bit_length())
            if mask >> number & 1
        }
        for space in found.spaces
    ]
    assert made
    assert all("while for if" in each for each in made)
    assert any("p->count = p->count - 1" in each for each in made)


def test_no_jump_is_looked_for_where_one_place_alone_is_spoilt(tmp_path: Path) -> None:
    problem = _turned_over(tmp_path, {"n2->count": "3"})
    plain = bench_of(problem, Menus(problem.program))
    work = Work(problem.budget, lambda: False)
    assert not behind_jumps(plain, plain.widened(guarded=True), work, 100_000)
    assert not work.spent
