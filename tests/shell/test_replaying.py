"""Searches that were interrupted in a session are interrupted where it is repeated."""

from __future__ import annotations

import threading
from typing import Any

from wolverine.errors import CommandError
from wolverine.session.journal_reading import Entry
from wolverine.shell.replaying import Replay


class Debuggee:
    """Notes whether it was interrupted."""

    def __init__(self) -> None:
        self.interrupted = threading.Event()

    def interrupt(self) -> None:
        self.interrupted.set()


def test_an_interrupted_search_is_interrupted_again() -> None:
    debuggee: Any = Debuggee()

    def search(_command: object) -> None:
        assert debuggee.interrupted.wait(60)
        raise CommandError("interrupted")

    ended = {"event": "no-repair", "reason": "interrupted", "core": []}
    Replay(search, debuggee, lambda _listener: None)([Entry("repair", events=(ended,), ok=False)])
    assert debuggee.interrupted.is_set()
