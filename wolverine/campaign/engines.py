"""The engines that a campaign compares (Wolverine2 sections 4 and 7).

`search`, `widening` and `widening-any` are those of a session.  The others are Algorithm 1 with locks, for
the comparison of section 7.1: `localized` may change what the localizer `gradient` suspects, conditions,
and gaps (and everything where that does not suffice); `section-wise` only the section of the faulty
statements, which does not cross loop boundaries; `unconfined` everything, which is `widening` again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from wolverine.campaign.specs import loops
from wolverine.core.patch import NoRepair, Repairs
from wolverine.core.program import Jump, Program
from wolverine.core.trace import Problem
from wolverine.errors import UsageError
from wolverine.localize import gradient
from wolverine.session import engines

SEARCH, WIDENING, ANY = "search", "widening", "widening-any"
LOCALIZED, SECTION, UNCONFINED = "localized", "section-wise", "unconfined"
NAMES = (SEARCH, WIDENING, ANY, LOCALIZED, SECTION, UNCONFINED)

Solve = Callable[[Problem], Repairs | NoRepair]


@dataclass(frozen=True)
class Engine:
    """An engine by its name in a campaign; `lines` of a problem are those of the faults."""

    name: str

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            raise UsageError(f"there is no engine {self.name}; there are: {', '.join(NAMES)}")

    @property
    def minimal(self) -> bool:
        """Whether its answer is a smallest repair."""
        return self.name == SEARCH

    def prepare(self) -> Solve:
        """Load what solves; takes a second for z3, which is not counted as repair."""
        if self.name in engines.NAMES:
            return engines.engine(self.name)
        return engines.engine(WIDENING, localize=False)  # the locks are those of `solve`

    def solve(
        self, problem: Problem, function: str, lines: Sequence[int], solve: Solve
    ) -> Repairs | NoRepair:
        """Repair; `lines` of the function are those of the faults."""
        if self.name == SECTION:
            return solve(replace(problem, editable=section(problem.program, function, lines)))
        if self.name == LOCALIZED:
            found = solve(replace(problem, editable=suspicious(problem)))
            if isinstance(found, Repairs) or found.reason != "unsatisfiable":
                return found
        return solve(problem)


def suspicious(problem: Problem) -> frozenset[int]:
    """What Algorithm 2 suspects; conditions and gaps, of which it says nothing."""
    kinds = ("condition", "gap")
    free = {location.id for location in problem.program.locations if location.kind in kinds}
    return frozenset(free | {found.location for found in gradient.localize(problem)})


def section(program: Program, function: str, lines: Sequence[int]) -> frozenset[int]:
    """The locations of the section that holds the lines: what lies inside just the same loops.

    For lines in several sections these together.
    """
    inside = _loops_around(program, function)
    faulty = (
        at for at in inside if program.location(at).line in lines and program.location(at).kind != "gap"
    )
    wanted = {inside[at] for at in faulty}
    wanted |= {_nearest(program, inside, line) for line in lines}
    return frozenset(at for at, around in inside.items() if around in wanted)


def _nearest(program: Program, inside: dict[int, frozenset[int]], line: int) -> frozenset[int]:
    at = min(inside, key=lambda each: (abs(program.location(each).line - line), each))
    return inside[at]


def _loops_around(program: Program, function: str) -> dict[int, frozenset[int]]:
    """For every location of the function the branches of the loops that it lies in, its own test included."""
    code = program.functions[function].code
    spans: list[tuple[int, int, int]] = []
    for loop in loops(program, function):
        back = [
            index
            for index, step in enumerate(code)
            if isinstance(step, Jump) and step.target <= loop.branch <= index
        ]
        step = code[loop.branch]
        body = min(getattr(step, "if_true", loop.branch), loop.branch)
        last = max([loop.branch, *(index for index in back if index > loop.branch)])
        spans.append((loop.branch, body, last if body >= loop.branch else loop.branch))
    found: dict[int, frozenset[int]] = {}
    for index, step in enumerate(code):
        if step.location >= 0:
            found[step.location] = frozenset(b for b, first, last in spans if first <= index <= last)
    return found
