"""Where the pointer came from by which an execution crashes.

A null pointer, one that nothing has set, one that leads to a freed node: it lay in a variable, which took it
from a field, which took it from another variable, and so on back to what made it.  Repairs by a new statement
set one of these places; what sets others only leads the execution past the crash.  (Bond et al., "Tracking
Bad Apples", OOPSLA 2007, follow the origin of such values in the running program.)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator
from typing import NamedTuple

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
)
from wolverine.core.parts import gone_through, parts, place_parts, without_casts
from wolverine.core.program import Assign, Call, Concrete, Instruction, Library, Program, Return, is_result
from wolverine.core.trace import Trace
from wolverine.core.types import PointerType
from wolverine.repair.execution.concrete import passed
from wolverine.repair.execution.pool import FAILED, Pool, look
from wolverine.repair.execution.tape import Tape
from wolverine.repair.source.asked import Asked
from wolverine.repair.source.walk import expressions_of
from wolverine.repair.special.omitted import allocating
from wolverine.semantics.activation import Mark
from wolverine.semantics.address import ADDRESS_MASK, GLOBALS, frame_base, node_address, number_of
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

_STEPS = 30_000  # of an execution that is looked into
_LINKS = 40  # of the way back

Named = tuple[str, LValue]  # a function and a place in it


class Origins(NamedTuple):
    """The places where the pointer lay, the crash's first, each in a function; none: not known.

    Where nothing had set it (`unset`), it may have been copied from further places of its type.  A variable
    that `steers` a loop and stays the same in it may be what led there.  Where it lay `beyond` what it led
    to, that is about numbers.  Where a function of the program that makes no nodes had answered with it, as
    one does that has found nothing, so many nodes had been made by then (`answered`).  `searched` are those
    of the functions that answered with it whose callers ask elsewhere whether they have found anything.
    """

    places: tuple[Named, ...] = ()
    unset: bool = False
    steers: Collection[tuple[str, str]] = ()
    beyond: bool = False
    answered: int | None = None
    searched: frozenset[str] = frozenset()

    def told(self, function: str, target: LValue) -> bool:
        """Whether an assignment to the target in a function may set one of the places, or none is known."""
        if not self.places or any(_same(function, target, *each) for each in self.places):
            return True
        if isinstance(target, VariableReference) and (function, target.name) in self.steers:
            return True
        return self.unset and isinstance(target, Member) and target.type in {p.type for _, p in self.places}

    @property
    def reckoned(self) -> bool:
        """Whether numbers tell where the pointer lay, as a subscript does, or that is not known."""
        return self.beyond or not self.places or any(_reckoned(place) for _, place in self.places)

    def given(self, program: Program) -> frozenset[str]:
        """The parameters, where the pointer lay in no other places: just what the function was given."""
        parameters = program.functions[self.places[0][0]].parameters if self.places else ()
        alone = all(place in parameters for _, place in self.places)
        return frozenset(v.name for _, v in self.places if isinstance(v, VariableReference) and alone)


UNKNOWN = Origins()


def origins(program: Program, trace: Trace) -> Origins:
    """Where the pointer lay that crashes an execution."""
    if not trace.bare or trace.crash is None:
        return UNKNOWN
    machine = Machine(program, strict=trace.strict)
    try:
        seat(machine, trace.start, trace.start_stack)
        back = Way(machine, Tape(machine, trace))
        unset = back.fault is not None and back.fault.kind == "uninitialised"
        places, answered, making = [], None, allocating(program)
        for name, place in back.places():
            places.append((name, place))
            if answered is None and is_result(place) and name not in making:
                answered = machine.memory.node_count
        answering = {name for name, place in places if is_result(place)}
        searched = Asked(program).functions & answering if answering else frozenset[str]()
        return Origins(tuple(places), unset, answered=answered, searched=searched)
    except Halt:
        return UNKNOWN


class Way:
    """An execution that has crashed, which is gone back; that may be done once."""

    def __init__(self, machine: Machine, tape: Tape) -> None:
        self._machine = machine
        self._pool = Pool(machine)
        self._marks: list[Mark] = []
        self.fault = self._follow(tape)

    def places(self) -> Iterator[Named]:
        """Where the pointer lay, in the order in which they are come to."""
        for name, place, _ in self._back(self._bad()):
            yield name, place

    def link(self) -> int | None:
        """The cell of a node out of which the pointer came last; None where it came out of none."""
        return self._out_of(self._bad())

    def link_freed(self) -> int | None:
        """The same of the pointer by which the node was freed that the execution uses in the end."""
        if self.fault is None or not self.fault.node:
            return None
        machine, node = self._machine, self.fault.node
        while self._marks and machine.memory.gone(node_address(node)):
            machine.undo(self._marks.pop())
        if machine.frame is None:
            return None
        self._marks.append(machine.mark())
        return self._out_of(self._leading(node))

    def _out_of(self, found: tuple[LValue, int] | None) -> int | None:
        keys = (key for _, _, key in self._back(found))
        return next((key for key in keys if number_of(key & ADDRESS_MASK) < GLOBALS), None)

    def _back(self, found: tuple[LValue, int] | None) -> Iterator[tuple[str, LValue, int]]:
        """From a place and its cell back to where what it holds came from: function, place, cell."""
        machine = self._machine
        for _ in range(_LINKS):
            if found is None or machine.frame is None:
                return
            place, key = found
            yield machine.frame.linked.name, place, key
            at = self._written(key)
            if at is None:
                return
            machine.undo(self._marks[at])
            del self._marks[at + 1 :]
            step = self._step()
            if isinstance(step, Assign) and machine.frame is not None:
                yield machine.frame.linked.name, step.target, key
            found = self._source(step, key)

    def _follow(self, tape: Tape) -> Fault | None:
        """Execute the program, and remember each moment, up to the fault."""
        machine = self._machine
        try:
            for _ in range(_STEPS):
                if machine.frame is None:
                    return None
                self._marks.append(machine.mark())
                if not isinstance(self._step(), Concrete):
                    if machine.step() in ("exited", "undetermined"):
                        return None
                elif not passed(machine) and not tape.take(machine):
                    return None
        except Fault as fault:
            return fault
        return None

    def _step(self) -> Instruction:
        frame = self._machine.frame
        assert frame is not None
        return frame.linked.steps[self._machine.pc]

    def _bad(self) -> tuple[LValue, int] | None:
        """The place that holds the pointer by which the execution crashes, and its cell."""
        fault = self.fault
        if fault is None:
            return None
        if fault.kind not in ("uninitialised", "null"):
            return self._leading(fault.node)
        for place, key in self._read():
            raw = self._machine.memory.cells.get(key)
            if key == fault.cell if fault.kind == "uninitialised" else raw == 0:
                return place, key
        return None

    def _leading(self, node: int) -> tuple[LValue, int] | None:
        """The place that an instruction reads which leads to a node, and its cell."""
        for place, key in self._read() if node else ():
            raw = self._machine.memory.cells.get(key)
            if isinstance(raw, int) and number_of(raw) == node:
                return place, key
        return None

    def _read(self) -> Iterator[tuple[LValue, int]]:
        """What the instruction at hand reads, as `_used` orders it, with the cells."""
        for place in _used(self._step()):
            key = self._key(place)
            if key is not None:
                yield place, key

    def _key(self, place: LValue) -> int | None:
        frame = self._machine.frame
        assert frame is not None
        [closure] = self._pool.keys(frame.linked.name, [place])
        key = look(self._machine, closure)
        return None if key is FAILED else key

    def _written(self, key: int) -> int | None:
        """At which moment the statement began that last wrote a cell."""
        trail = self._machine.memory.trail
        for at in range(len(trail) - 2, -1, -2):
            if trail[at] == key:
                moment = bisect_right(self._marks, at, key=lambda mark: mark.trail) - 1
                return moment if moment >= 0 else None
        return None

    def _source(self, step: Instruction, key: int) -> tuple[LValue, int] | None:
        """The place from which an instruction took what it writes to a cell."""
        match step:
            case Assign(_, _, value):
                return self._loaded(value)
            case Return(_, value) if value is not None:
                return self._loaded(value)
            case Call(_, function, arguments) if function in self._machine.program.functions:
                frame = self._machine.frame
                assert frame is not None
                base = frame_base(frame.depth + 1)
                parameters = self._machine.program.functions[function].parameters
                keys = self._pool.keys(function, parameters)
                for argument, closure in zip(arguments, keys, strict=False):
                    if closure(base) == key:
                        return self._loaded(argument)
        return None

    def _loaded(self, value: Expression) -> tuple[LValue, int] | None:
        read = without_casts(value)
        if not isinstance(read, Load):
            return None
        key = self._key(read.place)
        return None if key is None else (read.place, key)


def _used(step: Instruction) -> Iterator[LValue]:
    """The places whose pointers an instruction goes through, or hands on; then what else it reads."""
    if isinstance(step, Assign):
        yield from gone_through(step.target)
    inside = [part for each in expressions_of(step) for part in parts(each)]
    if isinstance(step, Assign):
        inside += place_parts(step.target)
    for part in inside:
        if isinstance(part, Load | AddressOf):
            yield from gone_through(part.place)
    if isinstance(step, Call | Library):
        yield from (p.place for p in inside if isinstance(p, Load) and isinstance(p.type, PointerType))
    yield from (part.place for part in inside if isinstance(part, Load))


def _reckoned(place: LValue) -> bool:
    inside = (*place_parts(place), Load(place))
    return any(isinstance(p, Load) and isinstance(p.place, Element) for p in inside) or any(
        isinstance(p, Binary) for p in inside
    )


def _same(function: str, target: LValue, where: str, place: LValue) -> bool:
    """Whether a target in a function may be a place in another one, as far as their forms tell."""
    match target, place:
        case VariableReference(name), VariableReference(other):
            return (
                name == other
                and target.level == place.level
                and (target.level == "global" or function == where)
            )
        case Member(base, name), Member(other, wanted):
            return name == wanted and base.type == other.type
        case (Element(), Element()):
            return target.type == place.type
    through = isinstance(target, Dereference) or isinstance(place, Dereference)
    return through and target.type == place.type
