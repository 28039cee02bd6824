"""What is told of candidates."""

from __future__ import annotations

from pathlib import Path

from wolverine import frontend
from wolverine.core.graph import UNINITIALISED, Frame, MemoryGraph, Place, Variable, VariableId
from wolverine.core.patch import Candidate, Deletion, Edit, Patch, Repairs
from wolverine.core.types import INT, Types
from wolverine.session.describing import listed
from wolverine.session.doubts import doubts

TEXT = """\
int first, second;
int main(void)
{
    first = 1;
    second = 2;
    return 0;
}
"""


def test_candidates_that_read_and_act_alike_are_listed_once(tmp_path: Path) -> None:
    source = tmp_path / "two.c"
    source.write_text(TEXT)
    program = frontend.load([source]).program
    one, two = (
        Patch((Edit(next(x.id for x in program.locations if x.line == line and x.semicolon), Deletion()),))
        for line in (4, 5)
    )
    candidates = tuple(
        Candidate(patch, 1, 1.0, behaviour=number)
        for patch, number in ((one, 1), (one, 1), (one, 2), (two, 1))
    )
    found = Repairs(candidates, "complete", 2, 6)
    assert [line.split()[0] for line in listed(program, found, 0)] == ["*", "3", "4", "(numbers", "and"]
    assert [line[:4] for line in listed(program, found, 1)] == ["*  2", "   3", "   4", "    ", "    "]
    assert listed(program, found, 0)[-1].split() == ["and", "2", "more"]


def test_one_heap_is_one_heap_and_a_heap_without_values_is_not_described(tmp_path: Path) -> None:
    source = tmp_path / "two.c"
    source.write_text(TEXT)
    program = frontend.load([source]).program
    location = next(each.id for each in program.locations if each.line == 4 and each.semicolon)
    local = VariableId(0, "main", "x")
    heap = MemoryGraph(
        Types({}), frames=(Frame(0, "main", (Variable(local, INT),)),), cells={Place(local, 0): UNINITIALISED}
    )
    crashing = Candidate(
        Patch((Edit(location, Deletion()),)), 1, 1.0, crashes=1, behaviour=1, crash_input=heap, harmed=1
    )
    found = Repairs((crashing,), "complete", 1, 1)
    assert "crashes on 1 fresh heap)" in listed(program, found, 0)[0]
    assert "on another input the patched program crashes: it crashes" in doubts(program, found, crashing)
