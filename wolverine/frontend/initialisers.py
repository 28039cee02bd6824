"""Lowering initialisers, lists of values included (C11 6.7.9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pycparser import c_ast

from wolverine.core.expressions import (
    Constant,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
)
from wolverine.core.program import Assign
from wolverine.core.types import (
    CHAR,
    INT,
    LONG,
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    StructReference,
)
from wolverine.frontend.conversions import convert
from wolverine.frontend.declared import Unmodelled
from wolverine.frontend.parse import Extent
from wolverine.frontend.values import Values, string_codes

MAX_CELLS = 256


class Initialisers(Values):
    """Lowers the initialiser of one variable."""

    _hoisting = False  # whether some value of the list at hand has side effects

    def initialise(self, variable: VariableReference, init: Any, extent: Extent) -> None:
        """Emit what gives a fresh variable its value.  Raises Unmodelled."""
        text = self.source_text(extent).strip()
        line = self.span(extent).line
        ctype = variable.type
        if isinstance(ctype, (ArrayType, StructReference)) and (
            isinstance(init, c_ast.InitList) or isinstance(ctype, ArrayType)
        ):
            fixed = self.location("fixed", extent, text=text)
            for place, value in self._cells(variable, init):
                self.emit(Assign(fixed, place, value))
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
            ctype = completed(ctype, node.init, self.table.constant)
        variable = self.temporary(ctype)
        fixed = self.location("fixed", node.coord)
        if isinstance(ctype, (ArrayType, StructReference)):
            for place, value in self._cells(variable, node.init):
                self.emit(Assign(fixed, place, value))
        else:
            self.emit(Assign(fixed, variable, convert(self.value(node.init.exprs[0]), ctype)))
        return variable

    def _cells(self, variable: LValue, init: Any) -> list[tuple[LValue, Expression]]:
        """The scalars of an aggregate with what an initialiser list gives them."""
        self._hoisting = self.syntax.effects(init)
        leaves = list(self._leaves(variable))
        if len(leaves) > MAX_CELLS:
            raise Unmodelled("long initialiser list")
        given: dict[LValue, Expression] = {}
        self._fill(variable, init, given)
        return [(leaf, given[leaf] if leaf in given else self._zero(leaf)) for leaf in leaves]

    def _leaves(self, place: LValue) -> list[LValue]:
        match place.type:
            case ArrayType(element, length):
                if length > MAX_CELLS:
                    raise Unmodelled("long initialiser list")
                return [
                    leaf
                    for index in range(length)
                    for leaf in self._leaves(Element(place, Constant(index, LONG), element))
                ]
            case StructReference(tag) if tag in self.table.structs:
                return [
                    leaf
                    for field in self.table.structs[tag].fields
                    for leaf in self._leaves(Member(place, field.name, field.offset, field.type))
                ]
            case _:
                return [place]

    def _zero(self, place: LValue) -> Expression:
        if isinstance(place.type, FloatType):
            return convert(Constant(0, INT), place.type)
        if not isinstance(place.type, (IntType, PointerType)):
            raise Unmodelled("initialiser list")
        return Constant(0, place.type)

    def _fill(self, place: LValue, init: Any, given: dict[LValue, Expression]) -> None:
        ctype = place.type
        if isinstance(ctype, ArrayType) and isinstance(init, c_ast.Constant) and init.type == "string":
            for index, code in enumerate(string_codes(init.value)[: ctype.length]):
                element = Element(place, Constant(index, LONG), ctype.element)
                given[element] = convert(Constant(CHAR.wrap(code), INT), ctype.element)
            return
        if isinstance(ctype, ArrayType) and isinstance(init, c_ast.InitList):
            self._fill_members(
                [Element(place, Constant(index, LONG), ctype.element) for index in range(ctype.length)],
                init,
                given,
            )
        elif isinstance(ctype, StructReference) and isinstance(init, c_ast.InitList):
            layout = self.table.structs[ctype.tag]
            self._fill_members(
                [Member(place, field.name, field.offset, field.type) for field in layout.fields], init, given
            )
        elif isinstance(init, c_ast.InitList):
            self._fill(place, init.exprs[0], given)
        elif isinstance(ctype, (ArrayType, StructReference)):
            self._fill_struct(place, init, given)
        else:
            value = convert(self.value(init), ctype)
            given[place] = self.hoist(value, init) if self._hoisting else value

    def _fill_struct(self, place: LValue, init: Any, given: dict[LValue, Expression]) -> None:
        """A struct in a list that another struct gives its value."""
        value = self.value(init)
        if not isinstance(value, Load) or value.type != place.type:
            raise Unmodelled("initialiser list without inner braces")
        for leaf, source in zip(self._leaves(place), self._leaves(value.place)):
            read = Load(source)
            given[leaf] = self.hoist(read, init) if self._hoisting else read

    def _fill_members(self, members: Sequence[LValue], init: Any, given: dict[LValue, Expression]) -> None:
        position = 0
        for expression in init.exprs or []:
            if isinstance(expression, c_ast.NamedInitializer):
                if len(expression.name) != 1:
                    raise Unmodelled("designated initialiser")
                position = self._designated(members, expression.name[0])
                expression = expression.expr
            if position >= len(members):
                raise Unmodelled("initialiser list")
            self._fill(members[position], expression, given)
            position += 1

    def _designated(self, members: Sequence[LValue], designator: Any) -> int:
        if isinstance(designator, c_ast.ID):
            for position, member in enumerate(members):
                if isinstance(member, Member) and member.name == designator.name:
                    return position
            raise Unmodelled("designated initialiser")
        return self.table.constant(designator)


def completed(ctype: ArrayType, init: Any, constant: Callable[[Any], int]) -> ArrayType:
    """`T a[] = ...` with the length that its initialiser gives it; `constant` evaluates designators."""
    if isinstance(init, c_ast.InitList):
        expressions = init.exprs or []
        if len(expressions) == 1 and isinstance(expressions[0], c_ast.Constant):
            only = expressions[0]
            if only.type == "string" and ctype.element == CHAR:
                return ArrayType(CHAR, len(string_codes(only.value)) + 1)
        position = length = 0
        for expression in expressions:
            if isinstance(expression, c_ast.NamedInitializer):
                position = constant(expression.name[0])
            position += 1
            length = max(length, position)
        return ArrayType(ctype.element, length)
    if isinstance(init, c_ast.Constant) and init.type == "string":
        return ArrayType(ctype.element, len(string_codes(init.value)) + 1)
    return ctype
