"""Lowering what stands inside of expressions and macros: statements, loops, types by `typeof`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pycparser import c_ast

from wolverine.core.expressions import Expression, Load
from wolverine.core.program import Assign, ConditionRole, Jump
from wolverine.core.types import CType
from wolverine.errors import SourceError
from wolverine.frontend.calls import Calls
from wolverine.frontend.declared import Unmodelled
from wolverine.frontend.items import TYPEOF
from wolverine.frontend.parse import parse_expression_words
from wolverine.frontend.places import spoken

IGNORED = (c_ast.Pragma, c_ast.StaticAssert)


class Inside(Calls):
    """Lowers statements that are part of a unit; expressions and conditions are its heir's."""

    def condition(self, node: Any, if_true: int, if_false: int, role: ConditionRole, loop: bool) -> None:
        """Branch on a condition."""
        raise NotImplementedError

    def leave(self, node: Any) -> None:
        """The jump of a break, continue or goto."""
        raise NotImplementedError

    def give_back(self, node: Any) -> None:
        """What a return does."""
        raise NotImplementedError

    def select(self, node: Any, end: int) -> None:
        """The jump to one of the cases of a switch, or to `end`."""
        raise NotImplementedError

    def case_label(self, node: Any) -> int:
        """The label of a case of a switch."""
        raise NotImplementedError

    def goto_label(self, name: str) -> int:
        """The label that a goto names."""
        raise NotImplementedError

    def inner_declaration(self, node: Any) -> None:
        """A variable that a macro declares."""
        raise NotImplementedError

    @contextmanager
    def binding(self, end: int, again: int = -1) -> Iterator[None]:
        """A loop, or a switch, to whose labels `break` and `continue` lead."""
        self.breaks.append(end)
        self.continues.append(again if again >= 0 or not self.continues else self.continues[-1])
        try:
            yield
        finally:
            self.breaks.pop()
            self.continues.pop()

    def statement_expression(self, nodes: Sequence[Any]) -> Expression:
        """`({ ...; value; })`: the value is kept, since its variables end there."""
        with self.block_scope():
            self._inner_statements(nodes[:-1])
            value = self.value(nodes[-1])
            kept = self.temporary(value.type)
            self.emit(Assign(self.location("fixed", nodes[-1].coord), kept, value))
        return Load(kept)

    def _inner_statement(self, node: Any) -> None:
        """A statement of a statement expression or of a macro: part of a unit, as in `assert` and SWAP."""
        match node:
            case c_ast.EmptyStatement():
                return
            case c_ast.If():
                self._alternatives(node.cond, node.iftrue, node.iffalse, self._inner_statement)
            case c_ast.Compound():
                with self.block_scope():
                    self._inner_statements(node.block_items or [])
            case c_ast.While() | c_ast.For():
                self._inner_loop(node)
            case c_ast.DoWhile():
                self._inner_do(node)
            case c_ast.Switch():
                self._inner_switch(node)
            case c_ast.Case() | c_ast.Default():
                self.put(self.case_label(node))
                self._inner_statements(node.stmts or [])
            case c_ast.Label():
                self.put(self.goto_label(node.name))
                self._inner_statement(node.stmt)
            case c_ast.Break() | c_ast.Continue() | c_ast.Goto():
                self.leave(node)
            case c_ast.Return():
                self.give_back(node)
            case c_ast.Decl() if not node.storage and node.name is not None:
                self.inner_declaration(node)
            case c_ast.Decl() if node.name is not None:
                raise Unmodelled(f"{' '.join(node.storage)} variable in a macro")
            case (
                c_ast.Assignment() | c_ast.FuncCall() | c_ast.UnaryOp() | c_ast.ExprList() | c_ast.Cast()
                | c_ast.BinaryOp() | c_ast.TernaryOp() | c_ast.ID() | c_ast.Constant()
            ):  # fmt: skip
                self.effect(node)
            case _ if isinstance(node, IGNORED):
                return
            case _:
                raise Unmodelled(spoken(node))

    def _inner_statements(self, nodes: Sequence[Any]) -> None:
        for node in nodes:
            self._inner_statement(node)

    def _inner_loop(self, node: Any) -> None:
        """A loop that is all of a macro's."""
        body, again, test, end = self.label(), self.label(), self.label(), self.label()
        with self.block_scope():
            init = getattr(node, "init", None)
            self._inner_statements(init.decls if isinstance(init, c_ast.DeclList) else [init] if init else [])
            self.emit(Jump(-1, test), unit=False)
            self.put(body)
            with self.binding(end, again):
                self._inner_statement(node.stmt)
            self.put(again)
            if getattr(node, "next", None) is not None:
                self.effect(node.next)
            self.put(test)
            if node.cond is None:
                self.emit(Jump(-1, body), unit=False)
            else:
                self.condition(node.cond, body, end, "other", False)
        self.put(end)

    def _inner_do(self, node: Any) -> None:
        """A `do` that is all of a macro's; most often it is there to hold the statements together."""
        body, test, end = self.label(), self.label(), self.label()
        self.put(body)
        with self.binding(end, test):
            self._inner_statement(node.stmt)
        self.put(test)
        if not (isinstance(node.cond, c_ast.Constant) and node.cond.value == "0"):
            self.condition(node.cond, body, end, "other", False)
        self.put(end)

    def _inner_switch(self, node: Any) -> None:
        """A switch that is all of a macro's."""
        end = self.label()
        self.select(node, end)
        with self.binding(end):
            self._inner_statement(node.stmt)
        self.put(end)

    def _alternatives(self, condition: Any, then: Any, otherwise: Any, lower: Callable[[Any], None]) -> None:
        """Lower one of two parts, as a condition says."""
        if_true, if_false, end = self.label(), self.label(), self.label()
        self.condition(condition, if_true, if_false, "other", False)
        self.put(if_true)
        lower(then)
        self.emit(Jump(-1, end), unit=False)
        self.put(if_false)
        if otherwise is not None:
            lower(otherwise)
        self.put(end)

    def typeof(self, words: Sequence[str]) -> CType:
        """The type that `typeof (WORDS)` stands for here.  Raises Unmodelled."""
        names = (*self.table.typedefs, *(word for word in words if word.startswith(TYPEOF)))
        for tried in (tuple(words), ("(", *words, ")", "0")):
            try:
                return self.type_of(parse_expression_words(tried, names))
            except SourceError:
                continue
        raise Unmodelled("typeof")
