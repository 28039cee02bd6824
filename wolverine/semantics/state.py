"""Between memory graphs and machine states (Wolverine2 section 3, memory graphs).

`seat` puts a machine into a graph's state, `graph_of` reads it back, `Comparison` tells where they differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from wolverine.core.expressions import LValue, VariableReference
from wolverine.core.graph import (
    Frame,
    MemoryGraph,
)
from wolverine.core.program import Assign, Branch, Call, Concrete, Instruction, Jump
from wolverine.core.types import (
    is_scalar,
)
from wolverine.semantics.activation import (
    JUMPED,
    UNSEEN,
    Activation,
    code_of,
    next_call,
    number_within,
)
from wolverine.semantics.address import (
    ADDRESS_MASK,
    COUNT_KEY,
    HIDDEN,
    cell_key,
    number_of,
)
from wolverine.semantics.encoding import (
    Encoded,
    decode,
    decode_pointer,
    encode,
    encode_graph,
    encode_outside,
    encode_stretches,
    guess_kinds,
    held,
    scalar_type,
)
from wolverine.semantics.faults import Halt, Unmodelled
from wolverine.semantics.machine import Machine
from wolverine.semantics.matching import Comparison
from wolverine.semantics.pending import resume
from wolverine.semantics.reading import graph_of
from wolverine.semantics.unknown import Unknown

Stack = Sequence[tuple[str, int]]


def seat(
    machine: Machine,
    graph: MemoryGraph,
    stack: Stack,
    *,
    encoded: Encoded | None = None,
) -> None:
    """Put the machine into the state of `graph`, at the position `stack` (innermost first).

    The stack's frames are the innermost of the graph's; further frames of the graph keep their
    variables.  Activations are numbered 0, -1, -2 ... from the innermost out.  What is uninitialised in the
    graph is so in the machine; temporaries hold what the graph has as `pending`, and what they are evaluated
    to again.  `encoded` is the graph where it was encoded before.
    """
    memory = machine.memory
    memory.cells.clear()
    memory.forget()
    if encoded is None:
        encoded = encode_graph(machine.layout, graph)
    memory.cells.update((k, v) for k, v in encoded.cells.items() if v is not None)
    memory.cells.update(encoded.nodes)
    memory.cells[COUNT_KEY] = encoded.count
    memory.untold = {n.number for n, node in graph.nodes.items() if node.type is None}
    memory.stretches = encode_stretches(machine.layout, graph)
    memory.admit(encoded.cells)
    memory.admit(each.bits for stretches in memory.stretches.values() for each in stretches)
    memory.show(encode_outside(machine.layout, graph.outside))
    if memory.strict:
        for key, state in encoded.nodes.items():
            if state < 0:
                for held, value in list(memory.node_cells(number_of(key & ADDRESS_MASK))):
                    memory.put(held, None)
                    memory.put(held + HIDDEN, value)
        memory.forget()
    machine.outer = {frame.depth: frame.function for frame in graph.frames}
    set_stack(machine, stack, graph.frames)
    recover_temporaries(machine)
    resume(machine, graph.pending)
    memory.forget()


def recover_temporaries(machine: Machine, *, results: bool = False) -> None:
    """Evaluate again what the statements in whose middle the activations stand had evaluated before.

    The process does not show temporaries.  Results of calls, and what cannot be evaluated again, stay
    uninitialised; with `results` they become unknown values.
    """
    frame, pc = machine.frame, machine.pc
    while frame is not None:
        steps, unit_of = frame.linked.steps, frame.linked.compiled.unit_of
        first, unit = pc, unit_of[min(pc, len(steps) - 1)]
        while unit >= 0 and first > 0 and unit_of[first - 1] == unit:
            first -= 1
        before = steps[first:pc]
        if results:
            _forget_results(machine, frame, before)
        if not any(isinstance(step, (Branch, Jump)) for step in before):
            for index, step in enumerate(before, first):
                if isinstance(step, Assign) and _temporary(step.target):
                    with suppress(Halt, KeyError):
                        frame.linked.real[index](frame.base)
        pc, frame = frame.back, frame.caller


def _forget_results(machine: Machine, frame: Activation, steps: Sequence[Instruction]) -> None:
    for step in steps:
        for result in _results(step):
            if is_scalar(result.type):
                address = machine.layout.address(frame.linked.name, result)[1]
                machine.memory.put(cell_key(result.type, frame.base + address), Unknown())


def _results(step: Instruction) -> tuple[VariableReference, ...]:
    """The temporaries that a step sets."""
    match step:
        case Concrete(_, _, results):
            return results
        case Call(result=VariableReference() as result):
            return (result,)
        case Assign(_, VariableReference(name) as target) if name.startswith("$"):
            return (target,)
    return ()


def _temporary(place: LValue) -> bool:
    return isinstance(place, VariableReference) and place.name.startswith("$") and is_scalar(place.type)


def set_stack(machine: Machine, stack: Stack, frames: Sequence[Frame]) -> None:
    """Let the machine stand at that position; see `seat`.

    The stack is cut at the first caller that is not modelled.
    """
    known = _modelled(machine, stack, frames)
    frame: Activation | None = None
    back = 0
    for index in range(len(known) - 1, -1, -1):
        depth, function, instruction = known[index]
        frame = Activation(machine.linked(function), depth, -index, back, frame)
        back = instruction
    machine.frame, machine.pc, machine.calls = frame, back, 0


def leap(machine: Machine, stack: Stack, frames: Sequence[Frame]) -> None:
    """Let the machine stand at that position, to which the process came unseen.

    An activation goes on if all further out do, and if it is still inside the same call; others are new.
    """
    old: dict[int, tuple[Activation, int, int]] = {}
    outer, pc, calls = machine.frame, machine.pc, machine.calls
    while outer is not None:
        old[outer.depth] = (outer, pc, calls)
        pc, calls, outer = outer.back, outer.calls, outer.caller
    frame: Activation | None = None
    back = calls = 0
    surviving = True
    for depth, function, instruction in reversed(_modelled(machine, stack, frames)):
        linked = machine.linked(function)
        known = old.get(depth)
        if surviving and known is not None and known[0].linked.name == function:
            before, at, calls = known
            frame = Activation(
                linked, depth, before.number, back, frame, before.into, before.call, before.calls
            )
            surviving = at == instruction
        else:
            caller = frame.number if frame is not None else UNSEEN
            key, call = next_call(machine.memory.cells, caller, code_of(function) | JUMPED)
            machine.memory.put(key, call.nth)
            number = number_within(caller, call)
            calls ^= number
            frame = Activation(linked, depth, number, back, frame, call=call, calls=calls)
            surviving = False
        back = instruction
    machine.frame, machine.pc, machine.calls = frame, back, calls


def _modelled(machine: Machine, stack: Stack, frames: Sequence[Frame]) -> list[tuple[int, str, int]]:
    """(depth, function, instruction) of a stack, innermost first, up to a caller that is not modelled."""
    known: list[tuple[int, str, int]] = []
    for index, (function, instruction) in enumerate(stack):
        depth = frames[index].depth if index < len(frames) else len(stack) - 1 - index
        try:
            machine.linked(function)
        except Unmodelled:
            if not known:
                raise
            break
        known.append((depth, function, instruction))
    return known


__all__ = [
    "Comparison",
    "Encoded",
    "Stack",
    "decode",
    "decode_pointer",
    "encode",
    "encode_graph",
    "encode_outside",
    "graph_of",
    "guess_kinds",
    "held",
    "leap",
    "scalar_type",
    "seat",
    "set_stack",
]
