"""What is the system's own business: names that are reserved, types like mutexes and streams."""

from __future__ import annotations

from wolverine.core.types import CType, OpaqueType, PointerType, StructReference, Types

_RESERVED = "__"  # with which no name of a program begins
_STREAMS = {"_IO_FILE": "FILE", "__dirstream": "DIR"}


def reserved(name: str) -> bool:
    """Whether a name is one that the compiler and the library keep for themselves."""
    return name.startswith(_RESERVED)


def private(types: Types, ctype: CType | None) -> str:
    """The name of a struct or union that has such members alone; "" for other types."""
    match ctype:
        case StructReference(tag) if tag in types.structs:
            layout = types.structs[tag]
        case OpaqueType(name) if name in types.unions:
            layout = types.unions[name]
        case _:
            return ""
    if not layout.fields or not all(reserved(field.name) for field in layout.fields):
        return ""
    return layout.tag.removeprefix("union ")


def stream(ctype: CType | None) -> str:
    """What a pointer of that type is known to lead to, a stream of the library; "" for others."""
    match ctype:
        case PointerType(StructReference(tag)):
            return _STREAMS.get(tag, "")
    return ""
