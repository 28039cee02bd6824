"""The call stack of a machine, and the cells in which it counts what its activations have executed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, reduce
from itertools import takewhile
from typing import Any, NamedTuple
from zlib import crc32

from wolverine.semantics.address import frame_base
from wolverine.semantics.linking import Linked, Links

INSERTED = 1 << 32  # in a call's code: an edit inserts it; the others are counted without those
JUMPED = 1 << 33  # nobody saw the call: its activation was there when the process was seen again
_HASH_BITS = 48
_COUNT_BITS = 36  # of an instruction, or of what tells a function's calls
_CALLS = 1 << 35
_OUTSIDE = 1 << 24  # callers of the first activation, at most
UNSEEN = 1 - _OUTSIDE  # the caller of an activation that nobody has called


class Called(NamedTuple):
    """How an activation came about: the `nth` call of a function by its caller, wherever that stands.

    `code` tells the function.
    """

    code: int
    nth: int


@cache
def code_of(function: str) -> int:
    """What tells a function in a `Called`."""
    return crc32(function.encode())


def number_within(caller: int, call: Called) -> int:
    """The number of an activation: it depends on its caller's and on the call alone.

    So it is the same however often other functions were called before, which an edit may change.  Numbers
    grow from callers to what they call; that of the trace's start is 0, those of its callers are -1, -2 ...
    """
    return (level(caller) + 1) << _HASH_BITS | hash((caller, *call)) & ((1 << _HASH_BITS) - 1)


def level(number: int) -> int:
    """How many calls lie between an activation and those of the trace's start."""
    return number >> _HASH_BITS if number > 0 else 0


class Activation:
    """A linked, immutable call stack: `back` is the instruction of the caller to which this one returns.

    `number` is the activation's number as in `Position`, which `call` tells (None: from the outset).  That
    of a call which an edit makes stores its value `into` a cell (0: nowhere).  `calls` is `Machine.calls`
    when it began, which tells what those further out have called.
    """

    __slots__ = (
        "back",
        "base",
        "call",
        "caller",
        "calls",
        "depth",
        "found",
        "into",
        "key",
        "linked",
        "number",
    )

    def __init__(
        self,
        linked: Linked,
        depth: int,
        number: int,
        back: int,
        caller: Activation | None,
        into: int = 0,
        call: Called | None = None,
        calls: int = 0,
    ) -> None:
        self.linked = linked
        self.base = frame_base(depth)
        self.depth = depth
        self.number = number
        self.back = back
        self.caller = caller
        self.into = into
        self.call = call
        self.calls = calls
        self.found: tuple[int, Activation | None] | None = None  # what was asked last, see `enclosing`
        self.key: int = hash((linked.name, back, caller.key if caller is not None else 0, into))

    @property
    def inserted(self) -> bool:
        """Whether an edit has made its call, and inserted that."""
        return self.call is not None and bool(self.call.code & INSERTED)


class Counts(NamedTuple):
    """What positions behind a moment go by: the `numbers` of its activations, innermost first.

    Also how often each (activation, instruction) was `executed`, and how often each (activation, function's
    code) `called`.
    """

    numbers: tuple[int, ...]
    executed: Mapping[tuple[int, int], int]
    called: Mapping[tuple[int, int], int]


NO_COUNTS = Counts((), {}, {})


class Mark(NamedTuple):
    """A moment of a machine: see `Machine.mark`."""

    trail: int
    frame: Activation | None
    pc: int
    calls: int
    generation: int


def outwards(frame: Activation | None) -> Iterator[Activation]:
    """The activation and its callers, innermost first."""
    while frame is not None:
        yield frame
        frame = frame.caller


def relinked(frame: Activation | None, links: Links) -> Activation | None:
    """The same stack with the functions as they are linked now."""
    chain = list(outwards(frame))
    frame = None
    while chain and links.current(chain[-1].linked):
        frame = chain.pop()  # these are up to date, and so are their callers
    for old in reversed(chain):
        linked = links.function(old.linked.name)
        frame = Activation(linked, old.depth, old.number, old.back, frame, old.into, old.call, old.calls)
    return frame


def standing(frame: Activation | None, pc: int) -> tuple[tuple[str, int], ...]:
    """(function, next instruction) of the activations, innermost first; `pc` is the innermost one's."""
    found = []
    while frame is not None:
        found.append((frame.linked.name, pc))
        pc, frame = frame.back, frame.caller
    return tuple(found)


def enclosing(frame: Activation | None, activation: int) -> Activation | None:
    """Of an activation and its callers the innermost whose number is not above this one.

    That is the activation of this number, if it is under way.  In deep recursions it is asked at every step:
    each activation remembers the answer, which is that of its caller.
    """
    outer = frame
    while outer is not None and outer.number > activation:
        if outer.found is not None and outer.found[0] == activation:
            outer = outer.found[1]
            break
        outer = outer.caller
    if frame is not None and frame is not outer:
        frame.found = activation, outer
    return outer


def within(frame: Activation | None, pc: int, activation: int, instruction: int) -> bool:
    """Whether an activation that stood at `instruction` is still in the same unit or in a call from it.

    `frame` and `pc` are where the machine stands.
    """
    innermost = frame
    frame = enclosing(frame, activation)
    if frame is None or frame.number != activation:
        return False
    units = frame.linked.compiled.unit_of
    while instruction + 1 < len(units) and units[instruction] < 0:
        if pc == instruction and frame is innermost:
            return True
        instruction += 1  # a gap: the statement behind it is meant
    return frame is not innermost or (pc < len(units) and units[pc] == units[instruction])


def count_key(number: int, instruction: int) -> int:
    """The key of the cell that counts how often activation `number` came to an instruction."""
    return -1 - ((number + _OUTSIDE) << _COUNT_BITS | instruction)


def call_key(number: int, code: int) -> int:
    """The key of the cell that counts the calls of a function by activation `number`."""
    return count_key(number, _CALLS | code)


def next_call(cells: Mapping[int, Any], caller: int, code: int) -> tuple[int, Called]:
    """The next call of a function by activation `caller`, with the key of the cell that counts these."""
    key = call_key(caller, code)
    return key, Called(code, cells.get(key, 0) + 1)


def counted(cells: Mapping[int, Any]) -> dict[tuple[int, int], int]:
    """How often each (activation number, instruction) was executed, as far as it was counted."""
    return {(number, what): times for number, what, times in _counts(cells) if not what & _CALLS}


def calls_counted(cells: Mapping[int, Any]) -> dict[tuple[int, int], int]:
    """How many calls of each function (by its code) each activation has made."""
    return {(number, what ^ _CALLS): times for number, what, times in _counts(cells) if what & _CALLS}


def _counts(cells: Mapping[int, Any]) -> Iterator[tuple[int, int, int]]:
    for key, times in cells.items():
        if key < 0:
            number, what = divmod(-1 - key, 1 << _COUNT_BITS)
            yield number - _OUTSIDE, what, times


def between(frame: Activation, outer: Activation) -> tuple[Called, ...]:
    """The calls that lead from an activation, one of the other's callers or itself, to that."""
    found = [each.call for each in takewhile(lambda each: each is not outer, outwards(frame))]
    return tuple([call for call in reversed(found) if call is not None])


def led_to(number: int, calls: Iterable[Called]) -> int:
    """The number of the activation to which these calls lead from another one."""
    return reduce(number_within, calls, number)
