"""Two edits, of which the first one meets the first assertions, and the second one what comes behind them.

A program that goes wrong at the first of several assertions never comes to the others as it was asserted:
what is spoilt there is not seen, and no edit can be told to serve it (`independent`).  Who asserts states one
after the other has mended the picture each time: so are the edits found, in the order of the assertions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from wolverine.core.patch import Edit, Patch
from wolverine.core.trace import Assertion, Trace
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped, Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.special.independent import unmet

_TRIED = 60  # first edits
_EDITS = 2


def in_order(bench: Bench, work: Work, most: int) -> list[Space]:
    """Repairs by an edit that meets all but the last assertions of the trace, and one edit more.

    As many assertions as a single edit can meet are left to the first one; as far as `most` of the work
    finds them.
    """
    if bench.decided or len(bench.runners) > 1 or len(unmet(bench)) >= _EDITS:
        return []  # what is seen to be spoilt tells more
    trace = bench.runners[0].trace
    asserted = [index for index, event in enumerate(trace.events) if isinstance(event, Assertion)]
    found: list[Space] = []
    end = work.spent + most

    def left() -> int:
        return max(end - work.spent, 0)

    with suppress(Stopped):  # the next stage will notice if all work is to end
        for last in reversed(asserted[:-1]):
            explorer = bench.explorer(work, traces=[until(trace, last)], failing=True)
            with work.at_most(left()):
                first = explorer.search(1)
            for patch in islice(_patches(bench, first), _TRIED):
                if found and not left():
                    break
                behind = bench.keeping(patch)
                if behind is None or not behind.possible(1):
                    continue
                more = behind.found(work, 1, left())
                found += (each for each in more if len(each.masks) == _EDITS and each not in found)
            if first:
                break
    return found


def _patches(bench: Bench, spaces: Iterable[Space]) -> Iterator[Patch]:
    """The single edits of these spaces."""
    for space in spaces:
        for location, mask in space.masks.items():
            menu = bench.menus.menu(location)
            for number, choice in enumerate(menu.choices if menu is not None else ()):
                if mask >> number & 1:
                    yield Patch((Edit(location, choice.replacement),))


def until(trace: Trace, index: int) -> Trace:
    """The trace up to an event."""
    return replace(trace, events=trace.events[: index + 1])
