"""The search of one stage, and what is tried instead where it comes to no end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import islice

from wolverine.core.patch import StopReason
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.found import Found
from wolverine.repair.engine.kinds import (
    calls_omitted,
    each_by_itself,
    freed_besides,
    jumps_tested,
    links_early,
    made_twice,
    statements_moved,
    step_by_step,
    written_directly,
)
from wolverine.repair.engine.several import in_special_cases
from wolverine.repair.engine.solving import Solving
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.special.either import either
from wolverine.repair.special.fewer import fewer
from wolverine.repair.special.singles import singular, spelled
from wolverine.repair.special.stages import BEFORE_GUARDS, GUARDED_SHARE, Stage

FIRST_SHARE = Fraction(1, 40)  # of an explicit search, before the fallback is asked
_AT_LENGTH_SHARE = Fraction(3, 4)  # of a search for one edit: what is quick to try comes behind it
_BESIDE_FEW_SHARE = Fraction(1, 10)  # where something was found already that is quick to try
_DENIED_SHARE = Fraction(1, 20)  # where the fallback has found nothing, with a few choices left out
_NEAR_SHARE = Fraction(1, 10)
_TWICE = 2  # edits where one is made in two places
_APART = 3  # functions that are searched each by itself
_APART_TO = 2  # edits
_APART_SHARE = Fraction(1, 20)
_NOTHING = Fraction(0)

_Outcome = tuple[list[Space], StopReason]  # repairs, and what ended the search


class Exploration:
    """Makes the searches of a problem's stages; knows which of them came to an end."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._solving = Solving(context)
        self._ended: dict[Stage, bool] = {}  # whether the searches made so far came to an end
        self.long = False  # two plain edits would take more work than is allowed

    @property
    def cut(self) -> bool:
        """Whether some search came to no end."""
        return not all(self._ended.values())

    def ended(self, stage: Stage) -> bool:
        """Whether such a search was made and came to an end, whatever its share was."""
        return self._ended.get(_name(stage), False)

    def search(self, stage: Stage, bench: Bench) -> Found:
        """What a stage finds, and what ended it; raises `Stopped` where all must end and nothing is found."""
        if stage.several:
            self._ended[_name(stage)] = True  # what it leaves out is nothing that other stages look for
            if stage.edits == 1:
                return in_special_cases(self.context, stage)
            if stage.edits > BEFORE_GUARDS and (alone := each_by_itself(self.context, stage.edits)):
                return Found(stage, self.context.benches.plain, alone, "budget")
            tested = self.context.benches.wider(guarded=True)
            spaces = each_by_itself(self.context, stage.edits, guarded=True)
            return Found(stage, tested, spaces, "budget")
        bench = either(bench) if stage.either else bench
        return Found(stage, bench, *self._searched(stage, bench))

    def one_edit(self, stage: Stage, bench: Bench, few: Callable[[], list[Space]]) -> Found:
        """What the search for one plain edit finds, and what ended it; raises `Stopped` as `search` does.

        Where it takes long and has found nothing yet, `few` tries repairs by two edits that are quick to try,
        to which it might leave no work; they are the answer if no single edit is found soon.  So is an edit
        with one more that frees, where to look for all sets of two would take too long.
        """
        work, most = self.context.work, self.context.most
        begun, besides = work.spent, 0
        first = replace(stage, share=FIRST_SHARE)
        found = Found(stage, bench, *self._explored(first, bench, further=stage.share))
        if not (found.spaces or self.ended(stage)):
            others = few()
            beside = others or self._freed_besides is not None
            shares = (stage.share, _BESIDE_FEW_SHARE if beside else _AT_LENGTH_SHARE)
            besides = work.spent - begun
            try:
                again = replace(stage, share=min(filter(None, shares)))
                found = Found(stage, bench, *self._explored(again, bench))
            except Stopped as stop:
                if not beside:
                    raise
                found = Found(stage, bench, [], stop.reason)
            if others and not found.spaces and not self.ended(stage):
                found = Found(replace(stage, edits=_TWICE), bench, others, found.stopped)
        self.long = work.spent - besides > most(GUARDED_SHARE)
        instead = self._freed_besides if self.long and not found.spaces else None
        return found if instead is None else instead

    @cached_property
    def _freed_besides(self) -> Found | None:
        return freed_besides(self.context)

    def _searched(self, stage: Stage, bench: Bench) -> _Outcome:
        context = self.context
        if stage.calls:
            self._ended[_name(stage)] = True  # what it leaves out is nothing that other stages look for
            return calls_omitted(context, bench, own_control=stage.own_control), "complete"
        if stage.special:
            few = singular(bench, onward=stage.onward)
            found, stopped = self._explored(stage, few)
            found = [spelled(space, few.menus, bench.menus) for space in found]
            if stage.own_control:
                found += jumps_tested(context, bench, found)
            return found, stopped
        if stage.early:
            self._ended[_name(stage)] = True
            found = links_early(context, stage, bench)
            if found and not stage.kept:
                found = [*found, *statements_moved(context, bench, own_control=stage.own_control)]
            return found, "complete"
        if stage.nearby and not stage.kept:
            return self._explored_or_solved(stage, bench)
        return self._explored(stage, bench)

    def _explored_or_solved(self, stage: Stage, bench: Bench) -> _Outcome:
        """What the explicit search finds at once; else what the fallback does, or the search at length."""
        if not self._solving.begun:  # where it was needed once, it is asked first
            first = replace(stage, share=FIRST_SHARE, nearby=False)
            found, stopped = self._explored(first, bench, further=stage.share)
            if not self.ended(stage):
                alone = each_by_itself(self.context, stage.edits)
                found = [*found, *(each for each in alone if each not in found)]
                if not found and stage.edits == _TWICE:
                    found = made_twice(self.context, bench)
            if found or self.ended(stage):
                return found, stopped
        self._ended[_name(stage)] = False
        found, verdict = self._solving.search(stage.edits)
        if verdict == "all":
            self._ended[_name(stage)] = True
            return found, "complete"
        found = found or written_directly(self.context, bench, stage)
        if found:
            return found, "budget"
        rest = stage if verdict == "unknown" else replace(stage, share=_DENIED_SHARE, nearby=False)
        return self._explored(rest, bench)

    def _explored(self, stage: Stage, bench: Bench, *, further: Fraction | None = _NOTHING) -> _Outcome:
        """What the explicit search finds; with `further` as its share once it has found something."""
        context, name = self.context, _name(stage)
        if not (stage.relaxed or bench.possible(stage.edits)):
            self._ended[name] = True
            return [], "complete"
        self._ended[name] = False
        explorer = bench.explorer(
            context.work, own_control=stage.own_control, spare=stage.spare, nodes=stage.nodes
        )
        try:
            more = context.most(further)
            with context.work.at_most(context.most(stage.share), lambda: more if explorer.found else 0):
                found = explorer.search(stage.edits, decided=bench.decided)
            self._ended[name] = True
            return found, "complete"
        except Stopped as stop:
            found = explorer.found
            if not found and not stop.of_stage:
                raise
            if stage.nearby:
                look = step_by_step if found else _nearby
                found = [*found, *(each for each in look(context, bench, stage.edits) if each not in found)]
            if (stage.nearby or (stage.spares and not found)) and stage.edits <= _APART_TO:
                found = [*found, *(each for each in self._apart(bench, stage.edits) if each not in found)]
            return found, stop.reason

    def _apart(self, bench: Bench, edits: int) -> list[Space]:
        """Repairs within one function, the first that has some."""
        for each in islice(bench.apart(), _APART):
            try:
                found = self.context.repairs(each, edits, _APART_SHARE)
            except Stopped:
                return []
            if found:
                return found
        return []

    def fewer(self, searched: Stage, found: Found) -> Found:
        """Repairs with fewer edits at the same places, where the search for so many came to no end.

        The repairs are of the stage that was `searched`, or of one with more choices.
        """
        context, stage = self.context, found.stage
        numbers = range(max(context.problem.budget.least, 1), stage.edits)
        unknown = [number for number in numbers if not self.ended(replace(searched, edits=number))]
        most = context.most(_NEAR_SHARE)
        less = fewer(found.bench, context.work, stage, found.spaces, unknown, most)
        if less is None:
            return found
        spaces, edits = less
        return replace(found, spaces=spaces, stage=replace(stage, edits=edits))


def _nearby(context: Context, bench: Bench, edits: int) -> list[Space]:
    """Where a search of so many edits came to no end: repairs close by, or put together step by step."""
    near = bench.near()
    found = context.repairs(near, edits, _NEAR_SHARE) if near is not None else []
    return found or step_by_step(context, bench, edits)


def _name(stage: Stage) -> Stage:
    """What is searched, whatever the share of the work."""
    return replace(stage, share=None, nearby=False)
