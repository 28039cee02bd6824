"""`make bench`: the speed of everyday commands, each as a median beside a reference of the same run."""

from __future__ import annotations

import argparse
import os
import pty
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from wolverine.bench import scale
from wolverine.bench.faults import single_faults
from wolverine.bench.images import images
from wolverine.bench.rows import Measured
from wolverine.bench.rows import do as _do
from wolverine.bench.rows import opened as _session
from wolverine.bench.rows import times as _times
from wolverine.page.view import View
from wolverine.session import results
from wolverine.session.parse import parse
from wolverine.session.session import Session

GDB_FLAGS = (
    "-nx", "-q", "-batch", "-iex", "set auto-load off", "-iex", "set debuginfod enabled off",
    "-iex", "set debug-file-directory /nonexistent",
)  # fmt: skip

LIST = """\
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
struct node *head;
void push(int d) {
    struct node *n = malloc(sizeof(struct node));
    n->data = d;
    n->prev = NULL;
    n->next = head;
    if (head != NULL)
        head->prev = n;
    head = n;
}
int main(void) {
    int i;
    for (i = 0; i < COUNT; i++)
        push(i);
    struct node *p = head;
    while (p != NULL) {
        p->data = p->data + 1;
        p = p->next;
        if (p == NULL)
            p = head;
    }
    return 0;
}
"""


def launch(source: Path, runs: int) -> Measured:
    """The command in a terminal until its prompt is there, against gcc plus bare gdb to main."""
    program = source.with_suffix("")

    def bare() -> None:
        subprocess.run(["gcc", "-g", "-O0", str(source), "-o", str(program)], check=True)
        subprocess.run(
            ["gdb", *GDB_FLAGS, "-ex", "break main", "-ex", "run", "-ex", "kill", str(program)],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    # As for a user at the second launch: Python has kept the compiled modules.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(source.parent / "compiled")

    def whole() -> float:
        began = time.perf_counter()
        pid, terminal = pty.fork()
        if pid == 0:
            command = [sys.executable, "-m", "wolverine", str(source), "--no-color"]
            os.execve(sys.executable, command, environment)
        seen = b""
        while b"(wolverine)" not in seen:
            seen += os.read(terminal, 4096)
        taken = time.perf_counter() - began
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
        os.close(terminal)
        return taken

    whole()
    reference = statistics.median(_times(bare, runs))
    median = statistics.median(whole() for _ in range(runs))
    return Measured("launch to prompt", median, reference + 0.25, runs, "gcc + bare gdb to main", reference)


def stepping(folder: Path, nodes: int, bound: float, runs: int) -> list[Measured]:
    """`next` with snapshot, model and drawing, and the snapshot alone, against gdb's own next."""
    source = folder / f"list{nodes}.c"
    source.write_text(LIST.replace("COUNT", str(nodes)))
    with _session(source) as (session, _):
        _do(session, "break 18")
        _do(session, "run")
        _do(session, "next 3")
        whole = statistics.median(_times(lambda: _do(session, "next"), runs))
        alone, bare = _apart(session, runs)
    rows = [Measured(f"next, {nodes} nodes", whole, bound, runs, "bare next", bare)]
    if nodes <= 10:
        rows.append(Measured(f"snapshot, {nodes} nodes", alone, 0.0015, runs, "bare next", bare))
    return rows


def _apart(session: Session, runs: int) -> tuple[float, float]:
    """Medians of a snapshot alone, and of gdb's `next` alone; each snapshot is of a new stop."""
    snapshots, steps = [], []
    for _ in range(runs):
        steps += _times(lambda: session.debugger.resume("next"), 1)
        snapshots += _times(session.debugger.snapshot, 1)
    return statistics.median(snapshots), statistics.median(steps)


def repairing(sample: Path, script: Path, runs: int) -> list[Measured]:
    """`repair` on Figure 1: the search by its own clock, the whole command, and `resume`."""
    lines = [line.partition("#")[0].strip() for line in script.read_text().splitlines()]
    lines = [line for line in lines if line]
    first = next(index for index, line in enumerate(lines) if line.startswith("repair"))
    searches, wholes, resumes = [], [], []
    for _ in range(runs):
        with _session(sample) as (session, heard):
            for line in lines[:first]:
                _do(session, line)
            began = time.perf_counter()
            _do(session, lines[first])
            wholes.append(time.perf_counter() - began)
            searches.append(next(r.seconds for r in heard if isinstance(r, results.Repaired)))
            resumes.extend(_times(lambda: _do(session, "resume 0"), 1))
    return [
        Measured("repair of Figure 1, search and ranking", statistics.median(searches), 0.05, runs),
        Measured("repair of Figure 1, to the next prompt", statistics.median(wholes), 0.4, runs),
        Measured("resume", statistics.median(resumes), 0.02, runs),
    ]


def page(folder: Path, nodes: int, bound: float, runs: int) -> list[Measured]:
    """From a stop to the frame of the live page that shows it; [] where there is no Chromium."""
    # Imported here: only who measures or tests needs a browser.
    from wolverine.bench.page import chromium, stop_to_drawn

    executable = chromium()
    if executable is None:
        print("there is no chromium: the live page is not measured", file=sys.stderr)
        return []
    source = folder / f"page{nodes}.c"
    source.write_text(LIST.replace("COUNT", str(nodes)))
    with _session(source) as (session, _):
        _do(session, "break 18")
        _do(session, "run")
        [command] = parse("next")

        def step(view: View) -> None:
            view.begin("next", command)
            session.execute(command)  # type: ignore[arg-type]

        times = stop_to_drawn(session, step, executable, runs)
    return [Measured(f"stop to drawn page, {nodes} nodes", statistics.median(times), bound, runs)]


def main() -> int:
    """Measure, print the table; status 1 where a bound is missed."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--runs", type=int, default=20, help="repetitions of each row (default 20)")
    reader.add_argument("--samples", type=Path, default=Path("samples"), help="the folder of the samples")
    reader.add_argument("--most-nodes", type=int, default=1_000_000, help="the largest heap measured")
    options = reader.parse_args()
    sample = options.samples / "reverse_dll.c"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy = folder / "launch.c"
        copy.write_bytes(sample.read_bytes())
        rows = [launch(copy, options.runs)]
        rows += stepping(folder, 10, 0.015, options.runs)
        rows += stepping(folder, 1000, 0.03, options.runs)
        rows += page(folder, 10, 0.1, options.runs)
        rows += page(folder, 1000, 0.3, options.runs)
        sizes = [n for n in scale.SIZES if n <= options.most_nodes]
        scaled = scale.measured(folder, sizes, options.runs)
        rows += images(folder, folder / "list10.c", options.runs)
        rows += repairing(sample, options.samples / "reverse_dll.wol", options.runs)
        rows += single_faults(str(options.samples / "table2" / "*.c"))
    table = Table("measure", "median", "bound", "runs", "reference", "its median", "ratio")
    for row in rows:
        ratio = f"{row.median / row.reference_median:.1f}" if row.reference_median else ""
        reference = f"{row.reference_median * 1000:.2f} ms" if row.reference_median else ""
        held = "" if row.median <= row.bound else "  MISSED"
        table.add_row(
            row.name,
            f"{row.median * 1000:.2f} ms{held}",
            f"{row.bound * 1000:.1f} ms",
            str(row.runs),
            row.reference,
            reference,
            ratio,
        )
    Console(width=140).print(table)
    Console(width=140).print(scale.table(scaled))
    return int(scale.missed(scaled) or any(row.median > row.bound for row in rows))


if __name__ == "__main__":
    sys.exit(main())
