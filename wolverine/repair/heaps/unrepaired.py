"""What the program as it is does on a fresh heap: repairs are measured against that.

A heap on which it goes through a null pointer that it was given, elsewhere than where it crashed in the
trace, is rather no input that the function is made for: that a repair gets round that crash says nothing.
So it is where it goes beyond an array, and in the trace it does not: the numbers that it was given are wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import Literal

from wolverine.core.expressions import Dereference, Load, LValue, VariableReference, lvalue_text
from wolverine.core.graph import MemoryGraph, Place, VariableId
from wolverine.core.parts import gone_through, parts, place_parts
from wolverine.core.program import Assign, Instruction, Program, Return
from wolverine.core.trace import Trace
from wolverine.core.types import IntType, PointerType
from wolverine.repair.execution.onward import ending, onward
from wolverine.repair.execution.pool import Pool, look
from wolverine.repair.execution.tape import Tape
from wolverine.repair.source.flow import begins_at_entry
from wolverine.repair.source.walk import expressions_of
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

Statement = tuple[str, int]  # function, line
Null = tuple[str, int, str]  # function, line, the pointer that is null there

_STEPS = 200_000

STALE = ("freed", "double-free", "uninitialised")


@dataclass(frozen=True, slots=True)
class Crash:
    """Where it crashes, and the null pointers that were given whose fault that is.

    `empty` says that it goes through null that was given otherwise: a copy, or what a `T **` leads to;
    `stale` that it uses what was freed, or what nothing has set; `beyond` that it goes beyond an array.
    The `pointer` is the one that was null, as text.
    """

    at: Statement
    given: frozenset[str]
    empty: bool
    stale: bool = False
    beyond: bool = False
    pointer: str = ""

    @property
    def null(self) -> Null:
        """Where it crashes, by which pointer."""
        return (*self.at, self.pointer)

    @property
    def lacks_a_case(self) -> bool:
        """Whether it goes through null that it was not given: nothing says that this never comes."""
        return not (self.given or self.empty or self.stale or self.beyond)


def crash_of(trace: Trace, program: Program) -> Statement | None:
    """The statement that crashed at the end of the trace."""
    if trace.crash is None:
        return None
    position = trace.crash.position
    return _statement(
        program, position.function, program.functions[position.function].code, position.instruction
    )


def stale_line(found: Sequence[tuple[Hashable, Collection[int]]]) -> int | None:
    """The line at which most use what was freed, of repairs by what each came to and the lines that it edits.

    Those that do so where they edit something tell nothing of the program.
    """
    lines: Counter[int] = Counter()
    for outcome, edited in found:
        match outcome:
            case ("crash", kind, int(line)) if kind in STALE and line not in edited:
                lines[line] += 1
    line, count = max(lines.items(), key=itemgetter(1), default=(0, 0))
    return line if 2 * count > len(found) else None


def led_somewhere(program: Program, trace: Trace) -> frozenset[str]:
    """The pointers, given to the function that crashed, that were not null where it began.

    None of them where that is not known: the crash lies further in than where the trace begins.
    """
    name = trace.start_stack[0][0]
    crash = trace.crash
    if crash is None or crash.position.function != name or not begins_at_entry(program, trace):
        return frozenset()
    machine = Machine(program, strict=True)
    try:
        seat(machine, trace.start, ((name, 0),))
        pointers = _pointers(program, name)
        return frozenset(map(lvalue_text, pointers)) - _null(machine, Pool(machine), name, pointers)
    except Halt:
        return frozenset()


def failures(
    program: Program, function: str, heaps: Iterable[MemoryGraph], patience: int, *, tolerant: bool = False
) -> int:
    """On how many of the heaps the function crashes, or comes to no end within so many steps.

    Where that is `tolerant`, freed nodes may be used, and nodes beyond their ends.
    """
    machine = Machine(program, stops={function: {program.functions[function].end}}, strict=True)
    machine.tolerant = machine.memory.elastic = tolerant
    found = 0
    for heap in heaps:
        mark = machine.mark()
        with suppress(Halt):
            seat(machine, heap, ((function, 0),))
            found += _fails(machine, patience)
        machine.undo(mark)
    return found


def faults(
    program: Program, function: str, heaps: Iterable[MemoryGraph], patience: int
) -> tuple[frozenset[Null], int]:
    """Where the function goes through null that it was not given, and how often it gets along."""
    machine = Machine(program, stops={function: {program.functions[function].end}}, strict=True)
    pool = Pool(machine)
    found: set[Null] = set()
    passed = 0
    for heap in heaps:
        mark = machine.mark()
        with suppress(Halt):
            seat(machine, heap, ((function, 0),))
            crash = run_on(machine, pool, patience)
            passed += crash is None
            if isinstance(crash, Crash) and crash.lacks_a_case:
                found.add(crash.null)
        machine.undo(mark)
    return frozenset(found), passed


def uses_unset(program: Program, function: str, heaps: Iterable[MemoryGraph], patience: int) -> bool:
    """Whether the function uses, on any of the heaps, what nothing has set."""
    machine = Machine(program, stops={function: {program.functions[function].end}}, strict=True)
    for heap in heaps:
        mark = machine.mark()
        try:
            seat(machine, heap, ((function, 0),))
            for went in onward(machine, patience):
                if went in ("limit", "endless"):
                    break
        except Fault as fault:
            if fault.kind == "uninitialised":
                return True
        except Halt:
            pass
        machine.undo(mark)
    return False


def _fails(machine: Machine, patience: int) -> bool:
    try:
        return next(onward(machine, patience)) in ("limit", "endless")
    except Fault:
        return True


def senseless(program: Program, trace: Trace, function: str, heap: MemoryGraph) -> bool:
    """Whether a function to which the trace gives a positive number is given none on the heap."""
    start = trace.start
    if function != trace.start_stack[0][0] or not start.frames:
        return False
    depth = start.frames[0].depth
    integers = {p.name for p in program.functions[function].parameters if isinstance(p.type, IntType)}
    places = (Place(VariableId(depth, function, name), 0) for name in integers)
    return any(_positive(start, place) and not _positive(heap, place) for place in places)


def _positive(graph: MemoryGraph, place: Place) -> bool:
    value = graph.cells.get(place)
    return isinstance(value, int) and value > 0


def touched(program: Program, locations: Iterable[int]) -> frozenset[Statement]:
    """The statements that edits of these locations change; what is inserted changes none."""
    found = (program.location(location) for location in locations)
    return frozenset((each.function, each.line) for each in found if each.kind != "gap")


def run_on(
    machine: Machine, pool: Pool, patience: int, tape: Tape | None = None
) -> Crash | Literal["endless"] | None:
    """Run from a function's entry up to its return, where the machine stays; how it crashes, or has no end.

    Statements that are not modelled do what is on the `tape`.
    """
    name = machine.frame.linked.name  # type: ignore[union-attr]
    given = _null(machine, pool, name, _links(machine.program, name))
    try:
        for went in onward(machine, patience, tape):
            if went in ("limit", "endless"):
                return "endless"
            if went != "stop" or returning(machine):
                break
    except Fault as fault:
        return _crash(machine, pool, fault, given)
    except Halt:
        pass
    return None


def returning(machine: Machine) -> bool:
    """Whether the machine stands at the return of its outermost activation."""
    frame = machine.frame
    return frame is not None and frame.caller is None and isinstance(frame.linked.steps[machine.pc], Return)


def _crash(machine: Machine, pool: Pool, fault: Fault, given: frozenset[str]) -> Crash | None:
    frame = machine.frame
    assert frame is not None
    name = frame.linked.name
    at = statement_at(machine)
    if at is None:
        return None
    pointer = _null_pointer(machine, pool) if fault.kind == "null" else ""
    if fault.kind != "null" or frame.caller is not None:
        stale, beyond = fault.kind in STALE, fault.kind == "bounds"
        return Crash(at, frozenset(), empty=False, stale=stale, beyond=beyond, pointer=pointer)
    through = list(_gone_through(frame.linked.steps[machine.pc]))
    pointers = _pointers(machine.program, name)
    plain = [each for each in through if each in pointers]
    copied = _copies(machine.program, name)
    others = [source for each in through for source in (each, *copied.get(lvalue_text(each), ()))]
    return Crash(
        at,
        given & _null(machine, pool, name, plain),
        empty=not given.isdisjoint(_null(machine, pool, name, others)),
        pointer=pointer,
    )


def null_at(machine: Machine, pool: Pool) -> Null | None:
    """Where a machine that goes through null stands."""
    at = statement_at(machine)
    return (*at, _null_pointer(machine, pool)) if at is not None else None


def null_of(program: Program, trace: Trace) -> Null | None:
    """Where the execution ends by going through null; None where it does not, or that is not known."""
    if trace.crash is None or trace.endless:
        return None
    machine = Machine(program, strict=True)
    try:
        seat(machine, trace.start, trace.start_stack)
        fault = ending(machine, _STEPS, Tape(machine, trace))
    except Halt:
        return None
    return null_at(machine, Pool(machine)) if fault is not None and fault.kind == "null" else None


def _null_pointer(machine: Machine, pool: Pool) -> str:
    """The pointer that is null in the instruction at which a machine stands ("": none of those in sight)."""
    frame = machine.frame
    if frame is None:
        return ""
    through = list(_gone_through(frame.linked.steps[machine.pc]))
    return min(_null(machine, pool, frame.linked.name, through), default="")


def statement_at(machine: Machine) -> Statement | None:
    """The statement before which, or in which, a machine stands."""
    frame = machine.frame
    if frame is None:
        return None
    return _statement(machine.program, frame.linked.name, frame.linked.steps, machine.pc)


def _statement(
    program: Program, function: str, code: Sequence[Instruction], instruction: int
) -> Statement | None:
    location = code[instruction].location
    return (function, program.location(location).line) if location >= 0 else None


def _copies(program: Program, function: str) -> dict[str, list[LValue]]:
    """By variable the pointers that were given and that the function copies into it as they are."""
    given = {lvalue_text(place) for place in _links(program, function)}
    found: dict[str, list[LValue]] = {}
    for step in program.functions[function].code:
        match step:
            case Assign(_, VariableReference() as target, Load(place)) if lvalue_text(place) in given:
                found.setdefault(lvalue_text(target), []).append(place)
    return found


def _pointers(program: Program, function: str) -> list[VariableReference]:
    """The pointers that a function is given: parameters and globals."""
    found = (*program.functions[function].parameters, *program.globals)
    return [variable for variable in found if isinstance(variable.type, PointerType)]


def _links(program: Program, function: str) -> Iterator[LValue]:
    """These, and the pointers to which they lead (`T **`)."""
    for variable in _pointers(program, function):
        yield variable
        match variable.type:
            case PointerType(PointerType() as link):
                yield Dereference(Load(variable), link)


def _null(machine: Machine, pool: Pool, function: str, places: Iterable[LValue]) -> frozenset[str]:
    """Those of the places, as text, that hold null now."""
    named = list(places)
    closures = pool.values(function, [Load(each) for each in named])
    return frozenset(
        lvalue_text(place)
        for place, closure in zip(named, closures, strict=True)
        if look(machine, closure) == 0
    )


def _gone_through(step: Instruction) -> Iterator[LValue]:
    """The pointers through which an instruction goes."""
    expressions = [part for each in expressions_of(step) for part in parts(each)]
    places: list[LValue] = [part.place for part in expressions if isinstance(part, Load)]
    if isinstance(step, Assign):
        places += [step.target, *(p.place for p in place_parts(step.target) if isinstance(p, Load))]
    for place in places:
        yield from islice(gone_through(place), 1)
