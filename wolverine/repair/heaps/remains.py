"""What a run on a fresh heap leaves: heap, globals and result, so that equal outcomes are equal values."""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from wolverine.repair.heaps.backlinks import Backlink, Leader, breaks
from wolverine.repair.heaps.counted import miscounted
from wolverine.repair.heaps.ends import End, passed
from wolverine.repair.heaps.hanging import Hanging, Tables, mixes
from wolverine.repair.heaps.ordered import Ordered, disordered
from wolverine.repair.heaps.ringless import closes
from wolverine.repair.heaps.unshared import Unshared, shares
from wolverine.repair.source.together import Together, torn
from wolverine.semantics.activation import Mark
from wolverine.semantics.address import (
    ADDRESS_MASK,
    GLOBALS,
    HIDDEN,
    KIND_SHIFT,
    KIND_SIZE,
    LOCALS,
    OBJECT_BITS,
    POINTER,
    STATE,
    STATE_KEY,
    TOKENS,
    number_of,
    offset_of,
)
from wolverine.semantics.counters import Counted, Owner
from wolverine.semantics.machine import Machine
from wolverine.semantics.reaching import reached
from wolverine.semantics.shape import cyclic

_PLAIN = 3  # parts of a cell that is left: others only say that stretches have something else there

Left = tuple[Hashable, Collection[tuple[int, bool]], Hashable]  # cells, nodes and which live, the result


class Rules(NamedTuple):
    """What the inputs of a function keep."""

    links: Collection[Backlink] = ()
    together: Collection[Together] = ()
    ends: Collection[End] = ()
    counted: Collection[Counted] = ()
    unshared: Collection[Unshared] = ()
    ordered: Collection[Ordered] = ()
    ringless: Collection[str] = ()
    hanging: Collection[Hanging] = ()
    structs: Mapping[int, str] = MappingProxyType({})  # of the nodes of the present input
    owners: Mapping[str, Collection[Owner]] = MappingProxyType({})  # its structs
    tables: Tables = MappingProxyType({})  # its tables of lists
    led: Mapping[int, Collection[Leader]] = MappingProxyType({})  # what leads to these nodes
    counting: Collection[int] = frozenset()  # variables in whose structs something was counted
    scratch: Collection[int] = frozenset()  # global pointers that hold nothing for others
    upward: Collection[tuple[str, int]] = frozenset()  # of the `links` those to parents
    stale: Collection[int] = frozenset()  # global pointers that may lead to freed nodes


class Done(NamedTuple):
    """What a run did: how many nodes it made, and which of the pointers given it linked to from elsewhere."""

    nodes: int
    linked: frozenset[int]


def held(machine: Machine, given: Sequence[int], value: Any = None) -> frozenset[int]:
    """Which of the pointers are held elsewhere, by index: in a node, a variable further out, the result."""
    own = number_of(machine.frame.base)  # type: ignore[union-attr]
    found: set[int] = set()
    for key, raw in machine.memory.cells.items():
        if key < 0 or (key & ~HIDDEN) >> KIND_SHIFT != POINTER or raw not in given:
            continue
        number = number_of(key & ADDRESS_MASK)
        if number < own or number < LOCALS:
            found.update(i for i, each in enumerate(given) if each == raw and number != number_of(raw))
    return frozenset(found | {i for i, each in enumerate(given) if each == value})


def holding(machine: Machine, given: Collection[int]) -> frozenset[int]:
    """The variables further out, by number, in which there is one of these pointers."""
    own = number_of(machine.frame.base)  # type: ignore[union-attr]
    return frozenset(
        number
        for key, raw in machine.memory.cells.items()
        if raw in given
        and key >= 0
        and (key & ~HIDDEN) >> KIND_SHIFT == POINTER
        and LOCALS <= (number := number_of(key & ADDRESS_MASK)) < own
    )


def freed(machine: Machine) -> int:
    """How many nodes are freed."""
    first, behind = STATE_KEY, STATE_KEY + (1 << KIND_SHIFT)
    return sum(first <= key < behind and raw < 0 for key, raw in machine.memory.cells.items())


def dangles(
    machine: Machine,
    value: Any,
    passed: list[int],
    *,
    lost: bool = False,
    unread: Container[int] = (),
    anew: Container[int] = (),
) -> bool:
    """Whether a live node, a global, what a parameter leads to or the result leads to a freed node.

    Nodes to which nothing leads any more count only as `lost` ones: nobody goes through them.  Nor does
    anybody go over the links at the `unread` offsets of nodes, or through globals that callers set `anew`.
    """
    states = {}
    pointers = []
    led = {number_of(raw) for raw in passed}
    for key, raw in machine.memory.cells.items():
        kind, number = (key & ~HIDDEN) >> KIND_SHIFT, number_of(key & ADDRESS_MASK)
        if key < 0 or not isinstance(raw, int):
            continue
        if kind == 10 and number < GLOBALS:
            states[number] = raw >= 0
        elif kind == POINTER and 0 < raw < 1 << 60:
            pointers.append((number, number_of(raw), offset_of(key & ADDRESS_MASK)))
    if isinstance(value, int) and states.get(number_of(value)) is False:
        return True
    dangling = {
        owner
        for owner, to, offset in pointers
        if (owner < LOCALS or owner in led)
        and states.get(to) is False
        and states.get(owner, True)
        and not (offset in unread if owner < GLOBALS else owner in anew)
    }
    if lost or not dangling:
        return bool(dangling)
    own = number_of(machine.frame.base)  # type: ignore[union-attr]
    roots = {number for number, *_ in pointers if number >= GLOBALS and (number < LOCALS or number < own)}
    roots |= led | ({number_of(value)} if isinstance(value, int) else set())
    leads: dict[int, list[int]] = {}
    for owner, to, _ in pointers:
        leads.setdefault(owner, []).append(to)
    return not dangling.isdisjoint(reached(leads, roots, states))


def alters(before: tuple[Any, str], after: tuple[Any, str]) -> bool:
    """Whether what is left, or was printed, is something else; cells that were not set may be set now."""
    (cells, *rest), printed = before
    (now, *others), output = after
    if rest != others or printed != output or not cells <= now:
        return True
    return any(len(cell) > _PLAIN for cell in now - cells)  # set before, too


def fills(before: tuple[Any, str], after: tuple[Any, str]) -> bool:
    """Whether as many new nodes are left, and more of their cells are set."""
    made = [[cell for cell in cells if cell[0] < 0] for ((cells, *_), _) in (before, after)]
    one, other = ({name for name, *_ in cells} for cells in made)
    return one == other and len(made[0]) < len(made[1])


def changes(machine: Machine, since: Mark, scratch: Collection[int] = ()) -> bool:
    """Whether the heap or a global, save the `scratch` ones, is other than at the mark."""
    own = number_of(machine.frame.base)  # type: ignore[union-attr]
    cells, trail = machine.memory.cells, machine.memory.trail
    seen: set[int] = set()
    for at in range(since.trail, len(trail), 2):
        key = trail[at]
        if key < 0 or key in seen:
            continue
        seen.add(key)
        number = number_of(key & ADDRESS_MASK)
        if number in scratch or not 0 < number < max(own, LOCALS):
            continue
        before = trail[at + 1]
        if cells.get(key) != (machine.memory.repeated(key) if before is None else before):
            return True
    return False


def redirects(machine: Machine, since: Mark, count: int, own: int, scratch: Collection[int]) -> bool:
    """Whether a pointer in one of the first `count` nodes, or in an outer variable, has changed since.

    The variables of the activation `own`, by its base, and of those within it are no outer ones, nor are the
    `scratch` ones.
    """
    cells, trail = machine.memory.cells, machine.memory.trail
    first: dict[int, Any] = {}
    for at in range(since.trail, len(trail), 2):
        key = trail[at]
        if key < 0 or (key & ~HIDDEN) >> KIND_SHIFT != POINTER:
            continue
        number = number_of(key & ADDRESS_MASK)
        if (0 < number <= count or GLOBALS <= number < max(own, LOCALS)) and number not in scratch:
            before = trail[at + 1]
            first.setdefault(key, machine.memory.repeated(key) if before is None else before)
    return any(cells.get(key) != before for key, before in first.items())


def rings(machine: Machine) -> frozenset[int]:
    """The offsets of pointers over which some node leads back to itself, over each by itself."""
    leads: dict[int, dict[int, tuple[int]]] = {}
    for offset, number, target in _links(machine):
        leads.setdefault(offset, {})[number] = (target,)
    return frozenset(offset for offset, edges in leads.items() if cyclic(edges, edges))


def to_themselves(machine: Machine) -> frozenset[int]:
    """The offsets of pointers over which some node leads to itself at once."""
    return frozenset(offset for offset, number, target in _links(machine) if number == target)


def _links(machine: Machine) -> Iterator[tuple[int, int, int]]:
    """The pointers of nodes to the beginning of nodes: offset, and the numbers of the two."""
    for key, raw in machine.memory.cells.items():
        if key < 0 or key >> KIND_SHIFT != POINTER or not isinstance(raw, int):
            continue
        number, target = number_of(key & ADDRESS_MASK), number_of(raw)
        if number < GLOBALS and 0 < target < GLOBALS and offset_of(raw) == 0:
            yield offset_of(key & ADDRESS_MASK), number, target


_offset = itemgetter(0)


def remains(
    machine: Machine, value: Any, roots: list[int], count: int, rules: Rules, given: Collection[int] = ()
) -> tuple[Left, AbstractSet[int], int]:
    """What is left: the heap, the globals and the result, with new nodes named by how they are reached.

    Scratch pointers are left out, and lead nowhere.  So is what freed nodes held: nobody may ask for it.
    Also the live nodes, by number, to which nothing leads any more, and how many of the eight sorts of rules
    are broken, `given` being the objects that parameters and the result lead to.
    """
    own = number_of(machine.frame.base)  # type: ignore[union-attr]
    by_object: dict[int, list[tuple[int, int, Any]]] = {}
    repeated = machine.memory.repeated if machine.memory.stretches else None
    written: dict[int, list[int]] = {}  # where it is not as stretches say, by object
    live: set[int] = set()
    states = []
    outer = max(own, LOCALS)
    for key, raw in machine.memory.cells.items():
        if key < 0:
            continue
        kind = (key & ~HIDDEN) >> KIND_SHIFT
        number = (key & ADDRESS_MASK) >> OBJECT_BITS
        if kind in KIND_SIZE:
            if number < outer:
                if repeated is not None and (known := repeated(key)) is not None:
                    if raw == known:
                        continue
                    written.setdefault(number, []).append(offset_of(key))
                if number in by_object:
                    by_object[number].append((offset_of(key), kind, raw))
                else:
                    by_object[number] = [(offset_of(key), kind, raw)]
        elif kind == STATE and number < GLOBALS:
            if raw >= 0:
                live.add(number)
            states.append((number, raw))
    dead = {number for number, raw in states if raw < 0}  # nobody may go through these
    names: dict[int, int] = {}
    seen: set[int] = set()
    work = [number_of(r) for r in roots if 0 < r < 1 << 60]
    work += sorted(n for n in by_object if n >= GLOBALS and n not in rules.scratch)
    work.reverse()
    while work:
        number = work.pop()
        if number in seen:
            continue
        seen.add(number)
        if count < number < GLOBALS:
            names[number] = -1 - len(names)
        led = [
            (offset, raw)
            for offset, kind, raw in by_object.get(number, ())
            if kind == POINTER and isinstance(raw, int) and 0 < raw < TOKENS and number not in dead
        ]
        led.sort(key=_offset)
        targets = [number_of(raw) for _, raw in led]
        work += reversed(targets)

    def name(raw: Any, kind: int) -> Any:
        if kind != POINTER or not isinstance(raw, int) or not 0 < raw < TOKENS:
            return raw
        number = number_of(raw)
        return (names.get(number, number), offset_of(raw))

    found: list[tuple[Any, ...]] = []
    for number in seen if count < machine.memory.node_count else by_object:
        if number not in rules.scratch and number not in dead:
            named = names.get(number, number)
            found += [
                (named, offset, name(raw, kind) if kind == POINTER else raw)
                for offset, kind, raw in by_object.get(number, ())
            ]
            found += [(named, offset, "", "") for offset in written.get(number, ())]
    cells = frozenset(found)
    gone = frozenset((names.get(n, n), raw >= 0) for n, raw in states if n in seen or n <= count)
    result = name(value, POINTER) if isinstance(value, int) and value > 1 << 24 else value
    sizes = {n: raw for n, raw in states if n in seen and raw >= 0}
    broken = bool(rules.links) and breaks(rules.links, by_object, sizes, rules.structs, rules.led)
    parted = bool(rules.together) and torn(rules.together, by_object, sizes, rules.structs)
    inside = bool(rules.ends) and passed(rules.ends, by_object, sizes, rules.structs)
    wrong = bool(rules.counted) and miscounted(rules.counted, by_object, sizes, rules.owners)
    shared = bool(rules.unshared) and shares(
        rules.unshared, by_object, sizes, rules.structs, given, rules.upward
    )
    mixed = bool(rules.ordered) and disordered(rules.ordered, by_object, sizes, rules.structs)
    round_ = bool(rules.ringless) and closes(rules.ringless, by_object, sizes, rules.structs)
    tangled = bool(rules.tables) and mixes(rules.hanging, by_object, sizes, rules.tables)
    all_broken = broken + parted + inside + wrong + shared + mixed + round_ + tangled
    return (cells, gone, result), live - seen, all_broken
