"""What is left of the text where a statement or an initialiser is deleted."""

from __future__ import annotations

from wolverine.core.program import Assign, Location
from wolverine.errors import SourceError
from wolverine.frontend.assigning import Assigning
from wolverine.frontend.edited import Edited
from wolverine.frontend.lasting import Lasting
from wolverine.frontend.placing import Placer
from wolverine.frontend.spelling import split_assignment, without_parentheses


class Deleting:
    """Cuts out what one patch deletes; side effects stay."""

    def __init__(self, edited: Edited, lasting: Lasting, assigning: Assigning) -> None:
        self._edited = edited
        self._lasting = lasting
        self._assigning = assigning

    def cut(self, location: Location, wrapped: bool) -> tuple[int, int, str]:
        """Where what is deleted begins and ends, and what stands there instead.

        A statement that is `wrapped` stands in braces of its own.  Raises SourceError where it cannot go.
        """
        span = location.span
        scan = self._edited.scans[span.file]
        placer = Placer(scan, self._edited.hot, self._edited.pieces[span.file])
        match location.kind:
            case "initialiser":
                equals = scan.before(span.start)
                start = scan.before(equals[0])[1]
                if not any(True for _ in self._lasting.inside(location)):
                    return start, span.end, ""
                if scan.after(span.end)[2] == ";" and not self._in_parentheses(span.file, span.start):
                    return start, span.end, f"; {self._edited.whole(location)}"
            case "assignment" if location.semicolon and any(True for _ in self._lasting.inside(location)):
                sides = split_assignment(self._edited.whole(location))
                if sides is not None and not any(
                    place.span.start < span.start + len(sides[0]) for place in self._lasting.inside(location)
                ):
                    return span.start, span.end, sides[2]
            case "jump":
                whole = self._edited.whole(location).removeprefix("return").lstrip()
                if kept := self._lasting.alone(location, whole):
                    return span.start, span.end, kept
                return placer.removed_statement(span.start, span.end, wrapped)
            case "assignment" | "call" if location.semicolon:
                return placer.removed_statement(span.start, span.end, wrapped)
            case "assignment" if self._assigning.is_nested(location):
                instruction = self._edited.instruction(location)
                if isinstance(instruction, Assign):
                    old = self._assigning.old_target(location, instruction)
                    sides = split_assignment(without_parentheses(self._edited.whole(location)))
                    if sides is not None and any(True for _ in self._lasting.inside(location)):
                        old = f"({sides[2]}, {old})"
                    return span.start, span.end, old
            case "assignment":
                return placer.removed_part(span.start, span.end)
        raise SourceError(f"line {location.line}: {location.text} cannot be deleted")

    def _in_parentheses(self, file: int, offset: int) -> bool:
        """Whether the declaration that ends behind `offset` stands in a for header."""
        scan = self._edited.scans[file]
        while True:
            start, _, word = scan.before(offset)
            if word in ("{", "}", ";", ""):
                return False
            if word == "(" and scan.before(start)[2] == "for":
                return True
            offset = start
