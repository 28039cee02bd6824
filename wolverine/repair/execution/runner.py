"""One trace of a problem on a machine."""

from __future__ import annotations

from collections.abc import Mapping

from wolverine.core.expressions import Expression
from wolverine.core.patch import NO_EDITS, Patch
from wolverine.core.program import Program, reachable
from wolverine.core.trace import Trace
from wolverine.repair.execution.assignments import Assignments
from wolverine.repair.execution.focus import Focus
from wolverine.repair.execution.opening import open_menu
from wolverine.repair.execution.pool import Pool, look_again
from wolverine.repair.execution.schedule import Schedule, prepare
from wolverine.repair.execution.truths import Conditionals
from wolverine.repair.menus.candidates import Menus
from wolverine.semantics.activation import Mark
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

_UNKNOWN = 20_000
_BEYOND = 2_000  # steps that may lie behind a crash, besides as many as before it
LEAST = 1_000
TIMES = 4  # longer than the program as it is


class _Seat:
    """A machine at the start of a trace, with what was made on it; runners with other menus share it.

    One of them runs at a time: the one that was configured last.
    """

    def __init__(self, program: Program, trace: Trace, patch: Patch) -> None:
        self.machine = Machine(program, patch, strict=trace.strict, bounded=not trace.oversteps)
        seat(self.machine, trace.start, trace.start_stack)
        self.pool = Pool(self.machine)
        self.truths: dict[tuple[str, Expression], Evaluate] = {}
        self.focus = Focus(self.machine, (), {}, {})
        self.reachable = reachable(program, (name for name, _ in trace.start_stack))
        self._schedules: dict[tuple[int, bool, frozenset[int]], Schedule] = {}

    def prepared(self, trace: Trace, own_control: bool, without: frozenset[int]) -> Schedule:
        """The schedule of a trace, of this one or one that begins as it does."""
        name = id(trace), own_control, without
        found = self._schedules.get(name)
        if found is None:
            found = prepare(self.machine, trace, own_control=own_control, without=without)
            self._schedules[name] = found  # which holds the trace
        return found


class Runner:
    """One trace: its machine, schedule and opened menus."""

    def __init__(
        self,
        program: Program,
        trace: Trace,
        menus: Menus,
        patch: Patch = NO_EDITS,
        *,
        beside: Runner | None = None,
    ) -> None:
        """The machine executes the program under `patch`; it is that of `beside`, a runner of the trace.

        Of the two, the one that was configured last may run.
        """
        self._seat: _Seat = _Seat(program, trace, patch) if beside is None else beside._seat
        self.machine = self._seat.machine
        self.origin: Mark = self.machine.mark() if beside is None else beside.origin
        self.trace = trace
        self.pool = self._seat.pool
        self.length: int | None = None  # machine steps of the program as it is, where it can be followed
        self.crashes: int | None = None  # steps after which it crashes, where the trace ends with that
        self._menus = menus
        self.schedule: Schedule = self.prepared()
        self._opened: dict[int, Assignments | Conditionals] = {}
        self._truths = self._seat.truths
        self._editable: dict[str, dict[int, int]] = {}
        self.reachable = self._seat.reachable

    def prepared(
        self,
        trace: Trace | None = None,
        *,
        own_control: bool = False,
        without: frozenset[int] = frozenset(),
    ) -> Schedule:
        """The schedule of the trace, or of one that stands in for it; as `schedule.prepare`."""
        return self._seat.prepared(self.trace if trace is None else trace, own_control, without)

    def configure(self, schedule: Schedule, editable: Mapping[str, Mapping[int, int]]) -> None:
        """Run by this schedule from now on, with these locations by function and instruction.

        What a call inside of a statement calls may change only where the menus have calls, and jumps may go
        where they have jumps.
        """
        free = {"callee": self._menus.widened["calls"], "jump": self._menus.guarded}
        if not all(free.values()):
            location = self.machine.program.location
            editable = {
                name: {i: each for i, each in found.items() if free.get(location(each).kind, True)}
                for name, found in editable.items()
            }
        self.machine.undo(self.origin)
        self.focus(None)
        self.schedule = schedule
        stops: dict[str, set[int]] = {f: set(found) for f, found in schedule.watched.items()}
        for function, locations in editable.items():
            stops.setdefault(function, set()).update(locations)
        self.machine.set_stops(stops)
        self._editable = {f: dict(found) for f, found in editable.items()}
        self.origin = self.machine.mark()
        self._seat.focus = Focus(self.machine, self.reachable, self._editable, schedule.watched)

    def focus(self, locations: frozenset[int] | None) -> None:
        """Stop only at these of the editable locations from now on (None: at all), and at the events.

        What else is there runs at the machine's full speed.
        """
        self._seat.focus.on(locations)

    @property
    def leaping(self) -> bool:
        """Whether the menus offer jumps, which lead where no statement of the program does."""
        return self._menus.guarded

    @property
    def patience(self) -> int:
        """How many steps and arrivals one candidate may take to get to the end of the trace."""
        if self.length is not None:
            return LEAST + TIMES * self.length
        if self.crashes is not None:
            return _BEYOND + TIMES * self.crashes
        return _UNKNOWN + 200 * len(self.schedule.groups)

    def location(self, function: str, index: int) -> int | None:
        """The location that may change at an instruction."""
        return self._editable.get(function, {}).get(index)

    def menu(self, location: int) -> Assignments | Conditionals | None:
        """The opened menu of a location, None when it offers nothing."""
        found = self._opened.get(location)
        if found is None:
            menu = self._menus.menu(location)
            if menu is None:
                return None
            found = self._opened[location] = open_menu(self.pool, menu)
        return found

    def truth(self, function: str, condition: Expression) -> bool | None:
        """What a branch's condition says, None when evaluating it is a fault."""
        closure = self._truths.get((function, condition))
        if closure is None:
            [closure] = self.machine.evaluators.truths(function, [condition])
            self._truths[function, condition] = closure
        try:
            return bool(closure(self.machine.frame.base))  # type: ignore[union-attr]
        except (KeyError, Halt) as problem:
            value = look_again(self.machine, closure, problem)
            return bool(value) if isinstance(value, (int, float)) else None
