"""An arrow of a single cell to a part of the box that stands right beside."""

from __future__ import annotations

from wolverine.draw.canvas import Canvas
from wolverine.draw.route import Frame, Router, Wish


def test_boxes_one_column_apart() -> None:
    canvas = Canvas(21, 5)
    source, target = Frame(0, 0, 9, 4), Frame(11, 0, 20, 4)
    for y in range(5):
        for left in (source.x, target.x):
            canvas.write(left, y, "x" * 10)
    points = Router(canvas).draw(Wish(source, 2, target, "", into=(2, 3)))
    assert points is not None
    assert set(points) == {(10, 2)}
