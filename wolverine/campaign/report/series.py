"""The numbers behind the tables and figures of Wolverine2 section 7, from records.

Times are in seconds by the clock.  Records without an instance are never counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from wolverine.campaign.engines import LOCALIZED, SEARCH, SECTION, UNCONFINED
from wolverine.campaign.records import Record

COMPARED = (LOCALIZED, SECTION, UNCONFINED)  # by Figure 14


@dataclass(frozen=True, slots=True)
class Tests:
    """A row of Table 3: means over the faulty versions of a program; coverage as shares."""

    versions: int
    tests: float
    failing: float
    lines: float
    branches: float


@dataclass(frozen=True, slots=True)
class Speedup:
    """A cell of Table 4: the average of the ratios of the programs, and the largest."""

    average: float
    largest: float
    programs: int
    faults: int


def faults_of(record: Record) -> int:
    """How many faults the record's class has."""
    return sum(map(int, record.klass.split(",")))


def benchmark_set(program: str) -> str:
    """The set that a program belongs to: the letters before the number in its name, else ""."""
    match = re.match(r"([A-Za-z]+)\d", program)
    return match[1] if match else ""


def classes(records: Iterable[Record]) -> list[str]:
    """The classes that occur, in order."""
    return sorted({record.klass for record in records})


def repair_times(records: Iterable[Record], engine: str) -> dict[str, dict[str, float]]:
    """By class and program the mean time of an engine's successful repairs (Figures 12a, 12b)."""
    return _means((r, r.seconds) for r in records if r.engine == engine and r.repaired)


def success_rates(records: Iterable[Record], engine: str) -> dict[str, dict[str, float]]:
    """By class and program the share of an engine's runs that repaired (Figure 12c)."""
    return _means((r, float(r.repaired)) for r in records if r.engine == engine and not r.missing)


def times_by_faults(records: Iterable[Record], engine: str) -> dict[str, dict[int, float]]:
    """By program and number of faults the mean time of successful repairs (Figure 12d).

    Programs of which one number only is known are left out.
    """
    found: dict[str, dict[int, list[float]]] = {}
    for record in records:
        if record.engine == engine and record.repaired:
            found.setdefault(record.program, {}).setdefault(faults_of(record), []).append(record.seconds)
    means = {
        program: {n: fmean(some) for n, some in sorted(numbers.items())} for program, numbers in found.items()
    }
    return {program: numbers for program, numbers in sorted(means.items()) if len(numbers) > 1}


def efforts(records: Iterable[Record]) -> dict[str, list[float]]:
    """By localizer the efforts of all single faults, sorted (Figure 13).

    A localizer without an answer makes its user read everything: effort 1.
    """
    single = [r for r in records if faults_of(r) == 1 and r.engine == SEARCH and not r.missing]
    counted = [r for r in single if r.effort or r.timeout or not (r.repaired or r.error)]
    names = dict.fromkeys(name for r in counted for name in r.effort)
    return {name: sorted(r.effort.get(name, 1.0) for r in counted) for name in names}


def within(found: Sequence[float], share: float) -> int:
    """How many efforts are at most that share of the program."""
    return sum(each <= share + 1e-9 for each in found)


def coverage(records: Iterable[Record]) -> dict[str, Tests]:
    """By program what the tests of its faulty versions cover (Table 3)."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        if record.tests:
            groups.setdefault(record.program, []).append(record)
    return {
        program: Tests(
            len(some),
            fmean(r.tests for r in some),
            fmean(r.failing_tests for r in some),
            fmean(r.line_coverage for r in some),
            fmean(r.branch_coverage for r in some),
        )
        for program, some in sorted(groups.items())
    }


def compared_times(records: Iterable[Record], engine: str) -> dict[str, dict[str, float]]:
    """By class and program the mean time of an engine, time-outs at the time they took (Figure 14)."""
    return _means((r, r.seconds) for r in records if r.engine == engine and _timed(r))


def speedups(records: Sequence[Record], base: str, other: str) -> dict[tuple[str, str], Speedup]:
    """By set of programs and class how much longer `other` takes than `base` on the same faults (Table 4).

    A program's ratio is that of its mean times.  As in the paper a run that timed out took the time-out;
    faults that an engine gave up earlier are left out.
    """
    ours = {_fault(r): r for r in records if r.engine == base and _timed(r)}
    pairs: dict[tuple[str, str], dict[str, list[tuple[float, float]]]] = {}
    for record in records:
        mine = ours.get(_fault(record))
        if record.engine == other and mine is not None and _timed(record):
            cell = pairs.setdefault((benchmark_set(record.program), record.klass), {})
            cell.setdefault(record.program, []).append((mine.seconds, record.seconds))
    found: dict[tuple[str, str], Speedup] = {}
    for key, programs in sorted(pairs.items()):
        ratios = [_ratio(some) for some in programs.values()]
        found[key] = Speedup(fmean(ratios), max(ratios), len(ratios), sum(map(len, programs.values())))
    return found


def _ratio(pairs: Sequence[tuple[float, float]]) -> float:
    return fmean(theirs for _, theirs in pairs) / max(fmean(mine for mine, _ in pairs), 1e-6)


def _timed(record: Record) -> bool:
    return record.repaired or (record.timeout and record.seconds > 0)


def _fault(record: Record) -> tuple[str, str, int, int, str, int]:
    return (record.program, record.klass, record.variant, record.seed, record.specs, record.traces)


def _means(values: Iterable[tuple[Record, float]]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, list[float]]] = {}
    for record, value in values:
        found.setdefault(record.klass, {}).setdefault(record.program, []).append(value)
    return {klass: _mean_each(programs) for klass, programs in sorted(found.items())}


def _mean_each(programs: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {program: fmean(some) for program, some in sorted(programs.items())}
