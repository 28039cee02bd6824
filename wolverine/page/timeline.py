"""Everything that a session has shown, kept for pages: stops, commands, output, repairs.

A timeline is told of every command and every result as they happen, which costs next to nothing; pictures
are drawn by who listens, or later.  All methods are called on the thread that carries out commands.
"""

from __future__ import annotations

import io
import re
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from wolverine.core.graph import MemoryGraph, Place, Pointer
from wolverine.core.trace import Trace
from wolverine.page.entries import Checkpoint as PageCheckpoint
from wolverine.page.entries import Entry
from wolverine.session import results
from wolverine.session.commands import Command, Repair
from wolverine.session.constraints import trace_of
from wolverine.session.moments import Applied, Checkpoint, Moment
from wolverine.session.session import Session
from wolverine.shell.presenter import TextPresenter

MOST_STOPS = 1000
MOST_ENTRIES = 2000
MOST_OUTPUT = 200_000  # characters
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Tail:
    """The last `most` characters of a text that only grows, to within its last piece."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pieces: deque[str] = deque()
        self._size = 0

    def add(self, text: str) -> None:
        """The text goes on."""
        self._pieces.append(text[-self._most :])
        self._size += len(self._pieces[-1])
        while self._size - len(self._pieces[0]) >= self._most:
            self._size -= len(self._pieces.popleft())

    def text(self) -> str:
        """What is kept."""
        return "".join(self._pieces)[-self._most :]


@dataclass(frozen=True)
class Kept:
    """A stop with its page number and that of the stop before it; `moment` without image and model.

    Where a repair has changed it, it is compared with what was there `before`, as in the terminal.  With
    `roots` only what these lead to is drawn, `asked` for by these words.
    """

    number: int
    parent: int | None
    moment: Moment
    before: MemoryGraph | None = None
    roots: tuple[Place, ...] = ()
    asked: tuple[tuple[str, Pointer], ...] = ()


@dataclass(frozen=True)
class Repaired:
    """A repair: what was said of it, at which stop, and what the alternatives are about."""

    result: results.Repaired
    notes: tuple[str, ...]
    number: int
    applied: Applied
    trace: Trace | None
    asked: results.Question | None = None


class Listener(Protocol):
    """Who hears of every change."""

    def stopped(self, kept: Kept) -> None:
        """A stop is new, or is not as it was."""

    def moved(self) -> None:
        """The process stands at another stop."""

    def said(self, entry: Entry) -> None:
        """A command is through."""

    def wrote(self, text: str) -> None:
        """The program wrote something."""

    def busied(self) -> None:
        """A command begins or ends."""

    def asked_for_input(self) -> None:
        """The program waits for a line, or does not any more."""

    def repaired(self) -> None:
        """There is another repair, or none any more."""

    def asked(self) -> None:
        """There is another question, or none any more."""

    def checkpointed(self) -> None:
        """The list of checkpoints is another one."""


@dataclass
class _Open:
    """A command that is being carried out."""

    text: str
    name: str
    texts: list[str] = field(default_factory=list)
    error: str | None = None
    notes: list[str] = field(default_factory=list)
    repaired: results.Repaired | None = None
    question: results.Question | None = None
    graph: results.Graph | None = None  # that was asked for


class Timeline:
    """The stops of one session in order of arrival, at most `MOST_STOPS`: then the oldest is forgotten."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.stops: dict[int, Kept] = {}
        self.here: int | None = None
        self.forgotten = 0
        self.entries: deque[Entry] = deque(maxlen=MOST_ENTRIES)
        self.output = Tail(MOST_OUTPUT)
        self.busy: str | None = None
        self.waiting = False  # whether the program waits for a line
        self.repair: Repaired | None = None
        self.question: results.Question | None = None
        self.listener: Listener | None = None
        self._writing = threading.Lock()  # what is typed comes from another thread than what is written
        self._open: list[_Open] = []
        self._numbers: dict[int, int] = {}  # the session's number of a stop: ours
        self._next = 0
        self._checkpoints: dict[int, Checkpoint] = {}
        self._dropped: frozenset[int] = frozenset()

    # -- what happens ------------------------------------------------------------------------------

    def begin(self, text: str, command: Command) -> None:
        """A command is about to be carried out."""
        name = type(command).__name__.lower()
        self._open.append(_Open(text or getattr(command, "text", ""), name))
        if isinstance(command, Repair):
            self._ask(None)
        self._busy(name)

    def result(self, result: results.Result) -> None:
        """What is answered."""
        if isinstance(result, results.Output):
            self._write(result.text)
            return
        if isinstance(result, results.Error) and not self._open:
            self._say(Entry(result.command, (), result.message, self.here))
        elif self._open:
            self._note(self._open[-1], result)

    def typed(self, data: bytes) -> None:
        """Input for the program: it stands in the output where a terminal echoes it."""
        self._write(data.decode("utf-8", "replace").replace("\x04", "^D\n"))

    def waits(self, now: bool) -> None:
        """The program waits for a line from now on, or does not any more."""
        self.waiting = now
        if self.listener is not None:
            self.listener.asked_for_input()

    def runs(self) -> bool:
        """Whether there is a process, as far as was told."""
        kept = self.stops.get(self.here or 0)
        return kept is not None and kept.moment.stop.alive

    def _write(self, text: str) -> None:
        with self._writing:
            self.output.add(text)
            if self.listener is not None:
                self.listener.wrote(text)

    def end(self) -> None:
        """The command is through, whether it succeeded or not."""
        done = self._open.pop()
        try:
            self.look()
            if done.graph is not None:
                self._narrow(done.graph)
            if done.repaired is not None:
                self._repaired(done, done.repaired)
            if done.question is not None:
                self._ask(done.question)
        finally:
            self._say(Entry(done.text, tuple(done.texts), done.error, self.here))
            self._busy(self._open[-1].name if self._open else None)

    def _note(self, command: _Open, result: results.Result) -> None:
        match result:
            case results.Error(message=message):
                command.error = message
                return
            case results.Graph(picture=picture):
                # The page draws every stop itself; a picture that was asked for stands with the command.
                if command.name == "graph":
                    command.graph = result
                    command.texts += [_COLOUR.sub("", picture)] if picture else []
                return
            case results.Repaired():
                command.repaired = result
            case results.Question():
                command.question = result
                command.texts.append("The repairs differ on another heap: which result is wanted?")
                return
            case results.Note(text):
                command.notes.append(text)
            case _:
                pass
        command.texts.append(words(result))

    def _narrow(self, graph: results.Graph) -> None:
        """Draw of the present stop only what was asked for, or all of it again."""
        kept = self.stops.get(self.here or 0)
        if kept is not None and (kept.roots, kept.asked) != (graph.roots, graph.asked):
            self._keep(replace(kept, roots=graph.roots, asked=graph.asked))

    def _say(self, entry: Entry) -> None:
        self.entries.append(entry)
        if self.listener is not None:
            self.listener.said(entry)

    def _busy(self, name: str | None) -> None:
        self.busy = name
        if self.listener is not None:
            self.listener.busied()

    def _ask(self, question: results.Question | None) -> None:
        if question is not self.question:
            self.question = question
            if self.listener is not None:
                self.listener.asked()

    def _repaired(self, done: _Open, result: results.Repaired) -> None:
        execution = self.session.execution
        if self.here is None:
            return
        self._keep(replace(self.stops[self.here], before=self.session.showing.compared))
        trace = None
        if execution.start is not None:
            dropped = frozenset(execution.dropped)
            trace = trace_of(execution.model, execution.path, execution.start, dropped)
        applied = execution.path[-1].applied
        self.repair = Repaired(result, tuple(done.notes), self.here, applied, trace, done.question)
        if self.listener is not None:
            self.listener.repaired()

    # -- the stops ---------------------------------------------------------------------------------

    def look(self) -> None:
        """Take in what is new in the session's path and tree of checkpoints."""
        execution = self.session.execution
        dropped = frozenset(execution.dropped)
        another = dropped != self._dropped or execution.checkpoints.keys() != self._checkpoints.keys()
        for number, checkpoint in execution.checkpoints.items():
            if number not in self._checkpoints:
                self._take(checkpoint.path, changed=False)
        self._checkpoints = dict(execution.checkpoints)
        withdrawn, self._dropped = dropped ^ self._dropped, dropped
        self._take(execution.path, changed=True)
        for number in withdrawn:
            kept = self.stops.get(self.number_of(execution.checkpoints[number].moment) or 0)
            if kept is not None and self.listener is not None:
                self.listener.stopped(kept)
        here = self.number_of(execution.path[-1]) if execution.path else None
        if here != self.here:
            self.here = here
            self._ask(None)
            if self.listener is not None:
                self.listener.moved()
        if another and self.listener is not None:
            self.listener.checkpointed()

    def number_of(self, moment: Moment) -> int | None:
        """Our number of a stop of the session; None where it is not kept."""
        return self._numbers.get(moment.number)

    def checkpoints(self) -> tuple[PageCheckpoint, ...]:
        """The tree of checkpoints in order of number."""
        showing = self.session.showing
        found = []
        for number, checkpoint in sorted(self._checkpoints.items()):
            file, line, function = showing.lines.place(checkpoint.moment)
            at = self.number_of(checkpoint.moment)
            gone = number in self._dropped
            found.append(PageCheckpoint(number, checkpoint.parent, at, file, line, function, gone))
        return tuple(found)

    def checkpoint_at(self, kept: Kept) -> int | None:
        """The last checkpoint made at a stop."""
        made = [spec.checkpoint for spec in kept.moment.asserted if spec.checkpoint in self._checkpoints]
        return made[-1] if made else None

    @property
    def dropped(self) -> frozenset[int]:
        """The checkpoints whose assertions were withdrawn."""
        return self._dropped

    def _take(self, path: Sequence[Moment], *, changed: bool) -> None:
        """Keep the stops of a path that are new; `changed` where its last may be told anew."""
        stops = [moment for moment in path if not moment.transit]
        first = len(stops)
        while first and stops[first - 1].number not in self._numbers:
            first -= 1
        if first and first == len(stops) and changed:
            self._again(stops[-1], stops[-2] if first > 1 else None)
        for index in range(first, len(stops)):
            parent = self.number_of(stops[index - 1]) if index else None
            self._next += 1
            self._numbers[stops[index].number] = self._next
            self._keep(Kept(self._next, parent, _light(stops[index])))

    def _again(self, moment: Moment, before: Moment | None) -> None:
        """The present stop is known: keep it as it is now, and once more where it was forgotten."""
        number = self._numbers[moment.number]
        kept = self.stops.get(number)
        if kept is None:
            parent = self.number_of(before) if before is not None else None
            self._keep(Kept(number, parent, _light(moment)))
        elif _told(kept.moment) != _told(moment):
            self._keep(replace(kept, moment=_light(moment), roots=(), asked=()))

    def _keep(self, kept: Kept) -> None:
        self.stops[kept.number] = kept
        while len(self.stops) > MOST_STOPS:
            del self.stops[next(iter(self.stops))]
            self.forgotten += 1
        if self.listener is not None:
            self.listener.stopped(kept)


def words(result: results.Result) -> str:
    """A result as the terminal tells it, without colours."""
    out = io.StringIO()
    TextPresenter(out, out, color=False).show(result)
    return out.getvalue().rstrip("\n")


def _light(moment: Moment) -> Moment:
    return replace(moment, image=None, model=None)


def _told(moment: Moment) -> tuple[object, ...]:
    """What is shown of a stop, as far as it can change there."""
    return id(moment.graph), moment.stop, moment.changes, moment.asserted, moment.applied.patch
