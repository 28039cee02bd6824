"""The text of a program with some of a patch's edits made."""

from __future__ import annotations

from wolverine.core.program import Instruction, Location
from wolverine.errors import SourceError
from wolverine.frontend.context import LoadedProgram
from wolverine.frontend.placing import Piece
from wolverine.frontend.scan import Scan
from wolverine.frontend.spelling import Speller, is_postfix, without_parentheses
from wolverine.frontend.steps import defined_names
from wolverine.frontend.tokens import lex


class Edited:
    """`pieces` are the edits made so far, by file; `hot` text is compiled line by line, the other is read."""

    def __init__(self, program: LoadedProgram, hot: bool) -> None:
        self.program = program
        self.hot = hot
        self.scans = [Scan(file) for file in program.files]
        self.pieces: list[list[Piece]] = [[] for _ in program.files]

    def source(self, file: int, start: int, end: int) -> str:
        """Original text with the edits made so far in it."""
        original = self.scans[file].text
        result = []
        position = start
        for piece in sorted(self.pieces[file]):
            if piece.start >= position and piece.end <= end:
                result.append(original[position : piece.start] + piece.text)
                position = piece.end
        return "".join(result) + original[position:end]

    def whole(self, location: Location) -> str:
        """The text of a location with the edits made so far in it."""
        return self.source(location.span.file, location.span.start, location.span.end)

    def speller(self, location: Location) -> Speller:
        """What spells expressions at a location; temporaries are the text that they stand for."""

        def temporary(name: str) -> str:
            place = self.defined_at(location.function, name)
            if place is None:
                return name
            if self._is_inside_macro(location.function, name, place):
                raise SourceError(f"line {place.line}: {place.text} cannot be written in part")
            return self.whole(place)

        return Speller(self.program, location, temporary)

    def instruction(self, location: Location) -> Instruction | None:
        """The instruction that an edit at the location replaces: the last one there."""
        code = self.program.functions[location.function].code
        return next((step for step in reversed(code) if step.location == location.id), None)

    def _is_inside_macro(self, function: str, name: str, place: Location) -> bool:
        """Whether a temporary is computed by a part of what a macro stands for, which has no text."""
        written = self.whole(place)
        words = tuple(written[each.start : each.end] for each in lex(written).lexemes)
        expansion = self.program.contexts[function].macros.get(words)
        if expansion is None or len(expansion) == 1:
            return False
        meant = without_parentheses(" ".join(expansion))
        step = next(each for each in self.program.functions[function].code if name in defined_names(each))
        called = getattr(step, "function", "") or getattr(step, "reason", "").removeprefix("call of ")
        return not (called and meant.startswith(f"{called} (") and meant.endswith(")") and is_postfix(meant))

    def defined_at(self, function: str, name: str) -> Location | None:
        """The place in the text that computes a temporary."""
        for step in self.program.functions[function].code:
            if name in defined_names(step) and step.location >= 0:
                return self.program.location(step.location)
        return None
