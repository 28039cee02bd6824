"""The semantic encoding of a trace for a solver (Wolverine2 sections 3.1 and 4).

The execution is a straight line of guarded statements: loop decisions are those of the trace, `if`s whose
arms only assign are guards, other `if`s have to go as they went.  Each location has selectors: `r` lets
its guard change (a condition, or the deletion of a statement, whose guard becomes false), `s` its
statement.  Insertion slots have a selector `t` and a place among the gaps (the paper's placing function:
slots are placed in increasing order).  What a location is stands in variables that all its occurrences
share, so that every iteration of a loop meets the same statement.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from wolverine.core.expressions import Expression, Logical, LValue, lvalue_text, text
from wolverine.core.graph import Uninitialised
from wolverine.core.patch import Deletion, Edit, NewAssignment, NewValue, Patch
from wolverine.core.program import Assign, Branch, Call, Concrete, Declare, Gap, Instruction, Jump, Return
from wolverine.core.trace import Assertion, Decision, Effect, End, Interval, Position, Problem, Trace
from wolverine.core.types import CType
from wolverine.repair.candidates import Menu, Menus
from wolverine.repair.meaning import UNINITIALISED, Meaning
from wolverine.repair.vocabulary import occurring_locations
from wolverine.repair.walk import parts
from wolverine.semantics.address import (
    CELL_KINDS,
    KIND_SHIFT,
    POINTER,
    STATE_KEY,
    cell_key,
    node_address,
)
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.follow import loop_branches
from wolverine.semantics.machine import Activation, Machine
from wolverine.semantics.state import encode, guess_kinds, scalar_type, seat
from wolverine.solve import terms
from wolverine.solve.solver import Sat
from wolverine.solve.terms import Term

STEPS = 4_000  # occurrences of one execution; longer ones are not encoded


@dataclass
class Relaxable:
    """What a location may become: selectors and the choice (None where they do not apply)."""

    location: int
    menu: Menu
    guard: Term = None
    statement: Term = None
    condition: Term = None
    target: Term = None
    value: Term = None
    domains: list[Term] = field(default_factory=list)


@dataclass
class Slot:
    """An insertion slot: active under `selector`, at gap number `place`, a statement by text numbers."""

    selector: Term
    place: Term
    target: Term
    value: Term


class Encoding:
    """`constraints` hold for every repair; `relaxables` and `slots` are what may change."""

    def __init__(self, problem: Problem, menus: Menus, slots: int) -> None:
        self.problem = problem
        self.program = problem.program
        self.constraints: list[Term] = []
        self.relaxables: dict[int, Relaxable] = {}
        self._menus = menus
        self._loops = loop_branches(problem.program)
        self._last = {name: occurring_locations(problem.program, name) for name in problem.program.functions}
        self._gaps: dict[int, int] = {}
        self._targets: dict[str, int] = {}
        self._values: dict[str, int] = {}
        self.slots = [
            Slot(
                terms.boolean(f"t{n}"),
                terms.integer(f"xi{n}"),
                terms.integer(f"it{n}"),
                terms.integer(f"iv{n}"),
            )
            for n in range(slots)
        ]
        for index, trace in enumerate(problem.traces):
            _Walk(self, trace, index).run()
        for one, two in zip(self.slots, self.slots[1:]):
            self.constraints.append(
                terms.implication(two.selector, terms.conjunction((one.selector, one.place < two.place)))
            )

    def relaxable(self, function: str, index: int, location: int) -> Relaxable | None:
        """The selectors of a location, None where it stays as it is (Wolverine2's locked locations)."""
        if location in self.relaxables:
            return self.relaxables[location]
        editable = self.problem.editable
        if location < 0 or (editable is not None and location not in editable):
            return None
        if self._last[function].get(location) != index:
            return None
        menu = self._menus.menu(location)
        if menu is None:
            return None
        made = self.relaxables[location] = Relaxable(location, menu)
        if any(isinstance(choice.replacement, Deletion) for choice in menu.choices):
            made.guard = terms.boolean(f"r{location}")
        if menu.targets:
            made.statement = terms.boolean(f"s{location}")
            made.target, made.value = terms.integer(f"l{location}"), terms.integer(f"e{location}")
            by_target: dict[int, list[int]] = {}
            for choice in menu.choices:
                if choice.target >= 0:
                    by_target.setdefault(choice.target, []).append(choice.value)
            pairs = [
                terms.conjunction((made.target == t, terms.disjunction(made.value == v for v in values)))
                for t, values in by_target.items()
            ]
            self.constraints.append(terms.implication(made.statement, terms.disjunction(pairs)))
        elif made.guard is None:
            made.guard = terms.boolean(f"r{location}")
            made.condition = terms.integer(f"c{location}")
            self.constraints += [made.condition >= 0, made.condition < len(menu.choices)]
        return made

    def gap(self, location: int) -> Menu | None:
        """The menu of a gap, which gets a number when it is first met."""
        editable = self.problem.editable
        if not self.slots or (editable is not None and location not in editable):
            return None
        menu = self._menus.menu(location)
        if menu is not None and location not in self._gaps:
            self._gaps[location] = location
            types: dict[CType, tuple[list[int], list[int]]] = {}
            for place in menu.targets:
                number = self._targets.setdefault(lvalue_text(place), len(self._targets))
                types.setdefault(place.type, ([], []))[0].append(number)
            for value in menu.values:
                number = self._values.setdefault(text(value), len(self._values))
                types.setdefault(value.type, ([], []))[1].append(number)
            for slot in self.slots:
                fits = [
                    terms.conjunction(
                        (
                            terms.disjunction(slot.target == t for t in targets),
                            terms.disjunction(slot.value == v for v in values),
                        )
                    )
                    for targets, values in types.values()
                    if targets and values
                ]
                here = terms.conjunction((slot.selector, slot.place == location))
                self.constraints.append(terms.implication(here, terms.disjunction(fits)))
        return menu

    def target_number(self, place: LValue) -> int:
        """The number of a place's text in slots."""
        return self._targets[lvalue_text(place)]

    def value_number(self, value: Expression) -> int:
        """The number of a value's text in slots."""
        return self._values[text(value)]

    def placed(self) -> list[Term]:
        """An active slot stands at some gap that was met."""
        return [
            terms.implication(slot.selector, terms.disjunction(slot.place == g for g in self._gaps))
            for slot in self.slots
        ]

    # -- reading a solution --------------------------------------------------------------------------

    def patch(self, solution: Sat) -> Patch | None:
        """The edits of a solution, None where a slot holds what no menu offers."""
        edits: dict[int, Edit] = {}
        for each in self.relaxables.values():
            replacement = self._replacement(each, solution)
            if replacement is not None:
                edits[each.location] = Edit(each.location, replacement)
        for slot in self.slots:
            if not solution.value(slot.selector):
                continue
            location = solution.value(slot.place)
            menu = self._menus.menu(location)
            wanted = (solution.value(slot.target), solution.value(slot.value))
            found = None
            for choice in menu.choices if menu is not None else ():
                made = choice.replacement
                if isinstance(made, NewAssignment):
                    pair = (self.target_number(made.target), self.value_number(made.value))
                    if pair == wanted:
                        found = made
            if found is None:
                return None
            edits[location] = Edit(location, found)
        return Patch(tuple(edits[location] for location in sorted(edits)))

    def _replacement(self, each: Relaxable, solution: Sat) -> Any:
        if each.guard is not None and solution.value(each.guard):
            if each.condition is not None:
                return each.menu.choices[solution.value(each.condition)].replacement
            return Deletion()
        if each.statement is not None and solution.value(each.statement):
            wanted = (solution.value(each.target), solution.value(each.value))
            for choice in each.menu.choices:
                if (choice.target, choice.value) == wanted:
                    return choice.replacement
        return None

    def differs(self, solution: Sat) -> Term:
        """That a solution is another one than this."""
        parts: list[Term] = []
        for each in self.relaxables.values():
            for term in (each.guard, each.statement):
                if term is not None and solution.value(term):
                    chosen = [
                        v == solution.value(v)
                        for v in (each.condition, each.target, each.value)
                        if v is not None
                    ]
                    parts.append(terms.conjunction((term, *chosen)))
        for slot in self.slots:
            if solution.value(slot.selector):
                chosen = [v == solution.value(v) for v in (slot.place, slot.target, slot.value)]
                parts.append(terms.conjunction((slot.selector, *chosen)))
        return terms.negation(terms.conjunction(parts))


class _Walk:
    """Encodes one trace, led by the machine that executes the program as it stands."""

    def __init__(self, encoding: Encoding, trace: Trace, index: int) -> None:
        self._encoding = encoding
        self._index = index
        self._program = encoding.program
        self._trace = trace
        self._events = [e for e in trace.events if not isinstance(e, Effect)]
        self._effects = {e.position: e for e in trace.events if isinstance(e, Effect)}
        stops: dict[str, set[int]] = {}
        for name, function in self._program.functions.items():
            stops[name] = {i for i, s in enumerate(function.code) if isinstance(s, (Gap, Branch, Concrete))}
        for event in trace.events:
            stops.setdefault(event.position.function, set()).add(event.position.instruction)
        self._machine = Machine(self._program, stops=stops)
        seat(self._machine, trace.start, trace.start_stack)
        cells = self._machine.memory.cells
        self._state: dict[int, Term] = {k: v for k, v in cells.items() if k > 0 and isinstance(v, int)}
        self._addresses: dict[int, None] = {}
        for number in range(1, self._machine.memory.node_count + 1):
            self._addresses.setdefault(node_address(number))
        for key, value in self._state.items():
            if key >> KIND_SHIFT == POINTER and 0 < value < 1 << KIND_SHIFT:
                self._addresses.setdefault(value)
        self._number = 0

    # -- the line --------------------------------------------------------------------------------

    def run(self) -> None:
        machine = self._machine
        for _ in range(STEPS):
            frame = machine.frame
            if frame is None:
                return
            pc = machine.pc
            if pc in frame.linked.stops and self._arrive(frame, pc):
                if not self._events:
                    return
                continue
            self._step(frame, pc)
        raise Unmodelled(f"the execution has more than {STEPS} steps")

    def _arrive(self, frame: Activation, pc: int) -> bool:
        """Meet the events here; true when the machine has moved or the end is reached."""
        machine = self._machine
        position = Position(frame.number, frame.linked.name, pc, machine.visit())
        while self._events and self._events[0].position == position:
            event = self._events.pop(0)
            match event:
                case Assertion():
                    self._assert(event)
                case Decision(_, taken):
                    self._decide(frame, pc, taken)
                    return True
                case End(_, crashed):
                    if crashed:
                        raise Unmodelled("the execution ends by a crash")
                    self._events.clear()
                    return True
                case Interval():
                    raise Unmodelled("a part of the execution is not modelled")
        step = frame.linked.steps[pc]
        if isinstance(step, Concrete):
            effect = self._effects.get(position)
            if effect is not None:
                self._apply(effect)
        return False

    def _step(self, frame: Activation, pc: int) -> None:
        machine = self._machine
        step = frame.linked.steps[pc]
        match step:
            case Gap():
                self._gap(frame, step, True)
            case Assign():
                self._assign(frame, pc, step, True)
            case Branch():
                self._branch(frame, pc, step)
                return
            case Call():
                self._call(frame, pc, step)
                return
            case Return(_, value):
                meaning = self._meaning(frame)
                result = meaning.value(value) if value is not None and frame.caller is not None else None
                caller = frame.caller
                machine.step()
                if caller is not None and result is not None:
                    call = caller.linked.steps[frame.back - 1]
                    if isinstance(call, Call) and call.result is not None:
                        self._require(True, result.safe)
                        self._put(caller, call.result, result.term)
                return
            case Declare(_, variable):
                where = self._meaning(frame).where(variable)
                for offset, scalar in self._program.types.scalars(variable.type):
                    self._state.pop(cell_key(scalar, where.pointer + offset), None)
        machine.step()

    def _meaning(self, frame: Activation) -> Meaning:
        return Meaning(self._machine, self._state, self._addresses, frame.linked.name, frame.base)

    def _require(self, guard: Term, term: Term) -> None:
        self._encoding.constraints.append(terms.implication(guard, term))

    # -- statements ------------------------------------------------------------------------------

    def _put(self, frame: Activation, place: LValue, value: Term) -> None:
        meaning = self._meaning(frame)
        for _, key in meaning.cells(place, meaning.where(place)):
            self._state[key] = value

    def _write(self, writes: list[tuple[Term, int, Term]]) -> None:
        """Simultaneous conditional writes."""
        new: dict[int, Term] = {}
        for condition, key, value in writes:
            if terms.known(condition) and not condition:
                continue
            old = new.get(key, self._state.get(key, UNINITIALISED))
            new[key] = terms.choice(condition, value, old)
        self._state.update(new)

    def _assign(self, frame: Activation, pc: int, step: Assign, guard: Term) -> None:
        meaning = self._meaning(frame)
        relaxable = self._encoding.relaxable(frame.linked.name, pc, step.location)
        writes: list[tuple[Term, int, Term]] = []
        kept = guard
        if relaxable is not None:
            kept = terms.conjunction(
                (guard, *(terms.negation(s) for s in (relaxable.guard, relaxable.statement) if s is not None))
            )
        self._store(meaning, step.target, meaning.value(step.value), kept, writes)
        if relaxable is not None and relaxable.statement is not None:
            active = terms.conjunction((guard, relaxable.statement))
            if relaxable.guard is not None:
                active = terms.conjunction((active, terms.negation(relaxable.guard)))
            menu = relaxable.menu
            self._chosen(meaning, active, menu, relaxable.target, relaxable.value, writes, None)
        self._write(writes)

    def _store(
        self,
        meaning: Meaning,
        target: LValue,
        value: tuple[Term, Term],
        active: Term,
        writes: list[tuple[Term, int, Term]],
    ) -> None:
        where = meaning.where(target)
        self._require(active, terms.conjunction((where.safe, value[1])))
        for condition, key in meaning.cells(target, where):
            writes.append((terms.conjunction((active, condition)), key, value[0]))

    def _chosen(
        self,
        meaning: Meaning,
        active: Term,
        menu: Menu,
        target: Term,
        value: Term,
        writes: list[tuple[Term, int, Term]],
        encoding: Encoding | None,
    ) -> None:
        """A statement by numbers: those of the menu, or those of the slots (`encoding`)."""
        by_type: dict[CType, Term] = {}
        for index, expression in enumerate(menu.values):
            number = index if encoding is None else encoding.value_number(expression)
            chosen = value == number
            try:
                found = meaning.value(expression)
            except Unmodelled:
                self._require(active, terms.negation(chosen))
                continue
            self._require(terms.conjunction((active, chosen)), found.safe)
            have = by_type.get(expression.type, UNINITIALISED)
            by_type[expression.type] = terms.choice(chosen, found.term, have)
        for index, place in enumerate(menu.targets):
            number = index if encoding is None else encoding.target_number(place)
            chosen = terms.conjunction((active, target == number))
            made = by_type.get(place.type)
            try:
                where = meaning.where(place)
                cells = meaning.cells(place, where)
            except Unmodelled:
                made = None
            if made is None:
                self._require(active, terms.negation(target == number))
                continue
            self._require(chosen, where.safe)
            for condition, key in cells:
                writes.append((terms.conjunction((chosen, condition)), key, made))

    def _gap(self, frame: Activation, step: Gap, guard: Term) -> None:
        encoding = self._encoding
        menu = encoding.gap(step.location)
        if menu is None:
            return
        writes: list[tuple[Term, int, Term]] = []
        meaning = self._meaning(frame)
        for slot in encoding.slots:
            active = terms.conjunction((guard, slot.selector, slot.place == step.location))
            self._number += 1
            name = terms.boolean(f"at{self._index}_{self._number}")
            encoding.constraints.append(terms.equality(name, active))
            self._chosen(meaning, name, menu, slot.target, slot.value, writes, encoding)
        self._write(writes)
        self._name(key for _, key, _ in writes)

    def _name(self, keys: Any) -> None:
        """Give cells names, so that terms stay small."""
        for key in dict.fromkeys(keys):
            self._number += 1
            name = terms.integer(f"v{self._index}_{self._number}")
            self._encoding.constraints.append(terms.equality(name, self._state[key]))
            self._state[key] = name

    def _call(self, frame: Activation, pc: int, step: Call) -> None:
        machine = self._machine
        meaning = self._meaning(frame)
        values = [meaning.value(argument) for argument in step.arguments]
        relaxable = self._encoding.relaxable(frame.linked.name, pc, step.location)
        own = step.function in self._program.functions
        kept: Term = True
        if relaxable is not None:
            assert relaxable.guard is not None
            kept = terms.negation(relaxable.guard)
            if own:
                self._encoding.constraints.append(kept)
                kept = True
        for value in values:
            self._require(kept, value.safe)
        machine.step()
        if own and machine.frame is not None:
            function = self._program.functions[step.function]
            for parameter, value in zip(function.parameters, values):
                self._put(machine.frame, parameter, value.term)
            return
        if step.function == "free":
            for address in list(self._addresses):
                key = address + STATE_KEY
                state = self._state.get(key)
                if state is not None:
                    hit = terms.conjunction((kept, terms.equality(values[0].term, address)))
                    self._require(hit, terms.comparison(">=", state, 0))
                    self._state[key] = terms.choice(hit, -1 - state, state)
            return
        if step.function not in ("malloc", "calloc"):
            raise Unmodelled(f"a call of {step.function}")
        address = node_address(machine.memory.node_count)
        self._addresses.setdefault(address)
        self._state[address + STATE_KEY] = machine.memory.cells[address + STATE_KEY]
        if step.function == "calloc":
            for offset in range(machine.memory.node_size(machine.memory.node_count) or 0):
                for kind in CELL_KINDS:
                    self._state[address + offset + (kind << KIND_SHIFT)] = 0
        if step.result is not None:
            self._put(frame, step.result, address)

    # -- conditions ------------------------------------------------------------------------------

    def _condition(self, frame: Activation, pc: int, step: Branch, guard: Term) -> Term:
        meaning = self._meaning(frame)
        relaxable = self._encoding.relaxable(frame.linked.name, pc, step.location)
        original = meaning.truth(step.condition)
        if relaxable is None:
            self._require(guard, original.safe)
            return original.term
        kept = terms.negation(relaxable.guard)
        self._require(terms.conjunction((guard, kept)), original.safe)
        found = original.term
        size = _connectives(step.condition)
        for index, choice in enumerate(relaxable.menu.choices):
            assert isinstance(choice.replacement, NewValue)
            if _connectives(choice.replacement.value) > size:
                self._require(relaxable.guard, terms.negation(relaxable.condition == index))
                continue
            chosen = terms.conjunction((relaxable.guard, relaxable.condition == index))
            try:
                other = meaning.truth(choice.replacement.value)
            except Unmodelled:
                self._require(True, terms.negation(chosen))
                continue
            self._require(terms.conjunction((guard, chosen)), other.safe)
            found = terms.choice(chosen, other.term, found)
        return found

    def _decide(self, frame: Activation, pc: int, taken: bool) -> None:
        step = frame.linked.steps[pc]
        assert isinstance(step, Branch)
        condition = self._condition(frame, pc, step, True)
        self._require(True, condition if taken else terms.negation(condition))
        self._machine.pc = frame.linked.following[step.if_true if taken else step.if_false]

    def _branch(self, frame: Activation, pc: int, step: Branch) -> None:
        """An `if`: both arms under guards where they only assign, else the way that the program goes."""
        machine = self._machine
        condition = self._condition(frame, pc, step, True)
        arms = _arms(frame.linked.steps, step) if pc not in self._loops_of(frame) else None
        if arms is None or self._eventful(frame, arms):
            before = machine.pc
            machine.step()
            taken = machine.pc == frame.linked.following[step.if_true] and before == pc
            self._require(True, condition if taken else terms.negation(condition))
            return
        ways = ((condition, arms[0]), (terms.negation(condition), arms[1]))
        for guard, arm in ways:
            self._number += 1
            name = terms.boolean(f"g{self._index}_{self._number}")
            self._encoding.constraints.append(terms.equality(name, guard))
            for index in arm:
                inner: Instruction = frame.linked.steps[index]
                if isinstance(inner, Gap):
                    self._gap(frame, inner, name)
                elif isinstance(inner, Assign):
                    self._assign(frame, index, inner, name)
        while machine.frame is frame and (machine.pc == pc or machine.pc in (*arms[0], *arms[1])):
            if machine.pc in frame.linked.stops and machine.pc != pc:
                machine.visit()
            machine.step()

    def _loops_of(self, frame: Activation) -> frozenset[int]:
        return self._encoding._loops.get(frame.linked.name, frozenset())

    def _eventful(self, frame: Activation, arms: tuple[list[int], list[int]]) -> bool:
        inside = {*arms[0], *arms[1]}
        return any(
            e.position.activation == frame.number and e.position.instruction in inside for e in self._events
        )

    # -- what the trace says -----------------------------------------------------------------------

    def _cell(self, place: Any, value: Any) -> tuple[int, Any] | None:
        layout = self._machine.layout
        base = layout.object_address(place.object)
        if base is None or isinstance(value, Uninitialised):
            return None
        ctype = scalar_type(layout, self._trace.start, place)
        raw = encode(layout, value, ctype)
        if ctype is not None:
            key = cell_key(ctype, base + place.offset)
        else:
            keys = [base + place.offset + (kind << KIND_SHIFT) for kind in guess_kinds(value)]
            key = next((k for k in keys if k in self._state), keys[0])
        return (key, raw) if isinstance(raw, int) else None

    def _assert(self, event: Assertion) -> None:
        """Every asserted place holds its value; from here on it is that value."""
        for place, value in event.cells.items():
            found = self._cell(place, value)
            if found is not None:
                key, raw = found
                self._require(True, terms.equality(self._state.get(key, UNINITIALISED), raw))
                self._state[key] = raw
                self._machine.memory.put(key, raw)
        for node, state in event.states.items():
            key = node_address(node.number) + STATE_KEY
            held = self._state.get(key)
            if held is not None:
                live = terms.comparison(">=", held, 0)
                self._require(True, live if state == "live" else terms.negation(live))

    def _apply(self, effect: Effect) -> None:
        if effect.nodes or effect.freed:
            raise Unmodelled("a concrete step allocates or frees")
        for place, value in effect.cells.items():
            found = self._cell(place, value)
            if found is not None:
                self._state[found[0]] = found[1]
                self._machine.memory.put(*found)


def _connectives(condition: Expression) -> int:
    """How many `&&` and `||` a condition has: a guard is one predicate, as in the paper."""
    return sum(isinstance(part, Logical) for part in parts(condition))


def _arms(steps: tuple[Instruction, ...], branch: Branch) -> tuple[list[int], list[int]] | None:
    """The instructions of both arms of an `if`, None where they do more than assign."""
    if not branch.if_true <= branch.if_false:
        return None
    one = _straight(steps, branch.if_true)
    two = _straight(steps, branch.if_false)
    if one is None:
        return None
    join = one[1]
    if two is not None and two[1] == join:
        return one[0], two[0]
    arm: list[int] = []
    at = branch.if_false
    while at != join:
        if at >= len(steps) or at > join or not isinstance(steps[at], (Gap, Assign, Declare)):
            return None
        arm.append(at)
        at += 1
    return one[0], arm


def _straight(steps: tuple[Instruction, ...], start: int) -> tuple[list[int], int] | None:
    """Assignments and gaps from `start` up to a forward jump, and where that leads."""
    found: list[int] = []
    at = start
    while at < len(steps):
        match steps[at]:
            case Gap() | Assign():
                found.append(at)
                at += 1
            case Jump(_, target):
                return (found, target) if target > at else None
            case _:
                return None
    return None
