"""With what a stop is compared to say what has changed: the variables of another call are other variables."""

from __future__ import annotations

from collections.abc import Mapping

from wolverine.core.graph import MemoryGraph, forgetting
from wolverine.session.moments import Moment


def open_activations(moment: Moment) -> dict[int, int]:
    """The serial numbers of the activations of a stop, by their depths."""
    return {frame.depth: number for frame, number in zip(moment.stop.frames, moment.activations)}


def comparable(earlier: MemoryGraph, opened: Mapping[int, int], moment: Moment) -> MemoryGraph:
    """An earlier picture without the variables of those activations that are over and have a successor.

    `opened` are the activations of then, see `open_activations`.
    """
    now = open_activations(moment)
    over = {depth for depth, number in opened.items() if now.get(depth, number) != number}
    gone = {v.id for frame in earlier.frames if frame.depth in over for v in frame.variables}
    return forgetting(earlier, gone) if gone else earlier
