"""The stretches between assertions of the whole state that the program as it is does not get right.

Where an assertion tells every cell that the rest of the execution can read, the state there is known
whatever edits lead to it.  The stretch up to the next assertion can then be executed on its own: if it
fails under the program as it is, every repair has an edit among the locations that may be executed in it.

How often an instruction was executed before depends on the edits all the same.  It is not needed: from
one event to the next no loop goes round without a decision, so that the next event of an activation
happens at the first arrival at its instruction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wolverine.core.expressions import AddressOf, Load, VariableReference
from wolverine.core.program import Assign, Branch, Call, Concrete, Function, Program
from wolverine.core.types import StructReference
from wolverine.repair.flow import forward, successors
from wolverine.repair.runner import Runner, reachable
from wolverine.repair.schedule import Group, apply_write
from wolverine.repair.walk import expressions_of, parts, place_parts
from wolverine.semantics.address import (
    ADDRESS_MASK,
    FRAME,
    GLOBALS,
    KIND_SHIFT,
    LOCALS,
    OPAQUE,
    POINTER,
    STATE,
    STATE_KEY,
    node_address,
    number_of,
)
from wolverine.semantics.faults import Halt
from wolverine.semantics.generate import spread
from wolverine.semantics.machine import Activation

_STEPS = 200_000
_FRAMES = 64  # deeper stacks are not looked at


@dataclass(frozen=True)
class _Start:
    """Where a stretch begins: (function, instruction, activation) innermost first, and the next group."""

    stack: tuple[tuple[str, int, int], ...]
    following: int


def failing_segments(runner: Runner) -> list[frozenset[int]]:
    """The locations of each failing stretch of the runner's trace."""
    return list(_Walk(runner).failing())


class _Walk:
    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._machine = runner.machine
        self._program = runner.machine.program
        self._first_depth = 0
        self._failed = False

    def failing(self) -> Iterator[frozenset[int]]:
        machine, runner = self._machine, self._runner
        machine.undo(runner.origin)
        runner.focus(frozenset())
        groups = runner.schedule.groups
        if machine.frame is None or not groups:
            return
        self._first_depth = machine.frame.depth
        start = self._start(0)
        self._known = True  # activations have the trace's numbers
        following, begun = 0, machine.steps
        while following < len(groups) and machine.steps - begun < _STEPS:
            frame = machine.frame
            if frame is None:
                self._failed = True
                break
            if not self._known and not self._followed(start, groups[following]):
                machine.undo(runner.origin)
                return
            arrived = self._arrive(following)
            if arrived is None:
                self._failed = True
                break
            group, bound, moved = arrived
            if group is not None:
                following += 1
                if group.checks and self._closes(group):
                    if self._failed:
                        yield self._between(start, following - 1)
                    self._write(group)
                    start, self._failed, self._known = self._start(following), False, False
                if group.end and not group.crashed:
                    break
            if not moved and not self._execute(bound):
                self._failed = True
                break
        else:
            if following < len(groups):
                machine.undo(runner.origin)
                return
        if following == len(groups):
            runner.length = machine.steps - begun
        if self._failed:
            yield self._between(start, len(groups) - 1)  # where it should have ended is not known
        machine.undo(runner.origin)

    @staticmethod
    def _followed(start: _Start, group: Group) -> bool:
        """Whether the group's activation is one that was there when the stretch began."""
        if not group.checks and not group.end and group.interval is None:
            return True
        return any(number == group.position.activation for _, _, number in start.stack)

    def _arrive(self, following: int) -> tuple[Group | None, bool | None, bool] | None:
        """What stands here: the group that is met or not, its decision, whether execution moved on."""
        machine, schedule = self._machine, self._runner.schedule
        frame = machine.frame
        assert frame is not None
        name, pc = frame.linked.name, machine.pc
        if pc not in schedule.watched.get(name, ()):
            return None, None, False
        position = (frame.number, name, pc, machine.visit())
        group = schedule.groups[following]
        met: Group | None = None
        here = group.place == (name, pc) and group.position.activation == frame.number
        if group.position == position or (here and not self._known):
            met = group
            if not all(check.holds(machine) for check in group.checks):
                self._failed = True
        elif position in schedule.at and self._known:
            return None
        elif group.decision is not None and group.place == (name, pc) and not group.checks:
            met = group
        step = frame.linked.steps[pc]
        free = met is not None and (met.free or met.crashed)
        if pc in schedule.loops.get(name, ()) and not free and (met is None or met.decision is None):
            return (met, None, False) if met is not None and met.end else None
        if isinstance(step, Concrete):
            write = schedule.writes.get(position)
            if write is None or met is not None or not self._known:
                return None
            apply_write(machine, write)
            machine.pc = frame.linked.following[pc + 1]
            return None, None, True
        if met is not None and met.interval is not None:
            return None  # what was not modelled ends the walk
        return met, met.decision if met is not None else None, False

    def _execute(self, bound: bool | None) -> bool:
        machine = self._machine
        frame = machine.frame
        assert frame is not None
        step = frame.linked.steps[machine.pc]
        try:
            if isinstance(step, Branch) and bound is not None:
                truth = self._runner.truth(frame.linked.name, machine.pc, step)
                if truth is not bound:
                    self._failed = True
                machine.pc = frame.linked.following[step.if_true if bound else step.if_false]
            elif isinstance(step, Concrete):
                return False
            else:
                machine.run(_STEPS)
        except Halt:
            return False
        return True

    # -- what an assertion tells ---------------------------------------------------------------------

    def _closes(self, group: Group) -> bool:
        """Whether the assertion tells all that the execution from here on can read."""
        machine = self._machine
        frame = machine.frame
        assert frame is not None
        cells = machine.memory.cells
        told: set[int] = set()
        for check in group.checks:
            for cell in check.cells:
                told.update(cell.keys)
        outside: set[int] = set()
        sizes: dict[int, int] = {}
        for key in cells:
            kind = key >> KIND_SHIFT
            if key < 0 or kind > OPAQUE:
                if key > 0 and kind == STATE:
                    sizes[number_of(key & ADDRESS_MASK)] = cells[key]
                continue
            if key in told:
                continue
            number = number_of(key & ADDRESS_MASK)
            if number < LOCALS:
                return False
            depth, index = divmod(number - LOCALS, FRAME)
            if depth < self._first_depth:
                outside.add(number)
                continue
            function = machine.function_at(depth)
            names = machine.layout.variables(function) if function is not None else ()
            temporary = index < len(names) and names[index].name.startswith("$")
            if not temporary or depth != frame.depth:
                return False
        if outside:
            for key, raw in cells.items():
                if key >> KIND_SHIFT == POINTER and raw.__class__ is int and number_of(raw) in outside:
                    return False
        return self._nodes_told(sizes, told) and self._variables_told(frame, told)

    def _nodes_told(self, sizes: dict[int, int], told: set[int]) -> bool:
        types, start = self._program.types, self._runner.trace.start
        for number, size in sizes.items():
            if size < 0 or number >= GLOBALS:
                return False
            node = next((n for n in start.nodes.values() if n.id.number == number), None)
            known = node.type if node is not None else None
            tags = [known.tag] if isinstance(known, StructReference) else list(types.structs)
            base = node_address(number)
            if not any(
                types.structs[tag].size == size
                and all(base + key in told for key in spread(types, StructReference(tag)))
                for tag in tags
                if tag in types.structs
            ):
                return False
        return True

    def _variables_told(self, frame: Activation | None, told: set[int]) -> bool:
        """Whether no variable is read or asserted from here on that this assertion does not tell."""
        machine, pc = self._machine, self._machine.pc
        cells = machine.memory.cells
        looked = 0
        groups = self._runner.schedule.groups
        later = {k for g in groups for check in g.checks for cell in check.cells for k in cell.keys}
        while frame is not None and frame.depth >= self._first_depth:
            looked += 1
            if looked > _FRAMES:
                return False
            function = self._program.functions[frame.linked.name]
            for variable in machine.layout.variables(frame.linked.name):
                _, offset = machine.layout.address(frame.linked.name, variable)
                keys = [frame.base + offset + key for key in spread(self._program.types, variable.type)]
                temporary = variable.name.startswith("$")
                if all(key in told or (key in cells and not temporary) for key in keys):
                    continue
                if _read_first(function, pc, variable) or not later.isdisjoint(keys):
                    return False
            pc, frame = frame.back, frame.caller
        return True

    def _write(self, group: Group) -> None:
        """Let the machine be in the asserted state."""
        memory = self._machine.memory
        for check in group.checks:
            for cell in check.cells:
                key = next((k for k in cell.keys if k in memory.cells), cell.keys[0])
                if memory.cells.get(key) != cell.raw:
                    memory.put(key, cell.raw)
            for node, live in check.nodes:
                key = node_address(node.number) + STATE_KEY
                held = memory.cells.get(key)
                if held is not None and (held >= 0) is not live:
                    memory.put(key, -1 - held)

    # -- where a stretch goes --------------------------------------------------------------------------

    def _start(self, following: int) -> _Start:
        machine = self._machine
        stack = []
        pc, frame = machine.pc, machine.frame
        while frame is not None:
            stack.append((frame.linked.name, pc, frame.number))
            pc, frame = frame.back, frame.caller
        return _Start(tuple(stack), following)

    def _between(self, start: _Start, end: int) -> frozenset[int]:
        """All locations that any candidate may execute from there to the position of group `end`."""
        groups = self._runner.schedule.groups
        group = groups[end]
        activation, name, instruction, _ = group.position
        before = groups[start.following : end]
        if instruction in self._runner.schedule.loops.get(name, ()):
            before = [g for g in before if g.place == group.place]  # no arrival without a decision
        last = not before and not group.crashed
        found: set[tuple[str, int]] = set()
        for function, pc, number in start.stack:
            at_end = number == activation and function == name
            stop = instruction if at_end and last else -1
            found.update((function, i) for i in forward(self._program.functions[function], pc, stop))
            if at_end:
                break
        called = reachable(self._program, _calls(self._program, found))
        result = {self._program.functions[f].code[i].location for f, i in found}
        for name in called:
            result.update(step.location for step in self._program.functions[name].code)
        result.discard(-1)
        return frozenset(result)


def _calls(program: Program, steps: Iterable[tuple[str, int]]) -> Iterator[str]:
    for function, index in steps:
        step = program.functions[function].code[index]
        if isinstance(step, Call):
            yield step.function


def _read_first(function: Function, pc: int, variable: VariableReference) -> bool:
    """Whether some way from `pc` reads the variable before it is written."""
    seen: set[int] = set()
    work = [pc]
    code = function.code
    while work:
        index = work.pop()
        if index in seen or index >= len(code):
            continue
        seen.add(index)
        step = code[index]
        for expression in expressions_of(step):
            for part in parts(expression):
                if isinstance(part, (Load, AddressOf)) and _names(part.place, variable):
                    return True
        if isinstance(step, Assign):
            for part in place_parts(step.target):
                if isinstance(part, (Load, AddressOf)) and _names(part.place, variable):
                    return True
            if step.target == variable:
                continue
        work += successors(function, index)
    return False


def _names(place: object, variable: VariableReference) -> bool:
    while not isinstance(place, VariableReference):
        inner = getattr(place, "base", None)
        if inner is None:
            return False
        place = inner
    return place.name == variable.name and place.level == variable.level
