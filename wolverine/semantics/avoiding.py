"""How an execution shows that it comes to a crash no more.

Its function ends, or it asks for more, or it is past the statement and there uses what it has freed, or does
what the model cannot do.
"""

from __future__ import annotations

from collections.abc import Collection, Container

from wolverine.core.program import Concrete, Program, Return, successors
from wolverine.core.trace import End, Position, Trace
from wolverine.semantics.activation import count_key, outwards
from wolverine.semantics.concrete import called_functions, passable
from wolverine.semantics.faults import FREED, Fault
from wolverine.semantics.machine import Machine
from wolverine.semantics.scanning import SCANNING


def avoids(
    program: Program,
    crash: Position,
    within: Container[tuple[int, str]],
    activation: int,
    function: str,
    instruction: int,
) -> bool:
    """Whether the activation that crashed, one that it is `within`, or the first ended without the crash."""
    if activation and (activation, function) != crash[:2] and (activation, function) not in within:
        return False
    if (activation, function, instruction) == crash[:3]:
        return False
    called = program.functions[function]
    return isinstance(called.code[instruction], Return) and instruction == called.end


def ending_in(trace: Trace, crash: End) -> set[str]:
    """The functions at whose ends it shows that the crash is avoided."""
    return {crash.position.function, trace.start_stack[0][0], *(name for _, name in crash.within)}


def past(machine: Machine, crash: Position, fault: Fault) -> bool:
    """Whether the function that crashed uses freed nodes where it cannot come to the crash any more.

    That is a fault of its own, which is not the crash's: `fault` is what the machine stands before.
    """
    frame = machine.frame
    if fault.kind not in FREED or frame is None or (frame.number, frame.linked.name) != crash[:2]:
        return False
    return _is_behind(machine.program, crash, machine.pc)


def does_more(machine: Machine, done: Container[tuple[int, str, int, int]], crash: Position) -> bool:
    """Whether it is about to do what the process has not, where the function that crashed is past that.

    What it does is not known then, but the crash does not come.  `done` are the positions of the statements
    that are not modelled, as far as the process came.
    """
    frame, pc = machine.frame, machine.pc
    step = frame.linked.steps[pc] if frame is not None else None
    if frame is None or not isinstance(step, Concrete) or passable(machine, step):
        return False
    visits = machine.memory.cells.get(count_key(frame.number, pc), 0)
    if (frame.number, frame.linked.name, pc, visits + 1) in done:
        return False
    for each in outwards(frame):
        if (each.number, each.linked.name) == crash[:2]:
            return _is_behind(machine.program, crash, pc)
        pc = each.back
    return False


def _is_behind(program: Program, crash: Position, instruction: int) -> bool:
    """Whether an instruction of the function that crashed does not lead to the crash any more."""
    code = program.functions[crash.function].code
    seen: set[int] = set()
    work = [instruction]
    while work:
        index = work.pop()
        if index not in seen and index < len(code):
            seen.add(index)
            work += successors(code[index], index)
    return crash.instruction not in seen


def reads_on(machine: Machine, read: Collection[tuple[int, str, int, int]], crash: Position) -> bool:
    """Whether the function that crashed asks for input behind all that the process had read by then.

    A program that asks what to do has done what crashed, then.  `read` are the positions of the statements
    that are not modelled, as far as the process came.
    """
    frame = machine.frame
    if frame is None or (frame.number, frame.linked.name) != crash[:2]:
        return False
    name, pc = frame.linked.name, machine.pc
    if pc == crash.instruction or not _asks(machine, name, pc):
        return False
    cells = machine.memory.cells
    if (frame.number, name, pc, cells.get(count_key(frame.number, pc), 0) + 1) in read:
        return False
    return all(
        cells.get(count_key(number, at), 0) >= visit
        for number, function, at, visit in read
        if _asks(machine, function, at)
    )


def _asks(machine: Machine, function: str, instruction: int) -> bool:
    """Whether a statement that is not modelled reads input."""
    step = machine.program.functions[function].code[instruction]
    if not isinstance(step, Concrete):
        return False
    text = machine.program.location(step.location).text if step.location >= 0 else ""
    return not called_functions(step, text).isdisjoint(SCANNING)
