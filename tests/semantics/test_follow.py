"""The follower beside a process (here: another machine)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from wolverine.core.graph import External, MemoryGraph, NodeId, Outside, Place, Pointer, VariableId
from wolverine.core.patch import Patch
from wolverine.core.program import Branch, Concrete, Program
from wolverine.core.trace import Assertion, Decision, Effect, End, Interval, Position, Trace
from wolverine.frontend import load
from wolverine.semantics.activation import Called, code_of, led_to
from wolverine.semantics.follow import Follower
from wolverine.semantics.replay import replay

Stack = tuple[tuple[str, int], ...]
Walk = Callable[[Program], Iterator[tuple[Stack, MemoryGraph]]]
Lower = Callable[[str], Program]

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head; int total;
void push(int v) { struct node *n = malloc(sizeof *n); n->data = v; n->next = head; head = n; }
int sum(struct node *p) { if (p == NULL) return 0; return p->data + sum(p->next); }
int main(void) {
    int i;
    for (i = 0; i < 4; i++) push(i);
    printf("%d\\n", sum(head));
    while (head != NULL) { struct node *t = head; head = head->next; total += t->data; free(t); }
    return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("follow") / "p.c"
    path.write_text(PROGRAM)
    return load([path]).program


def follower(program: Program, stops: list[tuple[Stack, MemoryGraph]]) -> Follower:
    return Follower(program, stops[0][1], stops[0][0])


@pytest.mark.parametrize("stride", [1, 2, 3, 7, 20])
def test_every_stop_is_reached_by_the_model(program: Program, walk: Walk, stride: int) -> None:
    stops = list(walk(program))
    model = follower(program, stops)
    events = []
    for stack, graph in stops[1::stride]:
        followed = model.advance(stack, graph)
        assert followed.ok, followed
        assert model.stack() == stack
        events += followed.events
    if stride == 1:
        taken = [e.taken for e in events if isinstance(e, Decision)]
        assert taken == [True] * 4 + [False] + [True] * 4 + [False]
        assert [e.position.occurrence for e in events if isinstance(e, Decision)] == [1, 2, 3, 4, 5] * 2
        assert sum(isinstance(e, Effect) for e in events) == 1


def test_positions_count_activations_and_occurrences(program: Program, walk: Walk) -> None:
    stops = list(walk(program))
    model = follower(program, stops)
    seen = []
    for stack, graph in stops[1:]:
        model.advance(stack, graph)
        seen.append(model.position())
    assert len(set(seen)) == len(seen)
    pushes = {p.activation for p in seen if p.function == "push"}
    sums = {p.activation for p in seen if p.function == "sum"}
    assert len(pushes) == 4 and pushes == {led_to(0, [Called(code_of("push"), n)]) for n in (1, 2, 3, 4)}
    assert sums == {led_to(0, [Called(code_of("sum"), 1)] * deep) for deep in (1, 2, 3, 4, 5)}
    assert all(p.activation == 0 for p in seen if p.function == "main")


def test_returning_past_the_start_counts_down(program: Program, walk: Walk) -> None:
    stops = list(walk(program))
    first = next(i for i, (stack, _) in enumerate(stops) if len(stack) == 4)
    model = Follower(program, stops[first][1], stops[first][0])
    assert model.position().activation == 0
    numbers = set()
    for stack, graph in stops[first + 1 :]:
        assert model.advance(stack, graph).ok
        numbers.add(model.position().activation)
    assert {0, -1, -2, -3} <= numbers


def test_uninitialised_locals_are_told(program: Program, walk: Walk) -> None:
    stops = list(walk(program))
    garbage = Place(VariableId(0, "main", "t"), 0)
    model = follower(program, stops)
    for stack, graph in stops[1:20]:
        shown = replace(graph, cells={**graph.cells, garbage: Pointer(NodeId(99))})
        assert model.advance(stack, shown).ok
    assert garbage in model.uninitialised()


def test_a_difference_makes_an_interval(program: Program, walk: Walk) -> None:
    stops = list(walk(program))
    model = follower(program, stops)
    total = Place(VariableId(-1, "", "total"), 0)
    assert model.advance(*stops[1]).ok
    stack, graph = stops[5]
    changed = replace(graph, cells={**graph.cells, total: 77})
    followed = model.advance(stack, changed, limit=5000)
    assert not followed.ok
    assert followed.differences == (total,)
    [interval] = followed.events
    assert isinstance(interval, Interval)
    assert interval.to == stack
    assert interval.effect.cells[total] == 77
    assert model.stack() == stack
    stack, graph = stops[6]
    assert model.advance(stack, replace(graph, cells={**graph.cells, total: 77})).ok


DRAWN = """
#include <stdlib.h>
int got; int total;
int main(void) {
    got = rand();
    total = 1;
    total = 2;
    return 0;
}
"""


def test_what_only_the_process_knows_yet_is_taken_over_from_it(lower: Lower, walk: Walk) -> None:
    program = lower(DRAWN)
    got, total = (Place(VariableId(-1, "", name), 0) for name in ("got", "total"))
    stops = [*walk(program)]
    model = follower(program, stops)
    (stack, graph), (end, shown) = (next(s for s in stops if s[1].cells[total] == n) for n in (1, 2))
    untold = {place: value for place, value in graph.cells.items() if place != got}
    assert model.advance(stack, replace(graph, cells=untold)).ok
    cells = {**shown.cells, got: 5, total: 77}
    (interval,) = model.advance(end, replace(shown, cells=cells), limit=5000).events
    assert isinstance(interval, Interval)
    assert (interval.effect.cells[got], interval.effect.cells[total]) == (5, 77)


CLEARED = """
#include <stdlib.h>
struct node { int data; struct node *next; };
int total;
int main(void) {
    struct node *p = calloc(1, sizeof *p);
    total = 1;
    total = 2;
    while (p->next != NULL) p = p->next;
    return p->data;
}
"""


def test_what_calloc_cleared_is_known_behind_an_interval(lower: Lower, walk: Walk) -> None:
    program = lower(CLEARED)
    stops = list(walk(program))
    model = follower(program, stops)
    total = Place(VariableId(-1, "", "total"), 0)
    [changed] = [i for i, (_, graph) in enumerate(stops) if graph.cells[total] == 1]
    assert model.advance(*stops[changed - 1]).ok
    stack, graph = stops[changed]
    assert not model.advance(stack, replace(graph, cells={**graph.cells, total: 77}), limit=5000).ok
    for stack, graph in stops[changed + 1 :]:
        assert model.advance(stack, graph).ok
    assert model.violations() == 0


@pytest.mark.parametrize("limit", range(3, 12))
def test_a_stop_beyond_the_limit_is_told_as_such(program: Program, walk: Walk, limit: int) -> None:
    stops = list(walk(program))
    followed = follower(program, stops).advance(*stops[-1], limit=limit)
    assert not followed.ok
    assert f"longer than {limit} steps" in followed.reason


RING = """
struct node { struct node *next; };
int seen;
int main(void) {
    struct node a, b, *p = &a;
    a.next = &b; b.next = &a;
    while (p != 0) { seen = 1; p = p->next; }
    return 0;
}
"""


def test_a_way_without_an_end_is_given_up_where_it_comes_round(lower: Lower, walk: Walk) -> None:
    program = lower(RING)
    stops = [stop for stop, _ in zip(walk(program), range(40), strict=False)]
    model = follower(program, stops)
    seen = Place(VariableId(-1, "", "seen"), 0)
    stack, graph = stops[-1]
    followed = model.advance(stack, replace(graph, cells={**graph.cells, seen: 2}), limit=10**9)
    assert "without an end" in followed.reason
    assert model.advance(*stops[-2]).ok


def test_snapshots_go_back_and_forth(program: Program, walk: Walk) -> None:
    stops = list(walk(program))
    model = follower(program, stops)
    saved = [model.snapshot()]
    positions = [model.position()]
    for stack, graph in stops[1:]:
        model.advance(stack, graph)
        saved.append(model.snapshot())
        positions.append(model.position())
    for index in (3, 40, 0, 60, 59, 10, len(stops) - 2):
        model.restore(saved[index])
        assert model.position() == positions[index]
        assert model.advance(*stops[index + 1]).ok
        assert model.position() == positions[index + 1]


def test_change_and_force(program: Program, walk: Walk) -> None:
    stops = list(walk(program))
    code = program.functions["main"].code
    loop = next(
        i for i, s in enumerate(code) if isinstance(s, Branch) and "head" in program.location(s.location).text
    )
    at = next(i for i, (stack, _) in enumerate(stops) if stack == (("main", loop),))
    model = follower(program, stops)
    for stack, graph in stops[1 : at + 1]:
        model.advance(stack, graph)
    head = Place(VariableId(-1, "", "head"), 0)
    model.write(head, None)
    decision = model.force(loop, True)
    assert decision == Decision(replace_position(model, loop), True, True)
    assert model.stack()[0][1] > loop
    model.write_state(NodeId(2), "freed")
    model.write(head, Pointer(NodeId(2)))
    stack, graph = stops[at + 1]
    nodes = {**graph.nodes, NodeId(2): replace(graph.nodes[NodeId(2)], state="freed")}
    cells = {
        **stops[at + 2][1].cells,
        head: Pointer(NodeId(2)),
        Place(VariableId(0, "main", "t"), 0): Pointer(NodeId(2)),
    }
    followed = model.advance(stops[at + 2][0], replace(stops[at + 2][1], nodes=nodes, cells=cells))
    assert followed.ok, followed


def replace_position(model: Follower, loop: int):  # type: ignore[no-untyped-def]
    return Position(0, "main", loop, 1)


INPUT = """
#include <stdio.h>
#include <stdlib.h>
int n, x, y;
int main(void) {
    int i, sum = 0;
    scanf("%d", &n);
    x = rand() + 1;
    for (i = 0; i < n; i++) sum += i;
    while (getchar() == 'y') y++;
    return sum;
}
"""


def test_unknown_values_are_taken_from_the_process(lower: Lower, walk: Walk) -> None:
    """The process of this test reads n = 3, rand gives 5, and getchar 'y' twice."""
    program = lower(INPUT)
    start = next(iter(walk(program)))
    model = Follower(program, start[1], start[0])
    names = {"n": 3, "x": 6, "y": 2}
    cells = dict(start[1].cells)
    for name, value in names.items():
        cells[Place(VariableId(-1, "", name), 0)] = value
    for name, value in (("i", 3), ("sum", 3)):
        cells[Place(VariableId(0, "main", name), 0)] = value
    end = len(program.functions["main"].code) - 1
    followed = model.advance((("main", end),), replace(start[1], cells=cells))
    assert followed.ok, followed
    effects = [e for e in followed.events if isinstance(e, Effect)]
    assert effects[0].cells == {Place(VariableId(-1, "", "n"), 0): 3}
    assert list(effects[1].cells.values()) == [5]
    decisions = [e.taken for e in followed.events if isinstance(e, Decision)]
    assert decisions == [True, True, True, False, True, True, False]
    assert [list(e.cells.values()) for e in effects[2:4]] == [[ord("y")]] * 2
    final = Assertion(model.position(), {p: v for p, v in cells.items() if v != 0})
    trace = Trace(start[1], start[0], (*followed.events, final, End(model.position())))
    replayed = replay(program, Patch(), trace)
    assert replayed.met, replayed


JOINED = """
#include <stdio.h>
int n, x[4];
int main(void) {
    while (n < 4 && scanf("%d", &x[n]) == 1 && x[n] >= 0) n++;
    return n;
}
"""


def test_what_is_joined_with_other_conditions_tells_what_a_call_gave(lower: Lower, walk: Walk) -> None:
    """The process of this test reads 7 and -1."""
    program = lower(JOINED)
    start = next(iter(walk(program)))
    model = Follower(program, start[1], start[0])
    x = VariableId(-1, "", "x")
    cells = {**start[1].cells, Place(VariableId(-1, "", "n"), 0): 1, Place(x, 0): 7, Place(x, 4): -1}
    end = len(program.functions["main"].code) - 1
    followed = model.advance((("main", end),), replace(start[1], cells=cells))
    assert followed.ok, followed
    effects = [e.cells for e in followed.events if isinstance(e, Effect)]
    assert [list(each.values()) for each in effects] == [[1, 7], [1, -1]]
    trace = Trace(start[1], start[0], (*followed.events, End(model.position())))
    assert replay(program, Patch(), trace).met


def test_an_unexplained_change_belongs_to_the_last_concrete_step(lower: Lower, walk: Walk) -> None:
    program = lower("int a; void hidden(void); int main(void) { hidden(); a++; return 0; }")
    start = next(iter(walk(program)))
    model = Follower(program, start[1], start[0])
    place = Place(VariableId(-1, "", "a"), 0)
    code = program.functions["main"].code
    after = next(i for i, s in enumerate(code) if type(s).__name__ == "Assign")
    followed = model.advance((("main", after),), replace(start[1], cells={**start[1].cells, place: 41}))
    assert followed.ok, followed
    [effect] = followed.events
    assert isinstance(effect, Effect)
    assert effect.cells == {place: 41}
    later = replace(start[1], cells={**start[1].cells, place: 42})
    assert model.advance((("main", len(code) - 1),), later).ok


def test_samples_follow(walk: Walk) -> None:
    folder = Path(__file__).parents[2] / "samples"
    for name in ("reverse_dll.correct.c", "hop.correct.c"):
        sample = load([folder / name]).program
        stops = list(walk(sample))
        model = follower(sample, stops)
        for stack, graph in stops[1:]:
            assert model.advance(stack, graph).ok


COPIED = """
#include <stdio.h>
#include <string.h>
char t[4], u[4];
int main(void) {
    if (scanf("%3s", t) == 1 && t[0] != '-') strcpy(u, t);
    return 0;
}
"""


def test_what_a_text_is_copied_from_is_what_was_read(lower: Lower, walk: Walk) -> None:
    """The process of this test reads "ab", which the call that reads tells, and not the one that copies."""
    program = lower(COPIED)
    start = next(iter(walk(program)))
    model = Follower(program, start[1], start[0])
    read, copied = (
        {Place(VariableId(-1, "", name), at): byte for at, byte in enumerate(b"ab")} for name in "tu"
    )
    end = len(program.functions["main"].code) - 1
    followed = model.advance((("main", end),), replace(start[1], cells={**start[1].cells, **read, **copied}))
    assert followed.ok, followed
    cells = [each.cells for each in followed.events if isinstance(each, Effect)]
    assert [(read.items() <= each.items(), read.keys().isdisjoint(each)) for each in cells] == [
        (True, False),
        (False, True),
    ]


TYPED = """
#include <stdio.h>
int n, x, *p;
int main(void) {
    int c;
    while ((c = getchar()) != EOF) {
        if (c == 'a') p = &x;
        else if (c == 'b') *p += 1;
        else if (c == 'c') n += *p * 7;
        else x = c * c % 1009;
    }
    return 0;
}
"""


def test_what_was_typed_before_is_typed_again(lower: Lower, walk: Walk) -> None:
    program = lower(TYPED)
    start = next(iter(walk(program)))
    position = Position(
        0, "main", next(i for i, s in enumerate(program.functions["main"].code) if type(s) is Concrete), 1
    )
    returned = Place(
        VariableId(0, "main", program.functions["main"].code[position.instruction].results[0].name), 0
    )
    typed = [
        Effect(position._replace(occurrence=at), {returned: value})
        for at, value in enumerate((*b"axbbcq", -1), 1)
    ]
    values = {"n": (120 * 120 % 1009 + 2) * 7, "x": 113 * 113 % 1009}
    cells = {**start[1].cells, Place(VariableId(-1, "", "p"), 0): Pointer(VariableId(-1, "", "x"), 0)}
    cells |= {Place(VariableId(-1, "", name), 0): value for name, value in values.items()}
    cells |= {Place(VariableId(0, "main", "c"), 0): -1}
    end = len(program.functions["main"].code) - 1
    for recorded in ((), typed):
        model = Follower(program, start[1], start[0])
        followed = model.advance(
            (("main", end),), replace(start[1], cells=cells), recorded=recorded, limit=50_000
        )
        found = [e.cells.get(returned) for e in followed.events if isinstance(e, Effect)]
        assert (found == [*b"axbbcq", -1]) == bool(recorded)
    assert followed.ok
    assert model.position().occurrence == 1


PARTED = """
char *text; int found;
int main(void) {
    char *at = text;
    while (*at != '=' && *at != 0) at++;
    if (*at == '=') found = 1;
    *at = 0;
    return 0;
}
"""


def test_texts_outside_are_as_they_were_at_the_moment_gone_back_to(lower: Lower, walk: Walk) -> None:
    program = lower(PARTED)
    stack, start = next(iter(walk(program)))
    cells = {**start.cells, Place(VariableId(-1, "", "text"), 0): External(4096)}
    begun = replace(start, cells=cells, outside=Outside(strings={4096: b"a=b\0"}))
    found, at = Place(VariableId(-1, "", "found"), 0), Place(VariableId(0, "main", "at"), 0)
    ended = replace(
        begun,
        cells={**cells, found: 1, at: External(4097)},
        outside=Outside(strings={4096: b"a\0"}),
    )
    end = (("main", len(program.functions["main"].code) - 1),)
    model = Follower(program, begun, stack)
    before = model.snapshot()
    assert model.advance(end, ended).ok
    model.restore(before)
    assert model.advance(end, ended).ok
