"""Texts for new expressions, as close to the author's as can be.

A new expression that resembles the old one keeps the old one's text (its spacing, `!p`, NULL or 0) and
changes only the tokens that differ; that text is used when it parses back to what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from wolverine.core.arguments import exchanged, repeated
from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Cast,
    Conditional,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    StringLiteral,
    Unary,
    VariableReference,
    lvalue_text,
    text,
)
from wolverine.core.program import Location
from wolverine.core.types import PointerType
from wolverine.errors import SourceError
from wolverine.frontend.context import LoadedProgram
from wolverine.frontend.reparse import normal, parse_expression
from wolverine.frontend.spacing import merged
from wolverine.frontend.tokens import lex

_TEMPORARY = re.compile(r"\$\w+")
_OPERATOR = re.compile(r"(?:<<|>>|[-+*/%&|^])=\Z")
_PLAIN_OPERATORS = frozenset(("->", ".", "(", ")", "[", "]"))


class Speller:
    """Writes expressions at one location; `temporary` gives the source text behind a temporary."""

    def __init__(self, program: LoadedProgram, location: Location, temporary: Callable[[str], str]) -> None:
        self.program = program
        self.location = location
        self.temporary = temporary
        self.null = program.contexts[location.function].null

    def expression(self, new: Expression, old: Expression | None = None, source: str = "") -> str:
        """The text of `new`; `source` is the text of `old`."""
        canonical = text(with_null(new, self.null))
        if "$" in canonical or (old is not None and "$" in text(old)):
            if old is not None and source:
                kept = StringLiteral(source if is_postfix(source) else f"({source})", old.type)
                canonical = text(with_null(_with(new, old, kept), self.null))
            return self.with_sources(canonical)
        if old is not None and source:
            close = merged(source, text(with_null(old, self.null)), canonical)
            if close is not None and self._means(close, new):
                return close
            given = self._with_other_argument(new, old, source)
            if given is not None and self._means(given, new):
                return given
        return canonical

    def _with_other_argument(self, new: Expression, old: Expression, source: str) -> str | None:
        """The text of `old` where what differs is an argument of a macro, wherever that stands."""
        lexemes = lex(source).lexemes
        words = [source[each.start : each.end] for each in lexemes]
        for argument in repeated(old, self.location.repeated):
            others = exchanged(old, new, argument)
            written = text(argument)
            given = [written[each.start : each.end] for each in lex(written).lexemes]
            begins = [at for at in range(len(words)) if words[at : at + len(given)] == given]
            if len(others) == 1 and len(begins) == 1:
                start, end = lexemes[begins[0]].start, lexemes[begins[0] + len(given) - 1].end
                return source[:start] + text(with_null(others[0], self.null)) + source[end:]
        return None

    def place(self, new: LValue, old: LValue | None = None, source: str = "") -> str:
        """The text of an lvalue."""
        canonical = lvalue_text(place_with_null(new, self.null))
        if "$" in canonical:
            return self.with_sources(canonical)
        if old is not None and source and "$" not in lvalue_text(old):
            close = merged(source, lvalue_text(old), canonical)
            if close is not None and self._means(close, Load(new)):
                return close
        return canonical

    def with_sources(self, canonical: str) -> str:
        """Temporaries replaced by the text that computed them."""

        def source(match: re.Match[str]) -> str:
            found = self.temporary(match.group())
            return found if match.group() == canonical or is_postfix(found) else f"({found})"

        return _TEMPORARY.sub(source, canonical)

    def _means(self, written: str, expression: Expression) -> bool:
        try:
            parsed = parse_expression(self.program, self.location.function, written, self.location.scope)
        except SourceError:
            return False
        return normal(parsed) == normal(expression)


def is_postfix(written: str) -> bool:
    """Whether the text may stand as an operand without parentheses of its own."""
    depth = 0
    words = [written[lexeme.start : lexeme.end] for lexeme in lex(written).lexemes]
    for index, word in enumerate(words):
        if word in ("(", "["):
            if word == "(" and depth == 0 and index == 0 and len(words) > 1 and words[-1] != ")":
                return False
            depth += 1
        elif word in (")", "]"):
            depth -= 1
        elif depth == 0 and not (word[0].isalnum() or word[0] in "_\"'$" or word in _PLAIN_OPERATORS):
            return False
    return not (words and words[0] == "sizeof")


def has_outside(written: str, words: Collection[str]) -> bool:
    """Whether one of the words stands outside of all brackets; assignments of any kind count as `=`."""
    return any(
        word in words or ("=" in words and _OPERATOR.match(word)) for _, word in _outside_brackets(written)
    )


def last_operand(written: str, operator: str) -> int | None:
    """Where the last operand of a chain of `&&` or `||` begins, with its operator; None for other texts."""
    if has_outside(written, {"=", ",", "?", "&&", "||"} - {operator}):
        return None
    ends = [len(written[:at].rstrip()) for at, word in _outside_brackets(written) if word == operator]
    return ends[-1] if ends else None


def has_comma(written: str) -> bool:
    """Whether a comma stands outside all parentheses."""
    return has_outside(written, (",",))


def _outside_brackets(written: str) -> Iterator[tuple[int, str]]:
    """Where the words stand that are outside of all brackets, a closing one among them."""
    depth = 0
    for lexeme in lex(written).lexemes:
        word = written[lexeme.start : lexeme.end]
        depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
        if depth == 0:
            yield lexeme.start, word


def _with(expression: Expression, old: Expression, kept: Expression) -> Expression:
    """The expression with `kept` where `old` stood in it, an operand of an operator."""
    if expression == old:
        return kept
    match expression:
        case Unary("!", operand):
            return replace(expression, operand=_with(operand, old, kept))
        case Binary(_, left, right) | Logical(_, left, right):
            return replace(expression, left=_with(left, old, kept), right=_with(right, old, kept))
        case _:
            return expression


def with_null(expression: Expression, null: str) -> Expression:
    """Null pointers spelled as the file does."""
    match expression:
        case Constant(0, PointerType(), "" | "NULL" | "0"):
            return replace(expression, text=null)
        case Load(place):
            return Load(place_with_null(place, null))
        case AddressOf(place):
            return replace(expression, place=place_with_null(place, null))
        case Unary(_, operand) | Cast(operand):
            return replace(expression, operand=with_null(operand, null))
        case Binary(_, left, right) | Logical(_, left, right):
            return replace(expression, left=with_null(left, null), right=with_null(right, null))
        case Conditional(condition, then, otherwise):
            return replace(
                expression,
                condition=with_null(condition, null),
                then=with_null(then, null),
                otherwise=with_null(otherwise, null),
            )
        case _:
            return expression


def place_with_null(place: LValue, null: str) -> LValue:
    """Null pointers inside an lvalue spelled as the file does."""
    match place:
        case Dereference(pointer):
            return replace(place, pointer=with_null(pointer, null))
        case Member(base):
            return replace(place, base=place_with_null(base, null))
        case Element(base, index):
            return replace(place, base=place_with_null(base, null), index=with_null(index, null))
        case VariableReference():
            return place


def without_parentheses(source: str) -> str:
    """The text without parentheses around all of it."""
    while source.startswith("(") and source.endswith(")"):
        depth = 0
        lexemes = lex(source).lexemes
        for lexeme in lexemes[:-1]:
            word = source[lexeme.start : lexeme.end]
            depth += (word == "(") - (word == ")")
            if depth == 0:
                return source
        source = source[1:-1].strip()
    return source


def split_assignment(source: str) -> tuple[str, str, str, str] | None:
    """Left side, operator, right side of an assignment's text, and the operator with its spaces."""
    depth = 0
    for lexeme in lex(source).lexemes:
        word = source[lexeme.start : lexeme.end]
        depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
        if depth == 0 and (word == "=" or _OPERATOR.match(word)):
            left = source[: lexeme.start].rstrip()
            right = source[lexeme.end :].lstrip()
            joint = source[len(left) : len(source) - len(right)]
            return left, word, right, joint
    return None
