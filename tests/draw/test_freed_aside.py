"""What freed nodes still hold says nothing of the structure that goes on without them."""

from __future__ import annotations

import pytest
from draw_heaps import Heap, n, to, tree

from wolverine.core.graph import NodeId
from wolverine.draw import Picture, layout


def deleted() -> Heap:
    """Of a tree of seven nodes the fourth has taken the place of the second, which still leads to both."""
    heap = tree(7)
    heap.set(1, "left", n(4))
    heap.set(4, "right", n(5))
    heap.variable("x", to("tree"), n(2))
    heap.free(2)
    return heap


def below(picture: Picture, upper: int, lower: int) -> bool:
    return picture.boxes[NodeId(lower)].y > picture.boxes[NodeId(upper)].bottom


def test_a_tree_is_one_without_the_node_that_was_freed() -> None:
    picture = layout(deleted().graph())
    assert below(picture, 1, 4) and below(picture, 4, 5) and below(picture, 1, 3)
    columns = [picture.boxes[NodeId(k)].x for k in (4, 5, 1, 6, 3, 7)]
    assert columns == sorted(columns)


def test_the_caller_sees_it_laid_out_anew() -> None:
    before = tree(7)
    before.variable("x", to("tree"), n(2))
    first = layout(before.graph())
    picture = layout(deleted().graph(), first, before=before.graph(), elsewhere=True)
    assert below(picture, 1, 4) and below(picture, 4, 5)


@pytest.mark.parametrize("marking", [True, False])
def test_who_marks_one_node_after_the_other_as_freed_sees_all_of_them(marking: bool) -> None:
    """At the next stop what was freed before is no news."""
    heap = Heap()
    for number in (1, 2, 3):
        heap.node(number, "cell", number, None)
    came = heap.graph()
    heap.free(1)
    before, first = heap.graph(), layout(heap.graph(), layout(came), before=came, marking=True)
    assert NodeId(1) in first.boxes
    heap.free(2)
    picture = layout(heap.graph(), first, before=before, marking=marking)
    assert NodeId(2) in picture.boxes
    assert (NodeId(1) in picture.boxes) is marking
