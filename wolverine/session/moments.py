"""The stops of an execution and the tree of checkpoints over them (Wolverine2 section 6.2).

A path is the list of stops from the start of the process to the present one.  Everything that going
back has to restore hangs on a moment: process image, model, constraints, patch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wolverine.core.graph import MemoryGraph, NodeId, NodeState, Place, Pointer, Value, VariableId
from wolverine.core.patch import Candidate, Patch
from wolverine.core.process import NeverFreed, ProcessFrame, Stop
from wolverine.core.trace import Assertion, Effect, Event, Interval, Position
from wolverine.core.types import CType
from wolverine.session.heard import NOTHING_HEARD, Heard

if TYPE_CHECKING:
    from wolverine.repair.ranking.question import Answer
    from wolverine.semantics.violations import Violation

Stack = tuple[tuple[str, int], ...]

NOT_ONE = -1  # of the candidates is in force
NO_PATCH = Patch()


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """One `change` of a cell: what it held, what it holds now.

    Where that is a node which was made for it, `made` has its size in bytes, and `beside` the state in which
    there was none; where such a node goes, `made` is -size.  `type` is that of the cell where it is one of a
    member of a union; `model` is then what the model knew before.  One that is `joined` goes with the one
    before it.
    """

    place: Place
    before: Value
    after: Value
    made: int = 0
    beside: MemoryGraph | None = field(default=None, compare=False, repr=False)
    type: CType | None = None
    joined: bool = False
    model: Any = field(default=None, compare=False, repr=False)

    def inverse(self) -> PlaceChange:
        """The change that takes this one back."""
        return PlaceChange(
            self.place, self.after, self.before, -self.made, type=self.type, joined=self.joined
        )


@dataclass(frozen=True, slots=True)
class StateChange:
    """One `change` of a node's state."""

    node: NodeId
    before: NodeState
    after: NodeState

    def inverse(self) -> StateChange:
        """The change that takes this one back."""
        return StateChange(self.node, self.after, self.before)


Change = PlaceChange | StateChange


@dataclass(frozen=True, slots=True)
class Asserted:
    """A `spec` at a moment: its checkpoint number and what it asserts.

    `named` are the places given by the user (arguments or `track`); they are never given up.
    `changes_before` is how many of the moment's changes it already holds.
    """

    checkpoint: int
    cells: tuple[tuple[Place, Value], ...]
    states: tuple[tuple[NodeId, NodeState], ...]
    named: frozenset[Place]
    changes_before: int

    @property
    def in_part(self) -> bool:
        """Whether a few places, or freed nodes alone, are asserted, rather than the whole state."""
        return bool(self.named) or not self.cells


@dataclass(frozen=True)
class Applied:
    """The patch in force: the code that runs (None: the original) and how it came about.

    `candidates` are the ranked alternatives that `accept` may still switch to, `chosen` is the one in force.
    """

    patch: Patch = NO_PATCH
    code: Any = None
    candidates: tuple[Candidate, ...] = ()
    chosen: int = 0


@dataclass(frozen=True)
class Moment:
    """One stop.

    `graph` is the picture (uninitialised cells marked), `stack` the instructions of the frames
    (innermost first, UNMAPPED where unknown), `position` where the trace stands (None where the model
    does not know), `arrived` the trace's events since the moment before.  `image` and `model` bring
    process and follower back.  A moment in `transit` was passed inside one command and is no stop.
    The first `settled` changes can no longer be undone: a patch has been applied since.
    `activations` are serial numbers of the frames' activations, innermost first.
    `answers` are the user's answers to questions that were asked here.
    `written` counts the bytes that the program had written.
    `never_freed` is what the program had not freed when it ended (None: it has not ended, or is gone).
    `number` is the stop's own: it stays when the stop is told anew, and no other stop ever has it.
    `violates`: on the way here something was done that C forbids and the process survived, `violated` what
    of that the model could not follow.  `violation` is what the statement at hand is about to do of that
    kind, where that is why the process stands here.
    `astray` are branches of loops whose decisions on the way here are no longer in `arrived`.
    `heard` is what the process has written.
    Of a program that has ended, `short_of` is where it did what outlasts a process: what came behind that
    was not carried out again to be looked at.
    """

    stop: Stop
    graph: MemoryGraph
    stack: Stack
    position: Position | None
    arrived: tuple[Event, ...] = ()
    image: Any = None
    model: Any = None
    applied: Applied = Applied()
    changes: tuple[Change, ...] = ()
    asserted: tuple[Asserted, ...] = ()
    transit: bool = False
    settled: int = 0
    activations: tuple[int, ...] = ()
    written: int = 0
    answers: tuple[Answer, ...] = ()
    never_freed: tuple[NeverFreed, ...] | None = None
    number: int = 0
    violates: bool = False
    violated: Violation | None = None
    violation: Violation | None = None
    astray: frozenset[tuple[str, int]] = frozenset()
    heard: Heard = NOTHING_HEARD
    short_of: ProcessFrame | None = None

    @property
    def activation(self) -> int | None:
        """The serial number of the innermost activation."""
        return self.activations[0] if self.activations else None

    @property
    def constrained(self) -> bool:
        """Whether the user said something here that a repair has to meet."""
        forced = any(getattr(event, "forced", False) for event in self.arrived)
        return bool(self.changes or self.asserted or forced)

    @property
    def concretes(self) -> tuple[Effect | Interval, ...]:
        """The events on the way here whose effects were taken from the process."""
        return tuple(event for event in self.arrived if isinstance(event, (Effect, Interval)))


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The session at a `spec`: the path up to it, its start of the trace, and the parent's number."""

    number: int
    parent: int | None
    path: tuple[Moment, ...]
    start: int

    @property
    def moment(self) -> Moment:
        """The stop that the checkpoint stands at."""
        return self.path[-1]


def assertions(moment: Moment, dropped: frozenset[int]) -> Assertion | None:
    """What the moment asserts all in all, or None.

    Of two specs at one position the later holds; a change after it overrides its one place; a change
    that no spec follows asserts its one place (CONTRACT "What the words mean"), and so does one that is
    followed by a spec of other places only.
    """
    if moment.position is None:
        return None
    cells: dict[Place, Value] = {}
    states: dict[NodeId, NodeState] = {}
    named: set[Place] = set()
    labels: list[str] = []
    specs = [spec for spec in moment.asserted if spec.checkpoint not in dropped]
    later = moment.changes
    if specs:
        last = specs[-1]
        before, later = later[: last.changes_before], later[last.changes_before :]
        if last.in_part:
            named |= _corrected(moment, before, cells, states)
        cells.update(last.cells)
        states.update(last.states)
        named |= last.named
        labels.append(f"checkpoint {last.checkpoint}")
    named |= _corrected(moment, later, cells, states)
    if not cells and not states:
        return None
    if not labels:
        labels.append("the change")
    # A whole state tells by its contents which node is which; a few places do not.
    fixed = in_part(moment, dropped) or _is_one_row(moment.graph)
    fixed = fixed and not _has_made(moment)  # where a repair allocates, the others may be later ones
    allocated = max((node.number for node in moment.graph.nodes), default=0) if fixed else None
    weak = frozenset(cells) - named
    return Assertion(moment.position, cells, states, weak, labels[0], allocated, moment.graph.nodes)


def _corrected(
    moment: Moment, changes: Iterable[Change], cells: dict[Place, Value], states: dict[NodeId, NodeState]
) -> frozenset[Place]:
    """Enter into `cells` and `states` what changes assert, in their order; the places that they name."""
    named: set[Place] = set()
    for change in changes:
        match change:
            case PlaceChange(place, _, after, made, beside):
                if made > 0 and isinstance(after, Pointer) and isinstance(after.object, NodeId):
                    # it is one more than the others, and another than variables lead to
                    for variable, held in _leading(beside or moment.graph):
                        cells.setdefault(variable, held)
                    states.update((n.id, n.state) for n in (beside or moment.graph).nodes.values())
                    states[after.object] = "live"
                cells[place] = after
                named.add(place)
            case StateChange(node, _, state):
                states[node] = state
    return frozenset(named)


def in_part(moment: Moment, dropped: frozenset[int]) -> bool:
    """Whether a few places are asserted, rather than the whole state."""
    specs = [spec for spec in moment.asserted if spec.checkpoint not in dropped]
    return not specs or specs[-1].in_part


def _is_one_row(graph: MemoryGraph) -> bool:
    """Whether one statement, called from one place, has allocated all nodes, one after the other.

    They come in that order under repairs, too: where others stand for them, what they hold was written over.
    """
    rows = {(node.allocated, node.callers) for node in graph.nodes.values()}
    return len(rows) == 1


def _has_made(moment: Moment) -> bool:
    """Whether there is, or was, a node that a `change` has made."""
    made = any(isinstance(change, PlaceChange) and change.made > 0 for change in moment.changes)
    return made or any(node.allocated is None for node in moment.graph.nodes.values())


def _leading(graph: MemoryGraph) -> Iterator[tuple[Place, Value]]:
    """The variables of the innermost frame and the globals that lead to nodes."""
    innermost = max((frame.depth for frame in graph.frames), default=-1)
    for place, value in graph.cells.items():
        here = isinstance(place.object, VariableId) and place.object.depth in (-1, innermost)
        if here and isinstance(value, Pointer) and isinstance(value.object, NodeId):
            yield place, value


def touched(path: Sequence[Moment]) -> frozenset[Place]:
    """Every place that the user named or changed on the path."""
    places: set[Place] = set()
    for moment in path:
        places.update(change.place for change in moment.changes if isinstance(change, PlaceChange))
        for spec in moment.asserted:
            places |= spec.named
    return frozenset(places)


def activations_of(
    previous: Moment | None, frames: Sequence[ProcessFrame], kept: int, serial: Iterator[int]
) -> tuple[int, ...]:
    """Serial numbers of the frames' activations, innermost first.

    A frame goes on if function and frame address are those of the previous stop and all frames further
    out go on too; only the `kept` outermost ones can, as the others were entered again meanwhile.
    """
    numbers: list[int] = []
    before = list(reversed(previous.stop.frames)) if previous is not None else []
    known = list(reversed(previous.activations)) if previous is not None else []
    same = True
    for index, frame in enumerate(reversed(frames)):
        same = same and index < len(before) and index < len(known)
        same = same and (before[index].cfa, before[index].function) == (frame.cfa, frame.function)
        if same and index < kept:
            numbers.append(known[index])
        else:
            numbers.append(next(serial))
    return tuple(reversed(numbers))


def kept_images(
    path: Sequence[Moment], start: int | None, checkpoints: Iterable[Checkpoint]
) -> Iterator[Any]:
    """The images that no bound on memory may take.

    Those of the first stop and the present one, of checkpoints, and of where a trace begins or can begin.
    """
    ways = [(path, start), *((each.path, each.start) for each in checkpoints)]
    for stops, first in ways:
        if not stops:
            continue
        yield from (stops[0].image, stops[-1].image)
        if first is not None:
            yield stops[first].image
        open_ones = set(stops[-1].activations)
        for index, moment in enumerate(stops):
            if open_ones.intersection(moment.activations):
                # An activation's entry is found by running on from the stop before it.
                open_ones.difference_update(moment.activations)
                yield from (moment.image, stops[max(index - 1, 0)].image)


def trace_start(path: Sequence[Moment], present_start: int | None) -> int:
    """Where the trace begins once the present moment is constrained.

    It is the first stop in the outermost of the constrained activations that enclose one another, or in
    what such an activation called: the first stop that saw the present activation, unless the trace
    already begins further out or earlier.
    """
    activation = path[-1].activation
    own = next(index for index, moment in enumerate(path) if activation in (None, *moment.activations))
    return own if present_start is None else min(own, present_start)
