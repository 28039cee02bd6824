"""On a sheet an arrow that finds no way goes round what is in its way."""

from __future__ import annotations

from itertools import pairwise

from draw_heaps import Heap, n, to

from wolverine.draw import layout
from wolverine.draw.attempts import drawn
from wolverine.draw.detours import detoured
from wolverine.draw.drawing import Drawing, Way


def _halfway() -> Drawing:
    """A rotation in a tree with links to parents: a node that hangs on two others, one beside the other."""
    heap = Heap()
    links = {
        1: (2, 3, 0),
        2: (4, 5, 1),
        3: (8, 0, 1),
        4: (0, 0, 2),
        5: (6, 7, 2),
        6: (0, 0, 5),
        7: (0, 0, 5),
        8: (0, 0, 3),
    }
    for number, others in links.items():
        heap.node(number, "ptree", number, *(n(each) if each else None for each in others))
    heap.variable("root", to("ptree"), n(1))
    tidy = layout(heap.graph(), sheet=True)
    heap.set(2, "right", n(6))
    heap.set(6, "parent", n(2))
    picture = layout(heap.graph(), tidy, sheet=True, elsewhere=False)
    return drawn(picture, picture.width + 8)


def _cells(way: Way) -> set[tuple[int, int]]:
    assert way.points is not None
    found = set()
    for (x1, y1), (x2, y2) in pairwise(way.points):
        assert x1 == x2 or y1 == y2
        found |= {
            (x, y) for x in range(min(x1, x2), max(x1, x2) + 1) for y in range(min(y1, y2), max(y1, y2) + 1)
        }
    return found


def test_it_crosses_no_box_and_ends_at_the_one_that_is_meant() -> None:
    drawing = _halfway()
    without = [way.arrow for way in drawing.ways if way.points is None]
    assert without
    ways = detoured(drawing)
    assert all(way.points for way in ways)
    for way in (each for each in ways if each.arrow in without):
        cells = _cells(way)
        for frame in drawing.frames.values():
            inside = {
                (x, y) for x in range(frame.x, frame.right + 1) for y in range(frame.y, frame.bottom + 1)
            }
            assert not cells & inside
        target, (x, y) = drawing.frames[way.arrow.target], list(way.points or ())[-1]
        assert target.x - 1 <= x <= target.right + 1
        assert target.y - 1 <= y <= target.bottom + 1


def test_what_has_a_way_keeps_it() -> None:
    drawing = _halfway()
    for old, new in zip(drawing.ways, detoured(drawing), strict=True):
        assert old.points is None or new is old
