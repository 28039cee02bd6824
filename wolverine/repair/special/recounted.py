"""Nodes that count who refers to them, and are used after they were freed: their number was too low.

Somebody has kept a pointer without counting it, or has given back what was not his.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.patch import Deletion
from wolverine.core.program import Call, Program
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped, Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.guards import plain_statements
from wolverine.repair.menus.menu import Menu
from wolverine.repair.source.references import References, giving_back

_PLACE_SHARE = 30_000  # steps for one place


def recounted(bench: Bench, work: Work, most: int) -> list[Space]:
    """The repairs by one reference that is counted where it is kept, or not given back.

    They are choices of the bench, which has calls; `most` of the work is spent on them.
    """
    found: list[Space] = []
    explorer = bench.explorer(work)
    begun = work.spent
    for location, mask in _choices(bench):
        left = most - (work.spent - begun)
        if left <= 0:
            break
        try:
            with work.at_most(min(left, _PLACE_SHARE)):
                found += explorer.search(0, decided={**bench.decided, location: mask})
        except Stopped as stop:
            found += explorer.found
            if not stop.of_stage:
                break  # whoever goes on notices
    return found


def _choices(bench: Bench) -> Iterator[tuple[int, int]]:
    """The choices that do so, by location."""
    program = bench.problem.program
    references = References(program)
    editable = {location for found in bench.editable.values() for location in found.values()}
    gaps = {location for each in references.uncounted for location in each.locations}
    for location in (*sorted(gaps), *_given_back(program)):
        if location not in editable or location in bench.decided:
            continue
        menu = bench.menus.menu(location)
        if menu is None:
            continue
        mask = _counting(references, menu) if location in gaps else _deleting(menu)
        if mask:
            yield location, mask


def _counting(references: References, menu: Menu) -> int:
    """The choices of a gap's menu that count, under no test."""
    found = 0
    for number, choice in menu.others if references.counting else plain_statements(menu):
        if (menu.all | menu.calls) >> number & 1 and references.counts(menu.location, choice.replacement):
            found |= 1 << number
    return found


def _deleting(menu: Menu) -> int:
    """The choices of a statement's menu that delete it."""
    return sum(
        1 << number
        for number, choice in menu.others
        if menu.all >> number & 1 and isinstance(choice.replacement, Deletion)
    )


def _given_back(program: Program) -> Iterator[int]:
    """The statements that give references back."""
    functions = giving_back(program)
    for function in program.functions.values():
        for step in function.code:
            called = isinstance(step, Call) and step.function in functions
            if called and program.location(step.location).kind == "call":
                yield step.location
