"""Nodes to which one pointer leads only: what inputs tell of them, and what breaks it."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of

from wolverine.core.graph import MemoryGraph
from wolverine.core.patch import Patch
from wolverine.core.trace import Trace
from wolverine.repair.heaps.backlinks import backlinks
from wolverine.repair.heaps.entries import cases
from wolverine.repair.heaps.unshared import Unshared, shares, unshared
from wolverine.repair.menus.candidates import Menus
from wolverine.semantics.address import GLOBALS, POINTER, global_address, node_address

DEALT = """#include <stdlib.h>
struct card { int rank; struct card *next; };
struct card *mine, *yours;
void deal(void) {
    struct card **one = &mine, **two = &yours;
    int turn = 0;
    for (struct card *c = mine; c != NULL; c = c->next) {
        if (turn == 0) {
            *one = c;
            one = &c->next;
        } else {
            *two = c;
            two = &c->next;
        }
        turn = 1 - turn;
    }
    *one = NULL;
}
int main(void) {
    for (int i = 0; i < 5; i++) {
        struct card *c = malloc(sizeof *c);
        c->rank = i;
        c->next = mine;
        mine = c;
    }
    deal();
    return 0;
}
"""
END = DEALT[: DEALT.index("int main")].count("\n")
NEXT = Unshared("card", 8, 8)


def _play(folder: Path) -> Play:
    play = Play(program_of(DEALT, folder))
    play.enter_function("deal")
    play.to(END)
    return play


def _heaps(play: Play, trace: Trace) -> list[MemoryGraph]:
    found = cases(play.program, trace, Menus(play.program), Patch(), {"deal"})
    return [case.heap for case in found if case.function == "deal"]


def _rules(play: Play, trace: Trace) -> frozenset[Unshared]:
    return unshared(_heaps(play, trace), trace)


def test_lists_share_nothing(tmp_path: Path) -> None:
    play = _play(tmp_path)
    play.change("n2->next", "null")
    play.spec()
    assert NEXT in _rules(play, play.problem().traces[0])


def test_what_is_asserted_refutes_it(tmp_path: Path) -> None:
    play = _play(tmp_path)
    play.spec()  # n2 and n3 lead to n1
    assert NEXT not in _rules(play, play.problem().traces[0])


def test_a_node_that_was_taken_out_may_lead_into_the_list() -> None:
    """Objects: 1, 2 and 3 are nodes, the last one the end of both; a global leads to the first."""
    to_3 = [(8, POINTER, node_address(3))]
    sizes, structs = dict.fromkeys((1, 2, 3), 16), dict.fromkeys((1, 2, 3), "card")
    cells = {1: to_3, 2: to_3, 3: [(8, POINTER, 0)], GLOBALS: [(0, POINTER, node_address(1))]}
    rules = {NEXT}
    assert not shares(rules, cells, sizes, structs, ())
    cells[GLOBALS + 1] = [(0, POINTER, node_address(2))]
    assert shares(rules, cells, sizes, structs, ())
    assert shares(rules, cells, sizes, {}, ()) is False  # nothing is known of any node
    assert shares(rules, cells, sizes, {3: "card"}, ())  # the others have its size


def test_a_variable_to_which_two_nodes_lead_is_no_node() -> None:
    """As the head of a ring is, which its first and its last node know."""
    to_head = [(8, POINTER, global_address(0))]
    to_nodes = [(0, POINTER, node_address(1)), (8, POINTER, node_address(2))]
    cells = {1: to_head, 2: to_head, GLOBALS: to_nodes}
    assert not shares({NEXT}, cells, {1: 24, 2: 24}, {}, ())
    assert not shares({NEXT}, cells, {1: 24, 2: 24}, {1: "card", 2: "card"}, ())


def test_a_tree_that_was_taken_out_may_lead_into_the_list() -> None:
    """Objects: 1 and 2 lead to 3, a child leads to 2 over its parent pointer; a global leads to 1."""
    to_3 = [(8, POINTER, node_address(3))]
    sizes, structs = dict.fromkeys((1, 2, 3, 4), 24), dict.fromkeys((1, 2, 3, 4), "card")
    child = [(16, POINTER, node_address(2))]
    cells = {1: to_3, 2: to_3, 3: [(8, POINTER, 0)], 4: child, GLOBALS: [(0, POINTER, node_address(1))]}
    assert shares({NEXT}, cells, sizes, structs, ())
    assert not shares({NEXT}, cells, sizes, structs, (), {("card", 16)})


DOUBLE = """#include <stdlib.h>
struct stop { int at; struct stop *prev, *next; };
struct line { struct stop *first; };
void put(struct line *l, struct stop *s) {
    s->prev = NULL;
    s->next = l->first;
    if (l->first != NULL)
        l->first->prev = s;
    l->first = s;
}
int main(void) {
    struct line l = { NULL };
    for (int i = 0; i < 3; i++) {
        struct stop *s = malloc(sizeof *s);
        s->at = i;
        put(&l, s);
    }
    return 0;
}
"""


def test_neighbours_on_both_sides_lead_to_a_node_over_a_link_and_the_one_back(tmp_path: Path) -> None:
    play = Play(program_of(DOUBLE, tmp_path))
    line = DOUBLE[: DOUBLE.index("put(&l")].count("\n") + 1
    for _ in range(3):
        play.to(line, "main")
    play.enter_function("put")
    play.to(line + 2, "main")
    trace = play.problem().traces[0]
    heaps = [trace.start]
    crossed = Unshared("stop", 8, 16)
    assert crossed in unshared(heaps, trace)
    found = unshared(heaps, trace, backlinks(heaps, trace))
    assert crossed not in found
    assert Unshared("stop", 16, 16) in found
