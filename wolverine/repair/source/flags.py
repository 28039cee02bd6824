"""Fields and variables that take one of a few constants: colours, states, what was visited.

Such a place is hardly ever counted up, or given the number that another one holds.  It is known by what the
program assigns to it; where that is one constant at most, by that the program does nothing but test it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from wolverine.core.expressions import (
    COMPARISONS,
    AddressOf,
    Binary,
    Constant,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    Unary,
    VariableReference,
)
from wolverine.core.parts import conjuncts, parts, place_parts, without_casts
from wolverine.core.program import Assign, Branch, Call, Function, Library, Program
from wolverine.core.types import CType, IntType
from wolverine.repair.source.blocks import arms_around
from wolverine.repair.source.walk import expressions_of

_FEW = 6  # constants
_KNOWN = -0.15  # a constant that is assigned to it elsewhere, or 1 for what is only tested
_OTHER = 0.3  # another one
_RECKONED = 0.5  # no constant
_DEAD = -0.5  # the first thing that is assigned to what is tested in vain

_Name = tuple[CType | str, str]  # the struct and the field, or the function and the variable


class Flags:
    """Those of a program."""

    def __init__(self, program: Program) -> None:
        self._constants: dict[_Name, set[int]] = {}
        self._others: set[_Name] = set()  # what is assigned something else
        self._tested: Counter[_Name] = Counter()
        self._tests: set[tuple[_Name, str]] = set()  # with the functions that test it
        self._read: Counter[_Name] = Counter()
        self._compared: set[_Name] = set()  # with constants, be they 0
        for name, function in program.functions.items():
            self._others.update((name, each.name) for each in function.parameters)
            self._note(name, function)

    def against(self, function: str, target: LValue, value: Expression) -> float:
        """What speaks against an assignment in a function, negative for what speaks for it."""
        name = _name(function, target)
        if name is None or not isinstance(target.type, IntType):
            return 0.0
        known = self._known(name)
        value = without_casts(value)
        if not known or (isinstance(value, Load) and _name(function, value.place) == name):
            return 0.0
        if not isinstance(value, Constant):
            return 0.0 if _is_truth(value) and known <= {0, 1} else _RECKONED
        if value.value in known:
            return _DEAD if self.sets_first(function, target, value) else _KNOWN
        return _OTHER

    def sets_first(self, function: str, target: LValue, value: Expression) -> bool:
        """Whether this sets, in a function that tests it, what the program tests and never sets.

        A forgotten `visited[v] = 1`: until then the test always comes out the same.
        """
        name, value = _name(function, target), without_casts(value)
        if name is None or (name, function) not in self._tests or name in self._others:
            return False
        constants = self._constants.get(name, set())
        return constants <= {0} and isinstance(value, Constant) and value.value in self._known(name) - {0}

    def settles(self, function: Function, index: int, target: LValue, value: Expression) -> bool:
        """Whether this sets what the `if` around it has asked for, to what that asks for no more.

        `if (!v->seen) { v->seen = 1; enter(v); }` does each node once.  That holds where nothing has set it
        since.  Where the function calls itself there, each call may do that for what it is given: nobody
        asks for the first one.
        """
        name, value = _name(function.name, target), without_casts(value)
        if name is None or not isinstance(value, Constant) or value.value not in self._known(name):
            return False
        for at, _ in arms_around(function.code, index):
            step = function.code[at]
            if isinstance(step, Branch) and step.if_true <= index < step.if_false:
                arm = function.code[step.if_true : step.if_false]
                if any(isinstance(s, Call) and s.function == function.name for s in arm):
                    return False
                between = function.code[step.if_true : index]
                set_since = any(isinstance(s, Assign) and s.target == target for s in between)
                if not set_since and any(
                    _lets_through(c, target, value.value) is False for c in conjuncts(step.condition)
                ):
                    return True
        return False

    def only_zero(self, function: str, target: LValue) -> bool:
        """Whether the program sets a number to 0 at most, and yet tells it or reckons with it.

        As it is it could as well say 0 itself: what goes on with that number was forgotten.
        """
        name = _name(function, target)
        if name is None or not isinstance(target.type, IntType) or name in self._others:
            return False
        return self._constants.get(name, set()) <= {0} and self._read[name] > self._tested[name]

    def truths(self) -> frozenset[tuple[CType | str, str]]:
        """Those that are 0 or 1 and compared with nothing: the struct and the field, or the variable's name.

        A colour that is compared with `RED` may be part of what keeps a tree in balance.
        """
        found = frozenset(each for each in self._tested if (known := self._known(each)) and known <= {0, 1})
        return found - self._compared

    def reckoned(self, function: str, old: Expression, new: Expression) -> float:
        """What speaks against an expression that reckons with one of these where the old one does not."""
        before = {*parts(old)}
        for part in parts(new):
            match part:
                case Binary(operator, Load(place)) if operator not in COMPARISONS and part not in before:
                    name = _name(function, place)
                    if name is not None and isinstance(place.type, IntType) and self._known(name):
                        return _RECKONED
        return 0.0

    def _known(self, name: _Name) -> set[int]:
        """The constants that it takes; none where it takes anything."""
        found = self._constants.get(name, set())
        if name in self._others or len(found) > _FEW:
            return set()
        if len(found) > 1:
            return found
        only = self._tested[name] and self._tested[name] == self._read[name]
        return found | {1} if only and found <= {0, 1} else set()

    def _note(self, name: str, function: Function) -> None:
        for step in function.code:
            self._note_uses(name, step)
            match step:
                case Assign(_, target, value) if (of := _name(name, target)) is not None:
                    self._assigned(name, of, without_casts(value))
                case Branch(_, condition):
                    tested = list(_tested(name, condition))
                    self._tested.update(tested)
                    self._tests.update((each, name) for each in tested)
                case Call(_, _, _, result) | Library(_, _, _, result) if result is not None:
                    self._others.add((name, result.name))

    def _note_uses(self, name: str, step: object) -> None:
        if not isinstance(step, Assign | Branch | Call | Library):
            return
        inside = [part for each in expressions_of(step) for part in parts(each)]
        if isinstance(step, Assign):
            inside += place_parts(step.target)
        for part in inside:
            match part:
                case Load(place) if (of := _name(name, place)) is not None:
                    self._read[of] += 1
                case Binary(operator, left, right) if operator in COMPARISONS:
                    loads = (each for each in (without_casts(left), without_casts(right)))
                    names = (_name(name, each.place) for each in loads if isinstance(each, Load))
                    self._compared.update(each for each in names if each is not None)
                case AddressOf(place) if not _is_set(step) and (of := _name(name, place)) is not None:
                    self._others.add(of)

    def _assigned(self, function: str, of: _Name, value: Expression) -> None:
        match value:
            case Constant(int() as number):
                self._constants.setdefault(of, set()).add(number)
            case Load(place) if _name(function, place) == of:
                pass  # a copy
            case _ if _is_truth(value):
                self._constants.setdefault(of, set()).update((0, 1))
            case _:
                self._others.add(of)


def _name(function: str, place: LValue) -> _Name | None:
    """What names a place in all of the program, whichever node or element it is in."""
    match place:
        case Member(base, name):
            return base.type, name
        case Element(base):
            return _name(function, base)
        case VariableReference(name, _, level):
            return ("" if level == "global" else function), name
    return None


def _lets_through(condition: Expression, place: LValue, number: int) -> bool | None:
    """Whether a test of a place lets a number through; None where it is no such test."""
    match condition:
        case Load(asked) if asked == place:
            return number != 0
        case Unary("!", operand):
            inside = _lets_through(operand, place, number)
            return None if inside is None else not inside
        case Binary("==" | "!=" as operator, left, right):
            match without_casts(left), without_casts(right):
                case Load(asked), Constant(int() as other) if asked == place:
                    return (number == other) == (operator == "==")
    return None


def _is_truth(value: Expression) -> bool:
    """Whether it is 0 or 1: what a comparison says."""
    match value:
        case Binary(operator):
            return operator in COMPARISONS
        case Unary("!") | Logical():
            return True
    return False


def _is_set(step: object) -> bool:
    """Whether it is a call that fills memory with one byte."""
    return isinstance(step, Library) and step.function == "memset"


def _tested(function: str, condition: Expression) -> Iterator[_Name]:
    """What a condition does no more than compare with a constant."""
    match condition:
        case Logical(_, left, right):
            yield from _tested(function, left)
            yield from _tested(function, right)
        case Unary("!", operand):
            yield from _tested(function, operand)
        case Binary("==" | "!=", Load(place), Constant()) | Load(place):
            if (of := _name(function, place)) is not None:
                yield of
