"""Lowering expressions: side effects become instructions, values pure trees.

The order of evaluation is gcc's on x86-64 without optimisation: arguments from right to left, the
target of `=` before its right side, the right side of `+=` before its left, other operands from left
to right, except that a plain variable on the left of a commutative operator is read late.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Cast,
    Conditional,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    StringLiteral,
    Unary,
    VariableReference,
)
from wolverine.core.program import Assign, Branch, Call, ConditionRole, Jump
from wolverine.core.types import (
    CHAR,
    INT,
    LONG,
    SIZE,
    VOID,
    VOID_POINTER,
    ArrayType,
    CType,
    FloatType,
    IntType,
    OpaqueType,
    PointerType,
    StructReference,
    VoidType,
    is_scalar,
)
from wolverine.frontend.builder import Builder
from wolverine.frontend.conversions import common, comparable, convert, promote, rvalue, target_of
from wolverine.frontend.declared import TypeTable, Unmodelled, characters, integer_literal
from wolverine.frontend.effects import Effects
from wolverine.frontend.parse import Extent
from wolverine.frontend.preprocess import SourceMap
from wolverine.frontend.tokens import Token

_MODELLED: dict[str, tuple[CType, tuple[CType, ...]]] = {
    "malloc": (VOID_POINTER, (SIZE,)),
    "calloc": (VOID_POINTER, (SIZE, SIZE)),
    "realloc": (VOID_POINTER, (VOID_POINTER, SIZE)),
    "free": (VOID, (VOID_POINTER,)),
}
_COMMUTATIVE = ("+", "*", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=")
_STRING_PARTS = re.compile(r'"((?:\\.|[^"\\])*)"', re.DOTALL)
MAX_DEPTH = 150


@dataclass(frozen=True)
class Signature:
    """A declared function: `parameters` is None when its declaration does not tell them."""

    result: CType
    parameters: tuple[CType, ...] | None
    variadic: bool = False
    defined: bool = False


def string_codes(value: str) -> list[int]:
    """The characters of a string literal (adjacent ones joined), without the final zero."""
    return [code for part in _STRING_PARTS.findall(value) for code in characters(part)]


class Values(Builder):
    """Lowers expressions of one function into its builder."""

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
        self._depth = 0

    # Values

    def value(self, node: Any) -> Expression:
        """The value of an expression; its side effects are emitted first.  Raises Unmodelled."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._depth = 0
            raise Unmodelled("expression nested too deeply")
        try:
            return self._value(node)
        finally:
            self._depth = max(0, self._depth - 1)

    def _value(self, node: Any) -> Expression:
        match node:
            case c_ast.Constant():
                return self._constant(node)
            case c_ast.ID(name=name) if self.lookup(name) is None and name in self.table.constants:
                return Constant(self.table.constants[name], INT, name)
            case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef():
                return rvalue(self.place(node))
            case c_ast.Assignment():
                return rvalue(self.assignment(node, nested=True))
            case c_ast.UnaryOp():
                return self._unary(node)
            case c_ast.BinaryOp(op="&&" | "||"):
                return self._logical(node)
            case c_ast.BinaryOp():
                return self._binary(node)
            case c_ast.TernaryOp():
                return self._ternary(node)
            case c_ast.Cast():
                return self._cast(node)
            case c_ast.FuncCall():
                result = self.call(node, wanted=True)
                assert result is not None
                return rvalue(result)
            case c_ast.ExprList():
                for expression in node.exprs[:-1]:
                    self.effect(expression)
                return self.value(node.exprs[-1])
            case _:
                raise Unmodelled(_spoken(node))

    def effect(self, node: Any) -> None:
        """Evaluate for the side effects alone."""
        match node:
            case c_ast.Assignment():
                self.assignment(node, nested=True)
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
                self.step(node, nested=True)
            case c_ast.FuncCall():
                self.call(node, wanted=False)
            case c_ast.Cast():
                self.effect(node.expr)
            case c_ast.ExprList():
                for expression in node.exprs:
                    self.effect(expression)
            case _ if self.syntax.effects(node):
                self.value(node)

    def _constant(self, node: Any) -> Expression:
        if node.type == "string":
            if not node.value.startswith('"'):
                raise Unmodelled("wide string")
            return StringLiteral(self._written(node) or node.value, PointerType(CHAR))
        if node.type == "char":
            body = node.value[node.value.index("'") + 1 : -1]
            codes = characters(body)
            if len(codes) != 1 or not node.value.startswith("'"):
                raise Unmodelled("character constant")
            return Constant(CHAR.wrap(codes[0]), INT, self._written(node) or node.value)
        if "float" in node.type or "double" in node.type:
            raise Unmodelled("floating point")
        value, ctype = integer_literal(node.value)
        plain = str(value)
        written = self._written(node) or node.value
        return Constant(value, ctype, "" if written == plain and value != 0 else written)

    def _written(self, node: Any) -> str:
        """The source text of a constant, "" when it is not all of a source token or macro use."""
        extent = node.coord
        if not isinstance(extent, Extent) or not self.editable(extent):
            return ""
        return self.source_text(extent).strip()

    def _unary(self, node: Any) -> Expression:
        match node.op:
            case "*":
                return rvalue(self.place(node))
            case "&":
                place = self.place(node.expr)
                if isinstance(place, Dereference):
                    return place.pointer
                return AddressOf(place, PointerType(place.type))
            case "sizeof" | "_Alignof":
                return self._sizeof(node)
            case "++" | "--" | "p++" | "p--":
                return self.step(node, nested=True)
            case "!":
                operand = self.value(node.expr)
                if not isinstance(operand.type, (IntType, PointerType)):
                    raise Unmodelled("floating point")
                return Unary("!", operand, INT)
        operand = promote(self.value(node.expr))
        if isinstance(operand, Constant) and node.op == "-" and isinstance(operand.type, IntType):
            return Constant(operand.type.wrap(-operand.value), operand.type, _negated(operand.text))
        if node.op not in ("-", "+", "~"):
            raise Unmodelled(f"operator {node.op}")
        return Unary(node.op, operand, operand.type)

    def _sizeof(self, node: Any) -> Expression:
        if isinstance(node.expr, c_ast.Typename):
            ctype = self.table.resolve(node.expr)
        else:
            ctype = self.type_of(node.expr)
        size = self.table.alignment(ctype) if node.op == "_Alignof" else self.table.size(ctype)
        return Constant(size, SIZE, self._written(node) or str(size))

    def type_of(self, node: Any) -> CType:
        """The type of an expression that is not evaluated (arrays do not decay)."""
        if isinstance(node, c_ast.Constant) and node.type == "string":
            return ArrayType(CHAR, len(string_codes(node.value)) + 1)
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            signature = self.signatures.get(node.name.name)
            return signature.result if signature is not None else INT
        mark, unit = self.mark(), self.unit
        try:
            if isinstance(node, (c_ast.ID, c_ast.ArrayRef, c_ast.StructRef)) or (
                isinstance(node, c_ast.UnaryOp) and node.op == "*"
            ):
                return self.place(node).type
            return self.value(node).type
        finally:
            self.take_back(mark)
            self.unit = unit

    def _cast(self, node: Any) -> Expression:
        ctype = self.table.resolve(node.to_type)
        if isinstance(ctype, VoidType):
            raise Unmodelled("value of a void expression")
        operand = self.value(node.expr)
        if isinstance(operand, Constant):
            converted = convert(operand, ctype)
            if isinstance(converted, Constant):
                return Constant(converted.value, ctype, self._written(node))
        written = self.source_text(node.to_type.coord) if self._is_plain(node.to_type.coord) else ""
        if not is_scalar(ctype):
            raise Unmodelled("cast")
        return convert(operand, ctype, written)

    def _is_plain(self, extent: Any) -> bool:
        return isinstance(extent, Extent) and self.editable(extent)

    def _binary(self, node: Any) -> Expression:
        left, right = self._operands(node)
        return self.arithmetic(node.op, left, right)

    def _operands(self, node: Any) -> tuple[Expression, Expression]:
        if not self.syntax.clobbers(node.right):
            left = self.value(node.left)
            return left, self.value(node.right)
        if node.op in _COMMUTATIVE and isinstance(node.left, c_ast.ID):
            right = self.value(node.right)
            return self.value(node.left), right
        left = self.hoist(self.value(node.left), node.left)
        return left, self.value(node.right)

    def arithmetic(self, operator: str, left: Expression, right: Expression) -> Expression:
        """`left operator right` with C's conversions."""
        first, second = left.type, right.type
        if isinstance(first, FloatType) or isinstance(second, FloatType):
            raise Unmodelled("floating point")
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

    def _logical(self, node: Any) -> Expression:
        if not self.syntax.effects(node.right):
            left = self.truth(node.left)
            return Logical(node.op, left, self.truth(node.right))
        result = self.temporary(INT)
        return self._chosen(
            node.left,
            result,
            node.right if node.op == "&&" else None,
            None if node.op == "&&" else node.right,
            node,
        )

    def _chosen(
        self, condition: Any, result: VariableReference, then: Any, otherwise: Any, node: Any
    ) -> Expression:
        """`condition ? then : otherwise` by branches; a None arm is the truth value itself."""
        if_true, if_false, end = self.label(), self.label(), self.label()
        self.condition(condition, if_true, if_false, "other", False)
        fixed = self.location("fixed", node.coord)
        logical = then is None or otherwise is None
        for label, arm, known in ((if_true, then, 1), (if_false, otherwise, 0)):
            self.put(label)
            if arm is None:
                value: Expression = Constant(known, INT)
            elif logical:
                value = self.arithmetic("!=", self.truth(arm), Constant(0, INT))
            else:
                value = convert(self.value(arm), result.type)
            self.emit(Assign(fixed, result, value))
            if label == if_true:
                self.emit(Jump(-1, end), unit=False)
        self.put(end)
        return Load(result)

    def truth(self, node: Any) -> Expression:
        """The value of a condition; scalar."""
        value = self.value(node)
        if isinstance(value.type, FloatType):
            raise Unmodelled("floating point")
        if not isinstance(value.type, (IntType, PointerType)):
            raise Unmodelled("condition")
        return value

    def _ternary(self, node: Any) -> Expression:
        if not self.syntax.effects(node.iftrue) and not self.syntax.effects(node.iffalse):
            condition = self.truth(node.cond)
            then, otherwise = self._arms(self.value(node.iftrue), self.value(node.iffalse))
            return Conditional(condition, then, otherwise, then.type)
        mark = self.mark()
        then, otherwise = self._arms(self.value(node.iftrue), self.value(node.iffalse))
        self.take_back(mark)
        return self._chosen(node.cond, self.temporary(then.type), node.iftrue, node.iffalse, node)

    def _arms(self, then: Expression, otherwise: Expression) -> tuple[Expression, Expression]:
        if isinstance(then.type, IntType) and isinstance(otherwise.type, IntType):
            return common(then, otherwise)
        if then.type == otherwise.type:
            return then, otherwise
        return comparable(then, otherwise)

    def condition(self, node: Any, if_true: int, if_false: int, role: ConditionRole, loop: bool) -> None:
        """Branch on a condition; parts with side effects become branches of their own."""
        if isinstance(node, c_ast.UnaryOp) and node.op == "!" and self._branches(node.expr):
            self.condition(node.expr, if_false, if_true, role, loop)
            return
        if isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||") and self.syntax.effects(node.right):
            middle = self.label()
            if node.op == "&&":
                self.condition(node.left, middle, if_false, "other", loop)
            else:
                self.condition(node.left, if_true, middle, "other", loop)
            self.put(middle)
            self.condition(node.right, if_true, if_false, role, loop)
            return
        value = self.truth(node)
        location = self.location("condition", node.coord, role=role, loop=loop)
        self.emit(Branch(location, value, if_true, if_false))

    def _branches(self, node: Any) -> bool:
        """Whether a condition becomes several branches."""
        if isinstance(node, c_ast.UnaryOp) and node.op == "!":
            return self._branches(node.expr)
        return (
            isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||") and self.syntax.effects(node.right)
        )

    # Places

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
            case _:
                raise Unmodelled(_spoken(node))

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
        if not isinstance(base.type, StructReference):
            raise Unmodelled("member of a union" if isinstance(base.type, OpaqueType) else "member")
        layout = self.table.structs.get(base.type.tag)
        field = layout.field(node.field.name) if layout is not None else None
        if field is None:
            raise Unmodelled(f"member {node.field.name}")
        return Member(base, field.name, field.offset, field.type)

    def hoist(self, value: Expression, node: Any) -> Expression:
        """`value` read now: in a temporary, unless nothing can change it meanwhile."""
        if self._stable(value):
            return value
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

    def _settle(self, place: LValue, node: Any) -> LValue:
        """An lvalue whose address is computed now, before the right side runs."""
        match place:
            case VariableReference():
                return place
            case Member(base, name, offset, ctype):
                inner = node.name if isinstance(node, c_ast.StructRef) else node
                if isinstance(node, c_ast.StructRef) and node.type == "->" and isinstance(base, Dereference):
                    return Member(
                        Dereference(self.hoist(base.pointer, inner), base.type), name, offset, ctype
                    )
                return Member(self._settle(base, inner), name, offset, ctype)
            case Element(base, index, ctype) if isinstance(node, c_ast.ArrayRef):
                return Element(self._settle(base, node.name), self.hoist(index, node.subscript), ctype)
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

    # Side effects

    def assignment(self, node: Any, nested: bool, semicolon: bool = False) -> LValue:
        """Emit an assignment; the target is returned."""
        if node.op == "=":
            target = self.place(node.lvalue)
            if self.syntax.clobbers(node.rvalue):
                target = self._settle(target, node.lvalue)
            value = self.value(node.rvalue)
        else:
            operand = self.value(node.rvalue)
            if self.syntax.effects(node.rvalue):
                operand = self.hoist(operand, node.rvalue)
            target = self.place(node.lvalue)
            value = self.arithmetic(node.op[:-1], rvalue(target), operand)
        if isinstance(target.type, ArrayType):
            raise Unmodelled("assignment to an array")
        location = self.location("assignment", node.coord, semicolon=semicolon)
        self.emit(Assign(location, target, convert(value, target.type)))
        return target

    def step(self, node: Any, nested: bool, semicolon: bool = False) -> Expression:
        """Emit `++` or `--`; the expression's value is returned."""
        target = self.place(node.expr)
        before: Expression = rvalue(target)
        changed = convert(self.arithmetic(node.op[-1], before, Constant(1, INT)), target.type)
        if nested and node.op.startswith("p"):
            kept = self.temporary(target.type)
            self.emit(Assign(self.location("fixed", node.coord), kept, before))
            self.emit(Assign(self.location("fixed", node.coord), target, changed))
            return Load(kept)
        location = self.location("fixed" if nested else "assignment", node.coord, semicolon=semicolon)
        self.emit(Assign(location, target, changed))
        return rvalue(target)

    def call(self, node: Any, wanted: bool, statement: bool = False) -> VariableReference | None:
        """Emit a call; the temporary with its result, None when it is not wanted."""
        if not isinstance(node.name, c_ast.ID) or self.lookup(node.name.name) is not None:
            raise Unmodelled("call through a pointer")
        name = node.name.name
        arguments = list(node.args.exprs) if node.args is not None else []
        signature = self.signatures.get(name)
        if signature is not None and signature.defined:
            if signature.parameters is not None and not signature.variadic:
                types: tuple[CType, ...] = signature.parameters
                if len(types) == len(arguments):
                    return self._own_call(node, signature.result, types, wanted, statement, True)
            raise Unmodelled(f"call of {name} with other arguments than it takes")
        if name in _MODELLED and len(_MODELLED[name][1]) == len(arguments):
            result, types = _MODELLED[name]
            return self._own_call(node, result, types, wanted, statement, name == "free")
        return self._library_call(node, name, arguments, signature, wanted)

    def _own_call(
        self,
        node: Any,
        result_type: CType,
        types: tuple[CType, ...],
        wanted: bool,
        statement: bool,
        editable: bool,
    ) -> VariableReference | None:
        arguments = list(node.args.exprs) if node.args is not None else []
        passed: list[Expression] = []
        for argument, ctype in reversed(list(zip(arguments, types))):
            value = convert(self.value(argument), ctype)
            variable = self.temporary(ctype)
            location = self.location("argument" if editable else "fixed", argument.coord)
            self.emit(Assign(location, variable, value))
            passed.insert(0, Load(variable))
        result = None
        if wanted:
            if isinstance(result_type, VoidType):
                raise Unmodelled("value of a void function")
            result = self.temporary(result_type)
        location = self.location("call" if statement else "fixed", node.coord, semicolon=statement)
        self.emit(Call(location, node.name.name, tuple(passed), result))
        return result

    def _library_call(
        self, node: Any, name: str, arguments: list[Any], signature: Signature | None, wanted: bool
    ) -> VariableReference | None:
        for argument in reversed(arguments):
            if self.syntax.effects(argument):
                self.effect(argument)
        result_type = signature.result if signature is not None else INT
        results: tuple[VariableReference, ...] = ()
        if wanted:
            if isinstance(result_type, VoidType):
                raise Unmodelled("value of a void function")
            results = (self.temporary(result_type),)
        reason = "inline assembly" if name.startswith("__wolverine") else f"call of {name}"
        self.library_call(self.location("fixed", node.coord), reason, results)
        return results[0] if results else None


def _negated(text: str) -> str:
    return f"-{text}" if text and not text.startswith("-") else ""


def _spoken(node: Any) -> str:
    names = {
        "CompoundLiteral": "compound literal",
        "InitList": "initialiser list",
        "Compound": "statement expression",
        "NamedInitializer": "designated initialiser",
    }
    kind = type(node).__name__
    return names.get(kind, kind)
