"""A second repair that lets a pointer no longer lead to a node that is freed: only where it did."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of

from wolverine.core.expressions import lvalue_text, text
from wolverine.core.patch import Edit, Guarded, NewAssignment, Patch, Repairs
from wolverine.core.trace import Problem
from wolverine.repair import search
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import replacement_text

MEANT = "r->horses = r->horses + 1"
SLIP = "r->horses = r->horses - 1"
RIDE = f"""\
#include <stdlib.h>
struct horse {{ int number; struct horse *next, *prev; }};
struct ride {{ struct horse *first, *waiting; int horses; }};
void add(struct ride *r, int number)
{{
    struct horse *made = malloc(sizeof *made);
    made->number = number;
    made->next = made->prev = made;
    if (r->first == NULL) {{
        r->first = r->waiting = made;
    }} else {{
        made->next = r->first;
        made->prev = r->first->prev;
        made->prev->next = made;
        r->first->prev = made;
    }}
    {SLIP};
}}
void retire(struct ride *r)
{{
    struct horse *gone = r->waiting;
    if (gone == NULL)
        return;
    if (gone->next == gone) {{
        r->first = r->waiting = NULL;
    }} else {{
        gone->prev->next = gone->next;
        gone->next->prev = gone->prev;
        r->waiting = gone->next;
    }}
    free(gone);
    r->horses--;
}}
void turn(struct ride *r)
{{
    if (r->waiting != NULL)
        r->waiting = r->waiting->next;
}}
int main(void)
{{
    struct ride *ride = calloc(1, sizeof *ride);
    add(ride, 1);
    add(ride, 2);
    retire(ride);
    return 0;
}}
"""


def _problem(folder: Path) -> Problem:
    """The count is mended; the first horse retires, and the next one comes to be the first."""
    play = Play(program_of(RIDE.replace(SLIP, MEANT), folder))
    play.open()
    play.to(1 + RIDE[: RIDE.index("return 0;")].count("\n"), "main")
    play.change("n1->first", "n3")
    play.spec()
    faulty = program_of(RIDE, folder)
    line = 1 + RIDE[: RIDE.index(SLIP)].count("\n")
    place = next(each.id for each in faulty.locations if each.line == line and each.kind != "gap")
    menu = Menus(faulty).menu(place)
    assert menu is not None
    [made] = [c.replacement for c in menu.choices if replacement_text(c.replacement) == MEANT]
    return Problem(faulty, (play.trace(),), accepted=Patch((Edit(place, made),)))


def test_the_pointer_is_left_where_it_leads_to_another_node(tmp_path: Path) -> None:
    problem = _problem(tmp_path)
    answer = search(problem)
    assert isinstance(answer, Repairs)
    [new] = answer.candidates[0].patch.beside(problem.accepted)
    assert isinstance(new.replacement, Guarded)
    assert text(new.replacement.condition) in ("gone == r->first", "r->first == gone")
    made = new.replacement.statement
    assert isinstance(made, NewAssignment)
    assert lvalue_text(made.target) == "r->first"
