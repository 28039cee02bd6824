"""Instances: a program with a fault, and the execution on which the fault shows."""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wolverine import frontend
from wolverine.campaign.align import Alignment
from wolverine.campaign.execution import Execution
from wolverine.campaign.injector import Fault, draw, inject
from wolverine.campaign.programs import Subject
from wolverine.campaign.specs import Kind, select
from wolverine.core.patch import Patch
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.errors import WolverineError
from wolverine.semantics.replay import replay

_ATTEMPTS = 300
_STEPS = 20_000  # a faulty program that takes longer on a small input does not end
_CHECK = ("gcc", "-w", "-fsyntax-only", "-Werror=incompatible-pointer-types", "-Werror=int-conversion")


@dataclass(frozen=True)
class Instance:
    """A faulty program, and the traces that a repair has to meet.

    `inputs` are the numbers of the subject's inputs from which the traces come.  `attempts` counts the
    draws, `unexposed` those that no input exposed, `replaced` those whose assertions needed no edit.
    """

    subject: Subject
    function: str
    faults: tuple[Fault, ...]
    content: bytes
    program: Program
    traces: tuple[Trace, ...]
    inputs: tuple[int, ...]
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
        found.sort(key=lambda each: -telling(each[1]))
        if not found:
            replaced += 1
            continue
        chosen = found[:1]
        if traces > 1:
            chosen += _further(subject, alignment, function, found, order, kind, traces - 1)
        return Instance(
            subject, function, tuple(faults), content, program, tuple(t for _, t in chosen),
            tuple(n for n, _ in chosen), attempt, unexposed, replaced,
        )  # fmt: skip
    raise NoInstance(f"{subject.name} has no faults of this class that show")


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
) -> Iterator[tuple[int, Trace]]:
    """By input the first activation to return that the faulty program does not carry out right."""
    for number in numbers:
        for correct in subject.recording(function, number).traces:
            trace = alignment.trace(select(correct, kind))
            if trace is not None and not replay(program, Patch(), trace, limit=_STEPS).met:
                yield number, trace
                break


def telling(trace: Trace) -> int:
    """How much an execution shows: the loop decisions and nodes in it."""
    return len(trace.events) + len(trace.start.nodes)


def _further(
    subject: Subject,
    alignment: Alignment,
    function: str,
    found: Sequence[tuple[int, Trace]],
    order: Sequence[int],
    kind: Kind,
    more: int,
) -> list[tuple[int, Trace]]:
    """Traces of other sizes: those on which the fault shows first, then others of the function."""
    sizes = {len(found[0][1].start.nodes)}
    others = list(found[1:])
    for number in order:
        for correct in subject.recording(function, number).traces:
            trace = alignment.trace(select(correct, kind))
            if trace is not None:
                others.append((number, trace))
    chosen: list[tuple[int, Trace]] = []
    for number, trace in others:
        if len(chosen) < more and len(trace.start.nodes) not in sizes:
            sizes.add(len(trace.start.nodes))
            chosen.append((number, trace))
    return chosen
