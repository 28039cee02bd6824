"""Repair of single faults under dense assertions: without gdb, beside gcc compiling the same file.

The instances are those of the campaign; CPU time of this process and of gcc's, so that other load on the
machine counts little.  Each is the first search of its program.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from wolverine.bench.rows import Measured
from wolverine.campaign import instances, programs
from wolverine.core.patch import Repairs
from wolverine.core.trace import Budget, Problem
from wolverine.repair import search

MEDIAN_BOUND = 0.005  # seconds
TAIL_BOUND = 0.5
_TAIL = 0.99


def single_faults(pattern: str) -> list[Measured]:
    """The median and the 99th percentile over the programs that the pattern names, one fault each."""
    taken: list[float] = []
    searched: list[float] = []  # until all minimal repairs are known
    compiled: list[float] = []
    for path, problem in _problems(pattern):
        began = time.process_time()
        answer = search(problem)
        taken.append(time.process_time() - began)
        if not isinstance(answer, Repairs):
            taken[-1] = float("inf")
        searched.append(taken[-1] - answer.ranking if isinstance(answer, Repairs) else taken[-1])
        compiled.append(_compiling(path))
    if not taken:
        return []
    beside, median = "gcc -O0 -c of the same file", statistics.median(compiled)
    name = "repair, dense single fault, CPU"
    return [
        Measured(f"{name}, median", statistics.median(taken), MEDIAN_BOUND, len(taken), beside, median),
        Measured(f"{name}, 99th percentile", tail(taken), TAIL_BOUND, len(taken), beside, median),
        Measured(
            "  until all are known, before ranking", statistics.median(searched), MEDIAN_BOUND,
            len(searched), beside, median,
        ),
    ]  # fmt: skip


def tail(taken: Sequence[float]) -> float:
    """The 99th percentile, the largest where there are fewer than a hundred."""
    ordered = sorted(taken)
    return ordered[min(len(ordered) - 1, int(_TAIL * len(ordered)))]


def _problems(pattern: str) -> Iterator[tuple[Path, Problem]]:
    for path in programs.find([pattern]):
        try:
            made = instances.make(programs.subject(path), 1, 0, 0, 1, "dense", 1)
        except instances.NoInstance:
            continue
        yield path, Problem(made.program, made.traces, Budget())


def _compiling(path: Path) -> float:
    """Seconds of CPU that gcc takes for the program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["gcc", "-O0", "-c", "-w", "-o", "/dev/null", str(path)], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
