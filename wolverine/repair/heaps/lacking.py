"""What says that an execution lacks a node.

More nodes are asserted than it allocates, or it crashes by writing through a pointer that the program
never lets lead anywhere, or has just tested to be null.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from wolverine.core.expressions import Constant, Load, LValue, Member, lvalue_text
from wolverine.core.graph import NodeId, Pointer
from wolverine.core.parts import gone_through, null_test
from wolverine.core.program import Assign, Branch, Call, Concrete, Instruction, Jump, Library, Program
from wolverine.core.trace import Assertion, Problem, Trace
from wolverine.repair.execution.arrivals import follow
from wolverine.repair.execution.runner import Runner
from wolverine.repair.menus.allocations import unset
from wolverine.semantics.endless import advance
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine

_CRASHES_IN = 1_000  # instructions of the statement that crashed
_DEEPEST = 3  # calls by which a pointer that is never set is passed on


def lacking(problem: Problem, runners: Sequence[Runner]) -> bool:
    """Whether some execution lacks a node."""
    return any(
        _young(runner) or never_set(problem.program, runner.trace) or _reads_unset(runner)
        for runner in runners
    )


def _reads_unset(runner: Runner) -> bool:
    """Whether all that is known is a crash by what nothing had set, of an execution that makes nodes."""
    if not runner.trace.bare:
        return False
    with _as_it_is(runner) as machine:
        before = machine.memory.node_count
        try:
            follow(runner)
            advance(machine, _CRASHES_IN)
        except Fault as fault:
            return fault.kind == "uninitialised" and machine.memory.node_count > before
        except Halt:
            pass
    return False


@contextmanager
def _as_it_is(runner: Runner) -> Iterator[Machine]:
    """Within, the runner's machine executes the program as it is from where the trace begins."""
    machine = runner.machine
    machine.undo(runner.origin)
    runner.focus(frozenset())
    try:
        yield machine
    finally:
        machine.undo(runner.origin)


def _young(runner: Runner) -> bool:
    """Whether more nodes are asserted than the program as it is allocates on its way through the trace."""
    start = runner.trace.start.nodes
    most = 0
    for event in runner.trace.events:
        if isinstance(event, Assertion):
            held = (v.object for v in event.cells.values() if isinstance(v, Pointer))
            told = {*held, *(place.object for place in event.cells), *event.states}
            most = max(most, sum(isinstance(each, NodeId) and each not in start for each in told))
    return most > 0 and most > _allocated(runner)


def _allocated(runner: Runner) -> int:
    """How many nodes the program as it is allocates, whatever is asserted."""
    with _as_it_is(runner) as machine:
        before = machine.memory.node_count
        follow(runner)
        return machine.memory.node_count - before


def never_set(program: Program, trace: Trace) -> bool:
    """Whether the trace ends by a write through a pointer that is never set, or just tested to be null."""
    if trace.crash is None:
        return False
    _, function, instruction, _ = trace.crash.position
    through = _written_through(program, function, instruction)
    code = program.functions[function].code
    return passed_unset(program, function, instruction) or any(
        unset(program, function, each) or _tested_null(code, instruction, each) for each in through
    )


def _tested_null(code: Sequence[Instruction], instruction: int, place: LValue) -> bool:
    """Whether an `if` right before says that the place is null."""
    written = lvalue_text(place)
    for index in range(instruction - 1, -1, -1):
        match code[index]:
            case Branch(_, condition, if_true, if_false):
                tested, operator = null_test(condition) or (None, "")
                null = if_true if operator == "==" else if_false
                return tested is not None and null == index + 1 and lvalue_text(tested) == written
            case Branch() | Jump() | Call():
                return False
            case Assign(_, target) if lvalue_text(target) == written:
                return False
    return False


def passed_unset(program: Program, function: str, instruction: int) -> bool:
    """Whether it writes through a pointer that the function is passed, and that the caller never sets."""
    through = _written_through(program, function, instruction)
    return any(_passed(program, function, place, _DEEPEST) for place in through)


def _written_through(program: Program, function: str, instruction: int) -> Iterator[LValue]:
    code = program.functions[function].code
    # The model leaves a call that it cannot carry out to the instruction behind it.
    step = code[instruction - 1] if isinstance(code[instruction], Concrete) else code[instruction]
    match step:
        case Assign(_, target):
            yield from gone_through(target)
        case Library(_, "strcpy", (Load(target), _)):
            yield target
            yield from gone_through(target)


def _passed(program: Program, function: str, place: LValue, deepest: int) -> bool:
    """Whether the place is a parameter for which some call passes what is never set."""
    parameters = program.functions[function].parameters
    if not deepest or place not in parameters:
        return False
    number = parameters.index(place)
    for name, other in program.functions.items():
        values = {step.target: step.value for step in other.code if isinstance(step, Assign)}
        for step in other.code:
            if not isinstance(step, Call) or step.function != function or len(step.arguments) <= number:
                continue
            match step.arguments[number]:
                case Load(kept) if isinstance(passed := values.get(kept), Load):
                    given = passed.place
                    if isinstance(given, Member) and _linked(program, given):
                        continue
                    if unset(program, name, given) or _passed(program, name, given, deepest - 1):
                        return True
    return False


def _linked(program: Program, place: Member) -> bool:
    """Whether the program sets the field of any node to something else than null."""
    return any(
        isinstance(step, Assign)
        and isinstance(step.target, Member)
        and (step.target.name, step.target.base.type) == (place.name, place.base.type)
        and not (isinstance(step.value, Constant) and step.value.value == 0)
        for function in program.functions.values()
        for step in function.code
    )
