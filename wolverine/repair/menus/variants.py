"""An expression with exactly one of its parts replaced, at any depth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from wolverine.core.arguments import repeated, with_other
from wolverine.core.expressions import (
    BY_TEXT,
    COMPARISONS,
    AddressOf,
    Binary,
    Cast,
    Conditional,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    Unary,
    VariableReference,
    is_classified,
    looked_up,
    text,
)
from wolverine.core.parts import parts, unconverted, without_casts
from wolverine.core.types import INT, ArrayType, CType, FloatType, IntType, PointerType, is_number, is_text
from wolverine.repair.menus.vocabulary import Vocabulary, repairable
from wolverine.repair.source.conversion import convert

_ARITHMETIC = ("+", "-", "*")
_EQUALITY = ("==", "!=")
_SIGNS = ("-", "+", "~")
_WHOLE = ("%", "~")  # of integers only
_OTHERS = {"/": ("*", "%"), "%": ("/",), "<<": (">>",), ">>": ("<<",), "&": ("|",), "|": ("&",), "^": ()}


def counted_elsewhere(
    target: LValue, value: Expression | None, places: Iterable[LValue]
) -> Iterator[tuple[LValue, Expression]]:
    """Other places that are reckoned with like the target, with their new values: `x *= n` as `y *= n`."""
    if isinstance(value, Binary) and value.operator not in COMPARISONS and value.left == Load(target):
        for place in places:
            if place.type == target.type and place != target:
                yield place, replace(value, left=Load(place))


def added(target: LValue, value: Expression | None) -> Iterator[Expression]:
    """What `+=` and `-=` assign in the place of `=`, where what is assigned is no count already."""
    if value is None or isinstance(value, Constant) or not is_number(target.type):
        return
    held = Load(target)
    if isinstance(target.type, IntType) and (target.type.bits or target.type.size < 4):
        return
    if value.type != target.type or held in parts(value):
        return
    for operator in "+-":
        yield Binary(operator, held, value, target.type)


class Variants:
    """The variants of expressions within one scope of one function, assigned to `target` if that is given."""

    def __init__(
        self, vocabulary: Vocabulary, scope: tuple[VariableReference, ...], target: LValue | None = None
    ) -> None:
        self._vocabulary = vocabulary
        self._scope = scope
        self._held = None if target is None else Load(target)

    def of_value(self, value: Expression, *, whole: bool = False) -> Iterator[Expression]:
        """`value` with one part replaced; `whole` also replaces all of it by a simple value."""
        if whole and repairable(value.type):
            yield from self._vocabulary.values(self._scope, value.type)
        yield from self._inside(value)
        if isinstance(value.type, PointerType):
            yield from self._stepped(value)
        elif isinstance(value.type, IntType):
            yield from self._counted(value)
            yield from self._vocabulary.rests.of(value, self._scope)

    def together(self, value: Expression, arguments: Iterable[tuple[str, int]]) -> Iterator[Expression]:
        """`value` with other arguments of macros, wherever these stand (`Location.repeated`)."""
        for argument in repeated(value, arguments):
            for part in self.of_value(argument, whole=True):
                other = convert(part, argument.type)
                fixed = isinstance(other, Constant) and isinstance(argument.type, PointerType)
                if other is not None and not fixed:
                    yield with_other(value, argument, other)

    def _inside(self, value: Expression) -> Iterator[Expression]:
        match value:
            case Constant(number, IntType(), written) if written.startswith("'"):
                for code, character in self._vocabulary.characters.items():
                    if code != number:
                        yield Constant(code, value.type, character)
            case Constant(number, IntType()):
                for near in (number - 1, number + 1):
                    yield Constant(value.type.wrap(near), value.type)  # type: ignore[union-attr]
            case Load(place):
                for other in self.of_place(place):
                    yield Load(other)
            case AddressOf(place, ctype):
                for other in self.of_place(place, beyond=self._vocabulary.compares_pointers):
                    yield AddressOf(other, ctype)
            case Unary(operator, operand):
                yield operand
                for other_operator in _SIGNS if operator in _SIGNS and is_number(value.type) else ():
                    if other_operator != operator and _has(value.type, other_operator):
                        yield replace(value, operator=other_operator)
                for part in self.of_value(operand, whole=True):
                    yield replace(value, operand=part)
            case Cast(operand):
                yield from self._of_wanted_type(value)
                if repairable(operand.type):
                    for part in self.of_value(operand, whole=True):
                        yield replace(value, operand=part)
            case Binary(operator, left, right) if is_classified(value):  # `isdigit(c)`: only `c` is written
                made = (replace(value, left=part) for part in self.of_value(left))
                yield from (each for each in made if is_classified(each))
            case Binary(operator, left, right):
                yield from self.by_text(value)
                for other_operator in self._operators(value):
                    turned = replace(value, operator=other_operator)
                    if turned != value and self._applies(other_operator, value) and not _neutral(turned):
                        yield turned
                for part in self.of_value(left, whole=True):
                    if not _neutral(changed := Binary(operator, part, right, value.type)):
                        yield self._in_a_row(changed, left)
                for part in self.of_value(right, whole=True):
                    if not _neutral(changed := Binary(operator, left, part, value.type)):
                        yield self._in_a_row(changed, right)
                for side in (left, right):
                    if side.type == value.type:
                        yield side
            case Logical(operator, left, right):
                yield left
                yield right
                yield replace(value, operator="||" if operator == "&&" else "&&")
                for part in self._of_truth(left):
                    yield replace(value, left=part)
                for part in self._of_truth(right):
                    yield replace(value, right=part)
            case Conditional(condition, then, otherwise):
                yield then
                yield otherwise
                yield replace(value, then=otherwise, otherwise=then)
                for part in self.of_value(then, whole=True):
                    yield replace(value, then=part)
                for part in self.of_value(otherwise, whole=True):
                    yield replace(value, otherwise=part)
                for part in self._of_truth(condition):
                    yield replace(value, condition=part)

    def by_text(self, comparison: Binary) -> Iterator[Binary]:
        """The comparison of the texts in the place of that of the pointers to them."""
        if comparison.operator in COMPARISONS and self._vocabulary.has_strings:
            sides = comparison.left, comparison.right
            if all(is_text(each.type) and not isinstance(each, Constant) for each in sides):
                yield Binary(comparison.operator, Binary(BY_TEXT, *sides, INT), Constant(0, INT), INT)

    def _of_wanted_type(self, value: Cast) -> Iterator[AddressOf]:
        """The addresses of other fields that need no conversion, which nothing asks for."""
        match value:
            case Cast(AddressOf(Member(base)), PointerType(wanted) as ctype, ""):
                for field in self._fields(base):
                    if field.type == wanted:
                        yield AddressOf(field, ctype)

    def _of_truth(self, condition: Expression) -> Iterator[Expression]:
        """Variants of an expression of which only the truth counts; none that is settled without looking."""
        match condition:
            case Unary("!"):
                pass
            case Binary(operator) if operator in COMPARISONS:
                pass
            case _:
                yield Unary("!", condition, INT)
        yield from (each for each in self._inside(condition) if not _settled(each))

    @staticmethod
    def _operators(value: Binary) -> tuple[str, ...]:
        if value.operator not in COMPARISONS:
            return _OTHERS.get(value.operator, _ARITHMETIC)
        pointers = isinstance(value.left.type, PointerType) or isinstance(value.right.type, PointerType)
        return _EQUALITY if pointers and value.operator in _EQUALITY else COMPARISONS

    @staticmethod
    def _applies(operator: str, value: Binary) -> bool:
        if operator in COMPARISONS:
            return True
        if isinstance(value.left.type, PointerType) or isinstance(value.right.type, PointerType):
            return operator in "+-" and isinstance(value.type, PointerType)
        return _has(value.type, operator)

    def _stepped(self, value: Expression) -> Iterator[Expression]:
        """One field step more, or one less: from `r.next`, as from `p->next`, to the node that has it."""
        if isinstance(value, Constant):
            return
        for place in self._vocabulary.fields(value):
            if place.type == value.type:
                yield Load(place)
        match value:
            case Load(Member(Dereference(inner))) if inner.type == value.type:
                yield inner
            case Load(Member(Member() | VariableReference() as whole)) if value.type == PointerType(
                whole.type
            ):
                yield AddressOf(whole, value.type)

    def _counted(self, value: Expression) -> Iterator[Expression]:
        """One more and one less, for what is read from memory."""
        if isinstance(value, Cast) and isinstance(value.operand.type, IntType) and value.operand.type.bits:
            read: Expression = value.operand  # promoted
        else:
            read = value
        if isinstance(read, Load) and isinstance(value.type, IntType) and value.type.size >= 4:
            for operator in "+-":
                yield Binary(operator, value, Constant(1, value.type), value.type)

    def _in_a_row(self, made: Binary, counted: Expression) -> Binary:
        """A sum one of whose operands is one more or less now, as programmers write it: `a + b + 1`.

        `x += b` is `x = x + b` here, of which `x += b + 1` is made: what is assigned to keeps its place.
        """
        if made.operator not in ("+", "-") or self._held in (made.left, counted):
            return made
        match made:
            case Binary(operator, left, Binary("+" | "-" as more, same, Constant(1) as one)) if (
                same == counted
            ):
                sum_first = Binary(operator, left, same, made.type)
                sign = more if operator == "+" else "-" if more == "+" else "+"
            case Binary(operator, Binary("+" | "-" as sign, same, Constant(1) as one), right) if (
                same == counted
            ):
                sum_first = Binary(operator, same, right, made.type)
            case _:
                return made
        types = {made.type, made.left.type, made.right.type, one.type}
        return Binary(sign, sum_first, one, made.type) if len(types) == 1 else made

    def of_place(self, place: LValue, *, beyond: int = 0) -> Iterator[LValue]:
        """An lvalue with one part replaced (a bare variable has none but itself).

        Numbers as subscripts lie in the array, or up to `beyond` elements behind it.
        """
        match place:
            case Member(base, name, _, ctype):
                for field in self._fields(base):
                    if field.type == ctype and field.name != name:
                        yield field
                for other in self.of_place(base):
                    yield replace(place, base=other)
                if isinstance(base, VariableReference):
                    for variable in self._scope:
                        if variable.type == base.type and variable != base:
                            yield replace(place, base=variable)
            case Dereference(pointer):
                if looked_up(place) is not None:
                    yield from self._looked_up(pointer, place)
                    return
                for part in self.of_value(pointer, whole=True):
                    if not isinstance(part, Constant):
                        yield Dereference(part, place.type)
            case Element(base, index):
                for part in self.of_value(index, whole=True):
                    if not _outside(base.type, part, beyond):
                        yield replace(place, index=part)
                for other in self.of_place(base):
                    yield replace(place, base=other)
                if isinstance(base, VariableReference):
                    for variable in self._scope:
                        if variable.type == base.type and variable != base:
                            yield replace(place, base=variable)

    def _looked_up(self, pointer: Expression, place: Dereference) -> Iterator[Dereference]:
        """Other entries of a table of the library; what is fixed is not looked up."""
        for part in self.of_value(pointer):
            other = Dereference(part, place.type)
            entry = looked_up(other)
            if entry is not None and not isinstance(without_casts(entry[1]), Constant):
                yield other

    def _fields(self, base: LValue) -> Iterator[Member]:
        for field in self._vocabulary.types.members(base.type):
            yield Member(base, field.name, field.offset, field.type)


def _has(ctype: CType, operator: str) -> bool:
    return operator not in _WHOLE or not isinstance(ctype, FloatType)


def _neutral(value: Binary) -> bool:
    """Whether that is one of its sides, as people write it: not `n - 0`, not `n * 1`."""
    match value:
        case Binary("+" | "-" | "<<" | ">>", left, Constant(0)) | Binary("*" | "/", left, Constant(1)):
            return left.type == value.type
        case Binary("+", Constant(0), right) | Binary("*", Constant(1), right):
            return right.type == value.type
    return False


def _settled(condition: Expression) -> bool:
    """Whether it is known what a condition comes to, as nobody writes one: `'+' ? 0 : 1`, `k == k`."""
    match without_casts(condition):
        case Constant():
            return True
        case Binary(operator, left, right) if operator in COMPARISONS:
            fixed = isinstance(without_casts(left), Constant) and isinstance(without_casts(right), Constant)
            return fixed or text(left) == text(right)
    return False


def _outside(array: CType, index: Expression, beyond: int) -> bool:
    """Whether no element can be meant; an array of one may be a longer one at the end of a struct."""
    match array, unconverted(index):
        case ArrayType(_, length), Constant(number) if length > 1:
            return not 0 <= number < length + beyond
    return False
