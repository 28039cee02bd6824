"""C tokens and where they come from.

`lex` splits original bytes; `Token` is a token of the preprocessed text that knows the original bytes
that produced it.  Text is handled as latin-1, so that one character is one byte.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import NamedTuple


class Token(NamedTuple):
    """A preprocessed token.

    `start` and `end` are the bytes of file number `file` that it comes from: its own bytes when
    `direct`, the macro invocation's otherwise.  `file` is -1 for what no source file holds (system
    headers, tokens that were put in).  Of what a macro is given `origin` is the byte where it stands.
    """

    text: str
    file: int = -1
    start: int = 0
    end: int = 0
    direct: bool = False
    origin: int = -1


class Lexeme(NamedTuple):
    """A token of original bytes; `run` numbers the stretches between preprocessing directives."""

    start: int
    end: int
    run: int


_SPLICE = r"(?:\\[ \t]*\r?\n)"
_LEXER = re.compile(
    rf"""
    (?P<skip> [ \t\f\v\r\n]+ | {_SPLICE} | /\*.*?(?:\*/|\Z) | //(?:{_SPLICE}|[^\n])* )
  | (?P<string> (?:u8|[uUL])? "(?:\\.|[^"\\\n])*(?:"|(?=\n)|\Z) | [uUL]? '(?:\\.|[^'\\\n])*(?:'|(?=\n)|\Z) )
  | (?P<word> [A-Za-z_$\x80-\xff] (?:[\w$\x80-\xff] | {_SPLICE}(?=[\w$]))* )
  | (?P<number> \.?[0-9] (?:[eEpP][+-] | [\w.])* )
  | (?P<other> <<= | >>= | \.\.\. | -> | \+\+ | -- | << | >> | [<>=!+\-*/%&|^]= | && | \|\| | \#\# | . )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_DIRECTIVE = re.compile(rf"\#(?:{_SPLICE}|/\*.*?\*/|//[^\n]*|[^\n])*", re.DOTALL)


@dataclass(frozen=True)
class Lexed:
    """The tokens of a file outside directives and comments, and the directives' byte ranges."""

    lexemes: tuple[Lexeme, ...]
    directives: tuple[tuple[int, int], ...]


def lex(text: str) -> Lexed:
    """Split original text (latin-1 of its bytes)."""
    lexemes: list[Lexeme] = []
    directives: list[tuple[int, int]] = []
    position = 3 if text.startswith("\xef\xbb\xbf") else 0
    fresh = True
    run = 0
    while position < len(text):
        if fresh and text[position] == "#":
            match = _DIRECTIVE.match(text, position)
            assert match is not None
            directives.append((position, match.end()))
            position = match.end()
            run += 1
            continue
        match = _LEXER.match(text, position)
        assert match is not None
        if match.lastgroup == "skip":
            if "\n" in match.group() and not match.group().startswith(("\\", "/*")):
                fresh = True
        else:
            fresh = False
            lexemes.append(Lexeme(position, match.end(), run))
        position = match.end()
    return Lexed(tuple(lexemes), tuple(directives))


class Lines:
    """Byte offsets of the lines of a file."""

    def __init__(self, content: bytes) -> None:
        self.starts = [0]
        position = content.find(b"\n")
        while position >= 0:
            self.starts.append(position + 1)
            position = content.find(b"\n", position + 1)
        self.mark = 3 if content.startswith(b"\xef\xbb\xbf") else 0
        self.size = len(content)

    def offset(self, line: int, column: int) -> int | None:
        """The byte at gcc's `line` and `column` (both from 1, columns in bytes), None outside."""
        if not 1 <= line <= len(self.starts):
            return None
        offset = self.starts[line - 1] + max(column, 1) - 1
        if line == 1:
            offset += self.mark
        return offset if offset <= self.size else None

    def line(self, offset: int) -> int:
        """The line (from 1) of the byte at `offset`."""
        return bisect_right(self.starts, offset)

    def column(self, offset: int) -> int:
        """The column (from 1, in bytes) of the byte at `offset`."""
        line = self.line(offset)
        return offset - self.starts[line - 1] + 1 - (self.mark if line == 1 else 0)
