"""Every arrow has a line, or the picture says which have none."""

from __future__ import annotations

import pytest
from draw_heaps import Heap, double_list, n, struct, to

from wolverine.core.graph import NodeId
from wolverine.draw import Picture, layout, terminal
from wolverine.draw.legend import without_lines
from wolverine.draw.tangle import with_detours

struct("bead", ("next", to("bead")))


def _drawn(heap: Heap, previous: Picture | None = None) -> str:
    picture = layout(heap.graph(), previous, elsewhere=False)
    return terminal(picture, width=100, color=False, unicode=True)


def _between() -> tuple[Heap, Picture]:
    """A node of one line, between two of which the arrows will end beside it."""
    heap = Heap()
    for k, following in ((1, 2), (2, 4), (3, None), (4, None)):
        heap.node(k, "bead", n(following) if following else None)
    heap.variable("head", to("bead"), n(1))
    heap.variable("spare", to("bead"), n(3))
    picture = layout(heap.graph())
    heap.set(4, "next", n(2))
    return heap, picture


def test_an_arrow_that_cannot_begin_is_named() -> None:
    heap, picture = _between()
    heap.set(2, "next", n(3))
    told = _drawn(heap, picture)
    assert "├───▶│ next n3  │◀───┤" in told
    assert "… not drawn: n2.next → n3" in told.splitlines()


def test_nothing_is_named_where_all_arrows_are_drawn() -> None:
    heap, picture = _between()
    heap.set(2, "next", None)
    assert "not drawn" not in _drawn(heap, picture)


def test_arrows_to_one_target_are_named_together() -> None:
    heap, _ = _between()
    picture = layout(heap.graph())
    arrows = [arrow for arrow in picture.arrows if arrow.target == NodeId(2)]
    (line,) = without_lines(picture, arrows, 100)
    assert "".join(segment.text for segment in line) == "… not drawn: n1.next, n4.next → n2"


@pytest.mark.parametrize("width", [58, 100])
def test_a_link_back_that_cannot_share_a_line_has_its_own(width: int) -> None:
    heap = double_list(4, {"head": 1})
    drawing = with_detours(layout(heap.graph(), width=width), width)
    ways = {(way.arrow.source, way.arrow.target): way.points for way in drawing.ways}
    assert all(ways.values())
    assert ways[NodeId(4), NodeId(3)] is not None


def test_what_leads_back_to_a_whole_tree_is_told_by_the_arrows_down() -> None:
    heap = Heap()
    for k, (left, right, parent) in {1: (2, 3, 0), 2: (0, 0, 1), 3: (0, 0, 1)}.items():
        heap.node(k, "ptree", k, *(n(each) if each else None for each in (left, right, parent)))
    heap.variable("root", to("ptree"), n(1))
    assert "not drawn" not in _drawn(heap)
