"""A menu: what one location may become; see `candidates` for how menus are made.

Choices are made when somebody asks for them: a search looks at a menu of a thousand choices by their
places and values, as bit masks, and tells a handful of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

from wolverine.core.expressions import Expression, Logical, LValue
from wolverine.core.patch import NewAssignment, NewValue, OtherJoin, Replacement
from wolverine.core.program import Join


@dataclass(frozen=True, slots=True)
class Choice:
    """One replacement; the indices of its place and its value in the menu, -1 where it has none."""

    replacement: Replacement
    target: int = -1
    value: int = -1


@dataclass(frozen=True)
class Menu:
    """The choices at one location, whose instruction is `function`'s number `index`.

    `all` is the mask of the choices that change the text, without `calls` of functions of the program, and
    without what is looked for `alone`.
    """

    location: int
    function: str
    index: int
    choices: Sequence[Choice]
    targets: Sequence[LValue] = ()
    values: Sequence[Expression] = ()
    all: int = 0
    calls: int = 0
    alone: int = 0

    @property
    def others(self) -> Iterable[tuple[int, Choice]]:
        """The choices that are no pairs of a place and a value, with their numbers."""
        return self.choices.others if isinstance(self.choices, Made) else enumerate(self.choices)


class Made(Sequence[Choice]):
    """Choices that are made when asked for."""

    @abstractmethod
    def made(self, number: int) -> Choice:
        """The choice of that number, which is in range."""

    @property
    def others(self) -> Iterable[tuple[int, Choice]]:
        """The choices that are no pairs of a place and a value, with their numbers."""
        return enumerate(self)

    @overload
    def __getitem__(self, number: int) -> Choice: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[Choice]: ...

    def __getitem__(self, number: int | slice) -> Choice | Sequence[Choice]:
        if isinstance(number, slice):
            return [self.made(i) for i in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        return self.made(number % len(self))


class Assigned(Made):
    """The choices of `base`, then pairs of a place and a value, then others (`more`).

    Pair `i` assigns value `seconds[i]` to place `firsts[i]`; with `value_only` it replaces the value
    alone.  Places and values begin with those of `base`, which many menus share and which has no `more`.
    """

    def __init__(
        self,
        targets: Sequence[LValue],
        values: Sequence[Expression],
        firsts: Sequence[int],
        seconds: Sequence[int],
        *,
        base: Assigned | None = None,
        more: tuple[Choice, ...] = (),
        value_only: bool = False,
    ) -> None:
        self.targets = targets
        self.values = values
        self.base = base
        self.more = more
        self._firsts = firsts
        self._seconds = seconds
        self._value_only = value_only
        self._begin = 0 if base is None else len(base)
        self.pairs = self._begin + len(firsts)
        self._masks: tuple[list[int], list[int]] | None = None

    def __len__(self) -> int:
        return self.pairs + len(self.more)

    @property
    def others(self) -> Iterable[tuple[int, Choice]]:
        """The last ones."""
        return enumerate(self.more, self.pairs)

    @cached_property
    def numbers(self) -> dict[Replacement, int]:
        """The numbers of the last ones."""
        return {choice.replacement: number for number, choice in self.others}

    def made(self, number: int) -> Choice:
        """The choice of that number."""
        if number >= self.pairs:
            return self.more[number - self.pairs]
        if self.base is not None and number < self._begin:
            return self.base.made(number)
        first, second = self._firsts[number - self._begin], self._seconds[number - self._begin]
        value = self.values[second]
        if self._value_only:
            return Choice(NewValue(value), first, second)
        return Choice(NewAssignment(self.targets[first], value), first, second)

    def masks(self) -> tuple[list[int], list[int]]:
        """The pairs by place and by value, as masks."""
        if self._masks is None:
            rows, columns = [0] * len(self.targets), [0] * len(self.values)
            if self.base is not None:
                shared_rows, shared_columns = self.base.masks()
                rows[: len(shared_rows)], columns[: len(shared_columns)] = shared_rows, shared_columns
            bit = 1 << self._begin
            for first, second in zip(self._firsts, self._seconds, strict=True):
                rows[first] |= bit
                columns[second] |= bit
                bit <<= 1
            self._masks = (rows, columns)
        return self._masks


class Conjoined(Made):
    """What a condition may become: other conditions (`changed`), then it with one of the tests more.

    A test stands before or behind the condition, with `&&` first and then with `||`: four blocks of
    choices.  Where a test is the condition itself (number `own`), both orders are one text, told once.
    Where a condition that calls is joined with it, the last choice is the `other` operator between the two.
    """

    def __init__(
        self,
        condition: Expression,
        changed: tuple[Expression, ...],
        tests: tuple[Expression, ...],
        own: int | None,
        other: Join | None = None,
    ) -> None:
        self.condition = condition
        self.changed = changed
        self.tests = tests
        self.own = own
        self.other = other
        self._others = tests if own is None else tests[:own] + tests[own + 1 :]

    def __len__(self) -> int:
        return self.joining + (self.other is not None)

    @property
    def joining(self) -> int:
        """The number of the choice of the other operator, if there is one."""
        return len(self.changed) + 2 * (len(self.tests) + len(self._others))

    def made(self, number: int) -> Choice:
        """The choice of that number."""
        if number == self.joining:
            assert self.other is not None
            return Choice(OtherJoin(self.other))
        if number < len(self.changed):
            return Choice(NewValue(self.changed[number]))
        number -= len(self.changed)
        operator = "&&"
        if number >= len(self.tests) + len(self._others):
            operator, number = "||", number - len(self.tests) - len(self._others)
        if number < len(self.tests):
            test, first = self.tests[number], operator == "&&"
        else:
            test, first = self._others[number - len(self.tests)], operator == "||"
        left, right = (test, self.condition) if first else (self.condition, test)
        return Choice(NewValue(Logical(operator, left, right)))

    def masks(self, changed: int, before: tuple[int, int], behind: tuple[int, int]) -> int:
        """One mask of choices from one of `changed`, and of tests before and behind for `&&` and `||`."""
        width, at = len(self.tests), len(self.changed)
        found = changed | before[0] << at
        at += width
        found |= self._without(behind[0]) << at
        at += len(self._others)
        found |= behind[1] << at
        at += width
        return found | self._without(before[1]) << at

    def _without(self, mask: int) -> int:
        """The mask of all tests as one of those that are not the condition."""
        if self.own is None:
            return mask
        return mask >> (self.own + 1) << self.own | mask & ((1 << self.own) - 1)
