"""Two edits, of which one frees what is asserted to be freed, and the other one meets all else.

That a node is freed is seen in no other place, and what frees is a call: so the other edit is looked for as
if nothing were said of the node, and what frees it behind that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from itertools import islice

from wolverine.core.graph import NodeId, Place
from wolverine.core.patch import Edit, Patch
from wolverine.core.program import reachable
from wolverine.core.trace import Assertion
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped, Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.special.freeing import freeing
from wolverine.repair.special.in_order import until
from wolverine.repair.special.independent import unmet, without

EDITS = 2
_TRIED = 12  # first edits, the closest ones


def mended_and_freed(
    bench: Bench, calling: Bench, work: Work, most: int, distance: Callable[[Edit], float]
) -> list[Space]:
    """Repairs by an edit after which all is as asserted but for nodes that live yet, and what frees these.

    They are choices of the `calling` bench, which has calls; those are tried first that change least by the
    `distance`, as far as twice `most` of the work finds them.
    """
    places = unmet(bench)
    live = _live(bench, places)
    if bench.decided or len(bench.runners) > 1 or not live or len(live) == len(places):
        return []
    spaces, found = _meeting_all_else(bench, work, most, live), list[Space]()
    with suppress(Stopped), work.at_most(most):  # the next stage will notice if all work is to end
        whole = bench.explorer(work)
        if any(whole.search(0, decided=space.masks) for space in spaces):
            return []  # one edit does it all
        edits = sorted(_edits(bench, spaces), key=distance)
        for edit in islice(edits, _TRIED):
            behind = calling.keeping(Patch((edit,)))
            if behind is not None and behind.menus is calling.menus:
                found += freeing(behind).found(work, 1, None)
    return [space for space in found if len(space.masks) == EDITS]


def _meeting_all_else(bench: Bench, work: Work, most: int, live: Collection[Place]) -> list[Space]:
    """Single edits under which all is as asserted but for these nodes.

    They are looked for up to the first assertion that is spoilt, in its function and those that this calls,
    and tried on the assertions behind it.
    """
    [trace] = without(bench, live)
    found: list[Space] = []
    with suppress(Stopped), work.at_most(most):
        for index, event in enumerate(trace.events):
            if not isinstance(event, Assertion):
                continue
            near = bench.within(reachable(bench.problem.program, [event.position.function]))
            explorer = near.explorer(work, traces=[until(trace, index)], failing=True)
            if explorer.search(0):
                continue
            single = explorer.search(1)
            behind = bench.explorer(work, traces=[trace])
            for space in single:
                found += behind.search(0, decided=space.masks)
            break
    return found


def _live(bench: Bench, places: list[Place]) -> list[Place]:
    """Those of the places that are nodes which are to be freed."""
    freed = {
        node
        for runner in bench.runners
        for event in runner.trace.events
        if isinstance(event, Assertion)
        for node, state in event.states.items()
        if state == "freed"
    }
    return [each for each in places if isinstance(each.object, NodeId) and each.object in freed]


def _edits(bench: Bench, spaces: list[Space]) -> Iterator[Edit]:
    """The single edits of these spaces."""
    for space in spaces:
        for location, mask in space.masks.items():
            menu = bench.menus.menu(location)
            for number, choice in enumerate(menu.choices if menu is not None else ()):
                if mask >> number & 1:
                    yield Edit(location, choice.replacement)
