"""Where inserted and removed statements go: the author's lines, indentation and braces.

The hot text is compiled with the original line numbers, so there everything stays on its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wolverine.core.program import Location, Span
from wolverine.frontend.scan import Scan

# One statement on one line, which needs no braces under a test.
_SIMPLE = re.compile(r"(?!(?:if|for|while|do|switch)\b|\{)[^\n;]*;")


class Piece(NamedTuple):
    """`text` takes the place of bytes `start` to `end`; `order` sorts what goes to one place."""

    start: int
    end: int
    text: str
    order: tuple[int, ...] = ()
    inserted: bool = False


class Compound(str):
    """An if or a loop with what stands under it, on one line; `spread` over several where there is room.

    What stands under its `else`, if it has one, is `otherwise`.
    """

    __slots__ = ("head", "inner", "otherwise")

    head: str
    inner: tuple[str, ...]
    otherwise: str

    def __new__(cls, head: str, inner: Sequence[str], otherwise: str = "") -> Compound:
        """The text on one line."""
        body = inner[0] if len(inner) == 1 else f"{{ {' '.join(inner)} }}"
        other = f" else {otherwise}" if otherwise else ""
        made = super().__new__(cls, f"{head} {body}{other}")
        made.head, made.inner, made.otherwise = head, tuple(inner), otherwise
        return made

    def spread(self, indent: str, step: str, newline: str, own_line: bool) -> str:
        """The text as an author writes it, without the indentation of its first line."""
        lines = [f"{newline}{indent}{step}{each}" for each in self.inner]
        if len(lines) == 1:
            start = f"{newline}{indent}"
            other = f"{start}else{start}{step}{self.otherwise}" if self.otherwise else ""
            return f"{self.head}{lines[0]}{other}"
        brace = f"{newline}{indent}{{" if own_line else " {"
        return f"{self.head}{brace}{''.join(lines)}{newline}{indent}}}"


class Around(NamedTuple):
    """Statements that are put under an `if`, or under the `else` of one under which `instead` is done."""

    first: Span
    last: Span
    head: str
    instead: tuple[str, ...]

    @property
    def other(self) -> str:
        """What is done instead, and the `else` behind it, on one line."""
        if not self.instead:
            return ""
        done = " ".join(self.instead)
        return f"{{ {done} }} else " if len(self.instead) > 1 else f"{done} else "


@dataclass
class Texts:
    """The statements to insert around one statement or block."""

    span: Span
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    wrap_before: list[str] = field(default_factory=list)
    wrap_after: list[str] = field(default_factory=list)
    otherwise: list[str] = field(default_factory=list)
    block: list[str] = field(default_factory=list)

    @staticmethod
    def collect(gaps: Sequence[tuple[Location, str]], file: int) -> list[Texts]:
        """The insertions of a file by the statement at which they stand."""
        found: dict[tuple[int, int], Texts] = {}
        for location, text in gaps:
            span = location.span
            if span.file != file:
                continue
            texts = found.setdefault((span.start, span.end), Texts(span))
            match location.gap:
                case "before":
                    texts.before.append(text)
                case "after":
                    texts.after.append(text)
                case "wrap-before":
                    texts.wrap_before.append(text)
                case "wrap-after":
                    texts.wrap_after.append(text)
                case "else":
                    texts.otherwise.append(text)
                case "block":
                    texts.block.append(text)
        return list(found.values())


class Placer:
    """Places insertions into one file."""

    def __init__(self, scan: Scan, hot: bool, pieces: Sequence[Piece]) -> None:
        self.scan = scan
        self.hot = hot
        self.replaced = pieces
        self.places: Sequence[tuple[int, int]] = ()
        self.step = scan.step()
        self.newline = scan.newline

    def place(self, groups: Sequence[Texts]) -> Iterator[Piece]:
        """The pieces for all insertions."""
        self.places = [(each.span.start, each.span.end) for each in groups]
        for texts in groups:
            span = texts.span
            self.newline = self.scan.newline_at(span.start)
            if texts.block:
                yield from self._block(span, texts.block)
            if texts.before:
                yield self._at_start(span, texts.before)
            if texts.otherwise:
                yield from self._otherwise(span, texts.otherwise)
            if texts.wrap_before or texts.wrap_after:
                yield from self._wrap(span, texts)
            if texts.after:
                yield self._at_end(span, texts.after, "", 8)

    def around(self, made: Around) -> Iterator[Piece]:
        """The pieces for statements that are put under an `if`, or under its `else`."""
        scan, start = self.scan, made.first.start
        self.newline = scan.newline_at(start)
        end, own_lines = self._end(made.last)
        own_lines = own_lines and scan.starts_line(start) and not self.hot
        if not own_lines:
            opening = f"{made.head} {made.other}{{ "
            yield Piece(start, start, opening, (0, 1), True)
            yield Piece(end, end, " }", (1, -made.last.start, 6), True)
            return
        indent, newline = scan.indent(start), self.newline
        alone = made.first == made.last and len(made.instead) < 2
        single = alone and _SIMPLE.fullmatch(scan.text[start:end]) is not None
        brace = "" if single else f"{newline}{indent}{{" if scan.braces_on_own_lines() else " {"
        opening = f"{indent}{made.head}"
        done = "".join(f"{newline}{indent}{self.step}{each}" for each in made.instead)
        if len(made.instead) > 1:
            closing = f"{newline}{indent}}}"
            opening += f"{brace}{done}{closing}{f'{newline}{indent}' if brace[0] != ' ' else ' '}else"
        elif made.instead:
            opening += f"{done}{newline}{indent}else"
        line = scan.line_start(start)
        yield Piece(line, line, f"{opening}{brace}{newline}", (0, 1), True)
        yield from self._deeper(line, end, (0, 2))
        if not single:
            yield Piece(end, end, f"{newline}{indent}}}", (1, -made.last.start, 6), True)

    # Removal

    def removed_statement(self, start: int, end: int, wrapped: bool) -> tuple[int, int, str]:
        """What to cut, and put instead, so that the statement (without its semicolon) is gone."""
        scan = self.scan
        semicolon = scan.after(end)
        end = semicolon[1] if semicolon[2] == ";" else end
        if self.hot:
            return start, end, ";"
        left = scan.before(start)[2]
        alone = scan.starts_line(start) and scan.only_comments(end, scan.line_end(end))
        if not wrapped and left not in ("{", "}", ";"):
            # What the author says behind the statement goes with it.
            end = scan.line_end(end) if alone else end
            return start, end, "{}" if left in (")", "else", "do") else ";"
        if alone:
            following = scan.text.find("\n", end)
            return scan.line_start(start), following + 1 if following >= 0 else len(scan.text), ""
        if scan.starts_line(start):
            while end < len(scan.text) and scan.text[end] in " \t":
                end += 1
            return start, end, ""
        while not wrapped and start > 0 and scan.text[start - 1] in " \t":
            start -= 1
        return start, end, ""

    def removed_part(self, start: int, end: int) -> tuple[int, int, str]:
        """What to cut so that a part of a for header or of a comma expression is gone."""
        left, right = self.scan.before(start), self.scan.after(end)
        if left[2] == ",":
            return left[0], end, ""
        if right[2] == ",":
            following = self.scan.after(right[1])[0]
            return start, following, ""
        return start, end, ""

    # Insertion

    def _at_start(self, span: Span, statements: Sequence[str]) -> Piece:
        scan = self.scan
        if self.hot or not scan.starts_line(span.start):
            text = "".join(f"{each} " for each in statements)
            gone = (each for each in self.replaced if not each.text)
            cut = next((each.start for each in gone if each.start < span.start <= each.end), None)
            if cut is not None:  # the statement is taken out with what stands in front of it
                return Piece(cut, cut, f" {text.rstrip()}", (0,), True)
            return Piece(span.start, span.start, text, (0,), True)
        line = scan.line_start(span.start)
        indent = self._indent_before(span)
        text = "".join(f"{indent}{self._spread(each, indent)}{self.newline}" for each in statements)
        return Piece(line, line, text, (0,), True)

    def _indent_before(self, span: Span) -> str:
        """The indentation of text in front of a statement; before a label that of what comes before."""
        scan = self.scan
        if scan.after(span.start)[2] not in ("case", "default"):
            return scan.indent(span.start)
        before, _, token = scan.before(span.start)
        return scan.indent(before) + (self.step if token == ":" else "")

    def _spread(self, statement: str, indent: str) -> str:
        if not isinstance(statement, Compound):
            return statement
        return statement.spread(indent, self.step, self.newline, self.scan.braces_on_own_lines())

    def _end(self, span: Span) -> tuple[int, bool]:
        """Where text behind a statement goes, and whether on lines of its own."""
        scan = self.scan
        end = self._statement_end(span)
        if self.hot:
            return end, False
        removed = self._removed_line(span)
        if removed is not None:
            return removed, True
        own = scan.starts_line(span.start) or "\n" in scan.text[span.start : end]
        line = scan.ends_line(end) if own else None
        return (line, True) if line is not None else (end, False)

    def _removed_line(self, span: Span) -> int | None:
        """Where the line of a statement begins that is taken out with its whole line."""
        start = self.scan.line_start(span.start)
        for piece in self.replaced:
            if not piece.text and piece.start == start and piece.end >= span.end and start != span.start:
                return start
        return None

    def _statement_end(self, span: Span) -> int:
        following = self.scan.after(span.end)
        last = self.scan.before(span.end)
        if last[2] not in (";", "}") and following[2] == ";":
            return following[1]
        return span.end

    def _at_end(self, span: Span, statements: Sequence[str], closing: str, rank: int) -> Piece:
        place, own_lines = self._end(span)
        order = (1, -span.start, rank)
        if not own_lines:
            text = "".join(f" {each}" for each in (*statements, *([closing.strip()] if closing else [])))
            return Piece(place, place, text, order, True)
        indent = self.scan.indent(span.start)
        if self._removed_line(span) is not None:
            text = "".join(f"{indent}{self._spread(each, indent)}{self.newline}" for each in statements)
            if closing:
                text += f"{closing}{self.newline}"
            return Piece(place, place, text, (0, 1), True)
        text = "".join(f"{self.newline}{indent}{self._spread(each, indent)}" for each in statements)
        if closing:
            text += f"{self.newline}{closing}"
        return Piece(place, place, text, order, True)

    def _block(self, span: Span, statements: Sequence[str]) -> Iterator[Piece]:
        scan = self.scan
        inside = scan.text[span.start + 1 : span.end - 1]
        if self.hot or "\n" not in inside:
            space = "" if inside[:1] in (" ", "\t") else " "
            text = "".join(f" {each}" for each in statements) + space
            yield Piece(span.start + 1, span.start + 1, text, (0,), True)
            return
        indent = scan.indent(span.start) + self.step
        text = "".join(f"{self.newline}{indent}{self._spread(each, indent)}" for each in statements)
        yield Piece(span.start + 1, span.start + 1, text, (0,), True)

    def _wrap(self, span: Span, texts: Texts) -> Iterator[Piece]:
        scan = self.scan
        if scan.text[span.start : span.end] == ";":
            yield self._instead_of_nothing(span, (*texts.wrap_before, *texts.wrap_after))
            return
        if self._moves_in(span, texts):
            yield from self._moved_in(span, texts)
            return
        if self.hot or not scan.starts_line(span.start):
            first = "".join(f"{each} " for each in texts.wrap_before)
            yield Piece(span.start, span.start, f"{{ {first}", (0,), True)
            _, own_lines = self._end(span)
            closing = scan.indent(span.start) + "}" if own_lines else "}"
            yield self._at_end(span, texts.wrap_after, closing, 4)
            return
        indent = scan.indent(span.start)
        _, header, _ = scan.before(span.start)
        outer = indent.removesuffix(self.step)
        if outer == indent:
            outer = scan.indent(header)
        brace = f"{self.newline}{outer}{{" if scan.braces_on_own_lines() else " {"
        yield Piece(header, header, brace, (0,), True)
        line = scan.line_start(span.start)
        text = "".join(f"{indent}{self._spread(e, indent)}{self.newline}" for e in texts.wrap_before)
        if text:
            yield Piece(line, line, text, (0,), True)
        yield self._at_end(span, texts.wrap_after, f"{outer}}}", 4)

    def _instead_of_nothing(self, span: Span, statements: Sequence[str]) -> Piece:
        """Statements in the place of a lone semicolon, in braces where that stands on no line of its own."""
        scan = self.scan
        plain = len(statements) == 1 and not isinstance(statements[0], Compound)
        if plain and not self.hot and scan.starts_line(span.start):
            return Piece(span.start, span.end, statements[0], (0,), True)
        return Piece(span.start, span.end, f"{{ {' '.join(statements)} }}", (0,), True)

    def _moves_in(self, span: Span, texts: Texts) -> bool:
        """Whether a statement stands on the line of what it hangs on (`else if`) and ends on another one.

        Only where nothing else changes in it: it is indented as a whole.
        """
        scan = self.scan
        if self.hot or scan.starts_line(span.start) or not self._end(span)[1] or texts.otherwise:
            return False
        if scan.text[scan.before(span.start)[1] : span.start].strip():
            return False
        others = [(each.start, each.end) for each in self.replaced]
        others += (each for each in self.places if each != (span.start, span.end))
        return all(end <= span.start or start >= span.end for start, end in others)

    def _moved_in(self, span: Span, texts: Texts) -> Iterator[Piece]:
        """Braces on lines of their own around a statement that is indented, with what stands around it."""
        scan = self.scan
        outer, (_, header, _) = scan.indent(span.start), scan.before(span.start)
        deeper = f"{self.newline}{outer}{self.step}"
        brace = f"{self.newline}{outer}{{" if scan.braces_on_own_lines() else " {"
        before, after = (
            "".join(f"{deeper}{self._spread(each, outer + self.step)}" for each in statements)
            for statements in (texts.wrap_before, texts.wrap_after)
        )
        yield Piece(header, span.start, f"{brace}{before}{deeper}", (0,), True)
        following = scan.text.find("\n", scan.line_end(span.start), span.end) + 1
        yield from self._deeper(following or span.end, span.end, (0,))
        end, _ = self._end(span)
        yield Piece(end, end, f"{after}{self.newline}{outer}}}", (1, -span.start, 4), True)

    def _deeper(self, line: int, end: int, order: tuple[int, ...]) -> Iterator[Piece]:
        """One level of indentation more for the lines that begin from `line` on, up to `end`."""
        scan = self.scan
        while line < end:
            directive = scan.in_directive(line) or scan.text[line - 2 : line - 1] == "\\"
            if scan.text[line : scan.line_end(line)].strip() and not directive:
                yield Piece(line, line, self.step, order, True)
            line = scan.text.find("\n", line, end) + 1 or end

    def _otherwise(self, span: Span, statements: Sequence[str]) -> Iterator[Piece]:
        """A new else branch of the if at `span`."""
        scan = self.scan
        opening = scan.after(scan.after(span.start)[1])[0]
        body = scan.after(scan.matching(opening) + 1)
        braced = body[2] == "{"
        place, own_lines = self._end(span)
        order = (1, -span.start, 2)
        if not braced and any(word == "if" for _, _, word in scan.tokens(body[0], span.end)):
            yield Piece(body[0], body[0], "{ ", (0,), True)
            yield Piece(place, place, " }", (1, -span.start, 1), True)
            braced = True
        if not own_lines:
            inner = " ".join(statements)
            text = f" else {{ {inner} }}" if braced or len(statements) > 1 else f" else {inner}"
            yield Piece(place, place, text, order, True)
            return
        indent, newline = scan.indent(span.start), self.newline
        lines = "".join(f"{newline}{indent}{self.step}{each}" for each in statements)
        if not braced and len(statements) == 1:
            text = f"{newline}{indent}else{lines}"
        elif not braced and not scan.braces_on_own_lines():
            text = f"{newline}{indent}else {{{lines}{newline}{indent}}}"
        elif scan.braces_on_own_lines():
            text = f"{newline}{indent}else{newline}{indent}{{{lines}{newline}{indent}}}"
        else:
            place = span.end
            text = f" else {{{lines}{newline}{indent}}}"
        yield Piece(place, place, text, order, True)
