"""How objects, places and values are called in pictures, words and events.

A node is `n4`, its field `n4.prev`, an element `n4[2]`; a global is `head`, a local `f::x` (the second
activation of `f` counted from the innermost is `f#2::x`).  All text that comes from the program passes
`safe`, so that no control character reaches a terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import inf, ldexp, nan

from wolverine.core.expressions import source_name
from wolverine.core.graph import (
    UNINITIALISED,
    External,
    MemoryGraph,
    NodeId,
    ObjectId,
    Opaque,
    Place,
    Pointer,
    Uninitialised,
    Value,
    VariableId,
    Wild,
)
from wolverine.core.inside import inner_path, object_type
from wolverine.core.types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    OpaqueType,
    PointerType,
)
from wolverine.core.unions import holds, is_union, telling
from wolverine.draw.columns import columns, cut, stands_alone
from wolverine.draw.kept import Kept
from wolverine.draw.private import stream

_ESCAPES = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 0: "\\0"}


def safe(text: str) -> str:
    """`text` with everything escaped that a terminal does not draw by itself."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(character) for character in text)


def _escaped(character: str) -> str:
    code = ord(character)
    if stands_alone(character):
        return character
    return _ESCAPES.get(code) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def is_character(ctype: CType | None) -> bool:
    """Whether values of the type are shown as characters."""
    return isinstance(ctype, IntType) and ctype.size == 1 and "char" in ctype.name


_QUOTED = 24  # columns of a string that are shown
_ADDRESS = 8  # bytes


def quoted(data: bytes) -> str:
    """The string that begins there as C writes it, cut when long; UTF-8 is shown as such."""
    text, _, _ = data.partition(b"\0")
    shown = ""
    for character in text.decode("utf-8", "surrogateescape"):
        code = ord(character)
        if code < 128:
            shown += character_text(code, '"')
        else:
            shown += character_text(code & 255, '"') if 0xDC80 <= code < 0xDD00 else safe(character)
        if columns(shown) > _QUOTED:
            return f'"{cut(shown, _QUOTED)}"…'
    return f'"{shown}"'


def character_text(code: int, quote: str = "'") -> str:
    """A character as C writes it inside quotes of that kind."""
    code &= 255
    if code in _ESCAPES:
        return _ESCAPES[code]
    if chr(code) in (quote, "\\"):
        return "\\" + chr(code)
    return chr(code) if 32 <= code < 127 else f"\\x{code:02x}"


class Names:
    """The names of everything in one graph.  `short` is for pictures: the innermost frame's are plain."""

    def __init__(self, graph: MemoryGraph) -> None:
        self.graph = graph
        self._kept = Kept(graph)
        self.types: dict[VariableId, CType] = {}
        self._long: dict[VariableId, str] = {}
        self._short: dict[VariableId, str] = {}
        for variable in graph.globals:
            name = safe(source_name(variable.id.name))
            self.types[variable.id] = variable.type
            self._long[variable.id] = (
                f"{safe(variable.id.function)}::{name}" if variable.id.function else name
            )
        taken = set()
        seen: Counter[str] = Counter()
        for index, frame in enumerate(graph.frames):
            seen[frame.function] += 1
            nth = seen[frame.function]
            prefix = safe(frame.function) + (f"#{nth}" if nth > 1 else "")
            uses = Counter(source_name(variable.id.name) for variable in frame.variables)
            for variable in frame.variables:
                plain = source_name(variable.id.name)
                name = safe(plain if uses[plain] == 1 else variable.id.name)
                self.types[variable.id] = variable.type
                self._long[variable.id] = f"{prefix}::{name}"
                if index == 0:
                    self._short[variable.id] = name
                    taken.add(name)
        for variable in graph.globals:
            if self._long[variable.id] in taken:
                self._short[variable.id] = "::" + self._long[variable.id]

    def object(self, target: ObjectId, short: bool = False) -> str:
        """A node's or a variable's name."""
        if isinstance(target, NodeId):
            return f"n{target.number}"
        if short and target in self._short:
            return self._short[target]
        name = self._long.get(target)
        if name is None:
            plain = safe(source_name(target.name))
            name = f"{safe(target.function)}::{plain}" if target.function else plain
        return name

    def type_of(self, target: ObjectId) -> CType | None:
        """The type of the whole object, None when unknown."""
        if isinstance(target, NodeId):
            node = self.graph.nodes.get(target)
            return None if node is None else object_type(node)
        return self.types.get(target)

    def inside(self, target: ObjectId, offset: int, wanted: CType | None = None) -> str:
        """The path to byte `offset` inside an object."""
        return safe(inner_path(self.graph.types, self.type_of(target), offset, wanted))

    def place(self, place: Place, short: bool = False) -> str:
        """A cell's name."""
        wanted = self.graph.cell_types.get(place)
        return self.object(place.object, short) + self.inside(place.object, place.offset, wanted)

    def pointer(self, value: Pointer, ctype: CType | None = None, short: bool = True) -> str:
        """Where a pointer leads: `n3`, `&n3.next`, `&x`, `&a[3]`; `ctype` is the pointer's own type."""
        wanted = ctype.target if isinstance(ctype, PointerType) else None
        target = value.object
        path = (
            self.inside(target, value.offset, wanted) if value.offset or self._first(target, wanted) else ""
        )
        function = isinstance(target, VariableId) and not target.function and self._is_function(target.name)
        whole = isinstance(target, NodeId) and (not path or path.startswith("+"))
        sign = "" if whole or function else "&"
        return sign + self.object(value.object, short) + path

    def _first(self, target: ObjectId, wanted: CType | None) -> bool:
        """Whether a pointer to the beginning of a variable leads to the first element of an array."""
        part = self.types.get(target) if isinstance(target, VariableId) else None
        while isinstance(part, ArrayType):
            part = part.element
            if part == wanted:
                return True
        return False

    def _is_function(self, name: str) -> bool:
        return name in self.graph.outside.functions

    def value(self, value: Value, ctype: CType | None = None, null: str = "NULL") -> str:
        """A value in words of the picture."""
        match value:
            case None:
                return null
            case Pointer():
                return self.pointer(value, ctype)
            case Uninitialised():
                return "?"
            case External(address) if _leads_to_characters(ctype) and (
                (text := self.graph.outside.text(address)) is not None
            ):
                return quoted(text)
            case External(address) if texts := self.texts(address, ctype):
                return texts
            case External(address) if address in self.graph.outside.symbols:
                return safe(self.graph.outside.symbols[address])
            case External() if name := stream(ctype):
                return name
            case Wild(address) | External(address):
                return hex(address)
            case Opaque(data) if isinstance(ctype, OpaqueType) and is_union(self.graph.types, ctype):
                return self._union(data, ctype)
            case Opaque(data) if isinstance(ctype, FloatType):
                return f"{_long_double(data):.10g}"
            case Opaque(data):
                return "0x" + data[:6].hex() + ("…" if len(data) > 6 else "")
            case float():
                return f"{value:g}"
            case _:
                if isinstance(ctype, IntType) and ctype.name in self.graph.types.enumerations:
                    return self.graph.types.enumerations[ctype.name].get(int(value), str(value))
                if isinstance(ctype, IntType) and ctype.name == "_Bool" and value in (0, 1):
                    return "true" if value else "false"
                if is_character(ctype) and isinstance(ctype, IntType) and ctype.name == "char":
                    return f"'{character_text(value)}'"
                if (led := self._kept.leads(int(value), ctype)) is not None:
                    pointer, kind, flags = led
                    return (
                        f"{self.pointer(pointer, kind)} | {flags}" if flags else self.pointer(pointer, kind)
                    )
                return str(value)

    def texts(self, address: int, ctype: CType | None) -> str:
        """The texts of an array outside of the picture, as `argv` is: `{"prog", "-v"}`, cut where it is long.

        Nothing where it has no end, or there is anything else in it.
        """
        if not isinstance(ctype, PointerType) or not _leads_to_characters(ctype.target):
            return ""
        outside, found = self.graph.outside, list[str]()
        while (value := outside.pointers.get(address, UNINITIALISED)) is not None:
            data = outside.text(value.address) if isinstance(value, External) else None
            if data is None or not is_text(data):
                return ""
            if sum(map(columns, found)) > _QUOTED:
                return f"{{{', '.join(found)}, …}}"
            path, slash, name = data.rpartition(b"/")  # of a long path the end says most
            found.append(f'"…/{quoted(name)[1:]}' if slash and len(path) > _QUOTED // 2 else quoted(data))
            address += _ADDRESS
        return f"{{{', '.join(found)}}}" if found else ""

    def members(self, data: bytes, ctype: OpaqueType) -> Iterator[tuple[str, str, Value]]:
        """What the bytes of a union may mean, as (member, its text, its value).

        Characters that are no text and what gcc alone understands are left out.
        """
        for member in telling(self.graph, ctype, data):
            if isinstance(member.type, ArrayType):
                text = data[member.offset : member.offset + self.graph.types.size(member.type)]
                if is_text(text):
                    yield safe(member.path), quoted(text), Opaque(text)
                continue
            value = holds(self.graph, data, member)
            if not isinstance(value, Opaque):
                yield safe(member.path), self.value(value, member.type), value

    def _union(self, data: bytes, ctype: OpaqueType) -> str:
        """What the bytes of a union may mean, in one line: `i=65 c='A'`."""
        return " ".join(f"{path}={text}" for path, text, _ in self.members(data, ctype)) or "0x" + data.hex()


def _long_double(data: bytes) -> float:
    """The extended precision of x87, as near as a double comes to it."""
    mantissa, high = int.from_bytes(data[:8], "little"), int.from_bytes(data[8:10], "little")
    sign, exponent = (-1 if high >> 15 else 1), high & 0x7FFF
    if exponent == 0x7FFF:
        return sign * inf if mantissa << 1 & (1 << 64) - 1 == 0 else nan
    try:
        return sign * ldexp(mantissa, exponent - 16383 - 63)
    except OverflowError:
        return sign * inf


def is_text(data: bytes) -> bool:
    """Whether the characters before the first zero can be read."""
    text, zero, _ = data.partition(b"\0")
    return bool(zero or text) and all(32 <= code != 127 or code in (9, 10) for code in text)


def _leads_to_characters(ctype: CType | None) -> bool:
    return isinstance(ctype, PointerType) and is_character(ctype.target)


def place_text(graph: MemoryGraph, place: Place, short: bool = False) -> str:
    """The name of a place as events write it: `n4.prev`, `head`, `reverse::current`, `main::a[3]`.

    The `short` one is that of the picture: without the innermost frame's function.
    """
    return Names(graph).place(place, short)
