"""A patch as replacements and insertions in original bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from wolverine.core.expressions import Expression, Load, Unary
from wolverine.core.parts import negated
from wolverine.core.patch import (
    Cleared,
    Deletion,
    Edit,
    FreedList,
    Guarded,
    NewAssignment,
    NewBlock,
    NewCall,
    NewJump,
    NewNode,
    NewReturn,
    NewSkip,
    NewValue,
    OtherFunction,
    OtherJoin,
    Patch,
    Replacement,
    Several,
    ShortCircuit,
    skipping,
)
from wolverine.core.program import Assign, Branch, Gap, Location
from wolverine.core.types import PointerType, StructReference
from wolverine.errors import SourceError
from wolverine.frontend.allocating import allocation, cleared, headers
from wolverine.frontend.assigning import Assigning
from wolverine.frontend.context import LoadedProgram
from wolverine.frontend.declaring import declare_spares
from wolverine.frontend.deleting import Deleting
from wolverine.frontend.edited import Edited
from wolverine.frontend.heads import written_out
from wolverine.frontend.lasting import Lasting
from wolverine.frontend.placing import Around, Compound, Piece, Placer, Texts
from wolverine.frontend.spares import pointer
from wolverine.frontend.spelling import has_comma, has_outside, is_postfix, last_operand
from wolverine.frontend.steps import value_of
from wolverine.semantics.replacing import repeating, replace_instruction, slot_at


@dataclass(frozen=True)
class Described:
    """What an edit does to the text at its location."""

    edit: Edit
    location: Location
    text: str


def _within_its_arm(location: Location, statements: Sequence[str]) -> str:
    """Statements on one line; in an arm that is not there yet with its `else`."""
    text = " ".join(statements)
    if location.gap != "else":
        return text
    return f"else {{ {text} }}" if len(statements) > 1 else f"else {text}"


_TEST = (98,)  # the order of what is put around a condition


class Editor:
    """Turns the edits of one patch into pieces, for reading or (`hot`) for compiling line by line."""

    def __init__(self, program: LoadedProgram, patch: Patch, hot: bool) -> None:
        self.program = program
        self.patch = patch
        self.hot = hot
        self._edited = edited = Edited(program, hot)
        self._lasting = Lasting(edited, patch)
        self._assigning = Assigning(edited, self._lasting)
        self._deleting = Deleting(edited, self._lasting, self._assigning)
        self.scans = edited.scans
        self.pieces = edited.pieces
        self.described: list[Described] = []
        self._build()

    def _build(self) -> None:
        inside = []
        gaps: list[tuple[Location, str]] = []
        around: list[Around] = []
        for edit in self.patch.edits:
            if not 0 <= edit.location < len(self.program.locations):
                raise SourceError(f"there is no location {edit.location}")
            location = self.program.location(edit.location)
            if location.gap == "result" and location.kind == "gap":
                self._store(location, edit)
            elif isinstance(made := edit.replacement, Guarded) and (skip := skipping(made)) is not None:
                around.append(self._around(location, edit, made, skip))
            elif isinstance(edit.replacement, ShortCircuit):
                self._test(location, edit, edit.replacement)
            elif isinstance(edit.replacement, OtherJoin):
                self._join(location, edit, edit.replacement)
            elif edit.replacement == NewJump("while"):
                self._repeat(location, edit)
            elif location.kind == "gap":
                made = edit.replacement
                parts = made.statements if isinstance(made, Several) else (made,)
                statements = [self._statement(location, each) for each in parts]
                self.described.append(Described(edit, location, " ".join(statements)))
                gaps += [(location, statement) for statement in statements]
            elif location.kind == "allocation" and isinstance(edit.replacement, Deletion):
                if not self._goes_with(location):
                    raise SourceError(f"line {location.line}: {location.text} can only go with its statement")
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
            replace(d, text=_within_its_arm(d.location, inserted.get(d.location.id, [d.text])))
            for d in self.described
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
            for each in around:
                if each.first.file == file:
                    self.pieces[file].extend(placer.around(each))
        for file, piece in () if self.hot else headers(self.program, self.patch, self.scans):
            self.pieces[file].append(piece)
        self.described.sort(key=lambda described: described.location.id)

    def _goes_with(self, location: Location) -> bool:
        """Whether a statement around an allocation is deleted as well."""
        inner = location.span
        deleted = (e.location for e in self.patch.edits if isinstance(e.replacement, Deletion))
        around = (self.program.location(each).span for each in deleted if each != location.id)
        inside = (outer for outer in around if outer.start <= inner.start and inner.end <= outer.end)
        return any(outer.file == inner.file for outer in inside)

    def _around(self, location: Location, edit: Edit, guarded: Guarded, made: NewSkip) -> Around:
        """The statements behind a gap are put under a test, or under the `else` of one."""
        condition, block = guarded.condition, guarded.statement
        one = () if made.instead is None else (made.instead,)
        done = block.statements if isinstance(block, NewBlock) else one
        first, last = location.span, self.program.location(made.last).span
        if location.gap != "before" or first.file != last.file:
            raise SourceError(f"line {location.line}: what stands there cannot be put under a test")
        speller = self._edited.speller(location)
        test = condition if done else negated(condition)
        head = f"if ({speller.expression(test)})"
        instead = tuple(self._statement(location, each) for each in done)
        semicolon = self.scans[last.file].after(last.end)
        end = semicolon[1] if semicolon[2] == ";" else last.end
        within = " ".join(self._edited.source(first.file, first.start, end).split())
        around = Around(first, last, head, instead)
        self.described.append(Described(edit, location, f"{head} {around.other}{{ {within} }}"))
        return around

    def _store(self, location: Location, edit: Edit) -> None:
        """The value of a call that was dropped is assigned."""
        if not isinstance(edit.replacement, NewAssignment):
            raise SourceError(f"line {location.line}: the value of {location.text} can only be assigned")
        span = location.span
        head = f"{self._edited.speller(location).place(edit.replacement.target)} = "
        call = self._edited.source(span.file, span.start, span.end)
        self.described.append(Described(edit, location, head + call))
        self.pieces[span.file].append(Piece(span.start, span.start, head, (99,)))

    def _test(self, location: Location, edit: Edit, made: ShortCircuit) -> None:
        """A test stands in front of a condition."""
        span = location.span
        condition = self._edited.source(span.file, span.start, span.end)
        rest = condition[: self._repeated(location, condition, made)]
        inner = f"({rest})" if has_outside(rest, ("=", ",", "?", "&&", "||")) else rest
        test = self._edited.speller(location).expression(made.test)
        text = self._bracketed(location, f"{test} {made.operator} {inner}")
        self.described.append(Described(edit, location, text))
        head, _, tail = text.rpartition(rest)
        behind = span.start + len(rest.encode())
        tests = [Piece(span.start, span.start, head, _TEST), Piece(behind, span.end, tail, _TEST)]
        self.pieces[span.file] += tests

    def _join(self, location: Location, edit: Edit, made: OtherJoin) -> None:
        """The other operator stands behind a condition, with parentheses where it would bind otherwise."""
        function, first = self.program.functions[location.function], location.span
        step = self._edited.instruction(location)
        led = replace_instruction(function, step, made) if isinstance(step, Branch) else None
        if not isinstance(led, Branch):
            raise SourceError(f"line {location.line}: nothing is joined with {location.text}")
        slot = function.code[led.if_true if made.operator == "&&" else led.if_false]
        second, scan = self.program.location(slot.location).span, self.scans[first.file]
        between = scan.tokens(first.end, second.start) if second.file == first.file else []
        old = next((each for each in between if each[2] in ("&&", "||")), None)
        if old is None:
            raise SourceError(
                f"line {location.line}: what joins {location.text} with the next test is a macro's"
            )
        start, end = first.start, second.end
        for each in between:
            if each[2] == ")":
                start = scan.before(start)[0]
            elif each[2] == "(":
                end = scan.after(end)[1]
        pieces = [Piece(old[0], old[1], made.operator, _TEST)]
        alone = start < first.start
        if not alone and has_outside(
            scan.text[first.start : first.end], {"=", ",", "?", "||"} - {made.operator}
        ):
            pieces += [Piece(start, start, "(", _TEST), Piece(first.end, first.end, ")", _TEST)]
        if made.operator == "||" and "&&" in (scan.before(start)[2], scan.after(end)[2]):
            pieces += [Piece(start, start, "(", _TEST), Piece(end, end, ")", _TEST)]
        self.pieces[first.file] += pieces
        joined = scan.text[start : old[0]] + made.operator + scan.text[old[1] : end]
        whole = replace(location, span=replace(first, start=start, end=end), text=scan.text[start:end])
        self.described.append(Described(edit, whole, " ".join(joined.split())))

    def _repeated(self, location: Location, condition: str, made: ShortCircuit) -> int | None:
        """Where the condition asks last what is asked first now; None where it does not, or is edited."""
        function = self.program.functions[location.function]
        at = repeating(function, function.code[slot_at(function, location.id)], made)
        if at is None or any(edit.location == function.code[at].location for edit in self.patch.edits):
            return None
        return last_operand(condition, made.operator)

    def _repeat(self, location: Location, edit: Edit) -> None:
        """`while` stands where the `if` does at the end of whose body the gap is."""
        function = self.program.functions[location.function]
        slot = function.code[slot_at(function, location.id)]
        if not isinstance(slot, Gap) or slot.repeats < 0:
            raise SourceError(f"line {location.line}: what stands there cannot be repeated")
        around = next(function.units[each] for each in function.unit_of[slot.repeats :] if each >= 0)
        span = around.span
        end = span.start + len("if")
        whole = self._edited.source(span.file, span.start, span.end)
        self.pieces[span.file].append(Piece(span.start, end, "while", (0,)))
        shown = replace(location, kind="condition", gap="before", span=span, line=span.line, text=whole)
        self.described.append(Described(edit, shown, f"while{whole[len('if') :]}"))

    # Text inside statements

    def _replace(self, location: Location, edit: Edit, wrapped: set[tuple[int, int]]) -> None:
        span = location.span
        pieces = self.pieces[span.file]
        if isinstance(edit.replacement, Deletion):
            start, end, fresh = self._deleting.cut(location, (span.file, span.start) in wrapped)
            stays = location.kind == "jump" and fresh.strip("{};")  # `f(x)` of `return f(x)`
            self.described.append(Described(edit, location, stays or ""))
        elif isinstance(edit.replacement, Guarded):
            start, end, fresh = self._tested(location, edit.replacement)
            self.described.append(Described(edit, location, " ".join(fresh.split()).rstrip(";")))
        else:
            fresh = self.new_text(location, edit.replacement)
            self.described.append(Described(edit, location, fresh))
            start, end = span.start, span.end
        gone = [piece for piece in pieces if start <= piece.start and piece.end <= end]
        if any(piece.order == _TEST for piece in gone):
            raise SourceError(f"line {location.line}: {location.text} cannot be written in part")
        pieces[:] = [piece for piece in pieces if piece not in gone]
        pieces.append(Piece(start, end, fresh, (0,)))

    def _tested(self, location: Location, made: Guarded) -> tuple[int, int, str]:
        """The statement put under a test: what is cut, and what stands there instead."""
        condition = made.condition
        if not location.semicolon:
            raise SourceError(f"line {location.line}: {location.text} cannot be put under a test")
        span, scan = location.span, self.scans[location.span.file]
        head = f"if ({self._edited.speller(location).expression(condition)})"
        if scan.before(span.start)[2] not in ("{", "}", ";", ":"):
            # `else` behind it must not become the test's
            other = "" if made.otherwise is None else f"else {self._statement(location, made.otherwise)} "
            return span.start, scan.after(span.end)[1], f"{{ {head} {self._edited.whole(location)}; {other}}}"
        line = scan.text[scan.text.rfind("\n", 0, span.start) + 1 : span.start]
        own_line = not self.hot and not line.strip()
        deeper = line + ("\t" if line.endswith("\t") else "    ")
        between = f"\n{deeper}" if own_line else " "
        other = ""
        if made.otherwise is not None:
            written = self._statement(location, made.otherwise).rstrip(";")
            other = f";{f'{chr(10)}{line}' if own_line else ' '}else{between}{written}"
        return span.start, span.end, f"{head}{between}{self._edited.whole(location)}{other}"

    def new_text(self, location: Location, replacement: Replacement) -> str:
        """The text that takes the place of the location's span."""
        instruction = self._edited.instruction(location)
        speller = self._edited.speller(location)
        match replacement:
            case NewValue(value) if location.kind == "step" and isinstance(instruction, Assign):
                step = f"{speller.place(instruction.target)} = {speller.expression(value)}"
                return written_out(self.program, location, speller, step)
            case NewValue(value):
                old = value_of(instruction)
                while isinstance(instruction, Branch) and (twice := _twice_negated(value)) is not None:
                    value = twice
                written = speller.expression(value, old, self._edited.whole(location))
                written = self._lasting.kept(location, value, written)
                return self._bracketed(location, written)
            case NewAssignment(target, value):
                return self._assigning.written(location, instruction, target, value, speller)
            case OtherFunction(name):
                return _calling(location, self._edited.whole(location), name)
            case Cleared():
                return cleared(location, self._edited.whole(location))
            case NewNode() if location.kind == "initialiser":
                return self._statement(location, replacement).rstrip(";").partition(" = ")[2]
            case _:
                return self._statement(location, replacement).rstrip(";")

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

    # Inserted statements

    def _statement(self, location: Location, replacement: Replacement) -> str:
        speller = self._edited.speller(location)
        match replacement:
            case NewAssignment(target, value):
                return f"{speller.place(target)} = {speller.expression(value)};"
            case NewCall(function, arguments, result):
                stored = "" if result is None else f"{speller.place(result)} = "
                stored = "return " if replacement.leaves else stored
                written = ", ".join(speller.expression(each) for each in arguments)
                return f"{stored}{_name(function)}({written});"
            case NewReturn(value, before):
                last = "return;" if value is None else f"return {speller.expression(value)};"
                return last if before is None else f"{self._statement(location, before)} {last}"
            case NewJump(keyword):
                return f"{keyword};"
            case NewNode(target, string=string):
                read = "" if string is None else speller.expression(string)
                return allocation(self.program, location, replacement, speller.place(target), read, self.hot)
            case FreedList():
                return self._freed_list(location, replacement)
            case Guarded(condition, statement, otherwise):
                parts: list[Replacement] = [statement]
                if isinstance(statement, NewReturn) and statement.before is not None:
                    parts = [statement.before, NewReturn(statement.value)]
                elif isinstance(statement, NewBlock):
                    jump = statement.onward if isinstance(statement.onward, NewJump) else None
                    ends = [each for each in (statement.leaving, jump) if each is not None]
                    parts = [*statement.statements, *ends]
                inner = [self._statement(location, each) for each in parts]
                other = "" if otherwise is None else self._statement(location, otherwise)
                return Compound(f"if ({speller.expression(condition)})", inner, other)
            case _:
                raise SourceError(f"line {location.line}: only a statement can be inserted")

    def _freed_list(self, location: Location, made: FreedList) -> str:
        """The loop that frees a list."""
        speller, function = self._edited.speller(location), self.program.functions[location.function]
        struct = made.link.base.type
        assert isinstance(struct, StructReference)
        hidden = {variable.name for variable in (*function.parameters, *function.locals)}
        context = self.program.contexts[location.function]
        declared = pointer(context.table, PointerType(struct), made.rest.name, hidden)
        if not declared:
            raise SourceError(f"line {location.line}: the type of {made.rest.name} has no name")
        free = "__builtin_free" if self.hot and not context.allocates else "free"
        first = speller.place(made.first)
        body = [f"{declared} = {speller.expression(Load(made.link))};"]
        body += [f"{free}({speller.expression(Load(place))});" for place in made.owned]
        body += [f"{free}({first});", f"{first} = {made.rest.name};"]
        return Compound(f"while ({speller.expression(made.more)})", body)


def _name(function: str) -> str:
    """The name of a function of the program as its file has it."""
    return function.rpartition(":")[2]


def _calling(location: Location, written: str, name: str) -> str:
    """The text of a call with the name of another function."""
    called = re.match(r"\w+", written)
    if called is None:
        raise SourceError(f"line {location.line}: {location.text} does not name what it calls")
    return _name(name) + written[called.end() :]


def _twice_negated(condition: Expression) -> Expression | None:
    """What a condition denies twice, None when it does not."""
    match condition:
        case Unary("!", Unary("!", inner)):
            return inner
        case _:
            return None
