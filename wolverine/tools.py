"""Compilers and other tools: run with a limit on their time, and ended together with what they started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from wolverine.errors import CommandError, ToolMissingError


@dataclass
class _Running:
    """A tool that a thread waits for (None: about to be started); `stopped` when somebody has ended it."""

    process: subprocess.Popen[bytes] | None = None
    stopped: bool = False


_waited_for: dict[int, _Running] = {}


def run_tool(
    command: Sequence[str], stdin: bytes | None = None, seconds: float = 60.0
) -> subprocess.CompletedProcess[bytes]:
    """Run a tool to its end, with what it wrote on its standard output and error.

    Raises ToolMissingError when it is not there, CommandError when it takes longer or is stopped.
    """
    here = threading.get_ident()
    running = _waited_for[here] = _Running()
    try:
        return _run(command, stdin, seconds, running)
    except FileNotFoundError:
        raise ToolMissingError(f"{command[0]} is not installed (Debian: apt install gcc)") from None
    except subprocess.TimeoutExpired:
        raise CommandError(f"{command[0]} did not come to an end within {seconds:g} seconds") from None
    finally:
        del _waited_for[here]


def _run(
    command: Sequence[str], stdin: bytes | None, seconds: float, running: _Running
) -> subprocess.CompletedProcess[bytes]:
    with subprocess.Popen(
        list(command),
        stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        running.process = process
        try:
            if running.stopped:
                _end(process)
            out, errors = process.communicate(stdin, timeout=seconds)
        except BaseException:
            _end(process)
            raise
    if running.stopped:
        raise CommandError(f"{command[0]} was interrupted")
    return subprocess.CompletedProcess(list(command), process.returncode, out, errors)


def stop_tool(thread: int) -> None:
    """End the tool that the thread with this identifier waits for, if it does; safe from everywhere."""
    running = _waited_for.get(thread)
    if running is not None:
        running.stopped = True
        if running.process is not None:
            _end(running.process)


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
