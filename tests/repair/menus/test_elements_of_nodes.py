"""Tables of nodes by a number that the nodes have as well: who takes one out finds it there."""

from __future__ import annotations

from pathlib import Path

from playing import program_of

from wolverine.core.expressions import Load, lvalue_text, text
from wolverine.core.patch import Edit, NewAssignment
from wolverine.repair.menus.vocabulary import Vocabulary
from wolverine.repair.ranking.score import Scores

DESK = """\
#include <stdlib.h>
struct file { int number, pages; struct file *below; };
struct desk { struct file *top; struct file **at; };
static void clear(struct desk *d)
{
    for (int i = 0; i < 9; i++)
        d->at[i] = NULL;
}
static void lay(struct desk *d, struct file *f, int number, int pages)
{
    f->pages = pages;
    f->number = number;
    f->below = d->top;
    d->top = f;
    d->at[number] = f;
}
int main(void) { clear(NULL); lay(NULL, NULL, 1, 2); return 0; }
"""


def test_a_node_is_named_in_the_table_by_its_number(tmp_path: Path) -> None:
    """The subscript is the field of that name; the table is one of which elements are set to null."""
    program = program_of(DESK, tmp_path)
    vocabulary = Vocabulary(program, "lay")
    gap = next(e for e in program.locations if e.function == "lay" and e.kind == "gap" and e.line == 13)
    scope = vocabulary.scope(gap)
    found = {lvalue_text(each): each for each in vocabulary.further(scope)}
    named = [each for each in found if each.startswith("d->at[")]
    assert sorted(named) == ["d->at[d->top->number]", "d->at[f->below->number]", "d->at[f->number]"]
    place, scores = found["d->at[d->top->number]"], Scores(program)
    distances = {
        text(each): scores.edit(Edit(gap.id, NewAssignment(place, each)))
        for each in vocabulary.values(scope, place.type)
        if each != Load(place)
    }
    assert distances["NULL"] == min(distances.values())


HALL = """\
#include <stdlib.h>
struct pupil { int age; struct pupil *next; };
struct hall { struct pupil *pupils, *locker[4]; };
int takes(struct hall *h, struct pupil *p, int number)
{
    if (h->locker[number] != NULL)
        return 0;
    p->next = OTHERS;
    h->locker[number] = p;
    return 1;
}
void leaves(struct hall *h, int number)
{
    struct pupil *p = h->locker[number];
    p->age++;
}
int main(void) { takes(NULL, NULL, 1); leaves(NULL, 1); return 0; }
"""


def _nearest(folder: Path, others: str) -> str:
    """What is rather stored in the element where it is done with, if `others` are linked behind it."""
    program = program_of(HALL.replace("OTHERS", others), folder)
    vocabulary = Vocabulary(program, "leaves")
    gap = next(e for e in program.locations if e.function == "leaves" and e.kind == "gap" and e.line == 15)
    scope, scores = vocabulary.scope(gap), Scores(program)
    place = next(p for p in vocabulary.places(scope) if lvalue_text(p) == "h->locker[number]")
    values = [v for v in vocabulary.values(scope, place.type) if text(v) in ("NULL", "p->next")]
    assert len(values) == 2
    return text(min(values, key=lambda value: scores.edit(Edit(gap.id, NewAssignment(place, value)))))


def test_an_element_that_is_asked_for_null_is_cleared_unless_a_list_hangs_there(tmp_path: Path) -> None:
    assert _nearest(tmp_path, "h->pupils") == "NULL"
    assert _nearest(tmp_path, "h->locker[number]") == "p->next"
