"""Special cases of several statements that a function lacks and the program has nowhere.

Where the execution in the picture is such a case, what is missing shows there as plain statements in one gap
that write what is asserted, free what is to be freed, or call what the function calls elsewhere (see
`direct`).  What stands behind the gap may have to be passed over then, or a loop or the function left.  All
of it comes under one test that holds there, and did not before (Wolverine2 section 3.1 has one statement).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, NamedTuple

from wolverine.core.expressions import Expression, VariableReference
from wolverine.core.patch import (
    Edit,
    Guarded,
    NewAssignment,
    NewBlock,
    NewCall,
    NewJump,
    NewReturn,
    NewSkip,
    Patch,
    mentioned,
)
from wolverine.core.program import RESULT_NAME, Call, Gap, Program
from wolverine.core.types import VOID, PointerType
from wolverine.repair.execution.arrivals import Arrivals, onward
from wolverine.repair.execution.assignments import Assignments
from wolverine.repair.execution.blocks import carried_out, compiled_pair, written
from wolverine.repair.execution.effects import CALL, CRASH, FREE, NOOP, Effect, perform
from wolverine.repair.execution.pool import FAILED, Pool, look
from wolverine.repair.execution.spaces import Ledger, Space
from wolverine.repair.execution.work import Limits, Stopped, Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.explicit.direct import asserted_states
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.menu import Choice, Menu
from wolverine.repair.menus.skips import passed_over
from wolverine.semantics.address import (
    ADDRESS_MASK,
    KIND_SHIFT,
    POINTER,
    frame_base,
    node_address,
    number_of,
)
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.machine import Machine
from wolverine.semantics.replay import Replayer

_MOST = 4  # statements under a test
_AT_ONCE = 3  # of what is lacking may be put right by one call
_LACKING = 8  # cells that are to be set in a gap
_WORDINGS = 3  # of a statement, the closest
_LOOKED_AT = 60  # of which
_PATCHES = 60  # for what is done in one gap
_TESTS = 24
_TRIED = 200  # calls of a function in one state
_RETURNED = 4  # values with which the function is left

Made = NewAssignment | NewCall
Distance = Callable[[Edit], float]


class _Way(NamedTuple):
    """Where execution goes on behind the statements: at an instruction, for one of these reasons."""

    to: int
    onward: NewSkip | NewJump | None = None
    leaving: NewReturn | None = None


class _Step(NamedTuple):
    """One of the statements: its effect and wordings.

    What it sets may not be what is asserted yet: the cell `onward` (0: none) comes to it later.
    """

    effect: Effect
    wordings: tuple[Made, ...]
    onward: int = 0


@dataclass(frozen=True)
class _Case:
    """What is done in a gap, each statement in one of several wordings, and the tests that hold there."""

    location: int
    steps: tuple[tuple[Made, ...], ...]
    way: _Way
    tests: tuple[Expression, ...]


class Repair(NamedTuple):
    """An edit under which the trace is met, and how often its gap is come to."""

    edit: Edit
    executed: int


class Offered(Menus):
    """Menus that have these edits and nothing else."""

    def __init__(self, menus: Menus, program: Program, repairs: Sequence[Repair]) -> None:
        super().__init__(program, guarded=menus.guarded, **menus.widened)
        self._offered: dict[int, list[Choice]] = {}
        for each in repairs:
            self._offered.setdefault(each.edit.location, []).append(Choice(each.edit.replacement))

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None where it takes nothing."""
        choices = self._offered.get(location)
        if choices is None:
            return None
        function = self._program.location(location).function
        index, every = self.indices(function)[location], (1 << len(choices)) - 1
        return Menu(location, function, index, tuple(choices), all=every)

    def spaces(self, repairs: Sequence[Repair]) -> list[Space]:
        """The repairs in the numbers of these menus."""
        found: dict[tuple[int, int], int] = {}
        numbers: dict[int, int] = {}
        for edit, executed in repairs:
            location = edit.location
            number = numbers.get(location, 0)
            numbers[location] = number + 1
            found[location, executed] = found.get((location, executed), 0) | 1 << number
        return [Space({location: mask}, {location: times}) for (location, times), mask in found.items()]


def special_cases(bench: Bench, tests: Menus, work: Work, most: int, distance: Distance) -> list[Repair]:
    """Repairs by several statements under one test, with as few of them as do, as far as the work goes.

    The bench's menus have calls; `tests` are menus with statements under tests.
    """
    found: list[Repair] = []
    if len(bench.runners) != 1 or bench.decided:
        return found
    search = _Search(bench, tests, work, distance)
    try:
        with work.at_most(most):
            for number in range(1, _MOST + 1):
                found = [*search.patches(number)]
                if found:
                    break
    except Stopped as stop:
        if not stop.of_stage and not found:
            raise
    return found


class _Search:
    """Goes along one trace and tries what the gaps lack."""

    def __init__(self, bench: Bench, tests: Menus, work: Work, distance: Distance) -> None:
        self._program = program = bench.problem.program
        self._runner = bench.runners[0]
        self._tests = tests
        self._work = work
        self._distance = distance
        kind = program.location
        gaps = {
            name: {i: at for i, at in found.items() if kind(at).kind == "gap" and kind(at).gap != "result"}
            for name, found in bench.editable.items()
        }
        self._runner.configure(self._runner.prepared(), gaps)
        self._cells, self._freed = asserted_states(self._runner)
        self._replayer = Replayer(program, self._runner.trace)
        self._arrivals = Arrivals(work, Limits(), Ledger())
        self._worded: dict[tuple[int, int], tuple[Made, ...]] = {}
        self._calls: dict[int, list[_Called]] = {}
        self._asked: dict[int, list[tuple[Expression, Evaluate]]] = {}

    def patches(self, number: int) -> Iterator[Repair]:
        """Those with so many statements that meet the trace."""
        cases = [*self._cases(number)]
        for case in cases:
            yield from islice(self._met(case), _PATCHES)

    def _met(self, case: _Case) -> Iterator[Repair]:
        ways = (each for each in product(*case.steps) if not _idle(each))
        first = case.tests[0]
        blocks = [NewBlock(each, case.way.leaving, case.way.onward) for each in ways]
        blocks.sort(key=lambda each: self._distance(Edit(case.location, Guarded(first, each))))
        if not blocks:
            return
        tests = sorted(case.tests, key=lambda e: self._distance(Edit(case.location, Guarded(e, blocks[0]))))
        for test, block in product(tests[:_TESTS], blocks[:_WORDINGS]):
            edit = Edit(case.location, Guarded(test, block))
            replayed = self._replayer.run(Patch((edit,)))
            self._work.spend(replayed.steps)
            if replayed.met:
                yield Repair(edit, replayed.executed.get(edit.location, 0))

    # -- along the trace -----------------------------------------------------------------------------

    def _cases(self, number: int) -> Iterator[_Case]:
        runner, machine = self._runner, self._runner.machine
        machine.undo(runner.origin)
        if not self._cells and not self._freed:
            return
        before: dict[int, Counter[Expression]] = {}
        following: int | None = 0
        while following is not None and machine.frame is not None:
            if runner.schedule.over(machine, following):
                return
            name, pc = machine.frame.linked.name, machine.pc
            location = runner.location(name, pc)
            self._work.spend(1)
            if location is not None:
                holding = self._holding(location, name)
                earlier = before.setdefault(location, Counter())
                mark = machine.mark()
                tests = [each for each in holding if not earlier[each]]
                for aside in (False, True) if tests else ():
                    for steps, way in self._extended(number, (), location, following, aside):
                        machine.undo(mark)
                        yield _Case(location, steps, way, tuple(tests))
                    machine.undo(mark)
                earlier.update(holding)
            following, _ = onward(runner, self._arrivals, following)

    def _holding(self, location: int, name: str) -> list[Expression]:
        """The tests that hold in the present state."""
        if location not in self._asked:
            made = self._tests.tests(location)
            pool = self._runner.pool
            self._asked[location] = [(each, pool.condition(name, each)) for each in made]
        machine = self._runner.machine
        self._work.spend(len(self._asked[location]) // 8)
        looked = ((test, look(machine, closure)) for test, closure in self._asked[location])
        return [test for test, truth in looked if truth is not FAILED and truth]

    def _extended(
        self, number: int, steps: tuple[_Step, ...], location: int, following: int, aside: bool
    ) -> Iterator[tuple[tuple[tuple[Made, ...], ...], _Way]]:
        """The statements, then others, so many in all, with which the trace is met.

        If they lead `aside`, execution does not go on right behind them.
        """
        machine = self._runner.machine
        here = machine.mark()
        if len(steps) == number:
            if self._wrong(steps) or self._live():
                return
            for way in self._ways(location, steps, aside):
                machine.undo(here)
                if self._goes_on(way, following):
                    yield tuple(each.wordings for each in steps), way
            machine.undo(here)
            return
        for step in self._steps(location, steps, number - len(steps), aside):
            machine.undo(here)
            if self._performed(step.effect):
                yield from self._extended(number, (*steps, step), location, following, aside)
        machine.undo(here)

    # -- what a gap may do -----------------------------------------------------------------------------

    def _lacking(self) -> list[tuple[int, Any]]:
        """The asserted cells that hold something else now."""
        get = self._runner.machine.memory.cells.get
        return [(key, raw) for key, raw in self._cells if get(key) != raw]

    def _wrong(self, steps: Sequence[_Step]) -> list[tuple[int, Any]]:
        """Those that do so in the end, but for what has been set to what leads to what is asserted."""
        done = {each.onward for each in steps}
        return [each for each in self._lacking() if self._cells[each] != each[1] and each[0] not in done]

    def _live(self) -> list[int]:
        """The nodes that are to be freed and are not."""
        live = self._runner.machine.memory.node_live
        return [address for address in self._freed if live(number_of(address))]

    def _steps(self, location: int, steps: Sequence[_Step], left: int, aside: bool) -> list[_Step]:
        """What may be done next, by effect."""
        runner, machine = self._runner, self._runner.machine
        menu = runner.menu(location)
        if not isinstance(menu, Assignments):
            return []
        called, live = self._called(location), self._live()
        wrong = self._wrong(steps)
        lacking = self._lacking() if aside else wrong
        if len(wrong) + len(live) > left * (_AT_ONCE if called else 1) or len(lacking) > _LACKING:
            return []
        found: list[_Step] = []
        every = menu.menu.all
        for key, raw in lacking:
            self._work.spend(16)
            if mask := menu.only(key, raw, every):
                found.append(_Step((key, raw), self._wordings(location, menu, mask)))
        if live:
            frees = self._numbers(menu, lambda made: isinstance(made, NewCall) and made.function == "free")
            for effect, mask in menu.classes(frees & every).items() if frees else ():
                if effect in {(FREE, address) for address in live}:
                    found.append(_Step(effect, self._wordings(location, menu, mask)))
        found += self._unlinking(location, menu, live)
        found += self._counting(location, menu, steps)
        if live and left > 1:
            found += self._kept(location, menu, live)
        for each in called:
            for effect, wordings in each.effects(machine, self._concerned(lacking, live)):
                mark = machine.mark()
                helps = self._performed(effect) and self._gained(lacking, live)
                machine.undo(mark)
                if helps:
                    made = [NewCall(each.name, arguments) for arguments in wordings]
                    found.append(_Step(effect, self._closest(location, made)))
        return found

    def _gained(self, lacking: Sequence[tuple[int, Any]], live: Sequence[int]) -> bool:
        """Whether something of what was lacking is there now."""
        memory = self._runner.machine.memory
        return any(memory.cells.get(key) == raw for key, raw in lacking) or any(
            not memory.node_live(number_of(address)) for address in live
        )

    def _unlinking(self, location: int, menu: Assignments, live: Sequence[int]) -> Iterator[_Step]:
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
                    yield _Step((key, raw), self._wordings(location, menu, mask), key)

    def _counting(self, location: int, menu: Assignments, steps: Sequence[_Step]) -> Iterator[_Step]:
        """A number that comes to be too great or too small is made so much smaller or greater."""
        get = self._runner.machine.memory.cells.get
        for (key, raw), held in self._cells.items():
            now = get(key)
            number = all(isinstance(each, int) for each in (raw, held, now)) and key >> KIND_SHIFT != POINTER
            if number and held not in (raw, now) and all(key != each.onward for each in steps):
                self._work.spend(16)
                if mask := menu.only(key, now + raw - held, menu.menu.all):
                    yield _Step((key, now + raw - held), self._wordings(location, menu, mask), key)

    def _kept(self, location: int, menu: Assignments, live: Sequence[int]) -> Iterator[_Step]:
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
                    yield _Step((at, address), self._wordings(location, menu, mask))

    def _called(self, location: int) -> list[_Called]:
        """What the function calls elsewhere may be called in a gap."""
        if location not in self._calls:
            name = self._program.location(location).function
            code = self._program.functions[name].code
            known = dict.fromkeys(step.function for step in code if isinstance(step, Call))
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
        return tuple(sorted(made, key=lambda each: self._distance(Edit(location, each)))[:_WORDINGS])

    def _performed(self, effect: Effect) -> bool:
        """Let the effect happen, a call to its end; whether that goes well."""
        machine = self._runner.machine
        if isinstance(effect, tuple) and effect[0] == CALL:
            begun = machine.steps
            done = carried_out(machine, *effect[1])
            self._work.spend(machine.steps - begun)
            return done
        perform(machine, effect)
        return True

    # -- behind it -------------------------------------------------------------------------------------

    def _ways(self, location: int, steps: Sequence[_Step], aside: bool) -> Iterator[_Way]:
        """Where execution may go on behind the statements; one alone has to be more than an assignment."""
        frame, pc = self._runner.machine.frame, self._runner.machine.pc
        assert frame is not None
        function, linked = self._program.functions[frame.linked.name], frame.linked
        step = function.code[pc]
        assert isinstance(step, Gap)
        calls = len(steps) == 1 and isinstance(steps[0].wordings[0], NewCall)
        if not aside:
            if len(steps) > 1:
                yield _Way(linked.following[pc + 1])
            return
        if len(steps) > 1 or calls:
            end = linked.following[len(linked.steps) - 1]
            if function.result == VOID:
                yield _Way(end, None, NewReturn())
            else:
                yield from (_Way(end, None, each) for each in self._tests.returns(location)[:_RETURNED])
            for keyword in ("continue", "break"):
                to = step.onward(keyword)
                if to >= 0:
                    yield _Way(linked.following[to], NewJump(keyword))
        for passed in passed_over(self._program, function, pc):
            yield _Way(linked.following[passed.behind], NewSkip(passed.until, passed.last))

    def _goes_on(self, way: _Way, following: int | None) -> bool:
        """Whether the trace is met if execution goes on that way."""
        runner, machine = self._runner, self._runner.machine
        assert machine.frame is not None
        if way.leaving is not None and way.leaving.value is not None:
            name = machine.frame.linked.name
            result = VariableReference(RESULT_NAME, self._program.functions[name].result)
            effect = written(
                machine, compiled_pair(runner.pool, name, NewAssignment(result, way.leaving.value))
            )
            if effect == CRASH:
                return False
            if effect != NOOP:
                perform(machine, effect)
        machine.pc = way.to
        spent, most = 0, runner.patience
        while following is not None and machine.frame is not None and spent < most:
            if runner.schedule.over(machine, following):
                return True
            begun = machine.steps
            following, _ = onward(runner, self._arrivals, following)
            spent += 1 + machine.steps - begun
            self._work.spend(1)
        return False


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
            few = (each[raw][:_WORDINGS] for each, raw in zip(offered, values_passed, strict=True))
            yield (CALL, (self.name, values_passed)), [*product(*few)]


def _idle(statements: Sequence[Made]) -> bool:
    """Whether what is kept in a local variable is not used by the next statements."""
    for at, made in enumerate(statements):
        if isinstance(made, NewAssignment) and isinstance(made.target, VariableReference):
            later = (mentioned(each) for each in statements[at + 1 :])
            if made.target.level != "global" and all(made.target.name not in each for each in later):
                return True
    return False
