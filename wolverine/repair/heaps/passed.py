"""What the process gave functions before the trace began: inputs that a repair must get along with, too.

The user saw nothing wrong there, and the first calls are the special ones: of an empty list, say.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from weakref import ref

from wolverine.core.graph import MemoryGraph
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.repair.execution.onward import onward
from wolverine.repair.execution.tape import Tape
from wolverine.semantics.compare import same_state
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import graph_of, seat
from wolverine.semantics.stretches import shortened

_STEPS = 100_000
_KEPT = 4  # of each function
_REMEMBERED = 4
_LOOKED_AT = 200  # times that the process may have come to where the trace begins

_recent: list[tuple[ref[Trace], frozenset[str], Mapping[str, list[MemoryGraph]]]] = []


def passed(program: Program, trace: Trace, names: Collection[str]) -> Mapping[str, list[MemoryGraph]]:
    """The first states at the entries of these functions on the way to where the trace begins, all different.

    None where the model does not come there, reading what the process has read.  The last answers are kept:
    a search ranks what it finds several times.
    """
    way, wanted = trace.earlier, frozenset(names)
    if way is None:
        return {}
    for known, asked, found in _recent:
        if known() is trace and asked == wanted:
            return found
    found = _passed(program, trace, way, wanted)
    _recent.insert(0, (ref(trace), wanted, found))
    del _recent[_REMEMBERED:]
    return found


def _passed(
    program: Program, trace: Trace, way: Trace, names: Collection[str]
) -> Mapping[str, list[MemoryGraph]]:
    function, instruction = trace.start_stack[0]
    stops = {name: {0} for name in names}
    stops.setdefault(function, set()).add(instruction)
    machine = Machine(program, stops=stops)
    found: dict[str, list[MemoryGraph]] = {name: [] for name in names}
    looked = 0
    try:
        seat(machine, way.start, way.start_stack)
        for outcome in onward(machine, _STEPS, Tape(machine, way)):
            if outcome != "stop" or machine.frame is None or looked == _LOOKED_AT:
                return {}
            if machine.stack() == trace.start_stack:
                looked += 1
                if same_state(graph_of(machine, way.start), trace.start):
                    return found
            name = machine.frame.linked.name
            if machine.pc == 0 and len(found.get(name, ())) < _KEPT and name in found:
                graph = shortened(graph_of(machine, way.start))
                if all(graph.cells != each.cells for each in found[name]):
                    found[name].append(graph)
    except Halt:
        pass
    return {}
