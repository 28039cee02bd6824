"""Library functions carried out by the model, against what the C standard and glibc say."""

from __future__ import annotations

import pytest

from wolverine.semantics.address import INT1, KIND_SHIFT, LITERAL, OBJECT_BITS
from wolverine.semantics.blocks import Blocks
from wolverine.semantics.faults import Fault
from wolverine.semantics.formatting import Formatting
from wolverine.semantics.library import MODELLED, Library
from wolverine.semantics.memory import Memory
from wolverine.semantics.numbers import Numbers
from wolverine.semantics.strings import Strings

RESULT = 5  # the key of some cell


class World:
    """A memory with literals, and a library on it."""

    def __init__(self) -> None:
        self.literals: list[bytes] = []
        self.memory = Memory(lambda _: None, self._literal)
        self.library = Library(self.memory, lambda _: None)

    def _literal(self, number: int) -> bytes | None:
        return self.literals[number] if number < len(self.literals) else None

    def text(self, text: bytes) -> int:
        self.literals.append(text + b"\0")
        return LITERAL + (len(self.literals) - 1 << OBJECT_BITS)

    def call(self, name: str, *values: int) -> int:
        assert self.library.call(name, values, [0] * len(values), RESULT)
        return int(self.memory.cells[RESULT])

    def read(self, address: int, size: int) -> bytes:
        cells = self.memory.cells
        return bytes(cells[address + at + (INT1 << KIND_SHIFT)] & 255 for at in range(size))


@pytest.mark.parametrize(
    ("text", "value"),
    [(b"12", 12), (b"  -7x", -7), (b"+3", 3), (b"", 0), (b"x", 0), (b"-", 0), (b"4294967297", 1)],
)
def test_atoi(text: bytes, value: int) -> None:
    world = World()
    assert world.call("atoi", world.text(text)) == value


@pytest.mark.parametrize(
    ("text", "value", "taken"),
    [
        (b"0.5", 0.5, 3),
        (b" -7x", -7.0, 3),
        (b"+.25e1;", 2.5, 6),
        (b"3.e", 3.0, 2),
        (b"", 0.0, 0),
        (b".", 0.0, 0),
    ],
)
def test_strtod_tells_value_and_end(text: bytes, value: float, taken: int) -> None:
    world = World()
    given, end = world.text(text), world.memory.allocate(8)
    for name, values in (("strtod", (given, end)), ("atof", (given,))):
        assert world.library.call(name, values, [0] * len(values), RESULT)
        assert world.memory.cells[RESULT] == value
    [(_, found)] = world.memory.node_cells(1)
    assert found == given + taken


@pytest.mark.parametrize("text", [b"inf", b"0x1p3", b"-nan", b"1e999"])
def test_what_is_no_plain_decimal_number_is_left_to_the_process(text: bytes) -> None:
    world = World()
    assert not world.library.call("atof", [world.text(text)], [0], RESULT)


@pytest.mark.parametrize(
    ("text", "base", "value", "taken"),
    [(b"0x1fg", 16, 31, 4), (b"0x", 16, 0, 1), (b"077", 0, 63, 3), (b"zz", 36, 1295, 2), (b" 9 ", 10, 9, 2)],
)
def test_strtol_tells_value_and_end(text: bytes, base: int, value: int, taken: int) -> None:
    world = World()
    given, end = world.text(text), world.memory.allocate(8)
    assert world.call("strtol", given, end, base) == value
    [(_, found)] = world.memory.node_cells(1)
    assert found == given + taken


def test_strings_are_copied_joined_and_compared() -> None:
    world = World()
    space = world.memory.allocate(16)
    assert world.call("strcpy", space, world.text(b"ab")) == space
    assert world.call("strcat", space, world.text(b"cd")) == space
    assert world.read(space, 5) == b"abcd\0"
    assert world.call("strlen", space) == 4
    assert world.call("strcmp", space, world.text(b"abd")) == -1
    assert world.call("strncmp", space, world.text(b"abd"), 2) == 0
    assert world.call("strcasecmp", space, world.text(b"ABCD")) == 0
    assert world.call("strchr", space, ord("c")) == space + 2
    assert world.call("strstr", space, world.text(b"x")) == 0
    assert world.call("strncpy", space + 8, space, 6) == space + 8
    assert world.read(space + 8, 6) == b"abcd\0\0"
    copy = world.call("strdup", space)
    assert world.read(copy, 5) == b"abcd\0"
    assert world.memory.node_size(2) == 5


def test_overlapping_moves_take_cells_of_every_kind() -> None:
    world = World()
    space = world.memory.allocate(32)
    world.memory.put(space + (3 << KIND_SHIFT), 17)  # four bytes
    world.memory.put(space + 4 + (INT1 << KIND_SHIFT), 5)
    world.call("memmove", space + 4, space, 8)
    assert world.memory.cells[space + 4 + (3 << KIND_SHIFT)] == 17
    assert world.read(space + 8, 1) == b"\5"
    assert space + 4 + (INT1 << KIND_SHIFT) not in world.memory.cells


def test_cleared_memory_reads_as_zero() -> None:
    world = World()
    space = world.memory.allocate(12)
    world.memory.put(space + (3 << KIND_SHIFT), 17)
    world.call("memset", space, 0, 8)
    assert world.memory.miss(space + (3 << KIND_SHIFT)) == 0
    assert world.memory.miss(space + 8 + (3 << KIND_SHIFT)) is None


def test_what_is_not_known_is_left_alone() -> None:
    world = World()
    space, small = world.memory.allocate(16), world.memory.allocate(2)
    before = dict(world.memory.cells)
    assert not world.library.call("strlen", [space], [0], RESULT)
    assert not world.library.call("strcpy", [small, world.text(b"long")], [0, 0], None)
    assert not world.library.call("memcpy", [small, world.text(b"long"), 5], [0, 0, 0], None)
    assert world.memory.cells == before


def test_crashes_are_faults() -> None:
    world = World()
    with pytest.raises(Fault, match="null"):
        world.call("strlen", 0)
    with pytest.raises(Fault, match="literal"):
        world.call("strcat", world.text(b"a"), world.text(b"b"))


def test_every_function_is_carried_out_in_one_place() -> None:
    families = (Strings, Blocks, Numbers, Formatting)
    assert sum(len(each.names()) for each in families) == len(MODELLED)
    assert {"strcmp", "memset", "atoi"} <= MODELLED


def test_what_is_formatted_is_cut_to_its_room() -> None:
    world = World()
    space, name = world.memory.allocate(8), world.text(b"bob")
    assert world.call("snprintf", space, 8, world.text(b"%s-%d"), name, 12345) == 9
    assert world.read(space, 8) == b"bob-123\0"
    assert world.call("sprintf", space, world.text(b"%-4s|"), name) == 5
    assert world.read(space, 6) == b"bob |\0"
    assert world.call("snprintf", 0, 0, world.text(b"%5d"), 7) == 5
    before = dict(world.memory.cells)
    for form, value in ((b"%s", space), (b"%p", space), (b"%d%d", 1)):  # itself, an address, one too few
        assert not world.library.call("sprintf", [space, world.text(form), value], [0, 0, 0], RESULT)
    assert not world.library.call("sprintf", [space, world.text(b"%09d"), 1], [0, 0, 0], RESULT)
    assert world.memory.cells == before
