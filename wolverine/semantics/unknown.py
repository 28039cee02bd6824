"""Values that only the process knows: tokens, and what is computed from them.

While an interval is followed, a concrete statement's results are tokens.  Arithmetic on them builds
trees; a decision on one raises `Undetermined`.  At the stop the process tells values of places, and
`solve` looks for values of the tokens that explain them all.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from wolverine.core.characters import TABLES, entry
from wolverine.semantics import numeric
from wolverine.semantics.faults import Undetermined, Unmodelled

_DEPTH = 40  # deeper trees are not worth solving: a fresh token stands for them
_LAST_CHARACTER = 127
_WIDEST = 64  # bits
_numbers = count(1)
_oracle: list[bool] = []  # what unknown decisions are assumed to be, in order
_asked: list[tuple[Unknown, bool]] = []

_UNARY: Mapping[str, Callable[[Any], Any]] = {
    "neg": operator.neg, "~": operator.invert,
    "single": numeric.single, "double": numeric.double, "truncated": numeric.truncated,
}  # fmt: skip
# those that many values are mapped to one by: what stands below them need not be found
_LOSSY = frozenset(("/", "%", "ratio", "single", "double", "truncated"))
_COMPARED = frozenset(("==", "!=", "<", "<=", ">", ">="))
_OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift, "==": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "//": operator.floordiv,
    "look up": entry,
    "/": numeric.quotient, "%": numeric.remainder, "ratio": numeric.ratio,
}  # fmt: skip


class Unknown:
    """A token (no operation) or a tree over tokens; `==` and the like build trees, hashing is by identity."""

    __slots__ = ("arguments", "depth", "number", "operation", "width")

    def __init__(self, operation: str = "", *arguments: Any) -> None:
        self.depth: int = 1 + max((a.depth for a in arguments if isinstance(a, Unknown)), default=0)
        if self.depth > _DEPTH:
            operation, arguments, self.depth = "", (), 1
        self.operation = operation
        self.arguments: tuple[Any, ...] = arguments
        self.number = next(_numbers)
        self.width = 0  # bits of the integer that a token is, held with a sign; 0: of another or any type

    def tokens(self) -> frozenset[Unknown]:
        """The tokens that the value depends on."""
        if not self.operation:
            return frozenset((self,))
        return frozenset().union(*(a.tokens() for a in self.arguments if isinstance(a, Unknown)))

    def value(self, known: Mapping[int, Any]) -> Any:
        """The value when each token (by `number`) has its value in `known`, or a tree as a whole.

        Raises KeyError if one is missing, ArithmeticError, TypeError or ValueError where there is none.
        """
        if not self.operation or self.number in known:
            return known[self.number]
        parts = [a.value(known) if isinstance(a, Unknown) else a for a in self.arguments]
        if self.operation in _UNARY:
            return _UNARY[self.operation](parts[0])
        return _OPERATIONS[self.operation](parts[0], parts[1])

    def cut(self, wholes: dict[int, Unknown]) -> Unknown:
        """The same with tokens in place of the parts by which much is lost (divisions, conversions).

        `wholes` are the tokens for these so far, by number.
        """
        if self.operation in _LOSSY:
            whole = wholes.setdefault(self.number, Unknown())
            whole.number = self.number
            return whole
        if not any(isinstance(argument, Unknown) for argument in self.arguments):
            return self
        parts = [a.cut(wholes) if isinstance(a, Unknown) else a for a in self.arguments]
        return self if all(a is b for a, b in zip(parts, self.arguments)) else Unknown(self.operation, *parts)

    def holds(self, value: Any) -> bool:
        """Whether a token can have this value."""
        half = 1 << self.width - 1 if self.width else 0
        return not half or not isinstance(value, int) or -half <= value < half

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
) -> dict[int, Any] | None:
    """Values of tokens, by number, under which trees have the given values and truths; None: there are none.

    Tokens are looked at one by one and a few values are tried: those that occur, their neighbours, what
    operations with constants lead back to, and small numbers.  What a division or a conversion gives is
    told as a whole, by the number of the tree, where no value is found for the tokens below it.
    """
    rules = [*((tree, value, False) for tree, value in constraints), *((t, v, True) for t, v in truths)]
    found = _solved(rules)
    if found is None:
        wholes: dict[int, Unknown] = {}
        cut = [(tree.cut(wholes), wanted, truth) for tree, wanted, truth in rules]
        found = _solved(cut) if wholes else None
    return found


_Rule = tuple[Unknown, Any, bool]  # a tree, what it has to be, and whether only the truth of that counts


def _solved(rules: Sequence[_Rule]) -> dict[int, Any] | None:
    of: dict[Unknown, list[_Rule]] = {}
    for rule in rules:
        for token in rule[0].tokens():
            of.setdefault(token, []).append(rule)
    known: dict[int, Any] = {}
    for token in sorted(of, key=hash):
        for guess in _guesses(of[token]):
            known[token.number] = guess
            if token.holds(guess) and all(_agrees(*rule, known) for rule in of[token]):
                break
        else:
            return None
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
        for below, value in _borders(tree) if truth else ((tree, wanted),):
            if isinstance(value, int | float):
                yield from dict.fromkeys(_inverses(below, value))
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


def _borders(tree: Unknown) -> Iterator[tuple[Unknown, Any]]:
    """What is compared with a number, and values at which the truth of that may change."""
    if tree.operation not in _COMPARED:
        yield from ((tree, value) for value in (0, 1))
        return
    left, right = tree.arguments
    if isinstance(right, Unknown):
        left, right = right, left
    if isinstance(left, Unknown) and isinstance(right, int | float):
        yield from ((left, right + step) for step in (0, 1, -1))


def _inverses(tree: Unknown, wanted: float) -> Iterator[float]:
    """Values of the token that may lead to what is wanted, if operations with constants lie above it."""
    if not tree.operation:
        yield wanted
        return
    left, right = tree.arguments[0], tree.arguments[-1]
    if isinstance(left, Unknown) and (len(tree.arguments) == 1 or isinstance(right, int | float)):
        for value in _before(tree.operation, wanted, 0 if right is left else right):
            yield from _inverses(left, value)
    elif isinstance(right, Unknown) and isinstance(left, int | float):
        match tree.operation:
            case "+" | "*":
                for value in _before(tree.operation, wanted, left):
                    yield from _inverses(right, value)
            case "-":
                yield from _inverses(right, left - wanted)


def _before(operation: str, wanted: float, other: float) -> Iterator[float]:
    """Values of the left operand; the right one is `other`."""
    match operation:
        case "+":
            yield wanted - other
        case "-":
            yield wanted + other
        case "*" if other:
            exact = isinstance(wanted, int) and isinstance(other, int)
            yield numeric.quotient(int(wanted), int(other)) if exact else wanted / other
        case "/" | "ratio":
            yield wanted * other
        case "<<" | ">>" if isinstance(wanted, int) and isinstance(other, int) and 0 <= other < _WIDEST:
            yield wanted >> other if operation == "<<" else wanted << other
        case "^" if isinstance(wanted, int) and isinstance(other, int):
            yield wanted ^ other
        case "neg":
            yield -wanted
        case "~" if isinstance(wanted, int):
            yield ~wanted
        case "truncated":
            yield from (wanted + math.copysign(0.5, wanted), wanted)
        case "double" | "single" if math.isfinite(wanted):
            yield from (math.ceil(wanted), math.floor(wanted)) if operation == "double" else (wanted,)
        case "&" | "|" | "%":
            yield wanted


def _agrees(tree: Unknown, wanted: Any, truth: bool, known: Mapping[int, Any]) -> bool:
    try:
        value = tree.value(known)
    except KeyError:
        return True  # another token of it comes later
    except (ArithmeticError, TypeError, ValueError):
        return False
    return bool(value) == wanted if truth else bool(value == wanted)
