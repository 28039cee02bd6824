"""Statements on a symbolic state: the forward rules of Wolverine2 section 3.1 for what may be anything.

A state maps cell keys (`semantics.address`) to terms.  A statement that may change is the choice among
all that can stand there; one that is locked angelically may assign any value (rule `nondet`); what the
encoding has no term for may be any value too, which the machine confirms or refutes afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable

from wolverine.core.expressions import Expression, Load, Logical, LValue
from wolverine.core.patch import NewValue
from wolverine.core.program import Assign, Branch, Declare, Gap
from wolverine.core.types import CType, PointerType, is_scalar
from wolverine.repair.encoding import Encoding
from wolverine.repair.meaning import UNINITIALISED, Meaning, Value
from wolverine.repair.menu import Menu
from wolverine.repair.walk import parts
from wolverine.semantics.address import KIND_SHIFT, POINTER, STATE_KEY, cell_key, node_address
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.machine import Activation, Machine
from wolverine.solve import terms
from wolverine.solve.terms import Term

Write = tuple[Term, int, Term]  # condition, cell, value


class Symbolic:
    """The state of one execution, `index` of the problem's traces, as it goes on."""

    def __init__(self, encoding: Encoding, machine: Machine, index: int) -> None:
        self.encoding = encoding
        self.machine = machine
        self._index = index
        self._number = 0
        self.path: Term = True  # that the last `if` that is no guard went as it went
        cells = machine.memory.cells
        self.state: dict[int, Term] = {k: v for k, v in cells.items() if k > 0 and isinstance(v, int)}
        self.addresses: dict[int, None] = {}
        for number in range(1, machine.memory.node_count + 1):
            self.addresses.setdefault(node_address(number))
        for key, value in self.state.items():
            if key >> KIND_SHIFT == POINTER and 0 < value < 1 << KIND_SHIFT:
                self.addresses.setdefault(value)

    def meaning(self, frame: Activation) -> Meaning:
        """Evaluates in the present state."""
        return Meaning(self.machine, self.state, self.addresses, frame.linked.name, frame.base)

    def require(self, guard: Term, term: Term) -> None:
        """Where the guard holds the term has to hold, as long as the execution goes this way."""
        wanted = terms.conjunction((self.path, guard))
        self.encoding.constraints.append(terms.implication(wanted, term))

    def named(self, letter: str, term: Term) -> Term:
        """A boolean that stands for the term, so that terms stay small."""
        if terms.known(term):
            return term
        self._number += 1
        name = terms.boolean(f"{letter}{self._index}_{self._number}")
        self.encoding.constraints.append(terms.equality(name, term))
        return name

    def any_value(self, ctype: CType) -> Term:
        """Some value of the type: one of the nodes or null, or a number."""
        self._number += 1
        name = terms.integer(f"any{self._index}_{self._number}")
        if isinstance(ctype, PointerType):
            among = (terms.equality(name, address) for address in (0, *self.addresses))
            self.encoding.constraints.append(terms.disjunction(among))
        return name

    # -- writes ----------------------------------------------------------------------------------

    def put(self, frame: Activation, place: LValue, value: Term) -> None:
        """Store at a place that is known."""
        meaning = self.meaning(frame)
        for _, key in meaning.cells(place, meaning.where(place)):
            self.state[key] = value

    def write(self, writes: list[Write]) -> None:
        """Simultaneous conditional writes."""
        new: dict[int, Term] = {}
        for condition, key, value in writes:
            if terms.known(condition) and not condition:
                continue
            old = new.get(key, self.state.get(key, UNINITIALISED))
            new[key] = terms.choice(condition, value, old)
        self.state.update(new)

    def _name(self, keys: Iterable[int]) -> None:
        for key in dict.fromkeys(keys):
            if not terms.known(self.state[key]):
                self._number += 1
                name = terms.integer(f"v{self._index}_{self._number}")
                self.encoding.constraints.append(terms.equality(name, self.state[key]))
                self.state[key] = name

    # -- statements ------------------------------------------------------------------------------

    def declare(self, frame: Activation, step: Declare) -> None:
        """The cells of a variable that begins to live hold nothing."""
        where = self.meaning(frame).where(step.variable)
        for offset, scalar in self.machine.program.types.scalars(step.variable.type):
            self.state.pop(cell_key(scalar, where.pointer + offset), None)

    def assign(self, frame: Activation, pc: int, step: Assign, guard: Term) -> None:
        """The assignment at instruction `pc`, or what stands there instead."""
        meaning = self.meaning(frame)
        encoding = self.encoding
        if not is_scalar(step.target.type):
            self._copy(meaning, step, guard)
            return
        relaxable = encoding.relaxable(frame.linked.name, pc, step.location)
        writes: list[Write] = []
        kept = guard
        if relaxable is not None:
            selectors = [s for s in (relaxable.guard, relaxable.statement) if s is not None]
            kept = terms.conjunction((guard, *map(terms.negation, selectors)))
        angelic = encoding.plan.angelic and step.location >= 0 and encoding.locked(step.location)
        try:
            value = meaning.value(step.value)
        except Unmodelled:
            value = Value(self.any_value(step.target.type))
        if angelic:
            value = Value(self.any_value(step.target.type))
        self._store(meaning, step.target, value, kept, writes)
        if relaxable is not None and relaxable.statement is not None:
            active = terms.conjunction((guard, relaxable.statement))
            if relaxable.guard is not None:
                active = terms.conjunction((active, terms.negation(relaxable.guard)))
            self._chosen(meaning, active, relaxable.menu, relaxable.target, relaxable.value, writes, False)
        self.write(writes)

    def _copy(self, meaning: Meaning, step: Assign, guard: Term) -> None:
        """A whole struct, cell by cell."""
        if not isinstance(step.value, Load):
            raise Unmodelled("a struct that is no place is copied")
        target, source = meaning.where(step.target), meaning.where(step.value.place)
        self.require(guard, terms.conjunction((target.safe, source.safe)))
        writes: list[Write] = []
        for offset, scalar in self.machine.program.types.scalars(step.target.type):
            value = meaning.held(scalar, source._replace(offset=source.offset + offset))
            for condition, key in meaning.at(scalar, target._replace(offset=target.offset + offset)):
                writes.append((terms.conjunction((guard, condition)), key, value))
        self.write(writes)

    def _store(
        self, meaning: Meaning, target: LValue, value: Value, active: Term, writes: list[Write]
    ) -> None:
        where = meaning.where(target)
        self.require(active, terms.conjunction((where.safe, value.safe)))
        for condition, key in meaning.cells(target, where):
            writes.append((terms.conjunction((active, condition)), key, value.term))

    def _chosen(
        self,
        meaning: Meaning,
        active: Term,
        menu: Menu,
        target: Term,
        value: Term,
        writes: list[Write],
        inserted: bool,
    ) -> None:
        """A statement by numbers: those of the menu, or those that the slots share (`inserted`)."""
        encoding = self.encoding
        by_type: dict[CType, Term] = {}
        for index, expression in enumerate(menu.values):
            number = encoding.value_number(expression) if inserted else index
            chosen = terms.equality(value, number)
            try:
                found = meaning.value(expression)
            except Unmodelled:
                self.require(active, terms.negation(chosen))
                continue
            self.require(terms.conjunction((active, chosen)), found.safe)
            have = by_type.get(expression.type, UNINITIALISED)
            by_type[expression.type] = terms.choice(chosen, found.term, have)
        for index, place in enumerate(menu.targets):
            number = encoding.target_number(place) if inserted else index
            chosen = terms.conjunction((active, terms.equality(target, number)))
            made = by_type.get(place.type)
            try:
                where = meaning.where(place)
                cells = meaning.cells(place, where)
            except Unmodelled:
                made = None
            if made is None:
                self.require(active, terms.negation(terms.equality(target, number)))
                continue
            self.require(chosen, where.safe)
            for condition, key in cells:
                writes.append((terms.conjunction((chosen, condition)), key, made))

    def gap(self, frame: Activation, step: Gap, guard: Term) -> None:
        """What the slots put here."""
        menu = self.encoding.gap(step.location)
        if menu is None:
            return
        writes: list[Write] = []
        meaning = self.meaning(frame)
        for slot in self.encoding.slots:
            active = terms.conjunction((guard, slot.selector, terms.equality(slot.place, step.location)))
            self._chosen(meaning, self.named("at", active), menu, slot.target, slot.value, writes, True)
        self.write(writes)
        self._name(key for _, key, _ in writes)

    def free(self, pointer: Term, guard: Term) -> None:
        """free(pointer): a live node, or null."""
        for address in list(self.addresses):
            key = address + STATE_KEY
            held = self.state.get(key)
            if held is not None:
                hit = terms.conjunction((guard, terms.equality(pointer, address)))
                self.require(hit, terms.comparison(">=", held, 0))
                self.state[key] = terms.choice(hit, -1 - held, held)

    def condition(self, frame: Activation, pc: int, step: Branch, guard: Term) -> Term:
        """The condition at a branch, or what stands there instead."""
        meaning = self.meaning(frame)
        relaxable = self.encoding.relaxable(frame.linked.name, pc, step.location)
        try:
            original = meaning.truth(step.condition)
        except Unmodelled:
            self._number += 1
            original = Value(terms.boolean(f"is{self._index}_{self._number}"))
        if relaxable is None:
            self.require(guard, original.safe)
            return original.term
        kept = terms.negation(relaxable.guard)
        self.require(terms.conjunction((guard, kept)), original.safe)
        found = original.term
        size = _connectives(step.condition)
        for index, choice in enumerate(relaxable.menu.choices):
            assert isinstance(choice.replacement, NewValue)
            if _connectives(choice.replacement.value) > size:
                self.require(relaxable.guard, terms.negation(terms.equality(relaxable.condition, index)))
                continue
            chosen = terms.conjunction((relaxable.guard, terms.equality(relaxable.condition, index)))
            try:
                other = meaning.truth(choice.replacement.value)
            except Unmodelled:
                self.require(True, terms.negation(chosen))
                continue
            self.require(terms.conjunction((guard, chosen)), other.safe)
            found = terms.choice(chosen, other.term, found)
        return found


def _connectives(condition: Expression) -> int:
    """How many `&&` and `||` a condition has: a guard is one predicate, as in the paper."""
    return sum(isinstance(part, Logical) for part in parts(condition))
