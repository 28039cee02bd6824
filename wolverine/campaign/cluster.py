"""Runs on the workers of a Dask scheduler (an optional extra: `pip install wolverine-debugger[cluster]`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module

from wolverine.campaign.records import Record
from wolverine.campaign.runs import Task, run
from wolverine.errors import UsageError

_PATIENCE = "10s"  # until somebody answers
_AHEAD = 4  # tasks that wait for each thread of the workers


def execute(tasks: Sequence[Task], address: str) -> Iterator[Record]:
    """The records of the tasks in the order in which they come from the cluster.

    The workers read the programs from the same paths and have to run one task at a time each
    (`dask worker --nthreads 1`).  Raises UsageError without Dask or where nobody answers.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise UsageError("--cluster needs Dask: pip install 'wolverine-debugger[cluster]'") from None
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at {address}: {error}") from error
    with client:
        waiting = iter(tasks)
        threads = sum(client.nthreads().values()) or 1
        running = distributed.as_completed(loop=client.loop)
        for _ in range(threads * _AHEAD):
            _submit(client, running, waiting)
        for future in running:
            _submit(client, running, waiting)
            yield future.result()


def _submit(client: object, running: object, waiting: Iterator[Task]) -> None:
    task = next(waiting, None)
    if task is not None:
        running.add(client.submit(run, task, pure=False))  # type: ignore[attr-defined]
