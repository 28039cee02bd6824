"""The gate: a candidate becomes a repair only when the patched program has run in the process.

It is emitted as C, parsed again, compiled with the user's flags, loaded, and re-executed from the
image at the start of the trace to the present position (Wolverine2 section 3, hot patching).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from wolverine.core.graph import MemoryGraph, Place, Uninitialised, VariableId
from wolverine.core.patch import NO_EDITS, Patch
from wolverine.core.process import Stop
from wolverine.core.program import Assign, Call, Concrete, Declare, Function, Gap, Jump, Program
from wolverine.core.trace import Decision, Effect, Event, Interval, Trace
from wolverine.errors import DebuggerError, SourceError
from wolverine.semantics.compare import same_state
from wolverine.semantics.concrete import outlasts
from wolverine.semantics.replay import Replayed, replay
from wolverine.session.codes import Version, start_address
from wolverine.session.execution import Execution
from wolverine.session.moments import Applied, Moment
from wolverine.session.positions import UNMAPPED
from wolverine.session.tracing import mapped, with_uninitialised

_FAULTY = ("signal", "violation")  # stops behind which the execution did not go on


@dataclass(frozen=True, slots=True)
class Passed:
    """The patch is in force; `how` is "native" when the execution so far was repeated under it.

    `note` tells why it was not, where it was not ("screened": in force from here on).  `wrote` is what it has
    written that was not written before, and `otherwise` tells that this is not just more.
    """

    how: Literal["native", "screened"]
    note: str = ""
    wrote: bytes = b""
    otherwise: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """The candidate is no repair of the real program."""

    reason: str


class Gate:
    """Applies patches to the process of an execution."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution

    def apply(self, patch: Patch, trace: Trace, own_control: bool, repeatable: str) -> Passed | Rejected:
        """Put `patch` in force.

        `repeatable` is "" where the execution since the start of the trace can be repeated, else the
        reason why it cannot.
        """
        execution = self._execution
        try:
            version = execution.codes.compile(patch)
        except SourceError as error:
            return Rejected(f"the patched source does not compile: {error}")
        present = execution.path[-1]
        execution.depart()
        image = execution.path[-1].image
        assert execution.start is not None
        if not execution.path[execution.start].image.exchangeable(image):
            repeatable = repeatable or "the program has several threads, which do not go back"
        if not repeatable:
            replayed = replay(execution.model, patch, trace, own_control=own_control)
            if not replayed.met:
                return Rejected(f"the model does not confirm it: {replayed.reason}")
            try:
                return self._repeat(patch, version, trace, replayed, present)
            except _DiffersError as difference:
                reason = str(difference)
            except DebuggerError as error:
                reason = str(error)
            self._back(image, present)
            return Rejected(reason)
        self._screen(patch, version, present)
        return Passed("screened", repeatable)

    def withdraw(self) -> None:
        """Put the program as it was given in force again, from here on."""
        execution = self._execution
        present = execution.path[-1]
        execution.depart()
        self._screen(NO_EDITS, execution.codes.original, present)

    def _back(self, image: object, present: Moment) -> None:
        execution = self._execution
        execution.debugger.repeat_from(image)  # type: ignore[arg-type]
        code = present.applied.code
        execution.debugger.use(code.code if code is not None else None)
        execution.tracer.load(present.model)
        execution.heard = present.heard

    def _repeat(
        self, patch: Patch, version: Version, trace: Trace, replayed: Replayed, present: Moment
    ) -> Passed:
        execution = self._execution
        assert execution.start is not None
        first = execution.path[execution.start]
        with execution.muted():
            stop = self._run_again(version, trace, replayed, first, present)
        snapshot = execution.debugger.snapshot()
        expected = replayed.final
        if not same_state(expected, snapshot.graph, trace.start):
            raise _DiffersError(
                "re-executed in the process, it does not reach the state that the model expects"
            )
        stop = replace(
            present.stop,
            frames=snapshot.frames,
            reason="step" if present.stop.reason in _FAULTY else present.stop.reason,
            signal="",
            survived=False,
            text="" if present.stop.reason in _FAULTY else present.stop.text,
            foreign=stop.foreign,
        )
        self._take(patch, version, trace, replayed, snapshot.graph, stop, present)
        before, now = present.heard.since(first.heard), execution.heard.since(first.heard)
        if before is None or now is None or before.startswith(now):
            return Passed("native")
        if now.startswith(before):
            return Passed("native", wrote=now[len(before) :])
        return Passed("native", wrote=now, otherwise=True)

    def _run_again(
        self, version: Version, trace: Trace, replayed: Replayed, first: Moment, present: Moment
    ) -> Stop:
        execution = self._execution
        debugger = execution.debugger
        debugger.repeat_from(first.image)
        debugger.use(version.code)
        execution.heard = first.heard
        frame = first.stop.frames[0]
        if frame.function in version.functions:
            address = start_address(version, frame.function, trace.start_stack[0][1])
            if address is None:
                raise _DiffersError(
                    "the patched code has no place that corresponds to the start of the trace"
                )
            debugger.migrate(version.code, address)
        elif execution.codes.of(frame.function, frame.pc) is not execution.codes.original:
            address = execution.codes.original.map.address(frame.function, first.stack[0][1])
            if address is not None:
                debugger.migrate(None, address)
        function, instruction = replayed.end or trace.events[-1].position[1:3]
        running = execution.codes.running(function, version)
        ending = execution.program.functions[function]
        if instruction == ending.end or _only_leaves(ending, instruction):
            target = _meeting(execution, running, ending, instruction)
        else:
            target = _address(running, ending, instruction)
        if target is None:
            raise _DiffersError("the present position has no machine code of its own")
        hits = replayed.end_hits
        here = debugger.stop_info().frames[0].pc
        if hits == 0 or (here == target and hits == 1):
            return debugger.stop_info()
        stop = debugger.run_to(target, hits=hits - (here == target), budget=execution.budget)
        if stop.reason != "location":
            what = {"signal": f"it is stopped by {stop.signal}", "budget": "it does not end"}
            raise _DiffersError(
                f"re-executed in the process, {what.get(stop.reason, 'it ends before this position')}"
            )
        return stop

    def _take(
        self,
        patch: Patch,
        version: Version,
        trace: Trace,
        replayed: Replayed,
        graph: MemoryGraph,
        stop: Stop,
        present: Moment,
    ) -> None:
        execution, tracer = self._execution, self._execution.tracer
        stack = execution.arrivals.stack(stop)
        tracer.seat(trace.start, trace.start_stack, patch)
        marked = None
        if mapped(stack):
            recorded = [event for event in trace.events if isinstance(event, Effect)]
            if tracer.advance(graph, stack, recorded=recorded).reason:
                # what chance has left in variables must not be taken for their values
                marked = with_uninitialised(tracer.told(graph, stack), _unset(replayed.final))
                tracer.seat(marked, stack, patch)
            tracer.recount(replayed.counts)
        marked = tracer.on_the_way(marked or tracer.told(graph, stack))
        position = tracer.position() if stack and stack[0][1] != UNMAPPED else None
        astray = [event for event in present.arrived if _led_astray(present, event)]
        moment = replace(
            present,
            stop=stop,
            graph=marked,
            stack=stack,
            position=position or present.position,
            settled=len(present.changes),
            arrived=tuple(event for event in present.arrived if event not in astray),
            astray=present.astray.union(event.position[1:3] for event in astray),
            model=tracer.save(),
            image=execution.image(),
            applied=Applied(patch, version),
            violates=False,
            violated=None,
            violation=None,
            heard=execution.heard,
        )
        execution.replace_present(moment)

    def _screen(self, patch: Patch, version: Version, present: Moment) -> None:
        """The patch counts from here on; the state stays the process' own."""
        execution = self._execution
        debugger = execution.debugger
        debugger.use(version.code)
        frame = present.stop.frames[0]
        elsewhere = execution.codes.of(frame.function, frame.pc) is not version
        if elsewhere and frame.function in version.functions and present.stack[0][1] != UNMAPPED:
            address = _address(version, execution.program.functions[frame.function], present.stack[0][1])
            if address is not None:
                debugger.migrate(version.code, address)
        stop = replace(present.stop, frames=debugger.snapshot().frames)
        stack = execution.arrivals.stack(stop)
        moment = replace(present, stop=stop, stack=stack, applied=Applied(patch, version))
        counts = execution.tracer.counts()
        execution.tracer.seat(moment.graph, stack, patch)
        execution.tracer.recount(counts)
        execution.replace_present(replace(moment, image=execution.image(), model=execution.tracer.save()))


def _unset(graph: MemoryGraph) -> frozenset[Place]:
    """The cells of variables that hold nothing in a state of the model."""
    cells = graph.cells.items()
    return frozenset(
        place
        for place, value in cells
        if isinstance(value, Uninitialised) and isinstance(place.object, VariableId)
    )


def _led_astray(moment: Moment, event: Event) -> bool:
    """Whether that is how a loop went on the way into a crash: with the repair it may go otherwise."""
    return moment.stop.reason in _FAULTY and isinstance(event, Decision) and not event.forced


def unrepeatable(program: Program, trace: Trace) -> str:
    """Why the execution since the start of the trace cannot be repeated, "" if it can."""
    for event in trace.events:
        if isinstance(event, Interval):
            return "a part of the execution is not modelled"
        if isinstance(event, Effect):
            code = program.functions[event.position.function].code[event.position.instruction]
            if isinstance(code, Concrete) and outlasts(code, ""):
                return f"{code.reason} has effects outside of the process"
    return ""


def _only_leaves(function: Function, instruction: int) -> bool:
    """Whether nothing but a jump is there, such as a `return` without a value."""
    return isinstance(function.code[instruction], Jump) and function.unit_of[instruction] >= 0


def _meeting(execution: Execution, version: Version, function: Function, instruction: int) -> int | None:
    """Where all ways to the closing brace or a `return` have met, to which gcc may give two pieces of code.

    Some ways begin behind a `nop` that others execute.
    """
    unit = function.unit_of[instruction]
    own = version.map.ranges(function.name, unit)
    if not own:
        return None
    others = [(p.start, p.end) for p in version.map.stretches(function.name) if p.unit != unit]
    led = (edge.address for edge in execution.debugger.edges(others))
    return max((at for at in led if any(low <= at < high for low, high in own)), default=own[0][0])


def _address(version: Version, function: Function, instruction: int) -> int | None:
    """Where the code of an instruction begins; of what follows, where the patch has deleted it."""
    while instruction < len(function.code):
        found = version.map.address(function.name, instruction)
        if found is not None or not isinstance(function.code[instruction], (Assign, Call, Gap, Declare)):
            return found
        instruction += 1
    return None


class _DiffersError(Exception):
    """The process does not do what the model expects."""
