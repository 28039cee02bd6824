"""Arrays that have nothing to do with the nodes stand beside them or below."""

from __future__ import annotations

from draw_heaps import Heap, tree

from wolverine.core.graph import NodeId, VariableId
from wolverine.core.types import INT, ArrayType
from wolverine.draw import layout

_NUMBERS = VariableId(0, "main", "numbers")


def _with_numbers(count: int) -> Heap:
    heap = tree(count)
    heap.variable("numbers", ArrayType(INT, 20), *range(20))
    return heap


def test_an_array_stands_beside_a_tree_where_there_is_room() -> None:
    picture = layout(_with_numbers(3).graph())
    array, root = picture.boxes[_NUMBERS], picture.boxes[NodeId(1)]
    assert array.y == root.y
    assert array.x > max(picture.boxes[NodeId(k)].right for k in (1, 2, 3))


def test_an_array_stands_below_a_tree_that_takes_the_width() -> None:
    picture = layout(_with_numbers(15).graph())
    assert picture.boxes[_NUMBERS].y > max(picture.boxes[NodeId(k)].bottom for k in range(1, 16))
