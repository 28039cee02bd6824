"""A changed expression in the author's spacing.

Neighbours that stood together before keep what stood between them.  Tokens that come together anew
are spaced as the author spaces such a pair elsewhere in the expression, or else as usual.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from wolverine.frontend.tokens import lex

_UNARY = frozenset("*&-+!~")
_CLOSING = frozenset(")]")


class _Piece(NamedTuple):
    """A token with the white space and comments before it."""

    space: str
    word: str


def merged(source: str, old: str, new: str) -> str | None:
    """`source`, a spelling of `old`, changed where `new` differs from it; None when it is unclear where."""
    pieces, before, after = _pieces(source), _pieces(old), _pieces(new)
    old_words = [each.word for each in before]
    new_words = [each.word for each in after]
    left_of, right_of = _places(old_words, [each.word for each in pieces])
    style = _style(pieces)
    kinds, new_kinds = _kinds([each.word for each in pieces]), _kinds(new_words)
    result = list(pieces)
    changes = SequenceMatcher(None, old_words, new_words, autojunk=False).get_opcodes()
    for tag, first, last, new_first, new_last in reversed(changes):
        if tag == "equal":
            continue
        start = left_of.get(first, right_of.get(first))
        end = right_of.get(last, left_of.get(last))
        if start is None or end is None or end < start:
            return None
        fresh = [
            _Piece(_space(style, new_kinds, number, after[number].space), after[number].word)
            for number in range(new_first, new_last)
        ]
        if fresh and start < end and kinds[start] == new_kinds[new_first]:
            fresh[0] = _Piece(pieces[start].space, fresh[0].word)
        kept = bool(fresh) and start < end and kinds[end - 1] == new_kinds[new_last - 1]
        if not kept and new_last < len(after) and _follows(result, end, after[new_last]):
            result[end] = _Piece(_space(style, new_kinds, new_last, after[new_last].space), result[end].word)
        result[start:end] = fresh
    return "".join(space + word for space, word in result).strip()


def _follows(pieces: Sequence[_Piece], index: int, token: _Piece) -> bool:
    """Whether that token stands there on the same line, so that its spacing may change."""
    return index < len(pieces) and pieces[index].word == token.word and not pieces[index].space.strip(" ")


def _pieces(written: str) -> list[_Piece]:
    result = []
    position = 0
    for lexeme in lex(written).lexemes:
        result.append(_Piece(written[position : lexeme.start], written[lexeme.start : lexeme.end]))
        position = lexeme.end
    return result


def _places(old: Sequence[str], written: Sequence[str]) -> tuple[dict[int, int], dict[int, int]]:
    """Where in `written` what stands before and behind a token boundary of `old` ends and begins."""
    left_of: dict[int, int] = {0: 0}
    right_of: dict[int, int] = {len(old): len(written)}
    for block in SequenceMatcher(None, old, written, autojunk=False).get_matching_blocks():
        for step in range(block.size):
            right_of[block.a + step] = block.b + step
            left_of[block.a + step + 1] = block.b + step + 1
    return left_of, right_of


def _kinds(words: Sequence[str]) -> list[str]:
    """What each token is: an operand, an operator before, between or behind operands, a bracket."""
    result: list[str] = []
    for index, word in enumerate(words):
        behind = bool(result) and (result[-1] == "operand" or words[index - 1] in _CLOSING)
        if word[0].isalnum() or word[0] in "_$\"'" or (len(word) > 1 and word[0] == "."):
            result.append("operand")
        elif word in ("->", "."):
            result.append("member")
        elif word in "()[],?:":
            result.append(word)
        elif not behind and word in _UNARY:
            result.append("unary")
        else:
            result.append("binary")
    return result


def _style(pieces: Sequence[_Piece]) -> Mapping[tuple[str, str], str]:
    """How the author spaces pairs of neighbours."""
    found: dict[tuple[str, str], Counter[str]] = {}
    kinds = _kinds([each.word for each in pieces])
    for (one, two), piece in zip(pairwise(kinds), pieces[1:]):
        found.setdefault(_pair(one, two), Counter())[" " if piece.space else ""] += 1
    return {pair: spaces.most_common(1)[0][0] for pair, spaces in found.items()}


def _pair(one: str, two: str) -> tuple[str, str]:
    end = one == "operand" or one in _CLOSING
    return "end" if end and two != "operand" else one, "begin" if two in ("operand", "(", "unary") else two


def _space(style: Mapping[tuple[str, str], str], kinds: Sequence[str], index: int, usual: str) -> str:
    """What goes before a token whose neighbour before it is new."""
    if index == 0:
        return ""
    one, two = kinds[index - 1], kinds[index]
    if {one, two} <= {"unary"} or two == "(":
        return usual
    return style.get(_pair(one, two), usual)
