"""Places of the source files that a session tells of."""

from __future__ import annotations

import re
from pathlib import Path

from wolverine.core.program import Program
from wolverine.session.moments import Moment
from wolverine.session.positions import UNMAPPED

# Up to the first comment outside of texts.
_CODE = re.compile(r"""(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?!//|/\*).)*""")
_WIDTH = 80  # characters of a statement, from which on no more lines of it are shown


class Lines:
    """The files and lines of one program, as it was given."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def place(self, moment: Moment) -> tuple[str, int, str]:
        """File, line and function of a stop; of the caller's frame when it is inside a library."""
        if not moment.stop.frames:
            return "", 0, ""
        frame = moment.stop.frames[0]
        name, instruction = moment.stack[0]
        line = frame.line
        if instruction >= 0:
            function = self._program.functions[name]
            unit = function.unit_of[instruction]
            if unit >= 0:
                line = max(line, 1) if moment.stop.foreign else function.units[unit].span.line
        return self.given(frame.file), line, frame.function

    def given(self, file: str) -> str:
        """A source file's path as the program was given, where it is one of its files."""
        for source in self._program.files:
            if Path(source.path).name == Path(file).name:
                return source.path
        return file

    def line(self, moment: Moment) -> int:
        """The line of a stop."""
        return self.place(moment)[1]

    def statement(self, moment: Moment) -> str:
        """The source text of a stop: the line, and those on which its statement or condition goes on."""
        file, line, _ = self.place(moment)
        text, last = self.source_line(file, line), line
        name, instruction = moment.stack[0] if moment.stack else ("", UNMAPPED)
        if instruction >= 0 and not moment.stop.foreign:
            function = self._program.functions[name]
            unit = function.unit_of[instruction]
            span = function.units[unit].span if unit >= 0 else None
            if span is not None:
                last = self._program.last_line(span)
        for number in range(line + 1, last + 1):
            if len(text) > _WIDTH or "//" in text:
                return f"{text} ..."
            text = f"{text} {self.source_line(file, number)}"
        return text

    def source_line(self, file: str, line: int) -> str:
        """The text of a source line, without its indentation."""
        for source in self._program.files:
            if source.path == file:
                lines = source.content.decode("utf-8", "replace").splitlines()
                return lines[line - 1].strip() if 0 < line <= len(lines) else ""
        return ""

    def code(self, file: str, line: int) -> str:
        """The same without a comment at its end, to be quoted in a sentence."""
        text = self.source_line(file, line)
        code = text[: _CODE.match(text).end()].rstrip()  # type: ignore[union-attr]
        comment = text[len(code) :].strip()
        _, closed, behind = comment.partition("*/")
        return text if not code or (comment.startswith("/*") and closed and behind) else code
