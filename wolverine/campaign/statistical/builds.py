"""Programs compiled to be watched: line and branch coverage by gcov for each test, counts of predicates."""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import TracebackType

from wolverine.campaign.rightness import Answer, answers, packed
from wolverine.errors import CommandError, ToolMissingError
from wolverine.tools import run_tool

_SECONDS = 1  # of processor time for one test, should the finer limit fail
_MICROSECONDS = 100_000  # of processor time for one test
_STATEMENTS = 50_000  # of one test, where they are counted
_LIMIT = 20_000  # bytes of output
_WAIT = 600.0
# What malloc hands out is filled, so that reading it uninitialised shows, and shows always alike.
_ENVIRONMENT = {"MALLOC_PERTURB_": "165"}


@dataclass(frozen=True, slots=True)
class Coverage:
    """Lines with code and, of these, the executed ones; branches as (line, number on it)."""

    executable: frozenset[int]
    executed: frozenset[int]
    branches: frozenset[tuple[int, int]]
    taken: frozenset[tuple[int, int]]


class Build:
    """A compiled program; its folder lives as long as the `with` block.

    With `predicates` (how many there are) the text calls `wolverine_see`; with `coverage` gcov counts.
    Raises CommandError where gcc refuses the text.
    """

    def __init__(self, text: bytes, predicates: int = 0, coverage: bool = True) -> None:
        self._text = text
        self._predicates = predicates
        self._coverage = coverage

    def __enter__(self) -> Build:
        self._temporary = tempfile.TemporaryDirectory(prefix="wolverine-")
        self.folder = Path(self._temporary.name)
        try:
            self._compile()
        except BaseException:
            self._temporary.cleanup()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._temporary.cleanup()

    def _compile(self) -> None:
        (self.folder / "subject.c").write_bytes(self._text)
        flags = ["--coverage"] if self._coverage else []
        _gcc(self.folder, [*flags, "-Dmain=wolverine_subject", "-c", "-o", "subject.o", "subject.c"])
        with_coverage = ["-DWOLVERINE_COVERAGE"] if self._coverage else []
        campaign = files("wolverine.campaign")
        sources = [str(campaign / "driver.c"), str(campaign / "statistical" / "observe.c")]
        limits = {
            "PREDICATES": self._predicates,
            "MICROSECONDS": _MICROSECONDS,
            "STATEMENTS": _STATEMENTS,
        }
        macros = [f"-DWOLVERINE_{name}={value}" for name, value in limits.items()]
        for source in sources:
            name = f"{Path(source).stem}.o"
            _gcc(self.folder, [*with_coverage, *macros, "-c", "-o", name, source])
        _gcc(self.folder, [*flags, "-o", "subject", "subject.o", "driver.o", "observe.o"])

    def run(self, tests: Sequence[Sequence[str]]) -> list[Answer]:
        """What the program does with each test."""
        (self.folder / "inputs").write_bytes(b"".join(map(packed, tests)))
        settings = [f"{name}={value}" for name, value in _ENVIRONMENT.items()]
        program = ["./subject", "inputs", str(_SECONDS), str(_LIMIT), "go on"]
        ran = run_tool(["env", "-C", str(self.folder), *settings, *program], seconds=_WAIT)
        if ran.returncode != 0:
            raise CommandError("the tests could not be run")
        return list(answers(ran.stdout))

    def coverage(self, tests: int) -> list[Coverage | None]:
        """What each of the so many tests of the latest run covered; None where a crash left no counts."""
        found: list[Coverage | None] = [None] * tests
        for number in range(tests):
            folder = self.folder / "runs" / str(number)
            notes = folder / "subject.gcno"
            if folder.is_dir() and not notes.exists():
                notes.hardlink_to(self.folder / "subject.gcno")
        data = sorted(self.folder.glob("runs/*/subject.gcda"))
        for file, told in zip(data, _gcov(self.folder, data) if data else [], strict=True):
            found[int(file.parent.name)] = told
        for file in data:
            file.unlink()
        return found

    def predicates(self, tests: int) -> list[list[tuple[int, int]]]:
        """For each of the so many tests of the latest run how often each predicate (held, was evaluated)."""
        numbers = array("I")
        numbers.frombytes((self.folder / "predicates").read_bytes())
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        width = self._predicates
        return [pairs[width * number : width * (number + 1)] for number in range(tests)]


@lru_cache(maxsize=256)
def executable(text: bytes) -> frozenset[int]:
    """The executable lines of a program; raises CommandError where gcc refuses it."""
    with tempfile.TemporaryDirectory(prefix="wolverine-") as name:
        folder = Path(name)
        (folder / "subject.c").write_bytes(text)
        _gcc(folder, ["--coverage", "-c", "-o", "subject.o", "subject.c"])
        [found] = _gcov(folder, [folder / "subject.gcno"])
        return found.executable


@lru_cache(maxsize=1)
def _filled() -> tuple[str, ...]:
    """The flag that fills local variables, so that reading one uninitialised shows always alike (gcc 12)."""
    flag = "-ftrivial-auto-var-init=pattern"
    return (flag,) if run_tool(["gcc", flag, "-E", "-x", "c", "-"]).returncode == 0 else ()


def _gcc(folder: Path, words: Sequence[str]) -> None:
    done = run_tool(["env", "-C", str(folder), "gcc", "-w", "-O0", *_filled(), *words])
    if done.returncode != 0:
        raise CommandError(f"gcc refuses the program: {done.stderr.decode(errors='replace')[:500]}")


def _gcov(folder: Path, data: Sequence[Path]) -> list[Coverage]:
    command = ["env", "-C", str(folder), "gcov", "--json-format", "--stdout", "--branch-probabilities"]
    done = run_tool([*command, *map(str, data)], seconds=_WAIT)
    if done.returncode != 0:
        raise ToolMissingError(f"gcov is needed (Debian: apt install gcc): {done.stderr.decode()[:200]}")
    return [_covered(json.loads(line)) for line in done.stdout.splitlines() if line.startswith(b"{")]


def _covered(told: dict[str, list[dict[str, list[dict[str, object]]]]]) -> Coverage:
    executable, executed, branches, taken = set(), set(), set(), set()
    for file in told["files"]:
        for line in file["lines"]:
            number = line["line_number"]
            assert isinstance(number, int)
            executable.add(number)
            if line["count"]:
                executed.add(number)
            arms = line["branches"]
            assert isinstance(arms, list)
            for at, arm in enumerate(arms):
                branches.add((number, at))
                if arm["count"]:
                    taken.add((number, at))
    return Coverage(*map(frozenset, (executable, executed, branches, taken)))  # type: ignore[arg-type]
