"""Tests for heap programs: argument lists from which they build their heaps (Wolverine2 section 7.1, RQ4).

The known inputs of a program come first, then fresh ones in batches, until a batch covers no further line
or branch of the faulty program and there are failing and passing tests enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from wolverine.campaign.inputs import fresh_inputs
from wolverine.campaign.programs import Subject, subject
from wolverine.campaign.rightness import Answer
from wolverine.campaign.statistical.builds import Build, Coverage

MOST = 128  # tests of a faulty program
_BATCH = 16
_ENOUGH = 3  # failing tests, and passing ones, below which more are made
_SEED = 77  # not that of the inputs which judge repairs


@dataclass(frozen=True, slots=True)
class Test:
    """An input with what the correct program does with it."""

    words: tuple[str, ...]
    expected: Answer


@dataclass(frozen=True, slots=True)
class Run:
    """A test on the faulty program; it failed where output or status differ from the correct ones.

    `counts`: how often each predicate (held, was evaluated).
    """

    test: Test
    failed: bool
    coverage: Coverage
    counts: Sequence[tuple[int, int]]


class Suite:
    """The tests of a correct program, in a fixed order; what was asked for once is remembered."""

    def __init__(self, about: Subject) -> None:
        self._about = about
        self._made: list[Test] = []
        self._words = self._inputs()

    def _inputs(self) -> Iterator[tuple[str, ...]]:
        yield from self._about.inputs
        yield from fresh_inputs(self._about.name, self._about.inputs, _SEED)

    def tests(self, first: int, count: int) -> list[Test]:
        """So many tests from number `first` on, or fewer at the end; the correct program exits on each."""
        while len(self._made) < first + count:
            some = list(islice(self._words, 2 * _BATCH))
            if not some:
                break
            with Build(self._about.content, coverage=False) as build:
                found = zip(some, build.run(some), strict=True)
                self._made += [Test(words, answer) for words, answer in found if answer.clean]
        return self._made[first : first + count]


@lru_cache(maxsize=64)
def suite_of(path: Path) -> Suite:
    """The tests of the program at a path; remembered."""
    return Suite(subject(path))


def covering(build: Build, suite: Suite, known: int, most: int = MOST) -> list[Run]:
    """Run a faulty program on tests until more of them cover nothing new.

    `known` inputs make the first batch.  Runs whose coverage a crash has lost are left out.  Whether a run
    failed is told by what it did itself: what an undefined program does may change with how it is compiled.
    """
    runs: list[Run] = []
    covered: set[object] = set()
    first = 0
    while first < most:
        tests = suite.tests(first, max(known, _BATCH) if first == 0 else _BATCH)
        if not tests:
            break
        first += len(tests)
        fresh = list(_runs(build, tests))
        runs += fresh
        before = len(covered)
        for run in fresh:
            covered |= run.coverage.executed | run.coverage.taken
        failing = sum(run.failed for run in runs)
        if len(covered) == before and _ENOUGH <= failing <= len(runs) - _ENOUGH:
            break
    return runs


def _runs(build: Build, tests: Sequence[Test]) -> Iterator[Run]:
    answers = build.run([test.words for test in tests])
    count = len(tests)
    found = zip(tests, answers, build.coverage(count), build.predicates(count), strict=True)
    for test, answer, coverage, counts in found:
        if coverage is not None:
            yield Run(test, answer != test.expected, coverage, counts)
