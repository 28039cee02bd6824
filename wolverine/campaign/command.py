"""`wolverine campaign`: the command line of campaigns."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wolverine.campaign import engines, localizers
from wolverine.campaign.campaign import Plan, conduct
from wolverine.campaign.records import Record, read
from wolverine.campaign.report.write import FILE, write
from wolverine.campaign.specs import KINDS
from wolverine.campaign.summary import failures, table
from wolverine.errors import UsageError, WolverineError

_EVERY = 1.0  # seconds between two lines of progress


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(f"campaign: {message}\n`wolverine campaign --help` explains the options.")


def main(arguments: Sequence[str]) -> int:
    """Conduct a campaign; status 1 where a run failed in the campaign itself, 2 for wrong usage."""
    try:
        given = _parser().parse_args(list(arguments))
        if given.report is not None:
            return _report(given.report)
        plan = _plan(given)
        with _ended_alike():
            records = conduct(plan, _Progress(given.quiet))
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here", file=sys.stderr)
        return 1
    except WolverineError as error:
        print(f"wolverine: {error}", file=sys.stderr)
        return 2
    text = table(records)
    (plan.out / "summary.txt").write_text(text)
    (plan.out / "failures.txt").write_text(failures(records, lambda r: not (r.repaired and r.right_first)))
    write(records, plan.out)
    print(text, end="")
    return int(any(record.error for record in records))


@contextmanager
def _ended_alike() -> Iterator[None]:
    """SIGTERM ends the campaign as Ctrl-C does, its processes included."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _report(folder: Path) -> int:
    """Write and show the tables and figures of the runs that are there."""
    records = list(read(folder))
    if not records:
        raise UsageError(f"{folder} holds no runs")
    written = write(records, folder)
    print(written[0].read_text(encoding="utf-8"), end="")
    print("\nwritten:", *written)
    return 0


def _plan(given: argparse.Namespace) -> Plan:
    _known(given.engines, engines.NAMES, "engine")
    _known(given.localizers, localizers.NAMES, "localizer")
    _known(given.specs, KINDS, "kind of specification")
    for klass in given.classes:
        if not all(part.isdigit() for part in klass.split(",")) or klass.count(",") != 1 or klass == "0,0":
            raise UsageError(f"{klass} is no class of faults; 2,1 is two mutations and one deletion")
    return Plan(
        tuple(given.programs), given.out, tuple(given.classes), given.variants, tuple(given.engines),
        tuple(given.localizers), tuple(given.specs), given.traces, given.seed, given.jobs,
        given.timeout, given.gdb, given.work, given.cluster,
    )  # fmt: skip


def _known(given: Sequence[str], names: Sequence[str], what: str) -> None:
    for name in given:
        if name not in names:
            raise UsageError(f"there is no {what} {name}; there are: {', '.join(names)}")


def _parser() -> argparse.ArgumentParser:
    plan = Plan(("samples/table2/*.c",), Path("campaign"))
    parser = _Parser(
        prog="wolverine campaign",
        description="Inject faults into correct programs, repair them, and measure (Wolverine2 section 7).",
        epilog="Runs that OUT already holds are not made again. OUT/runs.jsonl has one JSON object a run, "
        "OUT/summary.txt the figures, OUT/failures.txt what was not repaired or not right at first, "
        f"OUT/{FILE} and OUT/figure*.svg the paper's tables and figures.",
        allow_abbrev=False,
    )
    option = parser.add_argument
    option("--programs", nargs="+", default=list(plan.programs), metavar="GLOB", help="correct programs; "
           "inputs.json beside them lists their inputs")  # fmt: skip
    option("--classes", nargs="+", default=list(plan.classes), metavar="X,Y",
           help="X mutations and Y deletions (default 1,0 1,1 2,0 2,1)")  # fmt: skip
    option("--variants", type=_positive, default=plan.variants, metavar="N", help="faults of each class (40)")
    option("--engines", nargs="+", default=list(plan.engines), metavar="E", help=", ".join(engines.NAMES))
    option("--localizers", nargs="*", default=list(plan.localizers), metavar="L",
           help=", ".join(localizers.NAMES))  # fmt: skip
    option("--specs", nargs="+", default=list(plan.specs), metavar="KIND", help=", ".join(KINDS))
    option("--traces", type=_positive, default=plan.traces, metavar="N", help="executions asserted about (1)")
    option("--seed", type=int, default=plan.seed, metavar="S", help="of the faults (1)")
    option("--out", type=Path, default=plan.out, metavar="DIR", help="where the records go (campaign)")
    option("--jobs", type=_positive, default=0, metavar="N", help="processes (default: all cores)")
    option(
        "--timeout",
        type=float,
        default=plan.timeout,
        metavar="SECONDS",
        help="of processor time, for one repair (300)",
    )
    option("--work", type=_positive, default=None, metavar="STEPS", help="machine steps for one repair")
    option("--cluster", default="", metavar="ADDRESS", help="hand the runs to a Dask scheduler")
    option("--gdb", action="store_true", help="take the traces from gdb instead of the model")
    option("--report", type=Path, default=None, metavar="DIR",
           help="make no runs, only the tables and figures of those in DIR")  # fmt: skip
    option("--quiet", action="store_true", help="no progress")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


class _Progress:
    """Tells on standard error how far the campaign is."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._told = 0.0
        self._begun = time.monotonic()
        self._before = 0
        self._repaired = self._right = self._made = 0

    def __call__(self, done: int, whole: int, latest: Record | None) -> None:
        if latest is None:
            self._before = done
        else:
            self._made += 1
            self._repaired += latest.repaired
            self._right += latest.right_first
        now = time.monotonic()
        if self._quiet or (now - self._told < _EVERY and done < whole):
            return
        self._told = now
        left = (now - self._begun) / max(done - self._before, 1) * (whole - done)
        end = "\n" if done == whole or not sys.stderr.isatty() else "\r"
        print(
            f"{done} of {whole} runs; of {self._made} new ones {self._repaired} repaired, "
            f"{self._right} right at first; about {left / 60:.0f} min left   ",
            end=end, file=sys.stderr, flush=True,
        )  # fmt: skip
