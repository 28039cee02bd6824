"""Arrays of texts outside of the picture, such as the arguments of the program."""

from __future__ import annotations

from wolverine.core.graph import External, MemoryGraph, Outside
from wolverine.core.types import CHAR, PointerType, Types
from wolverine.draw.names import Names

ARRAY, TEXTS = 0x1000, PointerType(PointerType(CHAR))


def _told(*texts: bytes, end: bool = True) -> str:
    strings = {0x2000 + 256 * index: text + b"\0" for index, text in enumerate(texts)}
    pointers = {ARRAY + 8 * index: External(address) for index, address in enumerate(strings)}
    cells = {**pointers, **({ARRAY + 8 * len(texts): None} if end else {})}
    graph = MemoryGraph(Types({}), outside=Outside(strings, cells))
    return Names(graph).value(External(ARRAY), TEXTS)


def test_the_texts_are_told_in_braces() -> None:
    assert _told(b"./list", b"-v", b'a "b"') == r'{"./list", "-v", "a \"b\""}'


def test_of_a_long_path_the_end_is_told_and_of_many_texts_the_first() -> None:
    assert _told(b"/home/somebody/somewhere/list", b"12") == '{"…/list", "12"}'
    assert _told(*[b"number"] * 9) == '{"number", "number", "number", "number", …}'


def test_what_does_not_end_or_is_no_text_stays_an_address() -> None:
    assert _told(b"one", end=False) == _told(b"\x01\x02") == _told() == hex(ARRAY)
