"""A jump that is missing, and a statement besides that is executed as often as it has to be only then.

`if (s->top) push(t, pop(s));` was to be a `while`, and `pop` forgets `s->size--`: no size comes out right by
either edit alone, so neither is found by itself (`independent`), but links do by the first.  Jumps are few;
behind those that meet some of what is spoilt one edit more is looked for (Wolverine2 has no counterpart).
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped, Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.special.independent import unmet, without
from wolverine.repair.special.jumping import jumping

_PLACES = 8  # that are looked at one by one
_EDITS = 2
_TRIED = 2  # jumps, those first that meet most places


def behind_jumps(bench: Bench, wider: Bench, work: Work, most: int) -> list[Space]:
    """Repairs by a jump that meets some place by itself, and one edit more that meets the rest.

    They are choices of the `wider` bench, which has statements under tests, as far as `most` of the work
    finds them.
    """
    places = unmet(bench)
    if bench.decided or len(places) < _EDITS:
        return []
    found: list[Space] = []
    few, serving = jumping(wider), Counter[tuple[int, int]]()
    with suppress(Stopped), work.at_most(most):  # the next stage will notice if all work is to end
        for place in places[:_PLACES]:
            others = [each for each in places if each != place]
            for space in few.explorer(work, traces=without(few, others), failing=True).search(1):
                serving.update(space.masks.items())
        for jump, _ in serving.most_common(_TRIED):
            explorer = wider.explorer(work)
            try:
                found += explorer.search(1, decided=dict([jump]))
            except Stopped:
                found += explorer.found
                raise
    return found
