"""What a session knows of an execution: positions, decisions, assertions, and the repair problem.

A position belongs to (activation, location, occurrence), as CONTRACT's "Position" says: the state
just before the `occurrence`-th time (from 1) that this activation comes to the location.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from wolverine.core.graph import MemoryGraph, Node, NodeId, NodeState, Place, Value
from wolverine.core.patch import NO_EDITS, Patch
from wolverine.core.program import Program
from wolverine.core.types import CType, byte_of

PICTURE = "the picture"  # label of what was seen rather than asserted


class Position(NamedTuple):
    """Just before the `occurrence`-th execution of instruction number `instruction` of `function`.

    `activation` numbers the activations since the start of the trace in order of their entry; the
    one in which the trace starts is 0, its caller (when execution returns to it) -1, and so on.
    Occurrences count from 1 within the activation and the trace.
    """

    activation: int
    function: str
    instruction: int
    occurrence: int


@dataclass(frozen=True, slots=True)
class Decision:
    """The branch at `position` goes to its body (`taken`, the condition's C value) or not.

    `forced` by `enter`/`leave`: binds always.  Otherwise merely observed.
    """

    position: Position
    taken: bool
    forced: bool


@dataclass(frozen=True, slots=True)
class Assertion:
    """At `position` every place of `cells` holds its value and every node of `states` is in its state.

    Places of variables use the depth of the process' stack.  `weak` are the places that the user never
    named or changed; they are the first to be given up.  `label` is for people ("checkpoint 1").
    With `allocated`, nodes keep their names in an execution that has allocated as many by then.  `nodes` are
    those of the picture, by whose types people name what is in them.
    """

    position: Position
    cells: Mapping[Place, Value]
    states: Mapping[NodeId, NodeState] = field(default_factory=dict)
    weak: frozenset[Place] = frozenset()
    label: str = ""
    allocated: int | None = None
    nodes: Mapping[NodeId, Node] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class End:
    """The trace ends here: at the position, or by a crash that a repair has to avoid (`crashed`).

    Where it is `endless`, nothing crashes: a repair must not come here so often.  Where nodes are `lost`
    here, nothing crashes either: under a repair each of them is freed by then, or something leads to it yet.
    The activation that crashed lies `within` these, as (number, function), and cannot come any more once one
    of them has ended.
    """

    position: Position
    crashed: bool = False
    endless: bool = False
    lost: frozenset[NodeId] = frozenset()
    within: tuple[tuple[int, str], ...] = ()

    @property
    def through(self) -> bool:
        """Whether the statement at the position has to be carried out, and not only come to."""
        return self.crashed and not self.lost


@dataclass(frozen=True, slots=True)
class Effect:
    """What one execution of a `Concrete` instruction wrote in the process, in order of execution.

    `types` are those of the cells of nodes that are younger than the trace, as far as they were seen; `sizes`
    those of the `nodes` in bytes, as far as the process still has them.
    """

    position: Position
    cells: Mapping[Place, Value]
    nodes: tuple[NodeId, ...] = ()
    freed: tuple[NodeId, ...] = ()
    types: Mapping[Place, CType] = field(default_factory=dict)
    sizes: Mapping[NodeId, int] = field(default_factory=dict)

    def room(self, node: NodeId) -> int | None:
        """The bytes of one of the nodes, or what was written there; None where nothing tells it."""
        written = max((byte_of(p.offset) + 8 for p in self.cells if p.object == node), default=None)
        return self.sizes.get(node, written)


@dataclass(frozen=True, slots=True)
class Interval:
    """A stretch of execution that was not modelled: from `position` straight to the stack `to`.

    `to` is innermost first, as (function, instruction to execute next); `effect` what the process
    wrote meanwhile, over all frames that survive; `reason`, for people, why it was not modelled.
    """

    position: Position
    to: tuple[tuple[str, int], ...]
    effect: Effect
    reason: str = field(default="", compare=False)


Event = Decision | Assertion | Effect | Interval | End


def joined(events: Iterable[Event]) -> list[Event]:
    """The events with one effect for each execution of a statement.

    What a call gave may be told at a later stop than what else its statement did.
    """
    found: list[Event] = []
    effects: dict[Position, int] = {}
    for event in events:
        if isinstance(event, Effect):
            at = effects.setdefault(event.position, len(found))
            if at < len(found):
                first = found[at]
                assert isinstance(first, Effect)
                found[at] = replace(first, cells={**event.cells, **first.cells})
                continue
        found.append(event)
    return found


@dataclass(frozen=True)
class Trace:
    """One execution: start state just before `start`, then events in the order of execution.

    The stack at the start is `start_stack`: the position's activation first, then its callers with the
    instruction to which each returns, as (function, index) pairs innermost first.  Where it is `strict`,
    the use of a freed node counts as a crash.  Where it `oversteps`, it has left an array that is part of an
    object, and gone on.  Functions `aside` had run before a state that was taken for
    right, and not since then.  `pictured` is what pictures that were corrected showed besides: nobody
    asserted it, but somebody saw it.  `approved` is the execution up to the last picture in front of the
    first that was corrected, which is what it pictured.  At the locations `steered` somebody forced a
    branch by hand: its condition, and what the calls in that are given.  `earlier` is the same process' way
    to the start from further back, with what it read there, if that is known.
    """

    start: MemoryGraph
    start_stack: tuple[tuple[str, int], ...]
    events: tuple[Event, ...]
    strict: bool = False
    oversteps: bool = False
    aside: frozenset[str] = frozenset()
    pictured: tuple[Assertion, ...] = ()
    steered: frozenset[int] = frozenset()
    earlier: Trace | None = None
    approved: Trace | None = None

    @property
    def crash(self) -> End | None:
        """The crash with which the execution ends."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, End) and last.crashed and not last.lost else None

    @property
    def lost(self) -> frozenset[NodeId]:
        """The nodes that are lost where the execution ends."""
        last = self.events[-1] if self.events else None
        return last.lost if isinstance(last, End) else frozenset()

    @property
    def endless(self) -> bool:
        """Whether the execution goes round for ever."""
        return self.crash is not None and self.crash.endless

    @property
    def bare(self) -> bool:
        """Whether a crash, or that a freed node is used, is all that is known of the execution.

        Nothing is asserted then, no branch forced.
        """
        told = (isinstance(e, Assertion) or (isinstance(e, Decision) and e.forced) for e in self.events)
        return (self.crash is not None or self.strict) and not any(told)

    @property
    def outcome(self) -> Assertion | None:
        """What is asserted last, with what its picture showed besides."""
        last = next((e for e in reversed(self.events) if isinstance(e, Assertion)), None)
        shown = (each for each in self.pictured if last is not None and each.position == last.position)
        for picture in shown:
            assert last is not None
            cells, states = {**picture.cells, **last.cells}, {**picture.states, **last.states}
            last = replace(last, cells=cells, states=states)
        return last


@dataclass(frozen=True)
class Budget:
    """Bounds on a search: `work` in machine steps, `seconds` by `clock` (None: none).

    `edits` is the largest number of edits tried, `least` the smallest; `insertions` bounds inserted
    statements (None: free).  Of all smallest repairs the best `listed` are told.
    """

    work: int = 12_000_000
    seconds: float | None = None
    edits: int = 4
    insertions: int | None = None
    least: int = 0
    listed: int = 400
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True)
class Problem:
    """Find the smallest edits of `program` under which every trace meets all of its events.

    `editable` restricts the locations that may change (None: all).  The edits of `accepted` were in force in
    a part of the execution: what is to be repaired besides is looked for with them first.  Where they are
    `settled`, they were in force from the beginning and stay: what they mended does not show here.
    With `freeing` only edits are asked for that free nodes, with `keeping` only those that keep a link before
    it is spoilt; engines may look at no others then.
    """

    program: Program
    traces: tuple[Trace, ...]
    budget: Budget = Budget()
    editable: frozenset[int] | None = None
    accepted: Patch = NO_EDITS
    settled: bool = False
    freeing: bool = False
    keeping: bool = False
