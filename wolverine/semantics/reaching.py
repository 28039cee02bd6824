"""Which nodes the variables of a state lead to, and which are lost: live, but nothing leads to them."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

from wolverine.core.program import RESULT_NAME, Call
from wolverine.semantics.activation import outwards
from wolverine.semantics.address import (
    ADDRESS_MASK,
    FRAME,
    GLOBALS,
    HIDDEN,
    KIND_SHIFT,
    LOCALS,
    POINTER,
    STATE_KEY,
    TOKENS,
    node_address,
    number_of,
    offset_of,
)
from wolverine.semantics.dataflow import reads
from wolverine.semantics.machine import Machine
from wolverine.semantics.memory import Memory


def nodes_and_links(
    memory: Memory, unread: Container[int] = ()
) -> tuple[dict[int, bool], dict[int, list[int]]]:
    """By number, whether each node is live, and to which objects the pointers in each object lead.

    Those at the `unread` offsets of nodes are left out.
    """
    cells = memory.cells
    leads: dict[int, list[int]] = {}
    # Most cells are counters, numbers and null pointers.
    for key, raw in [cell for cell in cells.items() if cell[1] and type(cell[1]) is int]:
        if (key & ~HIDDEN) >> KIND_SHIFT == POINTER and 0 < raw < TOKENS:
            number = number_of(key & ADDRESS_MASK)
            if number >= GLOBALS or offset_of(key & ADDRESS_MASK) not in unread:
                leads.setdefault(number, []).append(number_of(raw))
    states = (
        (number, cells.get(node_address(number) + STATE_KEY)) for number in range(1, memory.node_count + 1)
    )
    return {number: state >= 0 for number, state in states if state is not None}, leads


def unreached(
    live: Mapping[int, bool], leads: Mapping[int, Sequence[int]], aside: Collection[int] = ()
) -> set[int]:
    """The live nodes to which no variable leads, but for those that are left `aside`."""
    roots = (number for number in leads if number >= GLOBALS and number not in aside)
    seen = reached(leads, roots, live)
    return {number for number, alive in live.items() if alive and number not in seen}


def reached(leads: Mapping[int, Sequence[int]], roots: Iterable[int], live: Mapping[int, bool]) -> set[int]:
    """The objects to which these lead, themselves included, but for freed nodes."""
    seen = {root for root in roots if live.get(root, True)}
    work = [*seen]
    while work:
        for to in leads.get(work.pop(), ()):
            if to not in seen and live.get(to, True):
                seen.add(to)
                work.append(to)
    return seen


class Reaching:
    """Looks at a machine's memory; a temporary counts as long as it will be read.

    With `scoped` so does a variable of a block that has been left, as pictures show it.
    """

    def __init__(self, machine: Machine, *, scoped: bool = False) -> None:
        self._machine = machine
        self._scoped = scoped
        self._read: dict[str, tuple[frozenset[str], ...]] = {}
        self._ended: dict[tuple[str, int], frozenset[str]] = {}

    def unreached(self, *, leaving: bool = False, block: int | None = None) -> set[int]:
        """The live nodes to which no variable leads.

        With `leaving`, the present activation is about to return: of its variables only the result counts.
        With `scoped`, those count that the present activation has at instruction `block` (None: at the next).
        """
        live, leads = nodes_and_links(self._machine.memory)
        aside = self._passing(block)
        if leaving:
            aside.update(self._own())
        return unreached(live, leads, aside)

    def _own(self) -> Iterator[int]:
        """The variables of the present activation, but for the result, by number."""
        frame = self._machine.frame
        if frame is None:
            return
        for index, variable in enumerate(self._machine.layout.variables(frame.linked.name)):
            if variable.name != RESULT_NAME:
                yield LOCALS + frame.depth * FRAME + index

    def _passing(self, block: int | None) -> set[int]:
        """The temporaries of the activations that hold what nobody reads any more, by number.

        Among them is what the call before has returned where an activation waits for the next.
        """
        machine, found = self._machine, set[int]()
        pc, awaited = machine.pc, ""
        for frame in outwards(machine.frame):
            name = frame.linked.name
            read = self.reads(name, pc)
            here = machine.pc if block is None else block
            left = self.left(name, here if frame is machine.frame else pc - 1)
            found.update(
                LOCALS + frame.depth * FRAME + index
                for index, variable in enumerate(machine.layout.variables(name))
                if (variable.name.startswith("$") or variable.name in left)
                and (variable.name not in read or variable.name == awaited)
            )
            pc, awaited = frame.back, ""
            if frame.caller is not None and pc:
                call = frame.caller.linked.steps[pc - 1]
                awaited = call.result.name if isinstance(call, Call) and call.result is not None else ""
        return found

    def left(self, name: str, pc: int) -> frozenset[str]:
        """The variables of blocks of a function that an instruction is no part of; none unless `scoped`."""
        if (name, pc) not in self._ended:
            self._ended[name, pc] = self._left(name, pc)
        return self._ended[name, pc]

    def _left(self, name: str, pc: int) -> frozenset[str]:
        function = self._machine.program.functions[name]
        number = (
            getattr(function.code[pc], "location", -1) if self._scoped and pc < len(function.code) else -1
        )
        if number < 0:
            return frozenset()
        visible = {variable.name for variable in self._machine.program.location(number).scope}
        return frozenset(each.name for each in function.locals if each.name not in visible)

    def reads(self, name: str, pc: int) -> frozenset[str]:
        """The locals of a function, temporaries too, that it may read at an instruction or after it."""
        if name not in self._read:
            program = self._machine.program
            self._read[name] = reads(program.functions[name], program)
        return self._read[name][pc]


def at_brace(machine: Machine) -> bool:
    """Whether the machine stands at the closing brace of the present activation's function."""
    assert machine.frame is not None
    function = machine.program.functions[machine.frame.linked.name]
    return function.unit_of[machine.pc] == function.unit_of[function.end]


_REACHING: WeakKeyDictionary[Machine, Reaching] = WeakKeyDictionary()


def any_lost(machine: Machine, nodes: Collection[int]) -> bool:
    """Whether one of the nodes is lost where the machine stands; at a closing brace, when it has returned."""
    memory = machine.memory
    if not any(memory.node_live(number) for number in nodes):
        return False
    reaching = _REACHING.get(machine)
    if reaching is None:
        reaching = _REACHING[machine] = Reaching(machine)
    leaving = machine.frame is not None and machine.frame.caller is not None and at_brace(machine)
    return not reaching.unreached(leaving=leaving).isdisjoint(nodes)
