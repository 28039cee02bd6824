"""The tables of Wolverine2 section 7, and the numbers of its figures, as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean, median

from wolverine.campaign.engines import LOCALIZED, NAMES, SEARCH, SECTION, UNCONFINED
from wolverine.campaign.records import Record
from wolverine.campaign.report import series
from wolverine.campaign.summary import laid_out

_THRESHOLDS = (0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.5, 1.0)


def text(records: Sequence[Record]) -> str:
    """All tables for which there are records, each under its title."""
    parts = [f"{title}\n\n{laid_out(rows)}\n" for title, rows in _tables(records) if len(rows) > 1]
    return "\n".join(parts) or "There are no runs to report about.\n"


def _tables(records: Sequence[Record]) -> Iterator[tuple[str, list[list[str]]]]:
    for engine in NAMES:
        yield (
            f"Figure 12 (a, b): mean seconds of successful repairs, {engine}",
            _by_program(records, series.repair_times(records, engine), _seconds),
        )
        yield (
            f"Figure 12 (c): repaired, {engine}",
            _by_program(records, series.success_rates(records, engine), _percent),
        )
        yield f"Figure 12 (d): mean seconds by number of faults, {engine}", _by_faults(records, engine)
    yield "Figure 13: faulty lines found within a share of the program's lines", _figure_13(records)
    for klass in series.classes(records):
        yield f"Figure 14: mean seconds, class <{klass}>", _figure_14(records, klass)
    yield "Table 3: the tests of the statistical localizers", _table_3(records)
    for base in (LOCALIZED, SEARCH):
        yield (
            f"Table 4: average speedup of {base} by set of programs (largest of a program)",
            _table_4(records, base),
        )


def _by_program(
    records: Sequence[Record], found: Mapping[str, Mapping[str, float]], spell: Callable[[float], str]
) -> list[list[str]]:
    known = [klass for klass in series.classes(records) if klass in found]
    programs = sorted({program for some in found.values() for program in some})
    rows = [["program", *(f"<{klass}>" for klass in known)]]
    for program in programs:
        rows.append([program, *(_cell(found[klass].get(program), spell) for klass in known)])
    if programs:
        rows.append(["mean", *(spell(fmean(found[klass].values())) for klass in known)])
    return rows


def _by_faults(records: Sequence[Record], engine: str) -> list[list[str]]:
    found = series.times_by_faults(records, engine)
    numbers = sorted({number for some in found.values() for number in some})
    rows = [["program", *map(str, numbers)]]
    rows += [[program, *(_cell(some.get(n), _seconds) for n in numbers)] for program, some in found.items()]
    return rows


def _figure_13(records: Sequence[Record]) -> list[list[str]]:
    rows = [["localizer", "faults", *(f"{share:.0%}" for share in _THRESHOLDS), "median effort"]]
    for name, found in series.efforts(records).items():
        counts = [str(series.within(found, share)) for share in _THRESHOLDS]
        rows.append([name, str(len(found)), *counts, f"{100 * median(found):.1f} %"])
    return rows


def _figure_14(records: Sequence[Record], klass: str) -> list[list[str]]:
    names = (*series.COMPARED, SEARCH)
    found = {name: series.compared_times(records, name).get(klass, {}) for name in names}
    if not any(found[name] for name in series.COMPARED):
        return []
    programs = sorted({program for some in found.values() for program in some})
    rows = [["program", *names]]
    rows += [[program, *(_cell(found[n].get(program), _seconds) for n in names)] for program in programs]
    return rows


def _table_3(records: Sequence[Record]) -> list[list[str]]:
    rows = [["program", "versions", "tests", "failing", "line coverage", "branch coverage"]]
    found = series.coverage(records)
    rows += [
        [program, str(row.versions), f"{row.tests:.1f}", f"{row.failing:.1f}", f"{100 * row.lines:.1f}",
         f"{100 * row.branches:.1f}"]
        for program, row in found.items()
    ]  # fmt: skip
    return rows


def _table_4(records: Sequence[Record], base: str) -> list[list[str]]:
    known = series.classes(records)
    rows = [["set", "compared with", *(f"<{klass}>" for klass in known)]]
    for other in (SECTION, UNCONFINED):
        found = series.speedups(records, base, other)
        for name in sorted({name for name, _ in found}):
            cells = [found.get((name, klass)) for klass in known]
            spelled = [f"{c.average:.1f} ({c.largest:.1f}), {c.faults} faults" if c else "-" for c in cells]
            rows.append([name or "all", other, *spelled])
    return rows


def _cell(value: float | None, spell: Callable[[float], str]) -> str:
    return "-" if value is None else spell(value)


def _seconds(value: float) -> str:
    return f"{value:.4f}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"
