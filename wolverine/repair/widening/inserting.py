"""What insertion slots do in a symbolic state: statements, under tests, that leave, free and allocate.

Wolverine2 section 3.1 (guarded statements) and section 4 (slots; hidden nodes, made available on demand).
"""

from __future__ import annotations

from collections.abc import Mapping

from wolverine.core.expressions import Expression, VariableReference
from wolverine.core.program import RESULT_NAME, Call, Gap, Guard
from wolverine.repair.widening.meaning import UNINITIALISED, Meaning, Value
from wolverine.repair.widening.relaxed import ALLOCATED, ASSIGNED, FREED, LEFT, RETURNED, Slot
from wolverine.repair.widening.slots import Offered
from wolverine.repair.widening.symbolic import Symbolic, Write
from wolverine.semantics.activation import Activation
from wolverine.semantics.address import CELL_KINDS, KIND_SHIFT, STATE_KEY, node_address
from wolverine.semantics.faults import Unmodelled
from wolverine.solve import terms
from wolverine.solve.terms import Term

_NODE = node_address(1) - node_address(0)


class Inserting:
    """The slots of one execution, and its nodes: hidden ones change the numbers of those behind them."""

    def __init__(self, symbolic: Symbolic) -> None:
        self._symbolic = symbolic
        self._extra: Term = 0  # hidden nodes allocated so far,
        self._most = 0  # at most so many

    def gap(self, frame: Activation, step: Gap, guard: Term) -> None:
        """What the slots put here."""
        slots = self._symbolic.encoding.slots
        offered = slots.offered(step.location)
        if offered is None:
            return
        meaning = self._symbolic.meaning(frame)
        for slot in slots.all:
            active = (
                guard,
                self._symbolic.alive(frame),
                slot.selector,
                terms.equality(slot.place, step.location),
            )
            acting = self._symbolic.named("at", terms.conjunction(active))
            if offered.tests:
                acting = self._tested(meaning, acting, slot, offered.tests)
            self._insert(frame, meaning, offered, slot, acting)
            if self._symbolic.encoding.plan.spares:
                meaning = self._symbolic.meaning(frame)  # the next one stands behind it

    def kept(self, frame: Activation, step: Guard, guard: Term) -> Term:
        """Assignments and frees, under a test or one after the other, that an earlier edit put here.

        Returns that they are made.
        """
        symbolic = self._symbolic
        acting = terms.conjunction((guard, symbolic.alive(frame)))
        if step.condition is not None:
            test = symbolic.meaning(frame).truth(step.condition)
            symbolic.require(acting, test.safe)
            acting = symbolic.named("kept", terms.conjunction((acting, test.term)))
        for each in (*step.before, *(() if step.assignment is None else (step.assignment,))):
            meaning, writes = symbolic.meaning(frame), list[Write]()
            if isinstance(each, Call):
                pointer = meaning.value(each.arguments[0])
                symbolic.require(acting, pointer.safe)
                symbolic.free(pointer.term, acting)
                continue
            symbolic.store(meaning, each.target, meaning.value(each.value), acting, writes)
            symbolic.write(writes)
        return acting

    def _tested(self, meaning: Meaning, active: Term, slot: Slot, tests: Mapping[int, Expression]) -> Term:
        """That the statement of an active slot is executed: its test holds, or it has none."""
        plain = terms.conjunction((active, terms.equality(slot.test, -1)))
        holding = self._symbolic.holding(meaning, active, slot.test, tests)
        return self._symbolic.named("do", terms.disjunction((plain, holding)))

    def _insert(
        self, frame: Activation, meaning: Meaning, offered: Offered, slot: Slot, acting: Term
    ) -> None:
        """What one slot does here where it acts."""
        kinds = (terms.equality(slot.kind, kind) for kind in (ASSIGNED, LEFT))
        assigning = terms.conjunction((acting, terms.disjunction(kinds)))
        writes: list[Write] = []
        self._symbolic.chosen(meaning, assigning, offered.menu, slot.target, slot.value, writes, True)
        if offered.allocated:
            allocating = terms.conjunction((acting, terms.equality(slot.kind, ALLOCATED)))
            self._allocate(meaning, offered, slot, allocating, writes)
        if offered.returned:
            returning = terms.conjunction((acting, terms.equality(slot.kind, RETURNED)))
            result = VariableReference(
                RESULT_NAME, self._symbolic.machine.program.functions[frame.linked.name].result
            )
            for number, each in offered.returned.items():
                assert each.value is not None
                chosen = terms.conjunction((returning, terms.equality(slot.value, number)))
                try:
                    self._symbolic.store(meaning, result, meaning.value(each.value), chosen, writes)
                except Unmodelled:
                    self._symbolic.require(True, terms.negation(chosen))
        for number, pointer in offered.freed.items():
            freeing = (acting, terms.equality(slot.kind, FREED), terms.equality(slot.value, number))
            found = meaning.value(pointer)
            self._symbolic.require(terms.conjunction(freeing), found.safe)
            self._symbolic.free(found.term, terms.conjunction(freeing))
        self._symbolic.write(writes)
        self._symbolic.name(
            key for condition, key, _ in writes if not (terms.known(condition) and not condition)
        )
        if offered.ending:
            ends = terms.disjunction(terms.equality(slot.kind, kind) for kind in (RETURNED, LEFT))
            left = terms.conjunction((acting, ends))
            self._symbolic.leave(frame, left)

    # -- nodes -------------------------------------------------------------------------------------

    def _allocate(
        self, meaning: Meaning, offered: Offered, slot: Slot, active: Term, writes: list[Write]
    ) -> None:
        """A hidden node for a variable: the next one, so that later ones have other numbers."""
        number = self._symbolic.machine.memory.node_count + 1
        for target, variable in offered.allocated.items():
            size = self._symbolic.encoding.slots.allocation(variable).size
            chosen = terms.conjunction((active, terms.equality(slot.target, target)))
            self._begin(number, chosen, size)
            value = Value(node_address(number) + self._extra * _NODE)
            self._symbolic.store(meaning, variable, value, chosen, writes)
        self._most += 1
        extra = self._symbolic.named_number("x", terms.choice(active, self._extra + 1, self._extra))
        self._extra = extra

    def allocated(self, number: int, size: int, zeroed: bool) -> Term:
        """A node that the execution allocated as that number: its address, hidden ones counted."""
        self._begin(number, True, size)
        if zeroed:
            for more in range(self._most + 1):
                here = terms.equality(self._extra, more)
                for offset in range(size):
                    for kind in CELL_KINDS:
                        key = node_address(number + more) + offset + (kind << KIND_SHIFT)
                        self._symbolic.state[key] = terms.choice(
                            here, 0, self._symbolic.state.get(key, UNINITIALISED)
                        )
        return node_address(number) + self._extra * _NODE

    def _begin(self, number: int, guard: Term, size: int) -> None:
        """Where the guard holds, node `number`, or as many later as there are hidden ones, is live."""
        for more in range(self._most + 1):
            address = node_address(number + more)
            here = terms.conjunction((guard, terms.equality(self._extra, more)))
            if terms.known(here) and not here:
                continue
            self._symbolic.addresses.setdefault(address)
            key = address + STATE_KEY
            self._symbolic.state[key] = terms.choice(here, size, self._symbolic.state.get(key, UNINITIALISED))
