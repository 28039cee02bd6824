"""Statements under a test besides what was found, where a special case seems to be missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import takewhile

from wolverine.core.patch import Repairs
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.found import Found
from wolverine.repair.execution.spaces import Space
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.ranking.answered import (
    answers_alike,
    broken_by,
    fails_later,
    failures,
    far_off,
    harmful,
    sheltered_only,
    spoils,
)
from wolverine.repair.ranking.corrected import corrected, setting
from wolverine.repair.ranking.sheltering import sheltering
from wolverine.repair.source.stepping import steps_unappended
from wolverine.repair.special.declaring import declared, declaring
from wolverine.repair.special.severing import targeting
from wolverine.repair.special.stages import BEFORE_GUARDS, GUARDED_SHARE, SPARES_SHARE

_FAR_SHARE = Fraction(1, 100)  # where the best of the repairs is far off
_TIMES = 2  # times that share of the work where each function is searched by itself


def with_cases(context: Context, found: Found, answer: Repairs) -> Repairs:
    """The answer, or what comes of it with repairs by statements under a test."""
    stage = replace(found.stage, guarded=True)
    if not (fails_later(context.problem, answer) or answers_alike(context.problem, answer)):
        more = context.with_more(found, stage, lambda bench: _where_it_harms(context, found, answer, bench))
        return answer if more is found else context.ranked(more)
    if (declared := _with_a_variable(context, found, answer)) is not None:
        return declared

    def tested(bench: Bench) -> list[Space]:
        alone = _guarded(context, bench, found.spaces, GUARDED_SHARE)
        changed = {edit.location for edit in answer.candidates[0].patch.edits}
        harming = len(changed) > 1 and not changed.isdisjoint(harmful(context.problem.program, answer))
        beside = _under_tests(context, found, answer, bench) if harming else []
        return [*alone, *(space for space in beside if space not in alone)]

    more = context.with_more(found, stage, tested)
    return answer if more is found else context.ranked(more)


def _where_it_harms(context: Context, found: Found, answer: Repairs, guarded: Bench) -> list[Space]:
    """What the repairs do harm with, under a test; other statements under one, where the best is far off."""
    more = _under_tests(context, found, answer, guarded) + _in_some_cases(context, found, answer, guarded)
    more += _where_nothing_is_appended(context, found, guarded)
    more += [space for space in _in_between(context, found, answer, guarded) if space not in more]
    if far_off(answer):
        others = _guarded(context, guarded, found.spaces, _FAR_SHARE)
        anywhere = frozenset(each for space in others for each in space.masks)
        tested = _all_sheltered(guarded, others, anywhere)
        more += [space for space in tested if space not in more]
    return more


def _under_tests(context: Context, found: Found, answer: Repairs, guarded: Bench) -> list[Space]:
    """Repairs by statements that do harm on other heaps, under a test of what they go through.

    Several edits are those that were found, but for that.
    """
    if found.stage.kept:  # beside accepted edits what is missing elsewhere may well be said next
        return []
    locations = harmful(context.problem.program, answer)
    if found.stage.edits > 1:
        locations |= _spoiling(context, answer)
    if not locations:
        return []
    if found.stage.edits > 1:
        few = sheltering(guarded, found.bench.menus, found.spaces, locations)
        more = context.repairs(few, found.stage.edits, GUARDED_SHARE)
        return [space for space in more if space not in found.spaces]
    wanted = locations | frozenset(guarded.decided)
    editable = {
        name: {index: each for index, each in places.items() if each in wanted}
        for name, places in guarded.editable.items()
    }
    more = context.repairs(replace(guarded, editable=editable), 1, GUARDED_SHARE)
    return _all_sheltered(guarded, more, locations)


def _spoiling(context: Context, answer: Repairs) -> frozenset[int]:
    """Where the first of the repairs put in what spoils other heaps.

    Not only the best: a test may name what has a value at some of these places only.
    """
    if not spoils(context.problem, answer, beside=False):
        return frozenset()
    location = context.problem.program.location
    return frozenset(at for at, _ in broken_by(answer) if location(at).kind == "gap")


def _all_sheltered(bench: Bench, spaces: Sequence[Space], locations: frozenset[int]) -> list[Space]:
    """What of these are statements under a test of what they go through, at all of these locations."""
    kept = (sheltered_only(bench.menus, space, locations) for space in spaces)
    return [space for space in kept if all(space.masks.values())]


def _in_some_cases(context: Context, found: Found, answer: Repairs, guarded: Bench) -> list[Space]:
    """Repairs by statements under a test that spoil other heaps without one, where these come first."""
    if not spoils(context.problem, answer, beside=found.stage.kept) or found.stage.edits != 1:
        return []
    broken = (each for each in broken_by(answer) if each[0] not in guarded.decided)
    setting = targeting(guarded, broken)
    return context.repairs(setting, 1, GUARDED_SHARE) if setting.editable else []


def _where_nothing_is_appended(context: Context, found: Found, guarded: Bench) -> list[Space]:
    """Repairs by a step under a test, where the execution crashes after one to what was not appended."""
    traces, program = context.problem.traces, context.problem.program
    names = {trace.crash.position.function for trace in traces if trace.bare and trace.crash is not None}
    steps = frozenset(at for name in names for at in steps_unappended(program.functions[name]))
    if not steps or found.stage.edits != 1 or found.stage.kept:
        return []
    few = {
        name: {index: each for index, each in places.items() if each in steps}
        for name, places in guarded.editable.items()
    }
    return context.repairs(replace(guarded, editable=few), 1, GUARDED_SHARE)


def _in_between(context: Context, found: Found, answer: Repairs, guarded: Bench) -> list[Space]:
    """Repairs by a statement under a test in what came between a right state and a wrong one.

    Where the best of the repairs lies elsewhere, it is rather chance that one statement serves there.
    """
    aside = frozenset.intersection(*(trace.aside for trace in context.problem.traces))
    new = answer.candidates[0].patch.beside(context.problem.accepted)
    location = context.problem.program.location
    if found.stage.edits != 1 or not any(location(edit.location).function in aside for edit in new):
        return []
    return context.repairs(guarded.within(guarded.editable.keys() - aside), 1, GUARDED_SHARE)


def _with_a_variable(context: Context, found: Found, answer: Repairs) -> Repairs | None:
    """Repairs that declare a variable, where a freed node is used and they fail less and are closer."""
    problem, best = context.problem, answer.candidates[0]
    strict = any(trace.strict and not trace.lost for trace in problem.traces)
    stage = replace(found.stage, spares=True)
    spares = context.benches.of(stage) if strict and any(failures(best)) else None
    if spares is None:
        return None
    wanted = spares if spares.decided else declaring(spares)
    saved = context.repairs(wanted, BEFORE_GUARDS, SPARES_SHARE)
    if spares.decided:
        saved = declared(spares, saved)
    if not saved:
        return None
    other = context.ranked(Found(stage, spares, saved, found.stopped))
    kept = [each for each in other.candidates if each.patch.declares(problem.program)]
    closer = kept and failures(kept[0]) < failures(best) and kept[0].against < best.against
    return other.only(kept) if closer else None


def _guarded(context: Context, bench: Bench, found: Sequence[Space], share: Fraction) -> list[Space]:
    """Repairs by a statement under a test; where the share does not suffice, in some of the functions.

    Those are the functions of `found`, and those that set what was corrected.  Where these are all of them,
    each is searched by itself, the small ones first: else a long one takes what is allowed for all.
    """
    more, complete = bench.looked(context.work, 1, context.most(share))
    if complete:
        return more
    locations = context.problem.program.location
    near = {locations(each).function for space in found for each in space.masks}
    places = [corrected(trace) for trace in context.problem.traces]
    there = frozenset[str]().union(*(setting(context.problem.program, each) for each in places))
    if len(bench.editable) > 1 and near >= bench.editable.keys():
        left = context.work.spent + _TIMES * context.most(share)
        few: Iterable[Bench] = takewhile(lambda _: context.work.spent < left, bench.singly(near))
    else:
        few = (bench.within(functions) for functions in (near, there - near) if functions)
    for each in few:
        spaces = context.repairs(each, 1, GUARDED_SHARE)
        more = [*more, *(space for space in spaces if space not in more)]
    return more
