"""TAB: command words, places and nodes of the picture, files, gdb's own completions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from prompt_toolkit.completion import (
    CompleteEvent,
    Completer,
    Completion,
    PathCompleter,
    get_common_complete_suffix,
)
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document

from wolverine.draw.columns import columns
from wolverine.errors import UsageError
from wolverine.session import engines, localizing
from wolverine.session.options import Names
from wolverine.session.parse import REPAIR_OPTIONS, REPAIR_VALUES
from wolverine.session.splitting import split_commands
from wolverine.session.words import GDB_WORDS, WORDS, resolve

_PLACES = ("change", "spec", "track", "graph", "why")
_FILES = ("source", "save", "rewrite")
# gdb's commands whose argument says where in the program, and their short names.
_LOCATIONS = (
    *("break", "b", "br", "bre", "brea", "tbreak", "tb", "tbr", "thbreak", "hbreak", "until", "advance"),
    *("clear", "list", "l", "jump", "j"),
)
_OPTIONS = {"repair": REPAIR_OPTIONS, "localize": ("--engine", "--explain")}
_ENGINES = {"repair": engines.NAMES, "localize": localizing.ENGINES}
_GOES_ON = re.compile(r"[A-Za-z_]\w*(?:(?:::|->|\.)\w+|\[\w+\])*(?:->|\.)\w*$")
_TAG = re.compile(r"\b(struct|union|enum) +(\w*)$")
_MORE = "(and more: type on)"


class Knows(Protocol):
    """Who knows the names at this stop."""

    def names(self, typed: str = "") -> Names:
        """What can be named now, and with what a place that was `typed` may go on."""

    def gdb_complete(self, text: str) -> list[str]:
        """gdb's completions of a whole command line."""


class CommandCompleter(Completer):
    """Completes the command in which the cursor stands."""

    def __init__(self, session: Knows) -> None:
        self._session = session
        self._paths = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """All that can stand at the cursor."""
        command = last_command(document.text_before_cursor)
        if command is None:
            return
        word, blank, rest = command.partition(" ")
        if not blank:
            yield from _matching(word, sorted({*WORDS, *GDB_WORDS}), end=" ")
            return
        try:
            name = resolve(word)
        except UsageError:
            return
        if name in _FILES:
            yield from self._paths.get_completions(Document(rest.lstrip()), complete_event)
        elif name in _PLACES:
            yield from _matching(_last_word(rest), self._arguments(name, rest))
        elif name == "help":
            yield from _matching(rest.lstrip(), sorted({*WORDS, *GDB_WORDS}))
        elif name in _OPTIONS:
            yield from _matching(_last_word(rest), self._options(name, rest), end=" ")
        else:
            yield from list(self._own(name or word, rest)) or self._gdb(command)

    def _options(self, name: str, rest: str) -> Iterable[str]:
        """The options of a command, or what one that needs a value may be given."""
        before = rest[: len(rest) - len(_last_word(rest))].split()
        match before[-1:]:
            case ["--engine"]:
                return _ENGINES[name]
            case ["--function"]:
                return self._session.names().code
            case [option] if option in REPAIR_VALUES:
                return ()
        return _OPTIONS[name]

    def _own(self, word: str, rest: str) -> Iterator[Completion]:
        """What of the program's can stand there in a command of gdb's, which offers all symbols."""
        if word in _LOCATIONS:
            yield from _matching(rest.lstrip(), self._session.names().code)
        yield from self._fields(rest)
        yield from self._types(rest)

    def _fields(self, rest: str) -> Iterator[Completion]:
        """The fields with which a place goes on."""
        if found := _GOES_ON.search(rest):
            places = self._session.names(found[0]).places
            yield from _matching(found[0], (each for each in places if _GOES_ON.fullmatch(each)))

    def _types(self, rest: str) -> Iterator[Completion]:
        """The types of the program behind `struct`, `union` or `enum`."""
        if found := _TAG.search(rest):
            keyword, tag = found.groups()
            types = (each.split() for each in self._session.names().types)
            yield from _matching(tag, (each for kind, each in types if kind == keyword))

    def _arguments(self, name: str, rest: str) -> list[str]:
        names = self._session.names(_last_word(rest))
        words = [*names.places]
        if name == "why":
            words = [*names.nodes, *names.places]
        elif name == "change" and " " in rest.strip() + rest[-1:]:
            words += [*names.nodes, "null"]
        return list(dict.fromkeys(words))

    def _gdb(self, command: str) -> Iterator[Completion]:
        for line in self._session.gdb_complete(command):
            if line.startswith(command):
                last = len(_last_word(command))
                yield Completion(line[len(command) - last :], start_position=-last)


class OnePage(Completer):
    """Completions as another one has them, no more to be listed than a screen of `size` () holds.

    The prompt would ask whether to list them all, and Ctrl-C there ends its event loop.
    """

    def __init__(self, completer: Completer, size: Callable[[], Size]) -> None:
        self._completer = completer
        self._size = size

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """The first ones, and that there are more."""
        found = list(self._completer.get_completions(document, complete_event))
        if len(found) < 2 or get_common_complete_suffix(document, found):
            yield from found  # inserted, not listed
            return
        size = self._size()
        widest = max(columns(each) for each in [_MORE, *(each.display_text for each in found)]) + 1
        room = max(1, size.columns // widest) * max(1, size.rows - 1)
        if len(found) <= room:
            yield from found
            return
        yield from found[: room - 1]
        yield Completion("", display=_MORE)


def last_command(text: str) -> str | None:
    """The command at the end of a line of several, without leading blanks; None in a comment."""
    cursor = "\x01"
    pieces = split_commands(text + cursor)
    return pieces[-1].removesuffix(cursor) if pieces and pieces[-1].endswith(cursor) else None


def _last_word(text: str) -> str:
    return text.rpartition(" ")[2]


def _matching(prefix: str, words: Iterable[str], end: str = "") -> Iterator[Completion]:
    for word in words:
        if word.startswith(prefix):
            yield Completion(word + end, start_position=-len(prefix), display=word)
