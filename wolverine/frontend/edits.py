"""A patch as replacements and insertions in original bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from wolverine.core.expressions import (
    Binary,
    Cast,
    Constant,
    Expression,
    Load,
    LValue,
    Unary,
    text,
)
from wolverine.core.patch import (
    Deletion,
    Edit,
    Guarded,
    NewAssignment,
    NewCall,
    NewNode,
    NewReturn,
    NewValue,
    Patch,
    Replacement,
    Several,
)
from wolverine.core.program import Assign, Branch, Call, Concrete, Function, Instruction, Location
from wolverine.errors import SourceError
from wolverine.frontend.allocating import allocation, headers
from wolverine.frontend.context import LoadedProgram
from wolverine.frontend.declaring import declare_spares
from wolverine.frontend.placing import Compound, Piece, Placer, Texts
from wolverine.frontend.reparse import normal
from wolverine.frontend.scan import Scan
from wolverine.frontend.spelling import (
    Speller,
    has_comma,
    has_outside,
    is_postfix,
    split_assignment,
    without_parentheses,
)
from wolverine.frontend.steps import assigned_names, defined_names, temporaries_in, value_of
from wolverine.frontend.tokens import lex


@dataclass(frozen=True)
class Described:
    """What an edit does to the text at its location."""

    edit: Edit
    location: Location
    text: str


class Editor:
    """Turns the edits of one patch into pieces, for reading or (`hot`) for compiling line by line."""

    def __init__(self, program: LoadedProgram, patch: Patch, hot: bool) -> None:
        self.program = program
        self.patch = patch
        self.hot = hot
        self.scans = [Scan(file) for file in program.files]
        self.pieces: list[list[Piece]] = [[] for _ in program.files]
        self.described: list[Described] = []
        self._build()

    def _build(self) -> None:
        inside = []
        gaps: list[tuple[Location, str]] = []
        for edit in self.patch.edits:
            if not 0 <= edit.location < len(self.program.locations):
                raise SourceError(f"there is no location {edit.location}")
            location = self.program.location(edit.location)
            if location.gap == "result" and location.kind == "gap":
                self._store(location, edit)
            elif location.kind == "gap":
                made = edit.replacement
                parts = made.statements if isinstance(made, Several) else (made,)
                statements = [self._statement(location, each) for each in parts]
                self.described.append(Described(edit, location, " ".join(statements)))
                gaps += [(location, statement) for statement in statements]
            elif location.kind == "fixed":
                raise SourceError(f"line {location.line}: {location.text} cannot be edited")
            else:
                inside.append((location, edit))
        inside.sort(key=lambda pair: (pair[0].span.end - pair[0].span.start, pair[0].id))  # inner ones first
        declared = declare_spares(self.program, self.patch, self.scans, gaps)
        inserted: dict[int, list[str]] = {}
        for location, statement in gaps:
            inserted.setdefault(location.id, []).append(statement)
        self.described = [
            replace(d, text=" ".join(inserted.get(d.location.id, [d.text]))) for d in self.described
        ]
        wrapped = {
            (location.span.file, location.span.start)
            for location, _ in gaps
            if location.gap in ("wrap-before", "wrap-after")
        }
        for location, edit in inside:
            self._replace(location, edit, wrapped)
        for file in range(len(self.scans)):
            texts = [*Texts.collect(gaps, file), *declared.get(file, ())]
            placer = Placer(self.scans[file], self.hot, self.pieces[file])
            self.pieces[file].extend(placer.place(texts))
        for file, piece in () if self.hot else headers(self.program, self.patch, self.scans):
            self.pieces[file].append(piece)
        self.described.sort(key=lambda described: described.location.id)

    def _store(self, location: Location, edit: Edit) -> None:
        """The value of a call that was dropped is assigned."""
        if not isinstance(edit.replacement, NewAssignment):
            raise SourceError(f"line {location.line}: the value of {location.text} can only be assigned")
        span = location.span
        head = f"{self._speller(location).place(edit.replacement.target)} = "
        call = self.source(span.file, span.start, span.end)
        self.described.append(Described(edit, location, head + call))
        self.pieces[span.file].append(Piece(span.start, span.start, head, (99,)))

    # Text inside statements

    def _replace(self, location: Location, edit: Edit, wrapped: set[tuple[int, int]]) -> None:
        span = location.span
        pieces = self.pieces[span.file]
        if isinstance(edit.replacement, Deletion):
            self.described.append(Described(edit, location, ""))
            start, end, fresh = self._deleted(location, (span.file, span.start) in wrapped)
        elif isinstance(edit.replacement, Guarded):
            start, end, fresh = self._tested(location, edit.replacement)
            self.described.append(Described(edit, location, " ".join(fresh.split()).rstrip(";")))
        else:
            fresh = self.new_text(location, edit.replacement)
            self.described.append(Described(edit, location, fresh))
            start, end = span.start, span.end
        pieces[:] = [piece for piece in pieces if not (start <= piece.start and piece.end <= end)]
        pieces.append(Piece(start, end, fresh, (0,)))

    def _tested(self, location: Location, made: Guarded) -> tuple[int, int, str]:
        """The statement put under a test: what is cut, and what stands there instead."""
        condition = made.condition
        if not location.semicolon:
            raise SourceError(f"line {location.line}: {location.text} cannot be put under a test")
        span, scan = location.span, self.scans[location.span.file]
        head = f"if ({self._speller(location).expression(condition)})"
        if scan.before(span.start)[2] not in ("{", "}", ";", ":"):
            # `else` behind it must not become the test's
            other = "" if made.otherwise is None else f"else {self._statement(location, made.otherwise)} "
            return span.start, scan.after(span.end)[1], f"{{ {head} {self._whole(location)}; {other}}}"
        line = scan.text[scan.text.rfind("\n", 0, span.start) + 1 : span.start]
        own_line = not self.hot and not line.strip()
        deeper = line + ("\t" if line.endswith("\t") else "    ")
        between = f"\n{deeper}" if own_line else " "
        other = ""
        if made.otherwise is not None:
            written = self._statement(location, made.otherwise).rstrip(";")
            other = f";{f'{chr(10)}{line}' if own_line else ' '}else{between}{written}"
        return span.start, span.end, f"{head}{between}{self._whole(location)}{other}"

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

    def _whole(self, location: Location) -> str:
        return self.source(location.span.file, location.span.start, location.span.end)

    def new_text(self, location: Location, replacement: Replacement) -> str:
        """The text that takes the place of the location's span."""
        instruction = self.instruction(location)
        speller = self._speller(location)
        match replacement:
            case NewValue(value):
                old = value_of(instruction)
                while isinstance(instruction, Branch) and (twice := _twice_negated(value)) is not None:
                    value = twice
                written = speller.expression(value, old, self._whole(location))
                written = self._with_effects(location, value, written)
                return self._bracketed(location, written)
            case NewAssignment(target, value):
                return self._assignment(location, instruction, target, value, speller)
            case NewNode() if location.kind == "initialiser":
                return self._statement(location, replacement).rstrip(";").partition(" = ")[2]
            case _:
                return self._statement(location, replacement).rstrip(";")

    def _speller(self, location: Location) -> Speller:
        def temporary(name: str) -> str:
            place = self._defined_at(location.function, name)
            if place is None:
                return name
            if self._is_inside_macro(location.function, name, place):
                raise SourceError(f"line {place.line}: {place.text} cannot be written in part")
            return self._whole(place)

        return Speller(self.program, location, temporary)

    def instruction(self, location: Location) -> Instruction | None:
        """The instruction that an edit at the location replaces: the last one there."""
        code = self.program.functions[location.function].code
        return next((step for step in reversed(code) if step.location == location.id), None)

    def _is_inside_macro(self, function: str, name: str, place: Location) -> bool:
        """Whether a temporary is computed by a part of what a macro stands for, which has no text."""
        written = self._whole(place)
        words = tuple(written[each.start : each.end] for each in lex(written).lexemes)
        expansion = self.program.contexts[function].macros.get(words)
        if expansion is None or len(expansion) == 1:
            return False
        meant = without_parentheses(" ".join(expansion))
        step = next(each for each in self.program.functions[function].code if name in defined_names(each))
        called = getattr(step, "function", "") or getattr(step, "reason", "").removeprefix("call of ")
        return not (called and meant.startswith(f"{called} (") and meant.endswith(")") and is_postfix(meant))

    def _defined_at(self, function: str, name: str) -> Location | None:
        for step in self.program.functions[function].code:
            if name in defined_names(step) and step.location >= 0:
                return self.program.location(step.location)
        return None

    def _with_effects(
        self, location: Location, value: Expression, written: str, old: str | None = None
    ) -> str:
        """The text preceded by the side effects that the old text had and the new one lost.

        `old` is the text of the old value, by default all of the location's.
        """
        kept = [
            place.span
            for name in temporaries_in(value)
            if (place := self._defined_at(location.function, name)) is not None
        ]
        lost: list[Location] = []
        for place in self._effects(location):
            if not any(span.start <= place.span.start and place.span.end <= span.end for span in kept):
                lost.append(place)
        outermost = [
            place
            for place in lost
            if not any(
                other is not place
                and other.span.start <= place.span.start
                and place.span.end <= other.span.end
                and other.span != place.span
                for other in lost
            )
        ]
        if not outermost:
            return written
        if self._branches_inside(location):
            return f"({self._whole(location) if old is None else old}, {written})"
        parts = [self._whole(place) for place in sorted(outermost, key=lambda place: place.span.start)]
        return f"({', '.join(dict.fromkeys((*parts, written)))})"

    def _effects(self, location: Location) -> Iterator[Location]:
        """Places inside the location's text whose instructions have effects of their own, which stay."""
        deleted = {edit.location for edit in self.patch.edits if isinstance(edit.replacement, Deletion)}
        function: Function = self.program.functions[location.function]
        for step in function.code:
            if step.location < 0 or step.location == location.id or step.location in deleted:
                continue
            effect = isinstance(step, (Call, Concrete)) or (
                isinstance(step, Assign) and not any(name.startswith("$") for name in assigned_names(step))
            )
            place = self.program.location(step.location)
            if (
                effect
                and place.span.file == location.span.file
                and location.span.start <= place.span.start
                and place.span.end <= location.span.end
            ):
                yield place

    def _branches_inside(self, location: Location) -> bool:
        """Whether the location's text decides which of its side effects happen."""
        for step in self.program.functions[location.function].code:
            if isinstance(step, Branch) and step.location not in (-1, location.id):
                span = self.program.location(step.location).span
                if span.file == location.span.file and (
                    location.span.start <= span.start and span.end <= location.span.end
                ):
                    return True
        return False

    def _bracketed(self, location: Location, written: str) -> str:
        """Parentheses where the surroundings would bind more tightly than the text."""
        if is_postfix(written):
            return written
        scan = self.scans[location.span.file]
        left = scan.before(location.span.start)[2]
        right = scan.after(location.span.end)[2]
        if left == "else" or (left.isidentifier() and left != "return"):
            left = "operand"
        before, behind = ("(", ",", ";", "=", "return", "[", "{"), (")", ",", ";", "]", "}")
        closed = left in before and right in behind
        if not closed and left in (*before, "&&", "||") and right in (*behind, "&&", "||"):
            closed = not has_outside(written, ("&&", "||", "?", "=", ","))
        if (
            closed
            and not (has_comma(written) and "," in (left, right))
            and not (has_comma(written) and location.kind in ("argument", "initialiser"))
        ):
            return written
        return f"({written})"

    # Assignments

    def _assignment(
        self,
        location: Location,
        instruction: Instruction | None,
        target: LValue,
        value: Expression,
        speller: Speller,
    ) -> str:
        if not isinstance(instruction, Assign):
            return f"{speller.place(target)} = {speller.expression(value)}"
        source = without_parentheses(self._whole(location))
        if source != self._whole(location):
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
        nested = self._is_nested(location)
        if sides is None or sides[1] != "=":
            written = self._step(instruction, target, value, source, sides, speller)
            if normal(value) != normal(instruction.value):
                kept = self._with_effects(location, value, written, sides[2] if sides else None)
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
                    written = f"{left}{joint}{self._with_effects(location, value, fresh, right)}"
                else:
                    bare = f"{left}{joint}{fresh}"
                    written = self._with_effects(location, value, bare, right)
                    if written != bare and location.semicolon:
                        written = written[1:-1]
            if nested and not same:
                written = f"{written}, {self._old_target(location, instruction)}"
                return written if source != self._whole(location) else f"({written})"
        return written

    def _old_target(self, location: Location, instruction: Assign) -> str:
        sides = split_assignment(without_parentheses(self._whole(location)))
        return sides[0] if sides is not None else self._speller(location).place(instruction.target)

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
        plain = value
        while isinstance(plain, Cast) and not plain.written:
            plain = plain.operand
        if isinstance(plain, Binary) and _same(plain.left, Load(target)) and plain.operator in "+-*/%&|^":
            if sides is None:
                one = isinstance(plain.right, (Constant, Cast)) and normal(plain.right) == normal(
                    Constant(1, plain.right.type)
                )
                sign = plain.operator * 2
                if one and plain.operator in "+-":
                    return f"{sign}{place}" if source.startswith(("+", "-")) else f"{place}{sign}"
            old = instruction.value
            while isinstance(old, Cast) and not old.written:
                old = old.operand
            operand = speller.expression(plain.right)
            if sides is not None and isinstance(old, Binary) and _same(old.right, plain.right):
                operand = sides[2]
            return f"{place} {plain.operator}= {operand}"
        return f"{place} = {speller.expression(value)}"

    def _is_nested(self, location: Location) -> bool:
        """Whether the assignment's value is used by what stands around it."""
        if location.semicolon:
            return False
        function = self.program.functions[location.function]
        return not any(
            unit.span.start == location.span.start and unit.span.end == location.span.end
            for unit in function.units
        )

    def _deleted(self, location: Location, wrapped: bool) -> tuple[int, int, str]:
        span = location.span
        scan = self.scans[span.file]
        placer = Placer(scan, self.hot, self.pieces[span.file])
        match location.kind:
            case "initialiser":
                equals = scan.before(span.start)
                start = scan.before(equals[0])[1]
                if not any(True for _ in self._effects(location)):
                    return start, span.end, ""
                if scan.after(span.end)[2] == ";" and not self._in_parentheses(span.file, span.start):
                    return start, span.end, f"; {self._whole(location)}"
            case "assignment" if location.semicolon and any(True for _ in self._effects(location)):
                sides = split_assignment(self._whole(location))
                if sides is not None and not any(
                    place.span.start < span.start + len(sides[0]) for place in self._effects(location)
                ):
                    return span.start, span.end, sides[2]
            case "assignment" | "call" if location.semicolon:
                return placer.removed_statement(span.start, span.end, wrapped)
            case "assignment" if self._is_nested(location):
                instruction = self.instruction(location)
                if isinstance(instruction, Assign):
                    old = self._old_target(location, instruction)
                    sides = split_assignment(without_parentheses(self._whole(location)))
                    if sides is not None and any(True for _ in self._effects(location)):
                        old = f"({sides[2]}, {old})"
                    return span.start, span.end, old
            case "assignment":
                return placer.removed_part(span.start, span.end)
        raise SourceError(f"line {location.line}: {location.text} cannot be deleted")

    def _in_parentheses(self, file: int, offset: int) -> bool:
        """Whether the declaration that ends behind `offset` stands in a for header."""
        scan = self.scans[file]
        while True:
            start, _, word = scan.before(offset)
            if word in ("{", "}", ";", ""):
                return False
            if word == "(" and scan.before(start)[2] == "for":
                return True
            offset = start

    # Inserted statements

    def _statement(self, location: Location, replacement: Replacement) -> str:
        speller = self._speller(location)
        match replacement:
            case NewAssignment(target, value):
                return f"{speller.place(target)} = {speller.expression(value)};"
            case NewCall(function, arguments, result):
                stored = "" if result is None else f"{speller.place(result)} = "
                written = ", ".join(speller.expression(each) for each in arguments)
                return f"{stored}{function.rpartition(':')[2]}({written});"
            case NewReturn(value, before):
                last = "return;" if value is None else f"return {speller.expression(value)};"
                return last if before is None else f"{self._statement(location, before)} {last}"
            case NewNode(target):
                return allocation(self.program, location, replacement, speller.place(target), self.hot)
            case Guarded(condition, statement):
                parts: list[Replacement] = [statement]
                if isinstance(statement, NewReturn) and statement.before is not None:
                    parts = [statement.before, NewReturn(statement.value)]
                inner = [self._statement(location, each) for each in parts]
                return Compound(f"if ({speller.expression(condition)})", inner)
            case _:
                raise SourceError(f"line {location.line}: only a statement can be inserted")


def _twice_negated(condition: Expression) -> Expression | None:
    """What a condition denies twice, None when it does not."""
    match condition:
        case Unary("!", Unary("!", inner)):
            return inner
        case _:
            return None


def _same(first: Expression, second: Expression) -> bool:
    return normal(first) == normal(second)
