"""The machine's memory: one dictionary of cells, a trail for undoing, and a hash of the whole."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wolverine.semantics.address import (
    ADDRESS_MASK,
    BITS,
    CELL_KINDS,
    COUNT_KEY,
    FILLED,
    GLOBALS,
    HALF,
    HIDDEN,
    INT1,
    KIND_BITS,
    KIND_SHIFT,
    KIND_SIZE,
    LEFT,
    LITERAL,
    OBJECT_BITS,
    OBJECT_LIMIT,
    OFFSET_MASK,
    OUTPUT_KEY,
    POINTER,
    SPOILT,
    STATE_KEY,
    TOKENS,
    USED_KEY,
    WILD,
    ZEROED_KEY,
    is_real,
    node_address,
    number_of,
    offset_of,
    signed_raw,
)
from wolverine.semantics.faults import NULL_DEREFERENCED, Fault, Undetermined, Unmodelled
from wolverine.semantics.unknown import Unknown


class Repeated(NamedTuple):
    """Cells of an object that hold the same as long as they are not written: their kind, shifted, and it."""

    offsets: range
    bits: int
    raw: int


_SALT = 0x5BD1E995  # hash(-1) == hash(-2) in CPython: spread small numbers first
_SHIFTED = tuple(kind << KIND_SHIFT for kind in CELL_KINDS)
_BITS = BITS << KIND_SHIFT
_SPOILT = SPOILT << KIND_SHIFT


def cell_hash(key: int, value: Any) -> int:
    """The contribution of one cell to the key of a memory; counters (negative keys) and output have none."""
    if value is None or key < 0 or key == OUTPUT_KEY:
        return 0
    return hash((key, value ^ _SALT)) if type(value) is int else hash((key, value))


class Memory:
    """Cells by key (see `address`), absent when uninitialised; integers lie as signed numbers.

    `cells` and `trail` keep their identity for life: compiled code holds them.  Node k has a
    bookkeeping cell `node_address(k) + STATE_KEY`: its size, or -1 - size when freed.  `extent` tells the
    size of a variable by its object number (None: no such variable now).  `reality` are the cells of the
    process beside which the machine runs, as they were when the trail was `real_until`: what the model never
    saw written is read from there.  Where that does not tell either, a `filled` memory uses what the tracker
    has filled fresh nodes with.
    Nodes of an `elastic` memory are as large as they are used.  Of nodes that are `untold` (by number) it is
    not known what they held in the beginning.
    In a `bounded` memory, and in a strict one, subscripts stay in arrays that are parts of objects.
    Of an object with `stretches` (by number) the cells in these that were not written hold what they say.
    `inhabited` tells whether a node of the process is at an address: what is wild here may lead there.
    `outside` are known cells of memory outside the program's objects, `literal` gives the bytes of a
    string literal by its number, `name` says how a variable is called, `declared` whether its type alone
    tells what it holds.
    """

    def __init__(
        self,
        extent: Callable[[int], int | None],
        literal: Callable[[int], bytes | None] = lambda _: None,
        name: Callable[[int], str] = lambda _: "an object",
        declared: Callable[[int], bool] = lambda _: True,
        *,
        strict: bool = False,
        bounded: bool = False,
        filled: bool = False,
    ) -> None:
        self.cells: dict[int, Any] = {}
        self.trail: list[Any] = []  # key, old value, key, old value ...
        self.strict = strict
        self._bounded = strict or bounded
        self._arrays: dict[str, int] = {}  # by name: the cells of those that were left
        self.elastic = False
        self.untold: Collection[int] = ()
        self.inhabited: Callable[[int], bool] = lambda _: False
        self._filled = filled
        self.reality: Mapping[int, Any] = {}
        self.real_until = 0  # how long the trail was then
        self.outside: dict[int, Any] = {}
        self.stretches: Mapping[int, Sequence[Repeated]] = {}
        self._extent = extent
        self._literal = literal
        self._name = name
        self._declared = declared
        self._hashes: list[tuple[int, int]] = []  # (trail length, hash of the cells then)
        self._kinds: dict[int, int] = {}  # kinds of cells in use, shifted, and their sizes
        self._shifted = _SHIFTED  # those that a node may have

    # -- writing and undoing ---------------------------------------------------------------------

    def put(self, key: int, value: Any) -> None:
        """Write a cell without any check; None makes it uninitialised."""
        old = self.cells.get(key)
        if value is None and self.stretches and self.repeated(key) is not None:
            value = Unknown()  # nothing would let the value of the stretch be seen again
        if value is None:
            if old is not None:
                self.trail += (key, old)
                del self.cells[key]
        else:
            self.trail += (key, old)
            self.cells[key] = value

    def forget(self) -> None:
        """Drop the trail: what was written cannot be undone any more."""
        self.trail.clear()
        self._hashes.clear()

    def admit(self, keys: Iterable[int]) -> None:
        """Cells with kinds as these keys have may be in use from now on."""
        for bits in {key & KIND_BITS for key in keys}:
            if bits >= _BITS and bits not in self._kinds:
                self._shifted = (*self._shifted, bits)
            self._kinds[bits] = KIND_SIZE.get(bits >> KIND_SHIFT, 1)

    def undo(self, length: int) -> None:
        """Go back to the state at which the trail had that length."""
        cells, trail = self.cells, self.trail
        written = reversed(trail[length:])
        del trail[length:]
        for old, key in zip(written, written, strict=True):
            if old is None:
                cells.pop(key, None)
            else:
                cells[key] = old
        hashes = self._hashes
        while hashes and hashes[-1][0] > length:
            hashes.pop()

    def key(self) -> int:
        """A hash of all cells; equal states have equal keys (64 bits, not cryptographic)."""
        cells, trail = self.cells, self.trail
        if self._hashes:
            start, value = self._hashes[-1]
            first: dict[int, Any] = {}
            for at in range(start, len(trail), 2):
                first.setdefault(trail[at], trail[at + 1])
            for key, old in first.items():
                value ^= cell_hash(key, old) ^ cell_hash(key, cells.get(key))
        else:
            value = 0
            for key, held in cells.items():
                value ^= cell_hash(key, held)
        self._hashes.append((len(trail), value))
        return value

    # -- nodes -----------------------------------------------------------------------------------

    @property
    def node_count(self) -> int:
        """How many nodes were ever allocated."""
        return int(self.cells.get(COUNT_KEY, 0))

    def node_size(self, number: int) -> int | None:
        """Bytes of a node, live or freed; None if there is no such node."""
        state: int | None = self.cells.get(node_address(number) + STATE_KEY)
        if state is None:
            return None
        return state if state >= 0 else -1 - state

    def node_live(self, number: int) -> bool:
        """Whether the node exists and is not freed."""
        state = self.cells.get(node_address(number) + STATE_KEY)
        return state is not None and state >= 0

    def gone(self, address: int) -> bool:
        """Whether the address belongs to a freed node."""
        number = number_of(address)
        state = self.cells.get(address - offset_of(address) + STATE_KEY) if 0 < number < GLOBALS else None
        return state is not None and state < 0

    def allocate(self, size: Any, *, zeroed: bool = False) -> int:
        """A new node of `size` bytes; returns its address."""
        if isinstance(size, Unknown):
            size = OBJECT_LIMIT
        if size > OBJECT_LIMIT or size < 0:
            raise Unmodelled(f"allocation of {size} bytes")
        number = self.node_count + 1
        address = node_address(number)
        self.put(COUNT_KEY, number)
        self.put(address + STATE_KEY, size)
        if zeroed:
            self.put(address + ZEROED_KEY, size)
        return address

    def release(self, address: Any) -> None:
        """`free(address)`; raises `Fault` for what is not a live node's start."""
        if isinstance(address, Unknown):
            raise Undetermined(address)
        if address == 0:
            return
        state = self.cells.get(address + STATE_KEY)
        if state is None:
            raise Fault("bad-free", "free of a pointer that no allocation returned")
        if state < 0:
            raise Fault("double-free", f"n{number_of(address)} is freed twice", number_of(address))
        self.put(address + STATE_KEY, -1 - state)
        if self.strict:
            for key, value in list(self.node_cells(number_of(address))):
                self.put(key, None)
                self.put(key + HIDDEN, value)

    def tolerate(self, number: int, used_at: object) -> None:
        """Let a freed node of a strict memory be used from now on; `used_at` is where it was used first."""
        for key, value in list(self.node_cells(number)):
            self.put(key, value)
            self.put(key + HIDDEN, None)
        self.put(node_address(number) + USED_KEY, used_at)

    def used(self, number: int) -> object:
        """Where the node was used after it was freed, None if nowhere."""
        return self.cells.get(node_address(number) + USED_KEY)

    def reallocate(self, address: Any, size: Any) -> int:
        """`realloc`: always a new node; the old one's cells are copied as far as they fit, it is freed."""
        if address == 0:
            return self.allocate(size)
        held = self.cells.get(address + STATE_KEY) if not isinstance(address, Unknown) else None
        if held is None or held < 0 or (type(size) is int and size == 0):
            self.release(address)
            return 0
        target = self.allocate(size)
        limit = self.node_size(number_of(target)) or 0
        source = number_of(address)
        for key, value in [*self.node_cells(source), *self.unwritten(source)]:
            offset = offset_of(key & ADDRESS_MASK)
            if offset + KIND_SIZE[key >> KIND_SHIFT] <= limit:
                self.put(key - address + target, value)
        if (zeroed := self.cells.get(address + ZEROED_KEY)) is not None:
            self.put(target + ZEROED_KEY, min(zeroed, limit))
        self.release(address)
        return target

    def node_cells(self, number: int) -> Iterator[tuple[int, Any]]:
        """The initialised cells of a node as (key, value), by offset; hidden ones too, unhidden."""
        address, size = node_address(number), self.node_size(number) or 0
        cells = self.cells
        if size * len(CELL_KINDS) > 2 * len(cells):
            low, high = address, address + size
            keys = [k for k in cells if k > 0 and low <= k & ADDRESS_MASK < high]
            for key in sorted(keys, key=lambda k: (k & ADDRESS_MASK, k)):
                if (key & ~HIDDEN) >> KIND_SHIFT in KIND_SIZE:
                    yield key & ~HIDDEN, cells[key]
            return
        for at in range(address, address + size):
            for shifted in self._shifted:
                value = cells.get(at + shifted)
                if value is None and self.strict:
                    value = cells.get(at + shifted + HIDDEN)
                if value is not None:
                    yield at + shifted, value

    def repeated(self, key: int) -> int | None:
        """What a cell in a stretch holds where it was not written; None for other cells."""
        address = key & ADDRESS_MASK
        for stretch in self.stretches.get(number_of(address), ()) if key > 0 else ():
            if key & KIND_BITS == stretch.bits and offset_of(address) in stretch.offsets:
                return stretch.raw
        return None

    def unwritten(self, number: int) -> Iterator[tuple[int, int]]:
        """The cells in stretches of an object that were not written as (key, value)."""
        base = (number << OBJECT_BITS) + HALF
        for stretch in self.stretches.get(number, ()):
            for at in stretch.offsets:
                if (key := base + at + stretch.bits) not in self.cells:
                    yield key, stretch.raw

    def pointers(self) -> Iterator[tuple[int, int, int]]:
        """The pointers that are not null: the object that holds each, its offset there, and its raw value."""
        for key, raw in self.cells.items():
            if key < 0 or (key & ~HIDDEN) >> KIND_SHIFT != POINTER or not isinstance(raw, int):
                continue
            if 0 < raw < TOKENS:
                yield number_of(key & ADDRESS_MASK), offset_of(key & ADDRESS_MASK), raw

    def gone_by(self) -> Iterator[tuple[int, int, int]]:
        """The pointers that were overwritten, the last first: length of the trail, object, raw value."""
        for at in range(len(self.trail) - 2, -1, -2):
            key, raw = self.trail[at : at + 2]
            if isinstance(raw, int) and 0 < raw < TOKENS and (key & ~HIDDEN) >> KIND_SHIFT == POINTER:
                yield at, number_of(key & ADDRESS_MASK), raw

    # -- the slow path: what a missing cell means --------------------------------------------------

    def check(self, key: Any) -> None:
        """Whether a cell that holds nothing may be written; raises `Fault` or `Unmodelled`."""
        if isinstance(key, Unknown):
            raise Undetermined(key)
        if key >= TOKENS and self._outside(key) is not None:
            if key >= LITERAL:
                raise Fault("constant", "a string literal is written")
            return
        address = self.access(key)
        number = number_of(address)
        if number >= GLOBALS and self._overlapped(key) and self._declared(number):
            raise Unmodelled("memory is written as another type than it holds")
        if key & KIND_BITS not in self._kinds:
            self.admit((key,))

    def prepare(self, key: Any) -> None:
        """`check`, and what is in the way of the cell goes: it will be written."""
        self.check(key)
        self.make_room(key)

    def miss(self, key: Any) -> Any:
        """The value of a cell that holds nothing: None, or zero where calloc cleared it.

        A strict memory has none either where only a part of a pointer was stored as something smaller (C11
        6.2.6.1p7): with the rest of its bytes that leads nowhere.
        """
        if isinstance(key, Unknown):
            raise Undetermined(key)
        if key >= TOKENS and (known := self._outside(key)) is not None:
            return known
        address = self.access(key)
        base = address - offset_of(address)
        zeroed = self.cells.get(base + ZEROED_KEY)
        if self._overlapped(key):
            if self.strict and self._partly(key, cleared=zeroed is not None):
                return None
            raise Unmodelled("memory is read as another type than it holds")
        if self.stretches and (known := self.repeated(key)) is not None:
            return known
        if zeroed is None or offset_of(address) >= zeroed:
            return None
        return 0.0 if is_real(key) else 0

    def _outside(self, key: int) -> Any:
        """The value of a cell outside the program's objects, None where it is not known."""
        if key < LITERAL:
            return self.outside.get(key)
        kind, address = key - LITERAL >> KIND_SHIFT, key & ADDRESS_MASK
        number, offset = address >> OBJECT_BITS, address & OFFSET_MASK
        data = self._literal(number)
        if data is None or kind != INT1 or offset >= len(data):
            return None
        return signed_raw(data[offset], 1)

    def literal_from(self, address: int) -> bytes | None:
        """The characters of a string literal before its final zero; None for other addresses."""
        if address < LITERAL:
            return None
        number, offset = (address - LITERAL) >> OBJECT_BITS, address & OFFSET_MASK
        data = self._literal(number)
        end = data.find(b"\0", offset) if data is not None else -1
        return data[offset:end] if data is not None and end >= 0 else None

    def show(self, cells: Mapping[int, Any]) -> None:
        """Memory outside the program's objects holds this now."""
        self.outside.update(cells)
        held = self.cells
        for key, value in cells.items():
            if key in held and held[key] != value:
                self.put(key, value)

    def resolve(self, key: Any, *, tolerant: bool = True, asked: bool = False) -> bool:
        """Make a cell readable that was used but holds nothing, or raise what is wrong with it.

        Whether nothing has set it, so that it is what memory happens to hold; if not `tolerant`, a fault.
        What a variable happens to hold only the process knows where that has not shown it; a pointer leads
        nowhere then, unless it is `asked` what it is: it may well be null.
        """
        value = self.miss(key)
        unset = value is None
        if unset and tolerant:
            value = self.reality.get(key)
            if value is not None and self._emptied(key):
                value = None
            if value is None and self._filled:
                kind = key >> KIND_SHIFT
                wild = (kind == POINTER and not asked) or number_of(key & ADDRESS_MASK) < GLOBALS
                value = FILLED.get(kind) if wild else Unknown()
        if value is None and self.untold and number_of(key & ADDRESS_MASK) in self.untold:
            raise Unmodelled("no pointer tells what the node holds")
        if value is None:
            raise Fault("uninitialised", "an uninitialised value is used", cell=key)
        self.put(key, value)
        return unset

    def _emptied(self, key: int) -> bool:
        """Whether what nothing had set was copied into the cell since the `reality`."""
        trail = self.trail
        return any(trail[at] == key for at in range(self.real_until, len(trail), 2))

    def access(self, key: int) -> int:
        """The address of the cell, which has to lie inside a live object."""
        if key >= TOKENS:
            if WILD <= key < LITERAL:
                if self.inhabited(key - WILD & ADDRESS_MASK):
                    raise Unmodelled("a pointer is made of an integer")
                raise Fault("wild", "a pointer that leads to no known object is dereferenced")
            raise Unmodelled("memory outside the program's objects is used")
        kind = key + (1 << KIND_SHIFT - 1) >> KIND_SHIFT  # offsets from null may be negative
        address = key - (kind << KIND_SHIFT)
        number, offset = number_of(address), offset_of(address)
        if number <= 0:
            raise Fault("null", NULL_DEREFERENCED)
        held = self.cells.get(address - offset + STATE_KEY)
        if held is None:
            extent = self._extent(number)
            if extent is None:
                raise Fault("wild", "a pointer that leads to no known object is dereferenced")
        elif held < 0:
            if self.strict and address - offset + USED_KEY not in self.cells:
                raise Fault("freed", f"n{number} is used after it was freed", number)
            extent = -1 - held
        else:
            extent = held
        if offset < 0 or offset + KIND_SIZE.get(kind, 1) > extent:
            if self.elastic and offset >= 0 and number < GLOBALS:
                return address
            node = number if number < GLOBALS else 0
            name = f"n{node}" if node else self._name(number)
            raise Fault("bounds", f"offset {offset} lies outside {name}, which has {extent} bytes", node)
        return address

    def within(self, index: Any, length: int, reach: int, name: str) -> Any:
        """A subscript of an array that is part of an object; `reach` elements behind the end are right."""
        if not self._bounded or isinstance(index, Unknown) or 0 <= index < length + reach:
            return index
        left = self._arrays.setdefault(name, LEFT + len(self._arrays))
        if left in self.cells:
            return index
        message = f"index {index} lies outside {name}, which has {length} elements"
        raise Fault("bounds", message, left=left)

    def _overlapped(self, key: int) -> bool:
        return next(self.overlapping(key), None) is not None or (
            bool(self.stretches) and self.repeated(key) is None and self._in_stretch(key)
        )

    def _in_stretch(self, key: int) -> bool:
        """Whether a cell has bytes in common with one of a stretch."""
        address = key & ADDRESS_MASK
        offset, size = offset_of(address), KIND_SIZE.get((key & ~HIDDEN) >> KIND_SHIFT, 1)
        for stretch in self.stretches.get(number_of(address), ()):
            there, own = stretch.offsets, KIND_SIZE[stretch.bits >> KIND_SHIFT]
            last = min((offset + size - 1 - there.start) // there.step, len(there) - 1)
            if last >= 0 and there[last] + own > offset:
                return True
        return False

    def _partly(self, key: int, *, cleared: bool) -> bool:
        """Whether a pointer is read of which only a part was stored, as one smaller number.

        Not zero in memory that was `cleared`: that is the null pointer.
        """
        kind, whole = key >> KIND_SHIFT, KIND_SIZE[POINTER]
        numbers = [each for each in self.overlapping(key) if each >> KIND_SHIFT != SPOILT]
        if kind != POINTER or len(numbers) != 1 or KIND_SIZE.get(numbers[0] >> KIND_SHIFT, whole) >= whole:
            return False
        return not cleared or self.cells[numbers[0]] != 0

    def overlapping(self, key: int, cells: Container[int] | None = None) -> Iterator[int]:
        """The keys of the cells in use (or of `cells`) that share bytes with that of another key."""
        kind, address = key >> KIND_SHIFT, key & ADDRESS_MASK
        end, cells = address + KIND_SIZE.get(kind, 1), self.cells if cells is None else cells
        for shifted, size in self._kinds.items():
            if kind >= BITS and _BITS <= shifted < _SPOILT:
                continue  # bit fields share bytes
            # cells are aligned to their size
            for at in range((address & -size) + shifted, end + shifted, size):
                if at in cells and at != key:
                    yield at

    def make_room(self, key: int) -> None:
        """What is written gives memory its type (C11 6.5p6): the cells of others that it overlaps go.

        Their bytes that it leaves are known to the process only.
        """
        gone = list(self.overlapping(key)) if key < TOKENS else []
        if not gone:
            return
        address = key & ADDRESS_MASK
        own = range(address, address + KIND_SIZE.get(key >> KIND_SHIFT, 1))
        for each in gone:
            self.put(each, None)
        for each in gone:
            start = each & ADDRESS_MASK
            for at in range(start, start + KIND_SIZE.get(each >> KIND_SHIFT, 1)):
                if at not in own:
                    self.put(at + _SPOILT, 1)
                    self.admit((at + _SPOILT,))
