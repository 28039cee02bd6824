"""A slice of 100 faults, drawn with a seed of its own, and the least that its figures may be.

`make slice` (or `python tests/campaign/slicing.py`) repairs them and says which figures are below.  The
bounds are in machine steps, so that the figures do not depend on how fast this machine is.  Who makes repairs
better raises the floors.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from wolverine.campaign.campaign import Plan, conduct
from wolverine.campaign.records import Record
from wolverine.campaign.summary import table

SAMPLES = Path(__file__).parents[2] / "samples" / "table2"
WORK = 300_000

Figures = tuple[int, int, int, int, int]

# Programs with one faulty statement, and those with the other classes of faults.
ALL = ("*.c", "*[02468]_*.c")

# faults, repaired, exposed, exposed and right at first, exposed and right after a question
FLOORS: dict[str, Figures] = {
    "1,0": (40, 40, 40, 34, 39),
    "1,1": (20, 16, 11, 10, 11),
    "2,0": (20, 16, 11, 11, 11),
    "2,1": (20, 12, 5, 5, 4),
}


def repaired(programs: tuple[str, str], out: Path, jobs: int) -> list[Record]:
    """The records of the faults in these programs."""
    records = []
    for classes, pattern in zip((("1,0",), ("1,1", "2,0", "2,1")), programs):
        plan = Plan(
            (str(SAMPLES / pattern),), out, classes, variants=1, seed=2026, jobs=jobs, timeout=600.0,
            work=WORK, localizers=("exact",),
        )  # fmt: skip
        records += conduct(plan, lambda *_: None)
    return records


def figures(records: list[Record], klass: str) -> Figures:
    """What the floors bound, of a class of faults."""
    found = [r for r in records if r.klass == klass and not r.missing]
    shown = [r for r in found if r.repaired and r.exposed]
    return (
        len(found),
        sum(r.repaired for r in found),
        len(shown),
        sum(r.right_first for r in shown),
        sum(r.right_after_question for r in shown),
    )


def below(records: list[Record], floors: Mapping[str, Figures]) -> dict[str, tuple[Figures, Figures]]:
    """The classes of which a figure has fallen: what they are and what they should be, at least."""
    reached = {klass: figures(records, klass) for klass in floors}
    return {
        klass: (reached[klass], floor)
        for klass, floor in floors.items()
        if any(a < b for a, b in zip(reached[klass], floor))
    }


def main() -> int:
    """Repair all of them; status 1 where a figure has fallen."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--jobs", type=int, default=2)
    with tempfile.TemporaryDirectory() as folder:
        records = repaired(ALL, Path(folder), reader.parse_args().jobs)
    print(table(records))
    errors = [f"{record.program} {record.klass}: {record.error}" for record in records if record.error]
    fallen = [f"{k}: {at}, no longer {floor}" for k, (at, floor) in below(records, FLOORS).items()]
    print(*errors, *fallen, sep="\n")
    return int(bool(errors or fallen or len(records) != 100))


if __name__ == "__main__":
    sys.exit(main())
