"""Memory-safety violations that a process survives: where an execution first does what C forbids.

The process may go on after the use of a freed node, of a value that nothing has set, or of memory behind an
object; the model stops there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from wolverine.core.expressions import VariableReference
from wolverine.core.graph import MemoryGraph, NodeId, Place, VariableId
from wolverine.core.program import (
    Assign,
    Before,
    Branch,
    Concrete,
    Function,
    Gap,
    Jump,
    Program,
    successors,
)
from wolverine.core.types import PointerType
from wolverine.semantics.activation import Activation, Called, outwards
from wolverine.semantics.address import KIND_BITS, KIND_SHIFT, POINTER
from wolverine.semantics.concrete import passable
from wolverine.semantics.endless import Rounds, advance
from wolverine.semantics.faults import Fault, FaultKind
from wolverine.semantics.interval import Search
from wolverine.semantics.machine import PATH_MARK, Machine
from wolverine.semantics.state import Stack

_ROUND = 10_000  # instructions of some rounds
_UNMOVED = 20  # rounds in which no pointer changes
_SEEN = 3  # rounds of a loop without an end that are looked at
NOWHERE: Stack = (("", 0),)  # a target that is never reached: up to the program's end
SURVIVED: frozenset[FaultKind] = frozenset(
    ("freed", "uninitialised", "valueless", "bounds", "wild", "bad-free", "double-free", "mistyped")
)


@dataclass(frozen=True, slots=True)
class Violation:
    """What is done at `instruction` of `function`, in words.

    `visits` is how often its statement begins from the stop before on, this time included (0: not counted);
    `node` is the node that it is about (0: none), `own` the variable of the function itself that it is
    about ("": none).  Where calls have no end, `further` are those that tell it.
    A loop without an end may go `through` nodes, from one to the next, or make some (`grows`).  Of nodes
    that are lost there, `lost` tells all.  `unset` is what was used that nothing had set.
    """

    kind: FaultKind
    message: str
    function: str
    instruction: int
    visits: int = 0
    node: int = 0
    own: str = ""
    further: tuple[Called, ...] = ()
    through: bool = False
    grows: bool = False
    lost: frozenset[NodeId] = frozenset()
    unset: Place | None = None


def survived(fault: Fault | None, where: tuple[str, int], unset: Place | None = None) -> Violation | None:
    """The violation that a fault of the model was, at `where`, if the process may go on after such.

    `unset` is what it used that nothing had set.
    """
    if fault is None or fault.kind not in SURVIVED:
        return None
    return Violation(fault.kind, fault.message, *where, node=fault.node, unset=unset)


def first_violation(machine: Machine, target: Stack, graph: MemoryGraph, limit: int) -> Violation | None:
    """The first violation on the way to `target`, where the state is `graph`; the machine goes there."""
    begun = machine.frame
    if begun is None:
        return None
    machine.tolerant = False
    search = Search(machine, target, graph, limit, (), ending=target is NOWHERE)
    try:
        search.find()
    finally:
        machine.tolerant = True
    found = survived(search.fault, search.faulted)
    if found is None:
        return None
    name, instruction = search.faulted
    function = machine.program.functions[name]
    unit = function.unit_of[instruction]
    if unit < 0:
        return None
    first = entered(machine, name, unit)
    path = walked(machine, begun, search.way)
    visits = sum(each[1:] == (name, first) for each in path) + (instruction == first)
    place = search.unset.object if search.unset is not None else None
    own = ""
    if isinstance(place, VariableId) and machine.frame is not None and place.depth == machine.frame.depth:
        own = place.name
    node = place.number if isinstance(place, NodeId) else found.node
    return replace(found, visits=visits, node=node, own=own)


def first_endless(machine: Machine, limit: int) -> Violation | None:
    """The loop that the machine comes to and that has no end, from the state in which it stands.

    It is in the same state again, or goes round and round with all pointers as they are: what counts up
    then may well not be what it waits for.  Failing that it is the loop that goes on and on.
    """
    begun = machine.frame
    if begun is None:
        return None
    rounds, path, steps = Rounds(), list[int](), machine.steps
    while (used := machine.steps - steps) < limit:
        if not modelled(machine):
            return None
        outcome = advance(machine, limit - used, path, counting=False)
        if outcome == "endless" or rounds.again(machine, machine.steps - steps):
            break
        if outcome not in ("concrete", "limit"):
            return None
    alive = frozenset(each.number for each in outwards(machine.frame))
    here = _unit_ahead(machine, path)
    frame = machine.frame
    if here is None or frame is None:
        return None
    if used >= limit and not _unmoved(machine, frame, here[1]):
        return _going_on(machine, begun, path, alive)
    numbers = [number for number, *at in walked(machine, begun, path) if tuple(at) == here]
    visits = sum(number != frame.number for number in numbers) + _SEEN
    again = "it is in the same state again: the loop has no end"
    unmoved = "the loop goes round and round, and no pointer changes"
    message = unmoved if used >= limit else again
    return Violation("endless", message, *here, visits, through=_through(machine, frame, here[1]))


def _going_on(
    machine: Machine, begun: Activation, path: Sequence[int], alive: Collection[int]
) -> Violation | None:
    """The outermost loop in which it still is, in one of the activations that are `alive`."""
    walk = [*walked(machine, begun, path)]
    firsts = {name: all_entered(machine, name) for name in {name for _, name, _ in walk}}
    executed = [each for each in walk if each[2] in firsts[each[1]]]
    counts = Counter(each for each in executed[len(executed) // 2 :] if each[0] in alive)
    looping = [(number, times, pc, name) for (number, name, pc), times in counts.items() if times >= _UNMOVED]
    if not looping:
        return None
    number, _, pc, name = min(looping)
    visits = sum(each[1:] == (name, pc) and each[0] != number for each in executed) + _SEEN
    frame = next(each for each in outwards(machine.frame) if each.number == number)
    through, grows = _through(machine, frame, pc), _grows(machine)
    return Violation(
        "endless", "the loop goes round and round", name, pc, visits, through=through, grows=grows
    )


def _grows(machine: Machine) -> bool:
    """Whether the next rounds of a loop make nodes."""
    count, left = machine.memory.node_count, _ROUND
    while left > 0 and modelled(machine) and machine.memory.node_count == count:
        machine.step()
        left -= 1
    return machine.memory.node_count > count


def _through(machine: Machine, frame: Activation, pc: int) -> bool:
    """Whether in a round of the loop, from the next time at `pc` on, a variable that is a pointer is set."""
    function, left, begun = machine.program.functions[frame.linked.name], 2 * _ROUND, False
    while left > 0 and modelled(machine):
        if machine.frame is frame and machine.pc == pc:
            if begun:
                break
            begun = True
        step = function.code[machine.pc] if machine.frame is frame and begun else None
        match step:
            case Assign(_, VariableReference(name, PointerType())) if not name.startswith("$"):
                return True
        machine.step()
        left -= 1
    return False


def modelled(machine: Machine) -> bool:
    """Whether the model knows what the instruction does at which the machine stands."""
    frame = machine.frame
    if frame is None:
        return False
    step = frame.linked.steps[machine.pc]
    return not isinstance(step, Concrete) or passable(machine, step)


def _unit_ahead(machine: Machine, path: list[int]) -> tuple[str, int] | None:
    """Go on to the beginning of a statement that has machine code; the function and the instruction."""
    for _ in range(_ROUND):
        frame = machine.frame
        if frame is None or not modelled(machine):
            return None
        function = machine.program.functions[frame.linked.name]
        unit = function.unit_of[machine.pc]
        begins = unit >= 0 and entered(machine, frame.linked.name, unit) == machine.pc
        if begins and not _decides_nothing(function, unit):
            return frame.linked.name, machine.pc
        machine.step(path)
    return None


def entered(machine: Machine, name: str, unit: int) -> int:
    """The instruction with which the machine begins a unit of a function: slots are passed over."""
    linked = machine.linked(name)
    return linked.following[machine.program.functions[name].units[unit].first]


def all_entered(machine: Machine, name: str) -> frozenset[int]:
    """Those of all units of a function that have code of their own (see `entered`)."""
    function = machine.program.functions[name]
    found = ((unit, entered(machine, name, unit)) for unit in range(len(function.units)))
    return frozenset(at for unit, at in found if function.unit_of[at] == unit)


def _decides_nothing(function: Function, unit: int) -> bool:
    """Whether it is a condition that leads to the same statement either way: gcc makes no code of it."""
    first = function.units[unit].first
    landings, seen, work = set[int](), set[int](), [first]
    while work:
        index = work.pop()
        if index == first and seen:
            return False  # a loop without a body
        step = function.code[index]
        passed = isinstance(step, Gap | Jump | Before) or (isinstance(step, Branch) and index >= first)
        if not passed:
            landings.add(index)
        elif index not in seen:
            seen.add(index)
            work += successors(step, index)
    return len(landings) == 1 and first not in landings


def _unmoved(machine: Machine, frame: Activation, pc: int) -> bool:
    """Whether the activation comes to the instruction again and again, and no pointer changes."""
    states: list[dict[int, object]] = []
    left = _ROUND
    while len(states) < _UNMOVED and left > 0:
        if machine.frame is frame and machine.pc == pc:
            cells = machine.memory.cells
            states.append({k: v for k, v in cells.items() if (k & KIND_BITS) == POINTER << KIND_SHIFT})
        if not modelled(machine):
            return False
        machine.step()
        left -= 1
    return len(states) == _UNMOVED and all(state == states[0] for state in states)


def line_of(program: Program, function: str, instruction: int) -> int | None:
    """The line of an instruction's statement, None for what has no text of its own."""
    code = program.functions[function]
    unit = code.unit_of[instruction]
    return code.units[unit].span.line if unit >= 0 else None


def walked(machine: Machine, begun: Activation, path: Iterable[int]) -> Iterator[tuple[int, str, int]]:
    """The instructions of a path that begins in `begun`, with their activations' numbers and functions."""
    names = {**machine.names, **{each.number: each.linked.name for each in outwards(begun)}}
    number = begun.number
    for entry in path:
        if entry >= 0:
            yield number, names[number], entry
        else:
            number = entry + PATH_MARK
