"""Characters behind the pointers that lead out of the picture: arguments and string literals."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping

from wolverine.core.graph import Outside, Value
from wolverine.core.types import CType, FunctionType, IntType, PointerType
from wolverine.debugger.memory import Memory

_MOST_BYTES = 4096  # of one string
_MOST_STRINGS = 512
_MOST_POINTERS = 1024  # of one array
_PAGE = 4096


def outside(
    memory: Memory,
    pointers: Iterable[tuple[int, CType]],
    decode: Callable[[int], Value],
    functions: Mapping[str, int],
    symbol: Callable[[int], str | None],
) -> Outside:
    """What external pointers (address, type of the target) to `char` and `char *` lead to; the functions.

    `symbol` names the functions of libraries.

    An array of pointers is read up to its first null.
    """
    strings: dict[int, bytes] = {}
    cells: dict[int, Value] = {}
    symbols: dict[int, str] = {}
    for address, target in pointers:
        if _is_character(target):
            _read_string(memory, address, strings)
        elif isinstance(target, FunctionType):
            if (name := symbol(address)) is not None:
                symbols[address] = name
        elif isinstance(target, PointerType) and _is_character(target.target):
            for at, pointed in _array(memory, address):
                cells[at] = decode(pointed)
                if pointed:
                    _read_string(memory, pointed, strings)
    return Outside(strings, cells, functions, symbols)


def _is_character(ctype: CType) -> bool:
    return isinstance(ctype, IntType) and ctype.size == 1


def _read_string(memory: Memory, address: int, strings: dict[int, bytes]) -> None:
    if address in strings or len(strings) >= _MOST_STRINGS:
        return
    data = b""
    while len(data) < _MOST_BYTES:
        at = address + len(data)
        piece = memory.read_some(at, min(64, _PAGE - at % _PAGE))
        end = piece.find(b"\0")
        if end >= 0:
            strings[address] = data + piece[: end + 1]
            return
        if not piece:
            break
        data += piece
    if data:
        strings[address] = data


def _array(memory: Memory, address: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    while len(found) < _MOST_POINTERS:
        at = address + 8 * len(found)
        piece = memory.read_some(at, 8)
        if len(piece) < 8:
            break
        (pointed,) = struct.unpack("<Q", piece)
        found.append((at, pointed))
        if not pointed:
            break
    return found
