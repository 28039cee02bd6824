"""Constant expressions: array lengths, enumeration values, case labels (C11 6.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pycparser import c_ast

from wolverine.core.types import ArrayType, CType, IntType, StructReference
from wolverine.frontend.declared import TypeTable, Unmodelled, characters, integer_literal

_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b if 0 <= b < 64 else 0,
    ">>": lambda a, b: a >> b if 0 <= b < 64 else 0,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
}


def _offset(node: Any, whole: CType, table: TypeTable) -> tuple[int, CType]:
    """Where a designated member begins in a value of type `whole`, and its type.  Raises Unmodelled."""
    match node:
        case c_ast.StructRef():
            offset, whole = _offset(node.name, whole, table)
            found = _offset(node.field, whole, table)
            return offset + found[0], found[1]
        case c_ast.ArrayRef():
            offset, whole = _offset(node.name, whole, table)
            if isinstance(whole, ArrayType):
                return offset + evaluate(node.subscript, table) * table.size(whole.element), whole.element
        case c_ast.ID() if isinstance(whole, StructReference) and whole.tag in table.structs:
            field = table.structs[whole.tag].field(node.name)
            if field is not None and field.name:
                return field.offset, field.type
    raise Unmodelled("offsetof")


def evaluate(node: Any, table: TypeTable) -> int:
    """The value of an integer constant expression.  Raises Unmodelled for anything else."""
    match node:
        case c_ast.Constant(type="char", value=value) if value.startswith("'"):
            codes = characters(value[1:-1])
            if len(codes) == 1:
                return codes[0] - 256 if codes[0] > 127 else codes[0]
        case c_ast.Constant(type=kind, value=value) if kind.endswith("int"):
            return integer_literal(value)[0]
        case c_ast.ID(name=name) if name in table.constants:
            return table.constants[name]
        case c_ast.UnaryOp(op="sizeof", expr=c_ast.Typename()):
            return table.size(table.resolve(node.expr))
        case c_ast.UnaryOp(op="_Alignof", expr=c_ast.Typename()):
            return table.alignment(table.resolve(node.expr))
        case c_ast.UnaryOp(op="offsetof", expr=c_ast.ExprList(exprs=[name, designator])):
            return _offset(designator, table.resolve(name), table)[0]
        case c_ast.UnaryOp(op="-" | "+" | "~" | "!"):
            operand = evaluate(node.expr, table)
            return {"-": -operand, "+": operand, "~": ~operand, "!": int(not operand)}[node.op]
        case c_ast.BinaryOp(op="/" | "%"):
            left, right = evaluate(node.left, table), evaluate(node.right, table)
            if right == 0:
                raise Unmodelled("division by zero")
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if node.op == "/" else left - quotient * right
        case c_ast.BinaryOp() if node.op in _OPERATORS:
            return _OPERATORS[node.op](evaluate(node.left, table), evaluate(node.right, table))
        case c_ast.TernaryOp():
            return evaluate(node.iftrue if evaluate(node.cond, table) else node.iffalse, table)
        case c_ast.Cast():
            ctype = table.resolve(node.to_type)
            value = evaluate(node.expr, table)
            if isinstance(ctype, IntType):
                return ctype.wrap(value)
    raise Unmodelled("constant expression")
