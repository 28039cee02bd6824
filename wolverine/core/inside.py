"""What stands at a byte inside a value, as C names it: `.next`, `[3].key`, `.keys[2]`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from wolverine.core.graph import Node
from wolverine.core.types import (
    ArrayType,
    CType,
    OpaqueType,
    StructReference,
    StructType,
    Types,
    byte_of,
    is_open,
)


def object_type(node: Node) -> CType | None:
    """The type as which the whole allocation is shown."""
    if node.type is None:
        return None
    return ArrayType(node.type, node.count) if node.array or node.count != 1 else node.type


@lru_cache(maxsize=4096)
def _step(struct: StructType, offset: int) -> tuple[str, int, CType] | None:
    """The member of `struct` at or before byte `offset`: name, its offset, type."""
    best, at = None, byte_of(offset)
    for field in struct.fields:
        if field.offset == offset:
            return field.name, field.offset, field.type
        if field.offset <= at and (best is None or field.offset > best.offset):
            best = field
    return None if best is None else (best.name, best.offset, best.type)


def inner_path(types: Types, ctype: CType | None, offset: int, wanted: CType | None = None) -> str:
    """What stands at byte `offset` of a value: `.next`, `[3].key`, `.keys[2]`, `+5`; "" for the whole.

    The walk inwards ends at a scalar, or at a part of type `wanted` that begins there.
    """
    path = ""
    while True:
        if offset == 0 and path and ctype == wanted:
            return path
        match ctype:
            case StructReference(tag) if tag in types.structs:
                step = _step(types.structs[tag], offset)
                if step is None or (byte_of(offset) >= types.structs[tag].size > 0 and not is_open(step[2])):
                    break
                path += f".{step[0]}" if step[0] else ""  # a union without a name
                offset, ctype = offset - step[1], step[2]
            case ArrayType(element, _):
                size = types.size(element)
                if size <= 0:
                    break
                path, ctype = f"{path}[{byte_of(offset) // size}]", element
                offset -= byte_of(offset) // size * size
            case OpaqueType(name) if name in types.unions:
                return path + _member_path(types, types.unions[name], offset, wanted)
            case _:
                break
    return f"{path}+{offset}" if offset else path


def _member_path(types: Types, union: StructType, offset: int, wanted: CType | None) -> str:
    """The same inside a union: in the member where something of type `wanted` begins, else in the first."""
    first = ""
    for field in union.fields:
        if not field.offset <= byte_of(offset) < field.offset + max(types.size(field.type), 1):
            continue
        name = f".{field.name}" if field.name else ""
        if name and offset == field.offset and field.type == wanted:
            return name
        path = name + inner_path(types, field.type, offset - field.offset, wanted)
        if wanted is None or wanted in begun(types, field.type, offset - field.offset):
            return path
        first = first or path
    return first or f"+{offset}"


def begun(types: Types, ctype: CType, offset: int) -> Iterator[CType]:
    """The types of what begins at an offset of a value, from the outside in."""
    if offset == 0:
        yield ctype
    match ctype:
        case StructReference(tag) if tag in types.structs:
            inner = types.structs[tag].fields
        case OpaqueType(name) if name in types.unions:
            inner = types.unions[name].fields
        case ArrayType(element, length) if (size := types.size(element)) and byte_of(offset) // size < length:
            yield from begun(types, element, offset - byte_of(offset) // size * size)
            return
        case _:
            return
    for field in inner:
        if field.offset <= offset and byte_of(offset) < byte_of(field.offset) + max(
            types.size(field.type), 1
        ):
            yield from begun(types, field.type, offset - field.offset)
