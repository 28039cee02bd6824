"""Repairs by one call more of a function of the program.

There are many calls and few gaps that every failing stretch goes through, so each gap is tried by itself.
"""

from __future__ import annotations

from wolverine.repair.bench import Bench
from wolverine.repair.needed import Needed
from wolverine.repair.spaces import Space
from wolverine.repair.work import Stopped, Work

_GAP_SHARE = 20_000  # steps for the calls of one gap


def omitted(bench: Bench, work: Work, most: int) -> list[Space]:
    """The repairs by one call more, as far as `most` of the work finds them; the bench's menus have calls."""
    found: list[Space] = []
    needed = Needed(bench.segments)
    explorer = bench.explorer(work)
    begun = work.spent
    for name in sorted(bench.editable):
        for location in sorted(bench.editable[name].values()):
            if bench.problem.program.location(location).kind != "gap" or location in bench.decided:
                continue
            if not needed.possible(frozenset((location, *bench.decided)), 0):
                continue
            menu = bench.menus.menu(location)
            left = most - (work.spent - begun)
            if menu is None or not menu.calls or left <= 0:
                continue
            try:
                with work.at_most(min(left, _GAP_SHARE)):
                    found += explorer.search(0, decided={**bench.decided, location: menu.calls})
            except Stopped as stop:
                found += explorer.found
                if not stop.of_stage:
                    return found  # whoever goes on notices
    return found
