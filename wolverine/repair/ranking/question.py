"""One question that tells repairs apart: a heap goes in, which result is wanted?

Of what the execution gives to the functions that repairs edit, and of fresh heaps like that, the one is
asked about whose answer leaves the fewest behaviours on average.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from wolverine.core.graph import MemoryGraph
from wolverine.core.patch import NO_EDITS, Candidate, Patch
from wolverine.core.program import MAIN, Program
from wolverine.core.trace import Trace
from wolverine.repair.heaps.entries import Case, cases, changed_functions
from wolverine.repair.heaps.outcomes import Bench, Glance, Outcome, answered
from wolverine.repair.heaps.usual import LIKE, NEAR, Usual, seen
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.frees import can_free
from wolverine.semantics.stretches import in_full

SHOWN = 4  # results that are offered; the rest counts as none of them
_FRONT = 12  # behaviours that are to be told apart: the closest ones
_EDITING = 8  # repairs that tell which functions are asked about
_WORK = 200_000  # machine steps in all
_CLEAR = 2  # what the strangeness of an input is added to, as a factor
_LOOKED_AT = 8  # inputs of which results are made


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

    It minimises the sum of the squares of the sizes of the sets of behaviours that act alike, among the first
    behaviours.  What the execution itself gives to a function (after a mere crash: what that crashed on)
    comes before heaps that are like it, and these before others; of equal ones the heap with the fewest
    nodes, then the first.
    Nobody wants a crash, a pointer that leads to what is freed, or nodes that are lost: such results are not
    offered, and where fewer than two are left nothing is asked.  Of `main` counts what it prints.
    """
    first: dict[int, Patch] = {}
    for candidate in candidates:
        first.setdefault(candidate.behaviour, candidate.patch)
    front = tuple(first.values())[:_FRONT]
    edited = sorted(changed_functions(program, candidates[:_EDITING])) if len(front) > 1 else []
    if not edited:
        return None
    benches = {name: Bench(program, name) for name in edited}
    frees = can_free(program)
    telling: list[tuple[tuple[bool, int, int, int], Case, list[bool]]] = []
    for index, (case, strange) in enumerate(_inputs(program, trace, candidates[0].patch, edited)):
        bench = benches[case.function]
        if bench.begins_amiss(case.heap):
            continue
        glances = [bench.glance(case.heap, patch) for patch in front]
        wished = _wished(glances, len(case.heap.nodes), frees=frees)
        keys = [
            (g.output if case.function == MAIN else g.key) if g is not None and wish else None
            for g, wish in zip(glances, wished, strict=True)
        ]
        if len(set(keys) - {None}) > 1:
            if not strange and trace.bare:
                before = bench.glance(case.heap, NO_EDITS)
                strange = LIKE if before is not None and not before.fails else 0
            told = spread(keys) * (_CLEAR + strange)
            telling.append(((case.function == MAIN, told, len(case.heap.nodes), index), case, wished))
        if sum(each.steps for each in benches.values()) > _WORK:
            break
    for _, case, wished in sorted(telling, key=lambda each: each[0])[:_LOOKED_AT]:
        distinct: dict[Hashable, Outcome] = {}
        for patch, wish in zip(front, wished, strict=True):
            outcome = benches[case.function].outcome(case.heap, patch) if wish else None
            if outcome is not None and not outcome.crash:
                distinct.setdefault(outcome.output if case.function == MAIN else outcome.key, outcome)
        if len(distinct) > 1:
            outcomes = (replace(each, graph=in_full(each.graph)) for each in distinct.values())
            return Question(case.function, in_full(case.heap), (*islice(outcomes, SHOWN),))
    return None


def _inputs(
    program: Program, trace: Trace, patch: Patch, edited: Sequence[str]
) -> Iterator[tuple[Case, int]]:
    """The inputs of the edited functions that may be asked about, and how strange they are.

    Those of the execution come first, the latest one of each function before the others.
    """
    menus = Menus(program)
    given = seen(program, trace, menus, patch, edited)
    for name, graphs in given.items():
        yield from ((Case(name, graph), 0) for graph in reversed(graphs))
    usual = {name: Usual(graphs) for name, graphs in given.items()}
    for case in cases(program, trace, menus, patch, edited):
        if case.function in usual and (likeness := usual[case.function].likeness(case.heap)) is not None:
            yield case, NEAR if case.turned else likeness


def _wished(glances: Sequence[Glance | None], nodes: int, *, frees: bool) -> list[bool]:
    """Of which outcomes on a heap with so many nodes somebody may wish that they come out.

    Not of a result that nothing has set, where others have it set.
    """
    sound = [glance for glance in glances if glance is not None and not glance.fails]
    least = min((glance.lost for glance in sound), default=0)
    vain = min((glance.vain for glance in sound), default=0)
    most = least if frees else max(least, nodes - 1, 1)
    unset = all(glance.unset for glance in sound)
    return [
        glance is not None
        and not glance.fails
        and glance.lost <= most
        and glance.vain <= vain
        and (unset or not glance.unset)
        for glance in glances
    ]


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
