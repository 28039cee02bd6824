"""What a campaign writes: one JSON object a line for each run, and the reader for whoever evaluates it.

A run is named by its `Key`.  A line that was cut short (the campaign was stopped) is skipped by the
reader, and the run is made again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

FILE = "runs.jsonl"


class Key(NamedTuple):
    """One run: which fault (program, class as "x,y", variant, seed), and what was done with it."""

    program: str
    klass: str
    variant: int
    seed: int
    engine: str
    specs: str
    traces: int
    gdb: bool = False


@dataclass(frozen=True, slots=True)
class FaultRecord:
    """One injected fault: "mutation" or "deletion", line from 1, the text before and after."""

    kind: str
    line: int
    before: str
    after: str
    statement: str


@dataclass(frozen=True, slots=True)
class Record:
    """One run.

    The instance: `gdb` (the traces come from gdb, not from the model); `holdout` (not used for tuning),
    `function` that holds the faults, `inputs` (argument lists of the traces), `faults`, `fault_lines`,
    `difference` (correct to faulty, unified), `attempts` (draws until the fault showed), `unexposed` of
    these that no input exposed, `replaced` of these whose assertions needed no edit.  `missing` says why
    there is no instance at all ("": there is).

    The repair: `repaired` on the assertions; if not, `reason`; `timeout` when time ran out; `seconds` by
    the clock for all minimal repairs with their ranking, and `processor_seconds`, of which the ranking took
    `ranking_seconds` (before it all minimal repairs are known); `steps` of machine work;
    `edits` of the first repair offered; `minimal_edits` (None where the engine does not tell); `exposed`:
    as many as there are faults; `candidates` and `behaviours`; `given_up` counts places that had to be
    disregarded; `own_control`; `complete` "complete" when these are all minimal repairs; `repair` the first
    one as a difference.

    Right: `right_first`; `rank_of_right` is the rank among the behaviours (from 1) of the first whose best
    candidate is right (None: none of those tried); `right_after_question` after one answered question (as
    `right_first` where no question was asked); `asked`.

    Localizers, by name: `suspects` (share of the function's statements), `suspects_of_program` (share of
    the program's), `suspects_contain_fault`, `suspect_lines` (in the order in which to look at them),
    `localize_seconds`, `effort` (share of the executable lines read until a faulty one is met).  Where a
    statistical one ran: `tests` of which `failing_tests` failed, and the shares of lines and branches of
    the faulty program that they cover.  `error` is what went wrong in the campaign itself.
    """

    program: str
    klass: str
    variant: int
    seed: int
    engine: str
    specs: str
    traces: int
    gdb: bool = False
    holdout: bool = False
    missing: str = ""
    function: str = ""
    inputs: tuple[tuple[str, ...], ...] = ()
    faults: tuple[FaultRecord, ...] = ()
    fault_lines: tuple[int, ...] = ()
    difference: str = ""
    attempts: int = 0
    unexposed: int = 0
    replaced: int = 0
    repaired: bool = False
    reason: str = ""
    timeout: bool = False
    seconds: float = 0.0
    processor_seconds: float = 0.0
    ranking_seconds: float = 0.0
    steps: int = 0
    edits: int | None = None
    minimal_edits: int | None = None
    exposed: bool = False
    candidates: int = 0
    behaviours: int = 0
    given_up: int = 0
    own_control: bool = False
    complete: str = ""
    repair: str = ""
    right_first: bool = False
    rank_of_right: int | None = None
    asked: bool = False
    right_after_question: bool = False
    suspects: dict[str, float] = field(default_factory=dict)
    suspects_of_program: dict[str, float] = field(default_factory=dict)
    suspects_contain_fault: dict[str, bool] = field(default_factory=dict)
    suspect_lines: dict[str, tuple[int, ...]] = field(default_factory=dict)
    localize_seconds: dict[str, float] = field(default_factory=dict)
    effort: dict[str, float] = field(default_factory=dict)
    tests: int = 0
    failing_tests: int = 0
    line_coverage: float = 0.0
    branch_coverage: float = 0.0
    error: str = ""

    @property
    def key(self) -> Key:
        """Which run this is."""
        return Key(
            self.program, self.klass, self.variant, self.seed, self.engine, self.specs, self.traces, self.gdb
        )  # fmt: skip

    def line(self) -> str:
        """The record as one line of JSON, without its end; `klass` is called `class`."""
        told: dict[str, Any] = asdict(self)
        told["class"] = told.pop("klass")
        return json.dumps(told, ensure_ascii=False)


def read(path: Path) -> Iterator[Record]:
    """The records of a file, or of the file of a campaign's folder; of two of one run the later holds."""
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        return
    found: dict[Key, Record] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        record = _record(line)
        if record is not None:
            found[record.key] = record
    yield from found.values()


def append(path: Path, records: Iterable[Record]) -> None:
    """Add records to a file, each line in one write, behind the end of one that was cut short."""
    cut = path.is_file() and path.stat().st_size and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" * bool(cut))
        for record in records:
            file.write(record.line() + "\n")
            file.flush()


def _record(line: str) -> Record | None:
    try:
        told = json.loads(line)
    except ValueError:
        return None
    if not isinstance(told, dict) or "class" not in told:
        return None
    told["klass"] = told.pop("class")
    told["faults"] = tuple(FaultRecord(**fault) for fault in told.get("faults", ()))
    told["fault_lines"] = tuple(told.get("fault_lines", ()))
    told["inputs"] = tuple(map(tuple, told.get("inputs", ())))
    told["suspect_lines"] = {name: tuple(lines) for name, lines in told.get("suspect_lines", {}).items()}
    known = {each.name for each in fields(Record)}
    return Record(**{name: value for name, value in told.items() if name in known})
