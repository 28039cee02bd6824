"""What a gap lacks: statements that write what is asserted, free what is to be freed, or call (`several`)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from itertools import islice, product
from typing import Any, NamedTuple

from wolverine.core.expressions import Expression
from wolverine.core.patch import Edit, NewAssignment, NewCall
from wolverine.core.program import Call, reachable
from wolverine.core.types import PointerType
from wolverine.repair.execution.assignments import Assignments
from wolverine.repair.execution.blocks import carried_out
from wolverine.repair.execution.effects import CALL, FREE, Effect, perform
from wolverine.repair.execution.pool import FAILED, Pool, look
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.explicit.direct import asserted_states
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.frees import may_free
from wolverine.semantics.address import (
    ADDRESS_MASK,
    KIND_SHIFT,
    POINTER,
    frame_base,
    node_address,
    number_of,
)
from wolverine.semantics.encoding import held_at
from wolverine.semantics.machine import Machine

WORDINGS = 3  # of a statement, the closest
_AT_ONCE = 3  # of what is lacking may be put right by one call
_LACKING = 8  # cells that are to be set in a gap
_LOOKED_AT = 60  # wordings
_TRIED = 200  # calls of a function in one state

Made = NewAssignment | NewCall
Distance = Callable[[Edit], float]


class Step(NamedTuple):
    """One of the statements: its effect and wordings.

    What it sets may not be what is asserted yet: the cell `onward` (0: none) comes to it later.
    """

    effect: Effect
    wordings: tuple[Made, ...]
    onward: int = 0


class Unmet:
    """What the execution of one trace lacks in a gap, and what may be done about it there."""

    def __init__(self, bench: Bench, tests: Menus, work: Work, distance: Distance) -> None:
        self._program = bench.problem.program
        self._runner = bench.runners[0]
        self._tests = tests
        self._work = work
        self._distance = distance
        self._cells, self._freed = asserted_states(self._runner)
        self._worded: dict[tuple[int, int], tuple[Made, ...]] = {}
        self._calls: dict[int, list[_Called]] = {}

    @property
    def nothing(self) -> bool:
        """Whether nothing is asserted."""
        return not self._cells and not self._freed

    def _lacking(self) -> list[tuple[int, Any]]:
        """The asserted cells that hold something else now."""
        memory = self._runner.machine.memory
        return [(key, raw) for key, raw in self._cells if held_at(memory, key) != raw]

    def wrong(self, steps: Sequence[Step]) -> list[tuple[int, Any]]:
        """Those that do so in the end, but for what has been set to what leads to what is asserted."""
        done = {each.onward for each in steps}
        return [each for each in self._lacking() if self._cells[each] != each[1] and each[0] not in done]

    def live(self) -> list[int]:
        """The nodes that are to be freed and are not."""
        live = self._runner.machine.memory.node_live
        return [address for address in self._freed if live(number_of(address))]

    def steps(self, location: int, steps: Sequence[Step], left: int, aside: bool) -> list[Step]:
        """What may be done next, by effect."""
        runner, machine = self._runner, self._runner.machine
        menu = runner.menu(location)
        if not isinstance(menu, Assignments):
            return []
        called, live = self._called(location), self.live()
        wrong = self.wrong(steps)
        lacking = self._lacking() if aside else wrong
        if len(wrong) + len(live) > left * (_AT_ONCE if called else 1) or len(lacking) > _LACKING:
            return []
        found: list[Step] = []
        every = menu.menu.all
        for key, raw in lacking:
            self._work.spend(16)
            if mask := menu.only(key, raw, every):
                found.append(Step((key, raw), self._wordings(location, menu, mask)))
        if live:
            frees = self._numbers(menu, lambda made: isinstance(made, NewCall) and made.function == "free")
            for effect, mask in menu.classes(frees & every).items() if frees else ():
                if effect in {(FREE, address) for address in live}:
                    found.append(Step(effect, self._wordings(location, menu, mask)))
        found += self._unlinking(location, menu, live)
        found += self._counting(location, menu, steps)
        if live and left > 1:
            found += self._kept(location, menu, live)
        for each in called:
            for effect, wordings in each.effects(machine, self._concerned(lacking, live)):
                mark = machine.mark()
                helps = self.performed(effect) and self._gained(lacking, live)
                machine.undo(mark)
                if helps:
                    made = [NewCall(each.name, arguments) for arguments in wordings]
                    found.append(Step(effect, self._closest(location, made)))
        return found

    def _gained(self, lacking: Sequence[tuple[int, Any]], live: Sequence[int]) -> bool:
        """Whether something of what was lacking is there now."""
        memory = self._runner.machine.memory
        return any(held_at(memory, key) == raw for key, raw in lacking) or any(
            not memory.node_live(number_of(address)) for address in live
        )

    def _unlinking(self, location: int, menu: Assignments, live: Sequence[int]) -> Iterator[Step]:
        """What leads to a node that is to be freed leads to where that does."""
        cells = self._runner.machine.memory.cells
        for address in live:
            number, beyond = number_of(address), dict[Any, None]()
            leading = list[int]()
            for key, raw in cells.items():
                kind, at = key >> KIND_SHIFT, key & ADDRESS_MASK
                if kind == POINTER and raw is not None:
                    if number_of(at) == number and raw != address:
                        beyond[raw] = None
                    elif raw == address and at < frame_base(0):
                        leading.append(key)
            for key, raw in product(leading, beyond):
                self._work.spend(16)
                if mask := menu.only(key, raw, menu.menu.all):
                    yield Step((key, raw), self._wordings(location, menu, mask), key)

    def _counting(self, location: int, menu: Assignments, steps: Sequence[Step]) -> Iterator[Step]:
        """A number that comes to be too great or too small is made so much smaller or greater."""
        memory = self._runner.machine.memory
        for (key, raw), held in self._cells.items():
            now = held_at(memory, key)
            number = all(isinstance(each, int) for each in (raw, held, now)) and key >> KIND_SHIFT != POINTER
            if number and held not in (raw, now) and all(key != each.onward for each in steps):
                self._work.spend(16)
                if mask := menu.only(key, now + raw - held, menu.menu.all):
                    yield Step((key, now + raw - held), self._wordings(location, menu, mask), key)

    def _kept(self, location: int, menu: Assignments, live: Sequence[int]) -> Iterator[Step]:
        """A node that is to be freed is kept in a variable that the function has for such things."""
        where = self._program.location(location)
        function, machine = self._program.functions[where.function], self._runner.machine
        assert machine.frame is not None
        for variable in where.scope:
            if variable not in function.locals or not isinstance(variable.type, PointerType):
                continue
            [key] = self._runner.pool.keys(where.function, [variable])
            at = look(machine, key)
            for address in live if at is not FAILED else ():
                self._work.spend(16)
                if machine.memory.cells.get(at) != address and (
                    mask := menu.only(at, address, menu.menu.all)
                ):
                    yield Step((at, address), self._wordings(location, menu, mask))

    def _called(self, location: int) -> list[_Called]:
        """What may be called in a gap: what the function calls, and what frees if a node is to be freed."""
        if location not in self._calls:
            name = self._program.location(location).function
            code = self._program.functions[name].code
            known = dict.fromkeys(step.function for step in code if isinstance(step, Call))
            freeing = (each for each in self._program.functions if may_free(self._program, each))
            for each in freeing if self._freed else ():
                if name not in reachable(self._program, (each,)):
                    known[each] = None
            passed = ((each, self._tests.passed(location, each)) for each in known)
            pool = self._runner.pool
            self._calls[location] = [
                _Called(pool, name, each, few) for each, few in passed if few is not None
            ]
        return self._calls[location]

    def _concerned(self, lacking: Sequence[tuple[int, Any]], live: Sequence[int]) -> set[Any]:
        """What a call has to be passed something of: nodes and cells that something is lacking of."""
        cells = {key & ADDRESS_MASK for key, _ in lacking}
        nodes = {node_address(number_of(each)) for each in cells}
        return cells | nodes | {raw for _, raw in lacking if raw} | set(live)

    def _numbers(self, menu: Assignments, wanted: Callable[[object], bool]) -> int:
        return sum(1 << number for number, each in menu.menu.others if wanted(each.replacement))

    def _wordings(self, location: int, menu: Assignments, mask: int) -> tuple[Made, ...]:
        """The closest of the statements that have one effect."""
        if (location, mask) not in self._worded:
            numbers = islice((n for n in range(mask.bit_length()) if mask >> n & 1), _LOOKED_AT)
            made = (menu.menu.choices[number].replacement for number in numbers)
            few = [each for each in made if isinstance(each, NewAssignment | NewCall)]
            self._worded[location, mask] = self._closest(location, few)
        return self._worded[location, mask]

    def _closest(self, location: int, made: Sequence[Made]) -> tuple[Made, ...]:
        """The few statements that are closest by themselves."""
        return tuple(sorted(made, key=lambda each: self._distance(Edit(location, each)))[:WORDINGS])

    def performed(self, effect: Effect) -> bool:
        """Let the effect happen, a call to its end; whether that goes well."""
        machine = self._runner.machine
        if isinstance(effect, tuple) and effect[0] == CALL:
            begun = machine.steps
            done = carried_out(machine, *effect[1])
            self._work.spend(machine.steps - begun)
            return done
        perform(machine, effect)
        return True


class _Called:
    """A function of the program with what may be passed to it in a gap."""

    def __init__(self, pool: Pool, caller: str, name: str, passed: Sequence[Sequence[Expression]]) -> None:
        self.name = name
        self._passed = [[*zip(each, pool.values(caller, each), strict=True)] for each in passed]

    def effects(
        self, machine: Machine, concerned: Container[Any]
    ) -> Iterator[tuple[Effect, list[tuple[Expression, ...]]]]:
        """The calls that pass enough of what is concerned, each in a few wordings."""
        offered: list[dict[Any, list[Expression]]] = []
        for parameter in self._passed:
            values: dict[Any, list[Expression]] = {}
            for expression, closure in parameter:
                raw = look(machine, closure)
                if raw is not None and raw is not FAILED:
                    values.setdefault(raw, []).append(expression)
            offered.append(values)
        enough, tried = (len(offered) + 1) // 2, 0
        for values_passed in product(*offered):
            if sum(raw in concerned for raw in values_passed) < enough:
                continue
            tried += 1
            if tried > _TRIED:
                return
            few = (each[raw][:WORDINGS] for each, raw in zip(offered, values_passed, strict=True))
            yield (CALL, (self.name, values_passed)), [*product(*few)]
