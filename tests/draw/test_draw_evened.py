"""Boxes of one type without names of fields: their rows are the same fields."""

from __future__ import annotations

from wolverine.core.graph import NodeId, Place
from wolverine.draw.evened import evened
from wolverine.draw.picture import Line, Piece


def test_runs_end_where_those_of_other_boxes_do() -> None:
    one, two = NodeId(1), NodeId(2)

    def nulls(node: NodeId, first: int, last: int) -> tuple[Piece]:
        return (Piece("╱", "null", tuple(Place(node, 8 * each) for each in range(first, last + 1))),)

    boxes = {
        one: (Line("child[0]", nulls(one, 0, 0)), Line("child[1..4]", nulls(one, 1, 4))),
        two: (Line("child[0..4]", nulls(two, 0, 4)), Line("n", nulls(two, 5, 5))),
    }
    found = evened(boxes)
    assert [line.name for line in found[one]] == ["child[0]", "child[1..4]"]
    assert [line.name for line in found[two]] == ["child[0]", "child[1..4]", "n"]
    assert [line.pieces[0].places for line in found[two]] == [
        nulls(two, 0, 0)[0].places,
        nulls(two, 1, 4)[0].places,
        nulls(two, 5, 5)[0].places,
    ]
