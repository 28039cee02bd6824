"""Nodes that never lead back to themselves: what inputs tell of them, and what breaks it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, words

from wolverine.core.patch import Patch
from wolverine.repair.heaps.entries import cases
from wolverine.repair.heaps.ringless import closes, ringless
from wolverine.repair.menus.candidates import Menus
from wolverine.semantics.address import POINTER, node_address

SHELVES = """#include <stdlib.h>
struct shelf { int no; struct shelf *low, *high; };
struct shelf *all;
void take(struct shelf **at) {
    struct shelf *old = *at;
    if (old->low == NULL) {
        *at = old->high;
    } else if (old->high == NULL) {
        *at = old->low;
    } else {
        struct shelf *host = old, *most = old->low;
        while (most->high != NULL) {
            host = most;
            most = most->high;
        }
        host->high = most->low;
        most->low = old->low;
        most->high = old->high;
        *at = most;
    }
    free(old);
}
void put(int no) {
    struct shelf **at = &all;
    while (*at != NULL)
        at = no < (*at)->no ? &(*at)->low : &(*at)->high;
    *at = malloc(sizeof **at);
    (*at)->no = no;
    (*at)->low = (*at)->high = NULL;
}
int main(void) {
    put(5);
    put(3);
    put(8);
    put(1);
    take(&all);
    return 0;
}
"""
END = SHELVES[: SHELVES.index("    return 0;")].count("\n") + 1


def _play(folder: Path) -> Play:
    """The node that takes the place of the first one leads to itself."""
    play = Play(program_of(SHELVES, folder))
    play.enter_function("take")
    play.to(END, "main")
    return play


@pytest.mark.parametrize("corrected", [True, False])
def test_trees_are_in_no_ring_unless_one_is_asserted(corrected: bool, tmp_path: Path) -> None:
    play = _play(tmp_path)
    if corrected:
        play.change("n2->low", "n4")
        play.change("n2->high", "n3")
    play.spec()
    trace = play.problem().traces[0]
    found = cases(play.program, trace, Menus(play.program), Patch(), {"take"})
    heaps = [case.heap for case in found if case.function == "take"]
    assert ringless(heaps, trace) == ({"shelf"} if corrected else set())
    assert ringless(heaps, trace, {"shelf"}) == set()


def test_without_an_assertion_nothing_tells_that_no_ring_is_to_be_closed(tmp_path: Path) -> None:
    play = _play(tmp_path)
    trace = play.problem().traces[0]
    assert ringless([trace.start], trace) == set()


def test_a_ring_is_closed_by_nodes_of_one_struct() -> None:
    """Objects: 1 leads to 2, which leads to 3 and that back; whose struct is not known goes by its size."""
    cells = {at: [(8, POINTER, node_address(to))] for at, to in ((1, 2), (2, 3), (3, 2))}
    sizes = dict.fromkeys((1, 2, 3), 24)
    assert closes({"shelf"}, cells, sizes, {1: "shelf"})
    assert not closes({"shelf"}, cells, sizes, {1: "shelf", 3: "board"})
    assert not closes({"board"}, cells, sizes, {1: "shelf"})
    assert not closes({"shelf"}, cells, {1: 24, 2: 24}, {1: "shelf"})  # 3 is freed


def test_a_repair_that_closes_a_ring_elsewhere_comes_later(tmp_path: Path) -> None:
    """`host->low = most->low;` does so where the node was found further below."""
    play = _play(tmp_path)
    play.change("n2->low", "n4")
    play.change("n2->high", "n3")
    play.spec("n2->low", "n2->high")
    made = words(play.program, best(play.problem()))
    assert made.startswith("if (host != ")
