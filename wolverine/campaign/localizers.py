"""Where a localizer sends its user: the share of statements, and whether the fault is among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from wolverine.campaign.instances import Instance
from wolverine.core.patch import Repairs
from wolverine.core.program import Program
from wolverine.core.trace import Problem
from wolverine.errors import UsageError
from wolverine.localize import gradient, slices
from wolverine.localize.suspicion import Suspicion

EXACT = "exact"
_RANKING: Mapping[str, Callable[[Problem], Sequence[Suspicion]]] = {
    gradient.NAME: gradient.localize,
    slices.NAME: slices.localize,
}
NAMES = (EXACT, *_RANKING)


@dataclass(frozen=True, slots=True)
class Suspects:
    """`share` of the function's statements that is suspected, `of_program` of all the program's.

    `contain`: every fault is among them; `lines` in the order in which to look at them.
    """

    share: float
    of_program: float
    contain: bool
    lines: tuple[int, ...]


def suspects(name: str, instance: Instance, problem: Problem, answer: Repairs | None) -> Suspects | None:
    """What a localizer says about an instance; `answer` is that of `search` (None: there is none).

    `exact` suspects the locations that occur in some minimal repair, the most frequent first.
    """
    program = problem.program
    if name == EXACT:
        if answer is None:
            return None
        counts: dict[int, int] = {}
        for candidate in answer.candidates:
            for edit in candidate.patch.edits:
                counts[edit.location] = counts.get(edit.location, 0) + 1
        order = sorted(counts, key=lambda at: (-counts[at], at))
    elif name in _RANKING:
        order = [found.location for found in _RANKING[name](problem)]
    else:
        raise UsageError(f"there is no localizer {name}; there are: {', '.join(NAMES)}")
    found = len(set(order))
    return Suspects(
        min(found / max(len(statements(program, instance.function)), 1), 1.0),
        min(found / max(len(statements(program)), 1), 1.0),
        all(not places.isdisjoint(order) for places in fault_places(instance)),
        tuple(dict.fromkeys(program.location(at).line for at in order)),
    )


def statements(program: Program, function: str = "") -> frozenset[int]:
    """The statements and conditions of a function, or of all: no gaps, nothing that cannot be edited."""
    return frozenset(
        location.id
        for location in program.locations
        if function in ("", location.function) and location.kind not in ("gap", "fixed")
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
        real = [each for each in own if each.kind not in ("gap", "fixed")]
        if fault.kind == "mutation":
            found.append({e.id for e in real if e.span.start <= start < e.span.end})
            continue
        before = max((e.id for e in own if e.kind != "gap" and e.span.end <= start), default=-1)
        behind = min((e.id for e in own if e.kind != "gap" and e.span.start >= start), default=1 << 30)
        found.append({e.id for e in own if e.kind == "gap" and before < e.id < behind})
    return found
