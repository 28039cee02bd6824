"""Of too many candidates those are gone on with that are close, or the closest at their place."""

from __future__ import annotations

from wolverine.repair.heaps.chosen import chosen


def test_a_place_that_only_farther_edits_change_is_tried_as_well() -> None:
    """The closest edits are all in one function; the closest elsewhere is a statement that moves."""
    taken, others = chosen(["a1", "a2", "a3", "b1", "b2", "c1"], lambda each: each[0], 2, 2)
    assert taken == ["a1", "a2", "b1", "c1"]
    assert others == ["a3", "b2"]


def test_not_more_than_so_many_places_are_added() -> None:
    taken, others = chosen(["a1", "b1", "c1", "d1"], lambda each: each[0], 1, 2)
    assert taken == ["a1", "b1", "c1"]
    assert others == ["d1"]


def test_what_is_few_is_tried_whole() -> None:
    assert chosen(["a1", "a2"], lambda each: each[0], 2, 5) == (["a1", "a2"], [])
