"""The effects of some statements under tests are those of all of them, as far as they are among these."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from playing import Play, program_of

from wolverine.repair.execution.opening import GuardedStatements, open_menu, repeated
from wolverine.repair.execution.pool import Pool
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import Product

TEXT = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
void empty(struct node *p, int n) { head = p; n = p->data; }
struct node *taken(struct node *p, struct node *q) { head = q; p->next = q; return p; }
int main(void) {
    struct node *one = malloc(sizeof *one), *two = malloc(sizeof *two);
    one->data = 4; one->next = two;
    two->data = 7; two->next = NULL;
    empty(one, 3);
    head = taken(two, one);
    return 0;
}
"""


@pytest.mark.parametrize("function", ["empty", "taken"])
def test_some_choices_have_the_effects_that_they_have_among_all(function: str, tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    play = Play(program)
    play.enter_function(function)
    menus, pool = Menus(program, guarded=True), Pool(play.machine)
    random, looked = Random(7), 0
    for location in menus.indices(function):
        menu = menus.menu(location)
        if menu is None or not isinstance(menu.choices, Product):
            continue
        opened = open_menu(pool, menu)
        assert isinstance(opened, GuardedStatements)
        whole = opened.classes(menu.all)
        for effect, mask in whole.items():
            assert opened.classes(mask) == {effect: mask}
        for _ in range(30):
            subset = menu.all
            for _ in range(random.randrange(1, 12)):
                subset &= random.getrandbits(menu.all.bit_length())
            expected = {effect: mask & subset for effect, mask in whole.items() if mask & subset}
            assert opened.classes(subset) == expected
            looked += bool(expected)
    assert looked > 50


@pytest.mark.parametrize("width", [3, 200, 5_000])
def test_a_mask_is_repeated_in_blocks(width: int) -> None:
    random = Random(width)
    blocks = sum(1 << width * number for number in range(40) if random.random() < 0.5)
    for count in (0, 1, 3, 20, width):
        mask = sum(1 << number for number in random.sample(range(width), min(count, width)))
        assert repeated(mask, blocks) == mask * blocks
