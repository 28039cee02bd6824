"""Lowering initialisers, lists of values included (C11 6.7.9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast

from wolverine.core.expressions import (
    AddressOf,
    Cast,
    Constant,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
)
from wolverine.core.program import Assign, Concrete, Library
from wolverine.core.types import (
    CHAR,
    INT,
    LONG,
    SIZE,
    VOID_POINTER,
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    StructReference,
)
from wolverine.frontend.conversions import convert
from wolverine.frontend.declared import TypeTable, Unmodelled
from wolverine.frontend.parse import Extent
from wolverine.frontend.values import Values, string_codes

MAX_CELLS = 256


class Initialisers(Values):
    """Lowers the initialiser of one variable."""

    _hoisting = False  # whether some value of the list at hand has side effects
    _lowered_last: tuple[Any, Expression] | None = None  # the value of a list that was lowered last

    def initialise(self, variable: VariableReference, init: Any, extent: Extent) -> None:
        """Emit what gives a fresh variable its value.  Raises Unmodelled."""
        text = self.source_text(extent).strip()
        line = self.span(extent).line
        ctype = variable.type
        if isinstance(ctype, (ArrayType, StructReference)) and (
            isinstance(init, c_ast.InitList) or isinstance(ctype, ArrayType)
        ):
            self._aggregate(variable, init, self.location("fixed", extent, text=text))
            return
        if isinstance(init, c_ast.InitList):
            init = init.exprs[0]
        value = convert(self.value(init), ctype)
        location = self.location("initialiser", init.coord, text=text, line=line)
        self.emit(Assign(location, variable, value))

    def compound_literal(self, node: Any) -> LValue:
        """Emit what fills a compound literal; it becomes a variable that the process does not name."""
        ctype = self.table.resolve(node.type)
        if isinstance(ctype, ArrayType) and ctype.length == 0:
            ctype = completed(ctype, node.init, self.table)
        variable = self.temporary(ctype)
        fixed = self.location("fixed", node.coord)
        if isinstance(ctype, (ArrayType, StructReference)):
            self._aggregate(variable, node.init, fixed)
        else:
            self.emit(Assign(fixed, variable, convert(self.value(node.init.exprs[0]), ctype)))
        return variable

    def _aggregate(self, variable: VariableReference, init: Any, location: int) -> None:
        """Emit what gives every scalar of an aggregate its value: zero where the list says nothing."""
        self._hoisting = self.syntax.effects(init)
        given: dict[LValue, Expression] = {}
        self._fill(variable, init, given)
        if _cells_of(variable.type, self.table) <= MAX_CELLS:
            for leaf in self._leaves(variable):
                self.emit(Assign(location, leaf, given[leaf] if leaf in given else self._zero(leaf)))
            return
        if len(given) > MAX_CELLS:
            raise Unmodelled("long initialiser list")
        size = Constant(self.table.size(variable.type), SIZE)
        address = Cast(AddressOf(variable, PointerType(variable.type)), VOID_POINTER)
        self.emit(Library(location, "memset", (address, Constant(0, INT), size), None))
        self.emit(Concrete(location, "long initialiser list"))
        for leaf, value in given.items():
            self.emit(Assign(location, leaf, value))

    def _leaves(self, place: LValue) -> list[LValue]:
        inner = self._members(place)
        return [place] if inner is None else [leaf for each in inner for leaf in self._leaves(each)]

    def _members(self, place: LValue) -> list[LValue] | None:
        """The elements or fields of an aggregate, None of a scalar."""
        match place.type:
            case ArrayType(element, length):
                return [Element(place, Constant(index, LONG), element) for index in range(length)]
            case StructReference(tag) if tag in self.table.structs:
                fields = self.table.structs[tag].fields
                return [Member(place, field.name, field.offset, field.type) for field in fields]
            case _:
                return None

    def _zero(self, place: LValue) -> Expression:
        if isinstance(place.type, FloatType):
            return convert(Constant(0, INT), place.type)
        if not isinstance(place.type, (IntType, PointerType)):
            raise Unmodelled("initialiser list")
        return Constant(0, place.type)

    def _fill(self, place: LValue, init: Any, given: dict[LValue, Expression]) -> None:
        ctype = place.type
        if _is_text(ctype, init):
            assert isinstance(ctype, ArrayType)
            for index, code in enumerate(string_codes(init.value)[: ctype.length]):
                element = Element(place, Constant(index, LONG), ctype.element)
                given[element] = convert(Constant(CHAR.wrap(code), INT), ctype.element)
            return
        if isinstance(init, c_ast.InitList):
            if isinstance(ctype, (ArrayType, StructReference)):
                self._fill_members(self._members(place) or [], init, given)
            else:
                self._fill(place, init.exprs[0], given)
            return
        value = self._value_of(init)
        if isinstance(ctype, (ArrayType, StructReference)):
            self._fill_struct(place, value, init, given)
        else:
            value = convert(value, ctype)
            given[place] = self.hoist(value, init) if self._hoisting else value

    def _value_of(self, init: Any) -> Expression:
        """A value of a list, which is lowered once, wherever it turns out to belong."""
        if self._lowered_last is None or self._lowered_last[0] is not init:
            self._lowered_last = (init, self.value(init))
        return self._lowered_last[1]

    def _fill_struct(
        self, place: LValue, value: Expression, init: Any, given: dict[LValue, Expression]
    ) -> None:
        """A struct in a list that another struct gives its value."""
        if not isinstance(value, Load) or value.type != place.type:
            raise Unmodelled("initialiser list")
        for leaf, source in zip(self._leaves(place), self._leaves(value.place)):
            read = Load(source)
            given[leaf] = self.hoist(read, init) if self._hoisting else read

    def _fill_members(self, members: Sequence[LValue], init: Any, given: dict[LValue, Expression]) -> None:
        position, left = 0, list(init.exprs or [])
        while left:
            deeper: Sequence[Any] = ()
            if isinstance(left[0], c_ast.NamedInitializer):
                first, *deeper = left[0].name
                position = self._designated(members, first)
                left[0] = left[0].expr
            if position >= len(members):
                raise Unmodelled("initialiser list")
            if deeper:
                self._fill_inside(members[position], deeper, left, given)
            else:
                self._take(members[position], left, given)
            position += 1

    def _fill_inside(
        self, place: LValue, designators: Sequence[Any], left: list[Any], given: dict[LValue, Expression]
    ) -> None:
        """`.row[1] = 4`: what follows has to be designated again."""
        for designator in designators:
            members = self._members(place) or []
            position = self._designated(members, designator)
            if position >= len(members):
                raise Unmodelled("initialiser list")
            place = members[position]
        self._take(place, left, given)
        if left and not isinstance(left[0], c_ast.NamedInitializer):
            raise Unmodelled("initialiser list behind a designator")

    def _take(self, place: LValue, left: list[Any], given: dict[LValue, Expression]) -> None:
        """Give an object its values from those that are left, without braces of its own (C11 6.7.9p20)."""
        members, first = self._members(place), left[0]
        whole = members is None or isinstance(first, c_ast.InitList) or _is_text(place.type, first)
        if whole or self._value_of(first).type == place.type:
            self._fill(place, left.pop(0), given)
            return
        for member in members or ():
            if left and not isinstance(left[0], c_ast.NamedInitializer):
                self._take(member, left, given)

    def _designated(self, members: Sequence[LValue], designator: Any) -> int:
        if isinstance(designator, c_ast.ID):
            for position, member in enumerate(members):
                if isinstance(member, Member) and member.name == designator.name:
                    return position
            raise Unmodelled("designated initialiser")
        return _position(designator, self.table)


def _is_text(ctype: CType, init: Any) -> bool:
    """Whether a string literal gives an array of characters its values."""
    text = isinstance(init, c_ast.Constant) and init.type == "string"
    return text and isinstance(ctype, ArrayType) and isinstance(ctype.element, IntType)


def _position(designator: Any, table: TypeTable) -> int:
    """The index that a designator of an array's element says."""
    if not isinstance(designator, c_ast.ArrayDesignator):
        raise Unmodelled("designated initialiser")
    return table.constant(designator.expr)


def _cells_of(ctype: CType, table: TypeTable) -> int:
    match ctype:
        case ArrayType(element, length):
            return length * _cells_of(element, table)
        case StructReference(tag) if tag in table.structs:
            return sum(_cells_of(field.type, table) for field in table.structs[tag].fields)
        case _:
            return 1


def completed(ctype: ArrayType, init: Any, table: TypeTable) -> ArrayType:
    """`T a[] = ...` with the length that its initialiser gives it."""
    if isinstance(init, c_ast.InitList):
        expressions = init.exprs or []
        if len(expressions) == 1 and _is_text(ctype, expressions[0]):
            return completed(ctype, expressions[0], table)
        position = length = bare = 0
        for expression in expressions:
            if isinstance(expression, c_ast.NamedInitializer):
                position = _position(expression.name[0], table)
            elif isinstance(expression, c_ast.Constant) and expression.type != "string":
                bare += 1
            position += 1
            length = max(length, position)
        if bare and bare == length:  # values of elements without braces, if these are no scalars
            length = -(-length // _cells_of(ctype.element, table))
        return ArrayType(ctype.element, length)
    if _is_text(ctype, init):
        return ArrayType(ctype.element, len(string_codes(init.value)) + 1)
    return ctype
