"""Lowering declarations of locals, and statements that are one unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pycparser import c_ast

from wolverine.core.expressions import (
    VariableReference,
)
from wolverine.core.program import Assign, Concrete, Declare
from wolverine.core.types import (
    LONG,
    ArrayType,
    CType,
    OpaqueType,
)
from wolverine.frontend.conversions import convert
from wolverine.frontend.declared import Unmodelled
from wolverine.frontend.initialisers import Initialisers, completed
from wolverine.frontend.parse import Extent


class Declarations(Initialisers):
    """Lowers declarations; `repeated` are the names that the function declares more than once."""

    repeated: frozenset[str]

    def simple(self, unit: Extent, extent: Extent, lower: Callable[[], None]) -> None:
        """A unit whose instructions `lower` emits; a `Concrete` when it cannot."""
        with self.in_unit(unit):
            mark = self.mark()
            try:
                lower()
            except Unmodelled as unmodelled:
                self.take_back(mark)
                self.emit(Concrete(self.location("fixed", extent), str(unmodelled)))

    def concrete(self, extent: Extent, reason: str) -> None:
        """A unit that is left to the process."""
        with self.in_unit(extent):
            self.emit(Concrete(self.location("fixed", extent), reason))

    def declaration(self, node: Any) -> None:
        """Lower one declarator with its initialiser."""
        if isinstance(node, c_ast.Typedef):
            self.table.declare(node)
            return
        if node.name is None:
            self.table.resolve(node.type)
            return
        length = None
        try:
            ctype = self._declared_type(node)
        except Unmodelled:
            ctype, length = self._variable_length(node)
        if isinstance(node.type, c_ast.FuncDecl):
            return  # the function is known by its name
        constant = self.table.constant_parts(node.type)
        if "extern" in node.storage:
            self.declare(node.name, VariableReference(node.name, ctype, "global", constant=constant))
            return
        name = self._unique(node)
        if "static" in node.storage:
            static = VariableReference(name, ctype, "global", self.name, constant)
            self.statics.append(static)
            self.declare(node.name, static)
            return
        variable = VariableReference(name, ctype, constant=constant)
        self.locals.append(variable)
        self.declare(node.name, variable)
        self.emit(Declare(-1, variable), unit=False)
        extent = self._declarator(node)
        if length is not None:
            self.simple(extent, extent, lambda: self._measure(length))
        elif isinstance(ctype, OpaqueType) and ctype.size == 0:
            self.concrete(extent, "variable length array")
        elif node.init is not None:
            self.simple(extent, extent, lambda: self.initialise(variable, node.init, extent))

    def _variable_length(self, node: Any) -> tuple[CType, Any]:
        """The type of a variable length array, as an incomplete one, and its length; of rows it is opaque."""
        try:
            if isinstance(node.type, c_ast.ArrayDecl) and node.type.dim is not None:
                return ArrayType(self.table.resolve(node.type.type), 0), node.type.dim
        except Unmodelled:
            pass
        return OpaqueType("variable length array", 0), None

    def _measure(self, length: Any) -> None:
        """Evaluate the length of an array, for its side effects and so that its declaration is a unit."""
        measured = self.temporary(LONG)
        self.emit(Assign(self.location("fixed", length.coord), measured, convert(self.value(length), LONG)))

    def inner_declaration(self, node: Any) -> None:
        """A variable that a macro declares; it belongs to the unit of the macro's use."""
        ctype = self.table.resolve(node.type)
        if node.name in self.repeated:
            variable = self.temporary(
                ctype
            )  # a macro used twice on a line has two variables of one name there
        else:
            constant = self.table.constant_parts(node.type)
            variable = VariableReference(str(node.name), ctype, constant=constant)
            self.locals.append(variable)
            self.emit(Declare(-1, variable), unit=False)
        self.declare(node.name, variable)
        if node.init is not None:
            self.initialise(variable, node.init, node.coord)

    def _unique(self, node: Any) -> str:
        """The name of a variable, with its line where the function declares several of that name."""
        return f"{node.name}@{self._declarator_line(node)}" if node.name in self.repeated else str(node.name)

    def _declared_type(self, node: Any) -> CType:
        ctype = self.table.resolve(node.type)
        if isinstance(ctype, ArrayType) and ctype.length == 0 and node.init is not None:
            return completed(ctype, node.init, self.table)
        return ctype

    def _name_token(self, node: Any) -> int:
        inner = node.type
        while not isinstance(inner, c_ast.TypeDecl):
            inner = inner.type
        return int(inner.coord.line) - 1 if inner.coord is not None else node.coord.start

    def _declarator_line(self, node: Any) -> int:
        number = self._name_token(node)
        return self.span(Extent(number, number + 1)).line

    def _declarator(self, node: Any) -> Extent:
        """The tokens of one declarator with its initialiser, the first one with the type."""
        number = self._name_token(node)
        start, end = node.coord.start, node.coord.end - 1
        if not start <= number < end:
            return Extent(start, end)
        depth = 0
        first = start
        for index in range(start, end):
            text = self.tokens[index].text
            if text in ("(", "[", "{"):
                depth += 1
            elif text in (")", "]", "}"):
                depth -= 1
            elif text == "," and depth == 0:
                if index > number:
                    return Extent(first, index)
                first = index + 1
        return Extent(first, end)
