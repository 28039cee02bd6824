"""Nodes are counted where all of them are made, not in one arm of an `if` behind that."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.program import Gap
from wolverine.core.types import StructReference
from wolverine.repair.source.portions import Portions

SHELF = """#include <stdlib.h>
struct box { struct box *next; };
struct shelf { struct box *first, *last; int boxes, first_ones; };
void lay(struct shelf *s) {
    struct box *b = malloc(sizeof *b);
    b->next = s->first;
    s->first = b;
    if (s->last == NULL) {
        s->last = b;
        s->first_ones++;
    } else {
        b->next = s->first;
    }
    s->boxes++;
}
void add(struct shelf *s) {
    struct box *b = malloc(sizeof *b); // made
    b->next = NULL;
    if (s->last == NULL)
    {
        s->first = b; // one arm
    }
    else
    {
        s->last->next = b; // another
    }
    s->last = b; // behind
}
void find(struct shelf *s, int wanted) {
    struct box *b = s->first;
    if (wanted)
    {
        b = malloc(sizeof *b); // made here
        b->next = s->first;
    }
    else
    {
        s->first = b->next;
    }
}
int main(void) { struct shelf s = {0}; lay(&s); add(&s); find(&s, 1); return 0; }
"""


@pytest.mark.parametrize(
    ("function", "comment", "field", "partly"),
    [
        ("add", "made", "boxes", False),
        ("add", "one arm", "boxes", True),
        ("add", "another", "boxes", True),
        ("add", "behind", "boxes", False),
        ("find", "made here", "boxes", False),
        ("add", "one arm", "first_ones", False),  # the program counts only some of them elsewhere, too
    ],
)
def test_only_some_are_counted(function: str, comment: str, field: str, partly: bool, tmp_path: Path) -> None:
    program = program_of(SHELF, tmp_path)
    line = next(n for n, text in enumerate(SHELF.splitlines(), 1) if text.endswith(f"// {comment}"))
    code = program.functions[function].code
    gap = next(
        at
        for at, step in enumerate(code)
        if isinstance(step, Gap) and program.location(step.location).line == line and step.location >= 0
    )
    assert Portions(program).partly(function, gap, (StructReference("shelf"), field)) is partly
