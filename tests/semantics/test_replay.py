"""Candidates against the events of a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest

from wolverine.core.expressions import Constant
from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, VariableId
from wolverine.core.patch import Deletion, Edit, NewAssignment, NewCall, NewValue, Patch
from wolverine.core.program import Assign, Branch, Program
from wolverine.core.trace import Assertion, Decision, End, Interval, Trace
from wolverine.core.types import SIZE
from wolverine.frontend import load
from wolverine.semantics.compare import same_state
from wolverine.semantics.follow import Follower
from wolverine.semantics.replay import Replayer, replay

Stack = tuple[tuple[str, int], ...]
Walk = Callable[[Program], Iterator[tuple[Stack, MemoryGraph]]]

TEXT = """
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head; struct node *last; int count;
struct node *make(int v) {
    struct node *n = malloc(sizeof(struct node)); n->data = v; n->next = NULL; return n;
}
int main(void) {
    int i;
    head = make(0);
    last = head;
    for (i = 1; i < 4; i++) {
        last->next = make(i);
        last = last->next;
        count = count + 2;
    }
    last = NULL;
    return 0;
}
"""


@dataclass
class Recorded:
    program: Program
    stops: list[tuple[Stack, MemoryGraph]]
    trace: Trace


@pytest.fixture
def recorded(tmp_path: Path, walk: Walk) -> Recorded:
    path = tmp_path / "p.c"
    path.write_text(TEXT)
    program = load([path]).program
    stops = list(walk(program))
    model = Follower(program, stops[0][1], stops[0][0])
    events = []
    for stack, graph in stops[1:]:
        followed = model.advance(stack, graph)
        assert followed.ok
        events += followed.events
    trace = Trace(stops[0][1], stops[0][0], (*events, End(model.position())))
    return Recorded(program, stops, trace)


def place(name: str) -> Place:
    return Place(VariableId(-1, "", name), 0)


def asserting(recorded: Recorded, cells: dict[Place, object]) -> Trace:
    *events, end = recorded.trace.events
    assertion = Assertion(end.position, cells)  # type: ignore[arg-type]
    return replace(recorded.trace, events=(*events, assertion, end))


def location(program: Program, text: str) -> int:
    return next(x.id for x in program.locations if x.text == text and x.kind != "gap")


def step(program: Program, identifier: int):  # type: ignore[no-untyped-def]
    function = program.functions[program.location(identifier).function]
    return next(s for s in function.code if s.location == identifier and isinstance(s, (Assign, Branch)))


def test_the_program_itself_meets_its_trace(recorded: Recorded) -> None:
    replayed = replay(recorded.program, Patch(), recorded.trace)
    assert replayed.met, replayed.reason
    assert replayed.end_hits == 1
    assert same_state(replayed.final, recorded.stops[-1][1], recorded.trace.start)
    assert replayed.executed[location(recorded.program, "count = count + 2")] == 3


def test_hits_count_all_activations(recorded: Recorded) -> None:
    events = recorded.trace.events
    inner = max(i for i, (stack, _) in enumerate(recorded.stops) if stack[0][0] == "make")
    model = Follower(recorded.program, recorded.stops[0][1], recorded.stops[0][0])
    kept = []
    for stack, graph in recorded.stops[1 : inner + 1]:
        kept += model.advance(stack, graph).events
    trace = replace(recorded.trace, events=(*kept, End(model.position())))
    replayed = replay(recorded.program, Patch(), trace)
    assert replayed.met
    assert replayed.end_hits == 4
    assert model.position().occurrence == 1
    assert len(kept) < len(events)


def test_a_wrong_assertion_fails_and_an_edit_meets_it(recorded: Recorded) -> None:
    trace = asserting(recorded, {place("count"): 3})
    replayed = replay(recorded.program, Patch(), trace)
    assert not replayed.met
    assert isinstance(replayed.event, Assertion)
    assert "count" in replayed.reason
    assignment = location(recorded.program, "count = count + 2")
    old = step(recorded.program, assignment)
    value = replace(old.value, right=Constant(1, old.value.type))
    patch = Patch((Edit(assignment, NewAssignment(old.target, value)),))
    assert replay(recorded.program, patch, trace).met


def test_observed_loop_decisions_bind_until_own_control(recorded: Recorded) -> None:
    condition = location(recorded.program, "i < 4")
    old = step(recorded.program, condition).condition
    patch = Patch((Edit(condition, NewValue(replace(old, right=Constant(3, old.type)))),))
    replayed = replay(recorded.program, patch, recorded.trace)
    assert isinstance(replayed.event, Decision)
    own = replay(recorded.program, patch, recorded.trace, own_control=True)
    assert own.met
    assert len(own.final.nodes) == 3
    more = Patch((Edit(condition, NewValue(replace(old, right=Constant(9, old.type)))),))
    assert not replay(recorded.program, more, recorded.trace).met


def test_forced_decisions_bind_always(recorded: Recorded) -> None:
    decisions = [e for e in recorded.trace.events if isinstance(e, Decision)]
    forced = replace(decisions[-1], taken=True, forced=True)
    events = [forced if e is decisions[-1] else e for e in recorded.trace.events]
    trace = replace(recorded.trace, events=tuple(events))
    for own_control in (False, True):
        replayed = replay(recorded.program, Patch(), trace, own_control=own_control)
        assert not replayed.met
        assert replayed.event == forced


def test_crashes_are_told(recorded: Recorded) -> None:
    assignment = location(recorded.program, "last = head")
    patch = Patch((Edit(assignment, Deletion()),))
    replayed = replay(recorded.program, patch, recorded.trace)
    assert replayed.crash is not None
    assert replayed.crash.kind == "null"
    assert replayed.stack[0][0] == "main"


def test_a_crashed_end_has_to_be_passed(recorded: Recorded) -> None:
    assignment = location(recorded.program, "last = last->next")
    patch = Patch((Edit(location(recorded.program, "last = head"), Deletion()),))
    crash = replay(recorded.program, patch, recorded.trace)
    function, index = crash.stack[0]
    model = Follower(recorded.program, recorded.stops[0][1], recorded.stops[0][0], patch)
    followed = model.advance(crash.stack, crash.final)
    assert followed.ok, followed
    assert model.position()[1:] == (function, index, 1)
    trace = replace(recorded.trace, events=(*followed.events, End(model.position(), crashed=True)))
    assert not replay(recorded.program, patch, trace).met
    assert replay(recorded.program, Patch(), trace).met
    assert recorded.program.location(assignment).function == "main"


def test_nodes_are_compared_up_to_renaming(recorded: Recorded) -> None:
    final = recorded.stops[-1][1]
    cells = {
        p: v for p, v in final.cells.items() if not (isinstance(p.object, VariableId) and p.object.depth >= 0)
    }
    trace = asserting(recorded, cells)
    gap = next(x for x in recorded.program.locations if x.function == "main" and x.kind == "gap")
    patch = Patch((Edit(gap.id, NewCall("malloc", (Constant(4, SIZE),))),))
    replayed = replay(recorded.program, patch, trace)
    assert replayed.met, replayed.reason
    assert replayed.final.cells[place("head")] == Pointer(NodeId(2))
    wrong = dict(cells)
    wrong[Place(NodeId(2), 0)] = 5
    assert not replay(recorded.program, patch, asserting(recorded, wrong)).met


def test_intervals_are_jumped(recorded: Recorded) -> None:
    model = Follower(recorded.program, recorded.stops[0][1], recorded.stops[0][0])
    stack, graph = recorded.stops[9]
    moved = replace(graph, cells={**graph.cells, place("count"): 70})
    followed = model.advance(stack, moved, limit=3000)
    [interval] = followed.events
    assert isinstance(interval, Interval)
    events = list(followed.events)
    for following, shown in recorded.stops[10:]:
        cells = dict(shown.cells)
        cells[place("count")] += 70  # type: ignore[operator]
        followed = model.advance(following, replace(shown, cells=cells))
        assert followed.ok, followed
        events += followed.events
    trace = replace(recorded.trace, events=(*events, End(model.position())))
    replayed = replay(recorded.program, Patch(), trace)
    assert replayed.met, replayed.reason
    assert replayed.final.cells[place("count")] == 76
    assert same_state(replayed.final, replace(recorded.stops[-1][1], cells=cells), recorded.trace.start)


def test_intervals_that_begin_at_one_place(recorded: Recorded) -> None:
    """Each of them is the process' next time there."""
    program = recorded.program
    model = Follower(program, recorded.stops[0][1], recorded.stops[0][0])
    index = next(i for i, stop in enumerate(recorded.stops) if repeated(recorded, stop[0]))
    begins, events, added = recorded.stops[index][0], [], 0
    for (before, _), (stack, graph) in pairwise(recorded.stops):
        added += 70 if before == begins else 0
        cells = {**graph.cells, place("count"): graph.cells[place("count")] + added}  # type: ignore[operator]
        events += model.advance(stack, replace(graph, cells=cells), limit=3000).events
    places = [event.position[1:] for event in events if isinstance(event, Interval)]
    assert places == [(*begins[0], times) for times in range(1, added // 70 + 1)]
    replayed = replay(program, Patch(), replace(recorded.trace, events=(*events, End(model.position()))))
    assert replayed.met, replayed.reason
    assert replayed.final.cells[place("count")] == 6 + added


def repeated(recorded: Recorded, stack: Stack) -> bool:
    return len(stack) == 1 and sum(stack == each for each, _ in recorded.stops) > 2


def test_one_replayer_runs_many_patches(recorded: Recorded) -> None:
    trace = asserting(recorded, {place("count"): 6})
    replayer = Replayer(recorded.program, trace)
    delete = Patch((Edit(location(recorded.program, "count = count + 2"), Deletion()),))
    assert [replayer.run(p).met for p in (Patch(), delete, delete, Patch())] == [True, False, False, True]
