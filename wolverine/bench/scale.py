"""The way from a stop to its picture on heaps of 10 to 1,000,000 nodes, whole and in its parts."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.table import Table

from wolverine import draw
from wolverine.core.graph import changed_places
from wolverine.session.options import SessionOptions
from wolverine.session.parse import parse
from wolverine.session.session import Session

T = TypeVar("T")

SIZES = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
BOUNDS = {10_000: 0.15, 100_000: 1.0}  # seconds from stop to cut picture
_WIDTH = 100

SHAPES = {
    "list": """\
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
struct node *top;
int main(void) {
    for (int i = 0; i < COUNT; i++) {
        struct node *n = malloc(sizeof *n);
        n->data = i; n->prev = NULL; n->next = top;
        if (top != NULL) top->prev = n;
        top = n;
    }
    struct node *p = top;
    while (1) {
        p->data = p->data + 1;
        p = p->next != NULL ? p->next : top;
    }
}
""",
    "tree": """\
#include <stdlib.h>
struct tree { int data; struct tree *left, *right; };
struct tree *build(int low, int high) {
    if (low >= high) return NULL;
    struct tree *t = malloc(sizeof *t);
    t->data = (low + high) / 2;
    t->left = build(low, t->data);
    t->right = build(t->data + 1, high);
    return t;
}
struct tree *top;
int main(void) {
    top = build(0, COUNT);
    struct tree *p = top;
    while (1) {
        p->data = p->data + 1;
        p = p->left != NULL ? p->left : top;
    }
}
""",
    "array of pointers": """\
#include <stdlib.h>
struct record { int key; int value; };
struct record **all;
int main(void) {
    all = malloc(COUNT * sizeof *all);
    for (int i = 0; i < COUNT; i++) {
        all[i] = malloc(sizeof(struct record));
        all[i]->key = i; all[i]->value = 0;
    }
    struct record *p = all[0]; int i = 0;
    while (1) {
        p->value = p->value + 1;
        i = (i + 1) % COUNT, p = all[i];
    }
}
""",
}


@dataclass(frozen=True, slots=True)
class Scaled:
    """Medians in seconds for one heap; `bare` is gdb's own `next` in the same process."""

    shape: str
    nodes: int
    runs: int
    whole: float
    snapshot: float
    difference: float
    layout: float
    drawing: float
    bare: float


def measure(folder: Path, shape: str, nodes: int, runs: int) -> Scaled:
    """Build the heap in a real process, step through it, and time every part at new stops."""
    source = folder / f"{shape.split()[0]}{nodes}.c"
    text = SHAPES[shape].replace("COUNT", str(nodes))
    source.write_text(text)
    line = next(number for number, each in enumerate(text.splitlines(), 1) if " while (" in each)
    session = Session(SessionOptions((source,), batch=True, width=_WIDTH), lambda result: None)
    try:
        session.execution.budget = 120.0
        for command in (*parse(f"break {line}"), *parse("run"), *parse("next 2")):
            session.execute(command)  # type: ignore[arg-type]
        (step,) = parse("next")
        whole = _median(lambda: session.execute(step), runs)  # type: ignore[arg-type]
        return Scaled(shape, nodes, runs, whole, *_parts(session, runs))
    finally:
        session.close()


def _parts(session: Session, runs: int) -> tuple[float, float, float, float, float]:
    times: dict[str, list[float]] = {}

    def timed(name: str, action: Callable[[], T]) -> T:
        began = time.perf_counter()
        result = action()
        times.setdefault(name, []).append(time.perf_counter() - began)
        return result

    debugger = session.debugger
    before = debugger.snapshot().graph
    picture = draw.layout(before, width=_WIDTH)
    for _ in range(runs):
        timed("bare", lambda: debugger.resume("next"))
        graph = timed("snapshot", debugger.snapshot).graph
        timed("difference", partial(changed_places, before, graph))
        picture = timed("layout", partial(draw.layout, graph, picture, before=before, width=_WIDTH))
        timed("drawing", partial(draw.terminal, picture, width=_WIDTH, color=False, unicode=True))
        before = graph
    names = ("snapshot", "difference", "layout", "drawing", "bare")
    first, second, third, fourth, fifth = (statistics.median(times[name]) for name in names)
    return first, second, third, fourth, fifth


def _median(action: Callable[[], object], runs: int) -> float:
    taken = []
    for _ in range(runs):
        began = time.perf_counter()
        action()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def measured(folder: Path, sizes: Sequence[int], runs: int, shapes: Sequence[str] = ()) -> list[Scaled]:
    """Every shape at every size; large heaps are measured less often."""
    return [
        measure(folder, shape, n, runs if n < 10_000 else min(runs, 5 if n < 1_000_000 else 1))
        for n in sizes
        for shape in shapes or SHAPES
    ]


def missed(scaled: Sequence[Scaled]) -> bool:
    """Whether a bound is missed."""
    return any(each.whole > BOUNDS.get(each.nodes, each.whole) for each in scaled)


def table(scaled: Sequence[Scaled]) -> Table:
    """In ms; the last columns are the whole and gdb's own `next`, and their ratio."""
    made = Table("heap (ms)", "nodes", "runs", "snapshot", "difference", "layout", "drawing")
    for name in ("stop to picture", "bound", "bare next", "ratio"):
        made.add_column(name)
    for each in scaled:
        bound = BOUNDS.get(each.nodes)
        parts = (each.snapshot, each.difference, each.layout, each.drawing, each.whole)
        cells = [f"{part * 1000:.2f}" for part in parts]
        cells[-1] += "  MISSED" if bound is not None and each.whole > bound else ""
        limit = f"{bound * 1000:.0f}" if bound is not None else ""
        bare, ratio = f"{each.bare * 1000:.2f}", f"{each.whole / each.bare:.1f}"
        made.add_row(each.shape, f"{each.nodes:,}", str(each.runs), *cells, limit, bare, ratio)
    return made


def main() -> int:
    """Measure heaps alone; status 1 where a bound is missed."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--runs", type=int, default=20, help="repetitions of each row (default 20)")
    reader.add_argument("--most-nodes", type=int, default=SIZES[-1], help="the largest heap measured")
    reader.add_argument("--shape", action="append", choices=list(SHAPES), help="only this shape")
    options = reader.parse_args()
    sizes = [n for n in SIZES if n <= options.most_nodes]
    with tempfile.TemporaryDirectory() as name:
        scaled = measured(Path(name), sizes, options.runs, options.shape or ())
    Console(width=140).print(table(scaled))
    return int(missed(scaled))


if __name__ == "__main__":
    sys.exit(main())
