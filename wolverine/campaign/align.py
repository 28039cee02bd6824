"""From positions in the correct program to those in the faulty one, by original statement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wolverine.campaign.injector import Fault
from wolverine.core.program import Program
from wolverine.core.trace import Assertion, Decision, Effect, End, Event, Interval, Position, Trace

_Key = tuple[str, str, int, int]  # class of the instruction, kind of its location, byte, number


class Alignment:
    """Maps the instructions of one function, and its traces.

    The faults of a program are edits of its text, so a statement is the same one where its first byte is.
    """

    def __init__(self, correct: Program, faulty: Program, function: str, faults: Sequence[Fault]) -> None:
        self._function = function
        moved = _Moved(faults)
        there = _numbered(faulty, function, lambda byte: byte)
        here = _numbered(correct, function, moved)
        self._map = {index: there[key] for key, index in here.items() if key in there}

    def instruction(self, index: int) -> int | None:
        """The faulty program's instruction for one of the correct program's; None where it is gone."""
        return 0 if index == 0 else self._map.get(index)

    def trace(self, trace: Trace) -> Trace | None:
        """The same trace for the faulty program; None where an event has no place there."""
        events: list[Event] = []
        for event in trace.events:
            position = self._position(event.position)
            if position is None:
                return None
            events.append(_moved_to(event, position))
        return replace(trace, events=tuple(events))

    def _position(self, position: Position) -> Position | None:
        if position.function != self._function:
            return position
        index = self.instruction(position.instruction)
        return None if index is None else position._replace(instruction=index)


def _moved_to(event: Event, position: Position) -> Event:
    match event:
        case Assertion() | Decision() | Effect() | End() | Interval():
            return replace(event, position=position)


class _Moved:
    """Where a byte of the correct file lies in the faulty one."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self._faults = sorted(faults, key=lambda fault: fault.start)

    def __call__(self, byte: int) -> int:
        shift = 0
        for fault in self._faults:
            if fault.end <= byte and fault.start < byte:
                shift += len(fault.after) - (fault.end - fault.start)
        return byte + shift


def _numbered(program: Program, function: str, moved: Callable[[int], int]) -> dict[_Key, int]:
    """Instructions by what they are and where they begin; the n-th of equal ones has the key's number n."""
    found: dict[_Key, int] = {}
    for index, step in enumerate(program.functions[function].code):
        if step.location < 0:
            continue
        location = program.location(step.location)
        kind = f"{location.kind} {location.gap if location.kind == 'gap' else ''}"
        byte, number = moved(location.span.start), 0
        while (key := (type(step).__name__, kind, byte, number)) in found:
            number += 1
        found[key] = index
    return found
