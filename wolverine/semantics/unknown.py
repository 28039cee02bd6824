"""Values that only the process knows: tokens, and what is computed from them.

While an interval is followed, a concrete statement's results are tokens.  Arithmetic on them builds
trees; a decision on one raises `Undetermined`.  At the stop the process tells values of places, and
`solve` looks for values of the tokens that explain them all.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from wolverine.core.characters import TABLES, entry
from wolverine.semantics.faults import Undetermined, Unmodelled

_DEPTH = 40  # deeper trees are not worth solving: a fresh token stands for them
_LAST_CHARACTER = 127
_numbers = count(1)
_oracle: list[bool] = []  # what unknown decisions are assumed to be, in order
_asked: list[tuple[Unknown, bool]] = []

_OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift, "==": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "//": operator.floordiv,
    "look up": entry,
}  # fmt: skip


class Unknown:
    """A token (no operation) or a tree over tokens; `==` and the like build trees, hashing is by identity."""

    __slots__ = ("arguments", "depth", "number", "operation")

    def __init__(self, operation: str = "", *arguments: Any) -> None:
        self.depth: int = 1 + max((a.depth for a in arguments if isinstance(a, Unknown)), default=0)
        if self.depth > _DEPTH:
            operation, arguments, self.depth = "", (), 1
        self.operation = operation
        self.arguments: tuple[Any, ...] = arguments
        self.number = next(_numbers)

    def tokens(self) -> frozenset[Unknown]:
        """The tokens that the value depends on."""
        if not self.operation:
            return frozenset((self,))
        return frozenset().union(*(a.tokens() for a in self.arguments if isinstance(a, Unknown)))

    def value(self, known: Mapping[int, Any]) -> Any:
        """The value when each token (by `number`) has its value in `known`; KeyError if one is missing."""
        if not self.operation:
            return known[self.number]
        parts = [a.value(known) if isinstance(a, Unknown) else a for a in self.arguments]
        if self.operation == "neg":
            return -parts[0]
        if self.operation == "~":
            return ~parts[0]
        return _OPERATIONS[self.operation](parts[0], parts[1])

    def __hash__(self) -> int:
        return self.number

    def __bool__(self) -> bool:
        # `a and b` is `a` where that is false, and so is asked for once more.
        for tree, truth in _asked:
            if tree is self:
                return truth
        if not _oracle:
            raise Undetermined(self)
        truth = _oracle.pop(0)
        _asked.append((self, truth))
        return truth

    def __neg__(self) -> Unknown:
        return Unknown("neg", self)

    def __invert__(self) -> Unknown:
        return Unknown("~", self)

    def __repr__(self) -> str:
        return f"?{self.number}"

    def _left(symbol: str) -> Any:  # type: ignore[misc]  # noqa: N805  (makes methods while the class is built)
        return lambda self, other: Unknown(symbol, self, other)

    def _right(symbol: str) -> Any:  # type: ignore[misc]  # noqa: N805
        return lambda self, other: Unknown(symbol, other, self)

    __add__, __radd__ = _left("+"), _right("+")
    __sub__, __rsub__ = _left("-"), _right("-")
    __mul__, __rmul__ = _left("*"), _right("*")
    __floordiv__ = _left("//")  # of the bytes between two pointers by the size of what they lead to
    __and__, __rand__ = _left("&"), _right("&")
    __or__, __ror__ = _left("|"), _right("|")
    __xor__, __rxor__ = _left("^"), _right("^")
    __lshift__, __rlshift__ = _left("<<"), _right("<<")
    __rshift__, __rrshift__ = _left(">>"), _right(">>")
    __eq__, __ne__ = _left("=="), _left("!=")
    __lt__, __le__, __gt__, __ge__ = _left("<"), _left("<="), _left(">"), _left(">=")
    del _left, _right


def assuming(truths: Sequence[bool], evaluate: Callable[[], Any]) -> tuple[bool, list[tuple[Unknown, bool]]]:
    """The truth of what is evaluated when the unknown decisions in it are answered so, in order.

    Returns also which trees were assumed to be what.  Raises `Undetermined` when there are more of them,
    and `Unmodelled` where none of them is what is missing: an address is.
    """
    _oracle[:] = truths
    _asked.clear()
    try:
        return bool(evaluate()), list(_asked)
    except Undetermined:
        if _oracle:
            raise Unmodelled("this goes through a pointer that only the process knows") from None
        raise
    finally:
        _oracle.clear()
        _asked.clear()


def solve(
    constraints: Iterable[tuple[Unknown, Any]], truths: Iterable[tuple[Unknown, bool]]
) -> dict[int, Any]:
    """Values of tokens, by number, under which trees have the given values and truths.

    Tokens are looked at one by one and a few values are tried: those that occur, their neighbours, and
    small numbers.  Tokens that no value is found for are left out.
    """
    values: dict[int, list[tuple[Unknown, Any, bool]]] = {}
    for tree, value in constraints:
        for token in tree.tokens():
            values.setdefault(token.number, []).append((tree, value, False))
    for tree, truth in truths:
        for token in tree.tokens():
            values.setdefault(token.number, []).append((tree, truth, True))
    known: dict[int, Any] = {}
    for number in sorted(values):
        rules = values[number]
        for guess in _guesses(rules):
            known[number] = guess
            if all(_agrees(tree, wanted, truth, known) for tree, wanted, truth in rules):
                break
        else:
            del known[number]
    return known


def _guesses(rules: list[tuple[Unknown, Any, bool]]) -> Iterable[Any]:
    seen: set[Any] = set()
    constants = [wanted for _, wanted, truth in rules if not truth]
    for tree, _, _ in rules:
        constants += _constants(tree)
    for base in constants:
        steps = (base, base + 1, base - 1, -base) if isinstance(base, int) else (base,)
        for guess in steps:
            if guess not in seen:
                seen.add(guess)
                yield guess
    for tree, wanted, truth in rules:
        if not truth and isinstance(wanted, int) and (found := _inverse(tree, wanted)) is not None:
            yield found
    yield from (n for n in (0, 1, -1, 2) if n not in seen)
    if any(_looks_up(tree) for tree, _, _ in rules):
        yield from range(_LAST_CHARACTER + 1)


def _looks_up(tree: Unknown) -> bool:
    return tree.operation == "look up" or any(
        _looks_up(argument) for argument in tree.arguments if isinstance(argument, Unknown)
    )


def _constants(tree: Unknown) -> list[Any]:
    found: list[Any] = []
    for argument in tree.arguments:
        if isinstance(argument, Unknown):
            found += _constants(argument)
        elif argument is not None and argument not in TABLES:
            found.append(argument)
    return found


def _inverse(tree: Unknown, wanted: int) -> int | None:
    """The token's value if only additions, subtractions and masks with constants lie above it."""
    while tree.operation:
        left, right = tree.arguments[0], tree.arguments[-1]
        if tree.operation == "+" and isinstance(left, Unknown) and isinstance(right, int):
            tree, wanted = left, wanted - right
        elif tree.operation == "+" and isinstance(right, Unknown) and isinstance(left, int):
            tree, wanted = right, wanted - left
        elif tree.operation == "-" and isinstance(left, Unknown) and isinstance(right, int):
            tree, wanted = left, wanted + right
        elif tree.operation == "-" and isinstance(right, Unknown) and isinstance(left, int):
            tree, wanted = right, left - wanted
        elif tree.operation == "&" and isinstance(left, Unknown):
            tree = left
        elif tree.operation == "neg":
            tree, wanted = left, -wanted
        else:
            return None
    return wanted


def _agrees(tree: Unknown, wanted: Any, truth: bool, known: Mapping[int, Any]) -> bool:
    try:
        value = tree.value(known)
    except KeyError:
        return True  # another token of it comes later
    except (TypeError, ValueError, OverflowError):
        return False
    return bool(value) == wanted if truth else bool(value == wanted)
