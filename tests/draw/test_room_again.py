"""Freed nodes stand in the way of new ones; when they have gone, these come to where one looks for them."""

from __future__ import annotations

from draw_heaps import Heap, n, struct, to

from wolverine.core.graph import NodeId, VariableId
from wolverine.core.types import INT, StructReference
from wolverine.draw import layout

struct("owner", ("first", to("cell")), ("last", to("cell")), ("count", INT))


def test_new_nodes_take_the_place_of_freed_ones() -> None:
    heap = Heap()
    heap.node(1, "cell", 1, n(2))
    heap.node(2, "cell", 2, None)
    owner = heap.variable("list", StructReference("owner"), n(1), n(2), 2)
    first = heap.graph()
    picture = layout(first)
    heap.free(1)
    heap.free(2)
    heap.node(3, "cell", 3, n(4))
    heap.node(4, "cell", 4, None)
    heap.fill(owner, StructReference("owner"), [n(3), n(4), 2])
    second = heap.graph()
    between = layout(second, picture, before=first)
    assert between.position(NodeId(1)) == picture.position(NodeId(1))
    after = layout(heap.graph(), between, before=second)
    assert NodeId(1) not in after.boxes
    list_, new = after.boxes[VariableId(0, "main", "list")], after.boxes[NodeId(3)]
    assert new.y == list_.y and new.x > list_.right
