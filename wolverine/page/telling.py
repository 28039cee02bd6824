"""From what a timeline keeps to what a page gets: every stop drawn once, and a message for every change."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from wolverine import draw, frontend
from wolverine.core.graph import MemoryGraph, NodeId
from wolverine.core.patch import Patch
from wolverine.core.trace import Decision
from wolverine.page import protocol
from wolverine.page.alternatives import repair_of
from wolverine.page.entries import Entry
from wolverine.page.naming import Places, listed
from wolverine.page.pictures import Pictured
from wolverine.page.protocol import dumps, message
from wolverine.page.timeline import MOST_ENTRIES, MOST_OUTPUT, Kept, Tail, Timeline
from wolverine.session import results
from wolverine.session.moments import Moment, PlaceChange
from wolverine.session.since import comparable, open_activations

MOST_TEXT = 48 << 20  # characters of all stops together
_FRAMES = 40  # innermost frames whose variables are listed, besides main's


class Teller:
    """Listens to a timeline; `send`, once it is there, gets the number of each message and its text.

    `hello` may be called from any thread, everything else on the thread that carries out commands.
    Messages are numbered from 1; a `hello` holds all up to its own number.
    """

    def __init__(self, timeline: Timeline, *, drives: bool) -> None:
        self._timeline = timeline
        self.send: Callable[[int, str], None] | None = None
        self._drives = drives
        self._lock = threading.Lock()
        self._sent = 0
        self._moments: dict[int, str] = {}
        self._layouts: dict[int, draw.Picture] = {}
        self._patches: dict[Patch, str] = {}
        self._parts: dict[str, str] = {}
        self._entries = deque((dumps(entry) for entry in timeline.entries), maxlen=MOST_ENTRIES)
        self._output = Tail(MOST_OUTPUT)
        self._output.add(timeline.output.text())
        self._size = 0
        self._forgotten = 0
        for kept in list(timeline.stops.values()):
            self._hold(kept.number, dumps(self._moment(kept)))
        self._parts = {
            "program": dumps(self._program()),
            "sources": dumps(self._sources()),
            "here": dumps(timeline.here),
            "busy": dumps(timeline.busy),
            "waits": dumps(timeline.waiting),
            "checkpoints": dumps(timeline.checkpoints()),
            "repair": dumps(repair_of(timeline)),
            "question": dumps(self._question()),
        }

    def hello(self, *, live: bool = True) -> tuple[int, str]:
        """Everything so far, as one message, and the number of the last message that it holds."""
        with self._lock:
            moments = f"[{','.join(text for _, text in sorted(self._moments.items()))}]"
            parts = dict(self._parts)
            parts["entries"] = f"[{','.join(self._entries)}]"
            parts["output"] = dumps(self._output.text())
            parts["forgotten"] = dumps(self._timeline.forgotten + self._forgotten)
            sent = self._sent
        drives = live and self._drives
        about = {"protocol": dumps(protocol.VERSION), "live": dumps(live), "drives": dumps(drives)}
        if not live:
            parts.update(busy="null", waits="false")
        return sent, message("hello", **about, **parts, moments=moments)

    # -- what a timeline says ----------------------------------------------------------------------

    def stopped(self, kept: Kept) -> None:
        """A stop is new, or is not as it was."""
        text = dumps(self._moment(kept))
        with self._lock:
            self._hold(kept.number, text)
            for number in [each for each in self._moments if each not in self._timeline.stops]:
                self._drop(number)
            self._tell(message("moment", moment=text))

    def moved(self) -> None:
        """The process stands at another stop."""
        self._replace("here", dumps(self._timeline.here))

    def said(self, entry: Entry) -> None:
        """A command is through."""
        with self._lock:
            self._entries.append(dumps(entry))
            self._tell(message("entry", entry=self._entries[-1]))

    def wrote(self, text: str) -> None:
        """The program wrote something."""
        with self._lock:
            self._output.add(text)
            self._tell(message("output", text=dumps(text)))

    def busied(self) -> None:
        """A command begins or ends."""
        self._replace("busy", dumps(self._timeline.busy))

    def asked_for_input(self) -> None:
        """The program waits for a line, or does not any more."""
        self._replace("waits", dumps(self._timeline.waiting))

    def repaired(self) -> None:
        """There is another repair, or none any more."""
        self._replace("repair", dumps(repair_of(self._timeline)))

    def asked(self) -> None:
        """There is another question, or none any more."""
        self._replace("question", dumps(self._question()))

    def checkpointed(self) -> None:
        """The list of checkpoints is another one."""
        text = dumps(self._timeline.checkpoints())
        with self._lock:
            self._parts["checkpoints"] = text
            self._tell(message("checkpoints", list=text))

    def _hold(self, number: int, text: str) -> None:
        """Keep the text of a stop; the oldest others go where they would be too much for one hello."""
        self._size += len(text) - len(self._moments.get(number, ""))
        self._moments[number] = text
        while self._size > MOST_TEXT:
            others = self._moments.keys() - {number, self._timeline.here}
            if not others:
                break
            self._drop(min(others))
            self._forgotten += 1

    def _drop(self, number: int) -> None:
        self._size -= len(self._moments.pop(number))
        self._layouts.pop(number, None)

    def _replace(self, kind: str, text: str) -> None:
        with self._lock:
            if self._parts.get(kind) != text:
                self._parts[kind] = text
                self._tell(message(kind, **{kind: text}))

    def _tell(self, text: str) -> None:
        self._sent += 1
        if self.send is not None:
            self.send(self._sent, text)

    # -- the parts ---------------------------------------------------------------------------------

    def _moment(self, kept: Kept) -> protocol.Moment:
        moment, showing = _left(kept.moment), self._timeline.session.showing
        before = self._before(kept) if moment.stop.alive else None
        previous = self._layouts.get(kept.number) or self._layouts.get(kept.parent or 0)
        parent = self._timeline.stops.get(kept.parent) if kept.parent is not None else None
        moved = parent is not None and parent.moment.activation != moment.activation
        elsewhere = moved and kept.number not in self._layouts  # a correction moves nothing else
        corrected = bool(moment.changes) or kept.before is not None  # by hand, or by a repair
        marking = len(moment.changes) > moment.settled
        pictured = Pictured(
            moment.graph, previous, before, alive=moment.stop.alive, elsewhere=elsewhere, corrected=corrected,
            marking=marking, roots=kept.roots, asked=kept.asked,
        )  # fmt: skip
        if not kept.roots or kept.number not in self._layouts:
            self._layouts[kept.number] = pictured.layout
        drawn = {key for key in pictured.layout.boxes if isinstance(key, NodeId)}
        places = Places(moment.graph, alive=moment.stop.alive)
        file, line, function = showing.lines.place(moment)
        frames, hidden = self._frames(moment, places, line, before)
        checkpoint = self._timeline.checkpoint_at(kept)
        return protocol.Moment(
            number=kept.number,
            parent=kept.parent,
            reason=moment.stop.reason,
            file=file,
            line=line,
            function=function,
            text=showing.lines.statement(moment) if moment.stop.alive else _ended(moment),
            signal=moment.stop.signal,
            alive=moment.stop.alive,
            checkpoint=checkpoint,
            resumable=checkpoint is not None,
            frames=frames,
            hidden_frames=hidden,
            globals=listed(places, moment.graph.globals, before),
            assertions=tuple(self._assertions(moment, places)),
            picture=pictured.picture,
            description=tuple(draw.describe(moment.graph, before, drawn).splitlines()),
            patch=self._patch(moment.applied.patch),
        )

    def _before(self, kept: Kept) -> MemoryGraph | None:
        """With what a stop is compared."""
        if kept.before is not None:
            return kept.before
        parent = self._timeline.stops.get(kept.parent) if kept.parent is not None else None
        if parent is None:
            return None
        return comparable(parent.moment.graph, open_activations(parent.moment), kept.moment)

    def _frames(
        self, moment: Moment, places: Places, line: int, before: MemoryGraph | None
    ) -> tuple[tuple[protocol.Frame, ...], int]:
        if not moment.stop.alive:
            return (), 0
        showing = self._timeline.session.showing
        graph_frames = {frame.depth: frame.variables for frame in moment.graph.frames}
        stack = moment.stop.frames
        shown = [*stack[:_FRAMES], *stack[max(_FRAMES, len(stack) - 1) :]]
        frames = [
            protocol.Frame(
                frame.function,
                showing.lines.given(frame.file),
                line if index == 0 else frame.line,
                listed(places, graph_frames.get(frame.depth, ()), before),
            )
            for index, frame in enumerate(shown)
        ]
        return tuple(frames), len(stack) - len(shown)

    def _assertions(self, moment: Moment, places: Places) -> list[str]:
        found = []
        for event in moment.arrived:
            if isinstance(event, Decision) and event.forced:
                found.append("the branch before was " + ("entered" if event.taken else "left") + " by force")
        for spec in moment.asserted:
            what = ", ".join(sorted(places.text(place) for place in spec.named)) or "the whole state"
            gone = " (withdrawn)" if spec.checkpoint in self._timeline.dropped else ""
            found.append(f"checkpoint {spec.checkpoint}: {what}{gone}")
        for change in moment.changes:
            if isinstance(change, PlaceChange):
                value = places.names.value(change.after, places.type(change.place), "null")
                found.append(f"changed: {places.text(change.place)} to {value}")
            else:
                found.append(f"changed: n{change.node.number} to {change.after}")
        return found

    def _patch(self, patch: Patch) -> str:
        if not patch.edits:
            return ""
        if patch not in self._patches:
            self._patches[patch] = frontend.diff(self._timeline.session.program, patch)
        return self._patches[patch]

    def _question(self) -> protocol.Question | None:
        question = self._timeline.question
        if question is None or question.input.graph is None:
            return None
        function = question.input.graph.frames[0].function if question.input.graph.frames else ""
        given = Pictured(question.input.graph, alive=False, narrow=True)
        answers = tuple(_result(each, given.layout) for each in question.results)
        return protocol.Question(function, given.picture, answers)

    def _program(self) -> str:
        options = self._timeline.session.options
        shown = options.executable or options.sources[0]
        return shown.name

    def _sources(self) -> list[protocol.Source]:
        files = self._timeline.session.program.files
        return [protocol.Source(each.path, each.content.decode("utf-8", "replace")) for each in files]


def _result(result: results.Graph, layout: draw.Picture) -> protocol.Result:
    """An answer: the nodes of the input stand where they stand there, what differs is marked."""
    assert result.graph is not None
    pictured = Pictured(result.graph, layout, result.before, alive=False, narrow=True)
    unchanged = bool(result.data.get("unchanged"))
    printed = str(result.data.get("output", ""))
    return protocol.Result(pictured.picture, str(result.data.get("crash", "")), unchanged, printed)


def _left(moment: Moment) -> Moment:
    """A stop as it is drawn: of a program that has ended nothing is left, and its graph is an earlier one."""
    return moment if moment.stop.alive else replace(moment, graph=MemoryGraph(moment.graph.types))


def _ended(moment: Moment) -> str:
    stop = moment.stop
    if stop.reason == "exited":
        return f"the program exited with status {stop.code or 0}"
    return f"the program was ended by {stop.signal or 'SIGKILL'}"
