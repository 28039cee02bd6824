"""What a session answers: one frozen dataclass for each event of the stream.

`as_event` gives the object that `--json` prints, with exactly the documented keys.  Fields that the
event lacks (`picture`, `explanation`) are for people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wolverine.core.graph import MemoryGraph, Place, Pointer

JsonValue = Any
JsonObject = dict[str, Any]
DOUBT = "doubt: "  # with which a `Note` begins that speaks against a repair


@dataclass(frozen=True, slots=True)
class Stopped:
    """The program stands before `text`, line `line` (from 1) of `file`; `reason` as in the event.

    A `temporary` breakpoint is one of `tbreak`.
    """

    reason: str
    file: str
    line: int
    function: str
    text: str
    temporary: bool = False

    def as_event(self) -> JsonObject:
        """The event object."""
        return {
            "event": "stopped",
            "reason": self.reason,
            "file": self.file,
            "line": self.line,
            "function": self.function,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class Graph:
    """The memory graph: `data` has the keys nodes, places and changed; `picture` is drawn text.

    `graph` is what both were made of, for who draws it in another way; of a result that is asked about,
    what differs from `before` is marked.  With `roots` only what these lead to was `asked` for, by these
    words.
    """

    data: Mapping[str, JsonValue]
    picture: str = ""
    graph: MemoryGraph | None = None
    before: MemoryGraph | None = None
    roots: tuple[Place, ...] = ()
    asked: tuple[tuple[str, Pointer], ...] = ()

    def as_event(self) -> JsonObject:
        """The event object."""
        return {"event": "graph", **self.data}


@dataclass(frozen=True, slots=True)
class SpecAdded:
    """The state was asserted as checkpoint number `checkpoint`.

    Nothing is said of the nodes with the numbers `left_out`.
    """

    checkpoint: int
    file: str
    line: int
    function: str
    left_out: tuple[int, ...] = ()

    def as_event(self) -> JsonObject:
        """The event object."""
        return {
            "event": "spec",
            "checkpoint": self.checkpoint,
            "file": self.file,
            "line": self.line,
            "function": self.function,
        }


@dataclass(frozen=True, slots=True)
class Suspect:
    """A suspicious line; larger scores are more suspicious."""

    line: int
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Localized:
    """Suspects in order, found in `seconds`; `explanation` is for people."""

    engine: str
    suspects: tuple[Suspect, ...]
    seconds: float
    explanation: str = ""

    def as_event(self) -> JsonObject:
        """The event object."""
        suspects = [{"line": s.line, "text": s.text, "score": s.score} for s in self.suspects]
        return {"event": "localized", "engine": self.engine, "suspects": suspects, "seconds": self.seconds}


@dataclass(frozen=True, slots=True)
class EditResult:
    """One edit in source terms; `before` is "" for an insertion, `after` is "" for a deletion."""

    kind: Literal["change", "insert", "delete"]
    line: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Repaired:
    """A repair is in force; `edits` are those of this repair, `patch` is cumulative.

    `accepted` is the number of the candidate that was switched to; 0: it was found by a search.  It `stays`
    where it was in force before.  Of candidates that are not `compared` it is not known how many behaviours
    they have.
    """

    engine: str
    seconds: float
    cost: int
    candidates: int
    behaviours: int
    applied: Literal["native", "screened"]
    edits: tuple[EditResult, ...]
    patch: str
    accepted: int = 0
    compared: bool = True
    stays: bool = False

    def as_event(self) -> JsonObject:
        """The event object."""
        edits = [{"kind": e.kind, "line": e.line, "before": e.before, "after": e.after} for e in self.edits]
        return {
            "event": "repaired",
            "engine": self.engine,
            "seconds": self.seconds,
            "cost": self.cost,
            "candidates": self.candidates,
            "behaviours": self.behaviours,
            "applied": self.applied,
            "edits": edits,
            "patch": self.patch,
        }


@dataclass(frozen=True, slots=True)
class NotRepaired:
    """No repair; `core` names the conflicting constraints in source terms."""

    engine: str
    reason: Literal["unsatisfiable", "budget", "unsupported", "interrupted"]
    core: tuple[str, ...]
    seconds: float

    def as_event(self) -> JsonObject:
        """The event object."""
        return {
            "event": "no-repair",
            "engine": self.engine,
            "reason": self.reason,
            "core": list(self.core),
            "seconds": self.seconds,
        }


@dataclass(frozen=True, slots=True)
class ConcreteStep:
    """This place is not modelled; its effect is taken from the process.  Sent once per place."""

    file: str
    line: int
    function: str
    reason: str

    def as_event(self) -> JsonObject:
        """The event object."""
        return {
            "event": "concrete",
            "file": self.file,
            "line": self.line,
            "function": self.function,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Changed:
    """A place was corrected; values as in the graph event, `told` as in pictures where these are numbers.

    `shown` is how the picture names the place.  What was changed before may be taken `back`.
    """

    place: str
    before: JsonValue
    after: JsonValue
    told: tuple[str, str] | None = None
    shown: str = ""
    back: bool = False

    def as_event(self) -> JsonObject:
        """The event object."""
        return {"event": "changed", "place": self.place, "from": self.before, "to": self.after}


@dataclass(frozen=True, slots=True)
class ResumedAt:
    """The session is back at a checkpoint."""

    checkpoint: int
    line: int

    def as_event(self) -> JsonObject:
        """The event object."""
        return {"event": "resumed", "checkpoint": self.checkpoint, "line": self.line}


@dataclass(frozen=True, slots=True)
class CheckpointEntry:
    """One checkpoint; `parent` is None for one without an ancestor.  `note` is for people."""

    checkpoint: int
    parent: int | None
    line: int
    function: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class CheckpointList:
    """The tree of checkpoints in order of number; `current` is the nearest one behind us."""

    entries: tuple[CheckpointEntry, ...]
    current: int | None = None
    picture: str = ""

    def as_event(self) -> JsonObject:
        """The event object."""
        listed = [
            {"checkpoint": e.checkpoint, "parent": e.parent, "line": e.line, "function": e.function}
            for e in self.entries
        ]
        return {"event": "checkpoints", "list": listed}


@dataclass(frozen=True, slots=True)
class Question:
    """For this input heap, which of the results is wanted?

    `heap` is the whole input, of which `input` shows what matters.
    """

    input: Graph
    results: tuple[Graph, ...]
    heap: MemoryGraph | None = None

    def as_event(self) -> JsonObject:
        """The event object."""
        return {
            "event": "question",
            "input": dict(self.input.data),
            "results": [dict(result.data) for result in self.results],
        }


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The repaired source was written to `file`, or only shown (None), as a unified diff."""

    file: str | None
    patch: str

    def as_event(self) -> JsonObject:
        """The event object."""
        return {"event": "rewritten", "file": self.file, "patch": self.patch}


@dataclass(frozen=True, slots=True)
class Saved:
    """A picture was written."""

    file: str

    def as_event(self) -> JsonObject:
        """The event object."""
        return {"event": "saved", "file": self.file}


@dataclass(frozen=True, slots=True)
class Text:
    """What gdb and listings print, line ends included; `prose` may be broken between words."""

    text: str
    prose: bool = False

    def as_event(self) -> JsonObject:
        """The event object."""
        return {"event": "text", "text": self.text}


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence for people: a doubt, an approximation, a hint."""

    text: str

    def as_event(self) -> JsonObject:
        """The event object."""
        return {"event": "text", "text": self.text}


@dataclass(frozen=True, slots=True)
class Output:
    """What the debugged program wrote."""

    text: str

    def as_event(self) -> JsonObject:
        """The event object."""
        return {"event": "output", "text": self.text}


@dataclass(frozen=True, slots=True)
class OutputStays:
    """After going back: so many bytes were written since by what was undone, and stay written."""

    size: int

    def as_event(self) -> JsonObject:
        """The event object: an `output` of nothing, with a fact about what was written before."""
        return {"event": "output", "text": "", "undone": self.size}


@dataclass(frozen=True, slots=True)
class Exited:
    """The program ended with this status."""

    code: int

    def as_event(self) -> JsonObject:
        """The event object."""
        return {"event": "exited", "code": self.code}


@dataclass(frozen=True, slots=True)
class Signalled:
    """A signal hit the program; `line` is the source line, None outside the program's own code."""

    signal: str
    line: int | None

    def as_event(self) -> JsonObject:
        """The event object."""
        return {"event": "signalled", "signal": self.signal, "line": self.line}


@dataclass(frozen=True, slots=True)
class Error:
    """A command failed; `script` and `line` (from 1) say where it stands, if in a file."""

    command: str
    message: str
    script: str | None = field(default=None)
    line: int | None = field(default=None)

    def as_event(self) -> JsonObject:
        """The event object."""
        return {
            "event": "error",
            "command": self.command,
            "message": self.message,
            "script": self.script,
            "line": self.line,
        }


Result = (
    Stopped
    | Graph
    | SpecAdded
    | Localized
    | Repaired
    | NotRepaired
    | ConcreteStep
    | Changed
    | ResumedAt
    | CheckpointList
    | Question
    | Rewritten
    | Saved
    | Text
    | Note
    | Output
    | OutputStays
    | Exited
    | Signalled
    | Error
)
