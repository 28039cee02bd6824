"""The model beside the process: follows every stop and yields the trace's events."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from wolverine.core.expressions import VariableReference
from wolverine.core.graph import UNINITIALISED, MemoryGraph, NodeId, Place, Pointer, VariableId, descend
from wolverine.core.patch import Patch
from wolverine.core.program import Assign, Branch, Declare, Function, Gap, Jump, Program, surely_taken
from wolverine.core.trace import Decision, Effect, Event, Interval, Position
from wolverine.core.unions import reopened
from wolverine.frontend import patched
from wolverine.semantics.activation import NO_COUNTS, Counts
from wolverine.semantics.copied import Copied
from wolverine.semantics.dataflow import possibly_assigned
from wolverine.semantics.faults import Fault
from wolverine.semantics.follow import Follower
from wolverine.semantics.losing import Loss
from wolverine.semantics.violations import NOWHERE, Violation
from wolverine.session.moments import Change, Moment, PlaceChange, Stack, StateChange
from wolverine.session.positions import UNMAPPED

# Instructions that the model executes between two stops before it takes the state from the process.
FOLLOWED = 300_000
FOLLOWED_INTERRUPTED = 50_000  # who stops a program wants the prompt, and it has mostly done much more


@dataclass(frozen=True, slots=True)
class Followed:
    """What one step told: events, and where model and process disagreed (empty: nowhere).

    `modelled` is false when the model met something that it does not follow; a `violation` is what C
    forbids that it could not follow; `guesses` as in `follow.Followed`.
    """

    events: tuple[Event, ...]
    differences: tuple[Place, ...] = ()
    reason: str = ""
    modelled: bool = True
    violation: Violation | None = None
    guesses: int = 0


class Tracer:
    """A follower that is seated at a stop and advanced from stop to stop."""

    def __init__(self, program: Program) -> None:
        self.program = program  # as it is modelled; a variant of what was given
        self._given = program
        self._follower: Follower | None = None

    @property
    def stale(self) -> bool:
        """Whether the follower that was loaded runs another variant of the program."""
        return self._follower is not None and self._follower.program is not self.program

    @property
    def patch(self) -> Patch:
        """The patch that the model runs under."""
        return self._follower.patch if self._follower is not None else Patch()

    def seat(self, graph: MemoryGraph, stack: Stack, patch: Patch) -> None:
        """Begin a trace at the state `graph` and `stack`; nothing is modelled where that is unmapped."""
        known = mapped(stack)
        self._follower = Follower(self.program, graph, known, patch=patch) if known else None

    def begin(self, graph: MemoryGraph, stack: Stack, patch: Patch, *, entered: bool = False) -> MemoryGraph:
        """`seat`, at the graph that comes back: cells that nothing can have written are uninitialised.

        Where the program has just `entered` the function, no round of a loop at its beginning has.
        """
        here = entry_stack(self._given, stack) if entered else stack
        marked = with_uninitialised(graph, unwritten_locals(self._given, graph, here, patch))
        self.seat(marked, stack, patch)
        return marked

    def counts(self) -> Counts:
        """What positions from here on go by: how often each instruction was executed since the start."""
        return self._follower.counts() if self._follower is not None else NO_COUNTS

    def recount(self, counts: Counts) -> None:
        """Let positions go by what was counted elsewhere on the way here."""
        if self._follower is not None:
            self._follower.recount(counts)

    def advance(
        self,
        graph: MemoryGraph,
        stack: Stack,
        crashed: bool = False,
        recorded: Sequence[Effect] = (),
        *,
        limit: int = FOLLOWED,
    ) -> Followed:
        """Run the model to the process' next stop, where it may have `crashed` (see `Follower.advance`)."""
        known = mapped(stack)
        if self._follower is None or not known:
            return Followed(())
        result = self._follower.advance(known, graph, crashed=crashed, limit=limit, recorded=recorded)
        differences = () if result.ok else tuple(result.differences)
        return Followed(
            tuple(result.events),
            differences,
            "" if result.ok else result.reason,
            result.modelled,
            result.violation,
            result.guesses,
        )

    def violation(self, graph: MemoryGraph, stack: Stack) -> Violation | None:
        """The first violation up to the process' next stop; without a stack, up to the program's end."""
        known = mapped(stack) if stack else NOWHERE
        if self._follower is None or not known:
            return None
        return self._follower.violation(known, graph, FOLLOWED)

    def endless(self) -> Violation | None:
        """The loop without an end to which the process comes from here."""
        return self._follower.endless(FOLLOWED) if self._follower is not None else None

    def overflow(self) -> tuple[Violation, Violation] | None:
        """The recursion without an end to which the process comes: its outermost call, and one further in."""
        return self._follower.overflow(FOLLOWED) if self._follower is not None else None

    def loss(
        self, known: Collection[int], writers: dict[int, str] | None = None, *, scoped: bool = False
    ) -> Loss | None:
        """The first nodes that are lost from here on, beside those that are known (see `first_loss`)."""
        if self._follower is None:
            return None
        return self._follower.loss(FOLLOWED, known, writers, scoped=scoped)

    def unset(self) -> dict[Place, tuple[str, int]]:
        """What was used before anything had set it: where first, as (function, instruction)."""
        return self._follower.unset() if self._follower is not None else {}

    def copied(self) -> Mapping[Place, Copied]:
        """Of variables that were used so, the fields of nodes that they were set to, as far as known."""
        return self._follower.copied() if self._follower is not None else {}

    def overstepped(self) -> dict[tuple[str, int], Fault]:
        """The library calls that went beyond a node, as (function, instruction): how, the first time."""
        return self._follower.overstepped() if self._follower is not None else {}

    def violations(self) -> int:
        """How much was done so far that C forbids and the process survived; going back takes nothing back."""
        return self._follower.violations() if self._follower is not None else 0

    def run_out(self) -> Violation | None:
        """The process has ended: see what it did up to there that it should not have done."""
        return self._follower.run_out(FOLLOWED) if self._follower is not None else None

    def force(self, instruction: int, taken: bool, evaluated: bool = True) -> Decision | None:
        """Go along the branch at which the model stands, or before what the process has not evaluated."""
        follower = self._follower
        return follower.force(instruction, taken, evaluated) if follower is not None else None

    def change(self, change: Change) -> None:
        """Follow a change in the process."""
        if self._follower is None:
            return
        match change:
            case PlaceChange(place, before, after, made):
                target = after if made > 0 else before
                if made and isinstance(target, Pointer) and isinstance(target.object, NodeId):
                    self._follower.make(target.object, made)
                self._follower.write(place, after, change.type)
            case StateChange(node, _, after):
                self._follower.write_state(node, after)

    def position(self) -> Position | None:
        """Where the trace stands."""
        return self._follower.position() if self._follower is not None else None

    def numbers(self) -> tuple[int, ...]:
        """The numbers of the activations here, innermost first; empty where that is not known."""
        return self._follower.numbers() if self._follower is not None else ()

    def numbers_at(self, saved: Any) -> tuple[int, ...]:
        """The same at a saved state; empty, too, where the trace has begun anew since."""
        if self._follower is None or not self.knows(saved):
            return ()
        return self._follower.numbers(saved[1])

    def uninitialised(self) -> frozenset[Place]:
        """The cells that nothing has written since the trace began."""
        return self._follower.uninitialised() if self._follower is not None else frozenset()

    def on_the_way(self, graph: MemoryGraph) -> MemoryGraph:
        """The graph with what the statements under way have evaluated and still need."""
        found = self._follower.pending() if self._follower is not None else {}
        if not found:
            return graph
        told = replace(graph, pending=found)
        descend(told, graph, frozenset())
        return told

    def opened(self, graph: MemoryGraph) -> MemoryGraph:
        """The graph of the state here with the members of unions in use that the model knows."""
        return reopened(graph, self._follower.in_use(graph)) if self._follower is not None else graph

    def told(self, graph: MemoryGraph, stack: Stack, changed: frozenset[Place] = frozenset()) -> MemoryGraph:
        """The graph of the state here as the model tells it: members of unions, cells that hold nothing yet.

        `changed` are places that the user has set here.
        """
        graph = self.opened(graph)
        return with_uninitialised(graph, self.unwritten(graph, stack) - changed)

    def unwritten(self, graph: MemoryGraph, stack: Stack) -> frozenset[Place]:
        """The cells that hold nothing yet: as the model knows, and as the code shows."""
        # What fresh heap memory holds the process tells itself: the tracker fills it with a pattern.
        modelled = (p for p in self.uninitialised() if isinstance(p.object, VariableId))
        return frozenset(modelled) | self.unwritten_locals(graph, stack)

    def unwritten_locals(self, graph: MemoryGraph, stack: Stack) -> frozenset[Place]:
        """The locals' cells that no path under the present patch can have written."""
        return unwritten_locals(self._given, graph, stack, self.patch)

    def uses(self) -> dict[NodeId, tuple[str, int]]:
        """The nodes used after they were freed since the trace began: where first (function, instruction)."""
        return self._follower.uses() if self._follower is not None else {}

    def save(self) -> Any:
        """The state of the model, for `load`."""
        return (self._follower, self._follower.snapshot()) if self._follower is not None else None

    def knows(self, saved: Any) -> bool:
        """Whether a saved state is one of the trace that is followed now."""
        return saved is not None and saved[0] is self._follower

    def load(self, saved: Any) -> None:
        """Back to a saved state."""
        if saved is None:
            self._follower = None
            return
        self._follower, state = saved
        self._follower.restore(state)

    def refollow(self, path: Sequence[Moment], start: int) -> list[Moment]:
        """The moments of `path` from `start` on, followed anew from there.

        Used when the trace turns out to begin earlier than was thought.  What the process did on the way
        to the first of them is kept.  Where the patch in force since then tells better what it did on the
        way, it is followed under that: its statements may have been executed in between.
        """
        before, since = path[start].applied.patch, path[-1].applied.patch
        again = self._followed(path, start, before)
        if before != since and _leaps(again):
            if not _leaps(patched := self._followed(path, start, since)):
                return patched
            again = self._followed(path, start, before)
        return again

    def _followed(self, path: Sequence[Moment], start: int, patch: Patch) -> list[Moment]:
        """The moments followed anew under a patch."""
        first = path[start]
        self.seat(first.graph, entry_stack(self.program, first.stack), patch)
        again = [replace(first, arrived=first.concretes, position=self.position(), model=None)]
        self._repeat_changes(first)
        again[0] = replace(again[0], model=self.save())
        for moment in path[start + 1 :]:
            events: list[Event] = []
            if moment.stack and self._follower is not None:
                events.extend(self._step(moment))
            position = self.position() if mapped(moment.stack) else None
            self._repeat_changes(moment)
            again.append(replace(moment, arrived=tuple(events), position=position, model=self.save()))
        return again

    def _step(self, moment: Moment) -> tuple[Event, ...]:
        for event in moment.arrived:
            if isinstance(event, Decision) and event.forced:
                decision = self.force(event.position.instruction, event.taken)
                return (decision,) if decision is not None else ()
        return self.advance(before_changes(moment), moment.stack, moment.stop.reason == "signal").events

    def _repeat_changes(self, moment: Moment) -> None:
        for change in moment.changes:
            self.change(change)


def _leaps(path: Sequence[Moment]) -> bool:
    """Whether the model could not follow the process all the way."""
    return any(isinstance(event, Interval) for moment in path for event in moment.arrived)


@contextmanager
def standing_at(moment: Moment) -> Iterator[Follower]:
    """Within, the follower of the moment stands there."""
    follower, state = moment.model
    present = follower.snapshot()
    follower.restore(state)
    try:
        yield follower
    finally:
        follower.restore(present)


def before_changes(moment: Moment) -> MemoryGraph:
    """The graph as the process arrived at the moment."""
    cells, nodes = dict(moment.graph.cells), dict(moment.graph.nodes)
    for change in reversed(moment.changes):
        match change:
            case PlaceChange(place, before, after, made):
                cells[place] = before
                if made > 0 and isinstance(after, Pointer) and isinstance(after.object, NodeId):
                    nodes.pop(after.object)
                    cells = {held: value for held, value in cells.items() if held.object != after.object}
            case StateChange(node, state):
                nodes[node] = replace(nodes[node], state=state)
    return replace(moment.graph, cells=cells, nodes=nodes)


def mapped(stack: Stack) -> Stack:
    """The innermost frames whose instructions are known, down to the first that is not."""
    known: list[tuple[str, int]] = []
    for function, instruction in stack:
        if instruction == UNMAPPED:
            break
        known.append((function, instruction))
    return tuple(known)


def entry_stack(program: Program, stack: Stack) -> Stack:
    """The stack with its innermost position moved to the very entry where only gaps lie between.

    So a statement can be inserted before the first one of the function.
    """
    known = mapped(stack)
    if not known:
        return stack
    name, instruction = known[0]
    function = program.functions[name]
    index: int | None = 0
    seen = set[int | None]()
    while index is not None and index != instruction and index not in seen:
        seen.add(index)
        match function.code[index]:
            case Declare() | Gap():
                index += 1
            case Jump(_, target):
                index = target
            case Branch() as condition:
                index = surely_taken(condition)
            case _:
                return stack
    return ((name, 0), *stack[1:]) if index == instruction else stack


def with_uninitialised(graph: MemoryGraph, places: frozenset[Place]) -> MemoryGraph:
    """The graph with those places marked as never written."""
    if not places:
        return graph
    cells = dict(graph.cells)
    cells.update((place, UNINITIALISED) for place in places if place in cells)
    marked = replace(graph, cells=cells)
    descend(marked, graph, places)
    return marked


def still_unwritten(program: Program, graph: MemoryGraph, depth: int) -> frozenset[Place]:
    """What holds nothing at a stop, and held nothing when the innermost of `depth` frames was entered.

    These are variables of its callers, and what came into its parameters without ever having been set: not
    those that its statements may have set since to what nothing has set.
    """
    found = set[Place]()
    for place, value in graph.cells.items():
        variable = place.object
        if isinstance(variable, VariableId) and -1 < variable.depth < depth and value == UNINITIALISED:
            own = variable.depth == depth - 1 and variable.function in program.functions
            if not (own and variable.name in _assigned(program.functions[variable.function])):
                found.add(place)
    return frozenset(found)


def _assigned(function: Function) -> frozenset[str]:
    """The variables to which a statement of the function assigns."""
    targets = (step.target for step in function.code if isinstance(step, Assign))
    return frozenset(target.name for target in targets if isinstance(target, VariableReference))


def unwritten_locals(program: Program, graph: MemoryGraph, stack: Stack, patch: Patch) -> frozenset[Place]:
    """The locals' cells that no path to the frames' positions can have written, with the patch in force.

    What a variable held in an earlier round of its block is nothing that it holds before its declaration.
    """
    found: set[Place] = set()
    changed = {program.location(edit.location).function for edit in patch.edits}
    known: dict[tuple[str, int], frozenset[str]] = {}  # in a recursion most frames stand at one place
    for frame, (name, instruction) in zip(graph.frames, stack):
        function = program.functions.get(name)
        if instruction == UNMAPPED or not isinstance(function, Function):
            continue
        if (name, instruction) not in known:
            present = patched(program, function, patch) if name in changed else function
            ahead = {each.variable.name for each in function.code[instruction:] if isinstance(each, Declare)}
            known[name, instruction] = possibly_assigned(present, instruction) - ahead
        written = known[name, instruction]
        for variable in frame.variables:
            if not variable.parameter and variable.id.name not in written:
                types = graph.types
                found.update(Place(variable.id, offset) for offset, _ in types.scalars(variable.type))
                found.update(Place(variable.id, offset) for offset, _ in types.possible(variable.type))
    return frozenset(place for place in found if place in graph.cells)
