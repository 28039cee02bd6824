"""Lowering branches, loops, switches and jumps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pycparser import c_ast

from wolverine.core.expressions import (
    Load,
    VariableReference,
)
from wolverine.core.program import RESULT_NAME, Assign, Branch, Concrete, ConditionRole, Gap, Jump
from wolverine.core.types import (
    INT,
    CType,
    VoidType,
)
from wolverine.frontend.conversions import convert
from wolverine.frontend.declared import Unmodelled
from wolverine.frontend.parse import Extent
from wolverine.frontend.switches import Switches


class ControlFlow(Switches):
    """Lowers what decides where execution goes on; blocks and other statements are its heir's."""

    result: CType
    end_label: int

    def begin(self, result: CType, repeated: frozenset[str]) -> None:
        """Start a function; `repeated` are the names that it declares more than once."""
        self.result = result
        self.repeated = repeated
        self.end_label = self.label()
        self._goto: dict[str, int] = {}
        self.begin_switches()

    def statement(self, node: Any) -> None:
        """Lower one statement; what is not modelled becomes a `Concrete`."""
        raise NotImplementedError

    def expression_statement(self, node: Any, extent: Extent, semicolon: bool) -> None:
        """An expression evaluated for its effects; the parts of a comma are units of their own."""
        raise NotImplementedError

    def structured(self, node: Any) -> None:
        """Lower a branch, loop or switch."""
        if not self.tokens[node.coord.start].direct:
            extent = node.coord
            if isinstance(node, (c_ast.For, c_ast.While)) and not self.from_macro(extent):
                self._macro_loop(node)
            else:
                self.simple(extent, extent, lambda: self._inner_statement(node))
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
                self.switch(node)

    def _condition_unit(
        self, unit: Extent, node: Any, if_true: int, if_false: int, role: ConditionRole
    ) -> None:
        """A condition; one that is not modelled asks the process through a temporary."""
        with self.in_unit(unit):
            self._asked(node, if_true, if_false, role)

    def _asked(self, node: Any, if_true: int, if_false: int, role: ConditionRole) -> None:
        loop = role in ("while", "for", "do")
        mark = self.mark()
        try:
            self.condition(node, if_true, if_false, role, loop)
        except Unmodelled as unmodelled:
            self.take_back(mark)
            if isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||"):
                self._asked_apart(node, if_true, if_false, role)
                return
            answer = self.temporary(INT)
            fixed = self.location("fixed", node.coord)
            self.emit(Concrete(fixed, str(unmodelled), (answer,)))
            location = self.location("condition", node.coord, role=role, loop=loop)
            self.emit(Branch(location, Load(answer), if_true, if_false))

    def _asked_apart(self, node: Any, if_true: int, if_false: int, role: ConditionRole) -> None:
        """Both sides of `&&` or `||`, of which maybe only one is not modelled."""
        middle = self.label()
        if node.op == "&&":
            self._asked(node.left, middle, if_false, "other")
        else:
            self._asked(node.left, if_true, middle, "other")
        self.put(middle)
        self._asked(node.right, if_true, if_false, role)

    def _if(self, node: Any) -> None:
        test, if_true, if_false, end = self.label(), self.label(), self.label(), self.label()
        self.put(test)
        self._condition_unit(
            self.parenthesised(node.coord.start, node.cond), node.cond, if_true, if_false, "if"
        )
        self.put(if_true)
        first = len(self.code)
        self.body(node.iftrue)
        then_ends = self.reachable
        if node.iffalse is None and then_ends:
            self._may_repeat(first, test)
        if node.iffalse is not None:
            self._brace(node.iftrue, len(self.code))
        self.emit(Jump(-1, end), unit=False)
        self.put(if_false)
        if node.iffalse is not None:
            self.body(node.iffalse)
        elif then_ends:  # else what stands behind it is an else
            self.gap("else", node.coord)
        otherwise_ends = self.reachable
        self.put(end)
        self.reachable = then_ends or otherwise_ends

    def _may_repeat(self, first: int, test: int) -> None:
        """The `if` whose body begins at an instruction may be a `while`, unless a jump in it binds there."""
        around = {labels[-1] for labels in (self.breaks, self.continues) if labels}
        last = self.code[-1]
        if isinstance(last, Gap) and not any(
            isinstance(step, Jump) and step.target in around for step in self.code[first:]
        ):
            self.code[-1] = replace(last, repeats=test)

    def _while(self, node: Any) -> None:
        test, body, end = self.label(), self.label(), self.label()
        self.header(self.parenthesised(node.coord.start, node.cond), len(self.code))
        self._brace(node.stmt, len(self.code))
        self.put(test)
        self._condition_unit(node.cond.coord, node.cond, body, end, "while")
        self.put(body)
        self._loop_body(node.stmt, test, end)
        self.emit(Jump(-1, test), unit=False)
        self.put(end)
        self.reachable = True

    def _brace(self, body: Any, first: int) -> None:
        """gcc puts a jump at the end of a block at the brace that opens it, if the block has variables.

        That is the way past an else; the jump to the start of an endless loop stands there always.
        """
        if isinstance(body, c_ast.Compound) and isinstance(body.coord, Extent):
            self.header(Extent(body.coord.start, body.coord.start + 1), first)

    def _loop_body(self, node: Any, again: int, end: int) -> None:
        self.breaks.append(end)
        self.continues.append(again)
        self.body(node)
        self.breaks.pop()
        self.continues.pop()

    def _do(self, node: Any) -> None:
        body, test, end = self.label(), self.label(), self.label()
        self.put(body)
        self._loop_body(node.stmt, test, end)
        self.put(test)
        start = node.cond.coord.start
        while self.tokens[start].text != "while":
            start -= 1
        self._condition_unit(self.parenthesised(start, node.cond), node.cond, body, end, "do")
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
            self._brace(node.stmt, first)
            if node.cond is not None:
                self._condition_unit(node.cond.coord, node.cond, body, end, "for")
            else:
                self.emit(Jump(-1, body), unit=False)
            self.units[header] = type(self.units[header])(self.units[header].span, first, (), True)
        self.put(end)

    def _macro_loop(self, node: Any) -> None:
        """A loop whose head is a macro's (`list_for_each (p, list) ...`).

        gcc gives all code of the head one place: the initialiser is one unit, what is done between the
        rounds another one, which ends with the test.
        """
        body, test, end = self.label(), self.label(), self.label()
        head = Extent(node.coord.start, max(node.stmt.coord.start, node.coord.start + 1))
        with self.block_scope():
            if isinstance(node, c_ast.For) and node.init is not None:
                parts = node.init.decls if isinstance(node.init, c_ast.DeclList) else [node.init]
                self.simple(head, head, lambda: self._inner_statements(parts))
            self.emit(Jump(-1, test), unit=False)
            self.put(body)
            again = self.label()
            self._loop_body(node.stmt, again, end)
            self.put(again)
            first = len(self.code)
            self._brace(node.stmt, first)
            with self.in_unit(head):
                mark = self.mark()
                try:
                    if isinstance(node, c_ast.For) and node.next is not None:
                        self.effect(node.next)
                        self._is_step(head)
                except Unmodelled as unmodelled:
                    self.take_back(mark)
                    self.emit(Concrete(self.location("fixed", head), str(unmodelled)))
                self.put(test)
                if node.cond is not None:
                    self._asked(node.cond, body, end, "for")
                else:
                    self.emit(Jump(-1, body), unit=False)
        self.put(end)

    def _is_step(self, head: Extent) -> None:
        """What was just done between the rounds may change where the head can be written out."""
        match self.code[-1]:
            case Assign(location, VariableReference()) if self.editable(head):
                known = self.locations[location]
                self.locations[location] = replace(
                    known, kind="step", span=self.span(head), text=self.source_text(head)
                )

    def _for_closing(self, start: int) -> int:
        depth = 0
        for index in range(start + 1, len(self.tokens)):
            text = self.tokens[index].text
            depth += (text == "(") - (text == ")")
            if depth == 0:
                return index
        raise Unmodelled("for without an end")

    def goto_label(self, name: str) -> int:
        """The label that a goto names."""
        return self._goto.setdefault(name, self.label())

    def jump(self, node: Any) -> None:
        """Lower break, continue or goto."""
        with self.in_unit(node.coord):
            self.leave(node)

    def leave(self, node: Any) -> None:
        """The jump of a break, continue or goto."""
        match node:
            case c_ast.Break():
                target = self.breaks[-1]
            case c_ast.Continue():
                target = self.continues[-1]
            case _:
                target = self.goto_label(node.name)
        self.emit(Jump(self._leaving(node, fixed=target in self.ends_of_switches), target))
        self.reachable = False

    def _leaving(self, node: Any, *, fixed: bool = False) -> int:
        """The location of a jump; what ends a case of a switch belongs to the case."""
        extent = Extent(node.coord.start, node.coord.end - 1)
        return self.location("fixed" if fixed else "jump", extent, semicolon=True)

    def give_back(self, node: Any) -> None:
        """What a return does: the value, then a jump to the closing brace.  Raises Unmodelled."""
        if node.expr is None:
            pass
        elif isinstance(self.result, VoidType):
            self.effect(node.expr)
        else:
            value = convert(self.value(node.expr), self.result)
            location = self.location("return", node.expr.coord)
            self.emit(Assign(location, VariableReference(RESULT_NAME, self.result), value))
        self.emit(Jump(self._leaving(node), self.end_label))
        self.reachable = False

    def return_statement(self, node: Any) -> None:
        """Lower return."""
        with self.in_unit(node.coord):
            mark = self.mark()
            try:
                self.give_back(node)
            except Unmodelled as unmodelled:
                self.take_back(mark)
                results = (
                    ()
                    if isinstance(self.result, VoidType)
                    else (VariableReference(RESULT_NAME, self.result),)
                )
                fixed = self.location("fixed", node.coord)
                self.emit(Concrete(fixed, str(unmodelled), results))
                self.emit(Jump(-1, self.end_label))
        self.reachable = False
