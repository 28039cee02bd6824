"""A terminal's screen for tests: it shows what a person would see, and answers what it is asked."""

from __future__ import annotations

import pexpect
import pyte


class AnsweringScreen(pyte.Screen):
    """
    A screen that tells the child where its cursor stands, as of all that came before the question.

    Without an answer the shell's prompt waits; after a wrong one it draws over the lines above it.
    """

    def __init__(self, child: pexpect.spawn, columns: int, lines: int) -> None:
        super().__init__(columns, lines)
        self._child = child

    def write_process_input(self, data: str) -> None:
        self._child.send(data)
