"""A variable is set in vain: what it leads to was meant, or the field of its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Dereference, Member, lvalue_text
from wolverine.core.patch import Edit, NewAssignment
from wolverine.core.program import Assign
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.score import Scores

_NEAR = 0.8

TEXT = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct queue { struct node *first, *last; };
void drain(struct node **from, struct queue *q) {
    struct node *gone = *from, *last = gone;
    if (gone == NULL)
        return;
    STATEMENT
    free(gone);
}
int main(void) {
    struct node *n = calloc(1, sizeof *n);
    struct queue q = {n, n};
    drain(&n, &q);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("statement", "meant"),
    [
        ("from = NULL;", "*from"),
        ("last = NULL;", "q->last"),
        ("from = NULL; if (from == NULL) q->first = NULL;", None),
        ("last = NULL; q->first = last;", None),
        ("q->last = NULL;", None),
    ],
)
def test_what_the_variable_leads_to_or_the_field_of_its_name(
    statement: str, meant: str | None, tmp_path: Path
) -> None:
    program = program_of(TEXT.replace("STATEMENT", statement), tmp_path)
    code = program.functions["drain"].code
    text = statement.split(";")[0]
    step = next(s for s in code if isinstance(s, Assign) and program.location(s.location).text == text)
    menu = Menus(program).menu(step.location)
    assert menu is not None
    scores, costs = Scores(program), dict[str, float]()
    for choice in menu.choices:
        made = choice.replacement
        if isinstance(made, NewAssignment) and isinstance(made.target, Member | Dereference):
            costs[lvalue_text(made.target)] = scores.edit(Edit(step.location, made))
    costs.pop(lvalue_text(step.target), None)
    assert [place for place, cost in costs.items() if cost < _NEAR] == ([meant] if meant else [])
