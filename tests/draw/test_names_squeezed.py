"""Names of variables stay at their box as long as they have room there, whatever stands beside them."""

from __future__ import annotations

import pytest
from draw_heaps import Heap, n, single_list, to

from wolverine.draw import layout
from wolverine.draw.tangle import with_detours


def _named(name: str) -> Heap:
    heap = single_list(3)
    heap.variable("fast", to("cell"), n(2))
    heap.variable(name, to("cell"), n(2))
    heap.variable("slow", to("cell"), n(3))
    return heap


@pytest.mark.parametrize("length", range(14, 19))
def test_a_name_that_is_a_little_too_long_begins_further_left(length: int) -> None:
    drawing = with_detours(layout(_named("b" * length).graph()), 100)
    assert not drawing.loose
    rows = ["".join(segment.text for segment in row) for row in drawing.rows()]
    (row,) = (row for row in rows if "b" * length in row)
    heads = rows[rows.index(row) + 1]
    start = row.index("b" * length)
    assert any(start <= at < start + length for at, mark in enumerate(heads) if mark == "▼")


def test_short_names_stay_where_a_long_one_has_no_room() -> None:
    drawing = with_detours(layout(_named("b" * 40).graph()), 100)
    assert [label.name for label in drawing.loose] == ["b" * 40]
    assert any("fast" in segment.text for row in drawing.rows() for segment in row)
    assert not with_detours(layout(_named("back").graph()), 100).loose
