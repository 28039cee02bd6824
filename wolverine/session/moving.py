"""Commands that move the process: running, stepping, forcing branches, going back."""

from __future__ import annotations

import re
from functools import partial

from wolverine.core.process import Stop
from wolverine.core.program import Branch
from wolverine.core.trace import Decision
from wolverine.errors import CommandError, DebuggerError, DebuggerLostError, ReplacedError
from wolverine.session.beginning import constrain
from wolverine.session.begun_anew import begin_anew
from wolverine.session.changing import reread, take_changes
from wolverine.session.evaluating import known
from wolverine.session.execution import Execution
from wolverine.session.moments import Moment
from wolverine.session.nodes_named import for_gdb, on_expressions, with_names
from wolverine.session.places import resolve_node
from wolverine.session.positions import UNMAPPED
from wolverine.session.reinstating import disturbed, reinstate, saved
from wolverine.session.showing import Showing
from wolverine.session.steering import Fork, address_of, fork_at, ways
from wolverine.session.unforced import always, elsewhere, version_map
from wolverine.session.visible import prefixes
from wolverine.session.without_code import moved_breakpoint
from wolverine.session.words import chooses_frame, meant, on_frames

# gdb's words
_UNKNOWN = re.compile(r'Undefined command: "([^"]+)"')
_NO_SYMBOL = re.compile(r'No symbol "(n[1-9]\d*)" in current context')
_ABSENT = re.compile(r'No symbol "\w+" in current context')
_NO_PROCESS = re.compile(
    rf"{_ABSENT.pattern}|Cannot access memory at|No frame (?:is currently executing|selected)"
)


def force(execution: Execution, command: str, taken: bool) -> Moment:
    """`enter` (`taken`) or `leave` at the condition before which the process stands.

    Raises CommandError where there is no branch here.
    """
    moment = execution.here()
    name, instruction = moment.stack[0] if moment.stack else ("", UNMAPPED)
    if instruction == UNMAPPED:
        raise CommandError("this code is not known to the model")
    fork = fork_at(execution.program, name, instruction)
    if fork is None:
        raise CommandError(f"there is no branch at this statement{elsewhere(execution, command)}")
    constrain(execution)
    execution.depart()
    before = saved(execution)
    try:
        if execution.program.functions[name].unit_of[instruction] != fork.unit:
            moment = _to_condition(execution, command, fork)
        branch, evaluated = fork.branches[0], True
        if len(fork.branches) > 1 or moment.stack[0][1] != branch:
            branch, evaluated = _evaluate(execution, fork)
        return _jump(execution, command, fork, branch, taken, evaluated)
    except CommandError:
        reinstate(execution, before)
        raise


def _to_condition(execution: Execution, command: str, fork: Fork) -> Moment:
    address = version_map(execution).unit_start(fork.function.name, fork.unit)
    if address is None:
        raise CommandError("the condition has no machine code of its own")
    moment = execution.move_to(address, transit=True)
    if moment.stop.reason != "location":
        raise CommandError("the process did not come to the condition")
    return moment


def _evaluate(execution: Execution, fork: Fork) -> tuple[int, bool]:
    """Evaluate a condition with side effects up to its last jump; the Branch that comes next.

    False with it where the process did not come to its jump: it stands before that part then.
    """
    codes = version_map(execution)
    ranges = codes.ranges(fork.function.name, fork.unit)
    jumps = execution.debugger.jumps(ranges)
    if len(fork.branches) == 1:
        jumps = jumps[:1]
    if not jumps:
        raise CommandError(f"gcc decided this condition when it compiled{always(fork)}: it cannot be forced")
    if len(jumps) != len(fork.branches):
        raise CommandError(
            "the machine code of this condition does not match its source; step over it instead"
        )
    here = execution.path[-1].stop
    for jump, branch in zip(jumps, fork.branches):
        if here.reason == "signal" and jump < here.frames[0].pc:
            continue  # it has crashed in a later part
        execution.depart()
        stop = execution.debugger.run_to(jump, budget=execution.budget)
        if stop.reason != "location":
            _take_back(execution, stop)
            return branch, False
        if execution.path[-1].stack[0][1] != branch:  # else what is in front of it has no effects
            execution.arrive_at(stop, branch)
        if branch == fork.branches[-1]:
            return branch, True
        image = execution.path[-1].image
        after = execution.debugger.resume("stepi", execution.budget)
        pc = after.frames[0].pc if after.frames else 0
        if not any(low <= pc < high for low, high in ranges):
            execution.debugger.restore(image)
            return branch, True
    return fork.branches[-1], True


def _take_back(execution: Execution, stop: Stop) -> None:
    """Back to before a part of a condition whose evaluation led to `stop`, and say why."""
    if stop.reason == "interrupt":
        raise CommandError("interrupted while the condition was evaluated")
    inside = f" in {stop.frames[0].function}" if stop.frames else ""
    what = {"signal": f"crashes{inside} ({stop.signal})", "exited": "ends the program"}
    how = what["signal"] if stop.signal else what.get(stop.reason, f"does not come to its end{inside}")
    execution.restore(execution.path[-1], repeating=True)
    execution.tell(f"evaluating the condition {how}; it is forced without that")


def _jump(
    execution: Execution, command: str, fork: Fork, branch: int, taken: bool, evaluated: bool
) -> Moment:
    codes = version_map(execution)
    edges = execution.debugger.edges(codes.ranges(fork.function.name, fork.unit))
    found = ways(codes, fork, edges)
    address = address_of(found.if_true if taken else found.if_false, command)
    if not evaluated:
        branch = _deciding(fork, branch, taken)
    side = _side(fork, branch, taken)
    execution.depart()
    execution.debugger.set_pc(address)

    def decide() -> Decision | None:
        return execution.tracer.force(branch, side, evaluated)

    return execution.arrive(execution.debugger.stop_info(), decide)


def _deciding(fork: Fork, branch: int, taken: bool) -> int:
    """The Branch that decides a condition, from `branch` on not evaluated, if it comes to be `taken`.

    Where each part has to be so it is the last; where several may decide, `branch` itself.
    """
    code, final = fork.function.code, fork.branches[-1]
    last = code[final]
    assert isinstance(last, Branch)
    goal = last.if_true if taken else last.if_false
    rest = [code[each] for each in fork.branches if branch <= each < final]
    return branch if any(isinstance(b, Branch) and goal in (b.if_true, b.if_false) for b in rest) else final


def _side(fork: Fork, branch: int, taken: bool) -> bool:
    """The outcome of the Branch `branch` with which the whole condition becomes `taken`."""
    last = fork.function.code[fork.branches[-1]]
    code = fork.function.code[branch]
    assert isinstance(last, Branch) and isinstance(code, Branch)
    if branch == fork.branches[-1]:
        return taken
    goal = last.if_true if taken else last.if_false
    if code.if_true == goal:
        return True
    if code.if_false == goal:
        return False
    raise CommandError(
        "its first part decides this condition here, and the forced way would leave out what the rest does; "
        "correct what the first part reads (`change`), or step on and correct what comes of it"
    )


def gdb_command(execution: Execution, showing: Showing, text: str) -> None:
    """Pass a command to gdb; what it did to the process is taken over.

    Raises CommandError for one that needs a running program when it has ended: also where gdb, which knows
    of no end, only lacks a frame or memory for it.
    """
    debugger = execution.debugger
    if execution.moment is not None and on_frames(text):
        execution.here()
    execution.touched = True
    before = saved(execution)
    graph = execution.moment.graph if execution.moment is not None else None
    given = for_gdb(graph, text, partial(known, execution)) if graph is not None else text
    try:
        answer = debugger.console(given, execution.budget)
    except (DebuggerLostError, ReplacedError):
        raise
    except DebuggerError as error:
        unknown = _UNKNOWN.match(str(error))
        if unknown is not None and (close := meant(unknown[1])) is not None:
            raise CommandError(f"there is no command {unknown[1]}; did you mean {close}?") from error
        if execution.moment is not None and on_expressions(text) and _NO_PROCESS.match(str(error)):
            execution.here()
        if graph is not None and (symbol := _NO_SYMBOL.match(str(error))) is not None:
            resolve_node(graph, symbol[1])  # which says what nodes there are
        if debugger.gone or not disturbed(execution):
            if not debugger.gone and _ABSENT.match(str(error)) and (words := _further_out(execution)):
                raise CommandError(f"{error}; {words}") from error
            raise
        reinstate(execution, before)
        raise CommandError(f"{error}; what it did to the program is undone") from error
    moment = execution.moment
    if graph is not None:
        answer = with_names(graph, answer)
    if debugger.last_stop is not None:
        if answer:
            showing.text(answer)
        stop = debugger.last_stop
        if moment is not None:
            showing.note("gdb moved the process: the trace ends here, and a new one begins")
        execution.adopt(stop)
        showing.stop(execution.path[-1])
        return
    if answer:
        showing.text(answer)
    if words := moved_breakpoint(text, answer):
        showing.note(words)
    if chooses_frame(text) and (words := _further_out(execution)):
        showing.note(words)
    if moment is not None and moment.stop.alive:
        if debugger.pid is None:
            execution.arrive(Stop("killed"))  # by `kill` or `detach`, and gdb has said so
        else:
            _take_over(execution, showing)


def _further_out(execution: Execution) -> str:
    """What is to be known where gdb looks at another frame than the innermost; else ""."""
    moment = execution.moment
    if moment is None or not moment.stop.alive:
        return ""
    graph, chosen = moment.graph, execution.debugger.selected()
    outer = {frame.depth: prefix for frame, prefix in zip(graph.frames, prefixes(graph)) if prefix}
    if chosen not in outer:
        return ""
    inner = graph.frames[0].function
    return (
        f"gdb's own commands (print, info locals) look at {outer[chosen].removesuffix('::')} now; all others "
        f"and the picture stay with {inner}, where its variables are {outer[chosen]}NAME (`down` leads back)"
    )


def _take_over(execution: Execution, showing: Showing) -> None:
    moment, changed, moved = reread(execution)
    if moved:
        showing.note("gdb moved the process: the trace ends here, and a new one begins")
        showing.stop(moment)
    elif changed:
        take_changes(execution, changed)
        begin_anew(execution)
        showing.graph(execution.path[-1])
