"""Rings that a fault has made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import crash

from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.repair.heaps.opened import looking_round, opened, walks_to_null
from wolverine.repair.source.stepping import stepped_over
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

LISTS = """\
#include <stdlib.h>
struct node { struct node *next, *prev; };
static int walk(struct node *p)
{
    int n = 0;
    WALK
    return n;
}
int main(void)
{
    struct node *made[3];
    for (int i = 0; i < 3; i++)
        made[i] = malloc(sizeof **made);
    for (int i = 0; i < 3; i++) {
        made[i]->next = made[(i + 1) % 3];
        made[i]->prev = i ? made[i - 1] : NULL;
    }
    return walk(made[0]);
}
"""
NEXT, PREV = 0, 8
CRASH = "if (n++ > 4) n = p->prev->prev->prev->prev->prev != NULL;"
TO_NULL = f"while (p != NULL) {{ {CRASH} p = p->next; }}"


def _endless(walk: str, folder: Path, text: str = LISTS) -> tuple[Program, Trace]:
    """The trace in a ring, as if what crashed after some rounds had come to no end."""
    problem = crash(text.replace("WALK", walk), "walk", folder)
    trace = problem.traces[0]
    assert trace.crash is not None
    return problem.program, replace(trace, events=(*trace.events[:-1], replace(trace.crash, endless=True)))


def _links(graph: MemoryGraph, field: int) -> list[int | None]:
    values = [graph.cells[Place(NodeId(n), field)] for n in (1, 2, 3)]
    return [getattr(value.object, "number", None) if isinstance(value, Pointer) else None for value in values]


def test_a_ring_of_one_field_is_opened_and_links_there_and_back_stay(tmp_path: Path) -> None:
    _, trace = _endless(TO_NULL, tmp_path)
    assert _links(trace.start, NEXT) == [2, 3, 1]
    graph = opened(trace.start)
    assert _links(graph, NEXT) == [2, 3, None]
    assert _links(graph, PREV) == [None, 1, 2]
    assert opened(graph) is graph


def test_a_node_that_leads_to_itself_is_opened(tmp_path: Path) -> None:
    _, trace = _endless(TO_NULL, tmp_path)
    itself = {Place(NodeId(1), NEXT): Pointer(NodeId(1), 0)}
    graph = opened(replace(trace.start, cells={**trace.start.cells, **itself}))
    assert _links(graph, NEXT)[0] is None


def test_who_compares_pointers_walks_in_a_ring(tmp_path: Path) -> None:
    told = []
    for name, walk in (
        ("null", TO_NULL),
        ("ring", f"for (struct node *q = p; p != NULL && n >= (p->prev == q); p = p->next) {CRASH}"),
        ("count", f"while (n >= 0) {{ {CRASH} p = p->next; }}"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        told.append(walks_to_null(*_endless(walk, folder)))
    assert told == [True, False, False]


OVER_NEXT = """\
struct node *none = NULL;
    while (p != NULL) {
        if (n++ > 4)
            n = none->next != NULL;
        p = p->next;
    }"""
SEEKING = LISTS.replace(
    "int main(void)",
    """\
struct node *chained(struct node *p, struct node *sought)
{
    while (p != NULL && p->LINK != sought)
        p = p->LINK;
    return p;
}
int main(void)""",
)


@pytest.mark.parametrize(("link", "told"), [("next", False), ("prev", True)])
def test_who_compares_pointers_over_other_links_tells_nothing_of_a_ring(
    link: str, told: bool, tmp_path: Path
) -> None:
    program, trace = _endless(OVER_NEXT, tmp_path, SEEKING.replace("LINK", link))
    assert walks_to_null(program, trace) is told


@pytest.mark.parametrize(
    ("asking", "told"),
    [
        ("return p == sought ? q : p;", True),
        ("return p->next == p ? q : p;", False),
        ("while (p != q) p = p->next; return p;", False),
    ],
)
def test_who_asks_for_one_node_outside_of_loops_does_not_walk_in_a_ring(
    asking: str, told: bool, tmp_path: Path
) -> None:
    asked = f"struct node *asked(struct node *p, struct node *q, struct node *sought) {{ {asking} }}"
    text = LISTS.replace("int main(void)", f"{asked}\nint main(void)")
    assert walks_to_null(*_endless(OVER_NEXT, tmp_path, text)) is told


TURNING = """\
while (p != NULL) {
        if (n++ > 4)
            n = ((struct node *) NULL)->next != NULL;
        if (n & 1)
            p = p->next;
        else
            p = p->prev;
    }"""


@pytest.mark.parametrize(
    ("asking", "told"),
    [
        ("while (p != q) { if (p->next == q) p = p->next; else p = p->prev; } return p;", False),
        ("while (p != NULL) { if (p->next == q) p = p->prev; else p = p->next; } return p;", True),
    ],
)
def test_who_compares_one_of_two_links_asks_which_child_it_is(
    asking: str, told: bool, tmp_path: Path
) -> None:
    asked = f"struct node *asked(struct node *p, struct node *q) {{ {asking} }}"
    text = LISTS.replace("int main(void)", f"{asked}\nint main(void)")
    program, trace = _endless(TURNING, tmp_path, text)
    assert walks_to_null(program, trace) is told
    assert {offset for _, offset in stepped_over(program.functions["walk"])} == {NEXT, PREV}


def test_what_leads_back_over_two_links_is_opened_behind_what_variables_lead_to(tmp_path: Path) -> None:
    program, trace = _endless(TURNING, tmp_path)
    cells = dict(trace.start.cells)
    ends = {Place(NodeId(n), at): None for n in (1, 2, 3) for at in (NEXT, PREV)}
    cells |= ends | {
        Place(NodeId(2), NEXT): Pointer(NodeId(1), 0),
        Place(NodeId(1), PREV): Pointer(NodeId(2), 0),
    }
    ring = replace(trace.start, cells=cells)
    assert opened(ring).cells == ring.cells
    cut = opened(ring, stepped_over(program.functions["walk"])).cells
    assert {place for place in ring.cells if cut[place] != ring.cells[place]} == {Place(NodeId(2), NEXT)}


@pytest.mark.parametrize(("before", "looking"), [("", "walk"), ("p->prev = NULL;", "")])
def test_what_only_looks_at_a_ring_did_not_make_it(before: str, looking: str, tmp_path: Path) -> None:
    program, trace = _endless(before + OVER_NEXT, tmp_path)
    machine = Machine(program)
    seat(machine, trace.start, trace.start_stack)
    assert looking_round(program, trace, machine) == looking
    seat(machine, opened(trace.start), trace.start_stack)
    assert looking_round(program, trace, machine) == ""
