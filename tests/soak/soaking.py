"""Random commands against random programs while things break: what was run, what was survived, what was lost.

`make soak` runs it for longer than the test does; every round can be repeated by its seed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "session"))

from faults import Held, full_disk, holds, kill_gdb, kill_program, lost
from played_session import Played

from wolverine.errors import RestartedError, WolverineError

SAMPLES = Path(__file__).parents[2] / "samples"
PLAIN = (
    "next", "next", "next 3", "step", "step", "finish", "until", "back", "back 2", "undo", "spec", "spec",
    "enter", "leave", "graph", "untrack", "checkpoints", "candidates", "localize", "rewrite", "print 1",
    "info locals", "accept 1", "accept 2", "repair --budget 1 --no-question", "repair --budget 1 --insert 1",
    "concrete main", "concrete off", "continue", "frobnicate",
)  # fmt: skip
NEVER = "/tmp/wolverine-soak.svg"
ROUND = 60  # commands on one program
FAULTS = 3  # kinds of them


@dataclass
class Report:
    """`lost` describes each state that was not as before, and each error that was Wolverine's own."""

    commands: int = 0
    refused: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        injected = ", ".join(f"{name} {count}" for name, count in sorted(self.faults.items())) or "none"
        survived = sum(self.faults.values())
        lines = [
            f"commands run: {self.commands} ({self.refused} refused)",
            f"faults survived: {survived} ({injected})",
            f"states lost: {len(self.lost)}",
        ]
        return "\n".join([*lines, *self.lost])


class Round:
    """One program under random commands."""

    def __init__(self, source: Path, seed: int, report: Report) -> None:
        self._random = random.Random(seed)
        self._name = f"{source.name}, seed {seed}"
        self._report = report
        self._played = Played(source)
        self._history: list[str] = []

    def run(self, commands: int, ends: float) -> None:
        """So many commands, with a fault now and then; fewer where the (monotonic) time `ends` comes."""
        try:
            self._do("set step-budget 2")
            self._do("start")
            for _ in range(commands):
                if time.monotonic() >= ends and len(self._report.faults) == FAULTS:
                    break
                if self._random.random() < 0.12:
                    self._fault()
                else:
                    self._do(self._command())
        finally:
            self._played.session.close()

    def _command(self) -> str:
        alive = self._alive()
        if not alive:
            return self._random.choice(["back", "start", "back 2", "resume 0"])
        names = self._played.session.names()
        values = ("null", "0", "3", *names.nodes, *names.places)
        made = [
            *PLAIN,
            f"resume {self._random.randrange(4)}",
            f"spec drop {self._random.randrange(4)}",
            f"break {self._random.randrange(5, 60)}",
            "delete",
        ]
        if names.places:
            place = self._random.choice(names.places)
            made += [f"change {place} {self._random.choice(values)}"] * 8
            made += [f"track {place}", f"spec {place}", f"print {place}"]
        if names.nodes:
            made += [f"why {self._random.choice(names.nodes)}"]
        return self._random.choice(made)

    def _alive(self) -> bool:
        moment = self._played.session.execution.moment
        return moment is not None and moment.stop.alive

    def _do(self, line: str) -> WolverineError | None:
        self._report.commands += 1
        self._history.append(line)
        try:
            self._played(line)
        except WolverineError as error:
            self._report.refused += 1
            return error
        except Exception:
            self._lost(f"an error of Wolverine's own\n{traceback.format_exc()}")
        return None

    def _fault(self) -> None:
        if not self._alive():
            return
        kinds: dict[str, Callable[[], None]] = {
            "gdb killed": self._kill_gdb,
            "program killed": self._kill_program,
            "disk full": self._full_disk,
        }
        name = self._random.choice(sorted(kinds))
        self._history.append(f"<{name}>")
        try:
            kinds[name]()
        except Exception:
            self._lost(f"{name}: an error of Wolverine's own\n{traceback.format_exc()}")
        self._report.faults[name] += 1

    def _kill_gdb(self) -> None:
        before = holds(self._played)
        kill_gdb(self._played)
        if not isinstance(self._do("print 1"), RestartedError):
            self._lost("the death of gdb was not told")
        self._compare(before)

    def _kill_program(self) -> None:
        before = holds(self._played)
        kill_program(self._played)
        error = self._do("next")
        if not self._alive():
            error = self._do("back")
        if error is None or isinstance(error, RestartedError):
            self._compare(before)
        else:
            self._lost(f"the program was killed, and then: {error}")

    def _full_disk(self) -> None:
        before = holds(self._played)
        with full_disk():
            # So nothing is ever written to the file.
            error = self._do(self._random.choice(["repair --budget 1", f"rewrite {NEVER}", f"save {NEVER}"]))
        if error is not None and "File too large" in str(error):
            self._compare(before)

    def _compare(self, before: Held) -> None:
        if what := lost(before, holds(self._played)):
            self._lost(f"not as before: {what[:500]}")

    def _lost(self, what: str) -> None:
        self._report.lost.append(f"{self._name}: {what}\n  after: {'; '.join(self._history[-25:])}")


def soak(seconds: float, seed: int, sources: Sequence[Path]) -> Report:
    """Rounds on random programs until so many seconds have passed and every fault has struck."""
    report, chooser = Report(), random.Random(seed)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends or len(report.faults) < FAULTS:
        number = chooser.randrange(1 << 30)
        Round(chooser.choice(sources), number, report).run(ROUND, ends)
    return report


def sources() -> list[Path]:
    """The samples that run without input."""
    found = sorted(SAMPLES.glob("*.c"))
    return [each for each in found if not each.name.endswith((".correct.c", ".driver.c"))]


def main() -> int:
    """Soak, print the report; status 1 where a state was lost."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--seconds", type=float, default=600.0)
    reader.add_argument("--seed", type=int, default=None)
    options = reader.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(1 << 30)
    print(f"seed {seed}")
    report = soak(options.seconds, seed, sources())
    print(report)
    return int(bool(report.lost))


if __name__ == "__main__":
    sys.exit(main())
