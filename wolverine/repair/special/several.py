"""Special cases of several statements that a function lacks and the program has nowhere.

Where the execution in the picture is such a case, what is missing shows there as plain statements in one gap
that write what is asserted, free what is to be freed, or call what the function calls elsewhere (see
`direct`).  What stands behind the gap may have to be passed over then, or a loop or the function left.  All
of it comes under one test that holds there, and did not before (Wolverine2 section 3.1 has one statement).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import NamedTuple

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
from wolverine.core.program import RESULT_NAME, Gap, Program
from wolverine.core.types import VOID
from wolverine.repair.execution.arrivals import Arrivals, onward
from wolverine.repair.execution.blocks import compiled_pair, written
from wolverine.repair.execution.effects import CRASH, NOOP, perform
from wolverine.repair.execution.spaces import Ledger, Space
from wolverine.repair.execution.truths import Tests
from wolverine.repair.execution.work import Limits, Stopped, Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.menu import Choice, Menu
from wolverine.repair.menus.skips import passed_over
from wolverine.repair.special.unmet import WORDINGS, Distance, Made, Step, Unmet
from wolverine.semantics.replay import Replayer

_MOST = 4  # statements under a test
_PATCHES = 60  # for what is done in one gap
_TESTS = 24
_RETURNED = 4  # values with which the function is left


class _Way(NamedTuple):
    """Where execution goes on behind the statements: at an instruction, for one of these reasons."""

    to: int
    onward: NewSkip | NewJump | None = None
    leaving: NewReturn | None = None


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


def special_cases(
    bench: Bench, tests: Menus, work: Work, most: int, distance: Distance, *, alone: bool = False
) -> list[Repair]:
    """Repairs by several statements under one test, with as few of them as do, as far as the work goes.

    The bench's menus have calls; `tests` are menus with statements under tests.  With `alone` one statement
    behind which execution goes on as ever counts, too.
    """
    found: list[Repair] = []
    if len(bench.runners) != 1 or bench.decided:
        return found
    search = _Search(bench, tests, work, distance, 1 if alone else 2)
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

    def __init__(self, bench: Bench, tests: Menus, work: Work, distance: Distance, least: int) -> None:
        self._program = program = bench.problem.program
        self._least = least  # statements behind which execution goes on as ever
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
        self._unmet = Unmet(bench, tests, work, distance)
        self._replayer = Replayer(program, self._runner.trace)
        self._arrivals = Arrivals(work, Limits(), Ledger())
        self._asked: dict[int, tuple[tuple[Expression, ...], Tests]] = {}
        self._opened: dict[tuple[str, tuple[Expression, ...]], Tests] = {}  # many gaps take the same ones

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
        for test, block in product(tests[:_TESTS], blocks[:WORDINGS]):
            edit = Edit(case.location, Guarded(test, block))
            replayed = self._replayer.run(Patch((edit,)))
            self._work.spend(replayed.steps)
            if replayed.met:
                yield Repair(edit, replayed.executed.get(edit.location, 0))

    # -- along the trace -----------------------------------------------------------------------------

    def _cases(self, number: int) -> Iterator[_Case]:
        runner, machine = self._runner, self._runner.machine
        machine.undo(runner.origin)
        if self._unmet.nothing:
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
            made = tuple(self._tests.tests(location))
            known = self._opened.get((name, made))
            if known is None:
                known = self._opened[name, made] = Tests(self._runner.pool, name, made)
            self._asked[location] = made, known
        made, asked = self._asked[location]
        self._work.spend(len(made) // 8)
        holding, _ = asked.truths()
        return [test for number, test in enumerate(made) if holding >> number & 1]

    def _extended(
        self, number: int, steps: tuple[Step, ...], location: int, following: int, aside: bool
    ) -> Iterator[tuple[tuple[tuple[Made, ...], ...], _Way]]:
        """The statements, then others, so many in all, with which the trace is met.

        If they lead `aside`, execution does not go on right behind them.
        """
        machine = self._runner.machine
        here = machine.mark()
        if len(steps) == number:
            if self._unmet.wrong(steps) or self._unmet.live():
                return
            for way in self._ways(location, steps, aside):
                machine.undo(here)
                if self._goes_on(way, following):
                    yield tuple(each.wordings for each in steps), way
            machine.undo(here)
            return
        for step in self._unmet.steps(location, steps, number - len(steps), aside):
            machine.undo(here)
            if self._unmet.performed(step.effect):
                yield from self._extended(number, (*steps, step), location, following, aside)
        machine.undo(here)

    # -- behind it -------------------------------------------------------------------------------------

    def _ways(self, location: int, steps: Sequence[Step], aside: bool) -> Iterator[_Way]:
        """Where execution may go on behind the statements; one alone has to be more than an assignment."""
        frame, pc = self._runner.machine.frame, self._runner.machine.pc
        assert frame is not None
        function, linked = self._program.functions[frame.linked.name], frame.linked
        step = function.code[pc]
        assert isinstance(step, Gap)
        calls = len(steps) == 1 and isinstance(steps[0].wordings[0], NewCall)
        if not aside:
            if len(steps) >= self._least:
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


def _idle(statements: Sequence[Made]) -> bool:
    """Whether what is kept in a local variable is not used by the next statements."""
    for at, made in enumerate(statements):
        if isinstance(made, NewAssignment) and isinstance(made.target, VariableReference):
            later = (mentioned(each) for each in statements[at + 1 :])
            if made.target.level != "global" and all(made.target.name not in each for each in later):
                return True
    return False
