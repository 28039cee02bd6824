"""What the choices of a menu of statements do in the present state, grouped by effect (engine of `search`).

Places and values of a menu are evaluated once each; the choices with one effect are the meeting of the
choices with one address and those with one value, as bit masks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any

from wolverine.core.expressions import Expression
from wolverine.core.patch import (
    Cleared,
    Deletion,
    FreedList,
    Guarded,
    NewAssignment,
    NewBlock,
    NewCall,
    NewJump,
    NewNode,
    NewSkip,
    OtherFunction,
    Several,
    ShortCircuit,
)
from wolverine.core.program import Assign, Before, Call, Gap, Jump
from wolverine.core.types import is_scalar
from wolverine.repair.execution.blocks import Block, Pair, compiled_pair, written
from wolverine.repair.execution.demand import ANY, NEVER, Demand, Either
from wolverine.repair.execution.effects import (
    ALLOCATE,
    CALL,
    CRASH,
    FREE,
    FREE_LIST,
    INSTEAD,
    JUMP,
    NOOP,
    OTHER,
    PASS,
    SKIP,
    Effect,
    demanded,
    freeable,
    writable,
)
from wolverine.repair.execution.pool import FAILED, Pool, compiled, look, look_again
from wolverine.repair.execution.wholes import Whole
from wolverine.repair.menus.menu import Assigned, Menu
from wolverine.repair.menus.wholes import is_whole
from wolverine.semantics.address import cell_key, is_real
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.replacing import slot_at
from wolverine.semantics.text import Text

Looked = Sequence[tuple[Evaluate, int]]  # closures with the masks of the choices that have their value
_Size = Callable[[], int | bytes | None]  # or what it holds; None where it is not known
_Node = tuple[Evaluate, _Size, bool, int]  # place, size, whether it is cleared, mask
_Test = tuple[Evaluate, bool, int, int]  # the truth, whether that leads on, where to, mask
_Besides = tuple["Sequence[_Node]", Looked, "Sequence[_Arm]", "Sequence[_Called]"]
_Call = tuple[int, NewCall, Expression | None, int]  # number, call, test, kind
_NARROWED = 64  # subsets that are kept


class Assignments:
    """A menu of assignments, deletions and frees on one machine; `mine` is the statement as it is."""

    def __init__(self, pool: Pool, menu: Menu) -> None:
        self.menu = menu
        self._machine = pool.machine
        program = pool.machine.program
        step = program.functions[menu.function].code[menu.index]
        self.passing = isinstance(step, (Call, Jump))  # without it execution goes another way
        self._rows: Looked = ()
        self._columns: Looked = ()
        keys: Sequence[Evaluate] = ()
        values: Sequence[Evaluate] = ()
        if isinstance(menu.choices, Assigned):
            table = pool.table(menu.function, menu.choices)
            self._rows, self._columns, keys, values = table.rows, table.columns, table.keys, table.values
        self._narrow: dict[int, tuple[Looked, Looked]] = {}
        self._whole = (1 << len(menu.choices)) - 1
        self._idle = 0
        frees: dict[int, int] = {}
        self._nodes: list[_Node] = []
        self._lists: list[tuple[_Listed, int]] = []
        self._before: list[_Test] = []
        self._several: list[tuple[int, Guarded | Several]] = []
        self._compiled: dict[int, Block] = {}
        self._copies: list[tuple[Whole, int]] = []
        self._leaps: list[tuple[int, int]] = []  # where they go on, mask
        calls: list[_Call] = []
        arms: list[tuple[int, Guarded]] = []
        skips: list[tuple[int, int, NewAssignment]] = []
        for number, choice in menu.others:
            match choice.replacement:
                case Guarded(condition, NewCall() as call):
                    calls.append((number, call, condition, CALL))
                case NewAssignment() as copied if is_whole(copied):
                    self._copies.append((Whole(pool, menu.function, copied), 1 << number))
                case (Guarded(_, NewBlock()) | Several()) as block:
                    self._several.append((number, block))
                case Guarded(condition, NewSkip(until, _, None)):
                    to = slot_at(program.functions[menu.function], until)
                    self._before.append((pool.condition(menu.function, condition), True, to, 1 << number))
                case Guarded() as tested:
                    arms.append((number, tested))
                case NewCall(function) as call if function != "free":
                    calls.append((number, call, None, CALL))
                case OtherFunction(function) if isinstance(step, Call):
                    other = NewCall(function, step.arguments, step.result)
                    calls.append((number, other, None, INSTEAD))
                case NewCall():
                    frees[choice.value] = frees.get(choice.value, 0) | 1 << number
                case FreedList():
                    self._lists.append((_Listed(pool, menu.function, choice.replacement), 1 << number))
                case NewNode(_, size, zeroed, string, copied):
                    held = values[choice.value] if string is not None else None
                    room = partial(_held if copied else _room, self._machine, held, size)
                    self._nodes.append((keys[choice.target], room, zeroed, 1 << number))
                case Cleared() if isinstance(step, Call) and step.result is not None:
                    [key] = pool.keys(menu.function, [step.result])
                    [held] = pool.values(menu.function, step.arguments)
                    self._nodes.append((key, partial(_number, self._machine, held), True, 1 << number))
                case ShortCircuit(operator, test) if isinstance(step, Before):
                    leads = operator == "||"
                    to = step.if_true if leads else step.if_false
                    self._before.append((pool.condition(menu.function, test), leads, to, 1 << number))
                case NewJump(keyword) if isinstance(step, Gap):
                    self._leaps.append((step.onward(keyword), 1 << number))
                case NewSkip(until, _, instead):
                    to = slot_at(program.functions[menu.function], until)
                    if instead is None:
                        self._leaps.append((to, 1 << number))
                    else:
                        skips.append((number, to, instead))
                case Deletion():
                    self._idle |= 1 << number
        self._frees = [(values[index], mask) for index, mask in frees.items()]
        standing = isinstance(step, Assign)
        self._arms = [
            _Arm(1 << number, *_compiled_arm(pool, menu.function, each, standing)) for number, each in arms
        ]
        self._skips = [
            (to, *compiled_pair(pool, menu.function, instead), 1 << number) for number, to, instead in skips
        ]
        self._pool = pool
        self._calls = calls  # compiled when they are among a subset, for there are hundreds in a menu
        self._called: dict[int, _Called] = {}
        self._more = 0  # the choices that are none of a place and a value
        of_nodes = (each[-1] for each in self._nodes)
        of_arms, of_calls = (each.mask for each in self._arms), (1 << number for number, *_ in calls)
        of_tests = (each[-1] for each in self._before)
        of_leaps = (mask for *_, mask in self._leaps)
        of_skips = (mask for *_, mask in self._skips)
        of_lists = (mask for _, mask in self._lists)
        of_blocks = (1 << number for number, _ in self._several)
        of_copies = (mask for _, mask in self._copies)
        besides = chain(of_arms, of_calls, of_leaps, of_skips, of_lists, of_blocks, of_copies)
        for mask in chain(of_nodes, of_tests, frees.values(), besides):
            self._more |= mask
        self._few: dict[int, _Besides] = {}
        self._mine: tuple[Evaluate, Evaluate] | None = None
        self._always = CRASH
        match step:
            case Gap():
                self._always = NOOP
            case Assign(_, target, value) if is_scalar(target.type):
                [key] = pool.keys(menu.function, [target])
                [raw] = compiled(pool.machine.evaluators.values, menu.function, [(value, target.type)])
                self._mine = (key, raw)
            case _:
                self._always = OTHER

    @property
    def several(self) -> bool:
        """Whether there are choices that write several cells."""
        return bool(self._several)

    def mine(self) -> Effect:
        """The effect of the statement as it is."""
        if self._mine is None:
            return self._always
        machine = self._machine
        key, raw = look(machine, self._mine[0]), look(machine, self._mine[1])
        if key is FAILED or raw is FAILED or not writable(machine, key):
            return CRASH
        return NOOP if machine.memory.cells.get(key) == raw else (key, raw)

    def classes(self, subset: int) -> dict[Effect, int]:
        """The choices of `subset` by their effect; those that crash are left out."""
        machine = self._machine
        base = machine.frame.base  # type: ignore[union-attr]
        cells = machine.memory.cells
        found: dict[Effect, int] = {}
        idle = self._idle & subset
        rows, columns = self._narrowed(subset)
        addresses: dict[int, int] = {}
        for closure, mask in rows:
            try:
                key = closure(base)
            except (KeyError, Halt) as problem:
                key = look_again(machine, closure, problem)
                if key is FAILED:
                    continue
            if key in cells or writable(machine, key):
                addresses[key] = addresses.get(key, 0) | mask
        values = self._valued(columns) if addresses else {}
        for key, row in addresses.items():
            held, real = cells.get(key), is_real(key)
            for raw, column in values.items():
                both = row & column
                if both:
                    if raw == held:
                        idle |= both
                    else:
                        found[key, raw if (type(raw) is float) == real else _same(raw)] = both
        idle |= self._besides(subset, found)
        if idle:
            found[SKIP if self.passing else NOOP] = idle
        return found

    def wanted(self, subset: int, demand: Demand | Either) -> dict[Effect, int]:
        """The choices of `subset` that do what is demanded, or do more than write, by their effect."""
        if demand.of(0) is ANY:
            return demanded(self.classes(subset), demand)
        machine = self._machine
        base = machine.frame.base  # type: ignore[union-attr]
        held = machine.memory.cells
        found: dict[Effect, int] = {}
        rows, columns = self._narrowed(subset)
        addresses: dict[int, int] = {}
        wishes: dict[int, Any] = {}
        for closure, mask in rows:
            try:
                key = closure(base)
            except (KeyError, Halt) as problem:
                key = look_again(machine, closure, problem)
                if key is FAILED:
                    continue
            if key not in wishes:
                wishes[key] = demand.of(key)
            if wishes[key] is not NEVER and (key in held or writable(machine, key)):
                addresses[key] = addresses.get(key, 0) | mask
        if addresses:
            values = self._valued(columns)
            for key, row in addresses.items():
                now, wish, real = held.get(key), wishes[key], is_real(key)
                for raw, column in values.items() if wish is ANY else ((wish, values.get(wish, 0)),):
                    both = row & column
                    if both and raw != now:
                        found[key, raw if (type(raw) is float) == real else _same(raw)] = both
        self._besides(subset, found)
        if self.passing and self._idle & subset:
            found[SKIP] = self._idle & subset
        return found

    def _valued(self, columns: Looked) -> dict[Any, int]:
        """The choices by the value that they assign; without those that have none here."""
        machine = self._machine
        base = machine.frame.base  # type: ignore[union-attr]
        values: dict[Any, int] = {}
        for closure, mask in columns:
            try:
                raw = closure(base)
            except (KeyError, Halt) as problem:
                raw = look_again(machine, closure, problem)
            if raw is not None and raw is not FAILED:
                values[raw] = values.get(raw, 0) | mask
        return values

    def _besides(self, subset: int, found: dict[Effect, int]) -> int:
        """Add the new nodes, the calls and the frees of `subset`; those of nothing."""
        machine, idle = self._machine, 0
        subset &= self._more
        if not subset:
            return idle
        nodes, frees, arms, calls = self._among(subset)
        for closure, size, zeroed, mask in nodes:
            key, room = look(machine, closure), size()
            if key is not FAILED and room is not None and writable(machine, key):
                effect = (ALLOCATE, (key, room, zeroed))
                found[effect] = found.get(effect, 0) | mask
        for truth, leads, to, mask in self._before:
            value = look(machine, truth) if mask & subset else FAILED
            if value is not FAILED and bool(value) == leads:
                found[JUMP, to] = found.get((JUMP, to), 0) | mask & subset
            elif value is not FAILED:
                idle |= mask & subset
        for to, mask in self._leaps:
            if mask & subset:
                found[JUMP, to] = found.get((JUMP, to), 0) | mask & subset
        for to, place, value, mask in self._skips:
            if mask & subset:
                key, raw = look(machine, place), look(machine, value)
                if key is not FAILED and raw is not FAILED and raw is not None and writable(machine, key):
                    past: Effect = (PASS, (to, (key, raw)))
                    found[past] = found.get(past, 0) | mask & subset
        for listed, mask in self._lists:
            addresses = listed.addresses(machine) if mask & subset else None
            if addresses:
                found[FREE_LIST, addresses] = mask & subset
            elif addresses is not None:
                idle |= mask & subset
        for number, tested in self._several:
            if subset >> number & 1:
                if number not in self._compiled:
                    self._compiled[number] = Block(self._pool, self.menu.function, self.menu.index, tested)
                done = self._compiled[number].effect(machine)
                if done == NOOP:
                    idle |= 1 << number
                elif done != CRASH:
                    found[done] = found.get(done, 0) | 1 << number
        for copied, mask in self._copies:
            made = copied.effect(machine) if mask & subset else CRASH
            if made == NOOP:
                idle |= mask
            elif made != CRASH:
                found[made] = found.get(made, 0) | mask
        for closure, mask in frees:
            raw = look(machine, closure)
            if raw == 0:
                idle |= mask
            elif raw is not None and raw is not FAILED and raw < 1 << 60 and freeable(machine, raw):
                found[FREE, raw] = found.get((FREE, raw), 0) | mask
        if arms:
            mine = self.mine()
            for arm in arms:
                made = arm.effect(machine, mine)
                if made == NOOP:
                    idle |= arm.mask
                elif made != CRASH:
                    found[made] = found.get(made, 0) | arm.mask
        known: dict[Evaluate, Any] = {}
        for call in calls:
            happening = call.effect(machine, known)
            if happening is not None:
                found[happening] = found.get(happening, 0) | call.mask
            elif call.idle:
                idle |= call.mask
        return idle

    def _among(self, subset: int) -> _Besides:
        """The new nodes, frees, arms and calls of a subset; the same few subsets come again."""
        found = self._few.get(subset)
        if found is None:
            if len(self._few) >= _NARROWED:
                self._few.clear()
            found = self._few[subset] = (
                [each for each in self._nodes if each[-1] & subset],
                [(closure, mask & subset) for closure, mask in self._frees if mask & subset],
                [arm for arm in self._arms if arm.mask & subset],
                [self._compiled_call(*call) for call in self._calls if subset >> call[0] & 1],
            )
        return found

    def _compiled_call(self, number: int, *call: *tuple[NewCall, Expression | None, int]) -> _Called:
        found = self._called.get(number)
        if found is None:
            found = self._called[number] = _Called(self._pool, self.menu.function, number, *call)
        return found

    def _narrowed(self, subset: int) -> tuple[Looked, Looked]:
        """The places and values that the choices of a subset have; the same few subsets come again."""
        if subset == self._whole:
            return self._rows, self._columns
        found = self._narrow.get(subset)
        if found is None:
            if len(self._narrow) >= _NARROWED:
                self._narrow.clear()
            found = self._narrow[subset] = (
                [(closure, mask & subset) for closure, mask in self._rows if mask & subset],
                [(closure, mask & subset) for closure, mask in self._columns if mask & subset],
            )
        return found

    def only(self, key: int, raw: Any, subset: int) -> int:
        """The choices of `subset` that write `raw` to the cell `key`."""
        machine = self._machine
        base = machine.frame.base  # type: ignore[union-attr]
        row = 0
        for closure, mask in self._rows:
            if mask & subset:
                try:
                    if closure(base) == key:
                        row |= mask
                except (KeyError, Halt) as problem:
                    if look_again(machine, closure, problem) == key:
                        row |= mask
        row &= subset
        arms = 0
        if any(arm.mask & subset for arm in self._arms):
            mine = self.mine()
            for arm in self._arms:
                if arm.mask & subset and arm.effect(machine, mine) == (key, raw):
                    arms |= arm.mask
        return arms | self._only(key, raw, row)

    def _only(self, key: int, raw: Any, row: int) -> int:
        """Those of the pairs with the cell `key` as their place that write `raw`."""
        machine = self._machine
        base = machine.frame.base  # type: ignore[union-attr]
        if not row or not (key in machine.memory.cells or writable(machine, key)):
            return 0
        column = 0
        for closure, mask in self._columns:
            if mask & row:
                try:
                    have = closure(base)
                except (KeyError, Halt) as problem:
                    have = look_again(machine, closure, problem)
                if have is not None and have is not FAILED and have == raw:
                    column |= mask
        return row & column


def _same(raw: float) -> float:
    """An integer as a float and the other way: 0 and 0.0 are one value of a menu."""
    return int(raw) if isinstance(raw, float) else float(raw)


class _Arm:
    """An assignment under a test, perhaps with another one where that fails, on one machine.

    Without a pair of its own, what stands under the test is the statement as it is.
    """

    def __init__(self, mask: int, test: Evaluate, then: Pair | None, otherwise: Pair | None) -> None:
        self.mask = mask
        self._test = test
        self._then = then
        self._otherwise = otherwise

    def effect(self, machine: Machine, mine: Effect) -> Effect:
        """What it does in the present state, where the statement as it is does `mine`."""
        truth = look(machine, self._test)
        if truth is FAILED:
            return CRASH
        pair = self._then if truth else self._otherwise
        if pair is None:
            return mine if truth else NOOP
        return written(machine, pair)


def _compiled_arm(
    pool: Pool, name: str, tested: Guarded, standing: bool
) -> tuple[Evaluate, Pair | None, Pair | None]:
    """Its test and what both arms do, once for all menus; the first is nothing new if it is `standing`."""

    def make() -> tuple[Evaluate, Pair | None, Pair | None]:
        assert isinstance(tested.statement, NewAssignment)
        other = tested.otherwise
        then = None if standing and other is not None else compiled_pair(pool, name, tested.statement)
        done = None if other is None else compiled_pair(pool, name, other)
        return pool.condition(name, tested.condition), then, done

    return pool.shared(name, tested, make)


class _Called:
    """A call of a function of the program, an effect of the kind CALL or INSTEAD, on one machine."""

    def __init__(
        self, pool: Pool, name: str, number: int, call: NewCall, condition: Expression | None, kind: int
    ) -> None:
        machine = pool.machine
        self._kind = kind
        self.mask = 1 << number
        self.idle = False  # whether the last look said that it does not happen
        self._function = call.function
        self._leaves = call.leaves
        self._values = pool.values(name, call.arguments)
        self._into = pool.keys(name, [call.target])[0] if call.target is not None else None
        self._test = None if condition is None else pool.condition(name, condition)
        try:
            self._entry = machine.linked(call.function).following[0]
        except Halt:
            self._entry = -1

    def effect(self, machine: Machine, known: dict[Evaluate, Any]) -> Effect | None:
        """What it does in the present state; None where it does not happen, or crashes before.

        `known` are values in this state, to which those that are passed are added.
        """
        self.idle = False
        if self._test is not None:
            truth = look(machine, self._test)
            self.idle = truth is not FAILED and not truth
            if truth is FAILED or not truth:
                return None
        for each in self._values:
            if each not in known:
                known[each] = look(machine, each)
        values = tuple([known[each] for each in self._values])
        into = 0 if self._into is None else look(machine, self._into)
        if self._entry < 0 or any(each is None or each is FAILED for each in values):
            return None
        if into is FAILED or (into and not writable(machine, into)):
            return None
        return self._kind, (self._function, values, into, self._entry, self._leaves)


class _Listed:
    """A loop that frees a list, on one machine."""

    def __init__(self, pool: Pool, name: str, made: FreedList) -> None:
        [self._first] = pool.keys(name, [made.first])
        self._fields = [cell_key(place.type, place.offset) for place in (*made.owned, made.link)]

    def addresses(self, machine: Machine) -> tuple[int, tuple[int, ...]] | tuple[()] | None:
        """The cell that leads to the list, with what is freed; () for an empty one, None where it crashes."""
        key, memory = look(machine, self._first), machine.memory
        node = None if key is FAILED else memory.cells.get(key)
        mark, freed = len(memory.trail), list[int]()
        try:
            while node:
                *owned, following = (memory.cells.get(node + field) for field in self._fields)
                if following is None or not all(isinstance(each, int) for each in (*owned, following)):
                    return None
                for each in (*owned, node):
                    memory.release(each)
                    freed.append(each)
                node = following
        except Halt:
            return None
        finally:
            memory.undo(mark)
        if node is None:
            return None
        return (key, tuple(freed)) if freed else ()


def _number(machine: Machine, closure: Evaluate) -> int | None:
    """A number, None where it is not known."""
    value = look(machine, closure)
    return value if isinstance(value, int) else None


def _held(machine: Machine, string: Evaluate | None, _more: int) -> bytes | None:
    """The characters of a string and its zero, None where they are not known."""
    address = None if string is None else look(machine, string)
    if address is None or address is FAILED:
        return None
    try:
        return Text(machine.memory).string(address) + b"\0"
    except (KeyError, Halt):
        return None


def _room(machine: Machine, string: Evaluate | None, more: int) -> int | None:
    """How many bytes a string, if there is one, and so many more need, None where that is not known."""
    if string is None:
        return more
    address = look(machine, string)
    if address is None or address is FAILED:
        return None
    try:
        size = machine.room(address, more)
    except (KeyError, Halt):
        return None
    return size if isinstance(size, int) else None
