"""How many columns of a terminal text takes: East Asian characters and emoji take two."""

from __future__ import annotations

import unicodedata

from wcwidth import wcwidth

_FLAGS = range(0x1F1E6, 0x1F200)  # regional indicators: a terminal may draw two of them as one flag


def columns(text: str) -> int:
    """The columns of text that holds only what `stands_alone` or is plain ASCII."""
    return len(text) if text.isascii() else sum(character_columns(character) for character in text)


def character_columns(character: str) -> int:
    """1 or 2; what has no width of its own counts as one."""
    return max(1, wcwidth(character))


def stands_alone(character: str) -> bool:
    """Whether every terminal draws the character by itself, in one or two columns."""
    if not character.isprintable() or wcwidth(character) < 1 or ord(character) in _FLAGS:
        return False
    return unicodedata.category(character) not in ("Mn", "Mc", "Me", "Sk") or character.isascii()


def cut(text: str, room: int) -> str:
    """The beginning of the text that fits `room` columns."""
    if text.isascii():
        return text[: max(0, room)]
    used = 0
    for index, character in enumerate(text):
        used += character_columns(character)
        if used > room:
            return text[:index]
    return text
