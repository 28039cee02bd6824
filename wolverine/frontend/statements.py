"""Lowering statements: control flow, declarations, insertion slots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast

from wolverine.core.program import Compared
from wolverine.core.types import is_scalar
from wolverine.frontend.control import ControlFlow
from wolverine.frontend.conversions import convert
from wolverine.frontend.declared import Unmodelled
from wolverine.frontend.inside import IGNORED
from wolverine.frontend.parse import Extent


class Statements(ControlFlow):
    """Lowers the statements of one function into its builder."""

    def whole(self, node: Any) -> None:
        """The body of a function; one unit where a macro stands for all: gcc gives its code one place."""
        if not self.from_macro(node.coord):
            self.block(node)
            return
        mark = self.mark()
        try:
            with self.in_unit(node.coord):
                self._inner_statement(node)
        except Unmodelled:
            self.take_back(mark)
            self.block(node)

    # Blocks and slots

    def block(self, node: Any) -> None:
        """The statements between braces, with a slot in every gap."""
        items = [item for item in (node.block_items or []) if not _is_nothing(item)]
        with self.block_scope():
            if not items:
                self.gap("block", _statement_extent(node))
                return
            last = _statement_extent(items[-1])
            self._items(items)
            if self.reachable:
                self.gap("after", last)

    def _items(self, items: Sequence[Any]) -> None:
        previous: Any = None
        for item in items:
            if isinstance(item, (c_ast.Case, c_ast.Default)):
                if self.reachable and previous is not None:
                    self.gap("before", _whole_extent(item))
                self.put(self.case_label(item))
                self._items([stmt for stmt in item.stmts or [] if not _is_nothing(stmt)])
            else:
                if not (_is_declaration(item) and previous is not None and previous.coord == item.coord):
                    self.gap("before", item.coord)
                self.statement(item)
            previous = item

    def body(self, node: Any) -> None:
        """The statement under a loop or branch."""
        if isinstance(node, c_ast.Compound):
            self.block(node)
            return
        with self.block_scope():
            extent = _statement_extent(node)
            self.gap("wrap-before", extent)
            self.statement(node)
            if self.reachable and not isinstance(node, c_ast.EmptyStatement):
                self.gap("wrap-after", extent)

    # Statements

    def statement(self, node: Any) -> None:
        """Lower one statement; what is not modelled becomes a `Concrete`."""
        if isinstance(node, c_ast.Compound):
            if self.from_macro(_statement_extent(node)):
                extent = _statement_extent(node)
                self.simple(extent, extent, lambda: self._inner_statement(node))
            else:
                self.block(node)
            return
        match node:
            case c_ast.EmptyStatement():
                pass
            case c_ast.Decl() | c_ast.Typedef():
                self.declaration(node)
            case c_ast.Label():
                self.put(self.goto_label(node.name))
                start = _whole_extent(node).start
                self.header(Extent(start, start + 2), len(self.code))
                if not _is_nothing(node.stmt):
                    self.gap("before", node.stmt.coord)
                    self.statement(node.stmt)
            case c_ast.Case() | c_ast.Default():
                self._items([node])
            case c_ast.If() | c_ast.While() | c_ast.For() | c_ast.DoWhile() | c_ast.Switch():
                self.structured(node)
            case c_ast.Break() | c_ast.Continue() | c_ast.Goto():
                self.jump(node)
            case c_ast.Return():
                self.return_statement(node)
            case c_ast.DeclList():
                for declaration in node.decls:
                    self.declaration(declaration)
            case _:
                if isinstance(node, IGNORED):
                    return
                self.expression_statement(node, Extent(node.coord.start, node.coord.end - 1), True)

    def expression_statement(self, node: Any, extent: Extent, semicolon: bool) -> None:
        """An expression evaluated for its effects; the parts of a comma are units of their own."""
        node.coord = extent
        if isinstance(node, c_ast.ExprList):
            for part in node.exprs:
                self.expression_statement(part, part.coord, False)
            return
        if isinstance(node, c_ast.Cast) and self.syntax.effects(node):
            node = node.expr
        if not self.syntax.effects(node):
            if semicolon and isinstance(node, c_ast.BinaryOp) and node.op == "==":
                self._compared(node, extent, Extent(extent.start, extent.end + 1))
            return
        whole = Extent(extent.start, extent.end + 1) if semicolon else extent

        def lower() -> None:
            match node:
                case c_ast.Assignment():
                    self.assignment(node, nested=False, semicolon=semicolon)
                case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
                    self.step(node, nested=False, semicolon=semicolon)
                case c_ast.FuncCall():
                    self.call(node, wanted=False, statement=semicolon)
                case _:
                    self.effect(node)

        self.simple(whole, extent, lower)

    def _compared(self, node: Any, extent: Extent, whole: Extent) -> None:
        """A comparison in vain: kept where an assignment may have been meant."""
        mark = self.mark()
        try:
            target = self.place(node.left)
            value = convert(self.value(node.right), target.type)
            plain = is_scalar(target.type) and self.mark() == mark
        except Unmodelled:
            plain = False
        self.take_back(mark)
        if plain:

            def lower() -> None:
                location = self.location("assignment", extent, semicolon=True)
                self.emit(Compared(location, target, value))

            self.simple(whole, extent, lower)


def _is_nothing(node: Any) -> bool:
    """A pragma, or what the parser puts behind a label that a declaration or a brace follows."""
    return isinstance(node, IGNORED) or not isinstance(node.coord, Extent)


def _is_declaration(node: Any) -> bool:
    return isinstance(node, (c_ast.Decl, c_ast.Typedef))


def _statement_extent(node: Any) -> Extent:
    """The tokens of a statement; of a switch group its last statement's."""
    if isinstance(node, (c_ast.Case, c_ast.Default)) and node.stmts and not _is_nothing(node.stmts[-1]):
        return _statement_extent(node.stmts[-1])
    if isinstance(node, c_ast.Label) and not _is_nothing(node.stmt):
        return _statement_extent(node.stmt)
    extent = node.coord
    assert isinstance(extent, Extent)
    return extent


def _whole_extent(node: Any) -> Extent:
    extent = node.coord
    assert isinstance(extent, Extent)
    return extent
