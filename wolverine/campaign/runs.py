"""One run of a campaign: make the instance, repair it, judge the repair, write it down."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import unified_diff
from functools import lru_cache
from pathlib import Path
from types import FrameType

from wolverine import frontend
from wolverine.campaign import localizers
from wolverine.campaign.answering import after_question
from wolverine.campaign.engines import Engine
from wolverine.campaign.instances import Instance, NoInstance, make, on_gdb
from wolverine.campaign.programs import Subject, subject
from wolverine.campaign.records import FaultRecord, Key, Record
from wolverine.campaign.rightness import Judge
from wolverine.campaign.specs import Kind
from wolverine.campaign.statistical.spectra import collect
from wolverine.core.patch import Candidate, NoRepair, Repairs
from wolverine.core.program import Program
from wolverine.core.trace import Budget, Problem
from wolverine.errors import WolverineError

_TRIED = 8  # behaviours of which the best candidate is judged
_ANSWERING = 40.0  # seconds for the repair after an answer
_GRACE = 120.0  # seconds that a run may take on top of its repair
_CROWDED = 4  # how much longer by the clock than by processor time


@dataclass(frozen=True)
class Task:
    """What is to be run: one line of the records."""

    path: Path
    key: Key
    kind: Kind
    localizers: tuple[str, ...]
    timeout: float
    holdout: bool
    work: int | None = None


class _OutOfTime(Exception):  # noqa: N818
    pass


def run(task: Task) -> Record:
    """Make the run; whatever goes wrong is told in the record."""
    record = Record(*task.key, holdout=task.holdout)
    try:
        with _alarm(_CROWDED * task.timeout + _GRACE):
            return _run(task, record)
    except _OutOfTime:
        return replace(record, timeout=True, error="the run took too long")
    except NoInstance as none:
        return replace(record, missing=str(none))
    except (WolverineError, RecursionError, AssertionError, LookupError, ValueError, TypeError) as error:
        return replace(record, error=f"{type(error).__name__}: {error}")


def _run(task: Task, record: Record) -> Record:
    about = subject(task.path)
    mutations, deletions = map(int, task.key.klass.split(","))
    instance = make(about, mutations, deletions, task.key.variant, task.key.seed, task.kind, task.key.traces)
    if task.key.gdb:
        instance = on_gdb(instance, task.kind)
    record = described(record, instance)
    engine = Engine(task.key.engine)
    solve = engine.prepare()
    budget = Budget(seconds=task.timeout, clock=time.process_time)
    if task.work is not None:
        budget = replace(budget, work=task.work)
    problem = Problem(instance.program, instance.traces, budget)
    began, spent = time.perf_counter(), time.process_time()
    answer = engine.solve(problem, instance.function, record.fault_lines, solve)
    record = replace(
        record,
        seconds=round(time.perf_counter() - began, 6),
        processor_seconds=round(time.process_time() - spent, 6),
        ranking_seconds=round(answer.ranking, 6) if isinstance(answer, Repairs) else 0.0,
        steps=answer.steps,
    )
    found = answer if isinstance(answer, Repairs) and answer.candidates else None
    if engine.minimal:
        record = suspected(record, task.localizers, instance, problem, found)
    if found is None:
        reason = answer.reason if isinstance(answer, NoRepair) else "unsatisfiable"
        late = reason == "budget" and record.processor_seconds >= 0.95 * task.timeout
        return replace(record, reason=reason, timeout=late)
    return judged(repaired(record, instance, found, engine.minimal), about, instance, found)


def described(record: Record, instance: Instance) -> Record:
    """The record with what is known of the instance."""
    about = instance.subject
    return replace(
        record,
        function=instance.function,
        inputs=tuple(about.inputs[each.number] for each in instance.shown),
        faults=tuple(FaultRecord(f.kind, f.line, f.before, f.after, f.text) for f in instance.faults),
        fault_lines=tuple(dict.fromkeys(fault.line for fault in instance.faults)),
        difference=difference(about.content, instance.content, about.path.name),
        attempts=instance.attempts,
        unexposed=instance.unexposed,
        replaced=instance.replaced,
    )


def repaired(record: Record, instance: Instance, found: Repairs, minimal: bool) -> Record:
    """The record with the repair."""
    first = found.candidates[0]
    # Repairs under relaxed assertions do not count as repairs on the assertions.
    relaxed = bool(found.given_up)
    edits = first.cost + first.patch.size - len(first.patch.edits)  # each of several statements counts
    return replace(
        record,
        repaired=not relaxed,
        reason="places were disregarded" if relaxed else "",
        edits=edits,
        minimal_edits=edits if minimal else None,
        exposed=minimal and edits == len(instance.faults),
        candidates=found.total,
        behaviours=found.behaviours,
        given_up=len(found.given_up),
        own_control=found.own_control,
        complete=found.complete,
        repair=frontend.diff(instance.program, first.patch).partition("\n@@")[2],
    )


def judged(record: Record, about: Subject, instance: Instance, found: Repairs) -> Record:
    """The record with whether the repair is right, at first and after a question."""
    judge = judge_of(about.path)
    rank = None
    for number, candidate in enumerate(found.closest()[:_TRIED], 1):
        if judge.right(text_of(instance.program, candidate)):
            rank = number
            break
    try:
        with _alarm(_ANSWERING):
            asked, chosen = after_question(about.program, instance, found)
    except _OutOfTime:
        asked, chosen = True, None
    after = rank == 1
    if chosen is not None and chosen is not found.candidates[0]:
        after = judge.right(text_of(instance.program, chosen))
    elif chosen is None:
        after = False
    return replace(record, right_first=rank == 1, rank_of_right=rank, asked=asked, right_after_question=after)


def suspected(
    record: Record, names: Sequence[str], instance: Instance, problem: Problem, found: Repairs | None
) -> Record:
    """The record with what the localizers say."""
    shares, whole, contain, lines, seconds, effort = {}, {}, {}, {}, {}, {}
    tests, testing = None, 0.0
    if not localizers.STATISTICAL.isdisjoint(names):
        began = time.perf_counter()
        tests = collect(instance)
        testing = time.perf_counter() - began
        record = replace(
            record,
            tests=len(tests.tests),
            failing_tests=tests.failing,
            line_coverage=round(tests.line_coverage, 4),
            branch_coverage=round(tests.branch_coverage, 4),
        )
    for name in names:
        began = time.perf_counter()
        told = localizers.suspects(name, instance, problem, found, tests)
        if told is not None:
            own = record.seconds if name == localizers.EXACT else time.perf_counter() - began
            own += testing if name in localizers.STATISTICAL else 0.0
            shares[name], contain[name], lines[name] = round(told.share, 4), told.contain, told.lines
            whole[name], seconds[name] = round(told.of_program, 4), round(own, 6)
            effort[name] = round(told.effort, 4)
    return replace(
        record,
        suspects=shares,
        suspects_of_program=whole,
        suspects_contain_fault=contain,
        suspect_lines=lines,
        localize_seconds=seconds,
        effort=effort,
    )


@lru_cache(maxsize=64)
def judge_of(path: Path) -> Judge:
    """The judge of a program; remembered with what it has compiled."""
    about = subject(path)
    return Judge(about.name, about.content, about.inputs)


def text_of(program: Program, candidate: Candidate) -> bytes:
    """The repaired source."""
    return frontend.emit(program, candidate.patch)[0]


def difference(before: bytes, after: bytes, name: str) -> str:
    """The changed lines of a file as a unified difference without context."""
    one, two = (text.decode("utf-8", "replace").splitlines() for text in (before, after))
    return "\n".join(list(unified_diff(one, two, name, name, lineterm="", n=0))[2:])


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise _OutOfTime in here after so many seconds; only the main thread of a process can.

    In a worker's thread the bounds of the repair itself have to do.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(_number: int, _frame: FrameType | None) -> None:
        raise _OutOfTime

    begun = time.monotonic()
    outer = signal.signal(signal.SIGALRM, late)
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, outer)
        left = max(left - (time.monotonic() - begun), 0.001) if left else 0.0
        signal.setitimer(signal.ITIMER_REAL, left)
