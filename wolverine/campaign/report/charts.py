"""The figures of Wolverine2 section 7 as SVG, drawn by matplotlib (the optional extra `campaign`).

The same records give the same bytes with the same matplotlib: no date, ids from a fixed salt, text as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wolverine.campaign.engines import NAMES, SEARCH
from wolverine.campaign.records import Record
from wolverine.campaign.report import series

_WITHOUT = {"Date": None, "Creator": None}
_STYLES = ("-", "--", "-.", ":")
_SCALED = 5  # programs of which Figure 12 (d) shows the growth


def draw(records: Sequence[Record], folder: Path, suffix: str = "") -> list[Path]:
    """Write each figure for which there are records to `folder`; returns the files."""
    written = []
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rc("svg", hashsalt="wolverine", fonttype="none")
        matplotlib.rc("font", size=9)
        for name, figure in _figures(records):
            path = folder / f"{name}{suffix}.svg"
            figure.savefig(path, format="svg", metadata=_WITHOUT)
            written.append(path)
    return written


def _figures(records: Sequence[Record]) -> Iterator[tuple[str, Figure]]:
    for engine in NAMES:
        times = series.repair_times(records, engine)
        if times:
            title = f"Repair time of {engine}"
            yield f"figure12-time-{engine}", _bars(title, "mean seconds", _labelled(times), log=True)
        rates = series.success_rates(records, engine)
        if any(share < 1 for programs in rates.values() for share in programs.values()):
            title = f"Success rate of {engine}"
            yield f"figure12-success-{engine}", _bars(title, "share repaired", _labelled(rates), log=False)
        grown = series.times_by_faults(records, engine)
        if grown:
            yield f"figure12-faults-{engine}", _growth(f"Repair time of {engine} by number of faults", grown)
    found = series.efforts(records)
    if found:
        yield "figure13", _effort(found)
    for klass in series.classes(records):
        compared = {name: series.compared_times(records, name).get(klass, {}) for name in series.COMPARED}
        if any(compared.values()):
            compared[SEARCH] = series.compared_times(records, SEARCH).get(klass, {})
            compared = {name: times for name, times in compared.items() if times}
            title = f"Repair with and without localization, class <{klass}>"
            yield f"figure14-{klass.replace(',', '-')}", _bars(title, "mean seconds", compared, log=True)


def _labelled(found: Mapping[str, Mapping[str, float]]) -> dict[str, Mapping[str, float]]:
    return {f"<{klass}>": programs for klass, programs in found.items()}


def _axes(width: float, title: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, 3.6), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title)
    axes.grid(axis="y", linewidth=0.4, alpha=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _bars(title: str, unit: str, groups: Mapping[str, Mapping[str, float]], log: bool) -> Figure:
    """For each program one bar of each group."""
    programs = sorted({program for group in groups.values() for program in group})
    width = 0.8 / len(groups)
    figure, axes = _axes(max(6.5, 1.5 + len(programs) * (0.1 + 0.07 * len(groups))), title)
    for number, (label, group) in enumerate(groups.items()):
        at = [place - 0.4 + width * (number + 0.5) for place, name in enumerate(programs) if name in group]
        axes.bar(at, [group[name] for name in programs if name in group], width, label=label)
    axes.set_xticks(range(len(programs)), _short(programs), rotation=90)
    axes.set_ylabel(unit)
    axes.margins(x=0.01)
    if log:
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, 1)
    figure.legend(loc="outside right upper")
    return figure


def _short(programs: Sequence[str]) -> list[str]:
    """What stands before the first "_" of the names, where that tells them apart."""
    found = [name.partition("_")[0] for name in programs]
    return found if len(set(found)) == len(found) else list(programs)


def _growth(title: str, grown: Mapping[str, Mapping[int, float]]) -> Figure:
    """Of five programs, evenly chosen, a line each."""
    figure, axes = _axes(5.0, title)
    programs = list(grown)
    step = max(len(programs) / _SCALED, 1.0)
    for program in dict.fromkeys(programs[int(step * n)] for n in range(min(_SCALED, len(programs)))):
        numbers = grown[program]
        axes.plot(list(numbers), list(numbers.values()), marker="o", label=program)
    axes.set_xticks(sorted({number for numbers in grown.values() for number in numbers}))
    axes.set_xlabel("faults")
    axes.set_ylabel("mean seconds")
    axes.legend()
    return figure


def _effort(found: Mapping[str, Sequence[float]]) -> Figure:
    """For each localizer how many faults are found within which share of the program."""
    figure, axes = _axes(6.0, "Faulty lines found by effort")
    for number, (name, efforts) in enumerate(found.items()):
        x = [0.0, *(100 * effort for effort in efforts), 100.0]
        y = [0, *range(1, len(efforts) + 1), len(efforts)]
        style = _STYLES[number % len(_STYLES)]
        axes.plot(x, y, style, drawstyle="steps-post", label=name)
    axes.axvline(10, color="0.6", linewidth=0.8)
    axes.set_xlim(0, 100)
    axes.set_ylim(0)
    axes.set_xlabel("effort: % of the program's executable lines that are read")
    axes.set_ylabel("faults")
    axes.legend()
    return figure
