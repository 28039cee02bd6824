"""Instances: a program with a fault, and the execution on which the fault shows."""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from wolverine import frontend
from wolverine.campaign.align import Alignment
from wolverine.campaign.debugged import trace_on_gdb
from wolverine.campaign.execution import Execution
from wolverine.campaign.injector import Fault, draw, inject
from wolverine.campaign.programs import Subject
from wolverine.campaign.specs import Kind, select
from wolverine.core.patch import Patch
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.errors import CommandError, WolverineError
from wolverine.semantics.replay import replay

_ATTEMPTS = 300
_STEPS = 20_000  # a faulty program that takes longer on a small input does not end
_CHECK = ("gcc", "-w", "-fsyntax-only", "-Werror=incompatible-pointer-types", "-Werror=int-conversion")


class Shown(NamedTuple):
    """An execution: number `call` (from 1) of the function on input number `number` of the subject."""

    number: int
    call: int
    trace: Trace


@dataclass(frozen=True)
class Instance:
    """A faulty program, and the traces that a repair has to meet.

    `shown` tells from which input and which call each trace comes.  `attempts` counts the
    draws, `unexposed` those that no input exposed, `replaced` those whose assertions needed no edit.
    """

    subject: Subject
    function: str
    faults: tuple[Fault, ...]
    content: bytes
    program: Program
    traces: tuple[Trace, ...]
    shown: tuple[Shown, ...]
    attempts: int
    unexposed: int
    replaced: int


class NoInstance(Exception):  # noqa: N818
    """The program has no room for such faults."""


def make(
    subject: Subject, mutations: int, deletions: int, variant: int, seed: int, kind: Kind, traces: int
) -> Instance:
    """Draw faults until one shows; the same arguments give the same instance.  Raises NoInstance."""
    chance = random.Random(f"{seed} {subject.name} {mutations},{deletions} {variant}")
    unexposed = replaced = 0
    functions = [name for name, known in subject.sites.items() if known]
    weights = [sum(len(s.mutations) + (s.deletion is not None) for s in subject.sites[f]) for f in functions]
    for attempt in range(1, _ATTEMPTS + 1):
        if not functions:
            break
        function = chance.choices(functions, weights)[0]
        faults = draw(chance, subject.sites[function], mutations, deletions)
        order = list(range(len(subject.inputs)))
        chance.shuffle(order)
        if faults is None:
            continue
        content = inject(subject.content, faults)
        program = load(subject, content)
        if program is None or program.functions[function].unsupported:
            continue
        showing = [number for number in order if shows(subject, program, number)]
        if not showing:
            unexposed += 1
            continue
        alignment = Alignment(subject.program, program, function, faults)
        found = list(failing(subject, program, alignment, function, showing, kind))
        # The fault is shown on the input that tells most about it.
        found.sort(key=lambda each: -telling(each.trace))
        if not found:
            replaced += 1
            continue
        chosen = found[:1]
        if traces > 1:
            chosen += _further(subject, alignment, function, found, order, kind, traces - 1)
        return Instance(
            subject, function, tuple(faults), content, program, tuple(each.trace for each in chosen),
            tuple(chosen), attempt, unexposed, replaced,
        )  # fmt: skip
    raise NoInstance(f"{subject.name} has no faults of this class that show")


def on_gdb(instance: Instance, kind: Kind) -> Instance:
    """The instance with its traces taken from gdb; raises CommandError where that fails."""
    about, name = instance.subject, instance.function
    alignment = Alignment(about.program, instance.program, name, instance.faults)
    traces: list[Trace] = []
    for number, call, _ in instance.shown:
        recording = about.recording(name, number)
        recorded = recording.traces[recording.calls.index(call)]
        trace = alignment.trace(select(trace_on_gdb(about, name, number, recorded, call), kind))
        if trace is None:
            raise CommandError(f"the trace of {name} has no place in the faulty program")
        traces.append(trace)
    return replace(instance, traces=tuple(traces))


def load(subject: Subject, content: bytes) -> Program | None:
    """The faulty program, None where gcc refuses it."""
    with tempfile.TemporaryDirectory(prefix="wolverine-") as folder:
        path = Path(folder) / subject.path.name
        path.write_bytes(content)
        try:
            program = frontend.load([path]).program
        except WolverineError:
            return None
        checked = subprocess.run([*_CHECK, str(path)], capture_output=True, check=False)
        return program if checked.returncode == 0 else None


def shows(subject: Subject, program: Program, number: int) -> bool:
    """Whether the program does visibly something else than the correct one on an input."""
    right = subject.runs[number]
    if right.unmodelled or right.crash:
        return False
    ran = Execution(program, subject.inputs[number], steps=_STEPS).run()
    return not ran.unmodelled and ran.seen != right.seen


def failing(
    subject: Subject,
    program: Program,
    alignment: Alignment,
    function: str,
    numbers: Sequence[int],
    kind: Kind,
) -> Iterator[Shown]:
    """By input the first activation to return that the faulty program does not carry out right."""
    for number in numbers:
        recording = subject.recording(function, number)
        for correct, call in zip(recording.traces, recording.calls, strict=True):
            trace = alignment.trace(select(correct, kind))
            if trace is not None and not replay(program, Patch(), trace, limit=_STEPS).met:
                yield Shown(number, call, trace)
                break


def telling(trace: Trace) -> int:
    """How much an execution shows: the loop decisions and nodes in it."""
    return len(trace.events) + len(trace.start.nodes)


def _further(
    subject: Subject,
    alignment: Alignment,
    function: str,
    found: Sequence[Shown],
    order: Sequence[int],
    kind: Kind,
    more: int,
) -> list[Shown]:
    """Traces of other sizes: those on which the fault shows first, then others of the function."""
    sizes = {len(found[0].trace.start.nodes)}
    others = list(found[1:])
    for number in order:
        recording = subject.recording(function, number)
        for correct, call in zip(recording.traces, recording.calls, strict=True):
            trace = alignment.trace(select(correct, kind))
            if trace is not None:
                others.append(Shown(number, call, trace))
    chosen: list[Shown] = []
    for each in others:
        size = len(each.trace.start.nodes)
        if len(chosen) < more and size not in sizes:
            sizes.add(size)
            chosen.append(each)
    return chosen
