"""Programs with statements left to the process: indices stay, the follower learns the effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wolverine.core.graph import MemoryGraph, Place, VariableId
from wolverine.core.patch import Patch
from wolverine.core.program import Assign, Branch, Call, Concrete, Program
from wolverine.core.trace import Decision, Effect, End, Event, Trace
from wolverine.semantics.follow import Follower
from wolverine.semantics.refinement import Refinement, marked, refined
from wolverine.semantics.replay import replay

Stack = tuple[tuple[str, int], ...]

TEXT = """int total;
int twice(int n) {
    return n * 2;
}
int main(void) {
    int i = 0, k = 0;
    while (i < 3) {
        k = i * 5;
        if (k > 4)
            total = total + twice(k);
        i = i + 1;
    }
    return total;
}
"""


def kinds(program: Program, line: int, function: str = "main") -> list[type]:
    code = program.functions[function]
    return [
        type(step)
        for step, unit in zip(code.code, code.unit_of)
        if unit >= 0 and code.units[unit].span.line == line and not code.units[unit].header
    ]


def test_nothing_wished_is_the_very_same_program(lower: Callable[[str], Program]) -> None:
    program = lower(TEXT)
    assert refined(program, Refinement()) is program


def test_lines_become_concrete_and_keep_their_indices(lower: Callable[[str], Program]) -> None:
    program = lower(TEXT)
    model = refined(program, Refinement(lines=frozenset({(0, 8), (0, 10)})))
    before, after = program.functions["main"], model.functions["main"]
    assert len(before.code) == len(after.code)
    assert (before.units, before.unit_of) == (after.units, after.unit_of)
    assert kinds(program, 8) == [Assign]
    assert kinds(model, 8) == [Concrete]
    assert Call not in kinds(model, 10)
    assert kinds(model, 11) == [Assign]
    fixed = [location for location in model.locations if location.line == 8 and location.kind != "gap"]
    assert [location.kind for location in fixed] == ["fixed"]


def test_a_condition_is_not_edited_and_its_decisions_bind(lower: Callable[[str], Program]) -> None:
    model = refined(lower(TEXT), Refinement(lines=frozenset({(0, 9)})))
    [branch] = [
        step
        for step in model.functions["main"].code
        if isinstance(step, Branch) and model.location(step.location).span.line == 9
    ]
    location = model.location(branch.location)
    assert (location.kind, location.loop) == ("fixed", True)


def test_calls_of_a_function_become_concrete_everywhere(lower: Callable[[str], Program]) -> None:
    model = refined(lower(TEXT), Refinement(functions=frozenset({"twice"})))
    steps = kinds(model, 10)
    assert Concrete in steps
    assert Call not in steps
    assert kinds(model, 3, "twice") == kinds(lower(TEXT), 3, "twice")
    assert all(each.kind == "fixed" for each in model.locations if each.text == "k" and each.line == 10)


def test_what_a_concrete_step_wrote_comes_from_the_process_and_is_replayed(
    lower: Callable[[str], Program],
    walk: Callable[[Program], Iterator[tuple[Stack, MemoryGraph]]],
) -> None:
    """The process is played by the program as it is; the model does not know line 8."""
    program = lower(TEXT)
    model = refined(program, Refinement(lines=frozenset({(0, 8)})))
    stops = list(walk(program))
    stack, graph = stops[0]
    follower = Follower(model, graph, stack)
    events: list[Event] = []
    for stack, there in stops[1:]:
        followed = follower.advance(stack, there)
        assert followed.ok, followed
        events += followed.events
    effects = [event for event in events if isinstance(event, Effect)]
    k = Place(VariableId(0, "main", "k"), 0)
    assert [dict(effect.cells) for effect in effects] == [{k: 0}, {k: 5}, {k: 10}]
    assert sum(isinstance(event, Decision) for event in events) == 4
    position = follower.position()
    trace = Trace(graph, stops[0][0], (*events, End(position)))
    replayed = replay(model, Patch(), trace)
    assert replayed.met, replayed.reason
    assert replayed.final.cells[k] == stops[-1][1].cells[k]


def test_comments_mark_lines_blocks_and_functions(lower: Callable[[str], Program]) -> None:
    text = """int a; // not this: wolverine: concreted
int f(int n) { // wolverine: concrete
    return n;
}
int main(void) {
    a = 1; // wolverine: concrete
    // wolverine: concrete
    a = 2;
    for (a = 3; a < 5; a++) { /* wolverine: concrete */
        if (a == '}') {
            a = 4; /* } */
        }
    }
    a = 6;
    return f(a);
}
"""
    found = marked(lower(text))
    assert found.functions == {"f"}
    assert found.lines == {(0, line) for line in (6, 8, 9, 10, 11, 12, 13)}
