"""A line of text in parts: commands, their first words, places."""

from __future__ import annotations

import re
from itertools import pairwise

from wolverine.errors import UsageError
from wolverine.session.words import BLOCK_WORDS, FOREIGN_WORDS

_QUOTED = re.compile(r"'(?:\\.|[^'\\])+'|\"(?:\\.|[^\"\\])*\"")
# The second activation of f, counted from the innermost, is f#2: no comment.
_ACTIVATION = re.compile(r"#\d+::")
_OPERATORS = frozenset("+-*/%&|^<>=!?:")
_WORD = re.compile(r"[!|]|[^\s/]+")


def split_commands(line: str) -> list[str]:
    """The texts between `;`, without comments and outer blanks; quoted `;` and `#` are literal."""
    parts: list[str] = []
    start = position = 0
    while position < len(line):
        character = line[position]
        if not line[start:position].strip() and first_word(line[position:]) in FOREIGN_WORDS:
            parts.append(line[position:])
            start = len(line)
            break
        if character in "'\"" and (quoted := _QUOTED.match(line, position)):
            position = quoted.end()
            continue
        if character == "#" and not (position > start and _ACTIVATION.match(line, position)):
            line = line[:position]
            break
        if character == ";":
            parts.append(line[start:position])
            start = position + 1
        position += 1
    parts.append(line[start:])
    return [part.strip() for part in parts if part.strip()]


def opens_block(text: str) -> bool:
    """Whether the lines up to a matching `end` belong to this command of gdb's."""
    word, _, rest = text.strip().partition(" ")
    if word in ("python", "py", "guile", "gu"):
        return not rest.strip()
    return word in BLOCK_WORDS


def first_word(text: str) -> str:
    """The name of a command at the beginning of a text."""
    match = _WORD.match(text)
    return match.group() if match else ""


def _close_up(text: str) -> str:
    """Remove the blanks inside places: around -> . [ ] ( ) and behind a leading `*` or `&`."""
    kept: list[str] = []
    position = 0
    while position < len(text):
        quoted = _QUOTED.match(text, position)
        end = quoted.end() if quoted else position + 1
        kept.append(text[position:end].replace(" ", "\0") if quoted else text[position])
        position = end
    joined = "".join(kept)
    joined = re.sub(r"\s*(->|\[|::)\s*|\s*(?<!\d)(\.)\s*(?!\d)|\s+(\])|(\()\s+|\s+(\))", _first_group, joined)
    joined = re.sub(r"(?<![\w\])])([*&])\s+", r"\1", joined)
    return re.sub(r"\[[^\]\[]*\]", lambda match: "".join(match.group().split()), joined)


def _first_group(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group)


def places(rest: str) -> tuple[str, ...]:
    """The places that a text lists, blanks or commas between them."""
    return tuple(word.rstrip(",").replace("\0", " ") for word in _close_up(rest).split() if word != ",")


def split_change(rest: str) -> tuple[str, str]:
    """Place and value of a `change`: the value is one word, a quoted character or an expression.

    A `=` between the two is allowed.  Raises UsageError where one of them is missing.
    """
    closed = _close_up(re.sub(r"(?<![=!<>])=(?!=)", " ", rest) if not _QUOTED.search(rest) else rest)
    words = re.findall(r"[^\s()]*\([^()\s]*(?:\s[^()]*)?\)\S*|\S+", closed)
    if len(words) == 3 and words[1] == "=":
        del words[1]
    if len(words) > 2 and _is_one(words[1:]):
        words[1:] = [" ".join(words[1:])]
    if len(words) != 2:
        hint = f"; here stands: {rest}" if rest else ""
        raise UsageError(f"change needs a place and a value, as in: change n4->prev n3{hint}")
    return words[0].replace("\0", " "), words[1].replace("\0", " ")


def _is_one(words: list[str]) -> bool:
    """Whether operators or casts stand between all of the words, and no operator in front of the first."""
    if words[0] in _OPERATORS or words[-1][-1] in _OPERATORS:
        return False
    return all(
        one[-1] in _OPERATORS or other[0] in _OPERATORS or (one[0] == "(" and one[-1] == ")")
        for one, other in pairwise(words)
    )
