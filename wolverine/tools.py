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
    """A tool that a thread waits for; `stopped` when somebody has ended it."""

    process: subprocess.Popen[bytes]
    stopped: bool = False


_waited_for: dict[int, _Running] = {}


def run_tool(
    command: Sequence[str], stdin: bytes | None = None, seconds: float = 60.0
) -> subprocess.CompletedProcess[bytes]:
    """Run a tool to its end, with what it wrote on its standard output and error.

    Raises ToolMissingError when it is not there, CommandError when it takes longer or is stopped.
    """
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except FileNotFoundError:
        raise ToolMissingError(f"{command[0]} is not installed (Debian: apt install gcc)") from None
    running, here = _Running(process), threading.get_ident()
    _waited_for[here] = running
    try:
        out, errors = process.communicate(stdin, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise CommandError(f"{command[0]} did not come to an end within {seconds:g} seconds") from None
    finally:
        del _waited_for[here]
        if process.returncode is None:
            _end(process)
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
    if running.stopped:
        raise CommandError(f"{command[0]} was interrupted")
    return subprocess.CompletedProcess(list(command), process.returncode, out, errors)


def stop_tool(thread: int) -> None:
    """End the tool that the thread with this identifier waits for, if it does; safe from everywhere."""
    running = _waited_for.get(thread)
    if running is not None:
        running.stopped = True
        _end(running.process)


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
