"""The model's address space: every object is a range of integers, every cell one integer key.

An object has a number; byte `offset` of it has the address `(number << 24) + HALF + offset`, so that
offsets a little below zero still belong to it.  Null is 0.  A pointer value is an address, a cell's key
is `address + (kind << 54)`, where the kind says how many bytes of which sort are stored: a read of
another width than the write does not find the cell, and the slow path tells why.  The kind of a bit field
tells at which bit of its first byte it begins: its offset is made such that the sum is right (`types.BIT`).

Ranges of numbers: heap node k is k; global i is GLOBALS + i; variable i of the activation at depth d
is LOCALS + d * FRAME + i.  Beyond 2**64 lie the values that can only be carried.
"""

from __future__ import annotations

from wolverine.core.types import BIT, CType, FloatType, IntType, OpaqueType, PointerType

OBJECT_BITS = 24
HALF = 1 << 23
OBJECT_LIMIT = 1 << 22  # bytes: the largest object that is modelled
OFFSET_MASK = (1 << OBJECT_BITS) - 1
GLOBALS = 1 << 24
LOCALS = 1 << 25
FRAME = 1 << 12  # variables in one activation
EXTERNAL = 1 << 64
WILD = 1 << 65
LITERAL = 1 << 66
LITERALS = 1 << 62  # where graphs have the literals of the model, which no process has there
NOTED = 1 << 67  # cells that only tell that something was noted: going back takes them away
LEFT = 1 << 68  # cells of arrays that were left, within their objects: that happens from then on
TOKENS = 1 << 60  # no cell lies above

KIND_SHIFT = BIT.bit_length() - 1
ADDRESS_MASK = (1 << KIND_SHIFT) - 1
KIND_BITS = 63 << KIND_SHIFT

INT1, INT2, INT4, INT8, POINTER, FLOAT4, FLOAT8, FLOAT16, OPAQUE = range(1, 10)
STATE, ZEROED, COUNT, USED = range(10, 14)  # of nodes: size and liveness, calloc, how many, use when freed
OUTPUT = 14  # what was printed
BITS = 15  # of bit fields, by the bit of their first byte: 15 to 22
INPUT = 23  # how much was read
SPOILT = 24  # of a byte: what it holds was written as a part of something else
UNDER_WAY = 25  # of an activation: how far it has come in several statements that an edit has put into a gap
RANDOM = 26  # how many random numbers were drawn
CELL_KINDS = (POINTER, INT4, INT8, INT1, INT2, FLOAT8, FLOAT4, FLOAT16, OPAQUE)
HIDDEN = 32 << KIND_SHIFT  # added to the keys of a freed node's cells where its use is a fault

KIND_SIZE = {
    INT1: 1, INT2: 2, INT4: 4, INT8: 8, POINTER: 8, FLOAT4: 4, FLOAT8: 8, FLOAT16: 16, OPAQUE: 1,
    **{BITS + bit: 1 for bit in range(8)}, SPOILT: 1,
}  # fmt: skip
_INT_KINDS = {1: INT1, 2: INT2, 4: INT4, 8: INT8}
# what the tracker fills fresh nodes with, as cells hold it
_FILL = 0xCDCDCDCDCDCDCDCD
FILLED = {
    POINTER: WILD + _FILL,
    **{kind: (_FILL >> 64 - 8 * size) - (1 << 8 * size) for size, kind in _INT_KINDS.items()},
}
_FLOAT_KINDS = {4: FLOAT4, 8: FLOAT8}

STATE_KEY = STATE << KIND_SHIFT
ZEROED_KEY = ZEROED << KIND_SHIFT
USED_KEY = USED << KIND_SHIFT
COUNT_KEY = COUNT << KIND_SHIFT
OUTPUT_KEY = OUTPUT << KIND_SHIFT
INPUT_KEY = INPUT << KIND_SHIFT
RANDOM_KEY = RANDOM << KIND_SHIFT
UNDER_WAY_KEY = UNDER_WAY << KIND_SHIFT


def node_address(number: int) -> int:
    """The address of byte 0 of node `number`."""
    return (number << OBJECT_BITS) + HALF


def global_address(index: int) -> int:
    """The address of byte 0 of global number `index` of the program."""
    return (GLOBALS + index << OBJECT_BITS) + HALF


def frame_base(depth: int) -> int:
    """What `local_offset` is added to in the activation at `depth` (main 0)."""
    return LOCALS + depth * FRAME << OBJECT_BITS


def local_offset(index: int) -> int:
    """Byte 0 of variable `index`, relative to the base of its frame."""
    return (index << OBJECT_BITS) + HALF


def number_of(address: int) -> int:
    """The number of the object that the address belongs to; 0 or less for null and near it."""
    return address >> OBJECT_BITS


def offset_of(address: int) -> int:
    """The byte offset in that object, negative in front of it."""
    return (address & OFFSET_MASK) - HALF


def is_null(key: int) -> bool:
    """Whether it is the key of a cell to which null leads."""
    # offsets from null may be negative
    return (
        key < TOKENS and key - (key + (1 << KIND_SHIFT - 1) >> KIND_SHIFT << KIND_SHIFT) >> OBJECT_BITS <= 0
    )


def kind_of(ctype: CType) -> int:
    """The kind of a scalar type's cells."""
    match ctype:
        case IntType(_, size, _, bits):
            return BITS if bits else _INT_KINDS.get(size, OPAQUE)
        case PointerType():
            return POINTER
        case FloatType(_, size):
            return _FLOAT_KINDS.get(size, FLOAT16)
        case OpaqueType() if ctype.union:
            return SPOILT  # it has no cell as a whole: its members do
        case _:
            return OPAQUE


def cell_key(ctype: CType, address: int) -> int:
    """The key of a scalar of that type at an address."""
    return address + (kind_of(ctype) << KIND_SHIFT)


def is_real(key: int) -> bool:
    """Whether the cell with that key holds a floating-point number."""
    return FLOAT4 <= key >> KIND_SHIFT <= FLOAT16


def cell_place(key: int) -> int:
    """The offset of a cell in its object, as places have it."""
    kind = (key & ~HIDDEN) >> KIND_SHIFT
    return offset_of(key & ADDRESS_MASK) + max(kind - BITS, 0) * BIT


def field_key(ctype: CType, offset: int) -> tuple[int, int]:
    """The byte and the kind of a scalar's cell at an offset of an object."""
    key = cell_key(ctype, HALF + offset)
    return offset_of(key & ADDRESS_MASK), key >> KIND_SHIFT


def integer_raw(value: int, kind: int) -> int:
    """How an integer lies in a cell of that kind."""
    return value if kind >= BITS else signed_raw(value, KIND_SIZE[kind])


def signed_raw(value: int, size: int) -> int:
    """How an integer of `size` bytes lies in memory: as the signed number with the same bits."""
    half = 1 << 8 * size - 1
    return (value + half & (half << 1) - 1) - half
