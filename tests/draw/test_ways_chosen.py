"""What a line of an arrow keeps away from, where it has the choice."""

from __future__ import annotations

from wolverine.draw.canvas import Canvas
from wolverine.draw.route import Frame, Router, Wish


def _canvas(*frames: Frame) -> Canvas:
    canvas = Canvas(60, 24)
    for frame in frames:
        for row in range(frame.y, frame.bottom + 1):
            canvas.write(frame.x, row, "x" * (frame.right - frame.x + 1))
    return canvas


def test_it_does_not_end_beside_a_name() -> None:
    source, target = Frame(0, 12, 8, 15), Frame(20, 2, 30, 5)
    wish = Wish(source, 13, target, "arrow")
    straight = Router(_canvas(source, target)).draw(wish)
    assert straight is not None
    column, row = straight[-1]
    other = Router(_canvas(source, target), names={(column, row), (column, row + 1)}).draw(wish)
    assert other is not None
    assert other[-1][0] != column


def test_it_leaves_the_last_cell_in_which_another_arrow_may_begin() -> None:
    source, target = Frame(0, 2, 8, 8), Frame(0, 12, 6, 15)
    wish = Wish(source, 3, target, "arrow")
    near = Router(_canvas(source, target)).draw(wish)
    assert near is not None
    assert near[1][0] == near[2][0] == source.right + 1
    router = Router(_canvas(source, target), sources={(source, 5)})
    assert router.draw(wish) is not None
    assert router.draw(Wish(source, 5, target, "arrow")) is not None
    assert router.canvas.mask[5][source.right + 1]
