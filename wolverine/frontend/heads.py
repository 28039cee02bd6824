"""Heads of loops that are a macro's (`list_for_each (p, list)`), written out with another step.

What a macro's text does cannot be changed in one place of use; written out
it can: `for (p = list; p; p = next)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.program import Location
from wolverine.errors import SourceError
from wolverine.frontend.context import LoadedProgram
from wolverine.frontend.reparse import parse_expression
from wolverine.frontend.spelling import Speller, without_parentheses
from wolverine.frontend.tokens import lex


def written_out(program: LoadedProgram, location: Location, speller: Speller, step: str) -> str:
    """The head at a location of kind "step", with this step.

    Raises SourceError where the macro stands for something else.
    """
    words = tuple(location.text[each.start : each.end] for each in lex(location.text).lexemes)
    parts = _parts(program.contexts[location.function].macros.get(words, ()))
    if len(parts) != 3:
        raise SourceError(f"line {location.line}: {location.text} cannot be written out")
    first, condition, _ = (_readable(program, location, speller, each) for each in parts)
    return f"for ({first}; {condition}; {step})"


def _parts(words: Sequence[str]) -> list[list[str]]:
    """What stands between the semicolons of `for (...)`; nothing where the words are something else."""
    if words[:2] != ("for", "(") or words[-1] != ")":
        return []
    found: list[list[str]] = [[]]
    for word, depth in _nested(words[2:-1]):
        if depth < 0:
            return []
        if word == ";" and not depth:
            found.append([])
        else:
            found[-1].append(word)
    return found


def _nested(words: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The words, each with the number of parentheses that are open behind it."""
    depth = 0
    for word in words:
        depth += (word in ("(", "{", "[")) - (word in (")", "}", "]"))
        yield word, depth


def _readable(program: LoadedProgram, location: Location, speller: Speller, words: Sequence[str]) -> str:
    """The text of words, as people write it where it is an expression or assigns one."""
    text = " ".join(words)
    outside = [at for at, (word, depth) in enumerate(_nested(words)) if word in ("=", ",") and not depth]
    if [words[at] for at in outside] == ["="]:
        sides = words[: outside[0]], words[outside[0] + 1 :]
        return " = ".join(_readable(program, location, speller, each) for each in sides)
    try:
        meant = parse_expression(program, location.function, text, location.scope) if not outside else None
        text = without_parentheses(speller.expression(meant)) if meant is not None else text
    except SourceError:
        pass
    context = program.contexts[location.function]
    null = " ".join(context.macros.get((context.null,), ()))
    return text.replace(null, context.null) if null else text
