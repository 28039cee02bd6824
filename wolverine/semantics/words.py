"""Texts on fresh heaps: what the strings of new nodes say, and where they are kept.

Words are ordered as the numbers of their nodes are.  Where a function is given a text, one of them is that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from wolverine.core.expressions import Load, Member, variables
from wolverine.core.graph import External, MemoryGraph, NodeId, Place, Pointer, Value
from wolverine.core.program import Assign, Library, Program
from wolverine.core.types import ArrayType, CType, IntType, PointerType, StructReference, Types
from wolverine.semantics.shape import Shape

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WRITING = ("strcpy", "strncpy", "strcat", "sprintf", "snprintf")  # functions that write texts
_FIRST = 32  # a character before all letters
_LONGEST = 64
_APART = 128  # bytes from one text outside of the heap to the next


@dataclass(frozen=True)
class Words:
    """Words by the numbers of nodes, from 1 on.

    `given` is a text that the function is given (b"": none); it is the word of number `at`, so that a
    structure may have it and may not.  Greater numbers have greater words.
    """

    given: bytes = b""
    at: int = 2

    def word(self, number: int) -> bytes:
        """The word of a node, without a final zero."""
        at = max(number, 1) - 1
        if not self.given:
            return (_LETTERS[at % 26] * (1 + at // 26)).encode()
        if at >= self.at:
            return self.given + _LETTERS[(at - self.at) % 26].encode()
        if at == self.at - 1:
            return self.given
        smaller = self.given[:-1] or _smaller(self.given[0])
        return smaller + (bytes((_FIRST + at,)) if at else b"")


def _smaller(code: int) -> bytes:
    """A character that comes before another one."""
    upper = chr(code).upper()
    return upper.encode() if code < 128 and ord(upper) < code else bytes((max(code - 1, 1),))


def given(start: MemoryGraph, parameters: Iterable[Place]) -> Words:
    """The words for a function that is given these parameters."""
    for place in sorted(parameters):
        if is_text(start.cell_types.get(place)):
            found = text_at(start, place)
            if found:
                return Words(found)
    return Words()


def is_text(ctype: CType | None) -> bool:
    """Whether a pointer of that type leads to characters."""
    return isinstance(ctype, PointerType) and isinstance(ctype.target, IntType) and ctype.target.size == 1


def arrays(types: Types, tag: str, size: int) -> dict[int, tuple[int, int]]:
    """The characters of a struct's arrays, by offset: the array's offset, and its length.

    One at the end that has none of its own goes on as far as a node of `size` bytes.
    """
    found: dict[int, tuple[int, int]] = {}
    last = types.open_end(StructReference(tag))
    for field in types.structs[tag].fields:
        match field.type:
            case ArrayType(IntType(size=1), length):
                length = size - field.offset if field == last else length
                if length <= 1:
                    continue
                found.update({field.offset + at: (field.offset, length) for at in range(length)})
    return found


def owned(program: Program, tag: str, types: Types) -> frozenset[int]:
    """The fields, by offset, whose texts the program allocates: what a call gives, or what is copied to."""
    texts = {field.name: field.offset for field in types.structs[tag].fields if is_text(field.type)}
    found = set()
    for function in program.functions.values() if texts else ():
        for step in function.code:
            match step:
                case Assign(_, Member(_, name), value) if any(v.startswith("$") for v in variables(value)):
                    found.add(name)
                case Library(_, called, (Load(Member(_, name)), *_)) if called in _WRITING:
                    found.add(name)
    return frozenset(texts[name] for name in found if name in texts)


def kept_in(start: MemoryGraph, shape: Shape, offset: int, owned: Collection[int]) -> str:
    """Where the texts of a field are: "heap", "outside", or "" where it has none."""
    values = [start.cells.get(Place(node, offset)) for node in shape.nodes]
    if any(isinstance(value, Pointer) and isinstance(value.object, NodeId) for value in values):
        return "heap"
    if any(isinstance(value, External) for value in values):
        return "outside"
    if shape.nodes:
        return ""
    return "heap" if offset in owned else "outside"


def address(start: MemoryGraph, number: int) -> int:
    """An address outside of the program's objects for the text of that number."""
    known: Mapping[int, bytes] = start.outside.strings
    return max(known, default=0) + _LONGEST + _APART * (number + 1)


def text_at(start: MemoryGraph, place: Place) -> bytes:
    """The text to which the pointer at a place leads, b"" where it is not known."""
    return text_of(start, start.cells.get(place))


def text_of(start: MemoryGraph, value: Value | None) -> bytes:
    """The text to which a pointer leads, b"" where it is not known."""
    match value:
        case External(at):
            for begin, data in start.outside.strings.items():
                if begin <= at < begin + len(data):
                    return data[at - begin :].split(b"\0")[0][:_LONGEST]
        case Pointer(target, offset):
            found = bytearray()
            for at in range(_LONGEST):
                code = start.cells.get(Place(target, offset + at))
                if not isinstance(code, int) or not code:
                    break
                found.append(code & 255)
            return bytes(found)
    return b""
