"""Images of one program's processes: each is taken beside the one before it."""

from __future__ import annotations

from wolverine.core.process import Stop
from wolverine.debugger.execution import Execution
from wolverine.debugger.image import Image, capture
from wolverine.debugger.inference import TypeMemory
from wolverine.debugger.restoring import put_back
from wolverine.debugger.terminal import Terminal
from wolverine.errors import DebuggerError

_SEVERAL = (
    "the program had several threads there, which do not go back: a breakpoint and `run` lead to a stop anew"
)


class Images:
    """Takes images and puts them back; `terminal` tells how much the program has read."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._previous: Image | None = None

    def forget(self) -> None:
        """There is another process now: what the images before it hold is not in its memory."""
        self._previous = None

    def take(self, execution: Execution, types: TypeMemory) -> Image:
        """The whole state of the stopped process, with what is known of its types."""
        process = execution.require()
        image = capture(
            process.memory,
            process.tracker,
            execution.registers(vector=not _at_statement(execution)),
            self._previous,
            input_consumed=self._terminal.consumed(),
            types=types.save(),
            threads=execution.threads(),
        )
        self._previous = image
        return image

    def belongs(self, execution: Execution, image: Image) -> bool:
        """Whether the image can be put into the process as it is now, rather than into a fresh one.

        Raises DebuggerError where it can be put into none: what a thread waits for is the kernel's.
        """
        now = execution.threads()
        if image.alone() and len(now) == 1:
            return True
        if not image.alone() and image.threads != now:
            raise DebuggerError(_SEVERAL)
        return not image.alone()

    def put_back(self, execution: Execution, image: Image, fresh: bool) -> Stop:
        """The process as it was, or a `fresh` one in that state; what could not be had stands in the text."""
        if fresh:
            execution.command("-wolverine-mute")
            try:
                stop = execution.launch(to_main=True)
            finally:
                execution.command("-wolverine-unmute")
            if not stop.alive:
                raise DebuggerError("the program does not reach main any more")
        execution.held_exit = False
        notes = put_back(execution, image, fresh)
        self._previous = image
        reading = execution.stack()
        return Stop("location", reading.frames, foreign=reading.foreign, text="\n".join(notes))


def _at_statement(execution: Execution) -> bool:
    """Whether nothing lives in vector registers: at -O0, between two statements."""
    reading = execution.stack()
    if reading.foreign or not reading.frames:
        return False
    pc = reading.frames[0].pc
    row = execution.require().code.row_at(pc)
    return row is not None and row.statement and row.address == pc
