"""What is told of candidates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from played_session import Played

from wolverine import frontend
from wolverine.core.expressions import Constant
from wolverine.core.graph import (
    UNINITIALISED,
    Frame,
    MemoryGraph,
    Place,
    Variable,
    VariableId,
)
from wolverine.core.patch import Candidate, Deletion, Edit, NewReturn, Patch, Repairs
from wolverine.core.trace import Assertion, Position, Problem, Trace
from wolverine.core.types import INT, Types
from wolverine.errors import CommandError
from wolverine.session.commands import Repair
from wolverine.session.describing import ended_early, listed
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


def test_each_behaviour_is_listed_first_and_what_reads_and_acts_alike_once(tmp_path: Path) -> None:
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
    lines = listed(program, found, 0)
    assert lines[0].startswith("*  1  line 4: deleted: first = 1  (")
    assert lines[0].startswith("*  1") and lines[0].endswith("(behaviour 1; 1 more does the same)")
    assert lines[1].startswith("   3") and lines[1].endswith("(behaviour 2)")
    assert [line[:4] for line in lines[2:]] == ["    ", "   4", "    ", "    "]
    assert lines[-2].endswith("and 1 more number: `accept` takes every number up to 4")
    assert lines[-1].split()[0] == "(2"
    assert [line[:4] for line in listed(program, found, 1)][:2] == ["*  2", "   3"]
    many = tuple(Candidate(one if n % 2 else two, 1, 1.0, behaviour=1 + n // 10) for n in range(900))
    for chosen in (700, 703):
        lines = listed(program, Repairs(many, "complete", 90, 900), chosen)
        assert len(lines) < 50
        assert [line[:4] for line in lines if line.startswith("*")] == [f"*{chosen + 1}"]


def test_what_all_candidates_have_in_common_is_told_once(tmp_path: Path) -> None:
    source = tmp_path / "three.c"
    source.write_text(TEXT.replace("    return", "    first = 3;\n    return"))
    program = frontend.load([source]).program
    one, two, three = (
        Edit(next(x.id for x in program.locations if x.line == line and x.semicolon), Deletion())
        for line in (4, 5, 6)
    )
    found = Repairs(
        tuple(Candidate(Patch(each), 1, 1.0, behaviour=1) for each in ((one, two), (one, three))),
        "complete", 1, 2,
    )  # fmt: skip
    lines = listed(program, found, 0)
    assert lines[0].strip() == "each of them with line 4: deleted: first = 1"
    assert [line.partition("line")[2][:2] for line in lines[1:]] == [" 5", "", " 6"]
    alone = Repairs((*found.candidates, Candidate(Patch((one,)), 1, 1.0, behaviour=2)), "complete", 2, 3)
    assert "line 4: deleted: first = 1, line 5:" in listed(program, alone, 0)[0]


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
    found, trace = Repairs((crashing,), "complete", 1, 1), Trace(replace(heap), (("main", 0),), ())
    assert "crashes on 1 fresh heap)" in listed(program, found, 0)[0]
    plain = "on another input the patched program crashes: it crashes"
    assert f"{plain} (`candidates 1` draws it)" in doubts(program, trace, found, crashing)
    name = Variable(VariableId(0, "main", "a_name_" * 20), INT)
    long = replace(heap, frames=(Frame(0, "main", (name,)),), cells={Place(name.id, 0): 1})
    assert plain in doubts(program, trace, found, replace(crashing, crash_input=long))


def test_where_only_places_were_named_the_whole_picture_is_what_tells_more(tmp_path: Path) -> None:
    source = tmp_path / "two.c"
    source.write_text(TEXT)
    program = frontend.load([source]).program
    place, other = (Place(VariableId(-1, "", name), 0) for name in ("first", "second"))
    candidate = Candidate(Patch(()), 1, 1.0, behaviour=1)
    found = Repairs((candidate,), "complete", 2, 1)
    named = Assertion(Position(0, "main", 4, 1), {place: 2})
    whole = replace(named, cells={place: 2, other: 2}, weak=frozenset({other}))
    for assertion, told in ((named, "`spec` asserts the whole picture"), (whole, "another `spec` tells")):
        trace = Trace(MemoryGraph(Types({})), (("main", 0),), (assertion,))
        [doubt] = doubts(program, trace, found, candidate)
        assert told in doubt


def test_where_a_search_was_ended_it_is_told_what_it_looked_at_and_what_to_try(tmp_path: Path) -> None:
    source = tmp_path / "two.c"
    source.write_text(TEXT)
    program = frontend.load([source]).program
    problem = Problem(program, (Trace(MemoryGraph(Types({})), (("main", 0),), ()),))
    told = ended_early(program, problem, Repair(), 2.0)
    assert told.startswith("no repair was found in main: ")
    assert "after 2.0 s" in told
    assert "--function F" in told
    told = ended_early(program, problem, Repair(lines=(3, 5), budget=1.0), 1.1)
    assert "in lines 3 to 5" in told
    assert "as `--budget` says" in told
    assert "--function F" not in told


def test_what_reads_alike_on_one_line_is_told_with_its_place(tmp_path: Path) -> None:
    source = tmp_path / "one.c"
    source.write_text("int n;\nint main(void)\n{\n    if (n > 1) n = 2;\n    return n;\n}\n")
    program = frontend.load([source]).program
    gaps = [x for x in program.locations if x.kind == "gap" and x.line == 4 and x.gap.endswith("before")]
    made = NewReturn(Constant(3, INT))
    found = tuple(
        Candidate(Patch((Edit(gap.id, made),)), 1, 1.0, behaviour=number)
        for number, gap in enumerate(gaps, 1)
    )
    lines = listed(program, Repairs(found, "complete", 2, 2), 0)
    assert "line 4: return 3; in front of `if (n > 1) n = 2;`  (" in lines[0]
    assert "line 4: return 3; in front of `n = 2;`  (" in lines[1]
    [alone, *_] = listed(program, Repairs(found[:1], "complete", 1, 1), 0)
    assert "in front of" not in alone


MASKED = """\
#include <stdint.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *masked(struct node *one, struct node *other)
{
    return (struct node *)((uintptr_t)one ^ (uintptr_t)other ^ (uintptr_t)one);
}
int main(void)
{
    struct node *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    masked(a, b)->v = 4;
    a->next = b;
    return 0;
}
"""


def test_what_the_model_did_not_follow_is_told_where_a_search_was_ended(play: Callable[..., Played]) -> None:
    session = play(MASKED)
    session("break 13; run; change n2->v 5; change n1->v 5; spec")
    with pytest.raises(CommandError, match=r"as `--budget` says.* Besides, the model does not follow the"):
        session("repair --budget 0.0001")
