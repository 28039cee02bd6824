"""Functions that must not lose a node, such as a merge: the execution loses one, and repairs bring it back.

What the program as it is loses on other heaps is then no measure for its repairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from wolverine.core.graph import MemoryGraph
from wolverine.core.patch import Patch
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.core.types import ArrayType, PointerType, StructReference
from wolverine.repair.heaps.outcomes import Bench
from wolverine.repair.heaps.runs import BEYOND, UNKNOWN, Runs
from wolverine.repair.source.flow import begins_at_entry

_FEW = 3  # heaps
_NEARLY = 0.75  # of these, all
_CLOSEST = 3  # repairs that are asked what the execution should come to


def gathering(
    program: Program, trace: Trace, runs: Runs, name: str, closest: Sequence[Mapping[int, int]]
) -> bool:
    """Whether the trace loses nodes in function `name` that none of its closest repairs loses.

    Nothing is told of it where no state is asserted.
    """
    if trace.bare or name != trace.start_stack[0][0] or not begins_at_entry(program, trace):
        return False
    runs.seat(_alone(trace.start), trace)
    if not runs.loses:
        return False
    endings = [ended for masks in closest[:_CLOSEST] for ended in runs.run(masks)]
    told = [each for each in endings if each.outcome not in (UNKNOWN, BEYOND) and not each.fault]
    return bool(told) and not any(each.still or each.lost for each in told)


def loses_anyway(program: Program, name: str, heaps: Sequence[MemoryGraph], patch: Patch) -> bool:
    """Whether a repair loses nodes on nearly all heaps, which have several of them.

    Where structures stand in rows these are none as the program has them, then: the place in the row tells
    the size of a tree, say, and the number beside them which there are.  Elsewhere the repair is wrong.
    """
    loses = losing(program, name, heaps, patch) if patch.edits and _has_rows(program) else []
    return len(loses) >= _FEW and sum(loses) > _NEARLY * len(loses)


def _has_rows(program: Program) -> bool:
    """Whether some struct has an array of pointers to structs."""
    fields = (field.type for struct in program.types.structs.values() for field in struct.fields)
    return any(
        isinstance(kind, ArrayType)
        and isinstance(kind.element, PointerType)
        and isinstance(kind.element.target, StructReference)
        for kind in fields
    )


def losing(program: Program, name: str, heaps: Sequence[MemoryGraph], patch: Patch) -> list[bool]:
    """Of the heaps on which the patched function comes to an end, whether it loses nodes there."""
    bench = Bench(program, name)
    glances = (bench.glance(heap, patch) for heap in heaps)
    return [each.lost > 0 for each in glances if each is not None and not each.fails]


def _alone(start: MemoryGraph) -> MemoryGraph:
    """What the innermost activation and globals lead to.

    A caller may well have in a variable what it has given away.
    """
    known = start.led_to(start.frames[0].depth if start.frames else 0)
    nodes = {name: node for name, node in start.nodes.items() if name in known}
    return replace(start, nodes=nodes, cells={p: v for p, v in start.cells.items() if p.object in known})
