"""One question that tells repairs apart: a heap goes in, which result is wanted?

Of the fresh heaps on which the candidates were tried, the one is asked about whose answer leaves the
fewest behaviours on average.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from wolverine.core.graph import MemoryGraph
from wolverine.core.patch import Candidate
from wolverine.core.program import MAIN, Program
from wolverine.core.trace import Trace
from wolverine.repair.candidates import Menus
from wolverine.repair.entries import Case, cases, changed_functions
from wolverine.repair.outcomes import Bench, Outcome, answered

SHOWN = 9  # results that are offered; the rest counts as none of them


@dataclass(frozen=True)
class Answer:
    """What the user said about one heap: the outcome that is wanted, or those that are not.

    `trace` says the same as a trace, where a result without a crash is wanted.
    """

    function: str
    input: MemoryGraph
    wanted: Hashable = None
    refused: frozenset[Hashable] = frozenset()
    trace: Trace | None = None

    def allows(self, outcome: Outcome | None, met: bool) -> bool:
        """Whether a candidate may do that (None: not known); `met` when it has met the trace already."""
        if self.trace is not None and outcome is None:
            return met
        key = outcome.key if outcome is not None else None
        return key == self.wanted if self.wanted is not None else key not in self.refused


@dataclass(frozen=True)
class Question:
    """`outcomes` are distinct, that of the best candidate first."""

    function: str
    input: MemoryGraph
    outcomes: tuple[Outcome, ...]

    def answer(self, number: int) -> Answer:
        """Outcome `number` is wanted, from 1; 0 is none of them."""
        if not number:
            keys = frozenset(outcome.key for outcome in self.outcomes)
            return Answer(self.function, self.input, refused=keys)
        outcome = self.outcomes[number - 1]
        trace = None if outcome.crash else answered(self.function, self.input, outcome)
        return Answer(self.function, self.input, outcome.key, trace=trace)


def question(program: Program, trace: Trace, candidates: Sequence[Candidate]) -> Question | None:
    """The heap that tells most about the candidates (in order of rank), None where none tells any apart.

    It minimises the sum of the squares of the sizes of the sets of behaviours that act alike.  Of equal
    ones a heap is preferred on which nothing crashes (nobody wants that result, and whether such a heap
    comes at all is another question), then the heap with the fewest nodes, then the first.
    """
    first: dict[int, Candidate] = {}
    for candidate in candidates:
        first.setdefault(candidate.behaviour, candidate)
    if len(first) < 2:
        return None
    tried = cases(
        program, trace, Menus(program), candidates[0].patch, sorted(changed_functions(program, candidates))
    )
    benches = {case.function: Bench(program, case.function) for case in tried}
    best: tuple[bool, int, bool, int, int] | None = None
    chosen: Case | None = None
    for index, case in enumerate(tried):
        found = [benches[case.function].outcome(case.heap, c.patch) for c in first.values()]
        if len({o.key for o in found if o is not None}) < 2 or _answers_itself(found):
            continue
        crashes = any(o is not None and o.crash for o in found)
        told = spread(o.key if o is not None else None for o in found)
        rank = (case.function == MAIN, told, crashes, len(case.heap.nodes), index)
        if best is None or rank < best:
            best, chosen = rank, case
    if chosen is None:
        return None
    distinct: dict[Hashable, Outcome] = {}
    for candidate in candidates:
        outcome = benches[chosen.function].outcome(chosen.heap, candidate.patch)
        if outcome is not None:
            distinct.setdefault(outcome.key, outcome)
    return Question(chosen.function, chosen.heap, tuple(distinct.values())[:SHOWN])


def _answers_itself(outcomes: Sequence[Outcome | None]) -> bool:
    """Whether all that the best candidate is asked to be told from is a crash: nobody wants that."""
    best = outcomes[0]
    if best is None or best.crash:
        return False
    return all(o is None or o.crash or o.key == best.key for o in outcomes)


def spread(keys: Iterable[Hashable]) -> int:
    """The sum of the squares of how often each key occurs; those that are not shown count as one."""
    counts: dict[Hashable, int] = {}
    for key in keys:
        counts[key] = counts.get(key, 0) + 1
    unknown = counts.pop(None, 0)
    sizes = list(counts.values())
    rest = unknown + sum(sizes[SHOWN:])
    return sum(size * size for size in sizes[:SHOWN]) + rest * rest


def allowed(
    program: Program, candidates: Sequence[Candidate], answers: Sequence[Answer], *, met: bool
) -> tuple[Candidate, ...]:
    """The candidates that do what was answered, in the same order.

    `met` when they were searched with the answers' traces.
    """
    kept = list(candidates)
    for answer in answers:
        bench = Bench(program, answer.function)
        kept = [c for c in kept if answer.allows(bench.outcome(answer.input, c.patch), met)]
    return tuple(kept)
