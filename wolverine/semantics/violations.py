"""Memory-safety violations that a process survives: where an execution first does what C forbids.

The process may go on after the use of a freed node, of a value that nothing has set, or of memory behind an
object; the model stops there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from wolverine.core.graph import MemoryGraph, NodeId, VariableId
from wolverine.core.program import Program
from wolverine.semantics.activation import outwards
from wolverine.semantics.faults import Fault, FaultKind
from wolverine.semantics.interval import Search
from wolverine.semantics.machine import PATH_MARK, Machine
from wolverine.semantics.state import Stack

NOWHERE: Stack = (("", 0),)  # a target that is never reached: up to the program's end
SURVIVED: frozenset[FaultKind] = frozenset(
    ("freed", "uninitialised", "bounds", "wild", "bad-free", "double-free")
)


@dataclass(frozen=True, slots=True)
class Violation:
    """What is done at `instruction` of `function`, in words.

    `visits` is how often its statement begins from the stop before on, this time included (0: not counted);
    `node` is the node that it is about (0: none), `own` the variable of the function itself that it is
    about ("": none).
    """

    kind: FaultKind
    message: str
    function: str
    instruction: int
    visits: int = 0
    node: int = 0
    own: str = ""


def survived(fault: Fault | None, where: tuple[str, int]) -> Violation | None:
    """The violation that a fault of the model was, at `where`, if the process may go on after such."""
    if fault is None or fault.kind not in SURVIVED:
        return None
    return Violation(fault.kind, fault.message, *where, node=fault.node)


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
    first = function.units[unit].first
    names = {**machine.names, **{each.number: each.linked.name for each in outwards(begun)}}
    path = _executed(names, begun.linked.name, search.way)
    visits = sum(each == (name, first) for each in path) + (instruction == first)
    place = search.unset.object if search.unset is not None else None
    own = ""
    if isinstance(place, VariableId) and machine.frame is not None and place.depth == machine.frame.depth:
        own = place.name
    node = place.number if isinstance(place, NodeId) else found.node
    return replace(found, visits=visits, node=node, own=own)


def line_of(program: Program, function: str, instruction: int) -> int | None:
    """The line of an instruction's statement, None for what has no text of its own."""
    code = program.functions[function]
    unit = code.unit_of[instruction]
    return code.units[unit].span.line if unit >= 0 else None


def _executed(names: Mapping[int, str], name: str, path: Iterable[int]) -> Iterator[tuple[str, int]]:
    """The instructions of a path, with the functions of their activations; it begins in function `name`."""
    for entry in path:
        if entry >= 0:
            yield name, entry
        else:
            name = names[entry + PATH_MARK]
