"""Global pointers that may lead to a freed node: they do in what was asserted, and nobody is to set them yet.

Whoever takes the last node out of a queue may leave `rear` as it is, where nobody looks at it while `front`
is null.  A repair that leaves it so as well breaks no rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import VariableReference
from wolverine.core.graph import NodeId, Pointer, VariableId
from wolverine.core.program import Assign, Call, Function, Library, Program, reachable
from wolverine.core.trace import Assertion, Trace
from wolverine.semantics.address import number_of
from wolverine.semantics.layout import Layout


def stale(program: Program, layout: Layout, trace: Trace) -> frozenset[int]:
    """Such pointers, by the numbers of their objects."""
    found = {
        variable
        for event in trace.events
        if isinstance(event, Assertion)
        for variable in _dangling(event)
        if not any(_sets(function, variable) for function in _under_way(program, event.position.function))
    }
    addresses = (layout.object_address(variable) for variable in found)
    return frozenset(number_of(address) for address in addresses if address is not None)


def _dangling(asserted: Assertion) -> Iterator[VariableId]:
    """The global variables that lead to freed nodes in an assertion."""
    for place, value in asserted.cells.items():
        match place.object, value:
            case VariableId() as variable, Pointer(NodeId() as node) if variable.depth < 0:
                if asserted.states.get(node) == "freed" and not place.offset:
                    yield variable


def _under_way(program: Program, function: str) -> Iterator[Function]:
    """The functions that may have been called and not have returned where that one stands."""
    return (each for name, each in program.functions.items() if function in reachable(program, {name}))


def _sets(function: Function, variable: VariableId) -> bool:
    for step in function.code:
        match step:
            case Assign(_, VariableReference() as target) | Call(result=VariableReference() as target):
                pass
            case Library(result=VariableReference() as target):
                pass
            case _:
                continue
        if target.level == "global" and target.name == variable.name:
            return True
    return False
