"""Which inputs nobody is asked about: those that no caller gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.graph import External, MemoryGraph, NodeId, Place, Pointer, Value, VariableId
from wolverine.core.patch import NO_EDITS, Candidate, Deletion, Edit, Patch
from wolverine.repair.heaps.usual import LIKE, NEAR, Usual, concerns, seen
from wolverine.repair.menus.candidates import Menus

RANGES = """#include <stdlib.h>
struct range { int lo, hi; char *name; struct range *next; };
struct range *all;
int calls;
void add(int lo, int hi, char *name) {
    struct range *r = malloc(sizeof *r);
    calls = calls + 1;
    r->lo = lo;
    r->hi = hi;
    r->name = name;
    r->next = all;
}
int main(void) {
    add(1, 5, "a");
    add(2, 9, "b");
    add(3, 4, "c");
    return all->lo;
}
int size(int lo) {
    return lo;
}
"""


def test_an_input_is_like_what_the_execution_gives(tmp_path: Path) -> None:
    program = program_of(RANGES, tmp_path)
    play = Play(program)
    play.open()
    play.to(17)
    play.spec("calls")
    trace = play.problem().traces[0]
    graphs = seen(program, trace, Menus(program), NO_EDITS, ["add"])["add"]
    assert [_passed(graph, "lo") for graph in graphs] == [1, 2, 3]
    usual = Usual(graphs)
    assert usual.likeness(graphs[0]) == LIKE
    assert usual.likeness(_with(graphs[0], lo=3, hi=6)) == LIKE
    assert usual.likeness(_with(graphs[0], hi=12)) == NEAR
    assert usual.likeness(_with(graphs[0], name=None)) == NEAR
    assert usual.likeness(_with(graphs[0], lo=9, hi=4)) is None
    assert usual.likeness(_with(graphs[0], lo=-1000)) is None
    assert usual.likeness(_with(graphs[0], name=External(0x4000000004000002))) is None


def test_a_crash_concerns_a_repair_where_it_edits_what_is_called_as_somebody_calls_it(tmp_path: Path) -> None:
    program = program_of(RANGES, tmp_path)
    play = Play(program)
    play.open()
    play.to(17)
    play.spec("calls")
    trace = play.problem().traces[0]
    [first, *_] = seen(program, trace, Menus(program), NO_EDITS, ["add"])["add"]
    patch = Patch((Edit(next(each.id for each in program.locations if each.line == 9), Deletion()),))
    candidate = Candidate(patch, 1, 1.0, crashes=1, crash_input=_with(first, lo=7))
    assert concerns(program, trace, candidate)
    null = replace(candidate, crash_input=_with(first, name=None))
    assert not concerns(program, trace, null)
    assert concerns(program, trace, replace(null, harmed=1))
    frame = replace(first.frames[0], function="size")
    elsewhere = replace(first, frames=(frame, *first.frames[1:]))
    assert not concerns(program, trace, replace(candidate, crash_input=elsewhere))


def _place(graph: MemoryGraph, name: str) -> Place:
    return Place(VariableId(graph.frames[0].depth, "add", name), 0)


def _passed(graph: MemoryGraph, name: str) -> Value:
    return graph.cells[_place(graph, name)]


def _with(graph: MemoryGraph, **values: Value) -> MemoryGraph:
    changed = {_place(graph, name): value for name, value in values.items()}
    return replace(graph, cells={**graph.cells, **changed})


PARTS = """#include <stdlib.h>
struct part { int size; struct part *inner; };
struct whole { int n; struct part *first; };
int sizes(struct whole *w) {
    int n = w->n;
    n = n + w->first->inner->size;
    w->n = n + 1;
    return n;
}
int main(void) {
    struct whole *w = malloc(sizeof *w);
    int found;
    w->n = 1;
    w->first = malloc(sizeof(struct part));
    w->first->size = 2;
    w->first->inner = malloc(sizeof(struct part));
    w->first->inner->size = 3;
    w->first->inner->inner = NULL;
    found = sizes(w);
    return found;
}
"""


@pytest.mark.parametrize(("line", "told"), [(5, True), (7, False)])
def test_a_crash_before_any_edit_concerns_no_repair_where_the_heap_is_unlike_others(
    line: int, told: bool, tmp_path: Path
) -> None:
    program = program_of(PARTS, tmp_path)
    play = Play(program)
    play.open()
    play.to(20)
    play.spec("found")
    trace = play.problem().traces[0]
    [first] = seen(program, trace, Menus(program), NO_EDITS, ["sizes"])["sizes"]
    inner = Place(NodeId(2), 8)
    assert isinstance(first.cells[inner], Pointer)
    heap = replace(first, cells={**first.cells, inner: None, Place(NodeId(3), 0): 90})
    edited = next(each.id for each in program.locations if each.line == line and each.kind != "gap")
    candidate = Candidate(Patch((Edit(edited, Deletion()),)), 1, 1.0, crashes=1, crash_input=heap)
    assert concerns(program, trace, candidate) == told
