"""From spaces of repairs to ranked candidates (edit distance, then what they do on fresh heaps)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod

from wolverine.core.patch import (
    NO_EDITS,
    Candidate,
    Deletion,
    Edit,
    Patch,
)
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.repair.execution.spaces import Space
from wolverine.repair.heaps.entries import Case, cases
from wolverine.repair.heaps.known import Known
from wolverine.repair.heaps.own_faults import OwnFaults
from wolverine.repair.heaps.trials import Part, Trials
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import describe
from wolverine.repair.ranking.aliased import aliased
from wolverine.repair.ranking.begun import Begun
from wolverine.repair.ranking.closest import Closest
from wolverine.repair.ranking.crashed import (
    crash_kind,
    crash_location,
)
from wolverine.repair.ranking.reordered import (
    Entry,
    as_before,
    as_begun,
    as_named,
    as_pictured,
    going_on,
    in_vain,
    living_on,
    plain_first,
    stored_over,
    upsetting,
)
from wolverine.repair.ranking.score import Scores
from wolverine.repair.ranking.sequel import Sequel
from wolverine.repair.ranking.weighing import AfterACrash, Weighing, edited

_ASKED = 8  # repairs that tell what is built where the execution begins with nearly nothing
_LOOKED_AT = 16_000  # candidates of all behaviours; where there are more, fewer of each, the closest
_LEAST = 40


@dataclass(frozen=True)
class Ranking:
    """Candidates in order of rank, the number of behaviours, and of all repairs.

    `compared`: all were told apart before the work was over.
    """

    candidates: tuple[Candidate, ...]
    behaviours: int
    total: int
    compared: bool


def scores_of(program: Program, trace: Trace) -> Scores:
    """The distances of edits by which the repairs of a trace are ranked."""
    return Scores(program, crash_location(program, trace), aliased(program, trace))


def rank(
    program: Program,
    trace: Trace,
    menus: Menus,
    spaces: Sequence[Space],
    patience: int,
    listed: int = 400,
    *,
    scores: Scores,
    sequel: Sequel | None,
    over: Callable[[], bool] = lambda: False,
    known: Known | None = None,
    accepted: Patch = NO_EDITS,
    own: OwnFaults | None = None,
) -> Ranking:
    """Rank the repairs: by distance, crashes, lost nodes and broken links on fresh heaps, then text.

    `scores` are those of `scores_of`.  `patience` is the number of machine steps that a run on a fresh heap
    may take; the best `listed` are told.
    Of a mere crash the `sequel` tells how the execution goes on under a repair.  `over` tells when all has
    to end: then it goes by what is known so far.  `known` and `own` keep what came of it for the next one.
    Where the edits of `accepted` are made nothing speaks against it.
    """
    total = sum(prod(mask.bit_count() for mask in space.masks.values()) for space in spaces)
    ranker = Closest(program, menus, scores)
    parts = [Part(space.masks, space.executed) for space in spaces]
    if over():
        return _uncompared(program, ranker, parts, listed, total)
    parts.sort(key=ranker.best)
    known = known or Known()
    own = own or OwnFaults(program, trace)
    closest = _closest(trace, ranker, parts)
    kind = crash_kind(program, trace) if trace.bare else ""
    trials = Trials(
        program,
        trace,
        _cases(program, trace, menus, parts, closest, known, accepted),
        menus,
        patience,
        ranker.best,
        unset=kind == "uninitialised",
        beyond=kind in ("", "bounds"),
        over=over,
        known=known,
        accepted=accepted,
        closest=closest,
        own=own,
    )
    parts = trials.apart(parts)
    compared = not over()
    weighing = (AfterACrash if trace.bare else Weighing)(
        program, trace, ranker, trials, parts, scores=scores, sequel=sequel, accepted=accepted
    )
    most, fewer = _looked_at(parts, listed)
    found = [e for part in parts for e in weighing.entries(part, fewer if part.untried else most)]
    looked_at = len(found)
    if menus.guarded:
        found = upsetting(program, trace, found, scores.links_first, accepted)
    if trace.bare or trials.cases:  # else all come out alike
        found = in_vain(trace, found)
    if not trace.bare:
        found = stored_over(program, trace, found, accepted)
    if trace.bare:
        found = going_on(
            sequel,
            found,
            trials.besides,
            lambda patch, name: own.of(name, menus, patch),
            lambda patch, name: own.strands(name, menus, patch),
        )
    found.sort(key=lambda entry: entry[0])
    if trace.pictured or trace.approved is not None:
        found = as_pictured(program, trace, menus, found, known)
    if not trace.bare:
        found = as_begun(found, Begun(program, trace, known.amiss("begun")))
        found = as_before(program, trace, menus, found, trials.cases)
        found = living_on(program, trace, found)
        found = as_named(program, trace, menus, found)
        found = plain_first(program, found)
    if menus.guarded:
        found = _once(found)
    # What has been set aside by now is no candidate; what was not looked at is further off than all of these.
    total -= looked_at - len(found)
    behaviours: dict[object, int] = {}
    numbers = [
        behaviours.setdefault(part.outcomes if trials.cases else 0, len(behaviours) + 1)
        for _, part, _, _ in found
    ]
    candidates = tuple(
        _candidate(program, entry, number, weighing.heaps, sequel)
        for entry, number in zip(found[:listed], numbers, strict=False)
    )
    return Ranking(candidates, len(behaviours), total, compared)


def _uncompared(program: Program, ranker: Closest, parts: Sequence[Part], listed: int, total: int) -> Ranking:
    """Those found first, the closest to the source at the front; they count as one behaviour.

    There is no time to look at more, nor at anything else that speaks for or against them.
    """
    sizes = accumulate(prod(mask.bit_count() for mask in part.masks.values()) for part in parts)
    few = [part for part, size in zip(parts, sizes, strict=True) if size <= listed] or parts[:1]
    found = [
        ((False, score, score, describe(program, patch)), part, patch, score)
        for part in few
        for score, patch in ranker.cheapest(part, listed)
    ]
    found.sort(key=lambda entry: entry[0])
    candidates = tuple(_candidate(program, entry, 1, 1, None) for entry in found[:listed])
    return Ranking(candidates, 1, total, compared=False)


def _once(found: Iterable[Entry]) -> list[Entry]:
    """Each repair where it comes first: one may be in several spaces."""
    told: dict[Patch, Entry] = {}
    for entry in found:
        told.setdefault(entry[2], entry)
    return list(told.values())


def _candidate(
    program: Program, entry: Entry, behaviour: int, heaps: int, sequel: Sequel | None
) -> Candidate:
    """What is told of a repair."""
    (_, distance, *_), part, patch, score = entry
    return Candidate(
        patch,
        _cost(program, patch),
        score,
        part.crashes,
        part.lost,
        behaviour,
        part.crash_input,
        part.crash_reason,
        {e.location: part.executed.get(e.location, 0) for e in patch.edits},
        part.harmed,
        part.changed,
        part.broken if 2 * part.broken <= heaps else 0,
        distance,
        part.upset if part.mended else 0,
        part.undone,
        sequel is not None and sequel.crashes(patch),
    )


def _looked_at(parts: Sequence[Part], listed: int) -> tuple[int, int]:
    """How many candidates of each part are looked at, and of those that were not tried, which come last."""
    untried = sum(part.untried for part in parts)
    sizes = [prod(mask.bit_count() for mask in part.masks.values()) for part in parts if not part.untried]
    total = sum(min(size, listed) for size in sizes)
    most = listed if total <= _LOOKED_AT else max(_LEAST, listed * _LOOKED_AT // total)
    return most, max(1, listed // max(untried, 1))


def _cost(program: Program, patch: Patch) -> int:
    """The number of edits, without the allocations that go with the statements around them."""
    kinds = (program.location(e.location).kind for e in patch.edits if isinstance(e.replacement, Deletion))
    return len(patch.edits) - sum(kind == "allocation" for kind in kinds)


def _makes(menus: Menus, part: Part, edit: Edit) -> bool:
    """Whether all repairs of a part make an edit."""
    mask, menu = part.masks.get(edit.location, 0), menus.menu(edit.location)
    if menu is None or mask.bit_count() != 1:
        return False
    return menu.choices[mask.bit_length() - 1].replacement == edit.replacement


def _closest(trace: Trace, ranker: Closest, parts: Sequence[Part]) -> list[Patch]:
    """The closest of the smallest repairs, which tells what changed functions are given.

    After a mere crash the closest may well be wrong about that, so some others are asked as well.
    """
    smallest = sorted(parts, key=lambda part: len(part.masks))  # before those that set a statement elsewhere
    asked = smallest[:_ASKED] if trace.bare else smallest[:1]
    return [next(ranker.cheapest(part, 1))[1] for part in asked]


def _cases(
    program: Program,
    trace: Trace,
    menus: Menus,
    parts: Sequence[Part],
    closest: Sequence[Patch],
    known: Known,
    accepted: Patch,
) -> list[Case]:
    """Where the changed functions are tried."""
    same = {edit.location for edit in accepted.edits if all(_makes(menus, part, edit) for part in parts)}
    changed = edited(program, parts, same) or edited(program, parts)
    if not changed:
        return []
    first, *others = closest
    told = first, tuple(others), frozenset(changed)
    return known.cases(told, lambda: cases(program, trace, menus, first, changed, others, accepted))
