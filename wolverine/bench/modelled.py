"""`python -m wolverine.bench.modelled FILES`: how much of C programs is modelled, and whether it is right.

A program is stepped through in gdb; at every stop the model's state is compared with the process'.  A
statement counts as modelled when the model told its effect beforehand; calls of library functions that
touch nothing of the program (`printf`) have the effect "none", which is compared like any other.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from wolverine import frontend
from wolverine.core.graph import MemoryGraph
from wolverine.core.program import Concrete, Program
from wolverine.core.trace import Interval
from wolverine.errors import WolverineError
from wolverine.semantics.concrete import touches_nothing
from wolverine.session.execution import Execution
from wolverine.session.moments import Moment
from wolverine.session.options import SessionOptions
from wolverine.session.positions import UNMAPPED
from wolverine.session.session import Session
from wolverine.session.tracing import Followed

Statement = tuple[str, int]  # function, unit


@dataclass
class Walk:
    """What stepping through one program showed.

    `modelled` and `concrete` count executions of statements (function, unit); `library` are those of the
    concrete ones that lack nothing but the value of a library call (`atoi`).  `differences` are for
    people, `reasons` say why statements were concrete, `ended` tells that the program came to its end.
    """

    stops: int = 0
    modelled: Counter[Statement] = field(default_factory=Counter)
    concrete: Counter[Statement] = field(default_factory=Counter)
    library: Counter[Statement] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    ended: bool = False
    output: str = ""

    @property
    def executed_share(self) -> float:
        """The share of executed statements that were modelled, 0 to 1."""
        whole = self.modelled.total() + self.concrete.total()
        return self.modelled.total() / whole if whole else 1.0

    @property
    def own_share(self) -> float:
        """The same when values of library calls count as input, 0 to 1."""
        whole = self.modelled.total() + self.concrete.total()
        return (self.modelled.total() + self.library.total()) / whole if whole else 1.0

    @property
    def distinct_share(self) -> float:
        """The share of distinct executed statements that were modelled each time, 0 to 1."""
        whole = self.modelled.keys() | self.concrete.keys()
        return 1 - len(self.concrete) / len(whole) if whole else 1.0

    def add(self, other: Walk) -> None:
        """Count another run of the same program too."""
        self.stops += other.stops
        self.modelled += other.modelled
        self.concrete += other.concrete
        self.library += other.library
        self.differences += other.differences
        self.reasons += other.reasons
        self.ended = self.ended and other.ended


def walk(
    sources: Sequence[Path],
    arguments: Sequence[str] = (),
    *,
    stdin: Path | None = None,
    moves: Sequence[str] = ("step",),
    prepare: Sequence[str] = (),
    most: int = 400,
    cflags: Sequence[str] = (),
) -> Walk:
    """Start the program, repeat the gdb commands `moves` in turn until it ends or for `most` stops.

    `prepare` are console commands (breakpoints) that are given after the start.
    """
    options = SessionOptions(
        tuple(sources), arguments=tuple(arguments), stdin=stdin, batch=True, json=True, cflags=tuple(cflags)
    )
    walked = Walk()
    session = Session(options, lambda _: None)
    try:
        _Walker(session, walked).go(moves, prepare, most)
    finally:
        session.close()
    return walked


class _Walker:
    def __init__(self, session: Session, walked: Walk) -> None:
        self._session = session
        self._program: Program = session.program
        self._execution: Execution = session.execution
        self._walked = walked
        self._functions: dict[int, str] = {}
        self._here = ""
        self._move = "start"
        self._execution.differed = self._differed

    def go(self, moves: Sequence[str], prepare: Sequence[str], most: int) -> None:
        execution = self._execution
        self._see(execution.begin(True))
        for command in prepare:
            self._session.debugger.console(command)
        while self._walked.stops < most:
            self._move = moves[self._walked.stops % len(moves)]
            try:
                moment = execution.move(self._move)
            except WolverineError as refused:
                if self._move != "finish":
                    raise
                self._move = f"next, as finish says {refused}"
                moment = execution.move("next")
            if not moment.stop.alive:
                self._walked.ended = moment.stop.reason == "exited"
                break
            self._see(moment)
            if moment.stop.reason == "signal":
                self._walked.ended = True
                break
            del execution.path[:-1]
        self._count()

    def _see(self, moment: Moment) -> None:
        self._walked.stops += 1
        frame = moment.stop.frames[0] if moment.stop.frames else None
        self._here = f"line {frame.line} of {frame.function}" if frame is not None else "an unknown place"
        if moment.position is not None:
            self._functions[moment.position.activation] = moment.position.function
        for index, (function, instruction) in enumerate(moment.stack):
            if instruction == UNMAPPED and not self._program.functions[function].unsupported:
                at = moment.stop.frames[index]
                if index and self._concrete_at(function, at.line):
                    continue
                self._walked.differences.append(f"no position for line {at.line} of {at.function}")
        for event in moment.arrived:
            if isinstance(event, Interval):
                self._walked.concrete[
                    self._statement(event.position.function, event.position.instruction)
                ] += 1

    def _concrete_at(self, function: str, line: int) -> bool:
        """Whether a statement of that line is not modelled: nothing is known of calls inside it."""
        steps = (step for step in self._program.functions[function].code if isinstance(step, Concrete))
        return any(step.location >= 0 and self._spans(step.location, line) for step in steps)

    def _spans(self, location: int, line: int) -> bool:
        where = self._program.location(location)
        return where.span.line <= line <= where.span.line + where.text.count("\n")

    def _differed(self, followed: Followed, _graph: MemoryGraph) -> None:
        self._walked.reasons[followed.reason] += 1
        if not followed.modelled:
            return
        places = ", ".join(str(place) for place in followed.differences[:4])
        stop = self._execution.debugger.stop_info()
        there = f"line {stop.frames[0].line} of {stop.frames[0].function}" if stop.frames else "?"
        self._walked.differences.append(
            f"{self._move} from {self._here} to {there}: {followed.reason} {places}".rstrip()
        )

    def _statement(self, function: str, instruction: int) -> Statement:
        code = self._program.functions[function]
        index = instruction
        while index < len(code.unit_of) - 1 and code.unit_of[index] < 0:
            index += 1
        return function, code.unit_of[index]

    def _count(self) -> None:
        """Turn the model's counts of instructions into executions of statements."""
        counts = self._execution.tracer.counts().executed
        walked = self._walked
        concrete: dict[tuple[int, Statement], int] = {}
        executed: dict[tuple[int, Statement], int] = {}
        beyond: set[tuple[int, Statement]] = set()
        for (activation, instruction), times in counts.items():
            name = self._functions.get(activation)
            if name is None:
                continue
            function = self._program.functions[name]
            number = function.unit_of[instruction]
            if number < 0:
                continue
            key = (activation, (name, number))
            executed[key] = max(executed.get(key, 0), times)
            code = function.code[instruction]
            if isinstance(code, Concrete) and not touches_nothing(code):
                concrete[key] = max(concrete.get(key, 0), times)
                walked.reasons[code.reason] += times
                if not (code.reason.startswith("call of ") and code.results):
                    beyond.add(key)
        for (activation, statement), times in executed.items():
            taken = concrete.get((activation, statement), 0)
            if taken:
                walked.concrete[statement] += taken
                if (activation, statement) not in beyond:
                    walked.library[statement] += taken
            if times > taken:
                walked.modelled[statement] += times - taken


def inputs_of(source: Path) -> list[list[str]]:
    """The argument lists for a program: of `inputs.json` beside it, of NAME.json, or one empty list."""
    table, own = source.with_name("inputs.json"), source.with_suffix(".json")
    if table.is_file():
        known: dict[str, list[list[str]]] = json.loads(table.read_text())
        if source.stem in known:
            return known[source.stem]
    if own.is_file():
        told = json.loads(own.read_text())
        return [list(map(str, told.get("arguments", [])))]
    return [[]]


def _companion(source: Path) -> bool:
    return source.name.endswith((".driver.c", ".correct.c"))


def main(arguments: Iterable[str] | None = None) -> int:
    """Walk through the programs, print the table; status 1 where a bound is missed."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("files", nargs="+", type=Path)
    reader.add_argument("--most", type=int, default=600, help="stops of a run (default 600)")
    reader.add_argument("--all-inputs", action="store_true", help="every input, not only the longest")
    options = reader.parse_args(list(arguments) if arguments is not None else None)
    files = [path for path in options.files if not _companion(path)]
    seconds = 0.0
    table = Table(
        "program", "stops", "executed", "with library values", "distinct", "differences", "not modelled"
    )
    whole, bad = Walk(), 0
    distinct = [0, 0]
    for source in files:
        began = time.perf_counter()
        program = frontend.load([source]).program
        seconds += time.perf_counter() - began
        inputs = inputs_of(source)
        chosen = inputs if options.all_inputs else [max(inputs, key=len)]
        walked = Walk(ended=True)
        with tempfile.TemporaryDirectory() as folder:
            nothing = Path(folder) / "stdin"
            nothing.write_bytes(b"")
            for given in chosen:
                walked.add(walk([source], given, stdin=nothing, most=options.most))
        unsupported = [f.name for f in program.functions.values() if f.unsupported]
        why = [f"{reason} ({times})" for reason, times in walked.reasons.most_common(4)]
        why += [f"{name}: not lowered" for name in unsupported]
        bad += len(walked.differences) + len(unsupported)
        distinct[0] += len((walked.modelled.keys() | walked.concrete.keys()) - walked.concrete.keys())
        distinct[1] += len(walked.modelled.keys() | walked.concrete.keys())
        whole.add(walked)
        table.add_row(
            source.stem, str(walked.stops), f"{walked.executed_share:.1%}", f"{walked.own_share:.1%}",
            f"{walked.distinct_share:.1%}", str(len(walked.differences)), "; ".join(why),
        )  # fmt: skip
        for difference in walked.differences[:5]:
            print(f"{source}: {difference}", file=sys.stderr)
    share = distinct[0] / distinct[1] if distinct[1] else 1.0
    table.add_row(
        f"all {len(files)}", str(whole.stops), f"{whole.executed_share:.1%}", f"{whole.own_share:.1%}",
        f"{share:.1%}", str(len(whole.differences)), "",
    )  # fmt: skip
    Console(width=150).print(table)
    print(f"parsing and lowering of {len(files)} programs: {seconds:.2f} s")
    return int(bool(bad) or whole.executed_share < 0.98 or share < 0.95)


if __name__ == "__main__":
    sys.exit(main())
