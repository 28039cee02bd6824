"""The search for the process' next stop in the model: from the present state to the first matching visit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from wolverine.core.graph import MemoryGraph, Place
from wolverine.core.program import Branch, Call, Concrete
from wolverine.core.trace import Effect
from wolverine.semantics.activation import Activation, Mark
from wolverine.semantics.allocation import ALLOCATION
from wolverine.semantics.concrete import Touched, apply_concrete, place_of, usual_result
from wolverine.semantics.encoding import encode, scalar_type
from wolverine.semantics.endless import Rounds
from wolverine.semantics.faults import Fault, Halt, Undetermined, Unmodelled
from wolverine.semantics.findings import Decided, Match, NoMatch, Note, Touching
from wolverine.semantics.machine import Machine, Noted, Outcome
from wolverine.semantics.pending import shown
from wolverine.semantics.state import Comparison, Encoded
from wolverine.semantics.unknown import Unknown, assuming, solve

_AFTER_NEAR = 20_000  # steps that are spent on an exact match once a near one was seen
_AFTER_MISS = 200  # steps along such a way from a visit in another state to the next
_MOST_DEVIATIONS = 64
_MOST_GUESSES = 4_000  # decisions on unknown values in one search
_SCANNED = 20  # cells that are looked at in the time of one step
_PER_PATH = 4_000  # steps along one way where unknown values decide
_MOST_ASKED = (6, 40, _MOST_GUESSES)  # decisions on unknown values along one way: first few, in the end all


class Search:
    """One search; `decided` are the directions of the first branches, whatever their conditions say.

    With `stay` the present state counts as a visit too; `since` is as for `Comparison`.  If the process is
    `ending`, there is no stop to come, and `graph` is that of the last one.  What statements that are left to
    the process have done before on this way may be `recorded`, in order.
    """

    def __init__(
        self,
        machine: Machine,
        target: Sequence[tuple[str, int]],
        graph: MemoryGraph,
        limit: int,
        decided: Sequence[bool],
        stay: bool = False,
        since: tuple[MemoryGraph, Encoded] | None = None,
        ending: bool = False,
        recorded: Sequence[Effect] = (),
    ) -> None:
        self._machine = machine
        self._recorded: dict[tuple[str, int], list[Effect]] = {}
        self._recalled: dict[int, Any] = {}  # by token
        for effect in recorded:
            self._recorded.setdefault(effect.position[1:3], []).append(effect)
        self._ending = ending
        self._stay = stay
        self._target = tuple(target)
        self._graph = graph
        self._comparison = Comparison(machine.layout, graph, since)
        self._depth = graph.frames[0].depth if graph.frames else None
        # how far out each activation is: in a deep recursion those in the middle are not told
        inner = self._depth or 0
        distances = [inner - frame.depth for frame in graph.frames]
        self._outwards = tuple(zip(distances or range(len(self._target)), self._target))
        self._steps = limit
        self._limit = machine.steps + limit
        self._given = tuple(decided)
        self._decided: list[bool] = []
        self._path: list[int] = []
        self._notes: list[Note] = []
        self._touching: list[int] = []  # indices of notes
        self._looked_at = 0
        self._truths: list[tuple[Unknown, bool]] = []
        self._choices: list[tuple[Mark, Noted, int, int, int, list[bool], int]] = []
        self._fork_limit = 0
        self._deviations = 0  # decisions on unknown values that went another way than was likely
        self._bound = 0
        self._pruned = False
        self._asked = _MOST_GUESSES  # see `_MOST_ASKED`
        self._cut = False  # some way was given up for that
        self._expected: dict[int, int] = {}  # what calls are likely to give, by token
        self._near: tuple[Match, dict[int, Any], Activation | None, int, int] | None = None
        self._first: tuple[Place, ...] | None = None
        self._reason = ""
        self.fault: Fault | None = (
            None  # the first, at `faulted` (function, instruction), and the `way` there
        )
        self.faulted: tuple[str, int] = ("", 0)
        self.way: tuple[int, ...] = ()
        self.unset: Place | None = None  # what it used that nothing had set
        self._modelled = True
        self.guesses = 0  # decisions on unknown values that were tried out
        self._left = False  # some way led out of the outermost known activation
        self._touched = False  # some way went through a concrete step that may do anything

    @property
    def encoded(self) -> Encoded:
        """The stop's graph in the model's terms."""
        return self._comparison.encoded

    def find(self) -> Match | NoMatch:
        """Run; on a match the machine stands at it, otherwise anywhere.

        Ways with few unlikely decisions are tried first, of these the short ones: a loop that reads until it
        has something may go on for ever.
        """
        machine = self._machine
        begin, noted = machine.mark(), machine.noted()
        for self._asked in _MOST_ASKED:
            self._cut = False
            found = self._within_bounds(begin, noted)
            if found is not None:
                return found
            if not self._cut or machine.steps >= self._limit or self.guesses > _MOST_GUESSES:
                break
        if self.guesses:
            machine.forget(noted)
        return self._end()

    def _within_bounds(self, begin: Mark, noted: Noted) -> Match | None:
        """Let the bound on unlikely decisions grow."""
        machine = self._machine
        for self._bound in range(_MOST_DEVIATIONS):
            machine.undo(begin)
            machine.forget(noted)
            self._comparison.rewound(machine)
            self._decided = list(self._given)
            del self._path[:], self._notes[:], self._truths[:], self._choices[:], self._touching[:]
            self._looked_at = 0
            self._fork_limit = self._deviations = 0
            self._pruned = False
            found = self._explore()
            if found is not None:
                return found
            if not self._pruned or machine.steps >= self._limit or self.guesses > _MOST_GUESSES:
                break
        return None

    def _explore(self) -> Match | None:
        """All ways within the bound."""
        machine = self._machine
        outcome: Outcome | Literal["none"] | None = machine.arrived()
        moved = self._stay
        begun, rounds = machine.steps, Rounds()
        while True:
            try:
                if moved and (found := self._at_target()) is not None:
                    return found
                moved = True
                outcome = self._go(outcome)
                if self._goes_on_alone() and rounds.again(machine, machine.steps - begun):
                    self._reason = self._reason or "the model goes round in a loop without an end"
                    outcome = "limit"
                self._left = self._left or outcome == "exited"
            except Halt as problem:
                halt = self._explained(problem)
                self._note_fault(halt)
                self._reason = self._reason or self._words(halt)
                self._modelled = self._modelled and not isinstance(halt, Unmodelled)
                if self._stay and isinstance(halt, Fault) and (found := self._amid_target()) is not None:
                    return found
                outcome = "exited"
            while outcome in ("exited", "limit"):
                try:
                    outcome = self._back()
                except Halt:
                    outcome = "exited"
                if outcome == "none":
                    return None

    def _goes_on_alone(self) -> bool:
        """Whether nothing but the state decides where the execution goes from here."""
        return not (self._choices or self._fork_limit or self._decided or self._recorded)

    def _words(self, halt: Halt) -> str:
        """Why the model went no further, and at which statement where C allows that."""
        if isinstance(halt, Fault):
            return halt.message
        frame = self._machine.frame
        step = frame.linked.steps[self._machine.pc] if frame is not None else None
        location = getattr(step, "location", -1)
        if frame is None or location < 0:
            return str(halt)
        return f"line {self._machine.program.location(location).line} in {frame.linked.name}: {halt}"

    def _explained(self, halt: Halt) -> Halt:
        """The halt, as a fault where the statement goes by a variable that nothing has set."""
        frame = self._machine.frame
        if frame is None or (isinstance(halt, Fault) and halt.kind != "wild"):
            return halt
        place = self._machine.unset_at((frame.linked.name, self._machine.pc))
        if place is None:
            return halt
        self.unset = self.unset if self.fault is not None else place
        return Fault("uninitialised", "an uninitialised value is used")

    def _note_fault(self, halt: Halt) -> None:
        """Remember the first thing that C forbids."""
        frame = self._machine.frame
        if self._truths:
            return  # the process may have gone another way
        if self.fault is None and isinstance(halt, Fault) and frame is not None:
            self.fault, self.faulted = halt, (frame.linked.name, self._machine.pc)
            self.way = tuple(self._path)
            self.unset = place_of(self._machine, halt.cell) if halt.cell else self.unset

    def _note_unset(self, frame: Activation) -> None:
        """Remember that a branch goes by what nothing has set, if that is so."""
        place = self._machine.unset_at((frame.linked.name, self._machine.pc))
        if place is not None and self.fault is None and not self._truths:
            self._note_fault(Fault("uninitialised", "an uninitialised value is used"))
            self.unset = place

    def _go(self, outcome: Outcome | Literal["none"] | None) -> Outcome | None:
        """Execute from here to the next place where something has to be seen."""
        machine = self._machine
        frame = machine.frame
        if frame is None:
            return "exited"
        step = frame.linked.steps[machine.pc]
        if isinstance(step, Branch) and (self._decided or outcome in ("stop", "undetermined")):
            location = machine.program.location(step.location) if step.location >= 0 else None
            if self._decided or outcome == "undetermined" or (location is not None and location.loop):
                return self._branch(frame, step, location is not None and location.loop)
        if isinstance(step, Concrete):
            touched = apply_concrete(machine, step, self._graph)
            if self._recorded:
                self._recall(frame, touched)
            self._touched = self._touched or not touched.harmless
            self._notes.append(
                Touching(len(self._path), frame.number, frame.linked.name, machine.pc, touched)
            )
            usual = usual_result(frame.linked.steps[machine.pc - 1])
            if usual is not None:
                self._expected |= {token.number: usual for _, token in touched.results.values()}
        if self._decided:
            return machine.step(self._path)
        remaining = self._budget()
        if remaining <= 0:
            return "limit"
        outcome = machine.run(remaining, self._path)
        if outcome == "limit":
            self._reason = self._reason or self._too_far("the stop was not reached in so many steps")
        return outcome

    def _recall(self, frame: Activation, touched: Touched) -> None:
        """Let a statement that is left to the process have written what it wrote before, if that is told."""
        machine, at = self._machine, (frame.linked.name, self._machine.pc)
        done = sum(isinstance(note, Touching) and (note.function, note.pc) == at for note in self._notes)
        effects = self._recorded.get(at, [])
        if done >= len(effects):
            return
        written = effects[done].cells
        left: list[tuple[int, Place | None, Unknown]] = [
            (key, place, token) for key, (place, token) in touched.results.items()
        ]
        left += [(key, place_of(machine, key), token) for key, (token, _) in touched.cells.items()]
        for key, place, token in left:
            if place is not None and place in written:
                raw = encode(machine.layout, written[place], scalar_type(machine.layout, self._graph, place))
                machine.memory.put(key, raw)
                self._recalled[token.number] = raw

    def _budget(self) -> int:
        remaining = self._limit - self._machine.steps
        if self._choices or self._fork_limit:
            remaining = min(remaining, self._fork_limit - self._machine.steps)
        return remaining

    def _branch(self, frame: Activation, step: Branch, loop: bool) -> Outcome | None:
        machine = self._machine
        if self._decided:
            taken = self._decided.pop(0)
            self._take(frame, step, taken, loop, forced=True)
            return machine.arrived()
        return self._decide(frame, step, loop, [])

    def _decide(self, frame: Activation, step: Branch, loop: bool, answers: list[bool]) -> Outcome | None:
        """Evaluate the branch with these answers to what is unknown in it; keep other answers for later."""
        machine = self._machine
        if self._has_made_too_many():
            return "exited"
        truth = machine.condition(frame.linked, machine.pc)
        while True:
            try:
                taken, asked = assuming(answers, lambda: machine.attempt(truth))
                break
            except Undetermined as unknown:
                self._note_unset(frame)
                self.guesses += 1
                if self.guesses > _MOST_GUESSES:
                    raise Unmodelled("too much depends on values that only the process knows") from None
                if len(self._truths) + len(answers) > self._asked:
                    self._cut = True
                    return "exited"
                likely = self._likely(unknown.value)
                if self._deviations < self._bound:
                    here = (
                        machine.mark(),
                        machine.noted(),
                        len(self._path),
                        len(self._notes),
                        len(self._truths),
                    )
                    self._choices.append((*here, [*answers, not likely], self._deviations + 1))
                else:
                    self._pruned = True
                answers = [*answers, likely]
                self._fork_limit = machine.steps + _PER_PATH
        self._truths += asked
        self._take(frame, step, taken, loop)
        return machine.arrived()

    def _likely(self, tree: object) -> bool:
        """What a decision on an unknown value would be if the value is still there at the stop.

        Failing that, what it is where what was called succeeds.
        """
        if not isinstance(tree, Unknown):
            return False
        before = self._comparison.scanned
        there = {have.number: wanted for have, wanted in self._comparison.unknowns(self._machine)}
        known = {**self._expected, **there}
        self._limit -= (self._comparison.scanned - before) // _SCANNED
        try:
            return bool(tree.value(known))
        except (ArithmeticError, KeyError, TypeError, ValueError):
            return False

    def _take(
        self, frame: Activation, step: Branch, taken: bool, loop: bool, *, forced: bool = False
    ) -> None:
        machine = self._machine
        if loop or forced:
            note = Decided(len(self._path), frame.number, frame.linked.name, machine.pc, taken, forced)
            self._notes.append(note)
        self._path.append(machine.pc)
        machine.steps += 1
        machine.pc = frame.linked.following[step.if_true if taken else step.if_false]

    def _back(self) -> Outcome | Literal["none"] | None:
        """To the latest branch that may also go the other way; "none" if there is none."""
        machine = self._machine
        if not self._choices or machine.steps >= self._limit or self.guesses > _MOST_GUESSES:
            return "none"
        mark, noted, path, notes, truths, answers, self._deviations = self._choices.pop()
        machine.undo(mark)
        machine.forget(noted)
        self._comparison.rewound(machine)
        del self._path[path:], self._notes[notes:], self._truths[truths:]
        self._looked_at = min(self._looked_at, notes)
        frame = machine.frame
        assert frame is not None
        step = frame.linked.steps[machine.pc]
        assert isinstance(step, Branch)
        self._fork_limit = machine.steps + _PER_PATH
        loop = step.location >= 0 and machine.program.location(step.location).loop
        return self._decide(frame, step, loop, answers)

    # -- matching --------------------------------------------------------------------------------

    def _at_target(self, instruction: int | None = None) -> Match | None:
        """The state at hand if it is the process', at the stop or a later `instruction` of its statement."""
        machine = self._machine
        frame = machine.frame
        name, first = self._target[0]
        here = (name, first if instruction is None else instruction)
        if frame is None or (frame.linked.name, machine.pc) != here:
            return None
        if self._depth is not None and frame.depth != self._depth:
            return None
        stack = machine.stack()
        outwards = self._outwards if instruction is None else self._outwards[1:]
        if any(at < len(stack) and stack[at] != there for at, there in outwards):
            return None
        if self._has_made_too_many():
            return None
        if not self._comparison.differs(machine):
            known = self._solve()
            return None if known is None else Match(self._notes, self._path, known)
        self._remember()
        return None

    def _amid_target(self) -> Match | None:
        """The fault at hand, where the process crashed in that statement behind a call: `p->next = make();`.

        The stop is told by the statement's beginning, and what was called has changed the state since.
        """
        frame, (name, first) = self._machine.frame, self._target[0]
        if frame is None or frame.linked.name != name or self._machine.pc == first:
            return None
        units = self._machine.program.functions[name].unit_of
        if (
            max(self._machine.pc, first) >= len(units)
            or units[self._machine.pc] != units[first]
            or units[first] < 0
        ):
            return None
        return self._at_target(self._machine.pc)

    def _has_made_too_many(self) -> bool:
        """Whether there are nodes that the process has not: it has not come this way."""
        return self._machine.memory.node_count > self.encoded.count and not self._ending

    def _solve(self) -> dict[int, Any] | None:
        constraints = [
            *self._comparison.unknowns(self._machine),
            *shown(self._machine, self._graph.pending),
        ]
        if not constraints and not self._truths:
            return dict(self._recalled)
        known = solve(constraints, self._truths)
        if known is None:
            self._reason = self._reason or (
                "nothing that the statements left to the process may have given explains the state"
            )
            return None
        return self._recalled | known

    def _remember(self) -> None:
        """Note the differences of the first visit, and the visit itself if a concrete step may explain it."""
        machine = self._machine
        if self._first is None:
            self._first = self._comparison.differences(machine)
        if self._fork_limit:
            self._fork_limit = min(self._fork_limit, machine.steps + _AFTER_MISS)
        last = self._last_touching() if self._near is None else None
        if last is not None and not last.touched.harmless and not self._misses_own_nodes():
            known = self._solve()
            if known is not None:
                match = Match(
                    list(self._notes), list(self._path), known, self._comparison.differences(machine)
                )
                cells = dict(machine.memory.cells)
                self._near = (match, cells, machine.frame, machine.pc, machine.calls)
                self._limit = min(self._limit, machine.steps + _AFTER_NEAR)

    def _misses_own_nodes(self) -> bool:
        """Whether the process has nodes that only statements of the program can have allocated."""
        count = self._machine.memory.node_count
        missing = [node for node in self._graph.nodes.values() if node.id.number > count]
        if not missing:
            return False
        own = _own_allocations(self._machine)
        return any(
            node.allocated is not None and (node.allocated.function, node.allocated.line) in own
            for node in missing
        )

    def _last_touching(self) -> Touching | None:
        """The latest concrete step on this way; each note is looked at once."""
        while self._touching and self._touching[-1] >= len(self._notes):
            self._touching.pop()
        self._looked_at = min(self._looked_at, len(self._notes))
        for index in range(self._looked_at, len(self._notes)):
            if isinstance(self._notes[index], Touching):
                self._touching.append(index)
        self._looked_at = len(self._notes)
        found = self._notes[self._touching[-1]] if self._touching else None
        return found if isinstance(found, Touching) else None

    def _end(self) -> Match | NoMatch:
        machine = self._machine
        if self._near is None:
            if not self._reason and self._left:
                return NoMatch(self._first or (), "it returns into a statement left to the process", False)
            reason = self._reason or self._too_far("the model takes another way")
            explained = self._modelled and not self._touched and not self.guesses
            return NoMatch(self._first or (), reason, explained)
        match, cells, machine.frame, machine.pc, machine.calls = self._near
        become(machine, cells)
        return match

    def _too_far(self, otherwise: str) -> str:
        """Why there is no match, where all steps that were allowed have been made."""
        if self._machine.steps < self._limit:
            return otherwise
        return f"the way is longer than {self._steps} steps"


def _own_allocations(machine: Machine) -> set[tuple[str, int]]:
    """(function, line) of the calls of malloc and its kin that are modelled."""
    program = machine.program
    return {
        (name, program.location(step.location).line)
        for name, function in program.functions.items()
        for step in function.code
        if isinstance(step, Call) and step.function in ALLOCATION and step.location >= 0
    }


def become(machine: Machine, cells: dict[int, Any]) -> None:
    """Write and erase cells, on the trail, until the memory holds just these."""
    memory = machine.memory
    for key in [k for k in memory.cells if k not in cells]:
        memory.put(key, None)
    for key, value in cells.items():
        if memory.cells.get(key) is not value:
            memory.put(key, value)
