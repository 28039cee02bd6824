"""A command that fails leaves nothing behind: the execution as it was before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wolverine.errors import DebuggerError
from wolverine.session.execution import Execution
from wolverine.session.moments import Checkpoint, Moment


@dataclass(frozen=True, slots=True)
class Saved:
    """Everything of an execution that a command may change."""

    path: tuple[Moment, ...]
    start: int | None
    checkpoint: int | None
    checkpoints: Mapping[int, Checkpoint]
    dropped: frozenset[int]


def saved(execution: Execution) -> Saved:
    """What `reinstate` brings back."""
    return Saved(
        tuple(execution.path),
        execution.start,
        execution.checkpoint,
        dict(execution.checkpoints),
        frozenset(execution.dropped),
    )


def reinstate(execution: Execution, saved: Saved) -> None:
    """Undo all that was done since `saved`, in the process too."""
    execution.path = list(saved.path)
    execution.start, execution.checkpoint = saved.start, saved.checkpoint
    execution.checkpoints, execution.dropped = dict(saved.checkpoints), set(saved.dropped)
    if execution.path and execution.path[-1].image is not None:
        execution.restore(execution.path[-1], repeating=True)
    execution.touched = False


def disturbed(execution: Execution) -> bool:
    """Whether the process is not as it was when the last command was through."""
    known = execution.path[-1].image if execution.path and execution.path[-1].stop.alive else None
    if known is None:
        return False
    try:
        now = execution.debugger.take_image()
    except DebuggerError:
        return True
    return not now.same(known)
