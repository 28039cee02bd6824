"""The machine: executes a lowered program on the model's memory (Wolverine2 section 3, operational rules).

Driving it: `run` goes on until something needs the driver, `step` executes one instruction.  `mark` and
`undo` go back in time that is proportional to what changed; `key` names a state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, Literal

from wolverine.core.expressions import COMPARISONS, Binary, Constant, Expression, Logical, LValue
from wolverine.core.graph import Place, VariableId
from wolverine.core.parts import asked_about
from wolverine.core.patch import Patch
from wolverine.core.program import Assign, Branch, Call, Concrete, Guard, Inserted, Program, Return
from wolverine.core.types import is_scalar
from wolverine.semantics.activation import (
    INSERTED,
    Activation,
    Mark,
    code_of,
    count_key,
    next_call,
    number_within,
    relinked,
    standing,
)
from wolverine.semantics.address import ADDRESS_MASK, NOTED, OUTPUT_KEY, UNDER_WAY_KEY, cell_place
from wolverine.semantics.allocation import ALLOCATION, carry_out
from wolverine.semantics.arithmetic import FUNCTIONS
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.copied import Copied, copied_from
from wolverine.semantics.evaluating import Evaluators
from wolverine.semantics.faults import Fault, Halt, Undetermined, Unmodelled
from wolverine.semantics.generate import spread
from wolverine.semantics.library import Library
from wolverine.semantics.linking import Linked, Links, Stops
from wolverine.semantics.memory import Memory
from wolverine.semantics.passing import Passing
from wolverine.semantics.unknown import Unknown
from wolverine.semantics.valueless import Valueless, valueless

Outcome = Literal[
    "stop",  # before an instruction of `stops`
    "concrete",  # before a `Concrete`
    "undetermined",  # before a branch that depends on an unknown value (`blocked`)
    "exited",  # the outermost known activation has returned
    "limit",  # as many steps as allowed were made
]

Noted = tuple[int, int, int]  # uses, unset cells, calls that overstepped
PATH_MARK = 1 << 72  # in a path, `number - PATH_MARK` says that activation `number` goes on
NO_PATCH = Patch()
MAX_DEPTH = 20_000  # activations


class Machine:
    """One execution of `program` under `patch`.

    `stops` are, per function, the instructions before which `run` returns.  A fresh machine has an
    empty memory and no activation; `state.seat` fills it from a graph.  `pc` is the instruction to be
    executed next in `frame` (None: exited).  `steps` counts all instructions ever executed.
    """

    def __init__(
        self,
        program: Program,
        patch: Patch = NO_PATCH,
        *,
        stops: Stops | None = None,
        strict: bool = False,
        bounded: bool = False,
        lenient: bool = False,
        max_depth: int = MAX_DEPTH,
    ) -> None:
        self.program = program
        self.code = compile_program(program)
        layout = self.layout = self.code.layout
        self.memory = Memory(
            self.extent,
            layout.literal_data,
            self.name,
            self.declared,
            strict=strict or lenient,
            bounded=bounded,
            filled=lenient,
        )
        self._used: list[int] = []
        self._unset: list[tuple[Place, tuple[str, int], int]] = []  # with the cell that goes with the note
        self._copied: dict[Place, Copied] = {}  # of what has been used so, whence it was
        self._notes = count(1)
        self._overstepped: list[tuple[int, tuple[str, int], Fault]] = []
        self.max_depth = max_depth
        self.frame: Activation | None = None
        self.pc = 0
        self.calls = 0  # tells what the activations on the stack have called
        self.steps = 0
        self.blocked: Unknown | None = None
        self.outer: dict[int, str] = {}  # functions of activations further out than the stack
        memory = self.memory
        passing = self._passing = Passing(memory, layout)
        library = self._calls = Library(
            memory, lambda number: layout.kinds(number, self.function_at), lenient
        )
        self._bindings: tuple[Any, ...] = (
            memory.cells, memory.cells.get, memory.trail.append, memory.put, memory.prepare, memory.miss,
            passing.copy, passing.clear, library.call, library.look, library.scan,
            library.room, library.order, _unmodelled, memory.allocate, memory.release, memory.within,
            *FUNCTIONS.values(),
        )  # fmt: skip
        for variable in program.globals:
            memory.admit(spread(program.types, variable.type))
        self._links = Links(self.code, memory.admit, self._bindings, patch, stops)
        self.linked = self._links.function
        self.evaluators = Evaluators(self.code, memory, self._bindings)
        self.names: dict[int, str] = {}  # functions of the activations entered so far, by number

    def keep_output(self) -> None:
        """From now on keep what the program prints, for `output`."""
        self._calls.prints = True

    def make_up_input(self, first: int | None = 0, keys: str = "") -> None:
        """From now on calls that read get input that is made up, from an item on (see `scanning`).

        None: they are left to the process again.  Single characters are the `keys`, where there are some.
        """
        scanning = self._calls.scanning
        self._calls.reads, scanning.first, scanning.keys = first is not None, first or 0, keys

    @property
    def output(self) -> str:
        """What was printed since it is kept; "?" stands for what the model does not know."""
        return str(self.memory.cells.get(OUTPUT_KEY, ""))

    # -- configuration ---------------------------------------------------------------------------

    @property
    def patch(self) -> Patch:
        """The patch under which it executes."""
        return self._links.patch

    def set_patch(self, patch: Patch) -> None:
        """Run under another patch from now on; activations on the stack go on in the new code."""
        if self._links.set_patch(patch):
            self.refresh()

    def set_stops(self, stops: Stops) -> None:
        """Stop before other instructions from now on."""
        if self._links.set_stops(stops):
            self.refresh()

    def refresh(self) -> None:
        """Let the activations of the stack run the present patch with the present stops."""
        self.frame = relinked(self.frame, self._links)

    # -- moments ---------------------------------------------------------------------------------

    def mark(self) -> Mark:
        """This moment, for `undo`."""
        return Mark(len(self.memory.trail), self.frame, self.pc, self.calls, self._links.generation)

    def undo(self, mark: Mark) -> None:
        """Back to an earlier moment of this execution."""
        self.memory.undo(mark.trail)
        _, self.frame, self.pc, self.calls, generation = mark
        if generation != self._links.generation:
            self.refresh()

    def key(self) -> tuple[int, int, int]:
        """Equal for equal states (memory, stack, position)."""
        return self.memory.key(), self.pc, self.frame.key if self.frame is not None else 0

    def visit(self) -> int:
        """Count one arrival of this activation at this instruction; returns how many there were.

        The count is undone by `undo` and is no part of `key`.
        """
        assert self.frame is not None
        cell = count_key(self.frame.number, self.pc)
        seen: int = self.memory.cells.get(cell, 0) + 1
        self.memory.put(cell, seen)
        return seen

    # -- execution -------------------------------------------------------------------------------

    def run(self, limit: int, path: list[int] | None = None) -> Outcome:
        """Execute at least one instruction and up to `limit`, until the driver is needed.

        The instruction at which the machine stands is executed even if it is a stop (a `Concrete` is
        passed over).  `path` collects the indices of executed instructions.  Raises `Fault` and
        `Unmodelled`; the machine then stands before the instruction in question.
        """
        start = self.steps
        outcome = self.step(path)
        while outcome is None:
            remaining = limit - (self.steps - start)
            if remaining <= 0:
                return self.arrived() or "limit"
            outcome = self._burst(remaining, path)
        return outcome

    def step(self, path: list[int] | None = None) -> Outcome | None:
        """Execute the instruction at `pc`; None if all is well.  A `Concrete` is passed over."""
        frame, pc = self.frame, self.pc
        if frame is None:
            return "exited"
        self.steps += 1
        try:
            following = frame.linked.real[pc](frame.base)
        except (KeyError, Undetermined) as problem:
            self.steps -= 1
            return self._trouble(problem) or self.step(path)
        except Fault as fault:
            self.steps -= 1
            self._tolerate(fault)
            return self.step(path)
        if path is not None:
            path.append(pc)
        if following >= 0:
            self.pc = following
            return self.arrived()
        if isinstance(frame.linked.steps[pc], Concrete):
            self.pc = frame.linked.following[pc + 1]
            return self.arrived()
        return self._transfer(frame, pc, path) or self.arrived()

    def come_to(self, pc: int, limit: int) -> Outcome | None:
        """Execute up to `limit` instructions, at most to `pc` in this activation, a call, a return or a stop.

        None where the machine can go on; it does not stand at a stop.
        """
        return self._burst(limit, None, pc)

    def _burst(self, limit: int, path: list[int] | None, until: int = -1) -> Outcome | None:
        frame = self.frame
        if frame is None:
            return "exited"
        table, base, pc, done = frame.linked.table, frame.base, self.pc, 0
        try:
            if path is not None:
                for done in range(limit):  # noqa: B007
                    at = pc
                    pc = table[at](base)
                    if pc < 0:
                        break
                    path.append(at)
            elif until >= 0:
                for done in range(limit):  # noqa: B007
                    pc = table[pc](base)
                    if pc < 0 or pc == until:
                        break
            else:
                for done in range(limit):  # noqa: B007
                    pc = table[pc](base)
                    if pc < 0:
                        break
        except (KeyError, Undetermined) as problem:
            self.pc = pc
            self.steps += done
            return self._trouble(problem)
        except Fault as fault:
            self.pc = pc
            self.steps += done
            self._tolerate(fault)
            return None
        except Unmodelled:
            self.pc = pc
            self.steps += done
            raise
        if pc >= 0:
            self.steps += done + 1
            self.pc = pc
            return None
        self.steps += done
        self.pc = pc = ~pc
        if self._calls.overstepped:
            self._place_overstep(frame)
        if pc in frame.linked.stops:
            return "stop"
        if isinstance(frame.linked.steps[pc], Concrete):
            return "concrete"
        self.steps += 1
        outcome = self._transfer(frame, pc, path)
        if path is not None and outcome is None:
            path.insert(len(path) - 1, pc)
        return outcome

    def arrived(self) -> Outcome | None:
        """What `run` would return here, None if it would go on."""
        frame = self.frame
        if frame is None:
            return "exited"
        if self._calls.overstepped:
            self._place_overstep(frame)
        if self.pc in frame.linked.stops:
            return "stop"
        return "concrete" if isinstance(frame.linked.steps[self.pc], Concrete) else None

    def _trouble(self, problem: KeyError | Undetermined) -> Outcome | None:
        """A cell was not there, or a value is unknown: mend it, or say why not."""
        frame = self.frame
        assert frame is not None
        try:
            if isinstance(problem, KeyError):
                self._resolve(problem.args[0])
                return None
            raise problem
        except Fault as fault:
            self._tolerate(fault)
            return None
        except Undetermined as unknown:
            step = frame.linked.steps[self.pc]
            if isinstance(step, Branch) and isinstance(unknown.value, Unknown):
                self.blocked = unknown.value
                return "undetermined"
            if isinstance(step, Assign) and is_scalar(step.target.type):
                self._write_unknown(frame, step.target, step.value)
                self.pc = frame.linked.following[self.pc + 1]
                return self.arrived()
            raise Unmodelled("it depends on a value that only the process knows") from None

    def _tolerate(self, fault: Fault) -> None:
        """Note a use after free, or that an array is left within its object, and let it happen.

        Raises every other fault, and each where not lenient.
        """
        if self.tolerant and fault.left and self.frame is not None:
            self.memory.put(fault.left, 1)
            self._calls.oversteps += 1
            where = self.frame.linked.name, self.pc
            self._overstepped.append((self._calls.oversteps, where, fault))
            return
        if not self.tolerant or fault.kind != "freed" or self.frame is None:
            raise fault
        self.memory.tolerate(fault.node, (self.frame.linked.name, self.pc))
        self._used.append(fault.node)

    def _resolve(self, key: Any) -> None:
        """Let a cell that nothing has set be used, and note it; raises where that is a fault."""
        known = not isinstance(key, Unknown)
        held = self.layout.object_at(key & ADDRESS_MASK, self.function_at) if known else None
        step = self.frame.linked.steps[self.pc] if self.frame is not None else None
        asked = isinstance(held, VariableId) and step is not None and held.name in asked_about(step)
        unset = self.memory.resolve(key, tolerant=self.tolerant, asked=asked)
        found = held if unset else None
        if found is not None and self.frame is not None:
            note = NOTED + next(self._notes)
            self.memory.put(note, 1)
            place = Place(found, cell_place(key))
            self._unset.append((place, (self.frame.linked.name, self.pc), note))
            self._note_source(self.frame, place, key)

    def _note_source(self, frame: Activation, used: Place, key: int) -> None:
        """Keep which field of a node a local variable was set to that is used without a value."""
        held, name = used.object, frame.linked.name
        self._copied.pop(used, None)
        if isinstance(held, VariableId) and (held.depth, held.function) == (frame.depth, name):
            function = self.program.functions[name]
            source = copied_from(function, self.memory, self.evaluators, frame, key, held.name)
            if source is not None:
                self._copied[used] = source

    def _place_overstep(self, frame: Activation) -> None:
        """A library call went beyond a node, so that it is left to the process: the machine stands there."""
        calls = self._calls
        if calls.overstepped is not None:
            self._overstepped.append((calls.oversteps, (frame.linked.name, self.pc), calls.overstepped))
        calls.overstepped = None

    def oversteps(self) -> int:
        """How many such calls were noted, for `forget_oversteps`."""
        return len(self._overstepped)

    def forget_oversteps(self, since: int) -> None:
        """Drop those that were noted since then: they were seen on a way that was guessed."""
        del self._overstepped[since:]

    def overstepped(self) -> dict[tuple[str, int], Fault]:
        """The library calls that went beyond a node, as (function, instruction): how, the first time.

        So with calls of functions that ended without a `return`.
        """
        found: dict[tuple[str, int], Fault] = {}
        for _, where, fault in self._overstepped:
            found.setdefault(where, fault)
        return found

    def unset(self) -> dict[Place, tuple[str, int]]:
        """What was used before anything had set it: where first, as (function, instruction)."""
        found: dict[Place, tuple[str, int]] = {}
        for place, where, note in self._unset:
            if note in self.memory.cells:
                found.setdefault(place, where)
        return found

    def copied(self) -> Mapping[Place, Copied]:
        """Of variables that were used so, the fields of nodes that they were set to, as far as known."""
        return self._copied

    def unset_at(self, where: tuple[str, int]) -> Place | None:
        """What the (function, instruction) used last that nothing had set."""
        found = (p for p, at, note in reversed(self._unset) if at == where and note in self.memory.cells)
        return next(found, None)

    @property
    def tolerant(self) -> bool:
        """Whether what C forbids and the process may survive is noted, and happens."""
        return self._calls.tolerant

    @tolerant.setter
    def tolerant(self, value: bool) -> None:
        self._calls.tolerant = value

    def violations(self) -> int:
        """How much of that was noted; going back does not take it back."""
        return sum(self.noted())

    def noted(self) -> Noted:
        """How much of each sort was noted, for `forget`."""
        return len(self._used), len(self._unset), self._calls.oversteps

    def forget(self, since: Noted) -> None:
        """Drop what was noted since then: it did not happen."""
        used, unset, self._calls.oversteps = since
        del self._used[used:]
        self._overstepped = [each for each in self._overstepped if each[0] <= self._calls.oversteps]
        del self._unset[unset:]

    def uses(self) -> dict[int, tuple[str, int]]:
        """The freed nodes that were used nevertheless: where each was first, as (function, instruction)."""
        found: dict[int, tuple[str, int]] = {}
        for number in self._used:
            where = self.memory.used(number)
            if isinstance(where, tuple):
                found[number] = where
        return found

    def _write_unknown(self, frame: Activation, target: LValue, value: Expression) -> None:
        [key] = self.evaluators.keys(frame.linked.name, [target])
        try:
            at = self.attempt(key)
        except Undetermined:
            raise Unmodelled("it writes to an address that only the process knows") from None
        if self.memory.cells.get(at) is None:
            self.memory.prepare(at)
        try:
            found = self._truth(frame, value) if _is_condition(value) else Unknown()
        except (Halt, Undetermined):  # of what is not come to where the left side decides
            found = Unknown()
        self.memory.put(at, found)

    def _truth(self, frame: Activation, value: Expression) -> Unknown | int:
        """0 or 1, or the tree over what is unknown of a condition, which may be joined with others."""
        match value:
            case Logical(operator, one, other):
                left, decides = self._truth(frame, one), operator == "||"
                if not isinstance(left, Unknown):
                    return int(decides) if bool(left) is decides else self._truth(frame, other)
                right = self._truth(frame, other)
                joined = left | right if decides else left & right
                assert isinstance(joined, Unknown)
                return joined
            case Binary("!=", inner, Constant(0)) if _is_condition(inner):
                return self._truth(frame, inner)
        [truth] = self.evaluators.truths(frame.linked.name, [value])
        found = self.attempt(truth)
        found = found if _is_condition(value) else found != 0
        return found if isinstance(found, Unknown) else int(found)

    # -- calls -----------------------------------------------------------------------------------

    def _transfer(self, frame: Activation, pc: int, path: list[int] | None) -> Outcome | None:
        step = frame.linked.steps[pc]
        if isinstance(step, Guard):
            values = self._evaluate(frame, frame.linked.arguments[pc])
            called = step.calls[self.memory.cells[frame.base + UNDER_WAY_KEY] - 1]
            self.insert(called.function, values, 0, back=pc)
        elif isinstance(step, Call):
            values = self._evaluate(frame, frame.linked.arguments[pc])
            if step.function in ALLOCATION and step.function not in self.program.functions:
                try:
                    result = carry_out(self.memory, step.function, values)
                except Undetermined:
                    raise Unmodelled(f"{step.function} of a value that only the process knows") from None
                if step.result is not None:
                    self._passing.deliver(frame, step.result, result)
                self.pc = frame.linked.following[pc + 1]
            elif not isinstance(step, Inserted):
                self._enter(frame, step.function, values, pc + 1)
            else:
                into = 0
                if step.into is not None:
                    [key] = self.evaluators.keys(frame.linked.name, [step.into])
                    into = self._evaluate(frame, key)
                self.insert(step.function, values, into, leaving=step.leaves)
        elif isinstance(step, Return):
            value = self._evaluate(frame, frame.linked.arguments[pc])
            if value is None and (reason := valueless(self.program, frame)) is not None:
                value = self._without_value(reason)
            self._leave(frame, value)
        else:
            raise AssertionError(f"the machine cannot act on {step}")
        if path is not None and self.frame is not None:
            path.append(self.frame.number - PATH_MARK)
        return "exited" if self.frame is None else None

    def _without_value(self, reason: Valueless) -> Unknown:
        """What a function gives that ended without `return`: something that only the process knows."""
        if not self.tolerant:
            raise Fault("valueless", reason.message)
        if all(fault.message != reason.message for _, _, fault in self._overstepped):
            self._calls.oversteps += 1
            fault = Fault("valueless", reason.message)
            self._overstepped.append((self._calls.oversteps, reason.call, fault))
        return Unknown()

    def insert(
        self,
        function: str,
        values: Sequence[Any],
        into: int,
        *,
        leaving: bool = False,
        back: int | None = None,
    ) -> None:
        """Call a function from an instruction that is no call; the cell `into` takes its value (0: none).

        If it is `leaving`, the function in which it stands ends with it; else it goes on at `back`, if that
        is said, or behind the instruction.
        """
        assert self.frame is not None
        if back is None:
            back = len(self.frame.linked.steps) - 1 if leaving else self.pc + 1
        self._enter(self.frame, function, values, back, into, INSERTED)

    def call_instead(self, function: str, values: Sequence[Any], into: int) -> None:
        """Call a function in the place of the call that stands here; the cell `into` takes its value.

        Activations are numbered as if it were that call.
        """
        assert self.frame is not None
        self._enter(self.frame, function, values, self.pc + 1, into)

    def _enter(
        self,
        frame: Activation,
        function: str,
        values: Sequence[Any],
        back: int,
        into: int = 0,
        way: int = 0,
    ) -> None:
        linked = self.linked(function)
        if frame.depth + 1 > self.max_depth:
            raise Fault("stack", f"more than {self.max_depth} activations")
        key, call = next_call(self.memory.cells, frame.number, code_of(function) | way)
        number = number_within(frame.number, call)
        new = Activation(linked, frame.depth + 1, number, back, frame, into, call, self.calls ^ number)
        self._passing.fill(new, values)
        self.memory.put(key, call.nth)
        self.names[number] = function
        self.calls = new.calls
        self.frame = new
        self.pc = linked.following[0]

    def _leave(self, frame: Activation, value: Any) -> None:
        caller = frame.caller
        self._passing.leave(frame, caller, value)
        self.frame = caller
        self.calls = frame.calls
        if caller is not None:
            self.pc = caller.linked.following[frame.back]

    # -- looking at expressions --------------------------------------------------------------------

    def condition(self, linked: Linked, index: int) -> Evaluate:
        """The truth of a branch's condition under the present patch."""
        found = linked.conditions.get(index)
        if found is None:
            step = linked.steps[index]
            assert isinstance(step, Branch)
            [found] = self.evaluators.truths(linked.name, [step.condition])
            linked.conditions[index] = found
        return found

    def attempt(self, evaluate: Evaluate) -> Any:
        """Evaluate in the present activation; raises `Fault`, `Unmodelled`, `Undetermined`."""
        assert self.frame is not None
        return self._evaluate(self.frame, evaluate)

    def _evaluate(self, frame: Activation, evaluate: Evaluate) -> Any:
        while True:
            try:
                return evaluate(frame.base)
            except KeyError as missing:
                self.mend(missing.args[0])
            except Fault as fault:
                self._tolerate(fault)

    def mend(self, key: Any) -> None:
        """Let a cell be read that was not there, as `attempt` does; raises what that raises."""
        try:
            self._resolve(key)
        except Fault as fault:
            self._tolerate(fault)

    def room(self, string: Any, more: int) -> Any:
        """How many bytes a string and so many more need (see `Library.room`)."""
        return self._calls.room(string, more)

    # -- objects -----------------------------------------------------------------------------------

    def extent(self, number: int) -> int | None:
        """The size in bytes of the variable with that object number, None if it is not there now."""
        return self.layout.extent(number, self.function_at)

    def declared(self, number: int) -> bool:
        """Whether no part of the variable with that object number is a union."""
        return self.layout.declared(number, self.function_at)

    def name(self, number: int) -> str:
        """How the variable with that object number is called."""
        return self.layout.name(number, self.function_at)

    def function_at(self, depth: int) -> str | None:
        """The function whose activation has that depth now."""
        frame = self.frame
        while frame is not None and frame.depth > depth:
            frame = frame.caller
        if frame is not None and frame.depth == depth:
            return frame.linked.name
        return self.outer.get(depth)

    def stack(self) -> tuple[tuple[str, int], ...]:
        """(function, next instruction) of every known activation, innermost first."""
        return standing(self.frame, self.pc)


def _unmodelled(reason: str) -> None:
    raise Unmodelled(reason)


def _is_condition(value: Expression) -> bool:
    return isinstance(value, Logical) or (isinstance(value, Binary) and value.operator in COMPARISONS)
