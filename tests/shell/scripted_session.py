"""A session that answers from a script, for tests of the shell."""

from __future__ import annotations

import threading
from collections.abc import Callable

from wolverine.errors import CommandError
from wolverine.session import commands, results
from wolverine.session.commands import SessionCommand
from wolverine.session.options import Names

STOP = results.Stopped("step", "list.c", 7, "reverse", "while (p) {")


class ScriptedSession:
    """Notes every command. `answers` maps command types to what happens instead of a stop."""

    def __init__(self, emit: Callable[[results.Result], None]) -> None:
        self.emit = emit
        self.commands: list[SessionCommand] = []
        self.input: list[bytes] = []
        self.interrupted = threading.Event()
        self.answers: dict[type, Callable[[SessionCommand], None]] = {}
        self.completions: dict[str, list[str]] = {}

    def execute(self, command: SessionCommand) -> None:
        self.commands.append(command)
        answer = self.answers.get(type(command))
        if answer is not None:
            answer(command)
        elif isinstance(command, commands.Resume):
            self.emit(STOP)

    def fail(self, message: str) -> Callable[[SessionCommand], None]:
        def answer(_command: SessionCommand) -> None:
            raise CommandError(message)

        return answer

    def interrupt(self) -> None:
        self.interrupted.set()

    def send_input(self, data: bytes) -> None:
        self.input.append(data)

    def unread(self) -> bool:
        return False

    def names(self, typed: str = "") -> Names:
        on = ("head->next",) if typed.startswith("head->") else ()
        types = ("enum color", "struct item", "struct list")
        return Names(("head", "n1->next", "n2->next", *on), ("n1", "n2"), ("pop", "push"), types)

    def gdb_complete(self, text: str) -> list[str]:
        return self.completions.get(text, [])
