"""A campaign: programs x classes x variants x engines on all cores; it can be stopped and resumed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from wolverine.campaign import cluster
from wolverine.campaign.localizers import EXACT
from wolverine.campaign.programs import find, holdout
from wolverine.campaign.records import FILE, Key, Record, append, read
from wolverine.campaign.runs import Task, run
from wolverine.campaign.specs import Kind

_AHEAD = 4  # tasks that wait for each process


@dataclass(frozen=True)
class Plan:
    """What a campaign runs.  `classes` as "x,y"; `timeout` in seconds of processor time for one repair.

    `work` bounds a repair in machine steps instead, so that answers do not depend on the machine.
    `cluster` is the address of a Dask scheduler that makes the runs ("": processes of this machine).
    """

    programs: tuple[str, ...]
    out: Path
    classes: tuple[str, ...] = ("1,0", "1,1", "2,0", "2,1")
    variants: int = 40
    engines: tuple[str, ...] = ("search",)
    localizers: tuple[str, ...] = (EXACT,)
    specs: tuple[Kind, ...] = ("dense",)
    traces: int = 1
    seed: int = 1
    jobs: int = 0
    timeout: float = 300.0
    gdb: bool = False
    work: int | None = None
    cluster: str = ""

    def tasks(self) -> list[Task]:
        """All runs in their order: variants outermost, so that what is there early is a fair sample."""
        paths = find(self.programs)
        kept = holdout(paths)
        return [
            Task(
                path,
                Key(path.stem, klass, variant, self.seed, engine, kind, self.traces, self.gdb),
                kind,
                self.localizers,
                self.timeout,
                path.stem in kept,
                self.work,
            )
            for variant in range(self.variants)
            for klass in self.classes
            for path in paths
            for kind in self.specs
            for engine in self.engines
        ]


def conduct(plan: Plan, progress: Callable[[int, int, Record | None], None]) -> list[Record]:
    """Make the runs of the plan that the folder does not hold yet; returns the records of all of them.

    `progress` gets how many are done of how many, and the latest record.  KeyboardInterrupt ends the
    campaign; what is finished is in the file.
    """
    tasks = plan.tasks()
    plan.out.mkdir(parents=True, exist_ok=True)
    wanted = {task.key for task in tasks}
    done = {record.key: record for record in read(plan.out) if record.key in wanted}
    left = [task for task in tasks if task.key not in done]
    progress(len(done), len(tasks), None)
    for record in _executed(plan, left):
        append(plan.out / FILE, (record,))
        done[record.key] = record
        progress(len(done), len(tasks), record)
    return [done[task.key] for task in tasks]


def _executed(plan: Plan, tasks: Sequence[Task]) -> Iterator[Record]:
    if plan.cluster:
        return cluster.execute(tasks, plan.cluster)
    return execute(tasks, plan.jobs or os.cpu_count() or 1)


def execute(tasks: Sequence[Task], jobs: int) -> Iterator[Record]:
    """The records of the tasks in the order in which they come, from so many processes."""
    if jobs <= 1:
        yield from map(run, tasks)
        return
    waiting = iter(tasks)
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_quiet)
    try:
        running = {pool.submit(run, task) for task in islice(waiting, jobs * _AHEAD)}
        while running:
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(run, task) for task in islice(waiting, len(finished))}
            yield from (future.result() for future in finished)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _quiet() -> None:
    """Ctrl-C ends the campaign, not its processes one by one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
