"""Caches: a table that leads into a list, and a struct that leads to both."""

from __future__ import annotations

from itertools import pairwise

from draw_heaps import Heap, n, struct, to

from wolverine.core.graph import NodeId, VariableId
from wolverine.core.types import INT, ArrayType, StructReference
from wolverine.draw import Picture, layout

struct("used", ("key", INT), ("prev", to("used")), ("next", to("used")), ("chain", to("used")))
struct("lru", ("head", to("used")), ("tail", to("used")), ("slots", ArrayType(to("used"), 3)))
struct("item", ("v", INT), ("next", to("item")), ("prev", to("item")))
struct("entry_of", ("key", INT), ("item", to("item")), ("next", to("entry_of")))
struct("pair_cache", ("slots", ArrayType(to("entry_of"), 3)), ("head", to("item")), ("tail", to("item")))
CACHE = VariableId(-1, "", "cache")


def _chained(order: list[int]) -> Heap:
    """A list of nodes in this order, of which those with odd numbers are chained in one slot, 1 last."""
    heap = Heap("put")
    ahead, back = dict(pairwise(order)), dict(pairwise(order[::-1]))
    odd, even = ([k for k in sorted(order, reverse=True) if k % 2 == rest] for rest in (1, 0))
    chain = {a: b for row in (odd, even) for a, b in pairwise(row)}
    for k in sorted(order):
        links = (each.get(k) for each in (back, ahead, chain))
        heap.node(k, "used", k, *(n(at) if at else None for at in links))
    slots = [n(row[0]) if row else None for row in (even, odd)]
    heap.variable("cache", StructReference("lru"), n(order[0]), n(order[-1]), *slots, None, depth=-1)
    return heap


def _in_a_row(picture: Picture, order: list[int]) -> bool:
    boxes = [picture.boxes[CACHE], *(picture.boxes[NodeId(k)] for k in order)]
    return len({box.y for box in boxes[1:]}) == 1 and all(a.right < b.x for a, b in pairwise(boxes))


def test_a_list_with_hash_chains_runs_right_from_its_struct() -> None:
    for order in ([2, 1], [3, 2, 1], [1, 3, 2], [4, 1, 3, 2]):
        assert _in_a_row(layout(_chained(order).graph()), order), order


def test_what_is_put_in_front_stands_in_front_in_the_next_call() -> None:
    picture = layout(_chained([1]).graph())
    for order in ([2, 1], [3, 2, 1], [1, 3, 2], [4, 1, 3, 2]):
        picture = layout(_chained(order).graph(), picture, elsewhere=True)
        assert _in_a_row(picture, order), order


def _cache(count: int) -> Heap:
    """Entries n2, n4, ... for the items n1, n3, ..., of which the last one is the head."""
    heap = Heap("put")
    items = [2 * k - 1 for k in range(count, 0, -1)]
    for at, k in enumerate(items):
        behind = n(items[at + 1]) if at + 1 < count else None
        heap.node(k, "item", k, behind, n(items[at - 1]) if at else None)
        heap.node(k + 1, "entry_of", k, n(k), None)
    slots = [n(2 * k) if k <= count else None for k in (1, 2, 3)]
    ends = (n(items[0]), n(items[-1])) if items else (None, None)
    heap.variable("cache", StructReference("pair_cache"), *slots, *ends, depth=-1)
    return heap


def test_new_nodes_stand_right_of_the_struct_that_leads_to_them() -> None:
    picture = layout(_cache(1).graph())
    for count in (2, 3):
        picture = layout(_cache(count).graph(), picture, elsewhere=False)
        assert not picture.tidy
        cache = picture.boxes[CACHE]
        assert all(
            box.x > cache.right or box.y > cache.bottom for box in picture.boxes.values() if box is not cache
        )
        assert all(box.y >= cache.y for box in picture.boxes.values())


def test_a_link_that_was_cut_moves_nothing_where_the_one_back_is_left() -> None:
    heap = _cache(2)
    before, picture = heap.graph(), layout(heap.graph())
    heap.set(3, "next", None)
    after = layout(heap.graph(), picture, before=before, elsewhere=False, corrected=True)
    assert not after.tidy
