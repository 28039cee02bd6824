"""Fewer edits at the places of a repair that was found before the search for so many came to an end.

Such a repair may hold edits to no purpose.  At its few places all the choices can be tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.special.stages import Stage

_LOOKED_AT = 8  # repairs


def fewer(
    bench: Bench, work: Work, stage: Stage, found: Sequence[Space], numbers: Iterable[int], each: int | None
) -> tuple[list[Space], int] | None:
    """What the first of the `numbers` of edits that suffices finds there, and the number.

    `each` of these searches may take so much work; `stage` is what found the repairs.
    """
    touched = {location for space in found[:_LOOKED_AT] for location in space.masks}
    editable = {
        name: {index: location for index, location in places.items() if location in touched}
        for name, places in bench.editable.items()
    }
    near = replace(bench, editable=editable)
    for number in numbers:
        less = near.found(
            work, number, each, own_control=stage.own_control, spare=stage.spare, nodes=stage.nodes
        )
        if less:
            return less, number
    return None
