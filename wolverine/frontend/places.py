"""Lowering lvalues, and reading them at the moment at which gcc reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from wolverine.core.characters import MASKS, TABLES
from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Cast,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    StringLiteral,
    VariableReference,
)
from wolverine.core.program import Assign
from wolverine.core.types import (
    INT,
    LONG,
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
)
from wolverine.frontend.builder import Builder
from wolverine.frontend.conversions import common, comparable, convert, promote, target_of
from wolverine.frontend.declared import TypeTable, Unmodelled
from wolverine.frontend.effects import Effects
from wolverine.frontend.preprocess import SourceMap
from wolverine.frontend.tokens import Token

_REAL = ("+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Signature:
    """A declared function: `parameters` is None when its declaration does not tell them.

    `key` is its name in the program where that is another than in its file (`frontend.naming`).
    """

    result: CType
    parameters: tuple[CType, ...] | None
    variadic: bool = False
    defined: bool = False
    key: str = ""

    def takes(self, count: int) -> bool:
        """Whether it is known to take that many arguments."""
        if self.parameters is None:
            return False
        known = len(self.parameters)
        return known == count or (self.variadic and known < count)


def classifying(signatures: Mapping[str, Signature]) -> frozenset[str]:
    """The functions of the C library that look into tables of characters, without those of the program."""
    names = TABLES.keys() | MASKS.keys()
    return frozenset(name for name in names if name in signatures and not signatures[name].defined)


class Places(Builder):
    """Lowers lvalues; what it needs of values and calls its heirs provide."""

    def __init__(
        self,
        name: str,
        tokens: Sequence[Token],
        source: SourceMap,
        table: TypeTable,
        signatures: Mapping[str, Signature],
        effects: Effects,
    ) -> None:
        super().__init__(name, tokens, source)
        self.table = table
        self.signatures = signatures
        self.syntax = effects
        self.callable: Mapping[str, Signature] = {}
        self._depth = 0
        self._between: dict[int, Callable[[], None]] = {}  # by call, what comes behind its arguments

    def value(self, node: Any) -> Expression:
        """The value of an expression; its side effects are emitted first.  Raises Unmodelled."""
        raise NotImplementedError

    def assignment(self, node: Any, nested: bool, semicolon: bool = False) -> LValue:
        """Emit an assignment; the target is returned."""
        raise NotImplementedError

    def call(self, node: Any, wanted: bool, statement: bool = False) -> VariableReference | None:
        """Emit a call; the temporary with its result, None when it is not wanted."""
        raise NotImplementedError

    def compound_literal(self, node: Any) -> LValue:
        """Emit what fills a compound literal; it becomes a variable that the process does not name."""
        raise NotImplementedError

    def arithmetic(self, operator: str, left: Expression, right: Expression) -> Expression:
        """`left operator right` with C's conversions."""
        first, second = left.type, right.type
        if (isinstance(first, FloatType) or isinstance(second, FloatType)) and operator not in _REAL:
            raise Unmodelled(f"operator {operator} on floating point")
        if operator in ("==", "!=", "<", "<=", ">", ">="):
            left, right = comparable(left, right)
            return Binary(operator, left, right, INT)
        if operator in ("+", "-"):
            if isinstance(first, PointerType) and isinstance(second, PointerType) and operator == "-":
                return Binary("-", left, right, LONG)
            if isinstance(first, PointerType) and isinstance(second, IntType):
                return Binary(operator, left, convert(right, LONG), first)
            if isinstance(second, PointerType) and isinstance(first, IntType) and operator == "+":
                return Binary("+", right, convert(left, LONG), second)
        if operator in ("<<", ">>"):
            left = promote(left)
            return Binary(operator, left, promote(right), left.type)
        left, right = common(left, right)
        return Binary(operator, left, right, left.type)

    def place(self, node: Any) -> LValue:
        """The lvalue of an expression; its side effects are emitted first.  Raises Unmodelled."""
        match node:
            case c_ast.ID(name=name):
                variable = self.lookup(name)
                if variable is None:
                    what = "a function's address" if name in self.signatures else f"the library's {name}"
                    raise Unmodelled(what)
                return variable
            case c_ast.UnaryOp(op="*"):
                return target_of(self.value(node.expr))
            case c_ast.ArrayRef():
                return self._element(node)
            case c_ast.StructRef():
                return self._member(node)
            case c_ast.FuncCall():
                result = self.call(node, wanted=True)
                assert result is not None
                return result
            case c_ast.Assignment():
                return self.assignment(node, nested=True)
            case c_ast.CompoundLiteral():
                return self.compound_literal(node)
            case _:
                raise Unmodelled(spoken(node))

    def _element(self, node: Any) -> LValue:
        base = self.value(node.name)
        if isinstance(base.type, IntType):
            return target_of(self.arithmetic("+", self.value(node.subscript), base))
        if self.syntax.clobbers(node.subscript):
            base = self.hoist(base, node.name)
        index = self.value(node.subscript)
        if not isinstance(base.type, PointerType) or not isinstance(index.type, IntType):
            raise Unmodelled("subscript")
        if isinstance(base, AddressOf) and isinstance(base.place, Element):
            inner = base.place
            if inner.index == Constant(0, LONG) and isinstance(inner.base.type, ArrayType):
                return Element(inner.base, convert(index, LONG), inner.type)
        return Dereference(Binary("+", base, convert(index, LONG), base.type), base.type.target)

    def _member(self, node: Any) -> LValue:
        base = target_of(self.value(node.name)) if node.type == "->" else self.place(node.name)
        field = self.table.member(base.type, node.field.name)
        if field is None:
            raise Unmodelled(f"member {node.field.name}")
        return Member(base, field.name, field.offset, field.type)

    def hoist(self, value: Expression, node: Any) -> Expression:
        """`value` read now: in a temporary, unless nothing can change it meanwhile."""
        return value if self._stable(value) else self.read_now(value, node)

    def read_now(self, value: Expression, node: Any) -> Expression:
        """`value` in a temporary, whatever can change it; an edit may put another one there."""
        variable = self.temporary(value.type)
        self.emit(Assign(self.location("argument", node.coord), variable, value))
        return Load(variable)

    def _stable(self, value: Expression) -> bool:
        match value:
            case Constant() | StringLiteral():
                return True
            case Load(VariableReference(name, _, "local")):
                return name.partition("@")[0] not in self.syntax.addressed
            case AddressOf(place):
                return self._stable_place(place)
            case Cast(operand):
                return self._stable(operand)
            case _:
                return False

    def _stable_place(self, place: LValue) -> bool:
        match place:
            case VariableReference():
                return True
            case Member(base):
                return self._stable_place(base)
            case Element(base, Constant()):
                return self._stable_place(base)
            case Dereference(pointer):
                return self._stable(pointer)
            case _:
                return False

    def settle(self, place: LValue, node: Any) -> LValue:
        """The lvalue with its address computed now, before the right side runs."""
        match place:
            case VariableReference():
                return place
            case Member(base, name, offset, ctype):
                inner = node.name if isinstance(node, c_ast.StructRef) else node
                if isinstance(node, c_ast.StructRef) and node.type == "->" and isinstance(base, Dereference):
                    return Member(
                        Dereference(self.hoist(base.pointer, inner), base.type), name, offset, ctype
                    )
                return Member(self.settle(base, inner), name, offset, ctype)
            case Element(base, index, ctype) if isinstance(node, c_ast.ArrayRef):
                return Element(self.settle(base, node.name), self.hoist(index, node.subscript), ctype)
            case Dereference(Binary("+", pointer, index, pointer_type), ctype) if isinstance(
                node, c_ast.ArrayRef
            ):
                base_pointer = self.hoist(pointer, node.name)
                offset_value = self.hoist(index, node.subscript)
                return Dereference(Binary("+", base_pointer, offset_value, pointer_type), ctype)
            case Dereference(pointer, ctype) if isinstance(node, c_ast.UnaryOp):
                return Dereference(self.hoist(pointer, node.expr), ctype)
            case _:
                return place


def spoken(node: Any) -> str:
    """What a kind of syntax is called."""
    names = {
        "CompoundLiteral": "compound literal",
        "InitList": "initialiser list",
        "Compound": "statement expression",
        "NamedInitializer": "designated initialiser",
    }
    kind = type(node).__name__
    return names.get(kind, kind)
