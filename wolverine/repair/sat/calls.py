"""Calls and returns on a walk along all executions (`lanes`): what is passed on may depend on edits."""

from __future__ import annotations

from wolverine.core.program import Call, Return
from wolverine.core.types import is_scalar
from wolverine.repair.execution.pool import FAILED
from wolverine.repair.sat.occurrences import Occurrences
from wolverine.repair.sat.onehot import Assigning, Deciding
from wolverine.repair.sat.uncertain import Beyond, Held, Leaf, Uncertain
from wolverine.semantics.activation import Activation
from wolverine.semantics.address import node_address, number_of
from wolverine.semantics.allocation import ALLOCATION, carry_out
from wolverine.semantics.faults import Fault
from wolverine.solve.clauses import TRUE


class Calls:
    """Moves the machine of an uncertain state into functions and out of them."""

    def __init__(self, state: Uncertain, happening: Occurrences) -> None:
        self._state = state
        self._machine = state.machine
        self._program = state.machine.program
        self._clauses = state.clauses
        self._happening = happening

    def enter(self, frame: Activation, step: Call) -> None:
        """Call a function of the program."""
        machine, state = self._machine, self._state
        function = self._program.functions[step.function]
        values = []
        for argument, parameter in zip(step.arguments, function.parameters, strict=False):
            if not is_scalar(parameter.type):
                raise Beyond("a struct is passed")
            values.append((parameter, self._single(state.values(argument, parameter.type))))
        machine._enter(frame, step.function, [None] * len(step.arguments), machine.pc + 1)
        state.changed()
        for parameter, held in values:
            [(_, key)] = state.keys(parameter)
            state.put(key, held)

    def _single(self, leaves: list[Leaf]) -> Held:
        """The cases of a value that cannot fail as what a cell holds."""
        if len(leaves) == 1 and not leaves[0][0]:
            if leaves[0][1] is FAILED:
                raise Fault("null", "an argument fails")
            return {leaves[0][1]: TRUE}
        if any(value is FAILED for _, value in leaves):
            raise Beyond("a value may fail outside of a statement")
        new = self._state.fresh(list(dict.fromkeys(value for _, value in leaves)))
        for literals, value in leaves:
            if len(new) > 1:
                self._clauses.add((*(-x for x in literals), new[value]))
        return new

    def leave(self, frame: Activation, step: Return) -> None:
        """Return to the caller."""
        machine, state = self._machine, self._state
        result = self._program.functions[frame.linked.name].result
        held: Held | None = None
        if step.value is not None:
            if not is_scalar(result):
                raise Beyond("a struct is returned")
            held = self._single(state.values(step.value, result))
        for offset in frame.linked.compiled.cells:
            state.cells.pop(frame.base + offset, None)
        caller, back = frame.caller, frame.back
        machine._leave(frame, None)
        state.changed()
        if caller is None or held is None:
            return
        call = caller.linked.steps[back - 1] if back else None
        if isinstance(call, Call) and call.result is not None:
            [(_, key)] = state.keys(call.result)
            state.put(key, held)

    def library(self, guard: int, made: Assigning | Deciding | None, step: Call) -> None:
        """An allocation whose size is certain, or a free."""
        machine, state = self._machine, self._state
        leaves = []
        for argument, ctype in zip(step.arguments, ALLOCATION.get(step.function, ()), strict=False):
            leaves.append(state.values(argument, ctype))
        certain = all(len(each) == 1 and not each[0][0] for each in leaves)
        if step.function == "free" and (made is not None or state.freed or not certain):
            self._free(guard, TRUE if made is None else made.same, leaves[0])
            return
        if not certain or made is not None or (step.function == "realloc" and state.cells):
            raise Beyond(f"{step.function} of a value that depends on edits")
        result = carry_out(machine.memory, step.function, [each[0][1] for each in leaves])
        state.changed()
        if step.result is not None:
            [(_, key)] = state.keys(step.result)
            state.put(key, {result: TRUE})

    def _free(self, guard: int, same: int, leaves: list[Leaf]) -> None:
        """`same` is the literal under which the call is still there."""
        state, memory = self._state, self._machine.memory
        if memory.strict:
            raise Beyond("what is freed depends on edits")
        for literals, raw in leaves:
            freed = memory.node_live(number_of(raw)) if type(raw) is int and raw > 0 else False
            if raw == 0:
                continue
            if not freed or raw != node_address(number_of(raw)):
                self._happening.forbid(guard, (same, *literals))
                continue
            number = number_of(raw)
            before = state.freed.get(number, -TRUE)
            self._happening.forbid(guard, (same, *literals, before))
            state.freed[number] = self._clauses.some([before, self._clauses.both((same, *literals))])
