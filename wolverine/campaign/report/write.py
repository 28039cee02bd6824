"""Write the report of a campaign: `report.txt`, and the figures beside it where matplotlib is there."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from types import ModuleType

from wolverine.campaign.records import Record
from wolverine.campaign.report import tables

FILE = "report.txt"


def write(records: Iterable[Record], folder: Path) -> list[Path]:
    """Write tables and figures to the folder; returns the files, `report.txt` first.

    Runs on other assertions, with another number of traces, or on gdb have tables and figures of their
    own, whose names say so.
    """
    groups: dict[tuple[str, int, bool], list[Record]] = {}
    for record in records:
        groups.setdefault((record.specs, record.traces, record.gdb), []).append(record)
    charts = _charts()
    text, written = [], [folder / FILE]
    for number, ((specs, traces, gdb), found) in enumerate(groups.items()):
        suffix = f"-{specs}-{traces}{'-gdb' * gdb}" if number else ""
        found.sort(key=lambda record: record.key)
        text.append(f"Assertions: {specs}, traces: {traces}{', from gdb' * gdb}\n\n{tables.text(found)}")
        if charts is not None:
            written += charts.draw(found, folder, suffix)
    if charts is None:
        text.append("The figures need matplotlib: pip install 'wolverine-debugger[campaign]'\n")
    (folder / FILE).write_text("\n".join(text) or tables.text([]), encoding="utf-8")
    return written


def _charts() -> ModuleType | None:
    try:
        return import_module("wolverine.campaign.report.charts")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        return None
