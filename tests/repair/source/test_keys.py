"""The characters by which a program is told what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.graph import MemoryGraph, Place, VariableId
from wolverine.core.trace import Effect, End, Position, Trace
from wolverine.repair.source.keys import keys

TEXT = """\
#include <stdio.h>
int count;
static void other(char c)
{
    if (c == 'x' || c == '\\n' || c > 'q')
        count++;
}
void work(void)
{
    char how, name[8];
    if (scanf(" %c %7s", &how, name) != 2)
        return;
    switch (how) {
    case 'a':
        other(how);
        break;
    case '7':
        count--;
    }
    if (name[0] == 'r' || 'b' != how)
        count = 65;
}
int main(void)
{
    work();
    return 0;
}
"""

READ = {
    "nothing that was read is known": ((), "a7rbx"),
    "the last that was read first": ("ab", "ba7rx"),
    "what is compared with nothing": ("z", "a7rbx"),
    "a number that is no character": ((300,), "a7rbx"),
}


@pytest.mark.parametrize(("read", "told"), READ.values(), ids=READ)
def test_they_are_what_it_compares_with(tmp_path: Path, read: tuple[int | str, ...], told: str) -> None:
    program = program_of(TEXT, tmp_path)
    effects = tuple(
        Effect(
            Position(0, "work", 1, number),
            {
                Place(VariableId(1, "work", "how"), 0): value if isinstance(value, int) else ord(value),
                Place(VariableId(1, "work", "name"), 0): ord("r"),
            },
        )
        for number, value in enumerate(read, 1)
    )
    end = End(Position(0, "work", 1, 9), crashed=True)
    trace = Trace(MemoryGraph(program.types), (("main", 0),), (*effects, end))
    assert keys(program, trace, "work") == told
