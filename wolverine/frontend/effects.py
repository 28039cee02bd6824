"""Which syntax has side effects, and which side effects others may see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

from wolverine.core.characters import TABLES

_STEPS = ("++", "--", "p++", "p--")
_IS_NAN = "__builtin_isnan"  # what the macro `isnan` stands for


def children(node: Any) -> Iterator[Any]:
    """The nodes below, without what `sizeof` leaves unevaluated."""
    if isinstance(node, c_ast.UnaryOp) and node.op in ("sizeof", "_Alignof"):
        return
    for _, child in node.children():
        yield child


class Effects:
    """Answers about one function's syntax; `addressed` are the variables whose address is taken.

    Calls of the `library` functions that look into tables of characters are no effects.
    """

    def __init__(self, body: Any, library: frozenset[str] = frozenset()) -> None:
        self._library = library
        self.addressed: set[str] = set()
        self._effects: dict[int, bool] = {}
        self._clobbers: dict[int, bool] = {}
        self._find_addressed(body)

    def _find_addressed(self, body: Any) -> None:
        work = [body]
        while work:
            node = work.pop()
            if isinstance(node, c_ast.UnaryOp) and node.op == "&":
                place = node.expr
                while isinstance(place, (c_ast.StructRef, c_ast.ArrayRef)):
                    place = place.name
                if isinstance(place, c_ast.ID):
                    self.addressed.add(place.name)
            work.extend(child for _, child in node.children())

    def effects(self, node: Any) -> bool:
        """Whether evaluating has side effects."""
        if node is None:
            return False
        known = self._effects.get(id(node))
        if known is None:
            known = (
                isinstance(node, (c_ast.Assignment, c_ast.Compound))
                or self._calls(node)
                or (isinstance(node, c_ast.UnaryOp) and node.op in _STEPS)
                or any(self.effects(child) for child in children(node))
            )
            self._effects[id(node)] = known
        return known

    def clobbers(self, node: Any) -> bool:
        """Whether evaluating may change memory other than a local whose address is never taken."""
        if node is None:
            return False
        known = self._clobbers.get(id(node))
        if known is None:
            known = isinstance(node, c_ast.Compound) or self._calls(node)
            if isinstance(node, c_ast.Assignment):
                known = not self._private(node.lvalue)
            elif isinstance(node, c_ast.UnaryOp) and node.op in _STEPS:
                known = not self._private(node.expr)
            known = known or any(self.clobbers(child) for child in children(node))
            self._clobbers[id(node)] = known
        return known

    def _calls(self, node: Any) -> bool:
        return isinstance(node, c_ast.FuncCall) and not (self.looks_up(node) or self.is_nan(node))

    def is_nan(self, node: Any) -> bool:
        """Whether it is `isnan(x)`."""
        named = isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID)
        return named and node.name.name == _IS_NAN and node.args is not None and len(node.args.exprs) == 1

    def looks_up(self, node: Any) -> bool:
        """Whether it is a call of a library function that tells of characters, or where its table is."""
        return (
            isinstance(node, c_ast.FuncCall)
            and isinstance(node.name, c_ast.ID)
            and node.name.name in self._library
            and len(node.args.exprs if node.args is not None else ()) == (node.name.name not in TABLES)
        )

    def _private(self, target: Any) -> bool:
        return isinstance(target, c_ast.ID) and target.name not in self.addressed
