"""Lowering expressions: side effects become instructions, values pure trees.

The order of evaluation is gcc's on x86-64 without optimisation: arguments from right to left, the
right side of `=` before its target unless it is a plain call, the right side of `+=` before its left,
other operands from left to right, except that a plain variable on the left of a commutative operator
is read late.
"""

from __future__ import annotations

import re
from typing import Any

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from wolverine.core.characters import CLASSES, MASKS, literal
from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Conditional,
    Constant,
    Dereference,
    Expression,
    Load,
    Logical,
    StringLiteral,
    Unary,
    VariableReference,
)
from wolverine.core.program import Assign, Branch, ConditionRole, Jump
from wolverine.core.types import (
    CHAR,
    INT,
    LONG,
    SIZE,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    VoidType,
    is_scalar,
)
from wolverine.frontend.addresses import as_pointer, offset_from_null
from wolverine.frontend.conversions import common, comparable, convert, promote, require_double, rvalue
from wolverine.frontend.declared import Unmodelled, characters, integer_literal
from wolverine.frontend.inside import Inside
from wolverine.frontend.parse import Extent
from wolverine.frontend.places import spoken
from wolverine.semantics.arithmetic import single

_COMMUTATIVE = ("+", "*", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=")
_STRING_PARTS = re.compile(r'"((?:\\.|[^"\\])*)"', re.DOTALL)
CLASS_BITS = IntType("unsigned short", 2, False)
MAX_DEPTH = 150


def string_codes(value: str) -> list[int]:
    """The characters of a string literal (adjacent ones joined), without the final zero."""
    return [code for part in _STRING_PARTS.findall(value) for code in characters(part)]


class Values(Inside):
    """Lowers expressions of one function into its builder."""

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
            case c_ast.ID(name=name) if self._is_function(name):
                return StringLiteral(name, PointerType(FunctionType()))
            case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef() | c_ast.CompoundLiteral():
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
            case c_ast.FuncCall() if self.syntax.looks_up(node) and node.args is not None:
                return self._classified(node.name.name, node.args.exprs[0])
            case c_ast.FuncCall() if self.syntax.is_nan(node):
                number = self.value(node.args.exprs[0])
                require_double(number.type)
                return Binary("!=", number, number, INT)  # of which no other number holds
            case c_ast.FuncCall():
                result = self.call(node, wanted=True)
                assert result is not None
                return rvalue(result)
            case c_ast.ExprList():
                for expression in node.exprs[:-1]:
                    self.effect(expression)
                return self.value(node.exprs[-1])
            case c_ast.Compound() if node.block_items:
                return self.statement_expression(node.block_items)
            case _:
                raise Unmodelled(spoken(node))

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
            case c_ast.Compound():
                self._inner_statements(node.block_items or [])
            case c_ast.TernaryOp() if self.syntax.effects(node):
                self._alternatives(node.cond, node.iftrue, node.iffalse, self.effect)
            case _ if self.syntax.effects(node):
                self.value(node)

    def _constant(self, node: Any) -> Expression:
        if node.type == "string":
            if not node.value.startswith('"'):
                raise Unmodelled("wide string")
            data = bytes((*string_codes(node.value), 0))
            return StringLiteral(self._written(node) or node.value, PointerType(CHAR), data)
        if node.type == "char":
            body = node.value[node.value.index("'") + 1 : -1]
            codes = characters(body)
            if len(codes) != 1 or not node.value.startswith("'"):
                raise Unmodelled("character constant")
            return Constant(CHAR.wrap(codes[0]), INT, self._written(node) or node.value)
        if "float" in node.type or "double" in node.type:
            return self._real(node)
        value, ctype = integer_literal(node.value)
        plain = str(value)
        written = self._written(node) or node.value
        return Constant(value, ctype, "" if written == plain and value != 0 else written)

    def _real(self, node: Any) -> Expression:
        digits = node.value.lower()
        name = "double"
        if digits.endswith("l"):
            raise Unmodelled("long double")
        if (digits.endswith("f") and not digits.startswith("0x")) or (digits.endswith("f") and "p" in digits):
            name, digits = "float", digits[:-1]
        value = float.fromhex(digits) if digits.startswith("0x") else float(digits)
        ctype = FloatType(name, 4 if name == "float" else 8)
        value = single(value) if name == "float" else value
        return Constant(0, ctype, self._written(node) or node.value, value)

    def _is_function(self, name: str) -> bool:
        return self.lookup(name) is None and name in self.signatures

    def _written(self, node: Any) -> str:
        """The source text of a constant, "" when it is not all of a source token or macro use."""
        extent = node.coord
        if not isinstance(extent, Extent) or not self.editable(extent):
            return ""
        return self.source_text(extent).strip()

    def _unary(self, node: Any) -> Expression:
        match node.op:
            case "*" if self.syntax.looks_up(node.expr) and node.expr.args is None:
                return self._table(node.expr.name.name)
            case "*":
                place = self.place(node)
                if isinstance(place, Dereference) and isinstance(place.type, FunctionType):
                    return place.pointer  # a function is a pointer to it again
                return rvalue(place)
            case "&" if isinstance(node.expr, c_ast.ID) and self._is_function(node.expr.name):
                return self.value(node.expr)
            case "&":
                place = self.place(node.expr)
                if isinstance(place, Dereference):
                    return place.pointer
                return AddressOf(place, PointerType(place.type))
            case "sizeof" | "_Alignof":
                return self._sizeof(node)
            case "offsetof":
                offset = self.table.constant(node)
                return Constant(offset, SIZE, self._written(node) or str(offset))
            case "++" | "--" | "p++" | "p--":
                return self.step(node, nested=True)
            case "!":
                operand = self.value(node.expr)
                require_double(operand.type)
                if not isinstance(operand.type, (IntType, PointerType, FloatType)):
                    raise Unmodelled("operator !")
                return Unary("!", operand, INT)
        operand = promote(self.value(node.expr))
        if isinstance(operand, Constant) and node.op == "-" and isinstance(operand.type, IntType):
            return Constant(operand.type.wrap(-operand.value), operand.type, _negated(operand.text))
        if node.op not in ("-", "+", "~") or (node.op == "~" and isinstance(operand.type, FloatType)):
            raise Unmodelled(f"operator {node.op}")
        return Unary(node.op, operand, operand.type)

    def _table(self, name: str) -> StringLiteral:
        """A table of characters, which the library's function of that name leads to."""
        led = self.signatures[name].result
        if not isinstance(led, PointerType):
            raise Unmodelled(f"call of {name}")
        self.known_call(table := StringLiteral(literal(name), led.target))
        return table

    def _classified(self, name: str, argument: Any) -> Expression:
        """`isspace(c)` and the like where that is no macro."""
        code = convert(convert(self.value(argument), INT), LONG)
        table = StringLiteral(literal(CLASSES), PointerType(CLASS_BITS))
        self.known_call(table)
        entry = Dereference(Binary("+", table, code, table.type), CLASS_BITS)
        return Binary("&", convert(Load(entry), INT), Constant(MASKS[name], INT), INT)

    def _sizeof(self, node: Any) -> Expression:
        if isinstance(node.expr, c_ast.Typename):
            ctype = self.table.resolve(node.expr)
        else:
            ctype = self.type_of(node.expr)
        if isinstance(ctype, ArrayType) and ctype.length == 0:
            raise Unmodelled("size of a variable length array")
        size = self.table.alignment(ctype) if node.op == "_Alignof" else self.table.size(ctype)
        return Constant(size, SIZE, self._written(node) or CGenerator().visit(node))  # also in a macro

    def type_of(self, node: Any) -> CType:
        """The type of an expression that is not evaluated (arrays do not decay)."""
        if isinstance(node, c_ast.Constant) and node.type == "string":
            return ArrayType(CHAR, len(string_codes(node.value)) + 1)
        if isinstance(node, c_ast.Cast):
            return self.table.resolve(node.to_type)
        named = isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID)
        if named and self.lookup(node.name.name) is None:
            signature = self.signatures.get(node.name.name)
            return signature.result if signature is not None else INT
        mark, unit = self.mark(), self.unit
        try:
            match node:
                case c_ast.ID(name=name) if self.lookup(name) is None:
                    return self.value(node).type
                case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef() | c_ast.CompoundLiteral():
                    return self.place(node).type
                case c_ast.UnaryOp(op="*"):
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
        if isinstance(ctype, IntType) and isinstance(operand.type, PointerType):
            written = written or ctype.name  # in a macro
        if isinstance(ctype, PointerType):
            operand = as_pointer(operand)
        elif isinstance(ctype, IntType) and (offset := offset_from_null(operand, self.table)) is not None:
            return Constant(ctype.wrap(offset), ctype, self._written(node))
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
        if node.op in _COMMUTATIVE and self._is_read_late(node):
            right = self.value(node.right)
            return self.value(node.left), right
        left = self.hoist(self.value(node.left), node.left)
        return left, self.value(node.right)

    def _is_read_late(self, node: Any) -> bool:
        """Whether gcc swaps the operands: the left one is a variable that needs no wider type."""
        variable = node.left
        while isinstance(variable, c_ast.Cast):
            variable = variable.expr
        if not isinstance(variable, c_ast.ID):
            return False
        types = [self.type_of(each) for each in (variable, node.left, node.right)]
        if isinstance(types[0], PointerType):
            return bool(node.op != "+")
        if not all(isinstance(ctype, IntType) for ctype in types):
            return False
        own, cast, other = (self.table.size(ctype) for ctype in types)
        return bool(own == cast and own >= 4 and other <= own)

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
        require_double(value.type)
        if not isinstance(value.type, (IntType, PointerType, FloatType)):
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
        if isinstance(then.type, (IntType, FloatType)) and isinstance(otherwise.type, (IntType, FloatType)):
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
        if self.syntax.effects(node):
            self.before(node.coord, if_true, if_false)
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


def _negated(text: str) -> str:
    return f"-{text}" if text and not text.startswith("-") else ""
