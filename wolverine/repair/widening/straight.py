"""The semantic encoding of an execution: a straight line of guarded statements (Wolverine2 section 3.1).

Loop decisions are those of the trace.  `if`s are guards as far as `regions` allows; others have to go as
they went, or as the plan says.  `leading` leads the way.
"""

from __future__ import annotations

from typing import Any

from wolverine.core.expressions import VariableReference
from wolverine.core.program import (
    Allocate,
    Assign,
    Branch,
    Call,
    Concrete,
    Declare,
    Gap,
    Guard,
    Jump,
    Library,
    Return,
)
from wolverine.core.trace import Assertion, Decision, Effect, End, Interval, Position, Trace
from wolverine.repair.source.regions import Region, arm_to, region
from wolverine.repair.widening.encoding import Encoding
from wolverine.repair.widening.facts import Facts
from wolverine.repair.widening.inserting import Inserting
from wolverine.repair.widening.leading import as_executed, go_on, go_out, go_to, leader
from wolverine.repair.widening.relaxed import Way
from wolverine.repair.widening.symbolic import Symbolic
from wolverine.semantics.activation import Activation, count_key
from wolverine.semantics.allocation import FRESH
from wolverine.semantics.faults import Fault, Unmodelled
from wolverine.semantics.loops import loop_branches
from wolverine.solve import terms
from wolverine.solve.terms import Term

DEPTH = 64  # calls within one another beyond the start of the trace
STEPS = 4_000  # occurrences of one execution; longer ones are not encoded


def encode_executions(encoding: Encoding) -> int:
    """Add the constraints of all traces; raises Halt where an execution cannot be encoded.

    Returns how many nodes there are at the end of the longest.
    """
    loops = loop_branches(encoding.program)
    allocated = 0
    for index, trace in enumerate(encoding.problem.traces):
        line = _Line(encoding, trace, index, loops)
        line.run()
        allocated = max(allocated, line.allocated)
    encoding.constraints += [*encoding.slots.constraints, *encoding.slots.placed()]
    return allocated


class _Line:
    """Encodes one trace."""

    def __init__(
        self, encoding: Encoding, trace: Trace, index: int, loops: dict[str, frozenset[int]]
    ) -> None:
        self._encoding = encoding
        self._program = encoding.program
        self._trace = trace
        self._index = index
        self._loops = loops
        self._events = [e for e in trace.events if not isinstance(e, Effect)]
        self._effects = {e.position: e for e in trace.events if isinstance(e, Effect)}
        self._machine = leader(self._program, trace, encoding.plan.kept)
        self._symbolic = Symbolic(encoding, self._machine, index)
        self._inserting = Inserting(self._symbolic)
        self._facts = Facts(self._symbolic, trace)
        self._deepest = len(trace.start_stack) + DEPTH

    @property
    def allocated(self) -> int:
        """How many nodes there are."""
        return self._machine.memory.node_count

    def run(self) -> None:
        """From the start of the trace to its end."""
        machine = self._machine
        for _ in range(STEPS):
            frame = machine.frame
            if frame is None:
                return
            if frame.depth > self._deepest:
                raise Unmodelled("the execution goes astray: calls are nested deeper and deeper")
            pc = machine.pc
            position = None
            if pc in frame.linked.stops:
                position = Position(frame.number, frame.linked.name, pc, machine.visit())
                if self._arrive(frame, position):
                    if not self._events:
                        return
                    continue
            self._step(frame, pc, position)
        raise Unmodelled(f"the execution has more than {STEPS} steps")

    # -- what the trace says -----------------------------------------------------------------------

    def _arrive(self, frame: Activation, position: Position) -> bool:
        """Meet the events here; true when the machine has moved or the end is reached."""
        while self._events and self._events[0].position == position:
            event = self._events.pop(0)
            crash = isinstance(event, End) and event.crashed
            if isinstance(event, End) and event.endless:
                raise Unmodelled("the execution goes round for ever")
            if isinstance(event, End) and event.lost:
                raise Unmodelled("that nodes are lost is no matter of single cells")
            if not crash:
                self._needed(frame, position.instruction)
            match event:
                case Assertion():
                    self._facts.assertion(event)
                case Decision(_, taken):
                    self._decide(frame, position.instruction, taken)
                    return True
                case End(_, crashed):
                    if crashed:
                        self._safe(frame, position.instruction)
                    self._events.clear()
                    return True
                case Interval(_, to, effect):
                    self._facts.effect(effect)
                    if not to or to[0][0] != frame.linked.name or len(to) != len(self._machine.stack()):
                        raise Unmodelled("a part of the execution is not modelled")
                    self._machine.pc = to[0][1]
                    return True
        if isinstance(frame.linked.steps[position.instruction], Concrete):
            effect_here = self._effects.get(position)
            if effect_here is not None:
                self._facts.effect(effect_here)
        return False

    def _needed(self, frame: Activation, pc: int) -> None:
        """The activation has to come here; all ways come to the end of its function."""
        if pc == self._program.functions[frame.linked.name].end:
            self._symbolic.revive(frame)
        else:
            self._symbolic.require(True, self._symbolic.alive(frame))

    def _safe(self, frame: Activation, pc: int) -> None:
        """The statement that crashed must not crash."""
        symbolic = self._symbolic
        step = frame.linked.steps[pc]
        match step:
            case Assign():
                symbolic.assign(frame, pc, step, True)
            case Branch():
                symbolic.condition(frame, pc, step, True)
            case Call(_, "free", arguments):
                pointer, alive = symbolic.meaning(frame).value(arguments[0]), symbolic.alive(frame)
                symbolic.require(alive, pointer.safe)
                symbolic.free(pointer.term, alive)
            case _:
                raise Unmodelled("the execution ends by a crash that is not modelled")

    def _decide(self, frame: Activation, pc: int, taken: bool) -> None:
        step = frame.linked.steps[pc]
        assert isinstance(step, Branch)
        condition = self._symbolic.condition(frame, pc, step, True)
        self._symbolic.require(True, condition if taken else terms.negation(condition))
        self._machine.pc = frame.linked.following[step.if_true if taken else step.if_false]

    # -- instructions ----------------------------------------------------------------------------

    def _step(self, frame: Activation, pc: int, position: Position | None) -> None:
        symbolic = self._symbolic
        step = frame.linked.steps[pc]
        match step:
            case Gap():
                self._inserting.gap(frame, step, True)
            case Assign():
                symbolic.assign(frame, pc, step, True)
            case Branch():
                assert position is not None
                self._branch(frame, pc, step, position)
                return
            case Guard():
                assert position is not None
                self._kept(frame, pc, step, position)
                return
            case Call():
                self._call(frame, pc, step)
                return
            case Allocate(_, VariableReference() as target, _, zeroed):
                symbolic.require(True, symbolic.alive(frame))
                go_on(self._machine)
                self._allocated(frame, zeroed, target)
                return
            case Return(_, value):
                symbolic.revive(frame)
                self._return(frame, [(True, symbolic.meaning(frame).value(value))] if value else [])
                return
            case Declare():
                symbolic.declare(frame, step)
            case Jump():
                pass
            case _:
                symbolic.require(True, symbolic.alive(frame))
                as_executed(self._machine, symbolic.state)
                return
        go_on(self._machine)

    def _return(self, frame: Activation, results: list[tuple[Term, Any]]) -> None:
        """Leave the function: the caller gets the result of the way that was gone."""
        machine, symbolic = self._machine, self._symbolic
        caller = frame.caller
        go_out(machine, frame)
        if caller is None or not results:
            return
        call = caller.linked.steps[frame.back - 1]
        if isinstance(call, Call) and call.result is not None:
            term = results[0][1].term
            for guard, value in results:
                symbolic.require(guard, value.safe)
                term = terms.choice(guard, value.term, term)
            symbolic.put(caller, call.result, term)

    def _call(self, frame: Activation, pc: int, step: Call) -> None:
        machine, symbolic = self._machine, self._symbolic
        values = [symbolic.meaning(frame).value(argument) for argument in step.arguments]
        relaxable = self._encoding.relaxable(frame.linked.name, pc, step.location)
        own = step.function in self._program.functions
        kept = symbolic.alive(frame)
        if own or step.function != "free":
            symbolic.require(True, kept)
            kept = True
        if relaxable is not None:
            assert relaxable.guard is not None
            if own:
                self._encoding.constraints.append(terms.negation(relaxable.guard))
            else:
                kept = terms.conjunction((kept, terms.negation(relaxable.guard)))
        for value in values:
            symbolic.require(kept, value.safe)
        if step.function == "free":
            go_on(machine)
            symbolic.free(values[0].term, kept)
            return
        machine.step()
        if own and machine.frame is not None:
            parameters = self._program.functions[step.function].parameters
            for parameter, value in zip(parameters, values):
                symbolic.put(machine.frame, parameter, value.term)
            return
        if step.function not in FRESH:
            raise Unmodelled(f"a call of {step.function}")
        self._allocated(frame, step.function == "calloc", step.result)

    def _allocated(self, frame: Activation, zeroed: bool, result: VariableReference | None) -> None:
        memory, symbolic = self._machine.memory, self._symbolic
        number = memory.node_count
        address = self._inserting.allocated(number, memory.node_size(number) or 0, zeroed)
        if result is not None:
            symbolic.put(frame, result, address)

    # -- branches --------------------------------------------------------------------------------

    def _branch(self, frame: Activation, pc: int, step: Branch, position: Position) -> None:
        """An `if`: guards where its region can be guarded, else one way."""
        loops = self._loops.get(frame.linked.name, frozenset())
        code = frame.linked.steps
        leaving = not any(e.position.activation == frame.number for e in self._events)
        found = None if pc in loops else region(code, pc, loops, leaving)
        if found is None or self._eventful(frame, found):
            self._one_way(frame, pc, step, position)
        else:
            self._both_ways(frame, pc, step, found)

    def _one_way(self, frame: Activation, pc: int, step: Branch, position: Position) -> None:
        machine, symbolic = self._machine, self._symbolic
        condition = symbolic.condition(frame, pc, step, True)
        try:
            taken = bool(machine.attempt(machine.condition(frame.linked, pc)))
        except Fault:
            taken = False
        led = self._led(frame, pc)
        if led is not None:
            symbolic.require(symbolic.alive(frame), condition if led else terms.negation(condition))
            machine.pc = frame.linked.following[step.if_true if led else step.if_false]
            return
        if position in self._encoding.plan.flips:
            taken = not taken
        machine.pc = frame.linked.following[step.if_true if taken else step.if_false]
        self._as_it_went(frame, step.location, position, condition if taken else terms.negation(condition))

    def _led(self, frame: Activation, pc: int) -> bool | None:
        """How the condition has to decide for the next event of the activation, where that tells."""
        for event in self._events:
            at = event.position
            if at.activation == frame.number:
                seen: int = self._machine.memory.cells.get(count_key(frame.number, at.instruction), 0)
                soon = seen + 1 == at.occurrence
                return arm_to(frame.linked.steps, pc, at.instruction) if soon else None
        return None

    def _as_it_went(self, frame: Activation, location: int, position: Position, wanted: Term) -> None:
        """That the execution goes this way, which is only one of two."""
        ways, symbolic = self._encoding.ways, self._symbolic
        words = ""
        if location >= 0:
            where = self._program.location(location)
            words = f"line {where.line}: {where.text} goes as it went"
        way = Way(terms.boolean(f"way{self._index}_{len(ways)}"), position, words)
        ways.append(way)
        symbolic.require(terms.conjunction((way.term, symbolic.alive(frame))), wanted)
        symbolic.path = way.term

    def _kept(self, frame: Activation, pc: int, step: Guard, position: Position) -> None:
        """What an edit that is kept put here; one that leaves the function does so as the machine does."""
        machine = self._machine
        acting = self._inserting.kept(frame, step, True)
        go_on(machine)
        if step.end is None:
            return
        onward, out = frame.linked.following[pc + 1], frame.linked.following[step.end]
        leaves = machine.pc == out
        if position in self._encoding.plan.flips:
            leaves = not leaves
            machine.pc = out if leaves else onward
        if leaves:
            self._as_it_went(frame, step.location, position, acting)
        else:
            self._symbolic.leave(frame, acting)

    def _both_ways(self, frame: Activation, pc: int, step: Branch, found: Region) -> None:
        machine, symbolic = self._machine, self._symbolic
        code = frame.linked.steps
        leaves = found.join == len(code)
        guards: dict[int, Term] = {}
        results: list[tuple[Term, Any]] = []

        def onward(target: int, guard: Term) -> None:
            guards[target] = terms.disjunction((guards.get(target, False), guard))

        condition = symbolic.named("g", symbolic.condition(frame, pc, step, True))
        onward(step.if_true, condition)
        onward(step.if_false, terms.negation(condition))
        for index in found.order:
            guard = symbolic.named("g", guards.get(index, False))
            each = code[index]
            match each:
                case Gap():
                    self._inserting.gap(frame, each, guard)
                case Assign():
                    symbolic.assign(frame, index, each, guard)
                case Declare():
                    symbolic.declare(frame, each)
                case Guard():
                    acting = self._inserting.kept(frame, each, guard)
                    if each.end is not None:
                        symbolic.leave(frame, acting)
                case Library(_, _, arguments):
                    symbolic.evaluated(frame, arguments, guard)
                case Call(_, _, arguments):
                    relaxable = self._encoding.relaxable(frame.linked.name, index, each.location)
                    if relaxable is not None:
                        guard = terms.conjunction((guard, terms.negation(relaxable.guard)))
                    guard = terms.conjunction((guard, symbolic.alive(frame)))
                    pointer = symbolic.meaning(frame).value(arguments[0])
                    symbolic.require(guard, pointer.safe)
                    symbolic.free(pointer.term, guard)
                    guard = guards.get(index, False)
                case Branch():
                    inner = symbolic.condition(frame, index, each, guard)
                    onward(each.if_true, terms.conjunction((guard, inner)))
                    onward(each.if_false, terms.conjunction((guard, terms.negation(inner))))
                    continue
                case Jump(_, target):
                    onward(target, guard)
                    continue
                case Return(_, value):
                    if not leaves:
                        symbolic.require(True, terms.negation(guard))
                    else:
                        symbolic.revive(frame)
                    if leaves and value is not None:
                        results.append((guard, symbolic.meaning(frame).value(value)))
                    continue
            onward(index + 1, guard)
        if leaves:
            self._return(frame, results)
            return
        go_on(machine)
        go_to(machine, frame, frame.linked.following[found.join])

    def _eventful(self, frame: Activation, found: Region) -> bool:
        return any(
            e.position.activation == frame.number and e.position.instruction in found.order
            for e in self._events
        )
