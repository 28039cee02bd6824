"""Where command lines come from: scripts, the command line, pipes, the prompt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from wolverine.session.splitting import opens_block, split_commands

_RAW_BLOCKS = ("python", "py", "guile", "gu", "document")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of commands; `block` when it is one of gdb's that runs up to `end`.

    `script` and `number` (from 1) say where it stands, if in a file.  `echo` when nobody has typed it
    here, so that the terminal has to show it.
    """

    text: str
    script: str | None = None
    number: int | None = None
    block: bool = False
    echo: bool = False


class Reader(Protocol):
    """A source of lines."""

    def read(self, continuation: bool = False) -> Line | None:
        """The next line, None at the end; `continuation` inside a block."""


class Lines:
    """Lines that are known beforehand, or come from a pipe; `script` names a file."""

    def __init__(self, texts: Iterable[str], script: str | None = None) -> None:
        self._texts: Iterator[tuple[int, str]] = enumerate(texts, 1)
        self._script = script

    def read(self, continuation: bool = False) -> Line | None:
        """The next line."""
        for number, text in self._texts:
            return Line(text.rstrip("\r\n"), self._script, number if self._script else None)
        return None


def read_whole(reader: Reader) -> Line | None:
    """The next line; where it opens a block of gdb's, with all lines up to the matching `end`.

    A line that comes from elsewhere is taken as it is: what follows here does not belong to it.
    """
    line = reader.read()
    if line is None:
        return None
    pieces = split_commands(line.text)
    if line.echo or not pieces or not opens_block(pieces[-1]):
        return line
    raw = pieces[-1].split()[0] in _RAW_BLOCKS
    texts, depth = [line.text.strip()], 1
    while depth and (inner := reader.read(continuation=True)) is not None:
        texts.append(inner.text)
        if inner.text.strip() == "end":
            depth -= 1
        elif not raw and opens_block(inner.text):
            depth += 1
    return Line("\n".join(texts), line.script, line.number, block=True)
