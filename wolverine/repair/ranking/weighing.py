"""How far a repair is from what is meant: its distance, what heaps tell, and what else speaks for or against.

Where states are asserted that is `Weighing`; where a crash is all that is known, `AfterACrash`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import TypeGuard

from wolverine.core.expressions import Constant, Load, text
from wolverine.core.parts import null_test, without_casts
from wolverine.core.patch import (
    NO_EDITS,
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
from wolverine.repair.heaps.entries import Case
from wolverine.repair.heaps.trials import Part, Trials
from wolverine.repair.menus.calling import writes
from wolverine.repair.menus.wording import describe
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
from wolverine.repair.ranking.mutual import cuts_before_closing, parts_mutual
from wolverine.repair.ranking.oddity import spread
from wolverine.repair.ranking.origins import origins
from wolverine.repair.ranking.reordered import Entry
from wolverine.repair.ranking.score import Scores
from wolverine.repair.ranking.sequel import Sequel
from wolverine.repair.ranking.stalled import endless, stalled, unmoved
from wolverine.repair.source.exchanged import keeps_exchanged
from wolverine.repair.source.forgotten import fields_set, never_linked
from wolverine.repair.source.freed_anyway import freed_anyway
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
_BREAKS = 0.3  # that any rule is broken, which some repair keeps
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
_CUT = 0.2  # what a ring is made of is cut in two, rather than not closed
_DOZEN = 12


class Weighing:
    """What ranks the repairs of a trace, behind what was `accepted`, when they have been tried on heaps."""

    crash = _CRASHED_ELSE  # what a crash on one of a dozen heaps adds
    idling = _ASSERTED  # the share that it counts what is left idle

    def __init__(
        self,
        program: Program,
        trace: Trace,
        ranker: Closest,
        trials: Trials,
        parts: Sequence[Part],
        *,
        scores: Scores,
        sequel: Sequel | None = None,
        accepted: Patch = NO_EDITS,
    ) -> None:
        self._program, self._trace = program, trace
        self._ranker, self._trials, self._scores = ranker, trials, scores
        self._sequel, self._accepted = sequel, accepted
        self.heaps = max(len(trials.cases) - trials.spoilt, 1)
        self._kind = self._kind_of_crash()
        came = origins(program, trace)
        # Where that null is all that a function is tried with, what it does not do then tells nothing.
        self._null = came.given(program) if self._kind == "null" else frozenset[str]()
        self._loops = stalled(program, edited(program, parts)) + endless(program, trace)
        steers = {(loop.function, name) for loop in self._loops for name in loop.tested}
        self._origins = came._replace(steers=steers, beyond=self._kind == "bounds")
        self._turned = contradicted(program, trace, self._origins)
        self._outer = outside(trace)
        self._named, self._nulled = corrected(trace), corrected(trace, null=True)
        self._least = min((part.broken for part in parts if not part.untried), default=0)
        self._mistyped = mistyped(program)
        base_case = bool(self._null) and sum(not case.doubtful for case in trials.cases) == 1
        cut_off = base_case or trials.cut_off
        tried = trials.cases
        self._rests = 0.0 if cut_off else _IDLE_MOST
        self._idle = {} if cut_off else _idle(program, trace, ranker, parts, tried, trials.covered)

    def entries(self, part: Part, most: int) -> Iterator[Entry]:
        """The closest repairs of a part, `most` at most, with what orders them."""
        known = self._told_by_heaps(part)
        for score, patch in self._ranker.cheapest(part, most):
            untried, distance = self._weighed(part, patch, score, known)
            yield (untried, distance, score, describe(self._program, patch)), part, patch, score

    def _weighed(self, part: Part, patch: Patch, score: float, known: float) -> tuple[bool, float]:
        """Whether it counts as not tried, and how far off it is in all."""
        score += _CUT * (self._trace.endless and cuts_before_closing(self._program, patch))
        if self._is_no_concern_of_heaps(patch):
            return False, score
        away = self._away(patch) + self._besides(part, patch)
        distance = round(score + known + away, 6)
        distance = round(distance + self.crash * self._crashes(part, patch) * _DOZEN / self.heaps, 6)
        return part.untried, distance

    def _kind_of_crash(self) -> str:
        return ""

    @property
    def _as_before(self) -> float:
        """How much a crash counts to which the program as it is comes as well, unless all is strict."""
        return _AS_BEFORE

    @cached_property
    def _elsewhere(self) -> float:
        strict = self._trace.strict and not self._trace.lost
        return 1.0 if strict else self._as_before

    def _resting(self, part: Part) -> float:
        """What speaks against it that statements do nothing any more."""
        return self._idle.get(id(part), self._rests) * self.idling

    def _broken(self, part: Part) -> int:
        """On how many heaps it breaks rules, or crashes elsewhere than here, as the program does."""
        return part.broken + part.standing

    def _told_by_heaps(self, part: Part) -> float:
        """What speaks against all repairs of a part."""
        broken = min(max(self._broken(part), 0), self.heaps / 2)  # hardly ever kept: rather no rule
        lost = (_LOST * part.lost + _BROKEN * broken) * _DOZEN / self.heaps
        return lost + self._resting(part) + self._on_heaps(part)

    def _on_heaps(self, part: Part) -> float:
        """What speaks against the part where states are asserted."""
        found = _BREAKS * (part.broken > self._least)
        found += _HARMED * (part.harmed > 0) + _LEAVES_TOO * part.leaves + _LOSES * (part.lost > 0)
        return found + _CHANGED_TOO * part.changed / self.heaps

    def _away(self, patch: Patch) -> float:
        """What speaks against the places of its edits."""
        program, new = self._program, patch.beside(self._accepted)
        outer = sum(program.location(e.location).function == self._outer for e in new)
        found = _AWAY * self._aside(patch) + _OUTSIDE * outer + spread(program, patch)
        found += _DIRECT * any(_sets(edit, self._named) for edit in patch.edits)
        if len(new) > 1:
            found += _NULLED * sum(
                _sets(e, self._nulled) and _sets_to_null(unguarded(e.replacement)) for e in new
            )
        found += unmoved(self._loops, patch)
        return found - _STEERED * any(e.location in self._trace.steered for e in patch.edits)

    def _aside(self, patch: Patch) -> int:
        """How many new edits cannot be what came between a right state and a wrong one."""
        new = patch.beside(self._accepted)
        return sum(self._program.location(e.location).function in self._trace.aside for e in new)

    def _besides(self, part: Part, patch: Patch) -> float:
        """What else speaks against it: that it changes what comes out, where a special case does."""
        return max(map(_unusual, patch.edits), default=0.0) * part.changed / self.heaps

    def _crashes(self, part: Part, patch: Patch) -> float:
        """On how many heaps it crashes."""
        if self._scores.makes_room(patch):
            return 0.0  # numbers that are made up do not count what there is
        return failing(part, self._elsewhere) + self._aside(patch) * self.heaps // 4

    def _is_no_concern_of_heaps(self, patch: Patch) -> bool:
        """Whether what happens on other heaps tells nothing of it."""
        if mends_types(patch, self._mistyped) or _turns_round(patch, self._turned):
            return True
        if self._scores.keeps_first(patch):  # it crashes nowhere where the program does not
            return True
        return bool(self._trace.endless) and parts_mutual(self._program, patch)  # it goes round on each


class AfterACrash(Weighing):
    """What ranks repairs where a crash is all that is known: the heaps have to tell the rest."""

    crash = _CRASHED
    idling = 1.0

    def __init__(
        self,
        program: Program,
        trace: Trace,
        ranker: Closest,
        trials: Trials,
        parts: Sequence[Part],
        *,
        scores: Scores,
        sequel: Sequel | None = None,
        accepted: Patch = NO_EDITS,
    ) -> None:
        super().__init__(
            program, trace, ranker, trials, parts, scores=scores, sequel=sequel, accepted=accepted
        )
        self._filled, self._unlinked = fields_set(program), never_linked(program)
        self._adding = allocating(program) if self._as_before else frozenset[str]()
        functions = {case.function for case in trials.cases}
        self._writing = writes(program, reachable(program, functions))
        self._frees = can_free(program)
        self._present = under_way(trace)
        # Rules that all repairs break are none, or no concern of theirs.
        self._common = min((part.broken for part in parts if not part.untried), default=0)
        self._crashed = -1 if self._kind == "bad-free" else crash_location(program, trace)
        twice = self._kind == "double-free"
        self._anyway = frozenset(freed_anyway(program, self._crashed) if twice else ())
        self._lines = cache(partial(lines_within, program))
        self._purposes: dict[tuple[Edit, bool, int], float] = {}

    def _kind_of_crash(self) -> str:
        return crash_kind(self._program, self._trace)

    @property
    def _as_before(self) -> float:
        return self._trials.passed / self.heaps

    def _weighed(self, part: Part, patch: Patch, score: float, known: float) -> tuple[bool, float]:
        if not self._is_no_concern_of_heaps(patch):
            if keeps_exchanged(self._program, patch):
                return part.untried, score - _EXCHANGED
            to_itself = self._sequel is not None and self._sequel.to_itself
            if to_itself and leaves_with_first(self._program, patch):
                return False, _LEFT
        return super()._weighed(part, patch, score, known)

    def _broken(self, part: Part) -> int:
        return part.broken - self._common  # what crashes keeps no rules

    def _on_heaps(self, part: Part) -> float:
        changed: float = part.changed
        if self._present and self._present.isdisjoint(edited(self._program, [part])):
            changed = min(changed, _ABSENT * self.heaps)  # what is wrong there need not be a special case
        found = (_LOST * part.lost * _DOZEN + _CHANGED * changed) / self.heaps
        found += _LEAKS * bool(self._trace.lost) * part.lost * _DOZEN / self.heaps
        found += _UNEVEN * (part.uneven > 0) + _UNDONE * (part.undone > 0) + _STRAYED * (part.strayed > 0)
        found += _DROPPED * (part.apart > 0)
        found += _LEAVES * (self._frees and part.leaves)
        return found + _INERT * (self._writing and part.works is False)

    def _besides(self, part: Part, patch: Patch) -> float:
        lacks = self._kind == "uninitialised"
        otherwise = lacks or all(_sets_otherwise(self._program, edit) for edit in patch.edits)
        filling = part.filling > 0 and otherwise
        speaking = against(
            self._program,
            patch,
            self._adding,
            part,
            self._trials.passed,
            filled=self._filled,
            unlinked=self._unlinked,
            lacks=lacks,
            origins=self._origins,
            crashed=self._crashed,
            given=self._null,
            known=self._purposes,
            anyway=self._anyway,
        )
        if self._scores.sets_first(patch):  # what it changes is what was tested in vain
            speaking = min(speaking, 0.0) - _CHANGED * part.changed / self.heaps - self._resting(part)
        elif deletes_repeated(self._program, patch) or any(read_early(self._program, patch)):
            # and what was passed over on other heaps, or spoilt there as well
            speaking -= _CHANGED * part.changed / self.heaps
        return speaking - _FILLING * filling

    def _crashes(self, part: Part, patch: Patch) -> float:
        within = _BEYOND * beyond(patch, part, self._lines, self._trials.besides)
        return super()._crashes(part, patch) - within

    def _is_no_concern_of_heaps(self, patch: Patch) -> bool:
        program, scores = self._program, self._scores
        return (
            super()._is_no_concern_of_heaps(patch)
            # it did not come to that before
            or scores.links_first(patch)
            or scores.asks_of_another(patch)
            or opens_ring(program, patch)
            # nor is there a stale pointer on many of them
            or (self._trace.strict and scores.renews(patch, self._origins))
            # and numbers that are made up do not count what refers to a node
            or (self._kind in STALE and (scores.frees_last(patch) or scores.counts_reference(patch)))
            # and a copy is another node wherever one is made
            or (self._kind == "bad-free" and _copies_instead(program, patch))
        )


def edited(program: Program, parts: Sequence[Part], same: Collection[int] = ()) -> set[str]:
    """The functions in which the repairs edit something, but for what they all do at the locations `same`."""
    found = {location for part in parts for location in part.masks}.difference(same)
    return {program.location(location).function for location in found}


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
