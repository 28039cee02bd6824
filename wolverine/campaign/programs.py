"""The programs of a campaign: their sources, inputs and models; which of them are the holdout."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from glob import glob
from pathlib import Path

from wolverine import frontend
from wolverine.campaign.execution import Execution, Ran
from wolverine.campaign.injector import Site, sites
from wolverine.campaign.specs import Recording, record
from wolverine.core.program import Program
from wolverine.errors import SourceError

HOLDOUT = 4  # every fourth program is kept from tuning


@dataclass(frozen=True)
class Subject:
    """A correct program with its inputs (argument lists, without the program's name)."""

    path: Path
    inputs: tuple[tuple[str, ...], ...]

    @property
    def name(self) -> str:
        """The program's name in records."""
        return self.path.stem

    @cached_property
    def program(self) -> Program:
        """The lowered program."""
        return frontend.load([self.path]).program

    @cached_property
    def content(self) -> bytes:
        """The source."""
        return self.path.read_bytes()

    @cached_property
    def runs(self) -> tuple[Ran, ...]:
        """What the program does with each of its inputs, in the model."""
        return tuple(Execution(self.program, given).run() for given in self.inputs)

    def recording(self, function: str, number: int) -> Recording:
        """The traces of a function on input `number`; remembered."""
        known: dict[tuple[str, int], Recording] = self.__dict__.setdefault("_recordings", {})
        if (function, number) not in known:
            known[function, number] = record(self.program, function, self.inputs[number])
        return known[function, number]

    @cached_property
    def sites(self) -> dict[str, tuple[Site, ...]]:
        """Where faults can be put, by function; `main` only sets the stage."""
        names = [name for name, code in self.program.functions.items() if code.code and name != "main"]
        return {name: sites(self.program, name) for name in names or ["main"]}


def find(patterns: Sequence[str]) -> list[Path]:
    """The C files that the patterns name, sorted; raises SourceError where there are none."""
    names = (name for pattern in patterns for name in glob(pattern))  # noqa: PTH207 Path.glob takes no "/"
    found = sorted({Path(name) for name in names if name.endswith(".c")})
    if not found:
        raise SourceError(f"no C files match {', '.join(patterns)}")
    return found


def holdout(paths: Sequence[Path]) -> frozenset[str]:
    """The names of every fourth program of its folder, in the order of their names."""
    chosen: set[str] = set()
    for folder in {path.parent for path in paths}:
        names = sorted(path.stem for path in folder.glob("*.c"))
        chosen.update(names[HOLDOUT - 1 :: HOLDOUT])
    return frozenset(chosen)


@lru_cache(maxsize=64)
def subject(path: Path) -> Subject:
    """The program at a path with the inputs that `inputs.json` beside it lists (none: one run without)."""
    table = path.with_name("inputs.json")
    known = json.loads(table.read_text()) if table.is_file() else {}
    given = known.get(path.stem, [[]])
    return Subject(path, tuple(tuple(map(str, words)) for words in given))
