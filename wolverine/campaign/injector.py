"""Faults in the paper's terms (Wolverine2 section 7.1): <x, y>, x mutations and y deletions.

A mutation replaces one variable, field or operator in a statement or condition by another of the program;
a deletion takes a statement out.  Both edit the text of the source, know nothing of what the repair can
write, and are drawn by chance from a seeded generator.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from wolverine.core.expressions import source_name
from wolverine.core.program import Location, Program
from wolverine.core.types import CType
from wolverine.frontend.tokens import Lexeme, lex

# Pointers are compared for equality only, so equality and order are not exchanged.
_GROUPS = (("==", "!="), ("<", "<=", ">", ">="), ("&&", "||"), ("+", "-"), ("++", "--"), ("+=", "-="))
_OPERATORS = {word: tuple(w for w in group if w != word) for group in _GROUPS for word in group}
_BEFORE = (";", "{", "}", ")", "else", "do", ":")  # what a statement may follow
_EDITED = ("assignment", "initialiser", "return", "argument", "condition")


@dataclass(frozen=True, slots=True)
class Fault:
    """Bytes `start` to `end` of the correct file, `before`, became `after`; `line` counts from 1.

    `location` is the statement's or condition's in the correct program; `text` its source.
    """

    kind: Literal["mutation", "deletion"]
    start: int
    end: int
    before: str
    after: str
    line: int
    location: int
    text: str


@dataclass(frozen=True, slots=True)
class Site:
    """What may be done at one location: the faults of each token, and the statement's deletion."""

    location: int
    mutations: tuple[tuple[Fault, ...], ...]
    deletion: Fault | None


def sites(program: Program, function: str) -> tuple[Site, ...]:
    """Where faults can be put into a function of a program of one file."""
    finder = _Finder(program, function)
    return tuple(site for site in finder.sites() if site.mutations or site.deletion is not None)


def draw(chance: random.Random, known: Sequence[Site], mutations: int, deletions: int) -> list[Fault] | None:
    """So many faults at different locations, in source order; None where there are too few sites."""
    deletable = [site for site in known if site.deletion is not None]
    if len(deletable) < deletions:
        return None
    removed = [site.deletion for site in chance.sample(deletable, deletions) if site.deletion is not None]
    free = [site for site in known if site.mutations and not any(_within(site, gone) for gone in removed)]
    if len(free) < mutations:
        return None
    faults = list(removed)
    # Every token of the function is as likely as any other.
    while len(faults) < mutations + deletions:
        site = chance.choices(free, [len(site.mutations) for site in free])[0]
        free.remove(site)
        faults.append(chance.choice(chance.choice(site.mutations)))
    return sorted(faults, key=lambda fault: fault.start)


def _within(site: Site, gone: Fault) -> bool:
    """Whether a site is part of a statement that is deleted."""
    return any(gone.start <= fault.start < gone.end for token in site.mutations for fault in token)


def inject(content: bytes, faults: Sequence[Fault]) -> bytes:
    """The file with the faults in it."""
    for fault in sorted(faults, key=lambda fault: -fault.start):
        content = content[: fault.start] + fault.after.encode("latin-1") + content[fault.end :]
    return content


def _free(text: str) -> bool:
    return text.replace(" ", "").startswith("free(")


def _call_marks(text: str) -> str:
    """The opening parentheses of calls in a statement's text."""
    words = [text[start:end] for start, end, _ in lex(text).lexemes]
    return "".join(b for a, b in pairwise(words) if b == "(" and (a[0].isalpha() or a[0] == "_"))


class _Finder:
    def __init__(self, program: Program, function: str) -> None:
        self._program = program
        self._function = program.functions[function]
        self._text = program.files[self._function.file].content.decode("latin-1")
        body = self._function.body
        self._lexemes = [x for x in lex(self._text).lexemes if body.start <= x.start < body.end]
        self._locations = [
            location
            for location in program.locations
            if location.function == function and location.kind != "gap"
        ]
        self._unbraced = {
            location.span.start
            for location in program.locations
            if location.function == function and location.kind == "gap" and location.gap == "wrap-before"
        }

    def sites(self) -> Iterator[Site]:
        tokens: dict[int, list[tuple[Fault, ...]]] = {}
        for index, lexeme in enumerate(self._lexemes):
            location = self._owner(lexeme)
            if location is not None and location.kind in _EDITED:
                faults = tuple(self._mutations(index, lexeme, location))
                if faults:
                    tokens.setdefault(location.id, []).append(faults)
        for location in self._locations:
            yield Site(location.id, tuple(tokens.get(location.id, ())), self._deletion(location))

    def _owner(self, lexeme: Lexeme) -> Location | None:
        """The innermost location that a token belongs to."""
        around = [x for x in self._locations if x.span.start <= lexeme.start and lexeme.end <= x.span.end]
        return min(around, key=lambda x: (x.span.end - x.span.start, x.id), default=None)

    def _word(self, index: int) -> str:
        if not 0 <= index < len(self._lexemes):
            return ""
        return self._text[self._lexemes[index].start : self._lexemes[index].end]

    def _mutations(self, index: int, lexeme: Lexeme, location: Location) -> Iterator[Fault]:
        word, before, behind = self._word(index), self._word(index - 1), self._word(index + 1)
        others: Sequence[str] = ()
        if word in _OPERATORS:
            unary = word in "+-" and not (before[-1:].isalnum() or before[-1:] in "_)]")
            others = () if unary else _OPERATORS[word]
        elif word[:1].isalpha() or word.startswith("_"):
            if before in ("->", "."):
                others = self._fields(word)
            elif behind != "(":
                others = self._variables(word, location)
        for other in others:
            yield Fault(
                "mutation",
                lexeme.start,
                lexeme.end,
                word,
                other,
                location.span.line,
                location.id,
                location.text,
            )

    def _variables(self, word: str, location: Location) -> Sequence[str]:
        """The other variables in view that have the same type."""
        kind: CType | None = None
        found: dict[str, CType] = {}
        for variable in (*location.scope, *self._program.globals):
            if variable.level == "global" and variable.function not in ("", self._function.name):
                continue
            name = source_name(variable.name)
            if name not in found and not name.startswith("$"):
                found[name] = variable.type
        kind = found.get(word)
        return [name for name, ctype in found.items() if name != word and ctype == kind]

    def _fields(self, word: str) -> Sequence[str]:
        """The other fields of the same type in the structs that have the field."""
        found: dict[str, None] = {}
        for struct in self._program.types.structs.values():
            field = struct.field(word)
            if field is not None:
                found.update((f.name, None) for f in struct.fields if f.name != word and f.type == field.type)
        return list(found)

    def _deletion(self, location: Location) -> Fault | None:
        """Without the statement and its semicolon; a branch or loop without braces keeps the semicolon."""
        start, end = location.span.start, location.span.end
        statement = _free(location.text) if location.kind == "call" else location.kind == "assignment"
        if "(" in _call_marks(location.text) and not _free(location.text):
            return None  # the paper's statements assign variables and fields; a call is no such statement
        following = self._text[end:].lstrip()
        if not statement or not following.startswith(";") or self._in_header(location):
            return None
        last = self._text.index(";", end)
        if start not in self._unbraced:
            end = last + 1
        text = self._text[start:end]
        return Fault("deletion", start, end, text, "", location.span.line, location.id, location.text)

    def _in_header(self, location: Location) -> bool:
        """Whether the statement stands inside the parentheses of a `for`, or is part of another one."""
        depth, last = 0, "{"
        for lexeme in self._lexemes:
            if lexeme.start >= location.span.start:
                break
            word = self._text[lexeme.start : lexeme.end]
            depth += (word == "(") - (word == ")")
            last = word
        return depth > 0 or last not in _BEFORE
