"""Events are left out many at once, with the outcome of leaving them out one by one."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from wolverine.repair.explicit.conflict import needed_of

Event = tuple[int, int]


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 12), st.lists(st.sets(st.integers(0, 11), min_size=1), max_size=4))
def test_as_one_by_one(number: int, conflicts: list[set[int]]) -> None:
    """There is a repair where every conflict has lost an event; `needed_of` asks no more than it must."""
    events = [(0, index) for index in range(number)]
    sets = [{(0, index) for index in each if index < number} for each in conflicts]
    asked: list[set[Event]] = []

    def repairable(without: set[Event]) -> bool:
        asked.append(without)
        return all(each & without for each in sets)

    without: set[Event] = set()
    needed = []
    for event in events:
        if all(each & (without | {event}) for each in sets):
            needed.append(event)
        else:
            without.add(event)
    assert needed_of(events, repairable) == needed
    assert len(asked) <= 2 * len(events) + 1
    if not needed:
        assert len(asked) <= 2
