"""What macros are given: arguments that stand more than once in what a macro stands for, and other ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from wolverine.frontend.preprocess import SourceMap
from wolverine.frontend.tokens import Token, lex

Template = tuple[int, tuple[str | int, ...]]  # how many arguments, and words or the number of one of these
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


def repeated(tokens: Sequence[Token], source: SourceMap) -> tuple[tuple[str, int], ...]:
    """The arguments among the tokens that stand there more than once, without spaces, and how often.

    None that is given in two places of the source.
    """
    if all(token.origin < 0 for token in tokens):
        return ()
    counts = Counter(_runs(tokens, source))
    texts = Counter(written for _, written in counts)
    return tuple((written, n) for (_, written), n in counts.items() if n > 1 and texts[written] == 1)


def _runs(tokens: Sequence[Token], source: SourceMap) -> Iterator[tuple[int, str]]:
    """The stretches of source that reach the tokens through macros: where each begins, and its words."""
    begin, end, words = -1, -1, ""
    for token in tokens:
        goes_on = token.origin >= end >= 0 and not source.texts[token.file][end : token.origin].strip()
        if not goes_on:
            if words:
                yield begin, words
            begin, words = token.origin, ""
        if token.origin >= 0:
            end, words = token.origin + len(token.text), words + token.text
        else:
            end = -1
    if words:
        yield begin, words


def template(use: str, start: int, expansion: Sequence[Token]) -> tuple[str, Template] | None:
    """What a use of a macro with arguments, which stands at `start`, tells of all: its name and its words.

    None where an argument holds uses of macros itself.
    """
    lexemes = lex(use).lexemes
    words = [use[each.start : each.end] for each in lexemes]
    given = split_arguments(words)
    if given is None or given[1] != len(words) or any(first == last for first, last in given[0]):
        return None
    origins = [[start + each.start for each in lexemes[first:last]] for first, last in given[0]]
    result: list[str | int] = []
    at = 0
    while at < len(expansion):
        token = expansion[at]
        number = next((n for n, each in enumerate(origins) if each[:1] == [token.origin]), None)
        if number is None and token.origin >= 0:
            return None
        width = 1 if number is None else len(origins[number])
        if number is not None and [each.origin for each in expansion[at : at + width]] != origins[number]:
            return None
        result.append(token.text if number is None else number)
        at += width
    return words[0], (len(origins), tuple(result))


def split_arguments(words: Sequence[str]) -> tuple[list[tuple[int, int]], int] | None:
    """Where the arguments of a use that the words begin with stand, and where it ends; None for others."""
    if len(words) < 3 or words[1] != "(":
        return None
    found, depth, begin = [], 0, 2
    for index in range(1, len(words)):
        depth += (words[index] in _OPENING) - (words[index] in _CLOSING)
        if depth == 0 or (depth == 1 and words[index] == ","):
            found.append((begin, index))
            begin = index + 1
        if depth == 0:
            return found, index + 1
    return None


def used(
    words: Sequence[str], templates: Mapping[str, Template]
) -> tuple[tuple[str | int, ...], list[Sequence[str]], int] | None:
    """A macro's words, its arguments here, and how many words the use has that these begin with."""
    made = templates.get(words[0])
    given = None if made is None else split_arguments(words)
    if made is None or given is None or len(given[0]) != made[0]:
        return None
    return made[1], [words[slice(*each)] for each in given[0]], given[1]
