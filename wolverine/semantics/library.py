"""Library functions that the model carries out itself, wherever it knows every byte that they read.

What a function writes is worked out first and written then, so that a call which the model cannot carry
out leaves nothing behind.  Addresses and values are the model's (see `address`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from wolverine.core.types import byte_of
from wolverine.semantics.address import (
    ADDRESS_MASK,
    BITS,
    FLOAT4,
    FLOAT16,
    INT1,
    INT2,
    INT4,
    INT8,
    KIND_SHIFT,
    KIND_SIZE,
    OPAQUE,
    OUTPUT_KEY,
    POINTER,
    TOKENS,
    ZEROED_KEY,
    number_of,
    offset_of,
    signed_raw,
)
from wolverine.semantics.characters import CLASSES_ADDRESS
from wolverine.semantics.faults import Fault, Undetermined, Unmodelled
from wolverine.semantics.memory import Memory
from wolverine.semantics.printing import PRINTING, printed
from wolverine.semantics.unknown import Unknown

_LONGEST = 1 << 16  # bytes that are looked at
_SPACES = b" \t\n\v\f\r"
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

Writes = list[tuple[int, Any]]
Kinds = Sequence[int]


class Library:
    """Carries out calls on one memory; `scalars` gives the cells of a variable by its object number.

    They are (offset, kind), None where no type tells.  A `lenient` one lets pass what depends on memory
    that nobody has written.  Where it `prints`, the text is kept in a cell of its own (OUTPUT_KEY).
    """

    def __init__(
        self,
        memory: Memory,
        scalars: Callable[[int], Sequence[tuple[int, int]] | None],
        lenient: bool = False,
    ) -> None:
        self._memory = memory
        self._scalars = scalars
        self._lenient = lenient
        self.prints = False

    def call(self, name: str, values: Sequence[Any], kinds: Kinds, result: int | None) -> bool:
        """Carry out a call; `result` is the key of the cell that takes its value.

        `kinds` tell the kind of cells that a pointer argument leads to by its type (0: unknown).  False
        when the model cannot do it; nothing has changed then.  Raises `Fault` for what crashes.
        """
        if any(isinstance(value, Unknown) for value in values):
            return False
        try:
            value, writes = getattr(self, f"_c_{name}")(*values, kinds=kinds)
        except (Unmodelled, Undetermined):
            return False
        except Fault as fault:
            if fault.kind in ("bounds", "uninitialised"):
                return False  # the process may get away with it
            raise
        put = self._memory.put
        for key, written in writes:
            put(key, written)
        if result is not None:
            put(result, value)
        return True

    def look(self, name: str, values: Callable[[], Sequence[Any]]) -> None:
        """Evaluate the arguments of a call that the process carries out, and note what it prints if asked to.

        Raises `Fault` where they read through a null pointer or a freed node, or an uninitialised pointer.
        With others the process may get away: library functions hand out memory that the model has not seen.
        """
        prints = self.prints and name in PRINTING
        try:
            given = values()
            if prints:
                self._print(printed(name, given, self._text))
        except (Unmodelled, Undetermined):
            if prints:
                self._print("?")
        except Fault as fault:
            if fault.kind in ("null", "freed", "division"):
                raise
            if fault.kind == "uninitialised" and not self._lenient:
                raise

    def _print(self, text: str) -> None:
        memory = self._memory
        memory.put(OUTPUT_KEY, memory.cells.get(OUTPUT_KEY, "") + text)

    # -- bytes -------------------------------------------------------------------------------------

    def _byte(self, address: int) -> int:
        """The character at an address, 0 to 255."""
        memory = self._memory
        key = address + (INT1 << KIND_SHIFT)
        value = memory.cells.get(key)
        if value is None:
            value = memory.miss(key)
        if value is None:
            value = memory.reality.get(key)
        if value is None:
            raise Unmodelled("a character that was never written")
        if isinstance(value, Unknown):
            raise Undetermined(value)
        return int(value) & 255

    def _bytes(self, address: int, most: int = _LONGEST) -> Iterator[int]:
        """The characters before the final zero, at most `most`."""
        for at in range(most):
            code = self._byte(address + at)
            if code == 0:
                return
            yield code
        if most >= _LONGEST:
            raise Unmodelled("a long string")

    def _string(self, address: int, most: int = _LONGEST) -> bytes:
        return bytes(self._bytes(address, most))

    def _text(self, address: int) -> str:
        return self._string(address).decode("latin-1")

    def _store(self, address: int, data: bytes) -> Writes:
        """The writes that put characters at an address."""
        memory, writes = self._memory, []
        for at, code in enumerate(data):
            key = address + at + (INT1 << KIND_SHIFT)
            if key >= TOKENS or memory.cells.get(key) is None:
                memory.check(key)
            writes.append((key, signed_raw(code, 1)))
        return writes

    # -- strings -----------------------------------------------------------------------------------

    def _c_strlen(self, text: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return len(self._string(text)), []

    def _c_strnlen(self, text: int, most: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return len(self._string(text, min(most, _LONGEST - 1))), []

    def _c_strcmp(self, one: int, two: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._order(one, two, _LONGEST, False), []

    def _c_strcoll(self, one: int, two: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._order(one, two, _LONGEST, False), []

    def _c_strncmp(self, one: int, two: int, most: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._order(one, two, most, False), []

    def _c_strcasecmp(self, one: int, two: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._order(one, two, _LONGEST, True), []

    def _c_strncasecmp(self, one: int, two: int, most: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._order(one, two, most, True), []

    def _order(self, one: int, two: int, most: int, fold: bool) -> int:
        """The difference of the first characters that differ, as glibc tells it."""
        for at in range(min(most, _LONGEST)):
            left, right = self._byte(one + at), self._byte(two + at)
            if fold:
                left, right = _lower(left), _lower(right)
            if left != right or not left:
                return left - right
        return 0

    def _c_strcpy(self, target: int, source: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return target, self._store(target, self._string(source) + b"\0")

    def _c_stpcpy(self, target: int, source: int, *, kinds: Kinds) -> tuple[int, Writes]:
        data = self._string(source)
        return target + len(data), self._store(target, data + b"\0")

    def _c_strncpy(self, target: int, source: int, most: int, *, kinds: Kinds) -> tuple[int, Writes]:
        if most > _LONGEST:
            raise Unmodelled("a long string")
        return target, self._store(target, self._string(source, most).ljust(most, b"\0"))

    def _c_strcat(self, target: int, source: int, *, kinds: Kinds) -> tuple[int, Writes]:
        end = target + len(self._string(target))
        return target, self._store(end, self._string(source) + b"\0")

    def _c_strncat(self, target: int, source: int, most: int, *, kinds: Kinds) -> tuple[int, Writes]:
        end = target + len(self._string(target))
        return target, self._store(end, self._string(source, min(most, _LONGEST - 1)) + b"\0")

    def _c_strchr(self, text: int, wanted: int, *, kinds: Kinds) -> tuple[int, Writes]:
        found = (self._string(text) + b"\0").find(wanted & 255)
        return (text + found if found >= 0 else 0), []

    def _c_strrchr(self, text: int, wanted: int, *, kinds: Kinds) -> tuple[int, Writes]:
        found = (self._string(text) + b"\0").rfind(wanted & 255)
        return (text + found if found >= 0 else 0), []

    def _c_strstr(self, text: int, wanted: int, *, kinds: Kinds) -> tuple[int, Writes]:
        found = self._string(text).find(self._string(wanted))
        return (text + found if found >= 0 else 0), []

    def _c_strspn(self, text: int, accepted: int, *, kinds: Kinds) -> tuple[int, Writes]:
        data = self._string(text)
        return len(data) - len(data.lstrip(self._string(accepted))), []

    def _c_strcspn(self, text: int, refused: int, *, kinds: Kinds) -> tuple[int, Writes]:
        data, stop = self._string(text), frozenset(self._string(refused))
        return next((at for at, code in enumerate(data) if code in stop), len(data)), []

    def _c_strdup(self, text: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._new_string(self._string(text))

    def _c_strndup(self, text: int, most: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._new_string(self._string(text, min(most, _LONGEST - 1)))

    def _new_string(self, data: bytes) -> tuple[int, Writes]:
        address = self._memory.allocate(len(data) + 1)
        return address, self._store(address, data + b"\0")

    # -- memory ------------------------------------------------------------------------------------

    def _c_memcmp(self, one: int, two: int, size: int, *, kinds: Kinds) -> tuple[int, Writes]:
        for at in range(min(size, _LONGEST)):
            left, right = self._byte(one + at), self._byte(two + at)
            if left != right:
                return left - right, []
        if size > _LONGEST:
            raise Unmodelled("a long piece of memory")
        return 0, []

    def _c_memchr(self, text: int, wanted: int, size: int, *, kinds: Kinds) -> tuple[int, Writes]:
        for at in range(min(size, _LONGEST)):
            if self._byte(text + at) == wanted & 255:
                return text + at, []
        if size > _LONGEST:
            raise Unmodelled("a long piece of memory")
        return 0, []

    def _c_memcpy(self, target: int, source: int, size: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return target, self._moved(target, source, size)

    def _c_memmove(self, target: int, source: int, size: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return target, self._moved(target, source, size)

    def _moved(self, target: int, source: int, size: int) -> Writes:
        """The writes that copy the cells of a piece of memory as they are."""
        if size <= 0:
            return []
        if size > _LONGEST:
            raise Unmodelled("a long piece of memory")
        if source >= TOKENS:
            return self._store(target, bytes(self._byte(source + at) for at in range(size)))
        self._inside(source, size)
        self._inside(target, size)
        cells = self._cells(source, size)
        taken = (range(at := key & ADDRESS_MASK, at + KIND_SIZE[key >> KIND_SHIFT]) for key, _ in cells)
        covered = len(set(chain.from_iterable(taken)))  # bit fields share bytes
        if covered < size and (self._zeroed(source) or self._zeroed(target)):
            raise Unmodelled("a copy of memory that calloc cleared")
        if covered < size:
            cells += self._unwritten(source, size, cells)
        writes: Writes = [(key, None) for key, _ in self._cells(target, size)]
        return writes + [(key - source + target, value) for key, value in cells]

    def _c_memset(self, target: int, code: int, size: int, *, kinds: Kinds) -> tuple[int, Writes]:
        if size <= 0:
            return target, []
        if size > 1 << 20:
            raise Unmodelled("a long piece of memory")
        self._inside(target, size)
        code &= 255
        number, offset = number_of(target), offset_of(target)
        old: Writes = [(key, None) for key, _ in self._cells(target, size)]
        shape = self._scalars(number)
        if shape is None and code == 0:
            zeroed = self._zeroed(target)
            if offset > zeroed:
                raise Unmodelled("memory is cleared in the middle")
            return target, [*old, (target - offset + ZEROED_KEY, max(zeroed, offset + size))]
        if shape is None:
            kind = kinds[0] or INT1
            shape = [(at, kind) for at in range(offset, offset + size, KIND_SIZE[kind])]
        inside = [(at, kind) for at, kind in shape if offset <= byte_of(at) < offset + size]
        if sum(KIND_SIZE[kind] for _, kind in inside if kind not in (OPAQUE, BITS)) > size:
            raise Unmodelled("a part of a cell is set")
        base = target - offset
        return target, old + [(base + at + (kind << KIND_SHIFT), _filled(kind, code)) for at, kind in inside]

    def _inside(self, address: int, size: int) -> None:
        """Check that the piece lies in one live object; raises `Fault`."""
        memory = self._memory
        if address >= TOKENS:
            raise Unmodelled("memory outside the program's objects")
        memory.access(address + (INT1 << KIND_SHIFT))
        memory.access(address + size - 1 + (INT1 << KIND_SHIFT))

    def _zeroed(self, address: int) -> int:
        found: int = self._memory.cells.get(address - offset_of(address) + ZEROED_KEY, 0)
        return found

    def _cells(self, address: int, size: int) -> Writes:
        """The cells of a piece of memory; raises `Unmodelled` where one sticks out."""
        found: Writes = []
        get, end = self._memory.cells.get, address + size
        for at in range(address - 15, end):
            for kind, width in KIND_SIZE.items():
                if at + width <= address:
                    continue
                value = get(at + (kind << KIND_SHIFT))
                if value is None:
                    continue
                if at < address or at + width > end or kind == OPAQUE:
                    raise Unmodelled("a part of a cell is copied")
                found.append((at + (kind << KIND_SHIFT), value))
        return found

    def _unwritten(self, address: int, size: int, known: Writes) -> Writes:
        """The cells of a piece of memory that only the process has written."""
        written = dict(known)
        taken = {key & ADDRESS_MASK for key in written}
        found: Writes = []
        reality = self._memory.reality
        for at in range(address, address + size):
            for kind, width in KIND_SIZE.items():
                value = reality.get(at + (kind << KIND_SHIFT)) if reality else None
                free = kind >= BITS or taken.isdisjoint(range(at, at + width))
                if value is not None and free and at + (kind << KIND_SHIFT) not in written:
                    found.append((at + (kind << KIND_SHIFT), value))
        return found

    # -- numbers and characters ----------------------------------------------------------------------

    def _c_atoi(self, text: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return signed_raw(self._number(text, 10)[0], 4), []

    def _c_atol(self, text: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._number(text, 10)[0], []

    _c_atoll = _c_atol

    def _c_strtol(self, text: int, end: int, base: int, *, kinds: Kinds) -> tuple[int, Writes]:
        value, length = self._number(text, base)
        return value, self._end(end, text + length)

    _c_strtoll = _c_strtol

    def _c_strtoul(self, text: int, end: int, base: int, *, kinds: Kinds) -> tuple[int, Writes]:
        value, length = self._number(text, base, signed=False)
        return signed_raw(value, 8), self._end(end, text + length)

    _c_strtoull = _c_strtoul

    def _end(self, place: int, address: int) -> Writes:
        if not place:
            return []
        key = place + (POINTER << KIND_SHIFT)
        if self._memory.cells.get(key) is None:
            self._memory.check(key)
        return [(key, address)]

    def _number(self, text: int, base: int, *, signed: bool = True) -> tuple[int, int]:
        """The number that a string begins with, and how many characters it takes (C11 7.22.1.4)."""
        if base != 0 and not 2 <= base <= 36:
            raise Unmodelled("a base out of range")
        at = 0
        while (code := self._byte(text + at)) and code in _SPACES:
            at += 1
        sign = -1 if code == ord("-") else 1
        if code in b"+-":
            at += code != 0
        digits = _DIGITS[: base or 10]
        if base in (0, 8, 16) and self._byte(text + at) == ord("0"):
            prefixed = base != 8 and self._byte(text + at + 1) in b"xX" and self._byte(text + at + 1) != 0
            if prefixed and chr(self._byte(text + at + 2)).lower() in _DIGITS[:16]:
                base, at = 16, at + 2
            base = base or 8
            digits = _DIGITS[:base]
        base, first, value = base or 10, at, 0
        while (code := self._byte(text + at)) and (digit := digits.find(chr(code).lower())) >= 0:
            value = value * base + digit
            at += 1
        if at == first:
            return 0, 0
        value *= sign
        low, high = (-(1 << 63), (1 << 63) - 1) if signed else (-(1 << 64) + 1, (1 << 64) - 1)
        if not low <= value <= high:
            raise Unmodelled("a number out of range")
        return value, at

    def _c_abs(self, value: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return signed_raw(abs(value), 4), []

    def _c_labs(self, value: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return signed_raw(abs(value), 8), []

    _c_llabs = _c_labs

    def _c_sqrt(self, value: float, *, kinds: Kinds) -> tuple[float, Writes]:
        if value < 0:
            raise Unmodelled("a root of a negative number")
        return math.sqrt(value), []

    def _c_fabs(self, value: float, *, kinds: Kinds) -> tuple[float, Writes]:
        return math.fabs(value), []

    def _c_floor(self, value: float, *, kinds: Kinds) -> tuple[float, Writes]:
        return _whole(value, math.floor), []

    def _c_ceil(self, value: float, *, kinds: Kinds) -> tuple[float, Writes]:
        return _whole(value, math.ceil), []

    def _c_toupper(self, code: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return (code - 32 if 97 <= code <= 122 else code), []

    def _c_tolower(self, code: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return _lower(code), []

    def _c___ctype_b_loc(self, *, kinds: Kinds) -> tuple[int, Writes]:
        return CLASSES_ADDRESS, []


MODELLED = frozenset(
    """strlen strnlen strcmp strcoll strncmp strcasecmp strncasecmp strcpy stpcpy strncpy strcat strncat
    strchr strrchr strstr strspn strcspn strdup strndup memcmp memchr memcpy memmove memset atoi atol atoll
    strtol strtoll strtoul strtoull abs labs llabs toupper tolower sqrt fabs
    floor ceil __ctype_b_loc""".split()  # noqa: SIM905
)


def _whole(value: float, rounding: Callable[[float], int]) -> float:
    return math.copysign(float(rounding(value)), value) if math.isfinite(value) else value


def _lower(code: int) -> int:
    return code + 32 if 65 <= code <= 90 else code


def _filled(kind: int, code: int) -> Any:
    """What a cell holds whose bytes are all the same."""
    if kind in (INT1, INT2, INT4, INT8):
        size = KIND_SIZE[kind]
        return signed_raw(int.from_bytes(bytes((code,)) * size, "little"), size)
    if code == 0 and kind in (POINTER, BITS):
        return 0
    if code == 0 and FLOAT4 <= kind <= FLOAT16:
        return 0.0
    raise Unmodelled("a cell of this type is set to characters")
