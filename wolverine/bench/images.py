"""Rows of `make bench` about going back: images taken and restored, `back`, and a gdb that was killed."""

from __future__ import annotations

import os
import select
import signal
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from wolverine.bench.rows import Measured, do, opened, times
from wolverine.errors import RestartedError
from wolverine.session.session import Session

BIG = """\
#include <stdlib.h>
static unsigned long block; /* no pointer: the picture stays small */
static void fill(void) {
    block = (unsigned long)malloc(50 << 20);
    for (long i = 0; i < 50 << 20; i += 8)
        *(long *)(block + i) = i * 2654435761u;
}
int main(void) {
    int i = 0;
    fill();
    while (i < 1000000)
        i++;
    return 0;
}
"""


def images(folder: Path, small: Path, runs: int) -> list[Measured]:
    """Take and restore for a small program and for 50 MB; the image of each stop; `back`; a killed gdb."""
    rows = _taken_and_restored(small, "small", "start", (0.001, 0.003), runs)
    source = folder / "big.c"
    source.write_text(BIG)
    rows += _taken_and_restored(source, "50 MB", "start; next 3", (0.15, 0.05), min(runs, 10))
    with opened(small) as (session, _):
        do(session, "start")
        rows.append(_automatic(session, runs))
        backs = []
        for _ in range(runs):
            do(session, "next")
            backs += times(lambda: do(session, "back"), 1)
        rows.append(Measured("back", statistics.median(backs), 0.005, runs))
        killed = [_killed(session) for _ in range(min(runs, 10))]
        rows.append(Measured("killed gdb to the same state", statistics.median(killed), 0.5, len(killed)))
    return rows


def _taken_and_restored(
    source: Path, name: str, script: str, bounds: tuple[float, float], runs: int
) -> list[Measured]:
    """Each image is taken of, and restored over, a process that has moved on."""
    with opened(source) as (session, _):
        do(session, script)
        debugger = session.debugger
        taken, restored = [], []
        for _ in range(runs):
            debugger.resume("next")
            began = time.perf_counter()
            image = debugger.take_image()
            taken.append(time.perf_counter() - began)
            debugger.resume("next")
            restored += times(lambda image=image: debugger.restore(image), 1)  # type: ignore[misc]
    return [
        Measured(f"image taken, {name}", statistics.median(taken), bounds[0], runs),
        Measured(f"image restored, {name}", statistics.median(restored), bounds[1], runs),
    ]


def _automatic(session: Session, runs: int) -> Measured:
    """What the images of a stop cost within `next`, whatever number of them is taken."""
    debugger, spent = session.debugger, []
    take: Callable[[], object] = debugger.take_image

    def timed() -> object:
        began = time.perf_counter()
        try:
            return take()
        finally:
            spent.append(time.perf_counter() - began)

    debugger.take_image = timed  # type: ignore[method-assign, assignment]
    costs = []
    for _ in range(runs):
        spent.clear()
        do(session, "next")
        costs.append(sum(spent))
        do(session, "back")
    debugger.take_image = take  # type: ignore[method-assign, assignment]
    return Measured("automatic images of a stop", statistics.median(costs), 0.0015, runs)


def _killed(session: Session) -> float:
    """Seconds from gdb's death to the prompt at the same state."""
    number = next(
        int(each) for each in _children(os.getpid()) if (Path("/proc") / each / "comm").read_text() == "gdb\n"
    )
    handle = os.pidfd_open(number)
    os.kill(number, signal.SIGKILL)
    select.select([handle], [], [])
    os.close(handle)
    began = time.perf_counter()
    try:
        do(session, "print 1")
    except RestartedError:
        return time.perf_counter() - began
    raise AssertionError("the death of gdb was not noticed")


def _children(pid: int) -> list[str]:
    found: list[str] = []
    for task in (Path("/proc") / str(pid) / "task").iterdir():
        found += (task / "children").read_text().split()
    return found
