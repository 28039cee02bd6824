"""Several slips of which each has spoilt other places: what mends one is found by itself, then put together.

Whoever corrects two places of a picture that have nothing to do with each other (the last node of a list and
how many nodes it has, say) has mostly found two slips.  Where of all the spoilt places only one is asserted,
a single edit meets that, and it is found as fast as any single edit: a jump or what is under a test, too,
where no plain one does.  What was found is then put together, and tried on the whole trace.  A later plain
edit may also go along a link that an earlier one has mended (`list->tail = node->prev`), so it is looked for
behind that, too.  Nothing is missed but edits that need each other (Wolverine2 has no counterpart; a search
of all sets of edits finds those).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace

from wolverine.core.graph import Place, Pointer
from wolverine.core.trace import Assertion, Event, Trace
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped, Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.explicit.direct import unmet_places
from wolverine.repair.special.jumping import jumping

_MOST = 4  # places that are looked at one by one


def independent(bench: Bench, work: Work, edits: int, most: int, wider: Bench | None = None) -> list[Space]:
    """Repairs with so many edits, of which each meets by itself what is asserted of some place.

    With a `wider` bench, which has statements under tests, those of which one at least has to be a jump or
    such a statement, since no edit of the other bench meets what it does; they are choices of the wider bench
    then.  Jumps, which are few, are tried as well where to look for other edits comes to no end.
    They are as many as `most` of the work finds.
    """
    places = unmet(bench)
    if bench.decided or not 1 < edits <= len(places) <= _MOST:
        return []
    search = _Search(bench, work, edits, places)
    met = None  # whether plain edits meet all places, if that is known
    with suppress(Stopped), work.at_most(most):  # the next stage will notice if all work is to end
        if wider is None:
            search.put_together(bench, behind=True)
        else:
            met = all(search.singles(bench))
    if wider is not None and not met:
        leaving = search.anew()
        with suppress(Stopped), work.at_most(most):
            if all(leaving.singles(jumping(wider))):
                leaving.put_together(wider)
        search = leaving if leaving.found else search
        with suppress(Stopped), work.at_most(most):
            if met is False and not search.found:
                search.put_together(wider)
    return [space for space in search.found if len(space.masks) == edits]


class _Search:
    """Goes from one place to the next."""

    def __init__(self, bench: Bench, work: Work, edits: int, places: Sequence[Place]) -> None:
        self._work = work
        self._edits = edits
        self._places = places
        self._insertions = bench.problem.budget.insertions
        self._singles: list[list[Space]] = [[] for _ in places]
        self.found: list[Space] = []

    def anew(self) -> _Search:
        """Another one that begins with the single edits that are known."""
        other = copy(self)
        other._singles, other.found = [*self._singles], []
        return other

    def singles(self, bench: Bench) -> Sequence[Sequence[Space]]:
        """By place, single edits that meet it, and all that is asserted of what is not spoilt."""
        for number, place in enumerate(self._places):
            if not self._singles[number]:
                others = [each for each in self._places if each != place]
                explorer = bench.explorer(self._work, traces=without(bench, others), failing=True)
                self._singles[number] = explorer.search(1)
        return self._singles

    def put_together(self, bench: Bench, *, behind: bool = False) -> None:
        """Find what meets all places: one edit more for each that the edits so far do not meet.

        With `behind`, that is also looked for where the edits so far are made, if these mend links.
        """
        singles = self.singles(bench)
        if not (singles[0] if behind else all(singles)):
            return
        kept = [Space({})]
        for number, more in enumerate(singles):
            left = self._places[number + 1 :]
            explorer = bench.explorer(self._work, traces=without(bench, left) if left else None)
            extended: list[Space] = [] if left else self.found
            for space in kept:
                met = explorer.search(0, decided=space.masks) if number else []
                extended += met
                for each in more if not met else ():
                    if self._allowed(bench, masks := {**space.masks, **each.masks}, space):
                        extended += explorer.search(0, decided=masks)
            mended = self._places[:number] if behind else ()
            for space in kept if any(_is_link(bench, place) for place in mended) else ():
                for each in explorer.search(1, decided=space.masks):
                    if each not in extended and self._allowed(bench, each.masks, space):
                        extended.append(each)
            kept = extended

    def _allowed(self, bench: Bench, masks: Mapping[int, int], before: Space) -> bool:
        """Whether it is one edit more, and not too many."""
        kinds = (bench.problem.program.location(location).kind for location in masks)
        inserted = sum(kind == "gap" for kind in kinds)
        fits = self._insertions is None or inserted <= self._insertions
        return len(before.masks) < len(masks) <= self._edits and fits


def unmet(bench: Bench) -> list[Place]:
    """The places that the program as it is leaves otherwise than asserted."""
    for runner in bench.runners:
        runner.configure(runner.prepared(), {})
    return [*dict.fromkeys(place for runner in bench.runners for place in unmet_places(runner))]


def _is_link(bench: Bench, place: Place) -> bool:
    """Whether it is asserted of a place that it leads somewhere."""
    events = (event for runner in bench.runners for event in runner.trace.events)
    return any(isinstance(e, Assertion) and isinstance(e.cells.get(place), Pointer) for e in events)


def without(bench: Bench, places: Collection[Place]) -> list[Trace]:
    """The traces, in which nothing is asserted of these places."""
    return [replace(each.trace, events=tuple(_events(each.trace.events, places))) for each in bench.runners]


def _events(events: Sequence[Event], places: Collection[Place]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, Assertion):
            cells = {place: value for place, value in event.cells.items() if place not in places}
            states = {node: state for node, state in event.states.items() if Place(node, 0) not in places}
            yield replace(event, cells=cells, states=states)
        else:
            yield event
