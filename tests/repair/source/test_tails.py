"""Pointers to the last node that a function forgets where it links the first one."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load
from wolverine.core.program import Gap
from wolverine.frontend import parse_expression
from wolverine.repair.source.tails import Tails, goes_through_tail

TEXT = """\
#include <stdlib.h>
struct crate { int weight; struct crate *above, *below; };
struct pile { struct crate *floor, *top; int height; };
struct crate *lowest, *highest;
void put(struct pile *p, struct crate *c)
{
    BODY
}
int main(void) { struct pile p = {0}; put(&p, malloc(sizeof(struct crate))); return 0; }
"""
ARMS = "if (p->floor == NULL) { p->floor = c; FIRST } else { p->top->above = c; FURTHER } BEHIND"


def _body(first: str = "", further: str = "", behind: str = "p->height++;") -> str:
    text = ARMS.replace("FIRST", first).replace("FURTHER", further).replace("BEHIND", behind)
    return "\n    ".join(text.replace("{", "{\n").replace(";", ";\n").split("\n"))


@pytest.mark.parametrize(
    ("body", "place", "lines"),
    [
        (_body(), "p->top", {"behind"}),  # where both arms have come together
        (_body(further="p->top = c;"), "p->top", {"first"}),
        (_body(behind="p->top = c;"), "p->top", set()),
        (
            _body(first="p->top = c; return;"),
            "p->top",
            set(),
        ),  # what one arm sets the other one may do without
        (_body(first="return;", further="p->top = c;"), "p->top", {"first"}),
        (
            _body().replace("p->top->above = c;", "c->below = p->top;\n c->below->above = c;"),
            "p->top",
            {"behind"},
        ),
        (_body().replace("p->floor", "lowest").replace("p->top", "highest"), "highest", {"behind"}),
        # a variable that walks to the last node
        (
            _body()
            .replace("p->top->above", "highest->above")
            .replace("p->floor", "lowest")
            .replace("else {", "else { for (highest = lowest; highest->above; highest = highest->above) ;"),
            "highest",
            set(),
        ),
        (_body().replace("p->top->above", "c->below->above"), "p->top", set()),
    ],
)
def test_a_tail_is_set_where_that_is_always_done(
    body: str, place: str, lines: set[str], tmp_path: Path
) -> None:
    program = program_of(TEXT.replace("BODY", body), tmp_path)
    function = program.functions["put"]
    target, value = (parse_expression(program, "put", each) for each in (place, "c"))
    assert isinstance(target, Load)
    written = TEXT.replace("BODY", body).splitlines()
    further = next(i for i, line in enumerate(written, 1) if "->above = c" in line)
    tails = Tails(program)
    found = {
        program.location(step.location).line
        for index, step in enumerate(function.code)
        if isinstance(step, Gap) and tails.sets("put", index, target.place, value)
    }
    assert {"first" if line < further else "behind" for line in found} == lines
    assert not any(
        tails.sets("put", index, target.place, other)
        for index in range(len(function.code))
        for other in [Load(target.place)]
    )


def test_the_statement_that_relies_on_it_is_told(tmp_path: Path) -> None:
    program = program_of(TEXT.replace("BODY", _body()), tmp_path)
    function = program.functions["put"]
    relying = {at for at in range(len(function.code)) if goes_through_tail(function, at) is not None}
    assert len(relying) == 1
