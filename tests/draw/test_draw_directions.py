"""Which of two links that undo each other leads down a tree, also where hardly a node is there."""

from __future__ import annotations

import pytest
from draw_heaps import Heap, n, struct, to

from wolverine.core.graph import NodeId, Pointer
from wolverine.core.types import INT, ArrayType
from wolverine.draw import layout

struct(
    "boss_first",
    ("boss", to("boss_first")),
    ("lkid", to("boss_first")),
    ("rkid", to("boss_first")),
    ("v", INT),
)
struct("pre_tree", ("pre", to("pre_tree")), ("one", to("pre_tree")), ("v", INT))
struct("in_array", ("owner", to("in_array")), ("kids", ArrayType(to("in_array"), 2)), ("v", INT))


@pytest.mark.parametrize("tag", ["boss_first", "pre_tree", "in_array"])
@pytest.mark.parametrize("pointed", [1, 2])
def test_a_root_stands_above_its_only_child(tag: str, pointed: int) -> None:
    heap = Heap()
    heap.node(1, tag, None, n(2))
    heap.node(2, tag, n(1))
    heap.variable("at", to(tag), n(pointed))
    boxes = layout(heap.graph()).boxes
    root, child = boxes[NodeId(1)], boxes[NodeId(2)]
    assert root.y < child.y or (root.y == child.y and root.x < child.x)


def test_the_right_child_may_be_the_only_one() -> None:
    heap = Heap()
    heap.node(1, "in_array", None, None, n(2))
    heap.node(2, "in_array", n(1), None, None)
    heap.variable("at", to("in_array"), n(2))
    boxes = layout(heap.graph()).boxes
    assert boxes[NodeId(1)].bottom < boxes[NodeId(2)].y
    assert boxes[NodeId(1)].x < boxes[NodeId(2)].x


struct("node_aside", ("v", INT), ("next", to("node_aside")), ("random", to("node_aside")))


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("elsewhere", [None, n(1)])
def test_a_list_whose_other_links_are_still_empty_is_no_tree(elsewhere: Pointer | None, cut: bool) -> None:
    """What is called next leads along a row, in one part or two, before the other links are set and after."""
    heap = Heap()
    for number in range(1, 5):
        following = None if number == 4 or (cut and number == 2) else n(number + 1)
        heap.node(number, "node_aside", number, following, elsewhere if number == 4 and not cut else None)
    heap.variable("at", to("node_aside"), n(1))
    heap.variable("rest", to("node_aside"), n(3))
    boxes = layout(heap.graph(), width=120).boxes
    assert len({boxes[NodeId(number)].y for number in range(1, 5)}) == 1
    assert boxes[NodeId(1)].x < boxes[NodeId(2)].x
    assert boxes[NodeId(3)].x < boxes[NodeId(4)].x
