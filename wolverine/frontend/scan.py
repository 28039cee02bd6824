"""Looking around in original bytes: neighbouring tokens, line starts, indentation, brace style."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from wolverine.core.program import SourceFile
from wolverine.frontend.tokens import Lexed, lex

_INDENT = re.compile(r"[ \t]*")
_COMMENTS = re.compile(r"(?:\s|/\*(?:[^*]|\*(?!/))*\*/)*(?://.*(?<!\\))?", re.DOTALL)


class Scan:
    """One original file as text (latin-1 of its bytes) with its tokens."""

    def __init__(self, file: SourceFile) -> None:
        self.text = file.content.decode("latin-1")
        self.lexed: Lexed = lex(self.text)
        self._starts = [lexeme.start for lexeme in self.lexed.lexemes]
        self._ends = [lexeme.end for lexeme in self.lexed.lexemes]
        self.newline = "\r\n" if self.text.count("\r\n") * 2 > self.text.count("\n") else "\n"

    def before(self, offset: int) -> tuple[int, int, str]:
        """Start, end and text of the last token that ends at or before `offset`."""
        index = bisect_right(self._ends, offset) - 1
        if index < 0:
            return 0, 0, ""
        return self._lexeme(index)

    def after(self, offset: int) -> tuple[int, int, str]:
        """Start, end and text of the first token that starts at or behind `offset`."""
        index = bisect_left(self._starts, offset)
        if index >= len(self._starts):
            return len(self.text), len(self.text), ""
        return self._lexeme(index)

    def _lexeme(self, index: int) -> tuple[int, int, str]:
        lexeme = self.lexed.lexemes[index]
        return lexeme.start, lexeme.end, self.text[lexeme.start : lexeme.end]

    def tokens(self, start: int, end: int) -> list[tuple[int, int, str]]:
        """The tokens between two offsets."""
        first = bisect_left(self._starts, start)
        last = bisect_right(self._ends, end)
        return [self._lexeme(index) for index in range(first, last)]

    def line_start(self, offset: int) -> int:
        """The first byte of the line."""
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """The byte behind the last one of the line, before its line end."""
        end = self.text.find("\n", offset)
        if end < 0:
            return len(self.text)
        return end - 1 if end > offset and self.text[end - 1] == "\r" else end

    def only_comments(self, start: int, end: int) -> bool:
        """Whether nothing but white space and comments stands between, none of them longer."""
        return _COMMENTS.fullmatch(self.text[start:end]) is not None

    def indent(self, offset: int) -> str:
        """The white space that begins the line."""
        match = _INDENT.match(self.text, self.line_start(offset))
        assert match is not None
        return match.group()

    def newline_at(self, offset: int) -> str:
        """How the line ends, for a last line without an end how most lines do."""
        end = self.text.find("\n", offset)
        if end < 0:
            return self.newline
        return "\r\n" if end > 0 and self.text[end - 1] == "\r" else "\n"

    def starts_line(self, offset: int) -> bool:
        """Whether only white space stands before on the line."""
        return not self.text[self.line_start(offset) : offset].strip()

    def ends_line(self, offset: int) -> int | None:
        """The line's end when only comments that end on the line follow, else None."""
        end = self.line_end(offset)
        start, _, _ = self.after(offset)
        if start < end or self.in_directive(end) or self.text[end - 1 : end] == "\\":
            return None
        rest = self.text[offset:end]
        if rest.rfind("/*") > rest.rfind("*/") and "//" not in rest[: rest.rfind("/*")]:
            return None
        return end

    def in_directive(self, offset: int) -> bool:
        """Whether the byte belongs to a preprocessing directive."""
        return any(start <= offset < end for start, end in self.lexed.directives)

    def step(self) -> str:
        """One level of indentation, as most lines of the file have it."""
        counts: dict[str, int] = {}
        previous = ""
        for line in self.text.split("\n"):
            if not line.strip():
                continue
            match = _INDENT.match(line)
            assert match is not None
            indent = match.group()
            if indent.startswith(previous) and len(indent) > len(previous):
                extra = indent[len(previous) :]
                counts[extra] = counts.get(extra, 0) + 1
            previous = indent
        return max(counts, key=lambda extra: (counts[extra], -len(extra))) if counts else "    "

    def braces_on_own_lines(self) -> bool:
        """Whether most opening braces of statements (function bodies apart) begin their line."""
        own = attached = depth = 0
        previous = ""
        for lexeme in self.lexed.lexemes:
            word = self.text[lexeme.start : lexeme.end]
            depth += (word == "{") - (word == "}")
            if word == "{" and depth > 1 and previous in (")", "else", "do"):
                if self.starts_line(lexeme.start):
                    own += 1
                else:
                    attached += 1
            previous = word
        return own > attached

    def block_end(self, offset: int) -> int:
        """The offset of the bracket that closes what surrounds `offset`; the text's end if none does."""
        depth = 0
        for index in range(bisect_left(self._starts, offset), len(self._starts)):
            word = self.text[self._starts[index] : self._ends[index]]
            depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
            if depth < 0:
                return self._starts[index]
        return len(self.text)

    def matching(self, opening: int) -> int:
        """The offset of the parenthesis that closes the one at `opening`, -1 if none does."""
        depth = 0
        for index in range(bisect_left(self._starts, opening), len(self._starts)):
            word = self.text[self._starts[index] : self._ends[index]]
            depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
            if depth == 0:
                return self._starts[index]
        return -1
