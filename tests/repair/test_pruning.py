"""What lets the search leave out: stretches that fail for certain, states that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from playing import Play, program_of

from wolverine.core.trace import Problem
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.schedule import prepare
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Limits, Work
from wolverine.repair.explicit.ahead import Ahead, Writes
from wolverine.repair.explicit.bench import editable_locations
from wolverine.repair.explicit.explorer import Explorer
from wolverine.repair.explicit.outlook import Outlook
from wolverine.repair.explicit.segments import failing_segments
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.menu import Assigned
from wolverine.semantics.compiled import compile_program

TEXT = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
int seen, kept;
void push(int d) {
    struct node *n = malloc(sizeof(struct node));
    n->data = d;
    n->next = head;
    head = n;
}
void last_one(void) {
    struct node spare;
    int last;
    struct node *p = head;
    while (p) {
        seen = head->data;
        p = p->next;
    }
    kept = 0;
    p = head;
    kept = kept;
    last = kept;
    spare.data = last;
}
int main() { push(2); push(4); push(8); last_one(); return 0; }
"""
LOOP, AFTER, LAST = (
    next(i for i, line in enumerate(TEXT.split("\n"), 1) if part in line)
    for part in ("while (p)", "kept = 0", "last = kept")
)


def problem(folder: Path, *, dense: bool = True) -> Problem:
    """What is seen is wrong in later rounds, and what is kept of it behind the loop.

    Unless `dense` only the first and the last state are asserted.
    """
    play = Play(program_of(TEXT, folder))
    play.enter_function("last_one")
    play.to(LOOP)
    play.spec()
    for data in ("8", "4", "2"):
        play.to(LOOP)
        play.change("seen", data)
        if dense:
            play.spec()
    play.to(AFTER)
    if dense:
        play.spec()
    play.to(LAST)
    play.change("kept", "2")
    play.spec()
    near = range(LOOP, LAST + 1)
    here = [n for n, found in enumerate(play.program.locations) if found.line in near]
    return replace(play.problem(), editable=frozenset(here))


class Bench:
    """The problem's runners, ready to be searched."""

    def __init__(self, wanted: Problem) -> None:
        menus = Menus(wanted.program)
        self.program = wanted.program
        self.runner = Runner(wanted.program, wanted.traces[0], menus)
        editable = editable_locations(wanted, menus, [self.runner])
        self.runner.configure(prepare(self.runner.machine, self.runner.trace), editable)
        self.work = Work(wanted.budget, lambda: False)

    def search(self, *, dead: bool) -> list[Space]:
        segments, outlook = failing_segments(self.runner), Outlook(self.runner)
        explorer = Explorer(self.program, [self.runner], self.work, Limits(), segments, [outlook])
        if not dead:
            explorer._dead = None
        assert not explorer.search(1)
        return explorer.search(2)


def lines(wanted: Problem, locations: Iterable[int]) -> set[int]:
    return {wanted.program.location(location).line for location in locations}


def test_stretches_fail_although_locals_hold_nothing(tmp_path: Path) -> None:
    wanted = problem(tmp_path)
    segments = failing_segments(Bench(wanted).runner)
    within = [segment for segment in segments if lines(wanted, segment) <= set(range(LOOP, AFTER))]
    behind = [segment for segment in segments if lines(wanted, segment) <= set(range(AFTER, LAST + 1))]
    assert within
    assert behind  # execution goes on from what is asserted, not from what went wrong


def test_states_that_lead_nowhere_are_explored_once(tmp_path: Path) -> None:
    wanted = problem(tmp_path, dense=False)
    with_table, without = Bench(wanted), Bench(wanted)
    found, all_found = with_table.search(dead=True), without.search(dead=False)
    assert found
    assert {tuple(sorted(s.masks.items())) for s in found} == {
        tuple(sorted(s.masks.items())) for s in all_found
    }
    assert with_table.work.spent < without.work.spent


def test_what_an_edit_ahead_may_write_is_told(tmp_path: Path) -> None:
    text = "struct node { struct node *next; } *first;\nvoid run(struct node *p) { first = p; }\n"
    program = program_of(text + "int main(void) { return 0; }\n", tmp_path)
    menus = Menus(program)
    [location] = [each.id for each in program.locations if each.kind == "assignment"]
    menu = menus.menu(location)
    assert menu is not None and isinstance(menu.choices, Assigned)
    writes = Writes(program, compile_program(program).layout, ["run"])
    for target, row in zip(menu.choices.targets, menu.choices.masks()[0], strict=True):
        ahead = Ahead()
        assert writes.chosen(ahead, "run", menu, row)
        told = len(ahead.locals) + len(ahead.globals) + len(ahead.fields)
        assert told == (1 if row else 0), target
