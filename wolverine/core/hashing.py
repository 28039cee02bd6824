"""Values made of values (expressions, edits), which are asked for their hash over and over: each keeps it."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


class Hashed:
    """What a frozen dataclass with slots is derived from to be `hashed_once`."""

    __slots__ = ("_hash",)


def hashed_once(made: type[T]) -> type[T]:
    """Have the values of a frozen dataclass, a `Hashed`, compute their hash when it is first asked for."""
    compute = made.__hash__

    def kept(self: T) -> int:
        try:
            return self._hash  # type: ignore[attr-defined, no-any-return]
        except AttributeError:
            found = compute(self)
            object.__setattr__(self, "_hash", found)
            return found

    made.__hash__ = kept  # type: ignore[method-assign, assignment]
    return made
