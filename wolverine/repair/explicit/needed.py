"""Which locations can still belong to a repair: hitting sets over failing segments.

Between two assertions of the whole state, what happens depends only on the statements executed there.
So a segment that fails under the program as it is needs an edit at one of its locations, and a set of
edits has to hit every failing segment.
"""

from __future__ import annotations

from collections.abc import Sequence


class Needed:
    """Answers for the failing `segments`, each given by the locations that may be executed in it."""

    def __init__(self, segments: Sequence[frozenset[int]]) -> None:
        distinct = sorted(set(segments), key=lambda s: (len(s), sorted(s)))
        # a segment that contains another is hit with it
        self._segments = [s for s in distinct if not any(other < s for other in distinct)]
        self._hit: dict[tuple[frozenset[int], int], bool] = {}
        self._allowed: dict[tuple[frozenset[int], int], frozenset[int] | None] = {}

    def unhit(self, decided: frozenset[int]) -> frozenset[int]:
        """The segments that none of these locations hits, by number."""
        return frozenset(i for i, segment in enumerate(self._segments) if not segment & decided)

    def possible(self, decided: frozenset[int], edits: int) -> bool:
        """Whether so many further edits can hit every segment that the decided ones do not hit."""
        return self._possible(self.unhit(decided), edits)

    def _possible(self, left: frozenset[int], edits: int) -> bool:
        if not left:
            return True
        if not edits:
            return False
        known = self._hit.get((left, edits))
        if known is None:
            if edits == 1:
                known = bool(frozenset.intersection(*(self._segments[i] for i in left)))
            else:
                known = any(
                    self._possible(self._without(left, location), edits - 1)
                    for location in self._segments[min(left)]
                )
            self._hit[left, edits] = known
        return known

    def _without(self, left: frozenset[int], location: int) -> frozenset[int]:
        return frozenset(i for i in left if location not in self._segments[i])

    def allowed(self, decided: frozenset[int], edits: int) -> frozenset[int] | None:
        """The locations that may change next when so many edits are left; None for all."""
        left = self.unhit(decided)
        if not left:
            return None
        known = self._allowed.get((left, edits))
        if known is None and (left, edits) not in self._allowed:
            everywhere = frozenset().union(*(self._segments[i] for i in left))
            if self._possible(left, edits - 1):
                known = None
            else:
                known = frozenset(x for x in everywhere if self._possible(self._without(left, x), edits - 1))
            self._allowed[left, edits] = known
        return known
