"""The call stack of a machine, and the cells in which it counts what its activations have executed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from wolverine.semantics.address import frame_base
from wolverine.semantics.linking import Linked, Links

INSERTED = 1 << 22  # activations of calls that an edit inserts have higher numbers: those of the others stay


class Activation:
    """A linked, immutable call stack: `back` is the instruction of the caller to which this one returns.

    `number` is the activation's number as in `Position`.  That of a call which an edit makes stores its value
    `into` a cell (0: nowhere); behind an inserted one the next activation is number `onward`.
    """

    __slots__ = ("back", "base", "caller", "depth", "found", "into", "key", "linked", "number", "onward")

    def __init__(
        self,
        linked: Linked,
        depth: int,
        number: int,
        back: int,
        caller: Activation | None,
        into: int = 0,
        onward: int | None = None,
    ) -> None:
        self.linked = linked
        self.base = frame_base(depth)
        self.depth = depth
        self.number = number
        self.back = back
        self.caller = caller
        self.into = into
        self.onward = onward
        self.found: tuple[int, Activation | None] | None = None  # what was asked last, see `enclosing`
        self.key: int = hash((linked.name, back, caller.key if caller is not None else 0, into))


class Counts(NamedTuple):
    """What positions behind a moment go by: the `numbers` of its activations, innermost first, that of the
    next one, and how often each (activation, instruction) was executed.
    """

    numbers: tuple[int, ...]
    following: int
    executed: Mapping[tuple[int, int], int]


NO_COUNTS = Counts((), 0, {})


class Mark(NamedTuple):
    """A moment of a machine: see `Machine.mark`."""

    trail: int
    frame: Activation | None
    pc: int
    activations: int
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
        frame = Activation(linked, old.depth, old.number, old.back, frame, old.into, old.onward)
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
    return -1 - ((number + (1 << 24)) << 24 | instruction)


def counted(cells: Mapping[int, Any]) -> dict[tuple[int, int], int]:
    """How often each (activation number, instruction) was executed, as far as it was counted."""
    found = {}
    for key, times in cells.items():
        if key < 0:
            number, instruction = divmod(-1 - key, 1 << 24)
            found[number - (1 << 24), instruction] = times
    return found
