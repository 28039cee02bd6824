"""From spaces of repairs to ranked candidates (edit distance, then what they do on fresh heaps)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import islice
from math import prod

from wolverine.core.expressions import Constant, lvalue_text, text, variables
from wolverine.core.patch import (
    Candidate,
    Deletion,
    Edit,
    Guarded,
    NewAssignment,
    NewCall,
    NewNode,
    NewReturn,
    NewValue,
    Patch,
    Replacement,
    Several,
)
from wolverine.core.program import Assign, Program
from wolverine.core.trace import Trace
from wolverine.repair.candidates import Menus
from wolverine.repair.entries import Case, cases
from wolverine.repair.equality import comparisons
from wolverine.repair.forgotten import forgets, unread
from wolverine.repair.guards import Product
from wolverine.repair.idle import Idle
from wolverine.repair.menu import Menu
from wolverine.repair.moves import shifts
from wolverine.repair.omitted import allocating
from wolverine.repair.pictured import Pictured
from wolverine.repair.score import Scores
from wolverine.repair.spaces import Space
from wolverine.repair.swapped import exchanged
from wolverine.repair.trials import Part, Trials

_UNDER_ONE_TEST = 6
_LOST = 0.15  # what a lost node on a dozen fresh heaps adds to the distance
_BROKEN = 0.4  # what links that no more lead back on one of a dozen fresh heaps add
_AWAY = 1.0  # what an edit adds that cannot be what came between a right state and a wrong one
_CHANGED = 2.4  # what it adds that a repair changes what comes out where nothing crashed: of all heaps
_ADDING = 1.5  # a call that adds nodes, where the program as it is gets along on some heaps without
_DISCARDED = 0.8  # a parameter is set before anything has read it
_IDLE = 0.7  # a statement that does nothing any more on any heap
_IDLE_MOST = 2.0
_CRASHED = 0.8  # a crash on one of a dozen fresh heaps, where a crash is all that is known
_CRASHED_ELSE = 2.0  # and elsewhere: some heaps are none that ever come
_OUTSIDE = 0.6  # an edit in the function that began it all, where another one crashed
_IN_VAIN = 0.7  # what speaks against no longer using what a call returned
_HIDING = 0.4  # against the test around the statement that is there, and a constant in the place of a value
_OMITTED = 0.4  # what is in favour of setting a field that a function never sets, where it sets others
_UNREAD = 4.0  # where a temporary that is read no more is not left as it was when the rest was asserted
_AMISS = 0.2  # for every place that is other than it was shown where the user corrected others
_AMISS_MOST = 0.8
_LOOKED_AT = 60  # behaviours that are asked for that
_ASKED = 8  # repairs that tell what is built where the execution begins with nearly nothing
_DOZEN = 12
_MOVED = 1.04  # the distance of a statement that stands behind its neighbour instead
_COMPARED = 0.1  # `==` in the place of `=`: hardly ever is a condition meant to assign
_EXCHANGED = 1.0  # two arguments in the other order
_FARTHER = 0.3  # and of every statement more that it is moved across


_Entry = tuple[tuple[bool, float, float, str], Part, Patch, float]  # order, part, patch, distance


@dataclass(frozen=True)
class Ranking:
    """Candidates in order of rank, the number of behaviours, and of all repairs."""

    candidates: tuple[Candidate, ...]
    behaviours: int
    total: int


def rank(
    program: Program, trace: Trace, menus: Menus, spaces: Sequence[Space], patience: int, listed: int = 400
) -> Ranking:
    """Rank the repairs: by distance, crashes, lost nodes and broken links on fresh heaps, then text.

    `patience` is the number of machine steps that a run on a fresh heap may take; the best `listed` are told.
    """
    total = sum(prod(mask.bit_count() for mask in space.masks.values()) for space in spaces)
    ranker = _Ranker(program, menus)
    parts = [Part(space.masks, space.executed) for space in spaces]
    parts.sort(key=ranker.best)
    tried = _cases(program, trace, menus, ranker, parts)
    trials = Trials(program, trace, tried, menus, patience)
    parts = trials.apart(parts)
    heaps = max(len(tried), 1)
    special = trials.passed / heaps if trace.bare else 0.0
    found: list[_Entry] = []
    bare = trace.bare
    adding = allocating(program) if special else frozenset()
    idle = _idle(program, trace, ranker, parts, tried) if bare else {}
    outside = _outside(trace)
    for part in parts:
        lost = (_LOST * part.lost + _BROKEN * part.broken) * _DOZEN / heaps
        if bare:
            lost += (_LOST * part.lost * _DOZEN + _CHANGED * part.changed) / heaps
            lost += idle.get(id(part), _IDLE_MOST)
        for score, patch in ranker.cheapest(part, listed):
            away = sum(program.location(e.location).function in trace.aside for e in patch.edits)
            crashes = _failures(part, special) + away * heaps // 4
            outer = sum(program.location(e.location).function == outside for e in patch.edits)
            away_from = _AWAY * away + _OUTSIDE * outer
            if bare:
                away_from += sum(_purpose(program, e) + _ADDING * _adds(e, adding) for e in patch.edits)
            distance = round(score + lost + away_from, 6)
            distance = round(distance + (_CRASHED if bare else _CRASHED_ELSE) * crashes * _DOZEN / heaps, 6)
            order = (part.untried, distance, score, describe(program, patch))
            found.append((order, part, patch, score))
    if bare:
        found = _in_vain(found)
    found.sort(key=lambda entry: entry[0])
    if trace.pictured:
        found = _as_pictured(program, trace, menus, found)
    found = _plain_first(program, found)
    behaviours: dict[object, int] = {}
    candidates: list[Candidate] = []
    told: set[Patch] = set()
    for _, part, patch, score in found:
        if menus.guarded and patch in told:
            continue  # one repair may be in several spaces
        told.add(patch)
        number = behaviours.setdefault(part.outcomes if tried else 0, len(behaviours) + 1)
        if len(candidates) < listed:
            candidates.append(
                Candidate(
                    patch,
                    len(patch.edits),
                    score,
                    part.crashes,
                    part.lost,
                    number,
                    part.crash_input,
                    part.crash_reason,
                    {e.location: part.executed.get(e.location, 0) for e in patch.edits},
                    part.harmed,
                )
            )
    return Ranking(tuple(candidates), len(behaviours), total)


def _purpose(program: Program, edit: Edit) -> float:
    """What speaks against an edit: less than nothing where it sets a field that its function forgets.

    What no longer uses what a call returned makes the call in vain.
    """
    location, made = program.location(edit.location), edit.replacement
    function = program.functions[location.function]
    if location.kind == "gap":
        plain = made.statement if isinstance(made, Guarded) else made
        if not isinstance(plain, NewAssignment):
            return 0.0
        forgotten = plain is made and forgets(function, plain.target)
        return _DISCARDED * unread(function, location.id, plain.target) - _OMITTED * forgotten
    if isinstance(made, Guarded):
        return _HIDING if made.otherwise is None else 0.0
    if not isinstance(made, NewAssignment | NewValue):
        return 0.0
    step = next((s for s in function.code if s.location == edit.location and isinstance(s, Assign)), None)
    if step is None:
        return 0.0
    returned = {name for name in variables(step.value) if name.startswith("$")}
    if not returned <= variables(made.value):
        return _IN_VAIN
    return _HIDING if isinstance(made.value, Constant) and variables(step.value) else 0.0


def _in_vain(found: list[_Entry]) -> list[_Entry]:
    """With what speaks against what makes no difference on any heap: an `else`, or the statement itself."""
    without = {patch: part.outcomes for _, part, patch, _ in found}
    made = []
    for (untried, distance, score, words), part, patch, plain in found:
        if any(without.get(less) == part.outcomes for less in _less(patch)):
            distance = round(distance + _HIDING, 6)
        made.append(((untried, distance, score, words), part, patch, plain))
    return made


def _less(patch: Patch) -> Iterator[Patch]:
    """The patches that do less than this one with one edit: no `else`, no statement."""
    match patch.edits:
        case (Edit(location, Guarded(condition, statement, NewAssignment())),):
            yield Patch((Edit(location, Guarded(condition, statement)),))
        case (Edit(location, NewAssignment() | NewValue()),):
            yield Patch((Edit(location, Deletion()),))


def _failures(part: Part, special: float) -> float:
    """On how many heaps a repair fails.

    Where the program as it is gets along on most (`special`), a special case is missing rather than
    anything wrong with the others, and what fails elsewhere is another fault.
    """
    return part.crashes + part.evaded - special * part.standing


def _adds(edit: Edit, adding: Collection[str]) -> bool:
    """Whether an edit is a call of one of these functions the result of which nothing keeps."""
    made = edit.replacement
    return isinstance(made, NewCall) and made.target is None and made.function in adding


def _outside(trace: Trace) -> str:
    """The function in which the execution begins, where it only called what crashed ("": another)."""
    first = trace.start_stack[0][0]
    crash = trace.crash if trace.bare else None
    return first if crash is not None and crash.position.function != first else ""


def _idle(
    program: Program, trace: Trace, ranker: _Ranker, parts: Sequence[Part], tried: Sequence[Case]
) -> dict[int, float]:
    """What it adds to the distances of the closest parts, by identity, that they leave statements idle."""
    if not parts:
        return {}
    failures = [(part.untried, part.crashes + part.evaded - part.standing) for part in parts]
    least = min(failures)
    best = [part for part, each in zip(parts, failures, strict=True) if each == least]
    nearest = min(ranker.best(part)[0] for part in best)
    near = [part for part in best if ranker.best(part)[0] <= nearest + _IDLE_MOST]
    idle = Idle(program, trace, tried)
    counts = {id(part): idle.count(next(ranker.cheapest(part, 1))[1], part.seen) for part in near}
    fewest = min(counts.values())
    return {each: min(_IDLE_MOST, _IDLE * (count - fewest)) for each, count in counts.items()}


def _as_pictured(program: Program, trace: Trace, menus: Menus, found: list[_Entry]) -> list[_Entry]:
    """Those before others that leave more of what corrected pictures showed as it was.

    Of each behaviour the closest repair tells it for all.  What temporaries held that are read no more
    (pictures without nodes) is told of each repair by itself.
    """
    pictures = [assertion for assertion in trace.pictured if assertion.states]
    unread = [assertion for assertion in trace.pictured if not assertion.states]
    pictured = Pictured(program, trace, menus, pictures) if pictures else None
    kept = Pictured(program, trace, menus, unread) if unread else None
    added: dict[int, float] = {}
    for _, part, patch, _ in found:
        if pictured is not None and id(part) not in added:
            amiss = pictured.amiss(patch) if len(added) < _LOOKED_AT else None
            added[id(part)] = _AMISS_MOST if amiss is None else min(_AMISS * amiss, _AMISS_MOST)
    made = []
    for (untried, distance, score, words), part, patch, plain in found:
        other = _UNREAD if kept is not None and kept.amiss(patch) != 0 else 0.0
        distance = round(distance + added.get(id(part), 0.0) + other, 6)
        made.append(((untried, distance, score, words), part, patch, plain))
    return sorted(made, key=lambda entry: entry[0])


def _plain_first(program: Program, found: list[_Entry]) -> list[_Entry]:
    """Before what moves a statement the closest that does the same with fewer edits."""
    ordered: dict[Patch, _Entry] = {}
    for entry in found:
        _, part, patch, _ = entry
        if patch not in ordered and any(shifts(program, patch)):
            alike = (each for each in found if each[1].outcomes == part.outcomes)
            fewer = next((each for each in alike if len(each[2].edits) < len(patch.edits)), None)
            if fewer is not None:
                ordered.setdefault(fewer[2], fewer)
        ordered.setdefault(patch, entry)
    return list(ordered.values())


def _cases(
    program: Program, trace: Trace, menus: Menus, ranker: _Ranker, parts: Sequence[Part]
) -> list[Case]:
    """Where the changed functions are tried; the closest repair tells what they are given.

    After a mere crash the closest may well be wrong about that, so some others are asked as well.
    """
    changed = {program.location(location).function for part in parts for location in part.masks}
    if not changed:
        return []
    asked = parts[:_ASKED] if trace.bare else parts[:1]
    closest, *others = (next(ranker.cheapest(part, 1))[1] for part in asked)
    return cases(program, trace, menus, closest, changed, others)


class _Ranker:
    def __init__(self, program: Program, menus: Menus) -> None:
        self._menus = menus
        self._program = program
        self._scores = Scores(program)
        self._orders: dict[int, list[int]] = {}
        self._sorted: dict[tuple[int, int], list[tuple[float, str, Edit]]] = {}

    def options(self, location: int, mask: int) -> list[tuple[float, str, Edit]]:
        """The edits of a mask, closest first."""
        found = self._sorted.get((location, mask))
        if found is None:
            menu = self._menus.menu(location)
            assert menu is not None
            found = []
            for number in self._numbers(location, menu, mask):
                edit = Edit(location, menu.choices[number].replacement)
                found.append((self._scores.edit(edit), replacement_text(edit.replacement), edit))
            found.sort(key=lambda option: option[:2])
            self._sorted[location, mask] = found
        return found

    def _numbers(self, location: int, menu: Menu, mask: int) -> Iterator[int]:
        """The choices of a mask; of statements under one test only the closest."""
        if not isinstance(menu.choices, Product):
            while mask:
                bit = mask & -mask
                mask ^= bit
                yield bit.bit_length() - 1
            return
        order = self._orders.get(location)
        if order is None:
            statements = menu.choices.statements
            used = statements.used | statements.leaving
            scored = [
                (self._scores.edit(Edit(location, statements[i])), i)
                for i in range(statements.width)
                if used >> i & 1
            ]
            order = self._orders[location] = [i for _, i in sorted(scored)]
        for test, inner in menu.choices.blocks(mask):
            chosen = (i for i in order if inner >> i & 1)
            for i in chosen if test < 0 else islice(chosen, _UNDER_ONE_TEST):
                yield (test + 1) * menu.choices.width + i

    def _saved(self, patch: Patch) -> float:
        """By how much two edits that are one change are closer than these."""
        saved = sum(
            self._scores.edit(gone) + self._scores.edit(put) - _MOVED - _FARTHER * max(between - 1, 0)
            for gone, put, between in shifts(self._program, patch)
        )
        saved += sum(
            self._scores.edit(one) + self._scores.edit(other) - _EXCHANGED
            for one, other in exchanged(self._program, patch)
        )
        return saved + sum(
            self._scores.edit(gone) + self._scores.edit(asked) - _COMPARED
            for gone, asked in comparisons(self._program, patch)
        )

    def best(self, part: Part) -> tuple[float, tuple[tuple[int, int], ...]]:
        """The distance of a part's closest candidate, and a tie-break."""
        score = sum(self.options(location, mask)[0][0] for location, mask in part.masks.items())
        return score, tuple(sorted(part.masks.items()))

    def cheapest(self, part: Part, limit: int) -> Iterator[tuple[float, Patch]]:
        """The part's candidates by distance, at most `limit`."""
        columns = [self.options(location, part.masks[location]) for location in sorted(part.masks)]
        start = (0,) * len(columns)
        queue: list[tuple[float, tuple[str, ...], tuple[int, ...]]] = []
        seen = {start}

        def push(chosen: tuple[int, ...]) -> None:
            options = [column[i] for column, i in zip(columns, chosen, strict=True)]
            score = round(sum(option[0] for option in options), 6)
            heappush(queue, (score, tuple(option[1] for option in options), chosen))

        push(start)
        while queue and limit:
            score, _, chosen = heappop(queue)
            limit -= 1
            patch = Patch(tuple(column[i][2] for column, i in zip(columns, chosen, strict=True)))
            yield score - self._saved(patch), patch
            for at, column in enumerate(columns):
                following = (*chosen[:at], chosen[at] + 1, *chosen[at + 1 :])
                if following[at] < len(column) and following not in seen:
                    seen.add(following)
                    push(following)


def replacement_text(replacement: Replacement) -> str:
    """C text of what an edit puts in place."""
    match replacement:
        case NewAssignment(target, value):
            return f"{lvalue_text(target)} = {text(value)}"
        case NewValue(value):
            return text(value)
        case NewCall(function, arguments, result):
            stored = "" if result is None else f"{lvalue_text(result)} = "
            return f"{stored}{function}({', '.join(text(a) for a in arguments)})"
        case NewReturn(returned, before):
            last = "return" if returned is None else f"return {text(returned)}"
            return last if before is None else f"{replacement_text(before)}; {last}"
        case Guarded(condition, statement, otherwise):
            rest = "" if otherwise is None else f"; else {replacement_text(otherwise)}"
            return f"if ({text(condition)}) {replacement_text(statement)}{rest}"
        case NewNode(target):
            return f"{lvalue_text(target)} = malloc(sizeof(*{lvalue_text(target)}))"
        case Several(statements):
            return "; ".join(map(replacement_text, statements))
        case Deletion():
            return ""


def describe(program: Program, patch: Patch) -> str:
    """A text of the patch that orders candidates of equal rank: by location, then by what is put there."""
    return " | ".join(f"{e.location:06} {replacement_text(e.replacement)}" for e in patch.edits)
