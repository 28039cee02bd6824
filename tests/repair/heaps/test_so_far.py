"""Of too many candidates those are gone on with that have done least harm so far for their distance."""

from __future__ import annotations

from wolverine.repair.heaps.trials import Part, so_far


def test_what_spoils_one_heap_after_the_other_makes_room() -> None:
    """`last = before` is closer than the same under a test, but wrong wherever another node goes."""
    always, tested = Part({1: 1}, broken=5), Part({1: 2})
    assert so_far(tested, 2.6) < so_far(always, 2.0)
    assert so_far(Part({1: 1}, lost=5), 2.0) > so_far(tested, 2.6)


def test_a_crash_speaks_louder_than_a_node_that_is_lost() -> None:
    assert so_far(Part({1: 1}, harmed=1), 1.0) > so_far(Part({1: 1}, lost=1), 1.0)
