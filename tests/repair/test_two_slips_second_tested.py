"""Two slips in one repair, of which one is mended by a statement under a test: it does harm without one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from playing import Play, program_of

from wolverine.core.expressions import text
from wolverine.core.patch import Guarded, Repairs
from wolverine.repair import search
from wolverine.repair.menus.wording import replacement_text

ROW = """\
#include <stdlib.h>
struct car { int number; struct car *next; };
struct row { struct car *first, *last; };
void append(struct row *r, struct car *made)
{
    if (r->first == NULL)
        r->first = made;
    else
        r->last->next = made;
    r->last = made;
}
void couple(struct car *before, struct car *made)
{
    made->next = before;
    before->next = made;
}
void uncouple(struct row *r, struct car *before)
{
    struct car *gone = before->next;
    before->next = gone->next;
    free(gone);
}
int main(void)
{
    struct row *row = calloc(1, sizeof *row);
    append(row, calloc(1, sizeof(struct car)));
    append(row, calloc(1, sizeof(struct car)));
    couple(row->first, calloc(1, sizeof(struct car)));
    uncouple(row, row->first->next);
    return 0;
}
"""


def test_what_spoils_other_heaps_is_put_under_a_test_beside_another_edit(tmp_path: Path) -> None:
    play = Play(program_of(ROW, tmp_path))
    play.open()
    play.to(_line("uncouple(row,"), "main")
    play.change("n4->next", "n3")
    play.spec()
    play.to(_line("return 0;"), "main")
    play.change("n1->last", "n4")
    play.spec()
    places = play.program.locations
    inside = frozenset(each.id for each in places if each.function in ("couple", "uncouple"))
    answer = search(replace(play.problem(), editable=inside))
    assert isinstance(answer, Repairs)
    linked, tested = sorted(answer.candidates[0].patch.edits, key=lambda edit: edit.location)
    assert replacement_text(linked.replacement) == "made->next = before->next"
    assert isinstance(tested.replacement, Guarded)
    assert text(tested.replacement.condition) in ("gone == r->last", "r->last == gone")
    assert replacement_text(tested.replacement.statement) == "r->last = before"


def _line(beginning: str) -> int:
    return 1 + ROW[: ROW.index(beginning)].count("\n")
