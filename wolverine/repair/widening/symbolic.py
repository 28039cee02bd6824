"""Statements on a symbolic state: the forward rules of Wolverine2 section 3.1 for what may be anything.

A state maps cell keys (`semantics.address`) to terms.  A statement that may change is the choice among
all that can stand there; one that is locked angelically may assign any value (rule `nondet`); what the
encoding has no term for may be any value too, which the machine confirms or refutes afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from wolverine.core.expressions import Expression, Load, LValue
from wolverine.core.program import Assign, Branch, Declare
from wolverine.core.types import CType, PointerType, is_scalar
from wolverine.repair.menus.menu import Conjoined, Menu
from wolverine.repair.widening.encoding import Encoding
from wolverine.repair.widening.meaning import UNINITIALISED, Meaning, Value
from wolverine.repair.widening.relaxed import (
    AND_BEFORE,
    AND_BEHIND,
    OR_BEFORE,
    OR_BEHIND,
    Relaxable,
)
from wolverine.semantics.activation import Activation
from wolverine.semantics.address import (
    KIND_SHIFT,
    POINTER,
    STATE_KEY,
    cell_key,
    node_address,
)
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.machine import Machine
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
        self._left: dict[int, Term] = {}  # activations that an inserted statement may have left
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

    def alive(self, frame: Activation) -> Term:
        """That no inserted statement has left the activation."""
        return terms.negation(self._left.get(frame.number, False))

    def leave(self, frame: Activation, guard: Term) -> None:
        """An inserted statement leaves the activation where the guard holds."""
        before = self._left.get(frame.number, False)
        self._left[frame.number] = self.named("left", terms.disjunction((before, guard)))

    def revive(self, frame: Activation) -> None:
        """At the end of a function all ways out of it meet."""
        self._left.pop(frame.number, None)

    def require(self, guard: Term, term: Term) -> None:
        """Where the guard holds the term has to hold, as long as the execution goes this way."""
        if terms.known(term) and term:
            return
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

    def named_number(self, letter: str, term: Term) -> Term:
        """The same for an integer."""
        if terms.known(term):
            return term
        self._number += 1
        name = terms.integer(f"{letter}{self._index}_{self._number}")
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

    def name(self, keys: Iterable[int]) -> None:
        """Let cells be unknowns that equal what they hold, so that terms stay small."""
        for key in dict.fromkeys(keys):
            self.state[key] = self.named_number("v", self.state[key])

    # -- statements ------------------------------------------------------------------------------

    def declare(self, frame: Activation, step: Declare) -> None:
        """The cells of a variable that begins to live hold nothing."""
        where = self.meaning(frame).where(step.variable)
        for offset, scalar in self.machine.program.types.possible(step.variable.type):
            self.state.pop(cell_key(scalar, where.pointer + offset), None)

    def assign(self, frame: Activation, pc: int, step: Assign, guard: Term) -> None:
        """The assignment at instruction `pc`, or what stands there instead."""
        meaning = self.meaning(frame)
        encoding = self.encoding
        guard = terms.conjunction((guard, self.alive(frame)))
        if not is_scalar(step.target.type):
            self._copy(meaning, step, guard)
            return
        relaxable = encoding.relaxable(frame.linked.name, pc, step.location)
        writes: list[Write] = []
        kept = guard
        if relaxable is not None:
            selectors = [s for s in (relaxable.guard, relaxable.statement) if s is not None]
            kept = terms.conjunction((guard, *map(terms.negation, selectors)))
            if relaxable.tested is not None:
                kept = terms.disjunction((kept, self._tested(meaning, relaxable, guard)))
        angelic = encoding.plan.angelic and step.location >= 0 and encoding.locked(step.location)
        try:
            value = meaning.value(step.value)
        except Unmodelled:
            value = Value(self.any_value(step.target.type))
        if angelic:
            value = Value(self.any_value(step.target.type))
        self.store(meaning, step.target, value, kept, writes)
        if relaxable is not None and relaxable.statement is not None:
            active = terms.conjunction((guard, relaxable.statement))
            if relaxable.guard is not None:
                active = terms.conjunction((active, terms.negation(relaxable.guard)))
            self.chosen(meaning, active, relaxable.menu, relaxable.target, relaxable.value, writes, False)
        self.write(writes)

    def _tested(self, meaning: Meaning, relaxable: Relaxable, guard: Term) -> Term:
        """That the statement is executed because its new guard holds."""
        assert relaxable.tested is not None
        active = terms.conjunction((guard, relaxable.guard))
        tests = dict(enumerate(relaxable.tested.tests))
        return self.holding(meaning, active, relaxable.test, tests)

    def holding(self, meaning: Meaning, active: Term, number: Term, tests: Mapping[int, Expression]) -> Term:
        """That the test of that number holds; where `active` it must not crash."""
        holds: list[Term] = []
        for each, test in tests.items():
            chosen = terms.equality(number, each)
            try:
                truth = meaning.truth(test)
            except Unmodelled:
                truth = Value(False, False)
            self.require(terms.conjunction((active, chosen)), truth.safe)
            holds.append(terms.conjunction((chosen, truth.term)))
        return terms.conjunction((active, terms.disjunction(holds)))

    def _copy(self, meaning: Meaning, step: Assign, guard: Term) -> None:
        """A whole struct, cell by cell."""
        if not isinstance(step.value, Load):
            raise Unmodelled("a struct that is no place is copied")
        target, source = meaning.where(step.target), meaning.where(step.value.place)
        self.require(guard, terms.conjunction((target.safe, source.safe)))
        writes: list[Write] = []
        for offset, scalar in self.machine.program.types.scalars(step.target.type):
            if not is_scalar(scalar):
                raise Unmodelled("a union is copied")
            value = meaning.held(scalar, source._replace(offset=source.offset + offset))
            for condition, key in meaning.at(scalar, target._replace(offset=target.offset + offset)):
                writes.append((terms.conjunction((guard, condition)), key, value))
        self.write(writes)

    def store(
        self, meaning: Meaning, target: LValue, value: Value, active: Term, writes: list[Write]
    ) -> None:
        """Add to `writes` that the value goes to a place where `active` holds."""
        where = meaning.where(target)
        self.require(active, terms.conjunction((where.safe, value.safe)))
        for condition, key in meaning.cells(target, where):
            writes.append((terms.conjunction((active, condition)), key, value.term))

    def chosen(
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
            number = encoding.slots.value_number(expression) if inserted else index
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
            number = encoding.slots.target_number(place) if inserted else index
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

    def free(self, pointer: Term, guard: Term) -> None:
        """free(pointer): a live node, or null."""
        for address in list(self.addresses):
            key = address + STATE_KEY
            held = self.state.get(key)
            if held is not None:
                hit = terms.conjunction((guard, terms.equality(pointer, address)))
                self.require(hit, terms.comparison(">=", held, 0))
                self.state[key] = terms.choice(hit, -1 - held, held)

    def evaluated(self, frame: Activation, arguments: Iterable[Expression], guard: Term) -> None:
        """What a call that prints is given must not crash; what the encoding does not have is passed over."""
        meaning = self.meaning(frame)
        guard = terms.conjunction((guard, self.alive(frame)))
        for argument in arguments:
            try:
                safe = meaning.value(argument).safe
            except Unmodelled:
                continue
            if not terms.known(safe):  # known to be none: memory that is no part of the picture
                self.require(guard, safe)

    def condition(self, frame: Activation, pc: int, step: Branch, guard: Term) -> Term:
        """The condition at a branch, or what stands there instead."""
        meaning = self.meaning(frame)
        guard = terms.conjunction((guard, self.alive(frame)))
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
        return self._changed(meaning, relaxable, original, guard)

    def _changed(self, meaning: Meaning, relaxable: Relaxable, original: Value, guard: Term) -> Term:
        """The condition that stands at a relaxable branch: itself, another one, or with a test more."""
        choices, tests = relaxable.menu.choices, relaxable.test
        assert isinstance(choices, Conjoined)
        other = self._selected(meaning, relaxable, choices.changed, terms.equality(tests, 0))
        test = self._selected(meaning, relaxable, choices.tests, terms.negation(terms.equality(tests, 0)))
        one, two = original, test
        joined = {
            AND_BEFORE: (two.safe, terms.implication(two.term, one.safe), True),
            AND_BEHIND: (one.safe, terms.implication(one.term, two.safe), True),
            OR_BEHIND: (one.safe, terms.disjunction((one.term, two.safe)), False),
            OR_BEFORE: (two.safe, terms.disjunction((two.term, one.safe)), False),
        }
        safe, found = other.safe, other.term
        for number, (first, second, both) in joined.items():
            join = terms.conjunction if both else terms.disjunction
            chosen = terms.equality(tests, number)
            safe = terms.choice(chosen, terms.conjunction((first, second)), safe)
            found = terms.choice(chosen, join((one.term, two.term)), found)
        self.require(terms.conjunction((guard, relaxable.guard)), safe)
        return terms.choice(relaxable.guard, found, original.term)

    def _selected(
        self, meaning: Meaning, relaxable: Relaxable, conditions: Sequence[Expression], among: Term
    ) -> Value:
        """What the chosen one of the conditions says, where one of them is chosen (`among`)."""
        found: Term = False
        safe: list[Term] = []
        for index, condition in enumerate(conditions):
            chosen = terms.equality(relaxable.condition, index)
            try:
                value = meaning.truth(condition)
            except Unmodelled:
                self.encoding.constraints.append(
                    terms.negation(terms.conjunction((relaxable.guard, among, chosen)))
                )
                continue
            safe.append(terms.implication(chosen, value.safe))
            found = terms.choice(chosen, value.term, found)
        return Value(self.named("c", found), self.named("s", terms.conjunction(safe)))
