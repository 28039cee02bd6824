"""What functions ask that do nothing else is asked before a node is taken out."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import best, crash, only, program_of, words

from wolverine.core.expressions import text
from wolverine.core.patch import Guarded, NewReturn
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import Product
from wolverine.repair.source.predicates import asking_of, predicates

HERD = """\
#include <stdlib.h>
struct ring { struct ring *next, *prev; };
struct sheep { struct ring ring; int wool; };
struct herd { int shorn; struct ring sheep; };
int empty(const struct ring *r)
{
    return r->next == r;
}
int heavy(const struct sheep *s)
{
    return s->wool > 9;
}
void add(struct herd *h, int wool)
{
    struct sheep *s = malloc(sizeof *s);
    s->wool = wool;
    s->ring.prev = h->sheep.prev;
    s->ring.next = &h->sheep;
    h->sheep.prev->next = &s->ring;
    h->sheep.prev = &s->ring;
}
void shear(struct herd *h)
{
    struct sheep *s = (struct sheep *)h->sheep.next;
    s->ring.next->prev = s->ring.prev;
    s->ring.prev->next = s->ring.next;
    h->shorn += s->wool;
    free(s);
}
int main(void)
{
    struct herd h;
    h.shorn = 0;
    h.sheep.next = h.sheep.prev = &h.sheep;
    shear(&h);
    add(&h, 4);
    while (!empty(&h.sheep))
        shear(&h);
    return h.shorn;
}
"""


@pytest.mark.thorough
def test_what_is_empty_is_left(tmp_path: Path) -> None:
    problem = only(crash(HERD, "shear", tmp_path), "shear")
    assert words(problem.program, best(problem)).endswith("if (h->sheep.next == &h->sheep) return")


def test_what_may_be_asked(tmp_path: Path) -> None:
    """Of what no condition goes by nothing is asked, and a predicate is not to ask itself."""
    program = program_of(HERD, tmp_path)
    known = predicates(program)
    asked = {name: [*map(text, asking_of(known, f))] for name, f in program.functions.items()}
    wanted = {"h->sheep.next == &h->sheep", "h->sheep.next != &h->sheep"}
    assert [text(each.asked) for each in known] == ["r->next == r"]
    assert not asked["empty"]
    assert wanted <= {*asked["shear"]}
    assert wanted.isdisjoint(map(text, asking_of(known, program.functions["shear"], ["s"])))


def test_a_function_may_be_left_where_such_a_test_holds(tmp_path: Path) -> None:
    menus = Menus(program_of(HERD, tmp_path), guarded=True)
    made = [menus.menu(location) for location in menus.indices("shear")]
    gaps = [menu for menu in made if menu is not None and isinstance(menu.choices, Product)]
    choices = (
        menu.choices[n].replacement for menu in gaps for n in range(len(menu.choices)) if menu.all >> n & 1
    )
    left = {text(e.condition) for e in choices if isinstance(e, Guarded) and e.statement == NewReturn()}
    assert "h->sheep.next == &h->sheep" in left
