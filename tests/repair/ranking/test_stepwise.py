"""Two independent slips, each in a call of its own: put together from one assertion to the next."""

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
from wolverine.repair.ranking.stepwise import stepwise

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


def problem(tmp_path: Path) -> Problem:
    source = tmp_path / "two.c"
    source.write_text(TEXT)
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
        Assertion(middle, {place["a"]: 3, place["b"]: 6, place["c"]: 3}, label="checkpoint 0"),
        Assertion(end, {place["a"]: 3, place["b"]: 8, place["c"]: 3}, label="checkpoint 1"),
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
