"""The statistical localizers: tests of a faulty program, what they execute, and a score for each line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from wolverine.campaign.instances import Instance
from wolverine.campaign.statistical import formulas
from wolverine.campaign.statistical.builds import Build
from wolverine.campaign.statistical.formulas import Hits, Truth
from wolverine.campaign.statistical.predicates import Instrumented, Predicate, instrument
from wolverine.campaign.statistical.suites import Run, covering, suite_of
from wolverine.errors import CommandError

TARANTULA, OCHIAI, LIBLIT, SOBER = "tarantula", "ochiai", "liblit", "sober"
NAMES = (TARANTULA, OCHIAI, LIBLIT, SOBER)
_BY_LINE: Mapping[str, Callable[[Hits], float]] = {
    TARANTULA: formulas.tarantula,
    OCHIAI: formulas.ochiai,
}

Counts = Sequence[tuple[int, int]]  # for each predicate how often it (held, was evaluated)


@dataclass(frozen=True, slots=True)
class Spectrum:
    """One test: whether it failed, the lines that it executed, its counts of the predicates."""

    failed: bool
    lines: frozenset[int]
    counts: Counts = ()


@dataclass(frozen=True, slots=True)
class Spectra:
    """All tests of a faulty program; coverage as shares of its executable lines and of its branches."""

    tests: tuple[Spectrum, ...]
    predicates: tuple[Predicate, ...]
    line_coverage: float
    branch_coverage: float

    @property
    def failing(self) -> int:
        """How many tests failed."""
        return sum(test.failed for test in self.tests)

    def scores(self, name: str) -> dict[int, float]:
        """The score of each line by a localizer, of `NAMES`; a line has that of its best predicate."""
        if name in _BY_LINE:
            return _by_line(self.tests, _BY_LINE[name])
        return _by_predicate(self.tests, self.predicates, _importance if name == LIBLIT else _sober)


def collect(instance: Instance) -> Spectra:
    """Test the faulty program of an instance; raises CommandError where gcc refuses it."""
    instrumented, runs = _watched(instance)
    return Spectra(
        tuple(Spectrum(run.failed, run.coverage.executed, tuple(run.counts)) for run in runs),
        instrumented.predicates,
        _share([run.coverage.executed for run in runs], [run.coverage.executable for run in runs]),
        _share([run.coverage.taken for run in runs], [run.coverage.branches for run in runs]),
    )


def _watched(instance: Instance) -> tuple[Instrumented, list[Run]]:
    about = instance.subject
    for pairs in (True, False):
        instrumented = instrument(instance.program, pairs)
        try:
            with Build(instrumented.text, len(instrumented.predicates)) as build:
                return instrumented, covering(build, suite_of(about.path), len(about.inputs))
        except CommandError:
            continue  # a macro, say, in which nothing can be put
    with Build(instance.content) as build:
        return Instrumented(b"", ()), covering(build, suite_of(about.path), len(about.inputs))


def _share(parts: Sequence[frozenset[object]], wholes: Sequence[frozenset[object]]) -> float:
    whole = frozenset().union(*wholes)
    return len(frozenset().union(*parts)) / len(whole) if whole else 1.0


def _by_line(tests: Sequence[Spectrum], formula: Callable[[Hits], float]) -> dict[int, float]:
    failing = [test for test in tests if test.failed]
    passing = [test for test in tests if not test.failed]
    found = {}
    for line in frozenset().union(*(test.lines for test in tests)):
        failed, passed = (sum(line in test.lines for test in some) for some in (failing, passing))
        found[line] = formula(Hits(failed, passed, len(failing), len(passing)))
    return found


def _by_predicate(
    tests: Sequence[Spectrum], predicates: Sequence[Predicate], score: Callable[[Counts, Counts], float]
) -> dict[int, float]:
    """Over each predicate and its negation."""
    found: dict[int, float] = {}
    for number, predicate in enumerate(predicates):
        failing, passing = ([t.counts[number] for t in tests if t.failed is kind] for kind in (True, False))
        best = max(score(failing, passing), score(_negated(failing), _negated(passing)))
        found[predicate.line] = max(best, found.get(predicate.line, best))
    return found


def _negated(counts: Counts) -> Counts:
    return [(seen - true, seen) for true, seen in counts]


def _importance(failing: Counts, passing: Counts) -> float:
    truth = Truth(
        sum(true > 0 for true, _ in failing),
        sum(true > 0 for true, _ in passing),
        sum(seen > 0 for _, seen in failing),
        sum(seen > 0 for _, seen in passing),
    )
    return formulas.importance(truth, len(failing))


def _sober(failing: Counts, passing: Counts) -> float:
    return formulas.sober(*([formulas.bias(*each) for each in some] for some in (failing, passing)))
