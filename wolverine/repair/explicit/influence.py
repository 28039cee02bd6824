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
from itertools import islice
from typing import Any

from wolverine.core.expressions import Expression, Load
from wolverine.core.graph import NodeId, ObjectId
from wolverine.core.program import Assign, Branch, Call, Concrete, Declare, Gap, Jump, Return
from wolverine.core.types import CType, is_scalar
from wolverine.repair.execution.arrivals import Arrivals
from wolverine.repair.execution.assignments import Assignments
from wolverine.repair.execution.concrete import passed
from wolverine.repair.execution.effects import JUMP, LEAVE, NOOP, landing, perform
from wolverine.repair.execution.pool import FAILED, look
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.schedule import Group
from wolverine.repair.execution.truths import Conditionals
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.foreseen import Foreseen
from wolverine.repair.explicit.operands import Operands, Unknown
from wolverine.repair.explicit.way import Again, Root, Step, Way, Write
from wolverine.semantics.activation import Activation, count_key
from wolverine.semantics.address import GLOBALS, STATE_KEY, cell_key, node_address, number_of
from wolverine.semantics.allocation import ALLOCATION
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.faults import FREED, Fault, Halt
from wolverine.semantics.machine import Machine

_STEPS = 2_000  # up to the failure
_ROOTS = 4  # wrong cells that are looked at
_OF_NODES = ("bounds", *FREED)
_WAYS = 8  # on which the choices of edits that were made part


class _Parts(Exception):  # noqa: N818
    """The choices of an edit that was made part."""

    def __init__(self, location: int, masks: Sequence[int]) -> None:
        super().__init__(location)
        self.location = location
        self.masks = masks


class Influence:
    """Foresees the failures of one trace."""

    def __init__(self, runner: Runner, arrivals: Arrivals, work: Work) -> None:
        self._runner = runner
        self._arrivals = arrivals
        self._work = work
        self._operands = Operands(runner)
        self._own: dict[str, frozenset[int]] = {}

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
        ways: list[Way] = []
        left = [dict(decided)]
        while left:
            if len(left) + len(ways) > _WAYS:
                return None
            made = left.pop()
            try:
                ways.append(self._walk(following, bound, location, times, dict(made)))
            except _Parts as parts:
                left += [{**made, parts.location: mask} for mask in parts.masks]
            except Unknown:
                return None
            finally:
                machine.undo(mark)
        return Foreseen(ways)

    def _walk(
        self,
        following: int,
        bound: bool | None,
        location: int,
        times: Mapping[int, int],
        decided: dict[int, int],
    ) -> Way:
        runner = self._runner
        machine, schedule = runner.machine, runner.schedule
        steps: list[Step] = []
        seen: dict[int, int] = {location: times.get(location, 0) - 1}
        met: set[int] = set()
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
                        return Way(steps, *self._unmet(frame, pc, following))
                    following, bound, moved = arrival
                    if moved:
                        continue
            arrived = False
            step = Step()
            steps.append(step)
            here = runner.location(name, pc)
            if here is not None:
                if here in met and here not in decided and pc in frame.linked.stops:
                    step.again = self._again(here)
                met.add(here)
                seen[here] = seen.get(here, times.get(here, 0)) + 1
                step.execution = here, seen[here]
            if here is not None and here in decided:
                failed = self._edited(frame, pc, here, bound, decided, step)
            else:
                failed = self._plain(frame, pc, bound, step)
            if failed is not None:
                step.fails = True
                return Way(steps, [Root(frozenset(failed))])
        raise Unknown

    def _again(self, location: int) -> Again | None:
        """What the choices at a location do in the present state; None where that is not looked into."""
        menu = self._runner.menu(location)
        if type(menu) is not Assignments:
            return None
        readers = self._operands.readers(menu.menu)
        if readers is None:
            return None
        self._work.spend(8)
        closures, others = readers
        reads = [(key, mask) for closure, mask in closures for key in self._operands.keys((closure,))]
        return Again(menu.classes(menu.menu.all), reads, others)

    # -- one step ----------------------------------------------------------------------------------

    def _plain(self, frame: Activation, pc: int, bound: bool | None, found: Step) -> list[int] | None:
        """Execute an instruction of the program; what it depends on where it fails, else None."""
        runner = self._runner
        machine = runner.machine
        step = frame.linked.steps[pc]
        if isinstance(step, Concrete):
            if not passed(machine):
                raise Unknown
            return None
        if isinstance(step, (Gap, Jump, Declare)):
            before = len(machine.memory.trail)
            machine.step()
            found.writes = _written(machine, before)
            return None
        addresses, values, written = self._operands.of(frame.linked.name, pc, step)
        used, read = self._operands.keys(addresses), self._operands.keys(values)
        if isinstance(step, Branch):
            found.always = read
            truth = runner.truth(frame.linked.name, step.condition)
            if truth is None or (bound is not None and truth is not bound):
                return read
            machine.pc = frame.linked.following[step.if_true if truth else step.if_false]
            return None
        key = look(machine, written) if written is not None else FAILED
        found.always = used
        before = len(machine.memory.trail)
        try:
            outcome = machine.step()
        except Fault as fault:
            if fault.node:  # how large it is, and whether it is there, depends on other statements
                return [*used, *read, node_address(fault.node) + STATE_KEY]
            if fault.kind in _OF_NODES:
                raise Unknown from None
            return used + read
        except Halt:
            raise Unknown from None
        if outcome not in (None, "stop", "concrete"):
            raise Unknown
        match step:
            case Assign(_, target, value):
                if not isinstance(key, int):
                    raise Unknown
                found.writes = [Write(key, read, _copies(value, target.type, read, values))]
            case Call(_, called) if machine.frame is not frame:
                if called in ALLOCATION or machine.frame is None:
                    raise Unknown
                self._passed(machine.frame, step, read, found)
            case Return(_, value) if frame.caller is not None:
                found.writes = self._returned(frame, value, read)
                found.left = frame.base, self._cells(frame)
            case _:
                found.always = used + read
                found.writes = _written(machine, before)
        return None

    def _passed(self, called: Activation, call: Call, read: list[int], found: Step) -> None:
        """What a call writes in the activation that it begins, each parameter from one temporary."""
        parameters = called.linked.compiled.parameters
        if not len(parameters) == len(call.arguments) == len(read):
            found.always = read
            found.wild = True
            return
        found.writes = [
            Write(cell_key(ctype, called.base + offset), (cell,), ctype == argument.type)
            for (offset, ctype), argument, cell in zip(parameters, call.arguments, read, strict=True)
        ]

    def _cells(self, frame: Activation) -> frozenset[int]:
        """The cells of an activation's own variables, from its base on."""
        name = frame.linked.name
        if name not in self._own:
            self._own[name] = frozenset(frame.linked.compiled.cells)
        return self._own[name]

    def _returned(self, frame: Activation, value: Expression | None, read: list[int]) -> list[Write]:
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
        cell = cell_key(call.result.type, address + (caller.base if relative else 0))
        same = isinstance(value, Load) and value.type == call.result.type and len(read) == 1
        return [Write(cell, read, same)]

    def _edited(
        self,
        frame: Activation,
        pc: int,
        location: int,
        bound: bool | None,
        decided: dict[int, int],
        found: Step,
    ) -> list[int] | None:
        """Execute an edit that was made; raises `_Parts` where its choices do not all do the same."""
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
            others = decided[location] & ~sum(classes.values())
            raise _Parts(location, [mask for mask in (*classes.values(), others) if mask])
        if not classes:
            return found.always
        [(effect, mask)] = classes.items()
        decided[location] = mask
        if isinstance(menu, Conditionals):
            machine.pc = frame.linked.following[menu.onward(effect)]
            return None
        if isinstance(effect, tuple) and effect[0] in (LEAVE, JUMP):
            raise Unknown
        before = len(machine.memory.trail)
        perform(machine, effect)
        found.writes = _written(machine, before)
        found.wild = effect == NOOP  # it may write what is there already
        machine.pc = landing(frame.linked, pc, effect)
        return None

    # -- what fails --------------------------------------------------------------------------------

    def _unmet(self, frame: Activation, pc: int, following: int) -> tuple[list[Root], dict[int, Any]]:
        """Why the trace is not met here: each of these has to change; and what is asserted."""
        machine, schedule = self._runner.machine, self._runner.schedule
        if following == len(schedule.groups) or isinstance(frame.linked.steps[pc], Concrete):
            raise Unknown
        group = schedule.groups[following]
        visits = machine.memory.cells.get(count_key(frame.number, pc))
        if group.position != (frame.number, frame.linked.name, pc, visits):
            return [Root()], {}  # it came here although it should not: only tests matter
        roots = list(islice(self._wrong(group), _ROOTS))
        if not roots:
            raise Unknown
        return roots, self._asserted(group)

    def _asserted(self, group: Group) -> dict[int, Any]:
        """What every execution that is right holds here, whatever the nodes are called that it allocates."""
        start = self._runner.trace.start.nodes
        return {
            cell.keys[0]: cell.raw
            for check in group.checks
            for cell in check.cells
            if len(cell.keys) == 1 and (check.renamed is None or _fixed(cell.place.object, cell.raw, start))
        }

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


def _written(machine: Machine, before: int) -> list[Write]:
    """The cells written since the trail of memory had that length."""
    return [Write(cell, ()) for cell in dict.fromkeys(machine.memory.trail[before::2])]


def _copies(value: Expression, ctype: CType, read: Sequence[int], closures: Sequence[Evaluate]) -> bool:
    """Whether a value is what a cell holds, the first of those that are read."""
    return isinstance(value, Load) and value.type == ctype and len(read) == len(closures)


def _fixed(holder: ObjectId, raw: Any, start: Mapping[NodeId, object]) -> bool:
    """Whether no other name for a node that the trace allocates makes another assertion of this one."""
    if isinstance(holder, NodeId) and holder not in start:
        return False
    if not isinstance(raw, int):
        return False
    number = number_of(raw)
    return not 0 < number < GLOBALS or NodeId(number) in start
