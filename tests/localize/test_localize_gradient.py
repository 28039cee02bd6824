"""The closed form against the paper's Algorithm 2 taken literally; where its soundness claim fails."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path

import pytest
from localize_executions import playing

from wolverine.core.trace import End, Position, Problem
from wolverine.localize import gradient, slices, table
from wolverine.localize.forward import Forward, Segment
from wolverine.semantics.address import node_address

HEAD = """#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *make(int data, struct node *next) {
    struct node *fresh = malloc(sizeof(struct node));
    fresh->data = data;
    fresh->next = next;
    return fresh;
}
"""
# n1 -> n6 would read backwards: make() numbers the last cell first, so the list is n6 -> ... -> n1
LISTS = """int main() {
    struct node *list = make(1, make(2, make(3, make(4, make(5, make(6, NULL))))));
    work(list, list->next, list->next->next, list->next->next->next->next);
    return 0;
}
"""


def problem_of(tmp_path: Path, body: str, wanted: dict[str, str], last: str = "end = 1;") -> Problem:
    """`body` runs in work(a, b, c, d); at the statement `last` the places of `wanted` are corrected."""
    text = HEAD + "int end;\nvoid work(struct node *a, struct node *b, struct node *c, struct node *d) {\n"
    text += body + "    " + last + "\n}\n" + LISTS
    play = playing.Play(playing.program_of(text, tmp_path))
    play.enter_function("work")
    play.spec()
    play.to(next(i for i, line in enumerate(text.split("\n"), 1) if last in line))
    for place, value in wanted.items():
        play.change(place, value)
    play.spec()
    problem: Problem = play.problem()
    return problem


def scores(problem: Problem) -> dict[str, float]:
    return {suspicion.text: suspicion.score for suspicion in gradient.localize(problem)}


def test_a_single_bug_among_independent_statements(tmp_path: Path) -> None:
    """The first table of section 5.1: only `b = b.next` has a gradient."""
    body = "    a = a->next;\n    b = b->next;\n    c = c->next;\n"
    problem = problem_of(tmp_path, body, {"b": "n2"})
    assert scores(problem) == {"b = b->next": 1.0}


def test_a_dependent_statement_is_suspicious_too(tmp_path: Path) -> None:
    """The third table of section 5.1."""
    body = "    a = a->next;\n    b = b->next;\n    c = b->next;\n"
    problem = problem_of(tmp_path, body, {"b": "n2", "c": "n1"})
    assert scores(problem) == {"b = b->next": 1.0, "c = b->next": 1.0}
    found = gradient.localize(problem)
    assert [s.line for s in found] == sorted(s.line for s in found)


def test_of_several_writers_the_last_one_leads(tmp_path: Path) -> None:
    """The second table of section 5.1; Algorithm 2 itself also flags the first writer."""
    body = "    b = a->next;\n    b = b->next;\n    c = c->next;\n"
    found = scores(problem_of(tmp_path, body, {"b": "n2"}))
    assert list(found) == ["b = b->next", "b = a->next"]
    assert found["b = b->next"] > 0.5 > found["b = a->next"] > 0


def test_nothing_is_suspicious_where_all_is_as_asserted(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "    b = a->next;\n    b = b->next;\n", {})
    assert gradient.localize(problem) == ()


def test_an_overruled_condition_is_suspicious(tmp_path: Path) -> None:
    text = (
        HEAD + "void work(struct node *a) {\n    int i = 0;\n    while (a == NULL)\n        a = a->next;\n}\n"
    )
    text += "int main() { work(make(1, make(2, NULL))); return 0; }\n"
    play = playing.Play(playing.program_of(text, tmp_path))
    play.enter_function("work")
    play.to(11)
    play.force(True)
    assert scores(play.problem()) == {"a == NULL": 1.0}


# -- where the claim of Theorem A.2 fails --------------------------------------------------------------


def test_unsound_for_a_wrong_condition(tmp_path: Path) -> None:
    """`if (a == c)` should read `if (a != c)`: its body was not run, and it does nothing backwards."""
    body = "    if (a == c)\n        b = c;\n"
    problem = problem_of(tmp_path, body, {"b": "n4"})
    assert gradient.localize(problem) == ()
    relevant = {s.text: s.score for s in slices.localize(problem)}
    assert relevant == {"a == c": slices.RELEVANT}


def test_unsound_for_a_wrong_left_side(tmp_path: Path) -> None:
    """`b = a->next` should read `c = a->next`: `b` holds that already, and nothing writes `c`."""
    problem = problem_of(tmp_path, "    b = a->next;\n", {"c": "n5"})
    assert gradient.localize(problem) == ()


def test_unsound_for_a_missing_statement(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "    a = a->next;\n", {"d": "n5"})
    assert gradient.localize(problem) == ()
    assert slices.localize(problem) == ()


def test_unsound_for_two_bugs_that_cancel(tmp_path: Path) -> None:
    """`b = a; c = b->next` for `b = c; c = b` leaves `c` wrong by two faults; with `b` overwritten behind,
    the first of them has no writer's place among the suspects that stand first."""
    body = "    b = a;\n    c = b->next;\n    b = d;\n"
    problem = problem_of(tmp_path, body, {"c": "n4"})
    found = scores(problem)
    assert found["c = b->next"] == 1.0
    assert found["b = a"] < 0.5


def test_a_slice_follows_data_and_control_through_calls(tmp_path: Path) -> None:
    text = (
        HEAD
        + """int end;
struct node *skip(struct node *from, int times) {
    int unused = times;
    while (times > 0) {
        from = from->next;
        times = times - 1;
    }
    return from;
}
void work(struct node *a, struct node *b, struct node *c, struct node *d) {
    c = d;
    b = skip(a, 1);
    end = 1;
}
"""
    )
    play = playing.Play(playing.program_of(text + LISTS, tmp_path))
    play.enter_function("work")
    play.to(next(i for i, line in enumerate(text.split("\n"), 1) if "end = 1" in line))
    play.change("b", "n4")
    play.spec("b")
    found = {s.text: s.score for s in slices.localize(play.problem())}
    assert next(iter(found)) == "b = skip(a, 1)"
    assert found["from = from->next"] == found["times > 0"] == slices.DYNAMIC
    assert found["times = times - 1"] == slices.RELEVANT  # had it not counted, there were another round
    assert not {"c = d", "unused = times"} & set(found)


def test_a_crash_is_sliced_and_has_no_gradient(tmp_path: Path) -> None:
    text = HEAD + "void work(struct node *a, struct node *b, struct node *c, struct node *d) {\n"
    text += "    b = d;\n    c = NULL;\n    a->next = c->next;\n}\n"
    play = playing.Play(playing.program_of(text + LISTS, tmp_path))
    play.enter_function("work")
    play.crash()
    problem = play.problem()
    assert gradient.localize(problem) == ()
    assert {s.text for s in slices.localize(problem)} == {"c = NULL", "a->next = c->next"}


# -- the closed form -----------------------------------------------------------------------------------


def literal(run: Forward, segment: Segment) -> list[float]:
    """Algorithm 2 with every split state enumerated: Gamma_i / M at each point of the segment."""
    values = [0, *map(node_address, range(1, gradient.domain(segment)))]
    touched = {key for step in run.steps[segment.first : segment.last] for key in run.writes(step)}
    keys = [key for key in segment.wanted if key in touched or key in segment.wrong]
    forward = [{key: _first(run, segment, key) for key in keys}]
    writes = []
    for number in range(segment.first, segment.last):
        step = run.steps[number]
        written = [key for key in run.writes(step) if key in segment.wanted]
        state = dict(forward[-1])
        for key in written:
            state[key] = _after(run, segment, number, key)
        writes.append(written)
        forward.append(state)
    backward = [[{key: segment.wanted[key] for key in keys}]]
    for number in range(len(writes) - 1, -1, -1):
        states = [dict(state) for state in backward[0]]
        for key in writes[number]:
            if any(key in earlier for earlier in writes[:number]):
                states = [{**state, key: v} for state in states for v in values]
            else:
                states = [{**state, key: forward[0][key]} for state in states]
        backward.insert(0, states)
    return [
        sum(state[key] != here[key] for state in states for key in keys) / len(states)
        for here, states in zip(forward, backward)
    ]


def _first(run: Forward, segment: Segment, key: int) -> object:
    for number in range(segment.first, segment.last):
        step = run.steps[number]
        for at in range(step.begin, step.end, 2):
            if run.trail[at] == key:
                return run.trail[at + 1]
    return segment.wrong.get(key, segment.wanted[key])


def _after(run: Forward, segment: Segment, number: int, key: int) -> object:
    for later in range(number + 1, segment.last):
        step = run.steps[later]
        for at in range(step.begin, step.end, 2):
            if run.trail[at] == key:
                return run.trail[at + 1]
    return segment.wrong.get(key, segment.wanted[key])


@pytest.mark.parametrize("seed", range(12))
def test_the_closed_form_is_algorithm_2(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    lines = []
    for _ in range(5):
        target, source = chance.choice("abc"), chance.choice("abc")
        lines.append(f"    {target} = {source};\n")
    wanted = {chance.choice("abc"): chance.choice(["n1", "n2", "null"])}
    problem = problem_of(tmp_path, "".join(lines), wanted)
    run = Forward(problem.program, problem.traces[0])
    segment = run.segments[1]
    gamma = literal(run, segment)
    closed = dict.fromkeys(range(segment.first, segment.last), 0.0)
    for each in gradient.gradients(run, segment):
        closed[each.step] += each.literal
    for (before, after), number in zip(itertools.pairwise(gamma), closed):
        assert abs(after - before) == pytest.approx(closed[number]), (lines, wanted)


# -- what is shown -------------------------------------------------------------------------------------


def test_the_table_shows_states_difference_and_gradient(tmp_path: Path) -> None:
    body = "    b = a->next;\n    b = b->next;\n"
    words = table.explain(problem_of(tmp_path, body, {"b": "n2"}))
    rows = [line.split() for line in words.splitlines()]
    assert "from checkpoint 0 to checkpoint 1: b differs" in words
    assert ["<n5>", "<*>", "(7", "states)", "0.857"] in rows
    assert ["<n4>", "<n2>", "1"] in rows


def test_an_argument_is_blamed_for_its_parameter(tmp_path: Path) -> None:
    text = HEAD + "int end;\nvoid work(struct node *a, struct node *b) {\n    end = 1;\n}\n"
    text += "int main() {\n    struct node *x = make(1, NULL);\n    work(x, x->next);\n    return 0;\n}\n"
    play = playing.Play(playing.program_of(text, tmp_path))
    play.open()
    play.to(11, "work")
    play.change("b", "n1")
    play.spec()
    assert "x->next" in scores(play.problem())


@pytest.mark.parametrize(("step", "ended"), [("left = left + 0;", 1_000), ("left = left + 1;", 30_000)])
def test_an_execution_that_never_ends_is_sliced(tmp_path: Path, step: str, ended: int) -> None:
    """What decides about the loop is to blame; going round is noticed at once."""
    body = f"    int left = 3;\n    b = b->next;\n    while (left > 0) {{\n        {step}\n    }}\n"
    text = HEAD + "void work(struct node *a, struct node *b, struct node *c, struct node *d) {\n"
    play = playing.Play(playing.program_of(text + body + "}\n" + LISTS, tmp_path))
    play.enter_function("work")
    play.spec()
    (started,) = play.problem().traces
    last = len(play.program.functions["work"].code) - 1
    returned = End(Position(0, "work", last, 1))
    found = Problem(play.program, (replace(started, events=(*started.events[:-1], returned)),))
    run = Forward(found.program, *found.traces)
    assert "astray" in run.reason
    assert len(run.steps) < ended
    texts = [suspicion.text for suspicion in slices.localize(found)]
    assert "left > 0" in texts
    assert step.rstrip(";") in texts
    assert "b = b->next" not in texts
