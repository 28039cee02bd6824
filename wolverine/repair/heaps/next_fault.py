"""Where lost nodes are kept, the program comes to nodes that it did not: next to another fault, maybe.

Who repairs a leak may come to a freed node that is used in a function which has nothing to do with it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from wolverine.core.patch import Edit, Patch
from wolverine.core.program import Program
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.frees import frees


def is_next_fault(program: Program, patch: Patch, line: int) -> bool:
    """Whether a freed node that is used at the line is so in a function that the patch does not change.

    Nor does that free anything.
    """
    return _apart(program, [edit.location for edit in patch.edits], line) and not frees(program, patch)


def is_next_fault_in(program: Program, patch: Patch, function: str) -> bool:
    """The same of a freed node that is used in the function."""
    return function not in _changed(program, [e.location for e in patch.edits]) and not frees(program, patch)


def is_next_fault_of_all(program: Program, menus: Menus, masks: Mapping[int, int], line: int) -> bool:
    """The same of all repairs of some masks over the menus."""
    return _apart(program, masks, line) and not any(
        mask >> number & 1 and frees(program, Patch((Edit(location, choice.replacement),)))
        for location, mask in masks.items()
        if (menu := menus.menu(location)) is not None
        for number, choice in menu.others
    )


def _apart(program: Program, locations: Collection[int], line: int) -> bool:
    """Whether the line is in no function in which one of the locations is."""
    changed = _changed(program, locations)
    return all(each.function not in changed for each in program.locations if each.line == line)


def _changed(program: Program, locations: Collection[int]) -> set[str]:
    """The functions in which the locations are."""
    return {program.location(each).function for each in locations}
