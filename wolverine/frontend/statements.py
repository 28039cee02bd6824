"""Lowering statements: control flow, declarations, insertion slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pycparser import c_ast

from wolverine.core.expressions import (
    Binary,
    Constant,
    Expression,
    Load,
    VariableReference,
)
from wolverine.core.program import Assign, Branch, Concrete, ConditionRole, Declare, Jump
from wolverine.core.types import (
    INT,
    ArrayType,
    CType,
    OpaqueType,
    VoidType,
)
from wolverine.frontend.conversions import convert, promote
from wolverine.frontend.declared import Unmodelled
from wolverine.frontend.initialisers import Initialisers, completed
from wolverine.frontend.parse import Extent

_COMPOUND = (c_ast.If, c_ast.While, c_ast.For, c_ast.DoWhile, c_ast.Switch, c_ast.Compound)
_IGNORED = (c_ast.Pragma, c_ast.StaticAssert)


class Statements(Initialisers):
    """Lowers the statements of one function into its builder."""

    result: CType
    end_label: int
    repeated: frozenset[str]

    def begin(self, result: CType, repeated: frozenset[str]) -> None:
        """Start a function; `repeated` are the names that it declares more than once."""
        self.result = result
        self.repeated = repeated
        self.end_label = self.label()
        self._breaks: list[int] = []
        self._continues: list[int] = []
        self._goto: dict[str, int] = {}
        self._cases: dict[int, int] = {}

    # Blocks and slots

    def block(self, node: Any) -> None:
        """The statements between braces, with a slot in every gap."""
        items = [item for item in (node.block_items or []) if not isinstance(item, _IGNORED)]
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
                self.put(self._cases.setdefault(id(item), self.label()))
                self._items([stmt for stmt in item.stmts or [] if not isinstance(stmt, _IGNORED)])
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
                self._concrete(_statement_extent(node), "macro")
            else:
                self.block(node)
            return
        match node:
            case c_ast.EmptyStatement():
                pass
            case c_ast.Decl() | c_ast.Typedef():
                self._declaration(node)
            case c_ast.Label():
                self.put(self._goto.setdefault(node.name, self.label()))
                self.gap("before", node.stmt.coord)
                self.statement(node.stmt)
            case c_ast.Case() | c_ast.Default():
                self._items([node])
            case c_ast.If() | c_ast.While() | c_ast.For() | c_ast.DoWhile() | c_ast.Switch():
                self._structured(node)
            case c_ast.Break() | c_ast.Continue() | c_ast.Goto():
                self._jump(node)
            case c_ast.Return():
                self._return(node)
            case c_ast.DeclList():
                for declaration in node.decls:
                    self._declaration(declaration)
            case _:
                if isinstance(node, _IGNORED):
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
                case c_ast.TernaryOp():
                    self._ternary_statement(node)
                case _:
                    self.effect(node)

        self.simple(whole, extent, lower)

    def _ternary_statement(self, node: Any) -> None:
        if_true, if_false, end = self.label(), self.label(), self.label()
        self.condition(node.cond, if_true, if_false, "other", False)
        self.put(if_true)
        self.effect(node.iftrue)
        self.emit(Jump(-1, end), unit=False)
        self.put(if_false)
        self.effect(node.iffalse)
        self.put(end)

    def simple(self, unit: Extent, extent: Extent, lower: Callable[[], None]) -> None:
        """A unit whose instructions `lower` emits; a `Concrete` when it cannot."""
        with self.in_unit(unit):
            mark = self.mark()
            try:
                lower()
            except Unmodelled as unmodelled:
                self.take_back(mark)
                self.emit(Concrete(self.location("fixed", extent), str(unmodelled)))

    def _concrete(self, extent: Extent, reason: str) -> None:
        with self.in_unit(extent):
            self.emit(Concrete(self.location("fixed", extent), reason))

    def _structured(self, node: Any) -> None:
        if not self.tokens[node.coord.start].direct:
            self._concrete(node.coord, "control flow from a macro")
            return
        match node:
            case c_ast.If():
                self._if(node)
            case c_ast.While():
                self._while(node)
            case c_ast.DoWhile():
                self._do(node)
            case c_ast.For():
                self._for(node)
            case c_ast.Switch():
                self._switch(node)

    def _condition_unit(
        self, unit: Extent, node: Any, if_true: int, if_false: int, role: ConditionRole
    ) -> None:
        """A condition; one that is not modelled asks the process through a temporary."""
        loop = role in ("while", "for", "do")
        with self.in_unit(unit):
            mark = self.mark()
            try:
                self.condition(node, if_true, if_false, role, loop)
            except Unmodelled as unmodelled:
                self.take_back(mark)
                answer = self.temporary(INT)
                fixed = self.location("fixed", node.coord)
                self.emit(Concrete(fixed, str(unmodelled), (answer,)))
                location = self.location("condition", node.coord, role=role, loop=loop)
                self.emit(Branch(location, Load(answer), if_true, if_false))

    def _parenthesised(self, start: int, condition: Any) -> Extent:
        """From a keyword to the parenthesis behind its condition."""
        end = condition.coord.end
        while self.tokens[end].text != ")":
            end += 1
        return Extent(start, end + 1)

    def _if(self, node: Any) -> None:
        if_true, if_false, end = self.label(), self.label(), self.label()
        self._condition_unit(
            self._parenthesised(node.coord.start, node.cond), node.cond, if_true, if_false, "if"
        )
        self.put(if_true)
        self.body(node.iftrue)
        then_ends = self.reachable
        self.emit(Jump(-1, end), unit=False)
        self.put(if_false)
        if node.iffalse is not None:
            self.body(node.iffalse)
        else:
            self.gap("else", node.coord)
        otherwise_ends = self.reachable
        self.put(end)
        self.reachable = then_ends or otherwise_ends

    def _while(self, node: Any) -> None:
        test, body, end = self.label(), self.label(), self.label()
        self.header(self._parenthesised(node.coord.start, node.cond), len(self.code))
        self.put(test)
        self._condition_unit(node.cond.coord, node.cond, body, end, "while")
        self.put(body)
        self._loop_body(node.stmt, test, end)
        self.emit(Jump(-1, test), unit=False)
        self.put(end)
        self.reachable = True

    def _loop_body(self, node: Any, again: int, end: int) -> None:
        self._breaks.append(end)
        self._continues.append(again)
        self.body(node)
        self._breaks.pop()
        self._continues.pop()

    def _do(self, node: Any) -> None:
        body, test, end = self.label(), self.label(), self.label()
        self.put(body)
        self._loop_body(node.stmt, test, end)
        self.put(test)
        start = node.cond.coord.start
        while self.tokens[start].text != "while":
            start -= 1
        self._condition_unit(self._parenthesised(start, node.cond), node.cond, body, end, "do")
        self.put(end)

    def _for(self, node: Any) -> None:
        body, step, test, end = self.label(), self.label(), self.label(), self.label()
        with self.block_scope():
            closing = self._for_closing(node.coord.start)
            header = len(self.units)
            self.header(Extent(node.coord.start, closing + 1), 0)
            if node.init is not None:
                if isinstance(node.init, c_ast.DeclList):
                    self.statement(node.init)
                else:
                    self.expression_statement(node.init, node.init.coord, False)
            self.emit(Jump(-1, test), unit=False)
            self.put(body)
            self._loop_body(node.stmt, step, end)
            self.put(step)
            if node.next is not None:
                self.expression_statement(node.next, node.next.coord, False)
            self.put(test)
            first = len(self.code)
            if node.cond is not None:
                self._condition_unit(node.cond.coord, node.cond, body, end, "for")
            else:
                self.emit(Jump(-1, body), unit=False)
            self.units[header] = type(self.units[header])(self.units[header].span, first, (), True)
        self.put(end)

    def _for_closing(self, start: int) -> int:
        depth = 0
        for index in range(start + 1, len(self.tokens)):
            text = self.tokens[index].text
            depth += (text == "(") - (text == ")")
            if depth == 0:
                return index
        raise Unmodelled("for without an end")

    def _switch(self, node: Any) -> None:
        end = self.label()
        cases = list(_cases(node.stmt))
        try:
            choices = [
                (case, self.table.constant(case.expr) if isinstance(case, c_ast.Case) else None)
                for case in cases
            ]
        except Unmodelled:
            self._concrete(node.coord, "switch")
            return
        selected = self.temporary(INT)
        default = end
        with self.in_unit(self._parenthesised(node.coord.start, node.cond)):
            mark = self.mark()
            try:
                value = promote(self.value(node.cond))
                selected = self._select(value, node.cond.coord)
            except Unmodelled as unmodelled:
                self.take_back(mark)
                fixed = self.location("fixed", node.cond.coord)
                self.emit(Concrete(fixed, str(unmodelled), (selected,)))
            for case, constant in choices:
                label = self._cases.setdefault(id(case), self.label())
                if constant is None:
                    default = label
                    continue
                following = self.label()
                test = Binary("==", Load(selected), convert(Constant(constant, INT), selected.type), INT)
                self.emit(Branch(self.location("fixed", _case_extent(case)), test, label, following))
                self.put(following)
            self.emit(Jump(-1, default), unit=False)
        self.reachable = False
        self._breaks.append(end)
        self.body(node.stmt)
        self._breaks.pop()
        self.put(end)

    def _select(self, value: Expression, extent: Extent) -> VariableReference:
        selected = self.temporary(value.type)
        self.emit(Assign(self.location("argument", extent), selected, value))
        return selected

    def _jump(self, node: Any) -> None:
        match node:
            case c_ast.Break():
                target = self._breaks[-1]
            case c_ast.Continue():
                target = self._continues[-1]
            case _:
                target = self._goto.setdefault(node.name, self.label())
        with self.in_unit(node.coord):
            self.emit(Jump(self.location("fixed", node.coord), target))
        self.reachable = False

    def _return(self, node: Any) -> None:
        def lower() -> None:
            if node.expr is None:
                pass
            elif isinstance(self.result, VoidType):
                self.effect(node.expr)
            else:
                value = convert(self.value(node.expr), self.result)
                location = self.location("return", node.expr.coord)
                self.emit(Assign(location, VariableReference("$return", self.result), value))
            self.emit(Jump(-1, self.end_label))

        with self.in_unit(node.coord):
            mark = self.mark()
            try:
                lower()
            except Unmodelled as unmodelled:
                self.take_back(mark)
                results = (
                    () if isinstance(self.result, VoidType) else (VariableReference("$return", self.result),)
                )
                fixed = self.location("fixed", node.coord)
                self.emit(Concrete(fixed, str(unmodelled), results))
                self.emit(Jump(-1, self.end_label))
        self.reachable = False

    # Declarations

    def _declaration(self, node: Any) -> None:
        if isinstance(node, c_ast.Typedef):
            self.table.declare(node)
            return
        if node.name is None:
            self.table.resolve(node.type)
            return
        try:
            ctype = self._declared_type(node)
        except Unmodelled:
            ctype = OpaqueType("variable length array", 0)
        if "extern" in node.storage or isinstance(node.type, c_ast.FuncDecl):
            self.declare(node.name, VariableReference(node.name, ctype, "global"))
            return
        line = self._declarator_line(node)
        name = f"{node.name}@{line}" if node.name in self.repeated else node.name
        if "static" in node.storage:
            static = VariableReference(name, ctype, "global", self.name)
            self.statics.append(static)
            self.declare(node.name, static)
            return
        variable = VariableReference(name, ctype)
        self.locals.append(variable)
        self.declare(node.name, variable)
        self.emit(Declare(-1, variable), unit=False)
        extent = self._declarator(node)
        if isinstance(ctype, OpaqueType) and ctype.size == 0:
            self._concrete(extent, "variable length array")
        elif node.init is not None:
            self.simple(extent, extent, lambda: self.initialise(variable, node.init, extent))

    def _declared_type(self, node: Any) -> CType:
        ctype = self.table.resolve(node.type)
        if isinstance(ctype, ArrayType) and ctype.length == 0 and node.init is not None:
            return completed(ctype, node.init)
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


def _is_declaration(node: Any) -> bool:
    return isinstance(node, (c_ast.Decl, c_ast.Typedef))


def _statement_extent(node: Any) -> Extent:
    """The tokens of a statement; of a switch group its last statement's."""
    if isinstance(node, (c_ast.Case, c_ast.Default)) and node.stmts:
        return _statement_extent(node.stmts[-1])
    if isinstance(node, c_ast.Label):
        return _statement_extent(node.stmt)
    extent = node.coord
    assert isinstance(extent, Extent)
    return extent


def _whole_extent(node: Any) -> Extent:
    extent = node.coord
    assert isinstance(extent, Extent)
    return extent


def _case_extent(node: Any) -> Extent:
    extent = node.coord
    assert isinstance(extent, Extent)
    return Extent(extent.start, extent.start + 1)


def _cases(node: Any) -> list[Any]:
    """The case labels that belong to a switch with this body."""
    found = []
    work = [node]
    while work:
        current = work.pop(0)
        if isinstance(current, (c_ast.Case, c_ast.Default)):
            found.append(current)
        if not isinstance(current, c_ast.Switch):
            work.extend(child for _, child in current.children())
    return found
