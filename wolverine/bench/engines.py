"""The engines: `widening` beside `search` on every sample; the localizer; specification refinement.

Every sample is played as a whole session on gdb, with one engine and then with the other.  Seconds are
processor time of the session's own process while it carries out `repair`: finding, ranking, and the way
to the patch, but neither gcc nor gdb.  Those of `localize` are what it tells.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from wolverine.errors import CommandError
from wolverine.session import engines, results
from wolverine.session.options import SessionOptions
from wolverine.session.parse import parse
from wolverine.session.session import Session

WIDENING_BOUND = 5.0  # seconds, on each sample
GRADIENT_BOUND = 0.001  # seconds, for 100 steps
LINEAR_BOUND = 15.0  # how many times longer a trace of ten times the length may take

# Two statements a round: 100 steps are about 33 rounds with the condition.
WALK = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *list, *last;
void walk(void);
int main(int argc, char **argv) {
    int i, count = ROUNDS;
    for (i = 0; i < count; i++) {
        struct node *fresh = malloc(sizeof(struct node));
        fresh->data = i;
        fresh->next = list;
        list = fresh;
    }
    walk();
    return 0;
}
void walk(void) {
    struct node *each = list;
    while (each != NULL) {
        last = each;
        each = each->next;
    }
    last = list;
}
"""

# Figure 1: four rounds, every one of them asserted, and the end.
COMPLETE = """\
start
next; next; next; next
step
next 2
spec
enter; next 5
change temp2 n3; change current n3; change n4 -> prev n3
spec
enter; next 5
change temp2 n2; change current n2; change n3 -> prev n2
spec
enter; next 5
change temp2 n1; change current n1; change n2 -> prev n1
spec
enter; next 5
change temp2 null; change current null; change n1 -> prev null
spec
leave
change head n1
spec
"""
WRONG, RIGHT, LAST = "while (temp1 != NULL)", "while (current != NULL)", "current->next = temp1;"


@dataclass(frozen=True, slots=True)
class Row:
    """`seconds` is the measured median, `beside` what it is compared with; `bound` None: only told."""

    name: str
    seconds: float | None
    beside: str
    bound: float | None = None

    @property
    def missed(self) -> bool:
        """Whether the bound is not held, or nothing came out where something has to."""
        return self.bound is not None and (self.seconds is None or self.seconds > self.bound)


@dataclass(frozen=True, slots=True)
class Told:
    """A session's repairs: their seconds of processor time and numbers of edits; None for one that failed."""

    seconds: tuple[float | None, ...]
    edits: tuple[int, ...]


def play(source: Path, arguments: Sequence[str], lines: Sequence[str]) -> Told:
    """Run a session; a repair that fails is noted, any other failure is raised."""
    heard: list[results.Result] = []
    seconds: list[float | None] = []
    session = Session(SessionOptions((source,), batch=True, arguments=tuple(arguments)), heard.append)
    try:
        for line in lines:
            repairing = line.startswith("repair")
            began = time.process_time()
            try:
                for command in parse(line):
                    session.execute(command)  # type: ignore[arg-type]
            except CommandError:
                if not repairing:
                    raise
                seconds.append(None)
            else:
                seconds += [time.process_time() - began] if repairing else []
    finally:
        session.close()
    repairs = [each for each in heard if isinstance(each, results.Repaired)]
    return Told(tuple(seconds), tuple(len(each.edits) for each in repairs))


def script(path: Path, repair: str) -> list[str]:
    """A sample's commands, its repairs replaced."""
    lines = [line.partition("#")[0].strip() for line in path.read_text().splitlines()]
    kept = [line for line in lines if line and not line.startswith(("rewrite", "localize"))]
    return [repair if line.startswith("repair") else line for line in kept]


def samples(folder: Path, runs: int) -> list[Row]:
    """The slowest repair of each sample, `widening` beside `search`."""
    rows = []
    for path in sorted(folder.glob("*.wol")):
        expected = json.loads(path.with_suffix(".json").read_text())
        source = folder / f"{expected.get('program', path.stem)}.c"
        arguments = expected.get("arguments", [])
        slowest: dict[str, float | None] = {}
        edits: dict[str, tuple[int, ...]] = {}
        for engine in ("widening", "search"):
            played = [
                play(source, arguments, script(path, f"repair --engine {engine} --no-question"))
                for _ in range(runs)
            ]
            each = [None if None in told.seconds else max(s or 0.0 for s in told.seconds) for told in played]
            slowest[engine] = None if None in each else statistics.median(s or 0.0 for s in each)
            edits[engine] = played[0].edits
        other = _milliseconds(slowest["search"])
        beside = f"search {other}; edits {_numbers(edits['widening'])} | {_numbers(edits['search'])}"
        rows.append(Row(f"widening, {path.stem}", slowest["widening"], beside, WIDENING_BOUND))
    return rows


def gradient(folder: Path, runs: int) -> list[Row]:
    """`localize --engine gradient` on executions of 100 and of 1,000 steps: the best times."""
    best = {}
    for steps in (100, 1_000):
        source = folder / f"walk{steps}.c"
        source.write_text(WALK.replace("ROUNDS", str(steps // 3)))
        heard: list[results.Result] = []
        session = Session(SessionOptions((source,), batch=True), heard.append)
        try:
            end = next(n for n, line in enumerate(WALK.splitlines(), 1) if "last = list" in line)
            for line in ("break walk", "run", "spec", f"advance {end}", "next", "change last null", "spec"):
                for command in parse(line):
                    session.execute(command)  # type: ignore[arg-type]
            for _ in range(max(runs, 10)):
                for command in parse("localize --engine gradient"):
                    session.execute(command)  # type: ignore[arg-type]
        finally:
            session.close()
        found = [each for each in heard if isinstance(each, results.Localized)]
        assert all(each.suspects for each in found)
        best[steps] = min(each.seconds for each in found)
    ratio = best[1_000] / best[100]
    linear = f"1,000 steps {_milliseconds(best[1_000])}"
    return [
        Row("gradient, 100 steps", best[100], linear, GRADIENT_BOUND),
        Row("gradient, 1,000 steps : 100 steps (a ratio)", ratio, "10 is linear", LINEAR_BOUND),
    ]


def refinement(samples: Path, folder: Path, runs: int) -> list[Row]:
    """Section 6.1: Figure 1 over its complete execution, with lines 5 and 9 of the paper concrete or not.

    A condition that is concrete cannot be made to agree with `enter`: line 5 is so where it is right.
    """
    given = samples / "reverse_dll.c"
    corrected = folder / "corrected.c"
    corrected.write_text(given.read_text().replace(WRONG, RIGHT))
    rows = []
    for engine, options in (("widening", "--engine widening --no-localize"), ("search", "")):
        for source, texts in ((given, ()), (given, (LAST,)), (corrected, ()), (corrected, (RIGHT, LAST))):
            lines = source.read_text().splitlines()
            concrete = [n for n, line in enumerate(lines, 1) if any(text in line for text in texts)]
            commands = [f"concrete {number}" for number in concrete] + COMPLETE.splitlines()
            told = [play(source, (), [*commands, f"repair {options} --no-question"]) for _ in range(runs)]
            seconds = [each.seconds[0] for each in told]
            median = None if None in seconds else statistics.median(s or 0.0 for s in seconds)
            which = "Figure 1" if source is given else "Figure 1, condition right"
            name = f"{engine}, {which}, {len(concrete)} lines concrete"
            rows.append(Row(name, median, f"edits {_numbers(told[0].edits)}"))
    return rows


def _milliseconds(seconds: float | None) -> str:
    return "no repair" if seconds is None else f"{seconds * 1000:.1f} ms"


def _numbers(edits: Sequence[int]) -> str:
    return "+".join(map(str, edits)) or "none"


def main() -> int:
    """Measure, print the table; status 1 where a bound is missed."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument(
        "--runs", type=int, default=1, help="sessions behind each row, whose median it is (default 1)"
    )
    reader.add_argument("--samples", type=Path, default=Path("samples"), help="the folder of the samples")
    options = reader.parse_args()
    engines.engine("widening")  # loads z3, which is no part of a repair
    with tempfile.TemporaryDirectory() as name:
        rows = gradient(Path(name), options.runs)
        rows += samples(options.samples, options.runs)
        rows += refinement(options.samples, Path(name), options.runs)
    table = Table("measure", "median", "bound", "beside")
    for row in rows:
        plain = "ratio" in row.name
        shown = f"{row.seconds:.1f}" if plain and row.seconds else _milliseconds(row.seconds)
        bound = "" if row.bound is None else f"{row.bound:g}" if plain else _milliseconds(row.bound)
        table.add_row(row.name, shown + ("  MISSED" if row.missed else ""), bound, row.beside)
    Console(width=140).print(table)
    return int(any(row.missed for row in rows))


if __name__ == "__main__":
    sys.exit(main())
