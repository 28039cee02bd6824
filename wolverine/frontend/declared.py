"""Declared types: pycparser's declarations as `core.types`, with x86-64 System V layouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from wolverine.core.types import (
    INT,
    VOID,
    ArrayType,
    CType,
    Field,
    FloatType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructReference,
    StructType,
    Types,
    VoidType,
    bit_field,
)


class Unmodelled(Exception):  # noqa: N818 - a signal inside lowering, never seen by users
    """What stands here is left to the process; the text says what it is."""


_INTEGERS = {
    "char": IntType("char", 1),
    "signed char": IntType("signed char", 1),
    "unsigned char": IntType("unsigned char", 1, False),
    "short": IntType("short", 2),
    "unsigned short": IntType("unsigned short", 2, False),
    "int": INT,
    "unsigned int": IntType("unsigned int", 4, False),
    "long": IntType("long", 8),
    "unsigned long": IntType("unsigned long", 8, False),
    "long long": IntType("long long", 8),
    "unsigned long long": IntType("unsigned long long", 8, False),
    "_Bool": IntType("_Bool", 1, False),
}
_FLOATS = {
    "float": FloatType("float", 4),
    "double": FloatType("double", 8),
    "long double": FloatType("long double", 16),
}


@dataclass
class _Layout:
    """A struct under construction, in bits."""

    bits: int = 0
    alignment: int = 1
    fields: list[Field] = field(default_factory=list)


@dataclass
class TypeTable:
    """The types of a program: struct layouts, typedef names, enumeration constants."""

    structs: dict[str, StructType] = field(default_factory=dict)
    unions: dict[str, StructType] = field(default_factory=dict)
    typedefs: dict[str, CType] = field(default_factory=dict)
    constant_typedefs: dict[str, int] = field(default_factory=dict)  # as in `types.Field`; none are left out
    enums: dict[str, IntType] = field(default_factory=dict)
    enumerations: dict[str, dict[int, str]] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    alignments: dict[str, int] = field(default_factory=dict)
    evaluate: Callable[[Any], int] | None = None
    typeof: Callable[[str], CType | None] = lambda name: None
    unnamed: dict[tuple[Field, ...], str] = field(default_factory=dict)  # tags of structs without a name
    # those to which a typedef, or no one, has given a tag: which struct of the source each of them is
    untagged: dict[str, object] = field(default_factory=dict)

    def types(self) -> Types:
        """The layouts so far."""
        return Types(dict(self.structs), dict(self.enumerations), dict(self.unions))

    def size(self, ctype: CType) -> int:
        """Size in bytes."""
        return Types(self.structs, unions=self.unions).size(ctype)

    def alignment(self, ctype: CType) -> int:
        """Alignment in bytes."""
        match ctype:
            case ArrayType(element):
                return self.alignment(element)
            case StructReference(tag):
                return self.structs[tag].alignment if tag in self.structs else 1
            case OpaqueType(name, size):
                if name in self.unions:
                    return self.unions[name].alignment
                return max(1, min(size, 16))
            case VoidType() | FunctionType():
                return 1
            case _:
                return self.size(ctype)

    def member(self, ctype: CType, name: str) -> Field | None:
        """The member of that name of a struct or a union, also in one of its unions that have no name."""
        members = Types(self.structs, unions=self.unions).members(ctype)
        return next((each for each in members if each.name == name), None)

    def declare(self, node: Any) -> None:
        """Take in a file-scope or block-scope declaration's tags, typedef names and constants."""
        if isinstance(node, c_ast.Typedef):
            self.typedefs[node.name] = self.resolve(node.type, node.name)
            if constant := self.constant_parts(node.type):
                self.constant_typedefs[node.name] = constant
        elif isinstance(node, c_ast.Decl):
            self.resolve(node.type)

    def resolve(self, node: Any, name: str = "") -> CType:
        """The type of a declarator or type name; `name` is given to an anonymous struct."""
        match node:
            case c_ast.Typename() | c_ast.TypeDecl():
                return self.resolve(node.type, name)
            case c_ast.PtrDecl():
                return PointerType(self.resolve(node.type, name))
            case c_ast.ArrayDecl():
                element = self.resolve(node.type, name)
                return ArrayType(element, self.constant(node.dim) if node.dim is not None else 0)
            case c_ast.FuncDecl():
                return self._function(node)
            case c_ast.IdentifierType():
                return self._named(node.names)
            case c_ast.Struct():
                return self._struct(node, name)
            case c_ast.Union():
                return self._union(node, name)
            case c_ast.Enum():
                return self._enum(node, name)
            case _:
                raise Unmodelled(f"type {type(node).__name__}")

    def constant_parts(self, node: Any) -> int:
        """What a declarator or type name makes `const`: the `constant` of `types.Field`."""
        match node:
            case c_ast.Typename():
                return self.constant_parts(node.type)
            case c_ast.TypeDecl():
                return ("const" in (node.quals or ())) | self.constant_parts(node.type)
            case c_ast.PtrDecl():
                return ("const" in (node.quals or ())) | self.constant_parts(node.type) << 1
            case c_ast.ArrayDecl():
                return self.constant_parts(node.type)
            case c_ast.IdentifierType():
                return self.constant_typedefs.get(node.names[0], 0)
        return 0

    def constant_parameter(self, node: Any) -> int:
        """The same for a declared parameter; an array is a pointer, with its qualifiers in the brackets."""
        inner = node.type
        if isinstance(inner, c_ast.ArrayDecl):
            return ("const" in (inner.dim_quals or ())) | self.constant_parts(inner) << 1
        constant = self.constant_parts(inner)
        return constant << isinstance(self.resolve(inner), ArrayType)

    def _function(self, node: Any) -> FunctionType:
        """A function's type; without the signature where that is not modelled."""
        try:
            result = self.resolve(node.type)
            if node.args is None:
                return FunctionType(result)
            named = [each for each in node.args.params if not isinstance(each, c_ast.EllipsisParam)]
            types = tuple(map(self.parameter, named))
        except (Unmodelled, AttributeError):
            return FunctionType()
        variadic = len(named) < len(node.args.params)
        return FunctionType(result, () if types == (VOID,) else types, variadic)

    def parameter(self, node: Any) -> CType:
        """The type of a declared parameter; arrays and functions are pointers.

        What is in rows of a length that is not constant is not modelled.
        """
        if isinstance(node.type, c_ast.ArrayDecl):
            try:
                return PointerType(self.resolve(node.type.type))
            except Unmodelled:
                if not isinstance(node.type.type, c_ast.ArrayDecl):
                    raise
                return PointerType(OpaqueType("variable length array", 0))
        ctype = self.resolve(node.type)
        if isinstance(ctype, ArrayType):
            return PointerType(ctype.element)
        return PointerType(ctype) if isinstance(ctype, FunctionType) else ctype

    def constant(self, node: Any) -> int:
        """The value of a constant expression.  Raises Unmodelled."""
        if self.evaluate is None:
            raise Unmodelled("constant expression")
        return self.evaluate(node)

    def _named(self, names: list[str]) -> CType:
        if len(names) == 1 and names[0] in self.typedefs:
            return self.typedefs[names[0]]
        if len(names) == 1 and (found := self.typeof(names[0])) is not None:
            return found
        words = sorted(names)
        if words == ["void"]:
            return VOID
        if "float" in words or "double" in words:
            if "_Complex" in words:
                return OpaqueType(" ".join(names), 8 if "float" in words else 16)
            return _FLOATS["float" if "float" in words else "long double" if "long" in words else "double"]
        if "_Bool" in words or "bool" in words:
            return _INTEGERS["_Bool"]
        unsigned = "unsigned" in words
        if "char" in words:
            base = "signed char" if "signed" in words else "char"
        elif "short" in words:
            base = "short"
        elif words.count("long"):
            base = " ".join(["long"] * words.count("long"))
        elif {"int", "signed", "unsigned"} & set(words):
            base = "int"
        else:
            raise Unmodelled(f"type {' '.join(names)}")
        return _INTEGERS[f"unsigned {base}" if unsigned else base]

    def _tag(self, node: Any, name: str) -> str:
        if node.name:
            return str(node.name)
        if name and name not in self.structs and name not in self.unions:
            return name
        return ""

    def _anonymous_tag(self, fields: tuple[Field, ...]) -> str:
        """A tag for what has none: the same in all files for the same fields."""
        return self.unnamed.setdefault(fields, f"<anonymous {len(self.unnamed) + 1}>")

    def _struct(self, node: Any, name: str) -> CType:
        if node.decls is None:
            return StructReference(str(node.name))
        tag = self._tag(node, name)
        layout = _Layout()
        for declaration in node.decls:
            self._add(layout, declaration)
        size = -(-layout.bits // (8 * layout.alignment)) * layout.alignment
        tag = tag or self._anonymous_tag(tuple(layout.fields))
        if not node.name:
            self.untagged[tag] = (str(node.coord), tuple(layout.fields))
        self.structs[tag] = StructType(tag, size, tuple(layout.fields), layout.alignment)
        return StructReference(tag)

    def _add(self, layout: _Layout, declaration: Any, *, apart: bool = False) -> None:
        """Lay out a member; those of a struct without a name count as members themselves, unless `apart`."""
        if not isinstance(declaration, c_ast.Decl):
            return
        ctype = self.resolve(declaration.type)
        if declaration.bitsize is not None:
            self._add_bits(layout, declaration, ctype)
            return
        if isinstance(ctype, FunctionType):
            return
        alignment = self.alignment(ctype)
        offset = -(-layout.bits // (8 * alignment)) * alignment
        layout.alignment = max(layout.alignment, alignment)
        layout.bits = 8 * (offset + self.size(ctype))
        inner = self.structs.get(ctype.tag) if isinstance(ctype, StructReference) else None
        if declaration.name is None:
            if inner is not None and not apart:
                layout.fields.extend(
                    Field(member.name, offset + member.offset, member.type, member.constant)
                    for member in inner.fields
                )
            elif inner is not None or isinstance(ctype, OpaqueType):
                layout.fields.append(Field("", offset, ctype))
            return
        constant = self.constant_parts(declaration.type)
        layout.fields.append(Field(declaration.name, offset, ctype, constant))

    def _add_bits(self, layout: _Layout, declaration: Any, ctype: CType) -> None:
        """A bit field, where gcc lays it: it does not cross a boundary of its type."""
        width = self.constant(declaration.bitsize)
        unit = 8 * self.size(ctype)
        if width == 0:
            layout.bits = -(-layout.bits // unit) * unit
            return
        if layout.bits // unit != (layout.bits + width - 1) // unit:
            layout.bits = -(-layout.bits // unit) * unit
        first = layout.bits
        layout.bits += width
        if declaration.name is None:
            return
        layout.alignment = max(layout.alignment, self.alignment(ctype))
        constant = self.constant_parts(declaration.type)
        layout.fields.append(bit_field(declaration.name, first, width, ctype, constant))

    def _union(self, node: Any, name: str) -> CType:
        if node.decls is None:
            spelled = f"union {node.name}"
            return OpaqueType(spelled, self.unions[spelled].size if spelled in self.unions else 0)
        tag = self._tag(node, name)
        layout = _Layout()
        most = 0
        for declaration in node.decls:
            layout.bits = 0
            self._add(layout, declaration, apart=True)
            most = max(most, layout.bits)
        size = -(-most // (8 * layout.alignment)) * layout.alignment
        spelled = f"union {tag or self._anonymous_tag(tuple(layout.fields))}"
        self.unions[spelled] = StructType(spelled, size, tuple(layout.fields), layout.alignment)
        return OpaqueType(spelled, size)

    def _enum(self, node: Any, name: str) -> CType:
        tag = f"enum {node.name or name}".strip()
        if node.values is None:
            return self.enums.get(tag, IntType(tag, 4, False))
        value = -1
        lowest = 0
        named = self.enumerations[tag] = {}
        for enumerator in node.values.enumerators:
            value = self.constant(enumerator.value) if enumerator.value is not None else value + 1
            self.constants[enumerator.name] = value
            named[value] = enumerator.name
            lowest = min(lowest, value)
        self.enums[tag] = IntType(tag, 4, lowest < 0)
        return self.enums[tag]


def integer_literal(text: str) -> tuple[int, IntType]:
    """Value and type of an integer constant (C11 6.4.4.1, x86-64)."""
    digits = text.rstrip("uUlL")
    suffix = text[len(digits) :].lower()
    if digits[:2].lower() == "0x":
        value, decimal = int(digits, 16), False
    elif digits[:2].lower() == "0b":
        value, decimal = int(digits, 2), False
    elif digits.startswith("0") and len(digits) > 1:
        value, decimal = int(digits, 8), False
    else:
        value, decimal = int(digits), True
    names = ["int", "unsigned int", "long", "unsigned long"]
    if "ll" in suffix:
        names = ["long long", "unsigned long long"]
    elif "l" in suffix:
        names = names[2:]
    if "u" in suffix:
        names = [name for name in names if name.startswith("unsigned")]
    elif decimal:
        names = [name for name in names if not name.startswith("unsigned")]
    for name in names:
        ctype = _INTEGERS[name]
        if ctype.wrap(value) == value:
            return value, ctype
    last = _INTEGERS[names[-1]]
    return last.wrap(value), last


_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27}


def characters(body: str) -> list[int]:
    """The character codes (0 to 255) of what stands between quotes."""
    codes = []
    index = 0
    while index < len(body):
        character = body[index]
        index += 1
        if character != "\\":
            codes.append(ord(character) & 255)
            continue
        escape = body[index]
        index += 1
        if escape in "01234567":
            end = index
            while end < min(index + 2, len(body)) and body[end] in "01234567":
                end += 1
            codes.append(int(body[index - 1 : end], 8) & 255)
            index = end
        elif escape == "x":
            end = index
            while end < len(body) and body[end] in "0123456789abcdefABCDEF":
                end += 1
            codes.append(int(body[index:end], 16) & 255)
            index = end
        else:
            codes.append(_ESCAPES.get(escape, ord(escape)) & 255)
    return codes
