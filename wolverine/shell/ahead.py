"""What was typed before anybody asked: the line editor has read it, the debugged program may want it."""

from __future__ import annotations

import re

from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

_ENDS = {Keys.ControlM: "\n", Keys.ControlJ: "\n", Keys.ControlD: "\x04"}
_LINE = re.compile(r"[^\n\x04]*[\n\x04]?")


class TypedAhead:
    """Keys that the line editor keeps for its next prompt, as the lines that a terminal would give.

    What is not a line yet stays where it is, as do keys that the prompt knows and a line has no room for.
    """

    def __init__(self, source: Input) -> None:
        self._source = source

    def line(self) -> bytes:
        """The first whole line, taken away, with its end: `\\n`, or `\\x04` to end input; b"" for none."""
        keys = _separate(get_typeahead(self._source))
        for count, key in enumerate(keys, 1):
            if key.key in _ENDS:
                store_typeahead(self._source, keys[count:])
                return _bytes(keys[:count])
        store_typeahead(self._source, keys)
        return b""

    def begun(self) -> bytes:
        """What there is of a line without its end, taken away."""
        return _bytes(get_typeahead(self._source))

    def add(self, text: str) -> None:
        """Text that is to be read behind what there is."""
        store_typeahead(self._source, _keys(text))

    def insert(self, text: str) -> None:
        """Text that is to be read before what there is."""
        behind = get_typeahead(self._source)
        store_typeahead(self._source, [*_keys(text), *behind])


def _keys(text: str) -> list[KeyPress]:
    """Keys that type this text; blanks of all kinds in it are pasted, so that TAB completes nothing."""
    found: list[KeyPress] = []
    for line in _LINE.findall(text.replace("\r\n", "\n").replace("\r", "\n")):
        words = line.rstrip("\n\x04")
        if words:
            found.append(KeyPress(Keys.BracketedPaste, words))
        if line.endswith("\n"):
            found.append(KeyPress(Keys.ControlM, "\r"))
        elif line.endswith("\x04"):
            found.append(KeyPress(Keys.ControlD, "\x04"))
    return found


def _separate(keys: list[KeyPress]) -> list[KeyPress]:
    """The keys with what was pasted in several lines apart."""
    return [each for key in keys for each in (_keys(key.data) if key.key is Keys.BracketedPaste else [key])]


def _bytes(keys: list[KeyPress]) -> bytes:
    """What a terminal would give the program for these keys."""
    text = ""
    for key in keys:
        if key.key in _ENDS:
            text += _ENDS[Keys(key.key)]
        elif key.key is Keys.ControlH:
            text = text[:-1]
        elif key.key is Keys.ControlU:
            text = ""
        elif key.key is Keys.BracketedPaste or key.key == key.data or key.key is Keys.ControlI:
            text += key.data
    return text.encode("utf-8", "surrogateescape")
