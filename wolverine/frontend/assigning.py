"""The text of an assignment that is changed: as much of the old one as stays true."""

from __future__ import annotations

from wolverine.core.expressions import Binary, Cast, Constant, Expression, Load, LValue, text
from wolverine.core.parts import unconverted
from wolverine.core.program import Assign, Instruction, Location
from wolverine.frontend.edited import Edited
from wolverine.frontend.lasting import Lasting
from wolverine.frontend.reparse import normal
from wolverine.frontend.spelling import Speller, split_assignment, without_parentheses


class Assigning:
    """Writes the changed assignments of one patch."""

    def __init__(self, edited: Edited, lasting: Lasting) -> None:
        self._edited = edited
        self._lasting = lasting

    def written(
        self,
        location: Location,
        instruction: Instruction | None,
        target: LValue,
        value: Expression,
        speller: Speller,
    ) -> str:
        """The text of the location with another target or value."""
        if not isinstance(instruction, Assign):
            return f"{speller.place(target)} = {speller.expression(value)}"
        source = without_parentheses(self._edited.whole(location))
        if source != self._edited.whole(location):
            return f"({self._bare_assignment(location, instruction, target, value, speller, source)})"
        return self._bare_assignment(location, instruction, target, value, speller, source)

    def _bare_assignment(
        self,
        location: Location,
        instruction: Assign,
        target: LValue,
        value: Expression,
        speller: Speller,
        source: str,
    ) -> str:
        sides = split_assignment(source)
        nested = self.is_nested(location)
        if sides is None or sides[1] != "=":
            written = self._step(instruction, target, value, source, sides, speller)
            if normal(value) != normal(instruction.value):
                kept = self._lasting.kept(location, value, written, sides[2] if sides else None, target)
                written = kept[1:-1] if kept != written and location.semicolon else kept
        else:
            left, _, right, joint = sides
            same = normal(Load(target)) == normal(Load(instruction.target))
            left = left if same else speller.place(target, instruction.target, left)
            if normal(value) == normal(instruction.value):
                written = f"{left}{joint}{right}"
            else:
                fresh = speller.expression(value, instruction.value, right)
                if nested or "$" in text(Load(target)):
                    kept = self._lasting.kept(location, value, fresh, right, target)
                    written = f"{left}{joint}{kept}"
                else:
                    bare = f"{left}{joint}{fresh}"
                    written = self._lasting.kept(location, value, bare, right)
                    if written != bare and location.semicolon:
                        written = written[1:-1]
            if nested and not same:
                written = f"{written}, {self.old_target(location, instruction)}"
                return written if source != self._edited.whole(location) else f"({written})"
        return written

    def old_target(self, location: Location, instruction: Assign) -> str:
        """The text of what is assigned to."""
        sides = split_assignment(without_parentheses(self._edited.whole(location)))
        return sides[0] if sides is not None else self._edited.speller(location).place(instruction.target)

    def _step(
        self,
        instruction: Assign,
        target: LValue,
        value: Expression,
        source: str,
        sides: tuple[str, str, str, str] | None,
        speller: Speller,
    ) -> str:
        """A changed `x++` or `x += e`, kept in that form where it still is one."""
        place = speller.place(target)
        plain = unconverted(value)
        if isinstance(plain, Binary) and _same(plain.left, Load(target)) and plain.operator in "+-*/%&|^":
            if sides is None:
                one = isinstance(plain.right, (Constant, Cast)) and normal(plain.right) == normal(
                    Constant(1, plain.right.type)
                )
                sign = plain.operator * 2
                if one and plain.operator in "+-":
                    return f"{sign}{place}" if source.startswith(("+", "-")) else f"{place}{sign}"
            old = unconverted(instruction.value)
            operand = speller.expression(plain.right)
            if sides is not None and isinstance(old, Binary) and _same(old.right, plain.right):
                operand = sides[2]
            return f"{place} {plain.operator}= {operand}"
        return f"{place} = {speller.expression(value)}"

    def is_nested(self, location: Location) -> bool:
        """Whether the assignment's value is used by what stands around it."""
        if location.semicolon:
            return False
        function = self._edited.program.functions[location.function]
        return not any(
            unit.span.start == location.span.start and unit.span.end == location.span.end
            for unit in function.units
        )


def _same(first: Expression, second: Expression) -> bool:
    return normal(first) == normal(second)
