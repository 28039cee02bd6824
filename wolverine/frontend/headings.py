"""System headers at the top of a file, which are the same for every version of it: read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from wolverine.frontend.items import NO_HEADERS, Heading, begin
from wolverine.frontend.preprocess import heading_tokens
from wolverine.frontend.tokens import Token

_KEPT = 16


@dataclass(frozen=True)
class Headers:
    """The headers as a heading, and those of their tokens that may belong to an item of the program.

    `null`: they define NULL; `allocates`: they declare malloc.
    """

    heading: Heading
    open: tuple[Token, ...]
    null: bool
    allocates: bool


@lru_cache(_KEPT)
def headers(text: str) -> Headers:
    """What the text of `preprocess.Preprocessed.heading` says."""
    found = list(heading_tokens(text))
    tokens = tuple(Token(word) for word, _ in found)
    heading = begin(tokens)
    return Headers(
        heading or NO_HEADERS,
        () if heading is not None else tokens,
        any(path.endswith("/stddef.h") for _, path in found),
        any(word == "malloc" for word, _ in found),
    )
