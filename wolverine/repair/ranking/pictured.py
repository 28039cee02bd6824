"""What a corrected picture showed besides what was corrected: likely, though nobody asserted it.

Who corrects a few places of a picture has looked at it, and most of the time left the rest because it was
right.  So of the repairs that bring about the corrections those come first that leave the rest as it was,
and the picture before, in which nothing was corrected.  Of links that lead back (`x->next->prev == x`) one
may have been corrected for all.  So may one of several nodes in which the fault left the same field alike:
all of them that hold there what it was corrected to count as one place.  And what was corrected to what it
had been before is rather not to be set at all.  Nodes that corrections have cut off are not
shown: what was made for nothing is rather not made than freed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from wolverine.core.graph import NodeId, Place
from wolverine.core.patch import Patch
from wolverine.core.program import Program
from wolverine.core.trace import PICTURE, Assertion, Budget, End, Event, Position, Trace
from wolverine.repair.execution.arrivals import Arrivals, onward
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.schedule import Check, Expected, Group, prepare
from wolverine.repair.execution.spaces import Ledger
from wolverine.repair.execution.work import Limits, Stopped, Work
from wolverine.repair.heaps.backlinks import unreturned
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.spared import Fields
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.memory import Memory

_STEPS = 50_000  # machine steps for one repair
_ALL_STEPS = 1_000_000
_IN_VAIN = 2  # places besides: what is cut off as soon as it is made is rather not made than freed again


class Pictured:
    """Counts, for one repair after the other, the places that are other than they were shown.

    `known` has those counts that were made before, and gets the others.  What was `corrected` stands in that
    trace, or in the same.
    """

    def __init__(
        self,
        program: Program,
        trace: Trace,
        menus: Menus,
        pictures: Iterable[Assertion],
        known: dict[Patch, int],
        corrected: Trace | None = None,
    ) -> None:
        self._known = known
        wrong = unreturned(trace)
        shown = {assertion.position: _without(assertion, wrong) for assertion in pictures}
        events = tuple(_with_pictures(trace.events, shown))
        self._way = _Way(program, replace(trace, events=events), menus)
        self._nodes = {each: _nodes_of(picture, trace) for each, picture in shown.items()}
        self._corrected = _Numbers(corrected or trace)

    def amiss(self, patch: Patch) -> int | None:
        """How many places the repair leaves otherwise; None where too much was executed to tell."""
        if patch in self._known:
            return self._known[patch]
        arrivals = _Looking(self._nodes, self._corrected)
        if not self._way.go(patch, arrivals):
            return None
        self._known[patch] = arrivals.amiss + len(self._nodes) - arrivals.seen
        return self._known[patch]


def _without(picture: Assertion, places: Collection[Place]) -> Assertion:
    return replace(picture, cells={p: v for p, v in picture.cells.items() if p not in places})


class _Nodes(NamedTuple):
    """How many nodes a picture shows, or were there, and which it has cut off of those made since."""

    shown: int
    cut_off: frozenset[NodeId]


def _nodes_of(picture: Assertion, trace: Trace) -> _Nodes:
    known = picture.states.keys()
    if not known:
        return _Nodes(0, frozenset())
    there = trace.start.nodes.keys()
    return _Nodes(len(known | there), frozenset(picture.nodes.keys() - known - there))


class Restored:
    """Tells of one repair after the other whether it sets what is to be as it was before.

    That is what the program has set last to something else than asserted, and held what is asserted before.
    What held nothing where the execution began was made on the way: that was no state to go back to.
    `fields` are those of the nodes that were there.
    """

    def __init__(self, program: Program, trace: Trace, menus: Menus) -> None:
        self._way = _Way(program, trace, menus)
        arrivals = _Correcting()
        self._way.go(Patch(), arrivals)
        written = self._way.written()
        restored = {
            key: (place, len(held))
            for place, key, raw in arrivals.wrong
            if (held := written.get(key)) and held[0] is not None and _last(held) == raw
        }
        self._times = {key: times for key, (_, times) in restored.items()}
        nodes = {each: node.type for each, node in trace.start.nodes.items() if node.type is not None}
        self.fields: Fields = frozenset(
            (nodes[place.object], place.offset)
            for place, _ in restored.values()
            if isinstance(place.object, NodeId) and place.object in nodes
        )

    def __bool__(self) -> bool:
        """Whether there are such places."""
        return bool(self._times)

    def set_anew(self, patch: Patch) -> bool | None:
        """Whether one of them is set as often as by the program; None where too much was executed to tell."""
        if not self._way.go(patch, _Followed()):
            return None
        written = self._way.written()
        return any(len(written.get(key, ())) >= times for key, times in self._times.items())


def _last(held: Sequence[Any]) -> Any:
    """What a cell held before it was last written, also by a copy, which unsets it first."""
    return next(each for each in reversed(held) if each is not None)


class Replaced:
    """Tells of one repair after the other whether another node stands for one that was shown before.

    That is asserted to be live, and freed all the same: what is asserted is met up to the nodes' names.
    """

    def __init__(self, program: Program, trace: Trace, menus: Menus) -> None:
        asserted = (event.states for event in trace.events if isinstance(event, Assertion))
        times = Counter(node for states in asserted for node in states if node not in trace.start.nodes)
        self._way = _Way(program, trace, menus) if any(n > 1 for n in times.values()) else None

    def __bool__(self) -> bool:
        """Whether nodes that the trace allocates are asserted more than once."""
        return self._way is not None

    def replaced(self, patch: Patch) -> bool | None:
        """Whether it does so; None where too much was executed to tell."""
        arrivals = _Naming()
        if self._way is None or not self._way.go(patch, arrivals):
            return None
        return arrivals.replaced


class _Way:
    """A trace that is gone along under one repair after the other, in its own control flow."""

    def __init__(self, program: Program, trace: Trace, menus: Menus) -> None:
        self._runner = Runner(program, trace, menus)
        self._schedule = prepare(self._runner.machine, trace, own_control=True)
        self._runner.configure(self._schedule, {})
        self._spent = 0
        self._begun = 0  # of what is written

    @property
    def machine(self) -> Machine:
        """It stands where the last repair has led."""
        return self._runner.machine

    def go(self, patch: Patch, arrivals: _Followed) -> bool:
        """Go as far as it leads; False, without that, where too much was executed before."""
        if self._spent > _ALL_STEPS:
            return False
        machine = self.machine
        machine.undo(self._runner.origin)
        machine.set_patch(patch)
        self._begun = len(machine.memory.trail)
        following: int | None = 0
        try:
            while following is not None and following < len(self._schedule.groups):
                if machine.frame is None:
                    break
                following, _ = onward(self._runner, arrivals, following)
        except (Stopped, Halt):
            pass
        self._spent += arrivals.work.spent
        return True

    def written(self) -> dict[int, list[Any]]:
        """What each cell that was written held before, time for time."""
        trail, found = self.machine.memory.trail, dict[int, list[Any]]()
        for at in range(self._begun, len(trail), 2):
            found.setdefault(trail[at], []).append(trail[at + 1])
        return found


class _Followed(Arrivals):
    """Follows an execution that is known to meet what is asserted."""

    def __init__(self) -> None:
        self.work = Work(Budget(work=_STEPS), lambda: False)
        super().__init__(self.work, Limits(), Ledger())

    def meets(self, runner: Runner, group: Group) -> bool:
        """Always."""
        return True


class _Correcting(_Followed):
    """Sees what is otherwise than asserted, without a repair."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[tuple[Place, int, Any]] = []  # with their keys, and what they should hold

    def meets(self, runner: Runner, group: Group) -> bool:
        """Always; what is wrong is kept."""
        for check in group.checks:
            failing = set(check.failing(runner.machine))
            wrong = (cell for cell in check.cells if cell.place in failing)
            self.wrong += [(cell.place, cell.keys[0], cell.raw) for cell in wrong]
        return True


class _Naming(_Followed):
    """Sees which nodes are freed that were shown, and are to be live."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: set[NodeId] = set()
        self.replaced = False

    def meets(self, runner: Runner, group: Group) -> bool:
        """Always; what is met only under other names may have another node for one that was met as it is."""
        machine = runner.machine
        for check in group.checks:
            live = {node for node, is_live in check.nodes if is_live}
            if not any(check.failing(machine)):
                self._shown |= live
            else:
                self.replaced |= any(not machine.memory.node_live(n.number) for n in live & self._shown)
        return True


class _Looking(_Followed):
    """Looks at the pictures on the way."""

    def __init__(self, nodes: dict[Position, _Nodes], corrected: _Numbers) -> None:
        super().__init__()
        self._nodes = nodes
        self._corrected = corrected
        self.amiss = 0
        self.seen = 0  # pictures

    def meets(self, runner: Runner, group: Group) -> bool:
        """Always; what is not as it was shown is counted."""
        machine = runner.machine
        for check in group.checks:
            if check.label == PICTURE:
                self.seen += 1
                self.amiss += self._otherwise(machine, check)
                nodes, memory = self._nodes[group.position], machine.memory
                if nodes.shown:
                    self.amiss += abs(memory.node_count - nodes.shown)
                    self.amiss += _IN_VAIN * sum(_gone(memory, each) for each in nodes.cut_off)
        return True

    def _otherwise(self, machine: Machine, check: Check) -> int:
        """How many places that makes; those together one that hold what others were corrected to."""
        failing = [*check.failing(machine)]
        alike = sum(self._corrected.alike(machine, cell) for cell in check.cells if cell.place in failing)
        return len(failing) - max(0, alike - 1)


def _gone(memory: Memory, node: NodeId) -> bool:
    """Whether the node was made and freed."""
    return node.number <= memory.node_count and not memory.node_live(node.number)


class _Numbers:
    """The fields of nodes that somebody corrected to a number."""

    def __init__(self, trace: Trace) -> None:
        asserted = [event for event in trace.events if isinstance(event, Assertion)]
        pictures = [trace.start.nodes, *(event.nodes for event in asserted)]
        self._types = {node.id: node.type for nodes in pictures for node in nodes.values() if node.type}
        self._held = {
            (self._types[place.object], place.offset, value)
            for event in asserted
            for place, value in event.cells.items()
            if place.object in self._types and isinstance(value, int) and place not in event.weak
        }

    def alike(self, machine: Machine, cell: Expected) -> bool:
        """Whether a cell is the same field of another node and holds that number."""
        node, offset = cell.place
        held = machine.memory.cells.get(cell.keys[0])
        return (
            isinstance(held, int) and node in self._types and (self._types[node], offset, held) in self._held
        )


def _with_pictures(events: tuple[Event, ...], shown: dict[Position, Assertion]) -> Iterator[Event]:
    left = dict(shown)
    for event in events:
        if isinstance(event, Assertion | End) and event.position in left:
            yield left.pop(event.position)
        yield event
