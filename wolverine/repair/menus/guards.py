"""Guarded statements (Wolverine2 section 3.1): what is there under a test, in gaps also new statements.

A menu of these is the product of tests and statements.  It is never written out: the choice of statement
`i` under test `k` has number `(k + 1) * width + i`, and number `i` is the statement without a test.  So the
choices with one effect are, as a bit mask, the product of the statements that have it and the tests that
hold.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from wolverine.core.expressions import (
    Binary,
    Constant,
    Dereference,
    Expression,
    Load,
    LValue,
    VariableReference,
    text,
    variables,
)
from wolverine.core.parts import against_zero, gone_through, negated, parts, place_parts
from wolverine.core.patch import Guarded, NewAssignment, NewJump, NewReturn, NewSkip, Replacement
from wolverine.core.program import Assign, Branch, Function
from wolverine.core.types import INT, VOID, IntType, PointerType
from wolverine.repair.menus.conditions import Conditions
from wolverine.repair.menus.menu import Assigned, Choice, Made, Menu
from wolverine.repair.menus.taking_out import leads_past
from wolverine.repair.menus.vocabulary import Scope, Vocabulary, lives_on
from wolverine.repair.source.conversion import convert
from wolverine.repair.source.likewise import likewise
from wolverine.repair.source.walk import reads_through

_TESTS = 80
_RETURNED = 24


@dataclass(frozen=True)
class Statements:
    """What may stand under a test: the choices of `menu` that assign (`assigning`), then `returns`.

    In a void function an assignment to something that lives on may be followed by a return (`both`;
    these assignments are `outward`); such pairs come last.
    """

    menu: Menu
    assigning: int
    outward: int
    returns: tuple[NewReturn, ...]
    both: bool

    @property
    def width(self) -> int:
        """How many there are, those of the menu that are no assignments included."""
        plain = len(self.menu.choices)
        return plain + len(self.returns) + (plain if self.both else 0)

    @property
    def used(self) -> int:
        """The choices of the menu that stand here or under a test."""
        return self.menu.all | self.menu.calls | self.menu.alone | self.assigning

    @property
    def leaping(self) -> int:
        """The mask of jumps that may stand under a test."""
        others = self.menu.others
        jumps = ((n, c.replacement) for n, c in others if isinstance(c.replacement, NewJump))
        return sum(1 << number for number, made in jumps if made.keyword != "while")

    @property
    def skipping(self) -> int:
        """The mask of what passes over statements."""
        others = self.menu.others
        return sum(1 << number for number, each in others if isinstance(each.replacement, NewSkip))

    @property
    def returning(self) -> int:
        """The mask of those that do nothing but end the function."""
        return ((1 << len(self.returns)) - 1) << len(self.menu.choices)

    @property
    def leaving(self) -> int:
        """The mask of those that end the function."""
        both = self.outward << (len(self.menu.choices) + len(self.returns)) if self.both else 0
        return self.returning | both

    def __getitem__(self, number: int) -> Replacement:
        plain = len(self.menu.choices)
        if number < plain:
            return self.menu.choices[number].replacement
        number -= plain
        if number < len(self.returns):
            return self.returns[number]
        made = self.menu.choices[number - len(self.returns)].replacement
        assert isinstance(made, NewAssignment)
        return NewReturn(None, made)


@dataclass(frozen=True)
class Under:
    """What gaps of one scope take besides: tests, and returns; `void` is the function's result.

    Those tests that are `special` may end the function: for what is empty, or whether two arguments are one.
    """

    tests: tuple[Expression, ...]
    returns: tuple[NewReturn, ...]
    void: bool
    special: frozenset[Expression] = frozenset()


class Product(Made):
    """The choices of a menu of guarded statements, made when asked for."""

    def __init__(self, statements: Statements, tests: tuple[Expression, ...]) -> None:
        self.statements = statements
        self.tests = tests
        self.width = statements.width

    def __len__(self) -> int:
        return self.width * (len(self.tests) + 1)

    @property
    def others(self) -> Iterable[tuple[int, Choice]]:
        """Those of the menu; under tests and behind returns there are none."""
        return self.statements.menu.others

    def made(self, number: int) -> Choice:
        """The choice of that number."""
        block, inner = divmod(number, self.width)
        statement = self.statements[inner]
        if not block:
            return Choice(statement)
        assert isinstance(statement, (NewAssignment, NewReturn, NewJump, NewSkip))
        return Choice(Guarded(self.tests[block - 1], statement))

    def blocks(self, mask: int) -> Iterator[tuple[int, int]]:
        """The choices of a mask by test, as (number of the test, -1 for none; mask of statements)."""
        whole = (1 << self.width) - 1
        for block in range(len(self.tests) + 1):
            inner = mask & whole
            mask >>= self.width
            if inner:
                yield block - 1, inner


def carried(mask: int, old: Menu, new: Menu) -> int:
    """A mask of choices of a menu as one of the same location's menu that has more of them (calls, nodes)."""
    before, after = old.choices, new.choices
    if isinstance(before, Product) and isinstance(after, Product):
        one, two = before.statements.menu, after.statements.menu
        plain, more = len(one.choices), len(two.choices)
        found = 0
        for block, inner in before.blocks(mask):
            moved = carried(inner & (1 << plain) - 1, one, two) | inner >> plain << more
            found |= moved << (block + 1) * after.width
        return found
    if isinstance(before, Assigned) and isinstance(after, Product):
        return carried(mask, old, after.statements.menu)
    if not (isinstance(before, Assigned) and isinstance(after, Assigned)):
        return mask
    found = mask & (1 << before.pairs) - 1
    rest = mask >> before.pairs
    while rest:
        bit = rest & -rest
        rest ^= bit
        found |= 1 << after.numbers[before.more[bit.bit_length() - 1].replacement]
    return found


def under(
    vocabulary: Vocabulary,
    conditions: Conditions,
    function: Function,
    scope: Scope,
    marks: Collection[Expression] = (),
) -> Under:
    """The tests and returns of a scope.

    `marks` are tests of what has been visited (`source.marked`), or such as a function is for (`predicates`).
    """
    known = [*_tests(conditions, function, scope)]
    written = {*map(text, known)}
    tests = (*known, *(each for each in marks if text(each) not in written))
    special = frozenset(t for t in tests if t in marks or _is_null(t) or asks_for_one(t, function))
    return Under(tests, tuple(returns(vocabulary, function, scope)), function.result == VOID, special)


def guarded_menu(menu: Menu, made: Under, *, leaving: bool = False, leaping: Container[NewJump] = ()) -> Menu:
    """The menu of a gap, widened by tests and returns; the numbers of its own choices stay.

    Where it is at the end of what a condition leads to (`leaving`), returns may stand under no further test;
    of the jumps that it has, those of `leaping` may.
    """
    assert isinstance(menu.choices, Assigned)
    assigning = (1 << menu.choices.pairs) - 1
    outward = 0
    for place, mask in zip(menu.targets, menu.choices.masks()[0], strict=True):
        if lives_on(place):
            outward |= mask
    statements = Statements(menu, assigning, outward, made.returns, made.void)
    choices = Product(statements, made.tests)
    jumping = statements.leaping
    leaves, skipping = statements.leaving | jumping, statements.skipping
    every = menu.all & ~skipping | (statements.returning if leaving else 0)
    for number, choice in menu.others:
        if isinstance(choice.replacement, NewJump) and choice.replacement not in leaping:
            every ^= 1 << number
    for block, test in enumerate(choices.tests, 1):
        every |= (assigning | skipping | (leaves if test in made.special else 0)) << (block * choices.width)
    return Menu(
        menu.location, menu.function, menu.index, choices, all=every, calls=menu.calls, alone=menu.alone
    )


def tested_menu(menu: Menu, original: int, made: Under) -> Menu:
    """The menu of an assignment, widened by the statement as it is (choice `original`) under a test."""
    statements = Statements(menu, 1 << original, 0, (), False)
    choices = Product(statements, made.tests)
    every, statement = menu.all, choices.made(original).replacement
    assert isinstance(menu.choices, Assigned) and isinstance(statement, NewAssignment)
    for block, test in enumerate(made.tests, 1):
        if Guarded(test, statement) not in menu.choices.numbers:
            every |= 1 << (block * choices.width + original)
    return Menu(menu.location, menu.function, menu.index, choices, all=every)


def elsewhere(target: LValue, value: Expression, places: Sequence[LValue]) -> Iterator[Choice]:
    """The special case of an assignment that goes through a pointer: its value is stored elsewhere.

    What is tested is the last pointer that the target goes through, or whether one that the statement uses
    is another variable, as the first node of a list.
    """
    mine, pointer = NewAssignment(target, value), next(gone_through(target), None)
    if pointer is None:
        return
    tests = [against_zero("!=", pointer)]
    used = list(dict.fromkeys((*_pointers(value), pointer)))
    tests += (Binary("!=", Load(one), Load(other), INT) for one, other in _pairs(used, places))
    named = {text(Load(v)) for v in used}
    for place in places:
        through = any(text(each) in named for each in (Load(place), *place_parts(place)))
        if place.type == target.type and place != target and not through:
            for test in tests:
                yield Choice(Guarded(test, mine, NewAssignment(place, value)))


def in_another(
    function: Function, target: LValue, value: Expression, places: Sequence[LValue]
) -> Iterator[Choice]:
    """The usual case of which an assignment is the special one: its value is stored in a node.

    A variable that follows another leads to that node, the one before: where it is null the value is stored
    as it is now.
    """
    mine = NewAssignment(target, value)
    behind = following(function) - {target, *gone_through(target)}
    for place in places:
        pointer = next(gone_through(place), None)
        if pointer in behind and pointer is not None and place.type == target.type:
            test = against_zero("==", pointer)
            yield Choice(Guarded(test, mine, NewAssignment(place, value)))


def otherwise(target: LValue, value: Expression, places: Sequence[LValue]) -> Iterator[Choice]:
    """An assignment of one of two pointers: the variable that it assigns, or another where one is null."""
    if not (isinstance(value, Load) and isinstance(value.place, VariableReference)):
        return
    if not isinstance(value.type, PointerType):
        return
    mine, null = NewAssignment(target, value), Constant(0, value.type)
    named = (value.place, target)
    for place in places:
        if isinstance(place, VariableReference) and place.type == value.type and place not in named:
            other = NewAssignment(target, Load(place))
            yield Choice(Guarded(Binary("!=", value, null, INT), mine, other))
            yield Choice(Guarded(Binary("==", Load(place), null, INT), mine, other))


def following(function: Function) -> set[LValue]:
    """The local pointers that begin with null and are set to where another one is: `before = p`."""
    first: set[LValue] = set()
    copied: set[LValue] = set()
    for step in function.code:
        match step:
            case Assign(_, VariableReference(level=level) as pointer, Constant(0, PointerType())):
                first |= {pointer} if level != "global" else set()
            case Assign(_, VariableReference() as pointer, Load(VariableReference())):
                copied.add(pointer)
    return first & copied


def _pairs(used: Sequence[LValue], places: Sequence[LValue]) -> Iterator[tuple[LValue, LValue]]:
    """The pointer variables that a statement goes through or names, each with what may be equal to it."""
    for one in used:
        for other in places:
            plain = isinstance(other, (VariableReference, Dereference))
            if plain and other.type == one.type and other not in used:
                yield one, other


def _pointers(value: Expression) -> Iterator[LValue]:
    """The variables that a value names."""
    for part in parts(value):
        if isinstance(part, Load) and isinstance(part.place, VariableReference):
            yield part.place


def sheltered(menu: Menu, mask: int) -> int:
    """Those of a mask that are an assignment under the test that what it goes through is not null.

    Those, too, that set a pointer where it leads to a certain node (`if (last == p) last = ...`), and those
    that do one of two things: set a place to one of two values, or one of two places.
    """
    if not isinstance(menu.choices, Product):
        return 0
    product, found = menu.choices, 0
    for number, choice in product.others:
        match choice.replacement:
            case Guarded(_, NewAssignment(), NewAssignment()):
                found |= mask & 1 << number
            case made if leads_past(made):
                found |= mask & 1 << number
    for number, inner in product.blocks(mask):
        match product.tests[number] if number >= 0 else None:
            case Binary("!=", Load() as pointer, Constant(0)):
                found |= _through(product.statements, inner, text(pointer)) << (number + 1) * product.width
            case Binary("==", Load(one), Load(other)):
                found |= _among(product.statements, inner, (one, other)) << (number + 1) * product.width
    return found


def assigning(menu: Menu, wanted: Callable[[LValue], bool]) -> int:
    """The choices of such a menu that assign to a wanted place and go on behind it, under a test or not."""
    if not isinstance(menu.choices, Product):
        return 0
    product, rows, found = menu.choices, 0, 0
    base = product.statements.menu
    assert isinstance(base.choices, Assigned)
    for place, mask in zip(base.targets, base.choices.masks()[0], strict=True):
        if wanted(place):
            rows |= mask
    for block in range(len(product.tests) + 1):
        found |= rows << block * product.width
    return found & menu.all


def plain_statements(menu: Menu) -> Iterable[tuple[int, Choice]]:
    """The choices of a menu under no test, with their numbers."""
    choices = menu.choices
    return enumerate(choices.statements.menu.choices if isinstance(choices, Product) else choices)


def plainly(menu: Menu, _wanted: Callable[[LValue], bool]) -> int:
    """The choices of such a menu that do nothing but return, under no test."""
    return menu.all & menu.choices.statements.returning if isinstance(menu.choices, Product) else 0


def clearing(menu: Menu, wanted: Callable[[LValue], bool]) -> int:
    """The choices of such a menu that set a wanted place to null, under no test."""
    if not isinstance(menu.choices, Product):
        return 0
    base = menu.choices.statements.menu
    assert isinstance(base.choices, Assigned)
    columns = zip(base.values, base.choices.masks()[1], strict=True)
    null = reduce(
        or_, (mask for value, mask in columns if isinstance(value, Constant) and not value.value), 0
    )
    return assigning(menu, wanted) & null


def _through(statements: Statements, mask: int, pointer: str) -> int:
    """Those of the statements that assign by going through the pointer."""
    found = 0
    while mask:
        bit = mask & -mask
        mask ^= bit
        made = statements[bit.bit_length() - 1]
        if isinstance(made, NewAssignment):
            inside = (*parts(made.value), *place_parts(made.target), Load(made.target))
            if reads_through(inside, pointer):
                found |= bit
    return found


def _among(statements: Statements, mask: int, places: Collection[LValue]) -> int:
    """Those of the statements that assign to one of the places."""
    numbers = (number for number in range(mask.bit_length()) if mask >> number & 1)
    made = ((number, statements[number]) for number in numbers)
    return sum(1 << n for n, each in made if isinstance(each, NewAssignment) and each.target in places)


def _is_null(test: Expression) -> bool:
    """Whether the test is for what is empty: the special case that ends a function early."""
    return isinstance(test, Binary) and test.operator in ("==", "<=") and isinstance(test.right, Constant)


def asks_for_one(test: Expression, function: Function) -> bool:
    """Whether the test asks if two of the function's arguments are the same: `if (to == from) return;`.

    Or if what stands for them is: `x = find(a); y = find(b); if (x == y) return;`.
    """
    match test:
        case Binary("==", Load(VariableReference() as one), Load(VariableReference() as other)):
            given = one in function.parameters and other in function.parameters
            return given or frozenset((one.name, other.name)) in likewise(function)
    return False


def returns(vocabulary: Vocabulary, function: Function, scope: Scope) -> Iterator[NewReturn]:
    """What may be returned in a scope."""
    if function.result == VOID:
        yield NewReturn()
        return
    written: dict[str, NewReturn] = {}
    for value in vocabulary.values(scope, function.result):
        converted = convert(value, function.result)
        if converted is not None and len(written) < _RETURNED:
            written.setdefault(text(converted), NewReturn(converted))
    yield from written.values()


def _tests(conditions: Conditions, function: Function, scope: Scope) -> Iterator[Expression]:
    """Tests of one place against null or 0, of two pointers, and the conditions of the function."""
    found: dict[str, Expression] = {}
    names = {v.name for v in scope}
    occurring = [s.condition for s in function.code if isinstance(s, Branch)]
    for condition in occurring:
        if variables(condition) <= names and condition.type == INT and not isinstance(condition, Constant):
            found.setdefault(text(condition), condition)
            found.setdefault(text(negated(condition)), negated(condition))
    for written, test in conditions.worded().items():
        found.setdefault(written, test)
    for variable in scope:
        if isinstance(variable.type, IntType):
            for operator in ("==", "!=", "<="):
                test = against_zero(operator, variable)
                found.setdefault(text(test), test)
    yield from list(found.values())[:_TESTS]
