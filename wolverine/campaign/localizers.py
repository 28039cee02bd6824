"""Where a localizer sends its user: the share of statements, and whether the fault is among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from wolverine.campaign.instances import Instance
from wolverine.campaign.statistical import spectra
from wolverine.campaign.statistical.builds import executable
from wolverine.campaign.statistical.ranks import effort
from wolverine.campaign.statistical.spectra import Spectra
from wolverine.core.patch import Repairs
from wolverine.core.program import NO_STATEMENT, Program
from wolverine.core.trace import Problem
from wolverine.errors import UsageError
from wolverine.localize import gradient, slices
from wolverine.localize.suspicion import Suspicion

EXACT = "exact"
_RANKING: Mapping[str, Callable[[Problem], Sequence[Suspicion]]] = {
    gradient.NAME: gradient.localize,
    slices.NAME: slices.localize,
}
STATISTICAL = frozenset(spectra.NAMES)
NAMES = (EXACT, *_RANKING, *spectra.NAMES)


@dataclass(frozen=True, slots=True)
class Suspects:
    """`share` of the function's statements that is suspected, `of_program` of all the program's.

    `contain`: every fault is among them; `lines` in the order in which to look at them; `effort`: the share
    of the program's executable lines that is read until a faulty one is met (Wolverine2 Figure 13).
    """

    share: float
    of_program: float
    contain: bool
    lines: tuple[int, ...]
    effort: float


def suspects(
    name: str, instance: Instance, problem: Problem, answer: Repairs | None, tests: Spectra | None = None
) -> Suspects | None:
    """What a localizer says about an instance; None where it has nothing to go by.

    `exact` goes by `answer`, that of `search`: it suspects the locations that occur in some minimal repair,
    those of the repairs that are offered first before the others.  The statistical ones go by `tests` and
    suspect the lines that score above the least suspicious one.
    """
    program = problem.program
    if name in STATISTICAL:
        if tests is None:
            return None
        scores = tests.scores(name)
        least = min((scores.get(line, float("-inf")) for line in executable(instance.content)), default=0.0)
        lines = sorted((at for at in scores if scores[at] > least), key=lambda at: (-scores[at], at))
        order = [
            at for line in lines for at in sorted(statements(program)) if program.location(at).line == line
        ]
    elif name == EXACT:
        if answer is None:
            return None
        places = _places(answer)
        order = sorted(places, key=lambda at: (-places[at], at))
        scores = _by_line(program, places)
        lines = [program.location(at).line for at in order]
    elif name in _RANKING:
        order = [found.location for found in _RANKING[name](problem)]
        scores = _by_line(program, {at: -float(rank) for rank, at in enumerate(order)})
        lines = [program.location(at).line for at in order]
    else:
        raise UsageError(f"there is no localizer {name}; there are: {', '.join(NAMES)}")
    found = len(set(order))
    return Suspects(
        min(found / max(len(statements(program, instance.function)), 1), 1.0),
        min(found / max(len(statements(program)), 1), 1.0),
        all(not places.isdisjoint(order) for places in fault_places(instance)),
        tuple(dict.fromkeys(lines)),
        effort(executable(instance.subject.content), scores, faulty_lines(instance)),
    )


def _places(answer: Repairs) -> dict[int, float]:
    """The locations that minimal repairs edit; the score falls with the rank of the first that does."""
    places: dict[int, float] = {}
    for rank, candidate in enumerate(answer.candidates):
        for edit in candidate.patch.edits:
            places.setdefault(edit.location, -float(rank))
    return places


def _by_line(program: Program, scores: Mapping[int, float]) -> dict[int, float]:
    """The best score on each line."""
    found: dict[int, float] = {}
    for at, score in scores.items():
        line = program.location(at).line
        found[line] = max(score, found.get(line, score))
    return found


def faulty_lines(instance: Instance) -> frozenset[int]:
    """The lines of the faults, and those beside which a deleted statement is missing."""
    program = instance.program
    gaps = (at for places in fault_places(instance) for at in places if program.location(at).kind == "gap")
    return frozenset({fault.line for fault in instance.faults} | {program.location(at).line for at in gaps})


def statements(program: Program, function: str = "") -> frozenset[int]:
    """The statements and conditions of a function, or of all: no gaps, nothing that cannot be edited."""
    return frozenset(
        location.id
        for location in program.locations
        if function in ("", location.function) and location.kind not in NO_STATEMENT
    )


def fault_places(instance: Instance) -> list[set[int]]:
    """For each fault the locations of the faulty program at which it is: the statement, or the gap.

    Where a statement is gone, every gap between its neighbours counts.
    """
    found: list[set[int]] = []
    shift = 0
    own = [each for each in instance.program.locations if each.function == instance.function]
    for fault in instance.faults:
        start = fault.start + shift
        shift += len(fault.after) - (fault.end - fault.start)
        real = [each for each in own if each.kind not in NO_STATEMENT]
        if fault.kind == "mutation":
            found.append({e.id for e in real if e.span.start <= start < e.span.end})
            continue
        before = max((e.id for e in own if e.kind != "gap" and e.span.end <= start), default=-1)
        behind = min((e.id for e in own if e.kind != "gap" and e.span.start >= start), default=1 << 30)
        found.append({e.id for e in own if e.kind == "gap" and before < e.id < behind})
    return found
