"""What the rest of a stretch can still put right: a bound on writes up to the next assertion.

A cell that does not hold what the next assertion says, and that no statement up to there can write,
needs an edit of its own.  So when few edits are left, only effects count that mend such a cell, and an
effect that spoils one is not followed (Wolverine2 has no counterpart; the bound is admissible: every
statement that may be executed counts, whatever its pointers lead to).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wolverine.core.graph import NodeId
from wolverine.core.program import Call, reachable
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.schedule import Check, Expected, Group
from wolverine.repair.explicit.ahead import Ahead, FieldKey, Writes
from wolverine.repair.source.flow import behind, cyclic, forward
from wolverine.semantics.activation import Activation, count_key
from wolverine.semantics.address import (
    ADDRESS_MASK,
    FRAME,
    GLOBALS,
    KIND_SHIFT,
    LOCALS,
    POINTER,
    TOKENS,
    number_of,
    offset_of,
)
from wolverine.semantics.encoding import held_at
from wolverine.semantics.machine import Machine

Chain = tuple[tuple[str, int], ...]  # functions and instructions, innermost first
_Key = tuple[Chain, int, int]  # where the activations stand, the next group, where its assertion stops
_DEPTH = 8  # activations between the present one and that of the assertion


class Lack:
    """How much the present state lacks of the next assertion, beyond what may still be written.

    `total` is the least number of writes that edits have to do.
    """

    __slots__ = ("_ahead", "_counts", "_depth", "_taken", "cells", "total", "wrong")

    def __init__(self, ahead: Ahead, depth: int, taken: bool, cells: dict[int, Any]) -> None:
        self._ahead = ahead
        self._depth = depth
        self._taken = taken
        self._counts: Counter[FieldKey] = Counter()
        self.cells = cells  # what the assertion says, by key
        self.wrong: list[int] = []
        self.total = 0

    def add(self, key: int) -> None:
        """The cell does not hold what it should."""
        self.wrong.append(key)
        self.total += self._weight(key, 1)
        number = number_of(key & ADDRESS_MASK)
        if number < GLOBALS:
            self._counts[offset_of(key & ADDRESS_MASK), key >> KIND_SHIFT] += 1

    def _weight(self, key: int, change: int) -> int:
        """How the total changes when one cell more (1) or less (-1) is wrong."""
        address, kind = key & ADDRESS_MASK, key >> KIND_SHIFT
        number = number_of(address)
        ahead = self._ahead
        if number < GLOBALS:
            if kind in ahead.kinds:
                return 0
            name = (offset_of(address), kind)
            have, can = self._counts[name], ahead.fields[name]
            return max(0, have + change - can) - max(0, have - can)
        if self._taken and (kind in ahead.kinds or any(k == kind for _, k in ahead.fields)):
            return 0
        if number < LOCALS:
            return 0 if number in ahead.globals else change
        depth, index = divmod(number - LOCALS, FRAME)
        return 0 if depth == self._depth and index in ahead.locals else change

    def after(self, key: int, raw: Any, held: Any) -> int:
        """The total when `raw` is written to a cell that holds `held`."""
        if key not in self.cells:
            return self.total
        wanted = self.cells[key]
        before, now = held != wanted, raw != wanted
        if before == now:
            return self.total
        return self.total + self._weight(key, 1 if now else -1)

    def mends(self, key: int) -> bool:
        """Whether putting the cell right lowers the total."""
        return self._weight(key, -1) < 0


@dataclass(frozen=True)
class Way:
    """What may be executed up to the next assertion, the instruction at hand included."""

    group: int
    locations: tuple[int, ...]
    all: frozenset[int]
    watched: tuple[tuple[int, ...], ...]  # instructions at which events are looked for, by activation


class Outlook:
    """The bounds for one trace on the straight line."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._program = runner.machine.program
        self._ahead: dict[_Key, Ahead | None] = {}
        self._more: dict[tuple[_Key, tuple[tuple[int, int], ...]], Ahead | None] = {}
        self._ways: dict[_Key, Way | None] = {}
        self._kept: list[frozenset[int]] = []
        self._cells: dict[int, tuple[dict[int, Any], tuple[tuple[int, Any], ...]]] = {}

    @cached_property
    def _writes(self) -> Writes:
        """What statements may write; a search that has nothing to try never asks."""
        return Writes(self._program, self.machine.layout, sorted(self._runner.reachable))

    @property
    def machine(self) -> Machine:
        """The machine of the trace."""
        return self._runner.machine

    def way(self, following: int) -> tuple[Way, tuple[int | None, ...]] | None:
        """The way from the present instruction to the next assertion, and how often events were looked for.

        None where the assertion is one of an activation that is not on the stack.
        """
        found = self._next(following)
        placed = self._chain(found)
        if found is None or placed is None:
            return None
        key = placed[0], following, self._stop(placed, following, found[0])
        if key not in self._ways:
            self._ways[key] = self._find(key, found[0])
        way = self._ways[key]
        held, frame = self.machine.memory.cells.get, self.machine.frame
        counts: list[int | None] = []
        for watched in way.watched if way is not None else ():
            assert frame is not None
            counts.append(frame.number)
            counts += [held(count_key(frame.number, pc)) for pc in watched]
            frame = frame.caller
        return (way, tuple(counts)) if way is not None else None

    def lack(self, following: int, decided: Mapping[int, int], location: int) -> tuple[Lack, bool] | None:
        """The lack right behind the instruction at which the machine stands, if that can be told.

        Also whether no statement up to the assertion is executed twice.
        """
        found = self._next(following)
        placed = self._chain(found)
        if found is None or placed is None:
            return None
        chain, frame = placed
        key = chain, following, self._stop(placed, following, found[0])
        if key not in self._ahead:
            self._ahead[key] = self._look(chain, key[-1])
        ahead = self._ahead[key]
        if ahead is None or location in ahead.locations:
            return None
        again = tuple([each for each in decided.items() if each[0] in ahead.locations])
        if again:
            ahead = self._changed(key, ahead, again)
            if ahead is None:
                return None
        wanted, order = self._wanted(found[0], found[1].checks)
        lack = Lack(ahead, frame.depth, self._writes.taken, wanted)
        memory = self.machine.memory
        get = memory.cells.get
        for cell, raw in order:
            if get(cell) != raw and (raw or held_at(memory, cell) != raw):
                lack.add(cell)
        return lack, ahead.acyclic

    def _next(self, following: int) -> tuple[int, Group] | None:
        """The next group with assertions."""
        groups = self._runner.schedule.groups
        for index in range(following, len(groups)):
            if groups[index].checks:
                return index, groups[index]
            if groups[index].interval is not None:
                return None
        return None

    def _chain(self, found: tuple[int, Group] | None) -> tuple[Chain, Activation] | None:
        """Where the activations stand, from the present one to that of the assertion, and this one."""
        if found is None:
            return None
        wanted, chain = found[1].position.activation, list[tuple[str, int]]()
        frame: Activation | None = self.machine.frame
        pc = self.machine.pc
        while frame is not None and len(chain) < _DEPTH:
            chain.append((frame.linked.name, pc))
            if frame.number == wanted:
                same = frame.linked.name == found[1].position.function
                return (tuple(chain), frame) if same else None
            pc, frame = frame.back, frame.caller
        return None

    def _regions(self, chain: Chain, stop: int) -> list[tuple[str, set[int]]]:
        """The instructions that may be executed behind the present one up to `stop`, by activation."""
        functions = self._program.functions
        found = []
        for number, (name, pc) in enumerate(chain):
            until = stop if number + 1 == len(chain) else -1
            if not number:
                steps = behind(functions[name].code, pc, until, leaping=self._runner.leaping)
            elif pc == until:
                steps = set()
            else:
                steps = forward(functions[name].code, pc, until, leaping=self._runner.leaping)
            found.append((name, steps))
        return found

    def _stop(self, placed: tuple[Chain, Activation], following: int, index: int) -> int:
        """The instruction beyond which nothing is executed before group `index`; -1 if there is none.

        Where the trace holds no decisions of a loop, an execution may pass its condition several times.
        """
        schedule, (chain, frame) = self._runner.schedule, placed
        group, before = schedule.groups[index], schedule.groups[following:index]
        stop = group.position.instruction
        if stop in schedule.loops.get(chain[-1][0], ()):
            before = [each for each in before if each.place == group.place]
        else:
            visits = self.machine.memory.cells.get(count_key(frame.number, stop), 0)
            if visits + 1 != group.position.occurrence:
                return -1
        return -1 if before else stop

    def _find(self, key: _Key, index: int) -> Way:
        chain, _, stop = key
        regions = self._regions(chain, stop)
        regions[0][1].add(chain[0][1])
        locations: set[int] = set()
        called: set[str] = set()
        for name, steps in regions:
            code = self._program.functions[name].code
            locations.update(code[each].location for each in steps)
            called.update(step.function for each in steps if isinstance(step := code[each], Call))
        for other in reachable(self._program, called):
            locations.update(step.location for step in self._program.functions[other].code)
        locations.discard(-1)
        watched = self._runner.schedule.watched
        events = tuple(tuple(sorted(watched.get(name, ()))) for name, _ in chain)
        return Way(index, tuple(sorted(locations)), frozenset(locations), events)

    def _look(self, chain: Chain, stop: int) -> Ahead | None:
        """What may be written behind the present instruction."""
        regions, functions = self._regions(chain, stop), self._program.functions
        total = Ahead()
        for number, (name, steps) in enumerate(regions):
            acyclic = not cyclic(functions[name].code, steps, leaping=self._runner.leaping)
            own = Ahead(acyclic=acyclic)
            self._writes.region(own, name, steps, acyclic=acyclic)
            if number:
                self._writes.result(own, name, functions[name].code[chain[number][1] - 1])
            total.merge(own)
            total.acyclic &= own.acyclic and total.locations.isdisjoint(own.locations)
            total.locations |= own.locations
            total.locals = own.locals  # those of the activation of the assertion
        return None if total.wild else total

    def _changed(self, key: _Key, ahead: Ahead, decided: tuple[tuple[int, int], ...]) -> Ahead | None:
        """What may be written when these choices stand at changed locations ahead, too."""
        name = (key, decided)
        if name not in self._more:
            more = ahead.copy()
            told = all(self._chosen(more, key[0][-1][0], *each) for each in decided)
            self._more[name] = more if told and not more.wild else None
        return self._more[name]

    def _chosen(self, ahead: Ahead, function: str, location: int, mask: int) -> bool:
        opened = self._runner.menu(location)
        return opened is not None and self._writes.chosen(ahead, function, opened.menu, mask)

    def _named_anew(self, cell: Expected) -> bool:
        """Whether it is a cell of a node that the trace makes, or leads to one: its name may be another."""
        place, raw = cell.place, cell.raw
        if isinstance(place.object, NodeId) and place.object not in self._runner.trace.start.nodes:
            return True
        leads = cell.keys[0] >> KIND_SHIFT == POINTER and isinstance(raw, int) and 0 < raw < TOKENS
        return leads and self._made(number_of(raw))

    def _made(self, number: int) -> bool:
        return number < GLOBALS and NodeId(number) not in self._runner.trace.start.nodes

    def kept(self, following: int) -> frozenset[int]:
        """The nodes of the start that are asserted to be live yet in one of the next groups, by number."""
        if not self._kept:
            found, groups = frozenset[int](), self._runner.schedule.groups
            self._kept = [found]
            for group in reversed(groups):
                live = {node.number for check in group.checks for node, state in check.nodes if state}
                found |= {number for number in live if not self._made(number)}
                self._kept.append(found)
            self._kept.reverse()
        return self._kept[following]

    def _wanted(self, index: int, checks: list[Check]) -> tuple[dict[int, Any], tuple[tuple[int, Any], ...]]:
        known = self._cells.get(index)
        if known is None:
            cells = {}
            for check in checks:
                for cell in check.cells:
                    if len(cell.keys) == 1 and not (check.renamed and self._named_anew(cell)):
                        cells[cell.keys[0]] = cell.raw
            known = self._cells[index] = (cells, tuple(cells.items()))
        return known
