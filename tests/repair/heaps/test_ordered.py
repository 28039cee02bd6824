"""Sorted structures: rules that heaps and what was asserted keep, and repairs that break them."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of

from wolverine.core.graph import MemoryGraph, NodeId, Place
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.repair.heaps.ordered import Ordered, disordered, ordered
from wolverine.semantics.address import INT4, POINTER, node_address

PUT = """\
#include <stdlib.h>
struct item { int key; struct item *next; };
struct item *list;
void put(int key)
{
    struct item **at = &list;
    struct item *fresh = malloc(sizeof(struct item));
    while (*at != NULL && (*at)->key < key)
        at = &(*at)->next;
    fresh->key = key;
    fresh->next = *at;
    *at = fresh;
}
int main(void)
{
    put(5);
    put(3);
    put(9);
    put(FOURTH);
    return 0;
}
"""
LAST = 1 + PUT[: PUT.index("    put(FOURTH)")].count("\n")
END = 1 + PUT[: PUT.index("}\nint main")].count("\n")  # the closing brace of `put`
RISING = Ordered("item", 16, 8, 0, True)


def _shown(tmp_path: Path, fourth: str, text: str = PUT) -> tuple[Program, Trace, MemoryGraph]:
    """The fourth call, its result asserted, and the heap on which it was called."""
    play = Play(program_of(text.replace("FOURTH", fourth), tmp_path))
    play.to(LAST, "main")
    play.enter_function("put")
    play.to(END)
    play.spec()
    problem = play.problem()
    [trace] = problem.traces
    return problem.program, trace, trace.start


def test_what_is_sorted_before_and_in_the_end_is_to_stay_so(tmp_path: Path) -> None:
    program, trace, heap = _shown(tmp_path, "4")
    assert ordered(program, [heap], trace) == {RISING}
    assert not ordered(program, [], trace)
    first, second = (NodeId(2), NodeId(1))  # 3 -> 5 -> 9
    swapped = {**heap.cells, Place(first, 0): 7, Place(second, 0): 5}
    assert not ordered(program, [heap, MemoryGraph(heap.types, nodes=heap.nodes, cells=swapped)], trace)


def test_equal_keys_tell_nothing_and_break_nothing() -> None:
    def cells(*keys: int) -> dict[int, list[tuple[int, int, int]]]:
        return {
            n: [(0, INT4, key), (8, POINTER, node_address(n + 1) if n < len(keys) else 0)]
            for n, key in enumerate(keys, 1)
        }

    sizes, structs = dict.fromkeys(range(1, 4), 16), dict.fromkeys(range(1, 4), "item")
    assert not disordered([RISING], cells(3, 3, 4), sizes, structs)
    assert disordered([RISING], cells(3, 5, 4), sizes, structs)
    assert not disordered([RISING._replace(rising=False)], cells(5, 3, 3), sizes, structs)
    assert not disordered([RISING], cells(3, 5, 4), sizes, dict.fromkeys(range(1, 4), "other"))


def test_what_is_added_to_is_no_key(tmp_path: Path) -> None:
    delta = PUT.replace("    *at = fresh;\n", "    *at = fresh;\n    fresh->key -= 0;\n")
    program, trace, heap = _shown(tmp_path, "4", delta)
    assert not ordered(program, [heap], trace)


def test_the_key_is_what_nodes_are_compared_by(tmp_path: Path) -> None:
    """It need not be the first number of the struct."""
    text = PUT.replace("{ int key;", "{ int id, key;").replace(
        "fresh->key = key;", "fresh->id = fresh->key = key;"
    )
    program, trace, heap = _shown(tmp_path, "4", text)
    assert ordered(program, [heap], trace) == {Ordered("item", 16, 8, 4, True)}
