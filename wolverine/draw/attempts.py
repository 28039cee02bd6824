"""The drawing in which most arrows have a line.

Whatever is drawn first takes the room of what comes later.  Where that leaves an arrow without a line, or one
to a child of a tree with a long way, it is its turn to come first, and the names at its target stand where
they are less in the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wolverine.draw.drawing import Drawing, Plan
from wolverine.draw.picture import Picture

_ROUNDS = 3
_MOST_MISSING = 12  # more of them are a tangle in which another order helps nobody


def drawn(picture: Picture, width: int) -> Drawing:
    """The picture on `width` columns."""
    best = Drawing(picture, width)
    for _ in range(_ROUNDS):
        if not 0 < len(best.missing()) + len(best.astray()) <= _MOST_MISSING:
            break
        better = min((Drawing(picture, width, plan) for plan in _plans(best)), key=_worth)
        if _worth(better) >= _worth(best):
            break
        best = better
    for box in best.plan.leftwards:
        kept = tuple(each for each in best.plan.leftwards if each != box)
        other = Drawing(picture, width, replace(best.plan, leftwards=kept))
        if _worth(other) <= _worth(best):
            best = other
    return best


def _plans(tried: Drawing) -> Iterator[Plan]:
    missing = [*tried.missing(), *tried.astray()]
    plan = tried.plan
    first = (*missing, *(arrow for arrow in plan.first if arrow not in missing))
    named = {label.target for label in tried.picture.labels}
    targets = (arrow.target for arrow in missing if arrow.target in named)
    leftwards = tuple(dict.fromkeys((*plan.leftwards, *targets)))
    yield replace(plan, first=first)
    yield replace(plan, leftwards=leftwards)
    yield Plan(first, leftwards)


def _worth(drawing: Drawing) -> tuple[int, int]:
    """How much is missing: an arrow that is new counts twice, as does a name without a place at its box.

    An arrow without which nothing seems to lead to a box counts for two more.  And how many arrows lead to
    the children of trees by long ways.
    """
    led = {way.arrow.target for way in drawing.ways if way.points is not None and not way.arrow.implied}
    led |= {label.target for label in drawing.picture.labels}
    arrows = drawing.missing()
    missing = sum(1 + arrow.changed for arrow in arrows) + 2 * len(drawing.loose)
    missing += 2 * len({arrow.target for arrow in arrows} - led)
    return missing, len(drawing.astray())
