"""What the last edit has to touch: the cells on which the failure to come depends.

With one edit left, the execution goes on as it is up to that edit, and without it up to where it fails.
Up to there an effect makes a difference only where it changes a cell that a test, the address of a write, or
what fails itself depends on: a dynamic backward slice of the failure.  Everything else ends in the same
failure and need not be executed.  Where several cells are wrong, the edit has to touch what each of them
depends on (Wolverine2 has no counterpart; the bound is admissible: a slice may name too much, never too
little, and where something is not understood nothing is left out).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from wolverine.core.graph import NodeId, ObjectId
from wolverine.core.program import Assign, Branch, Call, Concrete, Declare, Gap, Jump, Return
from wolverine.core.types import is_scalar
from wolverine.repair.arrivals import Arrivals
from wolverine.repair.concrete import passable
from wolverine.repair.demand import Cells, Demand, Need
from wolverine.repair.effects import CRASH, LEAVE, Effect, landing, perform
from wolverine.repair.operands import Operands, Unknown
from wolverine.repair.pool import FAILED, look
from wolverine.repair.runner import Runner
from wolverine.repair.schedule import Group
from wolverine.repair.truths import Conditionals
from wolverine.repair.work import Work
from wolverine.semantics.address import GLOBALS, cell_key, number_of
from wolverine.semantics.compiled import LIBRARY
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Activation, count_key

_STEPS = 2_000  # up to the failure
_ROOTS = 4  # wrong cells that are looked at


@dataclass(frozen=True, slots=True)
class Root:
    """What fails: it depends on `cells`, or is that `key` does not hold `raw`."""

    cells: Cells = frozenset()
    key: int = -1
    raw: Any = None


@dataclass(frozen=True)
class Foreseen:
    """The way to the failure: what is needed right behind each execution of a location that may change.

    An execution is given as (location, how often it was executed by then); there is nothing where nothing is
    known.
    """

    needs: Mapping[tuple[int, int], Sequence[Need]]

    def behind(self, location: int, times: int, mine: Effect, held: Mapping[int, Any]) -> Demand | None:
        """What another effect than `mine`, that of the statement as it is, has to do in memory `held`.

        None for anything: where it suffices that the statement does not do what it does, where the location
        is executed once more, and where it is what fails.
        """
        if mine == CRASH or not isinstance(mine, tuple) or (location, times + 1) in self.needs:
            return None
        left = [need for need in self.needs.get((location, times), ()) if mine[0] not in need.cells]
        return Demand(left, mine[0], held) if left else None


@dataclass(slots=True)
class _Step:
    """What one step reads: always of importance, or only where the cell that it writes is.

    `execution` is set where a location is executed that may change.
    """

    always: list[int] = field(default_factory=list)
    writes: list[tuple[int, list[int]]] = field(default_factory=list)
    execution: tuple[int, int] | None = None
    fails: bool = False


class Influence:
    """Foresees the failures of one trace."""

    def __init__(self, runner: Runner, arrivals: Arrivals, work: Work) -> None:
        self._runner = runner
        self._arrivals = arrivals
        self._work = work
        self._operands = Operands(runner)

    def foresee(
        self,
        following: int,
        bound: bool | None,
        location: int,
        times: Mapping[int, int],
        decided: Mapping[int, int],
    ) -> Foreseen | None:
        """The failure to which the present state leads without a further edit; None where there is none.

        The machine stands at `location`, what the trace asks there is met; `bound` is the decision that
        binds.  `times` are the executions so far, `decided` the edits that were made.
        """
        machine = self._runner.machine
        mark = machine.mark()
        try:
            way, roots = self._walk(following, bound, location, times, dict(decided))
        except Unknown:
            return None
        finally:
            machine.undo(mark)
        return Foreseen(_needs(way, roots))

    def _walk(
        self,
        following: int,
        bound: bool | None,
        location: int,
        times: Mapping[int, int],
        decided: dict[int, int],
    ) -> tuple[list[_Step], list[Root]]:
        runner = self._runner
        machine, schedule = runner.machine, runner.schedule
        way: list[_Step] = []
        seen: dict[int, int] = {location: times.get(location, 0) - 1}
        arrived = True
        for _ in range(_STEPS):
            self._work.spend(4)
            frame = machine.frame
            if frame is None or schedule.over(machine, following):
                break
            name, pc = frame.linked.name, machine.pc
            if not arrived:
                bound = None
                if pc in schedule.watched.get(name, ()):
                    arrival = self._arrivals.arrive(runner, following)
                    if arrival is None:
                        return way, self._unmet(frame, pc, following)
                    following, bound, moved = arrival
                    if moved:
                        continue
            arrived = False
            step = _Step()
            way.append(step)
            here = runner.location(name, pc)
            if here is not None:
                seen[here] = seen.get(here, times.get(here, 0)) + 1
                step.execution = here, seen[here]
            if here is not None and here in decided:
                failed = self._edited(frame, pc, here, bound, decided, step)
            else:
                failed = self._plain(frame, pc, bound, step)
            if failed is not None:
                step.fails = True
                return way, [Root(frozenset(failed))]
        raise Unknown

    # -- one step ----------------------------------------------------------------------------------

    def _plain(self, frame: Activation, pc: int, bound: bool | None, found: _Step) -> list[int] | None:
        """Execute an instruction of the program; what it depends on where it fails, else None."""
        runner = self._runner
        machine = runner.machine
        step = frame.linked.steps[pc]
        if isinstance(step, Concrete):
            if not passable(machine, step):
                raise Unknown
            machine.pc = frame.linked.following[pc + 1]
            return None
        if isinstance(step, (Gap, Jump, Declare)):
            machine.step()
            return None
        addresses, values, written = self._operands.of(frame.linked.name, pc, step)
        used, read = self._operands.keys(addresses), self._operands.keys(values)
        if isinstance(step, Branch):
            found.always = read
            truth = runner.truth(frame.linked.name, pc, step)
            if truth is None or (bound is not None and truth is not bound):
                return read
            machine.pc = frame.linked.following[step.if_true if truth else step.if_false]
            return None
        key = look(machine, written) if written is not None else FAILED
        found.always = used
        try:
            outcome = machine.step()
        except Fault:
            return used + read
        except Halt:
            raise Unknown from None
        if outcome not in (None, "stop", "concrete"):
            raise Unknown
        match step:
            case Assign():
                if not isinstance(key, int):
                    raise Unknown
                found.writes = [(key, read)]
            case Call(_, called) if machine.frame is not frame:
                if called in LIBRARY or machine.frame is None:
                    raise Unknown
                found.always = used + read
            case Return() if frame.caller is not None:
                found.writes = self._returned(frame, read)
            case _:
                found.always = used + read
        return None

    def _returned(self, frame: Activation, read: list[int]) -> list[tuple[int, list[int]]]:
        """What a return writes in the activation that it goes back to."""
        caller = frame.caller
        assert caller is not None
        call = caller.linked.steps[frame.back - 1]
        if not isinstance(call, Call):
            raise Unknown
        if call.result is None:
            return []
        if not is_scalar(call.result.type):
            raise Unknown
        relative, address = self._runner.machine.layout.address(caller.linked.name, call.result)
        return [(cell_key(call.result.type, address + (caller.base if relative else 0)), read)]

    def _edited(
        self,
        frame: Activation,
        pc: int,
        location: int,
        bound: bool | None,
        decided: dict[int, int],
        found: _Step,
    ) -> list[int] | None:
        """Execute an edit that was made, where all of its choices do the same."""
        machine = self._runner.machine
        menu = self._runner.menu(location)
        closures = self._operands.chosen(location, decided[location])
        if menu is None or closures is None:
            raise Unknown
        found.always = self._operands.keys(closures)
        classes = menu.classes(decided[location])
        if bound is not None and isinstance(menu, Conditionals):
            classes = {truth: mask for truth, mask in classes.items() if truth is bound}
        if len(classes) > 1:
            raise Unknown
        if not classes:
            return found.always
        [(effect, mask)] = classes.items()
        decided[location] = mask
        if isinstance(menu, Conditionals):
            machine.pc = frame.linked.following[menu.step.if_true if effect else menu.step.if_false]
            return None
        if isinstance(effect, tuple) and effect[0] == LEAVE:
            raise Unknown
        perform(machine, effect)
        machine.pc = landing(frame.linked, pc, effect)
        return None

    # -- what fails --------------------------------------------------------------------------------

    def _unmet(self, frame: Activation, pc: int, following: int) -> list[Root]:
        """Why the trace is not met here: each of these has to change."""
        machine, schedule = self._runner.machine, self._runner.schedule
        if following == len(schedule.groups) or isinstance(frame.linked.steps[pc], Concrete):
            raise Unknown
        group = schedule.groups[following]
        visits = machine.memory.cells.get(count_key(frame.number, pc))
        if group.position != (frame.number, frame.linked.name, pc, visits):
            return [Root()]  # it came here although it should not: only tests matter
        roots = list(islice(self._wrong(group), _ROOTS))
        if not roots:
            raise Unknown
        return roots

    def _wrong(self, group: Group) -> Iterator[Root]:
        """The cells that are wrong whatever the nodes are called which the trace allocates."""
        start = self._runner.trace.start.nodes
        for check in group.checks:
            if check.holds(self._runner.machine):
                continue
            wrong = list(check.failing(self._runner.machine))
            asserted = {cell.place: cell for cell in check.cells}
            for place in wrong:
                cell = asserted.get(place)
                if cell is None:  # whether a node is live
                    if check.renamed is None or place.object in start:
                        yield Root()
                    continue
                if check.renamed is not None and not _fixed(cell.place.object, cell.raw, start):
                    continue
                if len(cell.keys) == 1:
                    yield Root(key=cell.keys[0], raw=cell.raw)
                else:
                    yield Root(frozenset(cell.keys))


def _fixed(holder: ObjectId, raw: Any, start: Mapping[NodeId, object]) -> bool:
    """Whether no other name for a node that the trace allocates makes another assertion of this one."""
    if isinstance(holder, NodeId) and holder not in start:
        return False
    if not isinstance(raw, int):
        return False
    number = number_of(raw)
    return not 0 < number < GLOBALS or NodeId(number) in start


def _needs(way: Sequence[_Step], roots: Sequence[Root]) -> dict[tuple[int, int], list[Need]]:
    """By execution what is needed behind it for each root."""
    found: dict[tuple[int, int], list[Need]] = {
        step.execution: [] for step in way if step.execution is not None
    }
    for root in roots:
        cells, key = set(root.cells), root.key
        need = Need(root.cells, key, root.raw)
        for step in reversed(way):
            if step.execution is not None and not step.fails:
                if need.key != key or len(need.cells) != len(cells) or need.cells != cells:
                    need = Need(frozenset(cells), key, root.raw)
                found[step.execution].append(need)
            if step.always or step.writes:
                read = [k for cell, keys in step.writes if cell in cells or cell == key for k in keys]
                for cell, _ in step.writes:
                    cells.discard(cell)
                    if cell == key:
                        key = -1
                cells.update(read, step.always)
    return found
