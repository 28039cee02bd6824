"""A repair beside edits that were accepted before: a second bug shows once the first is out of the way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lists_in_c import MEANT, ROTATED, SLIP
from playing import Play, program_of

from wolverine.core.patch import Edit, Patch, Repairs
from wolverine.core.trace import Budget, Problem
from wolverine.repair import search
from wolverine.repair.explicit.bench import bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.special.freeing import freeing
from wolverine.repair.special.severing import targeting
from wolverine.repair.special.singles import singular
from wolverine.repair.special.stages import stages

TEXT = f"""\
#include <stdlib.h>
{ROTATED}int main(void) {{
    push_back(1);
    push_back(2);
    push_back(3);
    rotate();
    return 0;
}}
"""


def line_of(part: str) -> int:
    return next(i for i, line in enumerate(TEXT.split("\n"), 1) if part in line)


def problem(folder: Path, *accepted: str, budget: Budget | None = None) -> Problem:
    """What was seen with the first slip mended; the texts accepted at its place."""
    play = Play(program_of(TEXT.replace(SLIP, MEANT), folder))
    play.open()
    play.to(line_of("    rotate();"), "main")
    play.spec()
    play.to(line_of("return 0"), "main")
    play.change("tail", "n1")
    play.spec()
    faulty = program_of(TEXT, folder)
    place = next(each.id for each in faulty.locations if each.line == line_of(SLIP) and each.kind != "gap")
    menu = Menus(faulty).menu(place)
    assert menu is not None
    made = [c.replacement for c in menu.choices if replacement_text(c.replacement) in accepted]
    assert len(made) == len(accepted)
    patch = Patch(tuple(Edit(place, each) for each in made))
    return Problem(faulty, (play.trace(),), budget or Budget(), accepted=patch)


def lines(wanted: Problem, answer: Repairs) -> list[int]:
    return [wanted.program.location(e.location).line for e in answer.candidates[0].patch.edits]


def test_one_more_edit_is_looked_for_beside_the_accepted_one(tmp_path: Path) -> None:
    wanted = problem(tmp_path, "tail->next = n")
    answer, anew = search(wanted), search(replace(wanted, accepted=Patch()))
    assert isinstance(answer, Repairs)
    assert isinstance(anew, Repairs)
    assert all(set(wanted.accepted.edits) < set(each.patch.edits) for each in answer.candidates)
    assert {each.cost for each in answer.candidates} == {2}
    assert {each.patch for each in answer.candidates} < {each.patch for each in anew.candidates}
    assert answer.steps < anew.steps
    assert lines(wanted, answer)[0] == line_of(SLIP)
    assert lines(wanted, answer)[1] > line_of("rotate(void)")


def test_where_the_accepted_edit_is_wrong_the_search_begins_anew(tmp_path: Path) -> None:
    wanted = problem(tmp_path, "head->next = head")
    answer, anew = search(wanted), search(replace(wanted, accepted=Patch()))
    assert isinstance(answer, Repairs)
    assert isinstance(anew, Repairs)
    assert answer.candidates == anew.candidates
    assert not any(set(wanted.accepted.edits) & set(each.patch.edits) for each in answer.candidates)


def test_accepted_edits_leave_room_for_one_more_than_a_search_makes(tmp_path: Path) -> None:
    wanted = problem(tmp_path, "tail->next = n", budget=Budget(edits=1))
    answer = search(wanted)
    assert isinstance(answer, Repairs)
    assert answer.candidates[0].cost == 2
    assert not isinstance(search(replace(wanted, accepted=Patch())), Repairs)


def test_the_accepted_edit_alone_suffices_as_long_as_nothing_else_is_wrong(tmp_path: Path) -> None:
    wanted = problem(tmp_path, "tail->next = n")
    trace = wanted.traces[0]
    before = replace(
        trace, events=(*trace.events[:1], replace(trace.events[-1], position=trace.events[0].position))
    )
    answer = search(replace(wanted, traces=(before,)))
    assert isinstance(answer, Repairs)
    assert answer.candidates[0].cost == 1


def test_searches_of_few_kinds_of_edits_keep_what_was_accepted(tmp_path: Path) -> None:
    wanted = problem(tmp_path, "tail->next = n")
    [place] = (edit.location for edit in wanted.accepted.edits)
    bench = bench_of(wanted, Menus(wanted.program, guarded=True, calls=True)).keeping(wanted.accepted)
    assert bench is not None
    gap = next(each.id for each in wanted.program.locations if each.kind == "gap")
    for few in (freeing(bench), targeting(bench, [(gap, "tail")]), singular(bench)):
        assert few.menus.menu(place) == bench.menus.menu(place)
        assert place in {each for found in few.editable.values() for each in found.values()}


def test_where_one_more_is_allowed_two_are_not_looked_for(tmp_path: Path) -> None:
    wanted = problem(tmp_path, "tail->next = n")
    kept = [[s.edits for s in stages(replace(wanted, budget=Budget(edits=n))) if s.kept] for n in (1, 2)]
    assert [max(each) for each in kept] == [1, 2]
