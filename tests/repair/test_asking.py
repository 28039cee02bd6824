"""Which heap a question is about, and what an answer means."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.graph import MemoryGraph, NodeId
from wolverine.core.patch import NO_EDITS, Candidate, Guarded, Repairs
from wolverine.core.program import Program
from wolverine.core.trace import Problem, Trace
from wolverine.repair import search
from wolverine.repair.heaps.entries import trial_heaps
from wolverine.repair.heaps.outcomes import Bench
from wolverine.repair.ranking import question as asking
from wolverine.repair.ranking.question import SHOWN, allowed, question, spread
from wolverine.semantics.replay import replay

DROP = """#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct cell *head, *tail;
void push(int v) {
    struct cell *c = malloc(sizeof *c);
    c->v = v;
    c->next = head;
    head = c;
    if (tail == NULL)
        tail = c;
}
void drop(void) {
    struct cell *old = head;
    head = old;
}
int main(void) {
    push(1);
    push(2);
    drop();
    return 0;
}
"""
END = 15  # drop's closing brace


@pytest.fixture
def found(tmp_path: Path) -> tuple[Program, Trace, Repairs]:
    """Two cells go in, the second one shall be the head: by its place, or as the tail."""
    program = program_of(DROP, tmp_path)
    play = Play(program)
    play.enter_function("drop")
    play.to(END)
    play.change("head", "n1")
    play.spec()
    problem: Problem = play.problem()
    repairs = search(problem)
    assert isinstance(repairs, Repairs)
    return program, problem.traces[0], repairs


def test_the_spread_is_least_where_an_answer_tells_most() -> None:
    assert spread("aab") == 5
    assert spread("abc") < spread("aab") < spread("aaa")
    assert spread(["a", None, None]) == 5
    assert spread(range(SHOWN + 3)) == SHOWN + 9


def test_the_smallest_of_the_heaps_that_tell_most_is_asked_about(
    found: tuple[Program, Trace, Repairs],
) -> None:
    program, trace, repairs = found
    asked = question(program, trace, repairs.candidates)
    assert asked is not None
    assert len(asked.outcomes) == 2
    assert not any(outcome.crash for outcome in asked.outcomes)
    sizes = [len(heap.nodes) for heap in _telling(program, trace, repairs.candidates)]
    assert len(asked.input.nodes) == min(sizes) < max(sizes)


def _telling(program: Program, trace: Trace, candidates: tuple[Candidate, ...]) -> list[MemoryGraph]:
    """The heaps on which the candidates come to different ends without a crash."""
    bench = Bench(program, "drop")
    telling = []
    for heap in trial_heaps(program, trace):
        outcomes = [bench.outcome(heap, candidate.patch) for candidate in candidates]
        if all(o is not None and not o.crash for o in outcomes) and len({o.key for o in outcomes if o}) > 1:
            telling.append(heap)
    return telling


def test_nothing_is_asked_about_candidates_that_act_alike(found: tuple[Program, Trace, Repairs]) -> None:
    program, trace, repairs = found
    alike = [each for each in repairs.candidates if each.behaviour == 1]
    assert question(program, trace, alike) is None
    renumbered = [replace(each, behaviour=number) for number, each in enumerate(alike)]
    assert len(renumbered) > 1
    assert question(program, trace, renumbered) is None


def test_nothing_is_asked_where_the_trace_begins_inside_the_function(
    found: tuple[Program, Trace, Repairs],
) -> None:
    program, trace, repairs = found
    code = program.functions["drop"].code
    inside = replace(trace, start_stack=(("drop", len(code) - 1), *trace.start_stack[1:]))
    assert question(program, inside, repairs.candidates) is None


def test_each_answer_keeps_its_own_candidates_and_neither_none_of_them(
    found: tuple[Program, Trace, Repairs],
) -> None:
    program, trace, repairs = found
    asked = question(program, trace, repairs.candidates)
    assert asked is not None
    kept = [
        {c.patch for c in allowed(program, repairs.candidates, (asked.answer(number),), met=False)}
        for number in (1, 2)
    ]
    assert all(kept)
    assert not kept[0] & kept[1]
    assert kept[0] | kept[1] == {c.patch for c in repairs.candidates}
    assert allowed(program, repairs.candidates, (asked.answer(0),), met=False) == ()


def test_the_answer_is_a_trace_that_only_its_own_candidates_meet(
    found: tuple[Program, Trace, Repairs],
) -> None:
    program, trace, repairs = found
    asked = question(program, trace, repairs.candidates)
    assert asked is not None
    for number in (1, 2):
        answer = asked.answer(number)
        assert answer.trace is not None
        kept = allowed(program, repairs.candidates, (answer,), met=False)
        met = [c for c in repairs.candidates if replay(program, c.patch, answer.trace).met]
        assert tuple(met) == kept
        again = search(Problem(program, (trace, answer.trace)))
        assert isinstance(again, Repairs)
        known = {c.patch for c in repairs.candidates}
        listed = {c.patch for c in again.candidates} & known
        assert listed
        assert listed <= {c.patch for c in kept}
        # Statements under tests are not looked for where others do.
        others = {c.patch for c in kept} - listed
        assert all(isinstance(edit.replacement, Guarded) for patch in others for edit in patch.edits)


def test_no_more_results_than_can_be_shown(
    found: tuple[Program, Trace, Repairs], monkeypatch: pytest.MonkeyPatch
) -> None:
    program, trace, repairs = found
    monkeypatch.setattr(asking, "SHOWN", 1)
    asked = question(program, trace, repairs.candidates)
    assert asked is not None
    assert len(asked.outcomes) == 1
    assert allowed(program, repairs.candidates, (asked.answer(0),), met=False)


def test_a_crash_is_an_outcome_with_a_reason_and_no_trace(found: tuple[Program, Trace, Repairs]) -> None:
    program, trace, repairs = found
    empty = next(heap for heap in trial_heaps(program, trace) if not heap.nodes)
    bench = Bench(program, "drop")
    outcomes = [bench.outcome(empty, candidate.patch) for candidate in repairs.candidates]
    crashed = next(o for o in outcomes if o is not None and o.crash)
    fine = next(o for o in outcomes if o is not None and not o.crash)
    assert "null" in crashed.crash
    assert "line 14" in crashed.crash or "line 13" in crashed.crash
    asked = asking.Question("drop", empty, (fine, crashed))
    assert asked.answer(1).trace is not None
    answer = asked.answer(2)
    assert answer.trace is None
    kept = allowed(program, repairs.candidates, (answer,), met=True)
    assert [c.patch for c in kept] == [c.patch for c in repairs.candidates if c.crashes]


MAKE = """#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct cell *add(struct cell *list) {
    struct cell *first = malloc(sizeof *first);
    struct cell *second = malloc(sizeof *second);
    first->v = 1;
    second->v = 1;
    first->next = list;
    second->next = list;
    return ORDER;
}
int main(void) {
    struct cell *all = add(NULL);
    return all->v;
}
"""


def test_new_nodes_are_told_by_how_they_are_reached_and_not_by_number(tmp_path: Path) -> None:
    keys = []
    for order in ("first", "second"):
        folder = tmp_path / order
        folder.mkdir()
        program = program_of(MAKE.replace("ORDER", order), folder)
        play = Play(program)
        play.enter_function("add")
        play.to(11)
        play.spec()
        problem = play.problem()
        [heap, *_] = trial_heaps(program, problem.traces[0])
        outcome = Bench(program, "add").outcome(heap, search(problem).candidates[0].patch)  # type: ignore[union-attr]
        assert outcome is not None
        assert not outcome.crash
        assert any(isinstance(place.object, NodeId) for place, _ in outcome.cells)
        keys.append(outcome.key)
    assert keys[0] == keys[1]


CROWN = """#include <stdlib.h>
struct leaf { int v; struct leaf *above, *next; };
void drop(struct leaf *l) {
    l->above->v = l->above->v - NUMBER;
    l->above->next = l->next;
    l->above = l->next = NULL;
}
int main(void) {
    struct leaf *top = calloc(1, sizeof *top), *low = calloc(1, sizeof *low);
    top->next = low;
    low->above = top;
    low->v = 2;
    drop(low);
    return top->v;
}
"""


def test_what_led_to_a_node_that_cuts_itself_off_is_seen(tmp_path: Path) -> None:
    """Somebody holds the rest of the structure, though no variable does on a fresh heap."""
    keys = set()
    for number in ("1", "l->v", "3 * l->v"):
        program = program_of(CROWN.replace("NUMBER", number), tmp_path)
        play = Play(program)
        play.enter_function("drop")
        play.to(7)
        play.spec()
        heap = play.problem().traces[0].start
        alone = replace(heap, frames=heap.frames[:1])
        held = {place: value for place, value in heap.cells.items() if alone.type_of(place.object)}
        outcome = Bench(program, "drop").outcome(replace(alone, cells=held), NO_EDITS)
        assert outcome is not None
        keys.add(outcome.key)
    assert len(keys) == 3


LAST = """#include <stdlib.h>
struct tin { int peas; struct tin *under; };
struct tin *top;
int tins;
int take(void) {
    struct tin *t = top;
    int peas;
    if (t == NULL)
        return -1;
    peas = t->peas;
    top = t->under;
    free(t);
    tins++;
    return peas;
}
int main(void) {
    for (int i = 0; i < 3; i++) {
        struct tin *t = malloc(sizeof *t);
        t->peas = i + 7;
        t->under = top;
        top = t;
        tins++;
    }
    take();
    return tins;
}
"""


def test_a_result_that_nothing_has_set_is_not_offered(tmp_path: Path) -> None:
    """`tins = 2` in the place of `peas = t->peas` is among the repairs."""
    program = program_of(LAST, tmp_path)
    play = Play(program)
    play.enter_function("take")
    play.to(14)
    play.change("tins", "2")
    play.spec("tins")
    problem = play.problem()
    repairs = search(problem)
    assert isinstance(repairs, Repairs)
    bench, start = Bench(program, "take"), problem.traces[0].start
    glances = [bench.glance(start, each.patch) for each in repairs.candidates]
    wished = asking._wished(glances, len(start.nodes), frees=True)
    kept = [glance for glance, wish in zip(glances, wished, strict=True) if glance is not None and wish]
    assert any(glance.unset for glance in glances if glance is not None)
    assert kept and not any(glance.unset for glance in kept)
    unset = [glance for glance in glances if glance is not None and glance.unset]
    assert any(asking._wished(unset, len(start.nodes), frees=True))  # nobody asks for the result then
