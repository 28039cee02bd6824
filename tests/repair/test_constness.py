"""Nothing is offered that C forbids because what it assigns to is declared `const`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from playing import program_of

from wolverine.core.expressions import LValue, lvalue_text
from wolverine.core.patch import Guarded, NewAssignment, NewCall, NewNode, Replacement
from wolverine.repair.menus.candidates import Menus

PROGRAM = """\
#include <stdlib.h>
typedef const struct node *seen;
struct edge { int from, to; };
struct node { const int key; int hits; struct node *next; seen first; struct edge *const edge; };
static const int limits[2] = {1, 2};
static struct node *made(void) { return malloc(sizeof(struct node)); }
void f(const struct node *p, struct edge const e, struct node *const last, seen look, const int many[]) {
    struct edge const *q = last->edge;
    last->next = NULL;
    last->hits = limits[1] + many[0] + e.to + q->to + look->hits;
    while (p->next != NULL)
        p = p->next;
}
int main(void) { f(0, (struct edge){1, 2}, made(), 0, 0); return 0; }
"""


def _assigned(made: Replacement) -> Iterator[LValue]:
    match made:
        case NewAssignment(target) | NewNode(target):
            yield target
        case NewCall(target=target) if target is not None:
            yield target
        case Guarded(_, statement, otherwise):
            yield from _assigned(statement)
            yield from _assigned(otherwise) if otherwise is not None else ()


def test_only_what_may_be_written_is_assigned_to(tmp_path: Path) -> None:
    menus = Menus(program_of(PROGRAM, tmp_path), guarded=True, nodes=True, calls=True)
    found = set()
    for location in menus.indices("f"):
        menu = menus.menu(location)
        mask = menu.all | menu.calls if menu is not None else 0
        for number in range(mask.bit_length()):
            if menu is not None and mask >> number & 1:
                found |= {lvalue_text(each) for each in _assigned(menu.choices[number].replacement)}
    assert {"p", "look", "many", "q", "last->hits", "last->next", "last->first"} <= found
    assert {"last->edge->to", "p->next->hits"} <= found
    assert found.isdisjoint({"last", "e.from", "e.to", "q->from", "q->to", "look->hits", "look->next"})
    assert found.isdisjoint({"p->key", "p->hits", "p->next", "last->key", "last->edge", "many[0]", "*many"})
    assert not [each for each in found if each.startswith(("limits", "(*p)"))]
