"""Which of too many candidates are gone on with."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


def chosen(
    found: Sequence[T], place: Callable[[T], Hashable], most: int, more: int
) -> tuple[list[T], list[T]]:
    """The first `most`, and the first at each of at most so many `more` places; then the others.

    `found` are given closest first.  Where one function takes many close edits, each other place still has
    its closest tried.
    """
    taken, others = list(found[:most]), []
    places = {place(each) for each in taken}
    for each in found[most:]:
        if place(each) in places or len(taken) == most + more:
            others.append(each)
        else:
            places.add(place(each))
            taken.append(each)
    return taken, others
