"""The searches that `stages` lists, made in order until one has found what is the answer."""

from __future__ import annotations

from dataclasses import replace

from wolverine.core.patch import NewAssignment, NewBlock, NoRepair, Patch, Repairs, unguarded
from wolverine.repair.engine.approved import as_approved, behind_approved, or_under_a_test
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.exploration import FIRST_SHARE, Exploration
from wolverine.repair.engine.finished import finished
from wolverine.repair.engine.found import Found
from wolverine.repair.engine.kinds import MOVE, calls_moved, moved_and_more, nodes_moved
from wolverine.repair.engine.links import or_early, stale
from wolverine.repair.engine.returns import where_it_is_missing
from wolverine.repair.engine.several import LIKELY, or_special
from wolverine.repair.execution.work import Stopped
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.explicit.conflict import conflict
from wolverine.repair.ranking.answered import later, uses_freed
from wolverine.repair.special.early import FARTHEST_EARLY
from wolverine.repair.special.stages import BEFORE_GUARDS, BESIDE_SHARE, Stage, stages

_SURVIVED = 3  # behaviours of which it is seen whether they use what was freed
_FEWER = 3  # plain edits at most that are looked for where a special case has more statements
_INSTEAD = 1.0  # what may speak against a repair instead of what was accepted, before one beside it is sought


def in_stages(context: Context) -> Repairs | NoRepair:
    """The first answer against which nothing speaks; a conflict where nothing is found.

    Where its repairs use what was freed, those with one edit more come first, if there are some.
    """
    problem, work = context.problem, context.work
    exploration = Exploration(context)
    anew: Repairs | None = None  # without all that was accepted, and something speaks against it
    crashes = False  # under it, as it goes on
    survived: Repairs | None = None  # under all of which freed nodes are used, which the process survives
    farther_off: Repairs | None = None  # of what is read earlier: two other edits may be closer
    special: Repairs | None = None  # of several statements under tests, unless plain edits are as close
    for stage in stages(problem, lacking=context.lacking, long=lambda: exploration.long):
        bench = context.benches.of(stage)
        if bench is None or exploration.ended(stage):
            continue
        if anew is not None and not (stage.kept and (crashes or stage.edits == 1)):
            continue
        if survived is not None and stage.edits > survived.candidates[0].cost + 1:
            break
        if special is not None and (several := special.candidates[0].cost) > 1:
            if stage.edits > several or stage.relaxed:
                break
            if not stage.plain and stage.edits == several:
                continue
            stage = replace(stage, share=BESIDE_SHARE, nearby=False)
        elif special is not None:
            likely = special.candidates[0].against < LIKELY
            case = special.candidates[0].patch
            fewer = case.size - (not _assigns_alone(case))
            farther = stage.relaxed or stage.edits > max(BEFORE_GUARDS, min(fewer, _FEWER))
            if farther and (likely or exploration.long):
                break
            if exploration.long or (likely and not stage.plain):
                stage = replace(stage, share=BESIDE_SHARE, nearby=False)
        try:
            found = _found(exploration, stage, bench)
        except Stopped as stop:
            if (instead := special or survived or farther_off) is not None:
                return instead
            reason = stop.reason if stop.reason != "complete" else "budget"
            return NoRepair(reason, (), work.spent)
        if not found.spaces:
            continue
        answer = _answered(exploration, stage, found)
        if stage.several:
            special = answer if special is None else or_special(special, answer)
            continue
        answer = answer if special is None else or_special(special, answer)
        best = answer.candidates[0]
        known = sum(map(context.ranker.distance, problem.accepted.edits)) if stage.kept else 0.0
        if stage.early and best.against - known > FARTHEST_EARLY:
            farther_off = farther_off or answer
            continue  # two other edits may be closer
        if stage.kept:
            closer = anew is None or crashes or best.against - known <= anew.candidates[0].against
            return answer if closer or anew is None else anew
        if all(uses_freed(problem, each) for each in answer.closest()[:_SURVIVED]):
            survived = survived or answer
            continue
        crashes = bool(problem.accepted.edits) and later(problem, best)
        if not crashes and (best.against < _INSTEAD or _keeps(best.patch, problem.accepted)):
            return answer
        anew = answer
    if anew is not None:
        return anew
    if special is not None:
        return special
    if (last := survived or farther_off) is not None:
        return last
    core = conflict(context.benches.plain, work)
    return NoRepair("budget" if exploration.cut else "unsatisfiable", core, work.spent)


def _found(exploration: Exploration, stage: Stage, bench: Bench) -> Found:
    """What a stage finds, and with plain edits what moves a statement; raises `Stopped`."""
    context = exploration.context
    besides = stage.edits - MOVE
    plain = stage.plain
    moves = moved_and_more(context, bench, besides) if plain and besides in (0, 1) else []
    wider = context.benches.of(replace(stage, calls=True)) if plain and besides == 0 and not moves else None
    calls = calls_moved(context, wider) if wider is not None else []
    if moves or calls:
        stage = replace(stage, share=FIRST_SHARE, nearby=False)
    behind = behind_approved(context, stage, bench)
    if plain and stage.edits == 1:
        found = exploration.one_edit(stage, bench, lambda: moved_and_more(context, bench))
    else:
        found = behind or exploration.search(stage, bench)
    if found.spaces and plain and stage.edits == 1:
        moves = moved_and_more(context, bench)
        wider = context.benches.of(replace(stage, calls=True)) if stale(context.problem) else None
        calls = calls_moved(context, wider) if wider is not None else []  # who frees does so too early
    elif found.spaces and stage.calls and not (stage.relaxed or stage.kept):
        moves = moved_and_more(context, bench)  # no call that is missing is as likely
    more = [each for each in moves if each not in found.spaces]
    found = replace(found, spaces=[*found.spaces, *more])
    if wider is not None and calls:
        found = found.and_more(replace(found.stage, calls=True), wider, calls)
    if plain and stage.edits == 1 and not found.spaces:
        stage = replace(found.stage, nodes=True)
        found = context.with_more(found, stage, lambda wider: nodes_moved(context, wider))
    return or_under_a_test(context, found) if behind is not None else found


def _answered(exploration: Exploration, searched: Stage, found: Found) -> Repairs:
    """The answer of a stage, behind what is closer than single edits against which something speaks."""
    context = exploration.context
    found = exploration.fewer(searched, found)
    if exploration.cut and found.stopped == "complete":
        found = replace(found, stopped="budget")
    answer = as_approved(context, found.stage, finished(context, found))
    answer = where_it_is_missing(context, found.stage, answer)
    return or_early(context, found.stage, answer)


def _assigns_alone(patch: Patch) -> bool:
    """Whether a special case only assigns: as many plain edits do as much."""
    made = (unguarded(edit.replacement) for edit in patch.edits)
    blocks = [each for each in made if isinstance(each, NewBlock)]
    return all(isinstance(each, NewAssignment) for block in blocks for each in block.statements)


def _keeps(patch: Patch, accepted: Patch) -> bool:
    """Whether all that was accepted is among its edits."""
    return set(accepted.edits) <= set(patch.edits)
