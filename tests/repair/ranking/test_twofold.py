"""Nodes that are freed over two links, and where the second one came from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import best, crash, words

from wolverine.core.graph import Node, NodeId, Place, Pointer
from wolverine.core.program import Return
from wolverine.core.trace import Problem
from wolverine.repair.execution.onward import ending, until_freed
from wolverine.repair.execution.tape import Tape
from wolverine.repair.ranking.twofold import drawn_twice, led_twice, links_read, over_one_link, while_sound
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

TREE = """\
#include <stdio.h>
#include <stdlib.h>
struct tree { struct tree *up, *small, *large; };
static struct tree *made(struct tree *small, struct tree *large)
{
    struct tree *t = malloc(sizeof *t);
    t->up = NULL;
    t->small = small;
    t->large = large;
    if (small != NULL)
        small->up = t;
    if (large != NULL)
        large->up = t;
    return t;
}
static void say(const char *what)
{
    printf("%s\\n", what);
}
static struct tree *rotated(struct tree *t)
{
    struct tree *s = t->small;
    struct tree *between = s->BETWEEN;
    s->large = t;
    t->small = between;
    return s;
}
static void dispose(struct tree *t)
{
    if (t == NULL)
        return;
    dispose(t->small);
    dispose(t->large);
    free(t);
}
static void work(void)
{
    struct tree *root = made(made(made(NULL, NULL), made(NULL, NULL)), NULL);
    say("made");
    root = rotated(root);
    say("turned");
    dispose(root);
    say("gone");
}
int main(void)
{
    work();
    return 0;
}
"""
BARE = """\
#include <stdlib.h>
struct tree { struct tree *small, *large; };
static struct tree *made(struct tree *small, struct tree *large)
{
    struct tree *t = malloc(sizeof *t);
    t->small = small;
    t->large = large;
    return t;
}
static struct tree *rotated(struct tree *t)
{
    struct tree *s = t->small, *between = s->small;
    s->large = t;
    t->small = between;
    return s;
}
static void dispose(struct tree *t)
{
    if (t == NULL)
        return;
    dispose(t->small);
    dispose(t->large);
    free(t);
}
static void work(void)
{
    struct tree *root = made(made(made(NULL, NULL), made(NULL, NULL)), NULL);
    root = rotated(root);
    dispose(root);
}
int main(void)
{
    work();
    return 0;
}
"""
UP, SMALL, LARGE = 0, 8, 16


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    """The tree is freed over both links to the node that the rotation made it share."""
    return crash(TREE.replace("BETWEEN", "small"), "work", tmp_path, strict=True)


def _seated(problem: Problem) -> tuple[Machine, Tape]:
    stops = {
        name: {i for i, step in enumerate(each.code) if isinstance(step, Return)}
        for name, each in problem.program.functions.items()
    }
    machine = Machine(problem.program, stops=stops, strict=True)
    machine.keep_output()
    [trace] = problem.traces
    seat(machine, trace.start, trace.start_stack)
    return machine, Tape(machine, trace)


def test_who_frees_branch_by_branch_reads_the_links_down(problem: Problem) -> None:
    assert links_read(problem.program, "dispose") == {SMALL, LARGE}
    assert UP not in links_read(problem.program, "rotated")
    assert not links_read(problem.program, "made")


def test_what_is_said_once_the_second_link_is_there_is_no_evidence(problem: Problem) -> None:
    machine, tape = _seated(problem)
    origin = machine.mark()
    fault = ending(machine, 10_000, tape)
    assert fault is not None
    assert fault.kind in ("freed", "double-free")
    assert machine.output == "made\nturned\n"
    machine.undo(origin)
    said, twice = while_sound(machine, tape, 10_000, fault.node, {SMALL, LARGE})
    assert (said, twice) == ("made\n", True)
    machine.undo(origin)
    said, twice = while_sound(machine, tape, 10_000, fault.node, {UP})
    assert (said, twice) == ("made\nturned\n", False)


def test_links_of_freed_nodes_do_not_count(problem: Problem) -> None:
    assert not drawn_twice(problem.traces[0].start, {SMALL, LARGE})
    machine, tape = _seated(problem)
    origin = machine.mark()
    fault = ending(machine, 10_000, tape)
    assert fault is not None
    machine.undo(origin)
    twice = [
        led_twice(machine.memory, {SMALL, LARGE})
        for _ in until_freed(machine, 10_000, tape, fault.node)
        if machine.frame is not None and machine.frame.linked.name == "rotated"
    ]
    assert twice == [{fault.node}]
    graph = problem.traces[0].start
    shared, first, second = (NodeId(n) for n in (1, 2, 3))
    nodes = {n: Node(n, 24) for n in (shared, first, second)}
    cells = {Place(first, SMALL): Pointer(shared, 0), Place(second, LARGE): Pointer(shared, 0)}
    drawn = replace(graph, nodes=nodes, cells=cells)
    assert drawn_twice(drawn, {SMALL, LARGE}) == {shared.number}
    assert not drawn_twice(drawn, {SMALL})
    answered = {**cells, Place(shared, UP): Pointer(first, 0)}  # as a child answers its parent
    assert drawn_twice(replace(drawn, cells=answered), {SMALL, LARGE}) == {shared.number}
    assert not drawn_twice(replace(drawn, cells=answered), {SMALL, LARGE, UP})
    nodes[second] = replace(nodes[second], state="freed")
    assert not drawn_twice(replace(drawn, nodes=nodes), {SMALL, LARGE})


@pytest.mark.thorough
def test_the_rotation_is_repaired_rather_than_what_frees(tmp_path: Path) -> None:
    problem = crash(BARE, "work", tmp_path, strict=True)
    assert words(problem.program, best(problem)) == "s->large"


def test_two_links_do_not_matter_where_one_is_used_and_freed_over(problem: Problem, tmp_path: Path) -> None:
    [trace] = problem.traces
    assert not any(over_one_link(problem.program, trace, node) for node in (1, 2, 3, 4))
    again = TREE.replace("BETWEEN", "large").replace("    free(t);", "    free(t);\n    free(t);")
    other = crash(again, "work", tmp_path, strict=True)
    assert [n for n in range(5) if over_one_link(other.program, other.traces[0], n)] == [2]


NESTED = """\
#include <stdlib.h>
struct term { int kind; union { int number; struct { char sign; struct term *one, *two; } pair; } as; };
static void dispose(struct term *t)
{
    if (t->kind) {
        dispose(t->as.pair.one);
        dispose(t->as.pair.two);
    }
    free(t);
}
int main(void)
{
    struct term *t = calloc(1, sizeof *t), *u = calloc(1, sizeof *u);
    t->kind = 1;
    t->as.pair.one = t->as.pair.two = u;
    dispose(t);
    return 0;
}
"""


def test_links_inside_of_unions_are_links_of_the_node(tmp_path: Path) -> None:
    problem = crash(NESTED, "dispose", tmp_path, strict=True)
    assert drawn_twice(problem.traces[0].start, links_read(problem.program, "dispose")) == {2}
