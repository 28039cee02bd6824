"""Sorted structures: rules that heaps and what was asserted keep, and repairs that break them."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of, unseen

from wolverine.core.graph import MemoryGraph, Node, NodeId, Place, Pointer
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.core.types import StructReference
from wolverine.repair.heaps.backlinks import Backlink
from wolverine.repair.heaps.ordered import Ordered, disordered, ordered, throughout
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


TREE = """\
struct node { int key; struct node *left, *right, *up; };
int main(void) { struct node *root = 0; return root != 0; }
"""
LESS, MORE = Ordered("node", 32, 8, 0, False), Ordered("node", 32, 16, 0, True)
UP = (Backlink(32, 8, 24, "node"), Backlink(32, 16, 24, "node"))


@pytest.mark.parametrize(
    ("deep", "rules", "tells"),
    [
        (6, {LESS, MORE}, True),
        (3, {LESS, MORE}, False),  # below the right child of 5, though it is less than 8
        (6, {MORE}, False),
    ],
)
def test_a_tree_tells_of_an_order_where_it_is_sorted_as_a_whole(
    deep: int, rules: set[Ordered], tells: bool, tmp_path: Path
) -> None:
    """5 has 8 at its right, and that another number at its left."""
    types = program_of(TREE, tmp_path).types
    root, right, left = map(NodeId, (1, 2, 3))
    kind = StructReference("node")
    cells = {Place(each, at): None for each in (root, right, left) for at in (8, 16, 24)}
    links = {Place(root, 16): Pointer(right), Place(right, 8): Pointer(left)}
    back = {Place(right, 24): Pointer(root), Place(left, 24): Pointer(right)}
    keys = {Place(root, 0): 5, Place(right, 0): 8, Place(left, 0): deep}
    nodes = {each: Node(each, kind, 32) for each in (root, right, left)}
    heap = MemoryGraph(types, nodes=nodes, cells={**cells, **links, **back, **keys})
    assert throughout(rules, heap, UP) == (rules if tells else set())


def test_a_list_that_leads_back_is_sorted_either_way(tmp_path: Path) -> None:
    text = TREE.replace("*left, *right, *up", "*next, *prev")
    types = program_of(text, tmp_path).types
    nodes = [NodeId(number) for number in (1, 2, 3)]
    cells: dict[Place, object] = {}
    for at, node in enumerate(nodes):
        cells[Place(node, 0)] = at
        cells[Place(node, 8)] = Pointer(nodes[at + 1]) if at < 2 else None
        cells[Place(node, 16)] = Pointer(nodes[at - 1]) if at else None
    made = {each: Node(each, StructReference("node"), 24) for each in nodes}
    heap = MemoryGraph(types, nodes=made, cells=cells)
    forth, back = Ordered("node", 24, 8, 0, True), Ordered("node", 24, 16, 0, False)
    both = (Backlink(24, 8, 16, "node"), Backlink(24, 16, 8, "node"))
    assert throughout({forth, back}, heap, both) == {forth, back}
    assert throughout({forth}, heap, both) == {forth}


# Nothing stands in front of the first one.
CRASHING = """\
#include <stdlib.h>
struct item { int key; struct item *next; };
struct item *list;
int below(int key)
{
    return list != NULL && list->key < key;
}
void put(int key)
{
    struct item *before = NULL, *at = list;
    struct item *fresh = malloc(sizeof(struct item));
    fresh->key = key;
    fresh->next = NULL;
    if (list == NULL) {
        list = fresh;
        return;
    }
    while (at != NULL && at->key RELATION key) {
        before = at;
        at = at->next;
    }
    before->next = fresh;
    fresh->next = at;
}
int main(void)
{
    put(5);
    put(7);
    put(9);
    put(FOURTH);
    return below(3);
}
"""


@pytest.mark.parametrize(("relation", "fourth", "rules"), [("<", "3", {RISING}), ("!=", "5", set())])
def test_after_a_crash_what_was_sorted_stays_so_if_the_call_compares(
    relation: str, fourth: str, rules: set[Ordered], tmp_path: Path
) -> None:
    text = CRASHING.replace("RELATION", relation).replace("FOURTH", fourth)
    play = Play(program_of(text, tmp_path))
    play.to(1 + text[: text.index(f"    put({fourth});\n    return")].count("\n"), "main")
    play.enter_function("put")
    play.crash()
    problem = unseen(play.problem())
    [trace] = problem.traces
    assert ordered(problem.program, [trace.start], trace) == rules
