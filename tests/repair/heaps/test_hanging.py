"""Nodes that hang in one row of a table: what inputs tell of them, and what breaks it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, best, program_of, words

from wolverine.core.graph import NodeId, Place, Pointer
from wolverine.repair.heaps.hanging import Hanging, Table, hanging, mixes, tables
from wolverine.semantics.address import GLOBALS, POINTER, node_address
from wolverine.semantics.compiled import compile_program

WAITING = """#include <stdlib.h>
struct guest { int no; struct guest *next, *older; };
struct desks { struct guest *row[3]; };
struct guest *first;
void serve(struct desks *all, int at) {
    struct guest *gone = all->row[at];
    if (gone == NULL)
        return;
    all->row[at] = NULL;
    free(gone);
}
void come(struct desks *all, int at, int no) {
    struct guest *g = malloc(sizeof *g);
    g->no = no;
    g->next = all->row[at];
    all->row[at] = g;
    g->older = NULL;
    if (first == NULL)
        first = g;
    else
        g->older = first;
}
int main(void) {
    struct desks *all = calloc(1, sizeof *all);
    come(all, 1, 1);
    come(all, 0, 3);
    come(all, 0, 2);
    come(all, 1, 4);
    come(all, 2, 5);
    serve(all, 1);
    all = NULL;
    return 0;
}
"""
END = WAITING[: WAITING.index("    all = NULL;")].count("\n") + 1
NEXT = Hanging("desks", 0, 8)
GUESTS = Table("desks", 0, 3, "guest", "row")


def _play(folder: Path) -> Play:
    """Behind it the row from which n5 went is empty, where n2 was to stay."""
    play = Play(program_of(WAITING, folder))
    play.enter_function("serve")
    play.to(END, "main")
    return play


def test_rows_hold_other_nodes_each(tmp_path: Path) -> None:
    play = _play(tmp_path)
    play.change("n1+8", "n2")
    play.spec()
    trace, layout = play.problem().traces[0], compile_program(play.program).layout
    assert tables(layout, trace.start) == {1: [GUESTS]}
    assert hanging(layout, [trace.start], trace) == {NEXT}  # all are older than one that hangs in a row
    both = {**trace.start.cells, Place(NodeId(1), 0): Pointer(NodeId(2), 0)}
    assert hanging(layout, [trace.start, replace(trace.start, cells=both)], trace) == set()
    assert hanging(layout, [], trace) == set()


def test_what_is_asserted_refutes_it(tmp_path: Path) -> None:
    play = _play(tmp_path)
    play.change("n1+8", "n3")  # it is the last of the row before
    play.spec()
    trace, layout = play.problem().traces[0], compile_program(play.program).layout
    assert hanging(layout, [trace.start], trace) == set()


@pytest.mark.parametrize(("row", "mixed"), [(2, False), (3, True), (0, False)])
def test_two_rows_of_a_variable_that_come_to_one_node(row: int, mixed: bool) -> None:
    """Nodes 1 and 3 are in the first row, which has a ring; 2 leads to none."""
    cells = {
        GLOBALS: [(0, POINTER, node_address(1)), (16, POINTER, node_address(row) if row else 0)],
        1: [(8, POINTER, node_address(3))],
        3: [(8, POINTER, node_address(1))],
    }
    sizes, here = dict.fromkeys((1, 2, 3), 24), {GLOBALS: [Table(GLOBALS, 0, 3, "guest", "desk")]}
    rules = {Hanging(GLOBALS, 0, 8)}
    assert mixes(rules, cells, sizes, here) == mixed
    assert not mixes({NEXT}, cells, sizes, here)


def test_what_comes_behind_the_first_one_is_taken_from_its_own_row(tmp_path: Path) -> None:
    play = _play(tmp_path)
    play.change("n1+8", "n2")
    play.spec("n1+8")
    problem = play.problem()
    assert words(problem.program, best(problem)) == "all->row[at] = gone->next"
