"""Subscripts stay in arrays that are parts of objects."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wolverine.core.graph import MemoryGraph
from wolverine.core.program import Program
from wolverine.semantics.faults import Fault
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import graph_of, seat

Lower = Callable[[str], Program]
Entry = Callable[[Program], MemoryGraph]

HEAD = """
#include <stdlib.h>
struct stack { int top; int cell[3]; int size; };
struct text { int length; char more[1]; };
struct line { int length; int words[2]; };
struct stack s; int grid[2][3]; int result, *end; int i = 3;
"""


def _machine(lower: Lower, entry: Entry, body: str, **options: bool) -> Machine:
    program = lower(f"{HEAD}int main(void) {{ i = 3; {body} return 0; }}")
    machine = Machine(program, **options)
    seat(machine, entry(program), (("main", 0),))
    return machine


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("s.cell[i] = 1;", "index 3 lies outside s.cell, which has 3 elements"),
        ("result = s.cell[i - 4];", "index -1 lies outside s.cell, which has 3 elements"),
        ("s.cell[3] = 1;", "index 3 lies outside s.cell, which has 3 elements"),
        ("result = grid[0][i];", "index 3 lies outside grid[0], which has 3 elements"),
        ("struct stack *p = &s; p->cell[i]++;", "index 3 lies outside p->cell, which has 3 elements"),
        ("if (s.cell[i] == 0) result = 1;", "index 3 lies outside s.cell, which has 3 elements"),
    ],
)
def test_an_array_in_an_object_is_left(lower: Lower, entry: Entry, body: str, message: str) -> None:
    with pytest.raises(Fault) as raised:
        _machine(lower, entry, body, strict=True).run(1000)
    assert (raised.value.kind, raised.value.message) == ("bounds", message)
    with pytest.raises(Fault):
        _machine(lower, entry, body, bounded=True).run(1000)
    assert _machine(lower, entry, body).run(1000) == "exited"


@pytest.mark.parametrize(
    "body",
    [
        "s.cell[i - 1] = 1;",
        "end = &s.cell[i];",
        "end = &s.cell[3];",
        "result = (int) (&grid[0][i] - grid[0]);",
        "struct text *t = malloc(sizeof *t + 8); t->more[i] = 'a';",
        "struct line *l = malloc(sizeof *l + 8); l->words[i] = 1;",
        "for (int *p = s.cell; p != &s.cell[i]; p++) *p = 1;",
    ],
)
def test_what_is_right(lower: Lower, entry: Entry, body: str) -> None:
    assert _machine(lower, entry, body, strict=True).run(1000) == "exited"


def test_beside_the_process_it_is_noted_and_happens(lower: Lower, entry: Entry) -> None:
    machine = _machine(lower, entry, "s.cell[i] = 7; s.cell[i] = s.cell[i] + 1;", lenient=True)
    begun = machine.mark()
    assert machine.run(1000) == "exited"
    assert machine.violations() == 1
    [fault] = machine.overstepped().values()
    assert fault.message == "index 3 lies outside s.cell, which has 3 elements"
    assert 8 in graph_of(machine, entry(machine.program)).cells.values()
    machine.undo(begun)
    machine.run(1000)
    assert machine.violations() == 2  # going back has taken it away
