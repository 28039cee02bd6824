"""C types with their layouts (x86-64 System V ABI).  Sizes and offsets are in bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from wolverine.core.hashing import Hashed, hashed_once

BIT = 1 << 54  # what a bit field's offset counts the bits with that lie before it in its first byte


@hashed_once
@dataclass(frozen=True, slots=True)
class IntType(Hashed):
    """An integer, character, `_Bool` or enumeration type; `name` is how C spells it.

    `bits` is the width of a bit field that does not fill the type, else 0.
    """

    name: str
    size: int
    signed: bool = True
    bits: int = 0

    @property
    def width(self) -> int:
        """How many bits a value has."""
        return self.bits or 8 * self.size

    def wrap(self, number: int) -> int:
        """The value that `number` has after conversion to this type (C11 6.3.1.3, gcc's choice)."""
        if self.name == "_Bool":
            return int(number != 0)
        number &= (1 << self.width) - 1
        if self.signed and number >> (self.width - 1):
            number -= 1 << self.width
        return number


@dataclass(frozen=True, slots=True)
class FloatType:
    """`float`, `double` or `long double`; the last is carried, never repaired."""

    name: str
    size: int


@hashed_once
@dataclass(frozen=True, slots=True)
class PointerType(Hashed):
    """A pointer; a struct target is named by a `StructReference`, so that types stay finite."""

    target: CType
    size: int = 8


@dataclass(frozen=True, slots=True)
class StructReference:
    """`struct tag`; its layout is looked up in `Types`."""

    tag: str


@hashed_once
@dataclass(frozen=True, slots=True)
class ArrayType(Hashed):
    """`element[length]`; a length of 0 stands for an incomplete array."""

    element: CType
    length: int


@dataclass(frozen=True, slots=True)
class VoidType:
    """`void`, also the target of `void *`."""


@dataclass(frozen=True, slots=True)
class FunctionType:
    """A function; only ever the target of a pointer.

    `parameters` is None where they are not declared; behind them come others if it is `variadic`.
    """

    result: CType | None = field(default=None, compare=False)
    parameters: tuple[CType, ...] | None = field(default=None, compare=False)
    variadic: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class OpaqueType:
    """A union, whose members are in `Types.unions`, or what is not understood: so many bytes, carried unread.

    The size of a union may be 0 where only its name was known; `Types.size` tells it.
    """

    name: str
    size: int = field(compare=False)

    @property
    def union(self) -> bool:
        """Whether it is a union."""
        return self.name.startswith("union ")


CType = IntType | FloatType | PointerType | StructReference | ArrayType | VoidType | FunctionType | OpaqueType


@dataclass(frozen=True, slots=True)
class Field:
    """A member of a struct at a byte offset.

    A bit field stands at its first byte, and so often `BIT` further as bits of that byte lie before it:
    offsets stay numbers that are added, and no two cells of an object have the same.
    `constant` says what its declaration makes `const`: bit 0 is the member itself, bit 1 what it points to,
    and so on; the elements of an array count as the array.
    """

    name: str
    offset: int
    type: CType
    constant: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class StructType:
    """The layout of a struct: total size with padding, fields in source order."""

    tag: str
    size: int
    fields: tuple[Field, ...]
    alignment: int = 8

    def field(self, name: str) -> Field | None:
        """The field of that name, or None."""
        return next((field for field in self.fields if field.name == name), None)


VOID = VoidType()
INT = IntType("int", 4)
CHAR = IntType("char", 1)
UNSIGNED = IntType("unsigned int", 4, signed=False)
LONG = IntType("long", 8)
SIZE = IntType("unsigned long", 8, signed=False)
VOID_POINTER = PointerType(VOID)


def is_open(ctype: CType) -> bool:
    """Whether a last member of that type goes on behind its struct, where the block does."""
    return isinstance(ctype, ArrayType) and ctype.length <= 1


@dataclass(frozen=True, slots=True)
class Types:
    """The struct layouts of a program, by tag.

    An anonymous `typedef struct {...} T` has the tag `T`.  `enumerations` are the names of values for people,
    `unions` the layouts of unions, by the type's name (`enum color`, `union value`).
    """

    structs: Mapping[str, StructType]
    enumerations: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    unions: Mapping[str, StructType] = field(default_factory=dict)

    def size(self, ctype: CType) -> int:
        """Size in bytes; 1 for `void` and functions as in gcc's pointer arithmetic, 0 when incomplete."""
        match ctype:
            case OpaqueType(name) if name in self.unions:
                return self.unions[name].size
            case IntType() | FloatType() | OpaqueType() | PointerType():
                return ctype.size
            case StructReference(tag):
                return self.structs[tag].size if tag in self.structs else 0
            case ArrayType(element, length):
                return self.size(element) * length
            case VoidType() | FunctionType():
                return 1

    def members(self, ctype: CType) -> Iterator[Field]:
        """The named members of a struct or a union, also those of its unions that have no name."""
        match ctype:
            case StructReference(tag) if tag in self.structs:
                inner = self.structs[tag].fields
            case OpaqueType(name) if name in self.unions:
                inner = self.unions[name].fields
            case _:
                return
        for each in inner:
            if each.name:
                yield each
            else:
                for member in self.members(each.type):
                    yield replace(member, offset=each.offset + member.offset)

    def open_end(self, ctype: CType) -> Field | None:
        """The last member of a struct if it goes on as far as its block: an array of no length, or of one.

        Before C99 it was written with one element, for which less was allocated.
        """
        struct = self.structs.get(ctype.tag) if isinstance(ctype, StructReference) else None
        last = struct.fields[-1] if struct is not None and struct.fields else None
        return last if last is not None and is_open(last.type) else None

    def flexible(self, ctype: CType) -> tuple[int, CType] | None:
        """The element of the array that goes on from a struct's end to the block's, and from where."""
        last = self.open_end(ctype)
        if last is None or not isinstance(last.type, ArrayType):
            return None
        return last.offset + self.size(last.type), last.type.element

    def count(self, ctype: CType, size: int) -> int:
        """How many such values a block of `size` bytes holds: one that has an open end fills it."""
        element = self.size(ctype)
        return 1 if self.flexible(ctype) is not None else size // element if element else 0

    def filling(self, ctype: CType, size: int) -> Iterator[tuple[int, CType]]:
        """The scalar cells of a block of `size` bytes that holds as many such values as fit.

        A struct's open end fills the rest of the block; of one that is larger there are those inside of it.
        """
        tail = self.flexible(ctype)
        if tail is None:
            yield from self.scalars(ArrayType(ctype, self.count(ctype, size)))
            return
        end, element = tail
        step = self.size(element)
        for at, scalar in self.scalars(ctype):
            if byte_of(at) + self.size(scalar) <= size:
                yield at, scalar
        for start in range(end, size - step + 1, step) if step else ():
            yield from self.scalars(element, start)

    def scalars(self, ctype: CType, offset: int = 0) -> Iterator[tuple[int, CType]]:
        """Every scalar cell of a value of that type, as (byte offset, type), in address order."""
        match ctype:
            case StructReference(tag):
                if tag in self.structs:
                    for field in self.structs[tag].fields:
                        yield from self.scalars(field.type, offset + field.offset)
            case ArrayType(element, length):
                step = self.size(element)
                for index in range(length):
                    yield from self.scalars(element, offset + index * step)
            case VoidType() | FunctionType():
                return
            case _:
                yield offset, ctype

    def possible(self, ctype: CType, offset: int = 0) -> Iterator[tuple[int, CType]]:
        """As `scalars`, but of a union the scalars of all of its members."""
        for at, scalar in self.scalars(ctype, offset):
            if isinstance(scalar, OpaqueType) and scalar.name in self.unions:
                for member in self.unions[scalar.name].fields:
                    yield from self.possible(member.type, at + member.offset)
            else:
                yield at, scalar

    def array_at(self, ctype: CType, offset: int, outside: str = "") -> int | None:
        """Where the outermost array begins that has the cell at that byte offset; None where none has.

        Those in a struct with the tag `outside` are none.
        """
        match ctype:
            case ArrayType():
                return 0
            case StructReference(tag) if tag in self.structs and tag != outside:
                for field in self.structs[tag].fields:
                    if field.offset <= offset < field.offset + self.size(field.type):
                        inner = self.array_at(field.type, offset - field.offset, outside)
                        return None if inner is None else field.offset + inner
        return None

    def record_at(self, ctype: CType, offset: int) -> int | None:
        """Where the struct begins of which the cell at that byte offset is a field, within the arrays around.

        None where the cell is an element of an array itself, be it one in a struct.
        """
        match ctype:
            case ArrayType(StructReference() as element):
                inner = offset % self.size(element)
                begin = self.record_at(element, inner)
                return None if begin is None else offset - inner + begin
            case ArrayType():
                return None
            case StructReference(tag) if tag in self.structs:
                for field in self.structs[tag].fields:
                    inner = offset - field.offset
                    if 0 <= inner < self.size(field.type) and isinstance(field.type, ArrayType):
                        begin = self.record_at(field.type, inner)
                        return None if begin is None else field.offset + begin
        return 0


def byte_of(offset: int) -> int:
    """The byte at which a cell begins, by its offset (not negative), which may be that of a bit field."""
    return offset & BIT - 1


def bit_of(offset: int) -> int:
    """How many bits of its first byte lie before a cell, by its offset (not negative)."""
    return offset // BIT


def bit_field(name: str, first: int, width: int, ctype: CType, constant: int = 0) -> Field:
    """A bit field of so many bits that begins at bit `first` of its struct, declared with a type."""
    byte, bit = divmod(first, 8)
    if not isinstance(ctype, IntType) or width == 8 * ctype.size:
        return Field(name, byte, ctype, constant)
    return Field(name, byte + bit * BIT, IntType(ctype.name, ctype.size, ctype.signed, width), constant)


def is_scalar(ctype: CType) -> bool:
    """Whether values of the type fit one cell."""
    if isinstance(ctype, OpaqueType):
        return not ctype.union
    return isinstance(ctype, (IntType, FloatType, PointerType))


def is_number(ctype: CType) -> bool:
    """Whether values of the type are numbers that the model reckons with."""
    return isinstance(ctype, IntType) or (isinstance(ctype, FloatType) and ctype.size <= 8)


def is_text(ctype: CType) -> bool:
    """Whether values of the type are pointers to characters."""
    match ctype:
        case PointerType(IntType(name, 1)):
            return name != "_Bool"
    return False


def promoted(ctype: IntType) -> IntType | None:
    """The type in which C reckons with such an integer (C11 6.3.1.1); None where it has no name."""
    if ctype.bits > 32:
        return None
    if ctype.bits:
        return INT if ctype.bits < 32 or ctype.signed else UNSIGNED
    return INT if ctype.size < 4 else ctype


def spell(ctype: CType) -> str:
    """The type as C writes it in a cast, for people and for emitted code."""
    match ctype:
        case IntType(name) | FloatType(name) | OpaqueType(name):
            return name
        case PointerType(FunctionType()):
            return "void (*)()"
        case PointerType(ArrayType() as array):
            element, lengths = _dimensions(array)
            return f"{spell(element)} (*){lengths}"
        case PointerType(target):
            inner = spell(target)
            return inner + ("*" if inner.endswith("*") else " *")
        case StructReference(tag):
            return f"struct {tag}"
        case ArrayType():
            element, lengths = _dimensions(ctype)
            return f"{spell(element)} {lengths}"
        case VoidType():
            return "void"
        case FunctionType():
            return "void ()"


def _dimensions(array: CType) -> tuple[CType, str]:
    """What an array of arrays is made of, and its lengths from the outermost on: `[2][3]`."""
    lengths = ""
    while isinstance(array, ArrayType):
        lengths, array = f"{lengths}[{array.length}]", array.element
    return array, lengths
