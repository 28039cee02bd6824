"""A node that both its links lead to has two arrows of its own."""

from __future__ import annotations

from draw_heaps import Heap, n, to

from wolverine.draw import layout
from wolverine.draw.attempts import drawn
from wolverine.draw.images import dot_source


def ring() -> Heap:
    heap = Heap()
    heap.node(1, "node", 7, n(1), n(1))
    heap.variable("head", to("node"), n(1))
    return heap


def test_both_links_have_a_line() -> None:
    picture = layout(ring().graph())
    ways = [way for way in drawn(picture, 60).ways if way.points is not None]
    assert len(ways) == 2
    starts = sorted(way.points[0][0] for way in ways if way.points)
    assert starts[0] < starts[1]  # one on each side


def test_the_words_below_an_image_stand_below_its_lines() -> None:
    heap = ring()
    plain = dot_source(layout(heap.graph(), before=heap.graph()))
    heap.set(1, "data", 8)
    changed = dot_source(layout(heap.graph(), before=ring().graph()))
    lowest = min(float(y) for y in _heights(plain))
    notes = changed[changed.index("\tnotes ") :]
    assert float(notes.split('pos="')[1].split(",")[1].split("!")[0]) < lowest


def _heights(dot: str) -> list[str]:
    lines = [line.split('pos="')[1].split('"')[0] for line in dot.splitlines() if "->" in line]
    return [spot.split(",")[-1] for line in lines for spot in line.removeprefix("e,").split()]
