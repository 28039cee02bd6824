"""Letting a trace begin further out than what the user said made it begin."""

from __future__ import annotations

from wolverine.session.execution import Execution


def begin_further_out(execution: Execution) -> bool:
    """Let the trace begin in the nearest caller of the activation in which it begins now.

    Such a caller was at a stop itself, or it is main, whose entry is always kept.  False where there is none.
    """
    path, start = execution.path, execution.start
    if start is None:
        return False
    for activation in path[start].activations[1:]:
        index = next(i for i, moment in enumerate(path) if activation in moment.activations)
        if index < start and path[index].activation == activation:
            execution.start = index
            path[index:] = execution.tracer.refollow(path, index)
            return True
    return False
