"""A repair and its alternatives, each with what it makes of a heap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wolverine import frontend
from wolverine.core.graph import MemoryGraph, VariableId, forgetting
from wolverine.core.patch import Candidate, Patch, mentioned
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.page import protocol
from wolverine.page.pictures import Pictured
from wolverine.page.timeline import Repaired, Timeline
from wolverine.repair.heaps.outcomes import Bench
from wolverine.semantics.replay import replay
from wolverine.session import results

MOST = 12  # alternatives that are listed; `accept` takes the others too


def repair_of(timeline: Timeline) -> protocol.Repair | None:
    """The last repair as pages show it; None where there is none."""
    made = timeline.repair
    if made is None:
        return None
    result = made.result
    return protocol.Repair(
        moment=made.number,
        seconds=result.seconds,
        cost=result.cost,
        applied=result.applied,
        patch=result.patch,
        edits=tuple(protocol.Edit(e.kind, e.line, e.before, e.after) for e in result.edits),
        doubts=tuple(
            note.removeprefix(results.DOUBT) for note in made.notes if note.startswith(results.DOUBT)
        ),
        notes=tuple(note for note in made.notes if not note.startswith(results.DOUBT)),
        total=result.candidates,
        behaviours=result.behaviours,
        alternatives=tuple(_alternatives(timeline, made)) if result.edits else (),
    )


class _Here:
    """What the alternatives make of the heap with which the trace begins, up to the stop of the repair."""

    def __init__(self, timeline: Timeline, trace: Trace) -> None:
        self._model = timeline.session.execution.model
        self._trace = trace
        self.graph = trace.start
        self.picture = Pictured(trace.start, alive=False, narrow=True)

    def after(self, candidate: Candidate) -> tuple[MemoryGraph | None, str]:
        """The heap then, None where it cannot be foretold; and how it crashes."""
        for own_control in (False, True):
            replayed = replay(self._model, candidate.patch, self._trace, own_control)
            if replayed.met:
                return replayed.final, ""
        return None, ""


class _Elsewhere:
    """What the alternatives make of the heap that the question is about."""

    def __init__(self, timeline: Timeline, question: results.Question, heap: MemoryGraph) -> None:
        self._bench = Bench(timeline.session.execution.model, heap.frames[0].function)
        self._heap = heap
        self.graph = question.input.graph or heap
        self.picture = Pictured(self.graph, alive=False, narrow=True)

    def after(self, candidate: Candidate) -> tuple[MemoryGraph | None, str]:
        """The heap then, None where it cannot be foretold; and how it crashes."""
        outcome = self._bench.outcome(self._heap, candidate.patch)
        if outcome is None or outcome.crash:
            return None, outcome.crash if outcome is not None else ""
        return outcome.graph, ""


def _shown_with(timeline: Timeline, made: Repaired) -> _Here | _Elsewhere | None:
    """The heap that tells the alternatives apart, else the one of this execution."""
    if made.asked is not None and made.asked.heap is not None and made.asked.heap.frames:
        return _Elsewhere(timeline, made.asked, made.asked.heap)
    return _Here(timeline, made.trace) if made.trace is not None else None


def _alternatives(timeline: Timeline, made: Repaired) -> Iterator[protocol.Alternative]:
    shown = _shown_with(timeline, made)
    program = timeline.session.program
    for rank, candidate in enumerate(made.applied.candidates[:MOST], 1):
        after, crash = shown.after(candidate) if shown is not None else (None, "")
        if after is not None:
            after = _as_declared(program, candidate.patch, after)
        yield protocol.Alternative(
            rank=rank,
            accepted=rank - 1 == made.applied.chosen,
            cost=candidate.cost,
            behaviour=candidate.behaviour,
            edits=tuple(
                protocol.Edit(e.kind, e.line, e.before, e.after)
                for e in frontend.describe(program, candidate.patch)
            ),
            crash=crash,
            before=shown.picture.picture if shown is not None else None,
            after=_after(shown, after),
        )


def _as_declared(program: Program, patch: Patch, graph: MemoryGraph) -> MemoryGraph:
    """The heap without the spare variables that the patch does not declare."""
    used: dict[str, frozenset[str]] = {}
    for edit in patch.edits:
        function = program.location(edit.location).function
        used[function] = used.get(function, frozenset()) | mentioned(edit.replacement)
    gone = {
        VariableId(frame.depth, frame.function, spare.name)
        for frame in graph.frames
        if (code := program.functions.get(frame.function)) is not None
        for spare in code.declarable
        if spare.name not in used.get(frame.function, ())
    }
    kept = (
        replace(frame, variables=tuple(v for v in frame.variables if v.id not in gone))
        for frame in graph.frames
    )
    return replace(forgetting(graph, gone), frames=tuple(kept))


def _after(shown: _Here | _Elsewhere | None, graph: MemoryGraph | None) -> protocol.Picture | None:
    if shown is None or graph is None:
        return None
    return Pictured(graph, shown.picture.layout, shown.graph, alive=False, narrow=True).picture
