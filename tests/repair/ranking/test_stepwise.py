"""Two independent slips, each in a call of its own: put together from one assertion to the next."""

from dataclasses import replace
from pathlib import Path

from wolverine.core.graph import Frame, MemoryGraph, Place, Variable, VariableId
from wolverine.core.patch import Repairs
from wolverine.core.trace import Assertion, Budget, End, Position, Problem, Trace
from wolverine.core.types import INT
from wolverine.frontend import describe, load
from wolverine.repair import search
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.stepwise import repeated_elsewhere, stepwise

TEXT = """\
int a, b, c, d;
void one(void) { a = b; }
void two(void) { b = a; }
int main(void)
{
    c = 3;
    one();
    two();
    return 0;
}
"""


COPIED = """\
int a, b, c, d;
void note(void) { d = d + a; }
int main(void)
{
    c = 3;
    a = b;
    note();
    a = b;
    note();
    return 0;
}
"""


def problem(tmp_path: Path, text: str = TEXT, *, first: int = 6, last: int = 8, d: int = 8) -> Problem:
    """Before the second call `b` is `first`, at the end `last`."""
    source = tmp_path / "two.c"
    source.write_text(text)
    program = load([source]).program
    names = ("a", "b", "c", "d")
    variables = tuple(Variable(VariableId(-1, "", name), INT) for name in names)
    cells = {Place(each.id, 0): number for number, each in enumerate(variables, 5)}
    start = MemoryGraph(program.types, (Frame(0, "main", ()),), variables, {}, cells)
    main = program.functions["main"]
    calls = [unit.first for unit in main.units if unit.calls]
    place = {name: Place(VariableId(-1, "", name), 0) for name in names}
    middle, end = Position(0, "main", calls[1], 1), Position(0, "main", main.units[-1].first, 1)
    asserted = (
        Assertion(middle, {place["a"]: 3, place["b"]: first, place["c"]: 3}, label="checkpoint 0"),
        Assertion(end, {place["a"]: 3, place["b"]: last, place["c"]: 3, place["d"]: d}, label="checkpoint 1"),
    )
    return Problem(program, (Trace(start, (("main", 0),), (*asserted, End(end))),), Budget())


def test_each_slip_is_mended_where_it_is(tmp_path: Path) -> None:
    wanted = problem(tmp_path)
    bench = bench_of(wanted, Menus(wanted.program))
    work = Work(wanted.budget, lambda: False)
    assert not stepwise(bench, work, 1)
    found = stepwise(bench, work, 2)
    assert found
    assert {len(space.masks) for space in found} == {2}
    lines = [sorted(wanted.program.location(place).line for place in space.masks) for space in found]
    assert [2, 3] in lines


def test_what_it_finds_is_among_what_the_whole_search_finds(tmp_path: Path) -> None:
    wanted = problem(tmp_path)
    work = Work(wanted.budget, lambda: False)
    found = stepwise(bench_of(wanted, Menus(wanted.program)), work, 2)
    whole = search(wanted)
    assert isinstance(whole, Repairs)
    known = {tuple(edit.location for edit in each.patch.edits) for each in whole.candidates}
    assert known & {tuple(sorted(space.masks)) for space in found}
    assert all(describe(wanted.program, each.patch) for each in whole.candidates[:3])


def test_calls_under_tests_may_be_among_the_choices(tmp_path: Path) -> None:
    wanted = problem(tmp_path)
    bench = bench_of(wanted, Menus(wanted.program, guarded=True, calls=True))
    found = stepwise(bench, Work(wanted.budget, lambda: False), 2)
    assert found
    assert {len(space.masks) for space in found} == {2}


def test_an_edit_is_made_where_its_statement_was_copied(tmp_path: Path) -> None:
    """`a = c` in both places; one of them alone meets only one of the two pictures."""
    wanted = problem(tmp_path, COPIED, last=6, d=14)
    work = Work(wanted.budget, lambda: False)
    bench = bench_of(wanted, Menus(wanted.program))
    found = repeated_elsewhere(bench, work)
    lines = {tuple(sorted(wanted.program.location(place).line for place in each.masks)) for each in found}
    assert (6, 8) in lines
    assert all(mask.bit_count() == 1 for space in found for mask in space.masks.values())
    assert not bench.explorer(work).search(1)


def test_nothing_is_repeated_where_the_last_picture_is_the_first_that_is_wrong(tmp_path: Path) -> None:
    wanted = problem(tmp_path, COPIED, last=6, d=14)
    [trace] = wanted.traces
    last = replace(trace, events=trace.events[1:])
    bench = bench_of(Problem(wanted.program, (last,), Budget()), Menus(wanted.program))
    assert not repeated_elsewhere(bench, Work(wanted.budget, lambda: False))
