"""DWARF types as `core.types`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

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
    bit_field,
)

_SPELLING = {
    "long int": "long",
    "long unsigned int": "unsigned long",
    "short int": "short",
    "short unsigned int": "unsigned short",
    "long long int": "long long",
    "long long unsigned int": "unsigned long long",
}
_BOOLEAN, _FLOAT, _SIGNED, _SIGNED_CHAR, _UNSIGNED, _UNSIGNED_CHAR = 2, 4, 5, 6, 7, 8
_QUALIFIERS = (
    "DW_TAG_const_type",
    "DW_TAG_volatile_type",
    "DW_TAG_restrict_type",
    "DW_TAG_atomic_type",
)


@dataclass
class TypeReader:
    """Reads the types of one object file; `structs` and the others fill as they are met."""

    structs: dict[str, StructType] = field(default_factory=dict)
    enumerations: dict[str, dict[int, str]] = field(default_factory=dict)
    unions: dict[str, StructType] = field(default_factory=dict)
    _shapes: dict[str, list[tuple[object, ...]]] = field(default_factory=dict)
    _cache: dict[tuple[int, str], CType] = field(default_factory=dict)

    def read(self, die: Any | None, name: str = "") -> CType:
        """The type that a type DIE describes (None: void); `name` is given to an anonymous struct."""
        if die is None:
            return VOID
        key = (die.offset, name if "DW_AT_name" not in die.attributes else "")
        if key not in self._cache:
            self._cache[key] = self._read(die, name)
        return self._cache[key]

    def of(self, die: Any) -> CType:
        """The type of a variable, parameter or member DIE."""
        return self.read(target(die))

    def _read(self, die: Any, name: str) -> CType:
        tag = die.tag
        if tag in _QUALIFIERS:
            return self.read(target(die), name)
        match tag:
            case "DW_TAG_typedef":
                return self.read(target(die), text(die, "DW_AT_name"))
            case "DW_TAG_base_type":
                return _base(die)
            case "DW_TAG_pointer_type":
                return PointerType(self.read(target(die), name))
            case "DW_TAG_structure_type" | "DW_TAG_class_type":
                return self._struct(die, name)
            case "DW_TAG_union_type":
                return self._union(die, f"union {self._tag(die, name)}")
            case "DW_TAG_enumeration_type":
                return self._enumeration(die, name)
            case "DW_TAG_array_type":
                return self._array(die, name)
            case "DW_TAG_subroutine_type":
                return FunctionType()
        return OpaqueType(text(die, "DW_AT_name") or tag, number(die, "DW_AT_byte_size"))

    def _struct(self, die: Any, name: str) -> CType:
        tag = self._tag(die, name)
        reference = StructReference(tag)
        if tag in self.structs or "DW_AT_declaration" in die.attributes:
            return reference
        # The entry stands before its members are read, which may lead back here.
        size = number(die, "DW_AT_byte_size")
        self.structs[tag] = StructType(tag, size, ())
        fields: list[Field] = []
        for member in die.iter_children():
            if member.tag == "DW_TAG_member":
                self._member(member, fields)
        alignment = max((_alignment(each.type, self.structs) for each in fields), default=1)
        self.structs[tag] = StructType(tag, size, tuple(fields), alignment)
        return reference

    def _tag(self, die: Any, name: str) -> str:
        """What a struct or union is called; one with other members has another name."""
        plain = text(die, "DW_AT_name") or name or f"<anonymous {number(die, 'DW_AT_decl_line')}>"
        if "DW_AT_declaration" in die.attributes:
            return plain
        members = [child for child in die.iter_children() if child.tag == "DW_TAG_member"]
        shape = (
            die.tag,
            number(die, "DW_AT_byte_size"),
            tuple((text(each, "DW_AT_name"), number(each, "DW_AT_data_member_location")) for each in members),
        )
        known = self._shapes.setdefault(plain, [])
        if shape not in known:
            known.append(shape)
        return plain if shape == known[0] else f"{plain}#{known.index(shape) + 1}"

    def _union(self, die: Any, name: str) -> CType:
        if name not in self.unions and "DW_AT_declaration" not in die.attributes:
            # The entry stands before its members are read, which may lead back here.
            size = number(die, "DW_AT_byte_size")
            self.unions[name] = StructType(name, size, ())
            fields: list[Field] = []
            for member in die.iter_children():
                if member.tag == "DW_TAG_member":
                    self._member(member, fields, apart=True)
            alignment = max((_alignment(each.type, self.structs) for each in fields), default=1)
            self.unions[name] = StructType(name, size, tuple(fields), alignment)
        return OpaqueType(name, number(die, "DW_AT_byte_size"))

    def _enumeration(self, die: Any, name: str) -> CType:
        plain = text(die, "DW_AT_name") or name or f"<anonymous {number(die, 'DW_AT_decl_line')}>"
        spelled = f"enum {plain}"
        values = {
            number(each, "DW_AT_const_value"): text(each, "DW_AT_name")
            for each in die.iter_children()
            if each.tag == "DW_TAG_enumerator"
        }
        if self.enumerations.setdefault(spelled, values) != values:
            spelled += f"#{die.offset}"
            self.enumerations[spelled] = values
        return IntType(spelled, number(die, "DW_AT_byte_size"), signed=any(value < 0 for value in values))

    def _member(self, die: Any, fields: list[Field], *, apart: bool = False) -> None:
        """Add a member; those of a struct without a name count as members themselves, unless `apart`."""
        name = text(die, "DW_AT_name")
        ctype = self.of(die)
        offset = number(die, "DW_AT_data_member_location")
        width = number(die, "DW_AT_bit_size")
        if width:
            first = offset * 8 + number(die, "DW_AT_data_bit_offset")
            fields.append(bit_field(name, first, width, ctype))
        elif not name and isinstance(ctype, StructReference) and not apart:
            for inner in self.structs[ctype.tag].fields:
                fields.append(Field(inner.name, offset + inner.offset, inner.type))
        else:
            fields.append(Field(name, offset, ctype))

    def _array(self, die: Any, name: str) -> CType:
        lengths: list[int] = []
        for child in die.iter_children():
            if child.tag == "DW_TAG_subrange_type":
                lengths.append(_length(child))
        ctype = self.read(target(die), name)
        for length in reversed(lengths):
            ctype = ArrayType(ctype, length)
        return ctype


def target(die: Any) -> Any | None:
    """The DIE that DW_AT_type names, None for void."""
    return die.get_DIE_from_attribute("DW_AT_type") if "DW_AT_type" in die.attributes else None


def text(die: Any, attribute: str) -> str:
    """A string attribute, "" when absent."""
    found = die.attributes.get(attribute)
    return found.value.decode("utf-8", "surrogateescape") if found is not None else ""


def number(die: Any, attribute: str) -> int:
    """A constant attribute, 0 when absent or no constant."""
    found = die.attributes.get(attribute)
    return int(found.value) if found is not None and isinstance(found.value, int) else 0


def _base(die: Any) -> CType:
    name, size = text(die, "DW_AT_name"), number(die, "DW_AT_byte_size")
    name = _SPELLING.get(name, name)
    encoding = number(die, "DW_AT_encoding")
    if encoding == _FLOAT:
        return FloatType(name, size)
    if name == "int" and size == 4:
        return INT
    if encoding in (_SIGNED, _SIGNED_CHAR) and size <= 8:
        return IntType(name, size)
    if encoding in (_UNSIGNED, _UNSIGNED_CHAR, _BOOLEAN) and size <= 8:
        return IntType(name, size, signed=False)
    return OpaqueType(name, size)


def _length(subrange: Any) -> int:
    if "DW_AT_count" in subrange.attributes:
        return number(subrange, "DW_AT_count")
    bound = subrange.attributes.get("DW_AT_upper_bound")
    # References and expressions (variable length arrays) are the business of whoever has the frame.
    if bound is None or not isinstance(bound.value, int) or bound.form.startswith("DW_FORM_ref"):
        return 0
    return int(bound.value) + 1 if bound.value < (1 << 63) else 0


def _alignment(ctype: CType, structs: dict[str, StructType]) -> int:
    match ctype:
        case ArrayType(element):
            return _alignment(element, structs)
        case StructReference(tag):
            return structs[tag].alignment if tag in structs else 1
        case IntType() | FloatType() | PointerType():
            return ctype.size
    return 8 if isinstance(ctype, OpaqueType) and ctype.size % 8 == 0 else 1
