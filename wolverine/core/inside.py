"""What stands at a byte inside a value, as C names it: `.next`, `[3].key`, `.keys[2]`."""

from __future__ import annotations

from functools import lru_cache

from wolverine.core.graph import Node
from wolverine.core.types import ArrayType, CType, StructReference, StructType, Types, byte_of


def object_type(node: Node) -> CType | None:
    """The type as which the whole allocation is shown."""
    if node.type is None:
        return None
    return ArrayType(node.type, node.count) if node.array or node.count != 1 else node.type


def _open(ctype: CType) -> bool:
    """Whether the member goes on behind its struct: an array of no length."""
    return isinstance(ctype, ArrayType) and ctype.length == 0


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
                if step is None or (byte_of(offset) >= types.structs[tag].size > 0 and not _open(step[2])):
                    break
                path += f".{step[0]}" if step[0] else ""  # a union without a name
                offset, ctype = offset - step[1], step[2]
            case ArrayType(element, _):
                size = types.size(element)
                if size <= 0:
                    break
                path, ctype = f"{path}[{byte_of(offset) // size}]", element
                offset -= byte_of(offset) // size * size
            case _:
                break
    return f"{path}+{offset}" if offset else path
