"""A stretch of execution that the model cannot explain is carried out again, with more stops.

What a statement reads from outside decides where the program goes, and only the process knows it.  Over a
long stretch these values are too many to be told from the state at its end; from one such statement to the
next they are few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterator
from contextlib import closing
from itertools import islice, takewhile

from wolverine.core.process import Stop
from wolverine.core.program import Concrete, Function, Library, Program, successors
from wolverine.core.trace import Effect, Event, Interval
from wolverine.debugger import Image
from wolverine.semantics.concrete import OUTSIDE, THREADING, called_functions, harmless
from wolverine.semantics.library import MODELLED
from wolverine.session.execution import Execution
from wolverine.session.heard import Heard
from wolverine.session.moments import Moment

_MOST = 400  # stops
_MOST_BEFORE_LOOPS = 120
_IN_VAIN = 20  # stops in a row behind statements that were not executed
_UNDER_WAY = 1.0  # seconds after which what was interrupted is taken to be under way again


def informing(program: Program) -> Iterator[tuple[str, int]]:
    """The (function, instruction) after whose statements the process knows more than the model."""
    for name, function in program.functions.items():
        for index, step in enumerate(function.code):
            before = function.code[index - 1] if index else None
            if isinstance(before, Library) and before.function in MODELLED:
                continue  # the model may well know as much
            if isinstance(step, Concrete) and function.unit_of[index] >= 0:
                text = program.location(step.location).text if step.location >= 0 else ""
                if step.results or not harmless(step, text):
                    yield name, index


def _behind(function: Function, index: int) -> Iterator[int]:
    """The first instructions of the statements that come next behind the statement of an instruction."""
    unit = function.unit_of[index]
    pending, seen = [index], {index}
    while pending:
        at = pending.pop()
        for each in successors(function.code[at], at):
            if each in seen or each >= len(function.code):
                continue
            seen.add(each)
            other = function.unit_of[each]
            if other in (-1, unit):
                pending.append(each)
            elif function.units[other].first == each:
                yield each


def outlasting(execution: Execution) -> bool:
    """Whether the program, which has ended, may have done what outlasts the process.

    That counts which it has executed: behind the last stop that was shown its end was come to once more.
    """
    program, path = execution.model, execution.path
    if not any(_calling(program, OUTSIDE)):
        return False
    if len(path) < 2 or path[-1].short_of is not None or not repeatable(program, path[-2]):
        return True
    again = sum(1 for _ in takewhile(lambda each: each.transit, reversed(path[1:-1])))
    events = [event for moment in path[1 : len(path) - 1 - again] for event in moment.arrived]
    return again >= _MOST or any(isinstance(e, Interval) or _outlasts(program, e) for e in events)


def _outlasts(program: Program, event: Event) -> bool:
    if not isinstance(event, Effect):
        return False
    step = program.functions[event.position.function].code[event.position.instruction]
    return isinstance(step, Concrete) and _calls(program, step, OUTSIDE)


def repeatable(program: Program, moment: Moment) -> bool:
    """Whether what comes behind a moment can be carried out again, and followed.

    Threads take other turns then, and do not go back.
    """
    there = moment.image is not None and moment.image.kept and moment.image.alone()
    return there and moment.model is not None and not any(_calling(program, THREADING))


def _calling(program: Program, names: frozenset[str]) -> Iterator[Concrete]:
    """The statements left to the process that call one of these functions."""
    for function in program.functions.values():
        for step in function.code:
            if isinstance(step, Concrete) and _calls(program, step, names):
                yield step


def _calls(program: Program, step: Concrete, names: frozenset[str]) -> bool:
    text = program.location(step.location).text if step.location >= 0 else ""
    return not (called_functions(step, text) - program.functions.keys()).isdisjoint(names)


def retrace(execution: Execution, stop: Stop) -> bool:
    """Put stops in front of such statements into the path, from the present stop of it on up to `stop`.

    The process stands at `stop` before and after; the model stands at the last of them, or at the present
    one.  False where that cannot be done, and nothing was.
    """
    before = execution.path[-1]
    if not repeatable(execution.model, before):
        return False
    if stop.overflowed or stop.reason == "memory" or not any(informing(execution.model)):
        return False
    final, heard = execution.image(), execution.heard
    if stop.reason in ("interrupt", "budget"):
        execution.heed()  # it was to stop the program, not this
        return _retrace_interrupted(execution, before, final, heard)
    with execution.muted():
        with closing(_again(execution, before, (stop.frames[0].pc,))) as stops:
            for met in stops:
                if not met.alive or met.reason != "breakpoint":
                    break
                if _there(execution, met, stop, final):
                    heard = execution.heard
                    break
                execution.arrive(met, transit=True)
        execution.heard = heard
        execution.debugger.repeat_from(final)
        code = before.applied.code
        execution.debugger.use(code.code if code is not None else None)
    execution.touched = False
    return True


def _retrace_interrupted(execution: Execution, before: Moment, final: Image, heard: Heard) -> bool:
    """The same where the process was stopped on a way without an end: that is to begin behind the last stop.

    It does not where such statements are executed again and again.
    """
    length = len(execution.path)
    model = execution.tracer.save()
    with execution.muted():
        met = _through(execution, _again(execution, before, seconds=_UNDER_WAY), _MOST_BEFORE_LOOPS)
        execution.heard = heard
        execution.debugger.repeat_from(final)
        code = before.applied.code
        execution.debugger.use(code.code if code is not None else None)
    execution.touched = False
    if met is None or met.reason != "breakpoint":
        return True
    del execution.path[length:]
    execution.tracer.load(model)
    return False


def retrace_to_end(execution: Execution, final: Image | None = None) -> bool:
    """The same for a program that has ended: with its end behind the last of these stops.

    The process is as before then: it has ended, or is `final`, where it has crashed when it had left the
    program.  What may outlast the process is not carried out again: the last stop is in front of that, and
    the execution is then `short_of` it.
    """
    before, program = execution.path[-1] if execution.path else None, execution.model
    execution.short_of = None
    if before is None or not repeatable(program, before):
        return False
    if before.stop.overflowed or not any(informing(program)):
        return False
    final = final or execution.debugger.ending()
    gone, heard = execution.debugger.pid is None, execution.heard
    if gone and any(_calling(program, OUTSIDE)):
        return False  # there is no way back to its end but through it
    with execution.muted():
        met = _through(execution, _again(execution, before, short_of=OUTSIDE))
        if met is not None and met.foreign and met.reason == "breakpoint":
            execution.short_of = met.frames[0]
        if final is not None:
            execution.heard = heard
            execution.debugger.repeat_from(final)
        elif gone and met is not None and met.alive:
            execution.debugger.resume("continue", execution.budget)
    execution.touched = False
    return True


def retrace_under_way(execution: Execution) -> None:
    """Carry out anew what was interrupted, up to the last of these stops; the path ends there then."""
    before = execution.path[-2]
    del execution.path[-1:]
    with execution.muted():
        _through(execution, _again(execution, before, seconds=_UNDER_WAY))


def _through(execution: Execution, stops: Generator[Stop], most: int = _MOST) -> Stop | None:
    """Take the stops into the path as far as they are such; the last one that was met."""
    met = None
    with closing(stops):
        for met in islice(stops, most):
            if not met.alive or met.reason != "breakpoint" or met.foreign:
                break
            execution.arrive(met, transit=True)
    return met


def approach(execution: Execution, index: int) -> int | None:
    """Carry out anew what led to moment `index` of the path, up to the first stop that was come to wrongly.

    That is one before which something was done that C forbids.  The path ends there then; its index is
    returned, None where the process did not come so far.
    """
    before = execution.path[index - 1]
    if not any(informing(execution.model)):
        return index
    del execution.path[index:]
    with execution.muted(), closing(_again(execution, before)) as stops:
        for met in stops:
            execution.arrive(met, transit=True)
            moment = execution.path[-1]
            if moment.violates:
                return len(execution.path) - 1
            if not met.alive or met.reason != "breakpoint":
                return None
    return None


def _again(
    execution: Execution,
    before: Moment,
    further: Collection[int] = (),
    seconds: float | None = None,
    short_of: Collection[str] = (),
) -> Generator[Stop]:
    """The stops of the process from a moment on: at such statements, and where it stops by itself.

    It stops at these `further` addresses as well, and after so many `seconds` in any case; and in front of
    the library's functions that it is to be `short_of`, which lie outside of the program.  What comes behind
    such a statement may be a loop's condition: that is a stop once for each time that the statement was
    executed.
    """
    debugger = execution.debugger
    execution.restore(before, repeating=True)
    behind = _addresses(execution, before)
    begun = max(len(before.stack), 1)  # statements that may be under way
    due = Counter({address: begun for each in behind.values() for address in each})
    wanted = {*behind, *further, *debugger.entries(short_of)}
    passed = number = 0
    while number < _MOST:
        everywhere = passed < _IN_VAIN
        with debugger.stopping_at({*wanted, *due} if everywhere else wanted):
            while number < _MOST and everywhere == (passed < _IN_VAIN):
                number += 1
                met = debugger.resume("continue", seconds or execution.budget)
                pc = met.frames[0].pc if met.frames else 0
                own = met.alive and met.reason == "breakpoint" and not met.foreign
                if own and pc not in wanted and due[pc] <= 0:
                    passed += 1
                    continue
                passed = 0
                for each in set().union(*(each for each in behind.values() if pc in each)):
                    due[each] = max(due[each] - 1, 0)
                due.update(behind.get(pc, ()))
                if (
                    number > 1
                    or not met.frames
                    or met.foreign
                    or execution.arrivals.stack(met) != before.stack
                ):
                    yield met  # a jump to where it stands at the beginning leads to the same position
                if not met.alive or execution.interrupted():
                    return


def _addresses(execution: Execution, moment: Moment) -> dict[int, set[int]]:
    """Where such statements begin, each with those behind it, with the patch of that moment in force.

    There has to be a process.
    """
    found: dict[int, set[int]] = {}
    for name, index in set(informing(execution.model)):
        function = execution.model.functions[name]
        codes = execution.codes.running(name, moment.applied.code).map
        first = codes.address(name, function.units[function.unit_of[index]].first)
        if first is not None:
            addresses = (codes.address(name, each) for each in _behind(function, index))
            found.setdefault(first, set()).update(each for each in addresses if each is not None)
    return found


def _there(execution: Execution, met: Stop, stop: Stop, image: Image) -> bool:
    """Whether the process is where it is to go, and not there for another time."""
    if (met.frames[0].pc, met.frames[0].cfa) != (stop.frames[0].pc, stop.frames[0].cfa):
        return False
    return execution.debugger.take_image().there(image)
