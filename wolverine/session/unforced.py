"""What is said where `enter` and `leave` cannot force a condition: why, and where they could."""

from __future__ import annotations

from wolverine.core.expressions import Constant, text
from wolverine.core.parts import without_casts
from wolverine.repair.source.equality import instead
from wolverine.session.execution import Execution
from wolverine.session.positions import UNMAPPED, CodeMap
from wolverine.session.steering import Fork, fork_at


def elsewhere(execution: Execution, command: str) -> str:
    """Where there are branches, as the innermost frame stands at none."""
    return _branches(execution, execution.here().stack[0][0]) + _further_out(execution, command)


def _further_out(execution: Execution, command: str) -> str:
    """The condition whose evaluation has led here, of the frame that was chosen or else of the nearest.

    It is forced before it is evaluated, not from within a call that it makes.
    """
    moment = execution.here()
    frames, chosen = moment.stop.frames, execution.debugger.selected()
    outer = list(zip(frames, moment.stack))[1:]
    found = [
        (frame, fork)
        for frame, (name, instruction) in outer
        if instruction != UNMAPPED and (fork := fork_at(execution.program, name, instruction)) is not None
    ]
    about = f". `{command}` is about the innermost frame"
    if chosen is not None and chosen != frames[0].depth:
        found = [each for each in found if each[0].depth == chosen]
        if not found:
            return f"{about}, not about the one that was chosen"
    if not found:
        return ""
    frame, fork = found[0]
    line = fork.location.line
    stops = [each for each in execution.path if not each.transit][-2::-1]
    there = (
        number
        for number, each in enumerate(stops, 1)
        if each.stop.frames
        and (each.stop.frames[0].function, each.stop.frames[0].cfa) == (frame.function, frame.cfa)
        and each.stack[0][1] != UNMAPPED
        and fork_at(execution.program, *each.stack[0]) == fork
    )
    back = next(there, 0)
    how = f"`tbreak {line}` and `run`"
    if back:
        how = "`back`" if back == 1 else f"`back {back}`"
    return (
        f"{about}; the condition at line {line} in {frame.function}, under way here, "
        f"is forced before it is evaluated: {how}, then `{command}`"
    )


def _branches(execution: Execution, name: str) -> str:
    """Where there are branches in a function; those that gcc has decided by itself have no jump."""
    code = execution.program.functions[name].code
    forks = {fork_at(execution.program, name, index) for index in range(len(code))}
    codes = version_map(execution)
    ranges = ((fork, codes.ranges(name, fork.unit)) for fork in forks if fork is not None)
    lines = sorted({fork.location.line for fork, each in ranges if each and execution.debugger.jumps(each)})
    if not lines:
        return f"; {name} has none"
    at = f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines))}"
    return f"; {name} has some at {at}"


def version_map(execution: Execution) -> CodeMap:
    """The machine code in which the process stands."""
    frame = execution.path[-1].stop.frames[0]
    version = execution.codes.of(frame.function, frame.pc)
    assert version is not None
    return version.map


def always(fork: Fork) -> str:
    """What is known of a condition without a branch in the machine code: one that stores a constant."""
    compared = instead(fork.function, fork.branches[0]) if len(fork.branches) == 1 else None
    match without_casts(compared.right) if compared is not None else None:
        case Constant(value) as constant:
            truth = "true" if value else "false"
            return f" (it stores {text(constant)}, and is always {truth}; maybe == was meant)"
    return ""
