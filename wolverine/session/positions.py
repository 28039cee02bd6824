"""Where a process is in the lowered program: line-table rows with columns, mapped to units.

gcc gives every row the column of a token inside the statement or condition that the code belongs to,
so the innermost unit whose bytes hold that column is the one; see `core.program.Unit`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from wolverine.core.expressions import Load
from wolverine.core.process import ProcessFrame, Row
from wolverine.core.program import Assign, Branch, Function, Gap, Jump, Program, surely_taken

UNMAPPED = -1

Offset = tuple[int, bool]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Machine code from `start` up to `end` that belongs to `unit`.

    `unit` is UNMAPPED where the source position is in no unit; `inserted` when a patch put it there.
    """

    start: int
    end: int
    unit: int
    inserted: bool = False


class CodeMap:
    """The code of one version of the program's functions.

    `rows` gives a function's rows; `offset` maps (file, line, column) to (byte offset in the source as
    given, whether a patch inserted the text) or None; `calls` gives the return addresses of the calls
    in address ranges.  Answers are cached: a version's code never changes.
    """

    def __init__(
        self,
        program: Program,
        rows: Callable[[str], tuple[Row, ...]],
        offset: Callable[[str, int, int], Offset | None],
        calls: Callable[[Sequence[tuple[int, int]]], tuple[int, ...]],
    ) -> None:
        self.program = program
        self._rows = rows
        self._offset = offset
        self._calls = calls
        self._stretches: dict[str, tuple[Stretch, ...]] = {}
        self._returns: dict[tuple[str, int], tuple[int, ...]] = {}

    def stretches(self, function: str) -> tuple[Stretch, ...]:
        """The function's code in address order."""
        if function not in self._stretches:
            self._stretches[function] = tuple(self._compute(self.program.functions[function]))
        return self._stretches[function]

    def _compute(self, function: Function) -> list[Stretch]:
        rows = sorted(self._rows(function.name), key=lambda row: row.address)
        found: list[Stretch] = []
        parts = _Parts(function)
        for row, following in pairwise(rows):
            if row.end or row.address == following.address:
                continue
            position = self._offset(row.file, row.line, row.column)
            unit, inserted = UNMAPPED, False
            if position is not None:
                inserted = position[1]
                unit = parts.next(innermost(function, position[0]))
            found.append(Stretch(row.address, following.address, unit, inserted))
        return found

    def holds(self, function: str, pc: int) -> bool:
        """Whether this version's code of `function` contains `pc`."""
        pieces = self.stretches(function)
        return bool(pieces) and pieces[0].start <= pc < pieces[-1].end

    def at(self, function: str, pc: int) -> Stretch | None:
        """The stretch that contains `pc`."""
        pieces = self.stretches(function)
        index = bisect_right([piece.start for piece in pieces], pc) - 1
        return pieces[index] if index >= 0 and pc < pieces[index].end else None

    def ranges(self, function: str, unit: int) -> tuple[tuple[int, int], ...]:
        """The address ranges of a unit's own code (headers apart), neighbours joined."""
        joined: list[tuple[int, int]] = []
        for piece in self.stretches(function):
            if piece.unit != unit or piece.inserted:
                continue
            if joined and joined[-1][1] == piece.start:
                joined[-1] = (joined[-1][0], piece.end)
            else:
                joined.append((piece.start, piece.end))
        return tuple(joined)

    def within(self, function: str, pc: int) -> bool:
        """Whether `pc` lies inside a unit's code and not where that begins: a part of what is executed."""
        piece = self.at(function, pc)
        return piece is not None and any(low < pc < high for low, high in self.ranges(function, piece.unit))

    def behind_call(self, function: str, pc: int) -> bool:
        """Whether a call of the unit that holds `pc` returns there."""
        piece = self.at(function, pc)
        return piece is not None and piece.unit != UNMAPPED and pc in self.returns(function, piece.unit)

    def unit_start(self, function: str, unit: int) -> int | None:
        """The first address of a unit's code; None where gcc made no code for it."""
        ranges = self.ranges(function, unit)
        return ranges[0][0] if ranges else None

    def body(self, function: str) -> int | None:
        """The address behind the prologue, where the first statement (inserted or not) begins."""
        pieces = self.stretches(function)
        return pieces[1].start if len(pieces) > 1 else None

    def returns(self, function: str, unit: int) -> tuple[int, ...]:
        """The return addresses of the unit's calls, in address order."""
        key = (function, unit)
        if key not in self._returns:
            ranges = self.ranges(function, unit)
            self._returns[key] = self._calls(ranges) if ranges else ()
        return self._returns[key]

    def instruction(self, frame: ProcessFrame, innermost_frame: bool, callee: str = "") -> int:
        """The instruction that the frame executes next, or UNMAPPED.

        For a frame that waits in a call (of `callee`) it is the one behind that call.
        """
        function = self.program.functions.get(frame.function)
        if function is None or function.unsupported or not self.holds(frame.function, frame.pc):
            return UNMAPPED
        if not innermost_frame:
            piece = self.at(frame.function, frame.pc - 1)
            if piece is None or piece.unit == UNMAPPED:
                return UNMAPPED
            return self._behind_call(function, piece.unit, frame.pc, callee)
        piece = self.at(frame.function, frame.pc)
        if piece is None:
            return UNMAPPED
        if piece.unit == UNMAPPED:
            # The function's own line: the process stands before or in the prologue.
            return 0 if piece is self.stretches(frame.function)[0] else UNMAPPED
        unit = function.units[piece.unit]
        if unit.calls and self.within(function.name, frame.pc):
            behind = self._behind_call(function, piece.unit, frame.pc)
            if behind != UNMAPPED:
                return behind
        return unit.first

    def _behind_call(self, function: Function, unit: int, pc: int, callee: str | None = None) -> int:
        """Behind the call that returns to `pc`: still in that of `callee`, or with the call done."""
        returns = self.returns(function.name, unit)
        calls = function.units[unit].calls
        if pc not in returns or len(returns) != len(calls):
            return UNMAPPED
        alternatives = calls[returns.index(pc)]
        if callee is None:
            return _goes_on(function, alternatives)
        called = [at for at in alternatives if getattr(function.code[at], "function", None) == callee]
        return (called or alternatives[-1:])[0] + 1

    def address(self, function: str, instruction: int) -> int | None:
        """The address at which the process is about to execute `instruction`; None where there is none."""
        lowered = self.program.functions[function]
        for index, unit in enumerate(lowered.units):
            if unit.header:
                continue
            if unit.first == instruction:
                ranges = self.ranges(function, index)
                if ranges:  # jumps of arms count as the closing brace: the last is where all ways meet
                    return ranges[-1 if instruction == lowered.end else 0][0]
            for number, alternatives in enumerate(unit.calls):
                behind = {call + 1 for call in alternatives} | {_goes_on(lowered, alternatives)}
                if instruction in behind:
                    returns = self.returns(function, index)
                    if len(returns) == len(unit.calls):
                        return returns[number]
                    if self.ranges(function, index):
                        return None
                    break  # gcc left out what is never come to
        onward = _without_code(lowered, instruction)
        return None if onward is None else self.address(function, onward)


def _without_code(function: Function, instruction: int) -> int | None:
    """Where execution goes on behind what gcc made no code for: `while (1)`, `p = p`."""
    match step := function.code[instruction]:
        case Branch():
            at = surely_taken(step)
        case Assign(_, target, Load(place)) if target == place:
            at = instruction + 1
        case _:
            at = None
    if at is None:
        return None
    while at < len(function.code) and isinstance(function.code[at], Gap):
        at += 1
    return at


def _goes_on(function: Function, alternatives: Sequence[int]) -> int:
    """The instruction with which a unit goes on behind a call."""
    first = function.code[alternatives[0] + 1] if len(alternatives) > 1 else None
    return first.target if isinstance(first, Jump) else alternatives[0] + 1


class _Parts:
    """Units of one place (the parts of a loop whose head is a macro's) in the order of their code.

    The next part begins where code of another place came between.
    """

    def __init__(self, function: Function) -> None:
        self._alike: dict[tuple[int, int, int], list[int]] = {}
        self._places = [(u.span.file, u.span.start, u.span.end) for u in function.units]
        for number, unit in enumerate(function.units):
            if not unit.header:
                self._alike.setdefault(self._places[number], []).append(number)
        self._reached: dict[tuple[int, int, int], int] = {}
        self._latest: tuple[int, int, int] | None = None

    def next(self, unit: int) -> int:
        """The unit that a stretch belongs to whose place is that of `unit`; asked in address order."""
        place = self._places[unit] if unit != UNMAPPED else None
        alike = self._alike.get(place, ()) if place is not None else ()
        if place is not None and len(alike) > 1:
            at = self._reached.get(place, 0)
            if place in self._reached and self._latest != place:
                at = min(at + 1, len(alike) - 1)
            self._reached[place] = at
            unit = alike[at]
        self._latest = place
        return unit


def innermost(function: Function, offset: int) -> int:
    """The smallest unit whose bytes hold `offset`, or UNMAPPED."""
    best, size = UNMAPPED, 1 << 62
    for index, unit in enumerate(function.units):
        span = unit.span
        if span.start <= offset < span.end and span.end - span.start < size:
            best, size = index, span.end - span.start
    return best
