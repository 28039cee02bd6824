"""What is put into a list at a place may be put into an empty one: both ends lead to it then."""

from __future__ import annotations

from pathlib import Path

from playing import Play, best, program_of

from wolverine.core.graph import MemoryGraph, Place, VariableId
from wolverine.core.types import StructReference
from wolverine.repair.heaps.varied import varied
from wolverine.repair.menus.wording import replacement_text
from wolverine.semantics.fresh import fresh_graphs

TRAIN = """\
#include <stdlib.h>
struct car { int number; struct car *behind; };
struct train { struct car *front, *rear; int cars; };
static void couple(struct train *t, int place, int number)
{
    if (place < 0 || place > t->cars)
        return;
    struct car *c = malloc(sizeof *c);
    c->number = number;
    c->behind = NULL;
    if (place == 0) {
        c->behind = t->front;
        t->front = c;
    } else {
        struct car *p = t->front;
        for (int i = 1; i < place; i++)
            p = p->behind;
        c->behind = p->behind;
        p->behind = c;
    }
    t->cars++;
}
static void hook(struct train *t, int number)
{
    struct car *c = malloc(sizeof *c);
    c->number = number;
    c->behind = NULL;
    if (t->rear == NULL)
        t->front = c;
    else
        t->rear->behind = c;
    t->rear = c;
    t->cars++;
}
int main(void)
{
    struct train *t = calloc(1, sizeof *t);
    hook(t, 5);
    hook(t, 7);
    couple(t, 2, 9);
    return 0;
}
"""
LOCAL = TRAIN.replace("*t = calloc(1, sizeof *t);", "train = {NULL, NULL, 0}, *t = &train;")
LAST = TRAIN[: TRAIN.index("    t->cars++;")].count("\n") + 1


def _heaps(play: Play) -> list[MemoryGraph]:
    assert play.begin is not None
    made = fresh_graphs(play.program, play.begin, (("couple", 0),), limit=96)
    return varied(play.program, "couple", made, 24, 1_000)


def _place(heap: MemoryGraph) -> object:
    place = VariableId(heap.frames[0].depth, "couple", "place")
    return heap.cells[Place(place, 0)]


def _numbers(heap: MemoryGraph) -> list[int]:
    """The numbers of the cars, which are made in the order in which they stand."""
    cars = (node for node, each in sorted(heap.nodes.items()) if each.type == StructReference("car"))
    return [number for car in cars if isinstance(number := heap.cells[Place(car, 0)], int)]


def _begun(text: str, folder: Path) -> Play:
    play = Play(program_of(text, folder))
    play.enter_function("couple")
    play.open()
    return play


def test_numbers_that_say_where_also_name_the_first_place_in_what_is_empty(tmp_path: Path) -> None:
    heaps = _heaps(_begun(LOCAL, tmp_path))
    assert 0 in {_place(heap) for heap in heaps if not _numbers(heap)}


def test_the_heaps_that_are_chosen_are_not_all_sorted(tmp_path: Path) -> None:
    rows = [_numbers(heap) for heap in _heaps(_begun(LOCAL, tmp_path))]
    assert any(row != sorted(row) for row in rows)


def test_what_also_does_for_the_empty_list_comes_first(tmp_path: Path) -> None:
    play = _begun(TRAIN, tmp_path)
    play.to(LAST, "couple")
    play.change("n1->rear", "n4")
    play.spec()
    made = [replacement_text(edit.replacement) for edit in best(play.problem()).patch.edits]
    assert made == ["if (c->behind == NULL) t->rear = c"]
