"""From spaces of repairs to ranked candidates (edit distance, then what they do on fresh heaps)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import prod
from typing import TypeGuard

from wolverine.core.expressions import Constant, Load, text
from wolverine.core.parts import null_test, without_casts
from wolverine.core.patch import (
    NO_EDITS,
    Candidate,
    Deletion,
    Edit,
    Guarded,
    NewAssignment,
    NewBlock,
    NewCall,
    NewNode,
    NewValue,
    Patch,
    unguarded,
)
from wolverine.core.program import Program, reachable
from wolverine.core.trace import Trace
from wolverine.core.types import PointerType
from wolverine.repair.execution.spaces import Space
from wolverine.repair.heaps.entries import Case, cases
from wolverine.repair.heaps.known import Known
from wolverine.repair.heaps.own_faults import OwnFaults
from wolverine.repair.heaps.trials import Part, Trials
from wolverine.repair.menus.calling import writes
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import describe
from wolverine.repair.ranking.aliased import aliased
from wolverine.repair.ranking.begun import Begun
from wolverine.repair.ranking.closest import Closest
from wolverine.repair.ranking.contradicted import contradicted
from wolverine.repair.ranking.corrected import Places, corrected, sets
from wolverine.repair.ranking.crashed import (
    against,
    beyond,
    crash_kind,
    crash_location,
    failing,
    lines_within,
    outside,
    under_way,
)
from wolverine.repair.ranking.first_node import leaves_with_first
from wolverine.repair.ranking.idle import Idle
from wolverine.repair.ranking.mutual import parts_mutual
from wolverine.repair.ranking.oddity import spread
from wolverine.repair.ranking.origins import origins
from wolverine.repair.ranking.reordered import (
    Entry,
    as_before,
    as_begun,
    as_pictured,
    going_on,
    in_vain,
    plain_first,
    upsetting,
)
from wolverine.repair.ranking.score import Scores
from wolverine.repair.ranking.sequel import Sequel
from wolverine.repair.ranking.stalled import endless, stalled, unmoved
from wolverine.repair.source.exchanged import keeps_exchanged
from wolverine.repair.source.forgotten import fields_set, never_linked
from wolverine.repair.source.frees import can_free
from wolverine.repair.source.mistyped import mends_types, mistyped
from wolverine.repair.source.repeated import deletes_repeated
from wolverine.repair.special.early import read_early
from wolverine.repair.special.moves import opens_ring
from wolverine.repair.special.omitted import allocating
from wolverine.repair.special.severed import STALE

_LOST = 0.15  # what a lost node on a dozen fresh heaps adds to the distance
_DROPPED = 1.0  # and where the program crashed on it, which loses none on others
_LEAKS = 0.3  # and more where that nodes are lost is the fault
_BROKEN = 0.6  # what links that no more lead back on one of a dozen fresh heaps add
_AWAY = 1.0  # what an edit adds that cannot be what came between a right state and a wrong one
_CHANGED = 2.4  # what it adds that a repair changes what comes out where nothing crashed: of all heaps
_CHANGED_TOO = 0.02  # and elsewhere, between equals
_UNUSUAL = 2.4  # but that of special cases of several statements, which are few
_THERE = 0.8  # and where they hand on what there is, if there is anything, and then there is nothing
_ABSENT = 0.25  # and at most that share where a function had come to its end before the crash
_STRAYED = 1.2  # where freed memory is used: that it comes to something else than if it could be
_IDLE = 0.7  # a statement that does nothing any more on any heap
_IDLE_MOST = 2.0
_ASSERTED = 0.3  # how much of that where states are asserted
_CRASHED = 0.8  # a crash on one of a dozen fresh heaps, where a crash is all that is known
_BEYOND = 0.5  # so much less where it does so in a function that the repair calls
_CRASHED_ELSE = 2.0  # and elsewhere: some heaps are none that ever come
_DIRECT = -0.08  # a place like the one that was corrected is set
_NULLED = -0.45  # of several edits one sets to null what somebody said to be null
_HARMED = 0.4  # there, that it crashes at all where the program as it is does not
_FILLING = 0.8  # in favour of a change by which new nodes hold what they did not
_AS_BEFORE = 0.8  # so little a crash counts that the program as it is comes to as well
_LOSES = 0.15  # where states are asserted, that any node is lost
_LEAVES = 0.5  # it loses nodes as the program does, which frees nodes elsewhere
_LEAVES_TOO = 0.05  # and elsewhere, between equals
_INERT = 1.0  # a function that writes does nothing on any heap
_UNDONE = 1.0  # where it crashed amid its work a function does nothing at all
_UNEVEN = 0.5  # it makes a node everywhere but where it crashed
_OUTSIDE = 0.6  # an edit in the function that began it all, where another one crashed
_STEERED = 1.2  # in favour of an edit of a condition where the user forced the branch
_EXCHANGED = 2.0  # in favour of not freeing a node that has just changed places
_LEFT = 0.5  # where a node leads to itself, the distance of the `return` without which it does
_ASKED = 8  # repairs that tell what is built where the execution begins with nearly nothing
_DOZEN = 12
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
    parts.sort(key=ranker.best)
    known = known or Known()
    own = own or OwnFaults(program, trace)
    closest = _closest(trace, ranker, parts)
    given = _cases(program, trace, menus, parts, closest, known, accepted)
    kind = crash_kind(program, trace) if trace.bare else ""
    lacks = kind == "uninitialised"
    trials = Trials(
        program,
        trace,
        given,
        menus,
        patience,
        ranker.best,
        unset=lacks,
        beyond=kind in ("", "bounds"),
        over=over,
        known=known,
        accepted=accepted,
        closest=closest,
        own=own,
    )
    tried = trials.cases
    parts = trials.apart(parts)
    compared = not over()
    heaps = max(len(tried) - trials.spoilt, 1)
    found: list[Entry] = []
    bare = trace.bare
    special = trials.passed / heaps if bare else _AS_BEFORE
    elsewhere = 1.0 if trace.strict and not trace.lost else special
    filled = fields_set(program) if bare else frozenset()
    unlinked = never_linked(program) if bare else frozenset()
    adding = allocating(program) if bare and special else frozenset()
    writing = bare and writes(program, reachable(program, {case.function for case in tried}))
    frees = bare and can_free(program)
    came = origins(program, trace)
    # Where that null is all that a function is tried with, what it does not do then tells nothing.
    null = came.given(program) if kind == "null" else frozenset[str]()
    base_case = bool(null) and sum(not case.doubtful for case in tried) == 1
    cut_off = base_case or trials.cut_off
    idle = {} if cut_off else _idle(program, trace, ranker, parts, tried, trials.covered)
    rests = 0.0 if cut_off else _IDLE_MOST
    outer_function = outside(trace)
    present = under_way(trace)
    # Rules that all repairs break are none, or no concern of theirs.
    common = min((part.broken for part in parts if not part.untried), default=0) if bare else 0
    loops = stalled(program, _changed(program, parts)) + endless(program, trace)
    steers = {(loop.function, name) for loop in loops for name in loop.tested}
    came = came._replace(steers=steers, beyond=kind == "bounds")
    turned = contradicted(program, trace, came)
    named, nulled = corrected(trace), corrected(trace, null=True)
    crashed = crash_location(program, trace)
    wrong_types = mistyped(program)
    called_lines = cache(partial(lines_within, program))
    purposes: dict[tuple[Edit, bool, int], float] = {}
    most, fewer = _looked_at(parts, listed)
    for part in parts:
        kept = part.broken - common + (0 if bare else part.standing)  # what crashes keeps no rules
        broken = min(max(kept, 0), heaps / 2)  # what is hardly ever kept is rather no rule
        lost = (_LOST * part.lost + _BROKEN * broken) * _DOZEN / heaps
        resting = idle.get(id(part), rests) * (1.0 if bare else _ASSERTED)
        lost += resting
        if bare:
            changed: float = part.changed
            if present and present.isdisjoint(_changed(program, [part])):
                changed = min(changed, _ABSENT * heaps)  # what is wrong there need not be a special case
            lost += (_LOST * part.lost * _DOZEN + _CHANGED * changed) / heaps
            lost += _LEAKS * bool(trace.lost) * part.lost * _DOZEN / heaps
            lost += _UNEVEN * (part.uneven > 0) + _UNDONE * (part.undone > 0) + _STRAYED * (part.strayed > 0)
            lost += _DROPPED * (part.apart > 0)
            lost += _LEAVES * (frees and part.leaves)
            lost += _INERT * (writing and part.works is False)
        else:
            lost += _HARMED * (part.harmed > 0) + _LEAVES_TOO * part.leaves + _LOSES * (part.lost > 0)
            lost += _CHANGED_TOO * part.changed / heaps
        for score, patch in ranker.cheapest(part, fewer if part.untried else most):
            new = patch.beside(accepted)
            away = sum(program.location(e.location).function in trace.aside for e in new)
            crashes = failing(part, elsewhere) + away * heaps // 4
            if scores.makes_room(patch):
                crashes = 0.0  # numbers that are made up do not count what there is
            crashes -= _BEYOND * beyond(patch, part, called_lines, trials.besides) if bare else 0
            outer = sum(program.location(e.location).function == outer_function for e in new)
            away_from = _AWAY * away + _OUTSIDE * outer + spread(program, patch)
            away_from += _DIRECT * any(_sets(edit, named) for edit in patch.edits)
            if len(new) > 1:
                away_from += _NULLED * sum(
                    _sets(e, nulled) and _sets_to_null(unguarded(e.replacement)) for e in new
                )
            away_from += unmoved(loops, patch)
            away_from -= _STEERED * any(e.location in trace.steered for e in patch.edits)
            if bare:
                filling = part.filling > 0 and all(_sets_otherwise(program, edit) for edit in patch.edits)
                away_from -= _FILLING * filling
                speaking = against(
                    program,
                    patch,
                    adding,
                    part,
                    trials.passed,
                    filled=filled,
                    unlinked=unlinked,
                    lacks=lacks,
                    origins=came,
                    crashed=-1 if kind == "bad-free" else crashed,
                    given=null,
                    known=purposes,
                )
                if scores.sets_first(patch):  # what it changes is what was tested in vain
                    speaking = min(speaking, 0.0) - _CHANGED * part.changed / heaps - resting
                elif deletes_repeated(program, patch) or any(read_early(program, patch)):
                    # and what was passed over on other heaps, or spoilt there as well
                    speaking -= _CHANGED * part.changed / heaps
                away_from += speaking
            else:
                unusual = max(map(_unusual, patch.edits), default=0.0)
                away_from += unusual * part.changed / heaps
            distance = round(score + lost + away_from, 6)
            distance = round(distance + (_CRASHED if bare else _CRASHED_ELSE) * crashes * _DOZEN / heaps, 6)
            mends = mends_types(patch, wrong_types) or _turns_round(patch, turned)
            untried = part.untried
            if (
                mends
                # it did not come to that before
                or (bare and (scores.links_first(patch) or scores.asks_of_another(patch)))
                # on every heap it goes round
                or (trace.endless and parts_mutual(program, patch))
                or (bare and opens_ring(program, patch))
                # nor is there a stale pointer on many of them
                or (bare and trace.strict and scores.renews(patch, came))
                # and numbers that are made up do not count what refers to a node
                or (bare and kind in STALE and scores.frees_last(patch))
                # and a copy is another node wherever one is made
                or (kind == "bad-free" and _copies_instead(program, patch))
            ):
                distance, untried = score, False  # what happens on other heaps tells nothing
            elif bare and keeps_exchanged(program, patch):
                distance = score - _EXCHANGED
            elif sequel is not None and sequel.to_itself and leaves_with_first(program, patch):
                distance, untried = _LEFT, False
            order = (untried, distance, score, describe(program, patch))
            found.append((order, part, patch, score))
    if menus.guarded:
        found = upsetting(program, trace, found, scores.links_first)
    if bare:
        found = going_on(
            sequel, in_vain(found), trials.besides, lambda patch, name: own.of(name, menus, patch)
        )
    found.sort(key=lambda entry: entry[0])
    if trace.pictured or trace.approved is not None:
        found = as_pictured(program, trace, menus, found, known)
    if not bare:
        found = as_begun(found, Begun(program, trace, known.amiss("begun")))
        found = as_before(program, trace, menus, found)
        found = plain_first(program, found)
    behaviours: dict[object, int] = {}
    candidates: list[Candidate] = []
    told: set[Patch] = set()
    for (_, distance, *_), part, patch, score in found:
        if menus.guarded and patch in told:
            continue  # one repair may be in several spaces
        told.add(patch)
        number = behaviours.setdefault(part.outcomes if tried else 0, len(behaviours) + 1)
        if len(candidates) < listed:
            candidates.append(
                Candidate(
                    patch,
                    _cost(program, patch),
                    score,
                    part.crashes,
                    part.lost,
                    number,
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
            )
    return Ranking(tuple(candidates), len(behaviours), total, compared)


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


def _changed(program: Program, parts: Sequence[Part], same: Collection[int] = ()) -> set[str]:
    """The functions in which the repairs edit something, but for what they all do at the locations `same`."""
    found = {location for part in parts for location in part.masks}.difference(same)
    return {program.location(location).function for location in found}


def _makes(menus: Menus, part: Part, edit: Edit) -> bool:
    """Whether all repairs of a part make an edit."""
    mask, menu = part.masks.get(edit.location, 0), menus.menu(edit.location)
    if menu is None or mask.bit_count() != 1:
        return False
    return menu.choices[mask.bit_length() - 1].replacement == edit.replacement


def _sets_otherwise(program: Program, edit: Edit) -> bool:
    """Whether an edit changes an assignment that is there."""
    made = isinstance(edit.replacement, NewAssignment | NewValue | Guarded)
    return made and program.location(edit.location).kind != "gap"


def _turns_round(patch: Patch, turned: Mapping[int, Collection[str]]) -> bool:
    """Whether the patch does no more than turn round a test that contradicts the code."""
    match patch.edits:
        case (Edit(location, NewValue(value)),):
            return text(value) in turned.get(location, ())
    return False


def _sets(edit: Edit, places: Places) -> bool:
    """Whether an edit assigns to one of these places."""
    made = unguarded(edit.replacement)
    return isinstance(made, NewAssignment) and sets(made.target, places)


def _unusual(edit: Edit) -> float:
    """How much it speaks against an edit that it changes what comes out on all heaps: a special case is rare.

    Less where `if (p->rest != NULL) { drop(p->rest); p->rest = NULL; }` asks just for what it hands on.
    """
    match edit.replacement:
        case Guarded(condition, NewBlock(statements)):
            passed = [without_casts(a) for s in statements if isinstance(s, NewCall) for a in s.arguments]
            match null_test(condition):
                case place, "!=" if Load(place) in passed:
                    emptied = any(_sets_to_null(each) and each.target == place for each in statements)
                    return _THERE if emptied else _UNUSUAL
            return _UNUSUAL
    return 0.0


def _copies_instead(program: Program, patch: Patch) -> bool:
    """Whether it only keeps a copy of a string where a pointer to it was kept."""
    match patch.edits:
        case (Edit(location, NewNode(copied=True)),):
            return program.location(location).kind != "gap"
    return False


def _sets_to_null(made: object) -> TypeGuard[NewAssignment]:
    """Whether that assigns the null pointer."""
    match made:
        case NewAssignment(target, Constant(0)):
            return isinstance(target.type, PointerType)
    return False


def _idle(
    program: Program,
    trace: Trace,
    ranker: Closest,
    parts: Sequence[Part],
    tried: Sequence[Case],
    covered: int,
) -> dict[int, float]:
    """What it adds to the distances of the closest parts, by identity, that they leave statements idle."""
    if not parts:
        return {}
    failures = [(part.untried, failing(part, 1.0)) for part in parts]
    least = min(failures)
    best = [part for part, each in zip(parts, failures, strict=True) if each == least]
    nearest = min(ranker.best(part)[0] for part in best)
    near = [part for part in best if ranker.best(part)[0] <= nearest + _IDLE_MOST]
    idle = Idle(program, trace, tried, covered)
    counts = {id(part): idle.count(next(ranker.cheapest(part, 1))[1], part.seen) for part in near}
    fewest = min(counts.values())
    return {each: min(_IDLE_MOST, _IDLE * (count - fewest)) for each, count in counts.items()}


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
    changed = _changed(program, parts, same) or _changed(program, parts)
    if not changed:
        return []
    first, *others = closest
    told = first, tuple(others), frozenset(changed)
    return known.cases(told, lambda: cases(program, trace, menus, first, changed, others, accepted))
