"""Lowering switches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast

from wolverine.core.expressions import Binary, Constant, Expression, Load, VariableReference
from wolverine.core.program import Assign, Branch, Concrete, Jump
from wolverine.core.types import INT
from wolverine.frontend.conversions import convert, promote
from wolverine.frontend.declarations import Declarations
from wolverine.frontend.declared import Unmodelled
from wolverine.frontend.parse import Extent


class Switches(Declarations):
    """Lowers switches, by themselves and inside of macros; what is under them is its heir's."""

    def begin_switches(self) -> None:
        """Start a function."""
        self._cases: dict[int, int] = {}
        self.ends_of_switches: set[int] = set()

    def body(self, node: Any) -> None:
        """The statement under a loop or branch."""
        raise NotImplementedError

    def parenthesised(self, start: int, condition: Any) -> Extent:
        """From a keyword to the parenthesis behind its condition."""
        end = condition.coord.end
        while self.tokens[end].text != ")":
            end += 1
        return Extent(start, end + 1)

    def switch(self, node: Any) -> None:
        """A switch with units of its own."""
        end = self.label()
        try:
            choices = self._choices(node)
        except Unmodelled:
            self.concrete(node.coord, "switch")
            return
        selected = self.temporary(INT)
        with self.in_unit(self.parenthesised(node.coord.start, node.cond)):
            mark = self.mark()
            try:
                value = promote(self.value(node.cond))
                selected = self._select(value, node.cond.coord)
            except Unmodelled as unmodelled:
                self.take_back(mark)
                fixed = self.location("fixed", node.cond.coord)
                self.emit(Concrete(fixed, str(unmodelled), (selected,)))
            self._to_the_cases(selected, choices, end)
        self.breaks.append(end)
        self.body(node.stmt)
        self.breaks.pop()
        self.put(end)

    def _choices(self, node: Any) -> list[tuple[Any, int | None]]:
        """The cases of a switch with their constants; None stands for `default`.  Raises Unmodelled."""
        return [
            (case, self.table.constant(case.expr) if isinstance(case, c_ast.Case) else None)
            for case in _cases(node.stmt)
        ]

    def select(self, node: Any, end: int) -> None:
        """The jump to one of the cases of a switch, or to `end`.  Raises Unmodelled."""
        choices = self._choices(node)
        selected = self._select(promote(self.value(node.cond)), node.cond.coord)
        self._to_the_cases(selected, choices, end)

    def _to_the_cases(
        self, selected: VariableReference, choices: Sequence[tuple[Any, int | None]], end: int
    ) -> None:
        default = end
        for case, constant in choices:
            label = self.case_label(case)
            if constant is None:
                default = label
                continue
            following = self.label()
            wanted = Constant(constant, INT, _character(case.expr))
            test = Binary("==", Load(selected), convert(wanted, selected.type), INT)
            self.emit(Branch(self.location("fixed", _case_extent(case)), test, label, following))
            self.put(following)
        self.emit(Jump(-1, default), unit=False)
        self.reachable = False
        self.ends_of_switches.add(end)

    def case_label(self, node: Any) -> int:
        """The label of a case of a switch."""
        return self._cases.setdefault(id(node), self.label())

    def _select(self, value: Expression, extent: Extent) -> VariableReference:
        selected = self.temporary(value.type)
        self.emit(Assign(self.location("argument", extent), selected, value))
        return selected


def _character(expression: Any) -> str:
    """How a case is written that is a character; "" for others."""
    constant = isinstance(expression, c_ast.Constant) and expression.type == "char"
    return str(expression.value) if constant else ""


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
