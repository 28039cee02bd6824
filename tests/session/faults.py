"""Faults to inject into a session on a real process, and what must not be lost by them."""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wolverine import draw
from wolverine.session.moments import assertions


def state(session: Any, live: bool = True) -> dict[str, Any]:
    """What the user sees and said: heap, place, constraints, checkpoints, patch."""
    execution = session.session.execution
    moment = execution.path[-1]
    dropped = frozenset(execution.dropped)
    return {
        "graph": draw.as_json(execution.debugger.snapshot().graph, frozenset()) if live else None,
        "picture": draw.as_json(moment.graph, frozenset()),
        "stack": moment.stack,
        "stops": len(execution.path),
        "constraints": [assertions(each, dropped) for each in execution.path],
        "forced": [[getattr(event, "forced", False) for event in each.arrived] for each in execution.path],
        "start": execution.start,
        "checkpoints": sorted(execution.checkpoints),
        "patch": moment.applied.patch,
    }


Held = tuple[dict[str, Any], dict[int, bytes]]


def holds(session: Any) -> Held:
    """All that must not be lost."""
    return state(session), memory(session)


def lost(before: Held, now: Held) -> str:
    """What is not as before, in words; "" if all is."""
    told = [
        f"{key}: {now[0][key]}, was {before[0][key]}" for key in before[0] if before[0][key] != now[0][key]
    ]
    pages = sorted(a for a in {*before[1], *now[1]} if before[1].get(a) != now[1].get(a))
    if pages and not told:
        told = [f"bytes on the pages {', '.join(map(hex, pages[:5]))}"]
    return "; ".join(told)


def memory(session: Any) -> dict[int, bytes]:
    """Every captured page of the process that is not all zero."""
    pages = session.session.debugger.take_image().pages
    return {address: page for address, page in pages.items() if page.count(0) < len(page)}


def kill_gdb(session: Any) -> None:
    kill(session.session.debugger._execution.gdb.pid)


def kill_program(session: Any) -> None:
    kill(session.session.debugger.pid)


def kill(pid: int) -> None:
    """End a process, and wait for its end."""
    handle = os.pidfd_open(pid)
    try:
        os.kill(pid, signal.SIGKILL)
        select.select([handle], [], [])
    finally:
        os.close(handle)


@contextmanager
def while_running(session: Any, fault: Callable[[Any], None]) -> Iterator[None]:
    """The fault strikes when the program writes next: it is running then."""
    heard = session.session._output
    terminal = session.session.debugger._terminal
    struck = threading.Event()

    def listening(data: bytes) -> None:
        heard(data)
        if not struck.is_set():
            struck.set()
            fault(session)

    before = terminal._on_output
    terminal._on_output = listening
    try:
        yield
    finally:
        terminal._on_output = before
    assert struck.is_set(), "the program wrote nothing"


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def hanging_compiler(session: Any) -> Iterator[None]:
    """gcc does not come to an end; Ctrl-C is pressed as soon as it was started."""
    with tempfile.TemporaryDirectory() as folder:
        started = Path(folder) / "started"
        os.mkfifo(started)
        script = Path(folder) / "gcc"
        script.write_text(f"#!/bin/sh\necho > {started}\nexec sleep 1000\n")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        path = os.environ["PATH"]
        os.environ["PATH"] = f"{folder}:{path}"

        def interrupt() -> None:
            with contextlib.suppress(OSError):
                started.read_bytes()
                session.session.interrupt()

        presser = threading.Thread(target=interrupt, daemon=True)
        presser.start()
        try:
            yield
        finally:
            os.environ["PATH"] = path
            # Nobody may be left waiting for the other end.
            descriptor = os.open(started, os.O_RDWR | os.O_NONBLOCK)
            os.write(descriptor, b"\n")
            presser.join(10)
            os.close(descriptor)
