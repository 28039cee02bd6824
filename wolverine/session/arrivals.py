"""Where the process has stopped, as a place of the program."""

from __future__ import annotations

from dataclasses import replace

from wolverine.core.process import Stop
from wolverine.core.program import Jump, Program
from wolverine.debugger import Debugger
from wolverine.session.codes import Codes
from wolverine.session.moments import Moment, Stack
from wolverine.session.positions import UNMAPPED, CodeMap, Stretch


class Arrivals:
    """Reads the stops of one process."""

    def __init__(self, program: Program, debugger: Debugger, codes: Codes) -> None:
        self._program = program
        self._debugger = debugger
        self._codes = codes

    def stack(self, stop: Stop) -> Stack:
        """The instructions of the stop's frames, innermost first."""
        stack = self._codes.stack(stop.frames)
        if stop.foreign and stop.frames:
            first = self._codes.instruction(stop.frames[0], innermost=False)
            if first != UNMAPPED:
                unit = self._program.functions[stop.frames[0].function].unit_of[first - 1]
                first = self._program.functions[stop.frames[0].function].units[unit].first
            stack = ((stop.frames[0].function, first), *stack[1:])
        return stack

    def settled(self, stop: Stop, budget: float, stepping: str = "", since: Moment | None = None) -> Stop:
        """The stop where the process really is; going on there may take `budget` seconds.

        An inserted statement runs before the stop behind it, and so does a jump to where a loop goes on or
        branches meet.  `stepping`, the verb that led from the moment `since` to the stop, is repeated inside
        of a statement or condition, for gdb stops at each line of one that takes several.
        An inserted statement may leave the function, so where that stop is shows only when it is reached.
        """
        while stop.alive and stop.frames and not stop.foreign and stop.reason != "signal":
            frame = stop.frames[0]
            version = self._codes.of(frame.function, frame.pc)
            piece = version.map.at(frame.function, frame.pc) if version is not None else None
            if version is None or piece is None:
                return stop
            if behind := self._prologue_ends(stop, version.map, stepping):
                stop = self._kept(stop, self._debugger.run_to(behind, budget=budget))
                continue
            if not piece.inserted and not self._jumps_on(version.map, frame.function, frame.pc, piece):
                if not stepping or not self._under_way(stop, version.map, since):
                    return stop
                stop = self._debugger.resume(stepping, budget, patient=True)
                continue
            stop = self._kept(stop, self._debugger.resume("nexti", budget))
        return stop

    def _kept(self, stop: Stop, behind: Stop) -> Stop:
        """The stop a little further on, where nothing else happened on the way."""
        if behind.alive and behind.reason in ("step", "breakpoint", "location"):
            return replace(behind, reason=stop.reason, breakpoint=stop.breakpoint, temporary=stop.temporary)
        return behind

    def _prologue_ends(self, stop: Stop, code: CodeMap, stepping: str) -> int | None:
        """Where the first statement begins, if the process was to stop there and stands before it.

        gdb takes a function on one line to have no prologue, and its parameters have no values there yet.
        """
        if not stepping and stop.reason not in ("breakpoint", "location"):
            return None
        frame = stop.frames[0]
        first, body = code.stretches(frame.function)[0], code.body(frame.function)
        return body if body is not None and first.start < frame.pc < body else None

    def stands_still(self, stop: Stop, moment: Moment) -> bool:
        """Whether the process is inside of the statement or condition before which it stood at `moment`.

        It may have come back to it in between.
        """
        if not stop.frames or not moment.stop.frames:
            return False
        (now, *callers), (then, *before) = stop.frames, moment.stop.frames
        version = self._codes.of(now.function, now.pc)
        if version is None or not (stop.foreign or version.map.within(now.function, now.pc)):
            return False
        return callers == before and now.cfa == then.cfa and self.stack(stop) == moment.stack

    def _under_way(self, stop: Stop, code: CodeMap, since: Moment | None) -> bool:
        """Whether a step has ended inside of a statement or condition; a breakpoint there may be meant.

        Right behind a call that the step has left, what that returned is shown.
        """
        if stop.reason == "step":
            frame = stop.frames[0]
            left = since is not None and len(stop.frames) < len(since.stop.frames)
            if left and code.behind_call(frame.function, frame.pc):
                return False
            return code.within(frame.function, frame.pc)
        return stop.reason == "breakpoint" and since is not None and self.stands_still(stop, since)

    def _jumps_on(self, code: CodeMap, function: str, pc: int, piece: Stretch) -> bool:
        """Whether the process stands at a jump by which a unit goes on, and not where the unit begins.

        gcc gives the jump at the end of an endless loop the line of what the loop begins with, and the one
        behind the branches of an `if` that of its condition; the one to the condition of a loop whose head
        takes several lines has the line of the keyword.  Where the branches of an `if` within another one
        meet there may be a `nop` with its line, too.  One position of the program would be two.
        """
        if piece.unit == UNMAPPED or pc != piece.start:
            return False
        if pc == code.unit_start(function, piece.unit) and not self._leads_on(function, piece.unit):
            return False
        if self._debugger.jump_at(pc) is not None:
            return True
        lowered = self._program.functions[function]
        if isinstance(lowered.code[lowered.units[piece.unit].first], Jump):
            return False  # a `return` that two branches share may be a `nop` in a piece of its own
        own = [(low, high) for low, high in code.ranges(function, piece.unit) if low == pc]
        return bool(own) and self._debugger.idle(own)

    def _leads_on(self, function: str, unit: int) -> bool:
        """Whether it is but a jump: past an `else`, or to what a loop begins with on other lines."""
        lowered = self._program.functions[function]
        units, head = lowered.units, lowered.units[unit]
        if head.header and isinstance(lowered.code[head.first], Jump) and lowered.unit_of[head.first] < 0:
            return True
        first = next((each for each in units if not each.header and each.first == head.first), head)
        lines = {head.span.line, first.span.line, self._program.last_line(first.span)}
        return head.header and len(lines) > 1
