"""The same traces from gdb: the correct program is debugged, and what a session sees is asserted.

The states, the positions and the decisions come from the process; only what a function returns, which no
debugger shows at its end, is taken from the model's recording.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from wolverine.campaign.programs import Subject
from wolverine.core.graph import Place, Value, VariableId
from wolverine.core.trace import Assertion, Decision, End, Event, Interval, Trace
from wolverine.errors import CommandError
from wolverine.session.beginning import constrain
from wolverine.session.constraints import observable
from wolverine.session.execution import Execution
from wolverine.session.moments import Moment
from wolverine.session.options import SessionOptions
from wolverine.session.session import Session

_STOPS = 2_000


def trace_on_gdb(subject: Subject, function: str, number: int, recorded: Trace, call: int) -> Trace:
    """The trace of a call (from 1) of the function on input `number`, as `recorded` in the model.

    Raises CommandError where the session does not come to the call, or cannot model what it does.
    """
    with _session(subject, subject.inputs[number]) as session:
        execution = session.execution
        execution.begin(True)
        session.debugger.console(f"break {function}")
        session.debugger.console(f"ignore $bpnum {call - 1}")
        execution.move("continue")
        session.debugger.console("delete")
        constrain(execution)
        assert execution.start is not None
        first = execution.path[execution.start]
        depth = len(first.stop.frames)
        end = recorded.events[-1].position
        while not _at_end(execution.path[-1], depth, function, end.instruction):
            moment = execution.move("next")
            if not moment.stop.alive or len(execution.path) > _STOPS or len(moment.stop.frames) < depth:
                raise CommandError(f"{function} does not come to its end under gdb")
        return _trace(execution, recorded)


@contextmanager
def _session(subject: Subject, words: tuple[str, ...]) -> Iterator[Session]:
    with tempfile.TemporaryDirectory(prefix="wolverine-") as folder:
        nothing = Path(folder) / "stdin"
        nothing.write_bytes(b"")
        options = SessionOptions((subject.path,), arguments=words, stdin=nothing, batch=True, json=True)
        session = Session(options, lambda _: None)
        try:
            yield session
        finally:
            session.close()


def _at_end(moment: Moment, depth: int, function: str, instruction: int) -> bool:
    return len(moment.stop.frames) == depth and moment.stack[:1] == ((function, instruction),)


def _trace(execution: Execution, recorded: Trace) -> Trace:
    """What the path since the trace's start shows, with assertions where the recording has them."""
    start = execution.start
    assert start is not None
    first = execution.path[start]
    own = first.graph.frames[0].depth
    wanted = {event.position: event for event in recorded.events if isinstance(event, Assertion)}
    events: list[Event] = []
    for moment in execution.path[start:]:
        if moment is not first:
            events += [_given(event) for event in moment.arrived]
        if moment.position in wanted:
            events.append(_assertion(moment, wanted[moment.position], own))
    if any(isinstance(event, Interval) for event in events):
        raise CommandError("a part of the execution is not modelled")
    stack = ((first.stack[0][0], 0), *first.stack[1:])
    return Trace(first.graph, stack, (*events, End(recorded.events[-1].position)))


def _given(event: Event) -> Event:
    """Loop decisions of the activation itself are given, as the recording gives them."""
    if isinstance(event, Decision):
        return replace(event, forced=event.position.activation == 0)
    return event


def _assertion(moment: Moment, recorded: Assertion, depth: int) -> Assertion:
    assert moment.position is not None
    cells, states = observable(moment, depth)
    # Variables of inner blocks keep their last value in the process; they are not in view here.
    seen = {place: value for place, value in cells.items() if place in recorded.cells}
    results: dict[Place, Value] = {
        p: value for p, value in recorded.cells.items() if p not in cells and _result(p)
    }
    return Assertion(moment.position, seen | results, states, frozenset(), recorded.label)


def _result(place: Place) -> bool:
    return isinstance(place.object, VariableId) and place.object.name.startswith("$")
