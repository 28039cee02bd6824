"""Repairs put together from one assertion to the next, where searching all at once takes too long.

What meets the trace up to its first assertion is extended so that it meets the second one, and so on;
only the closest few are kept on the way.  An edit stays in force in everything that follows.  What comes
out meets the whole trace; it is smallest if the search at once has ruled out fewer edits, but other
repairs of that size may be missed: those in which one slip hides another, and those whose second edit
already acts before an assertion that is met without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from wolverine.core.patch import Edit, Patch
from wolverine.core.trace import Assertion, End, Trace
from wolverine.repair.execution.accepted import choices_of
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped, Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.explicit.explorer import Explorer
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.score import Scores

_KEPT = 5  # partial repairs that are extended
_TOLD = 100  # repairs
_AT_ONCE = 1  # edits from one assertion to the next
_REPEATED = 8  # single edits, of those that meet the first assertion, that are made elsewhere as well


def stepwise(bench: Bench, work: Work, edits: int) -> list[Space]:
    """Repairs of the first trace with at most `edits` edits beside those decided, all with equally many.

    Empty where there is more than one trace or nothing was found.  Where the work is ended, what extends the
    closest so far is gone on with.  Raises `Stopped`.
    """
    if len(bench.runners) != 1:
        return []
    [runner], scores = bench.runners, Scores(bench.problem.program)
    kept, met = [Space(bench.decided)], 0
    edits += len(bench.decided)
    prefixes = list(_prefixes(runner.trace))
    for trace in prefixes:
        explorer = bench.explorer(work, traces=[trace])
        extended: list[Space] = []
        try:
            for space in kept:
                extended += _extensions(explorer, space, edits, met)
        except Stopped:
            if not extended:
                raise
        if not extended:
            return []
        kept = _closest(extended, bench.menus, scores, _KEPT if trace is not prefixes[-1] else _TOLD)
        met = len(runner.schedule.groups)
    least = min(len(space.masks) for space in kept)
    return [space for space in kept if len(space.masks) == least]


def repeated_elsewhere(bench: Bench, work: Work) -> list[Space]:
    """Repairs of the first trace by one edit that is made in two places: who copies code copies its slips.

    What meets the first assertion that is not met as it is, is made somewhere else as well.  Empty where
    there is more than one trace, or nothing is asserted behind that.  Raises `Stopped`.
    """
    if len(bench.runners) != 1 or bench.decided:
        return []
    program, trace, scores = bench.problem.program, bench.runners[0].trace, Scores(bench.problem.program)
    spaces: list[Space] = []
    for prefix in _prefixes(trace):
        if prefix is trace:
            return []
        explorer = bench.explorer(work, traces=[prefix])
        if not explorer.search(0):
            spaces = explorer.search(1)
            break
    explorer = bench.explorer(work)
    found: list[Space] = []
    for edit in _closest_edits(spaces, bench.menus, scores):
        function = program.functions[program.location(edit.location).function]
        for location in dict.fromkeys(step.location for step in function.code):
            both = Patch((edit, Edit(location, edit.replacement)))
            if location != edit.location and (chosen := choices_of(both, bench.menus)) is not None:
                found += explorer.search(0, decided=chosen)
    return found


def _closest_edits(spaces: Sequence[Space], menus: Menus, scores: Scores) -> list[Edit]:
    """The closest of the single edits."""
    made: list[tuple[float, Edit]] = []
    for space in spaces:
        [(location, mask)] = space.masks.items()
        menu = menus.menu(location)
        if menu is not None:
            chosen = (number for number in range(mask.bit_length()) if mask >> number & 1)
            edits = [Edit(location, menu.choices[number].replacement) for number in chosen]
            made += [(scores.edit(edit), edit) for edit in edits]
    made.sort(key=lambda each: each[0])
    return [edit for _, edit in made[:_REPEATED]]


def _prefixes(trace: Trace) -> Iterator[Trace]:
    """The trace up to each of its assertions, and the whole of it."""
    for number, event in enumerate(trace.events):
        if isinstance(event, Assertion) and trace.events[number + 1 :] not in ((), (End(event.position),)):
            yield replace(trace, events=(*trace.events[: number + 1], End(event.position)))
    yield trace


def _extensions(explorer: Explorer, space: Space, edits: int, met: int) -> list[Space]:
    for more in range(min(_AT_ONCE, edits - len(space.masks)) + 1):
        found = explorer.search(more, decided=space.masks, onward=met)
        if found:
            return list(found)
    return []


def _closest(spaces: list[Space], menus: Menus, scores: Scores, most: int) -> list[Space]:
    """So many with the fewest edits and the smallest distance, each set once."""
    once = {tuple(sorted(space.masks.items())): space for space in spaces}
    ranked = sorted(once.items(), key=lambda item: (len(item[0]), _distance(item[1], menus, scores), item[0]))
    return [space for _, space in ranked[:most]]


def _distance(space: Space, menus: Menus, scores: Scores) -> float:
    total = 0.0
    for location, mask in space.masks.items():
        menu = menus.menu(location)
        if menu is None:
            continue
        total += min(
            scores.edit(Edit(location, menu.choices[number].replacement))
            for number in range(mask.bit_length())
            if mask >> number & 1
        )
    return total
