"""What a call has returned, while it is on its way to where the caller keeps it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from wolverine.core.graph import MemoryGraph, Node, Place, VariableId, descend
from wolverine.core.process import Stop
from wolverine.core.program import RESULT_NAME, Program
from wolverine.core.types import IntType, PointerType
from wolverine.semantics.state import Stack
from wolverine.session.positions import UNMAPPED

_POINTER = re.compile(r"Value returned is \S+ = \(.*\*\) (0x[0-9a-f]+)\Z")


def with_returned(graph: MemoryGraph, stop: Stop, address: int | None) -> tuple[MemoryGraph, Stop]:
    """A stop behind a call and its graph, with the node to which the returned pointer `address` leads.

    The graph holds it, so that it is not lost; the stop's words have its name.
    """
    node = _at(graph, address) if address is not None else None
    if node is None:
        return graph, stop
    holding = replace(graph, returned=node.id)
    descend(holding, graph, frozenset())
    name = f"n{node.id.number}"
    pointer = _POINTER.match(stop.text)
    if pointer is not None:
        told = (
            stop.text[: pointer.start(1)] + name
            if node.address == address
            else f"{stop.text} (inside {name})"
        )
        return holding, replace(stop, text=told)
    return holding, replace(stop, text=f"{stop.text} ({name})" if stop.text else "")


def told(stop: Stop) -> int | None:
    """The pointer that a call has returned, as gdb tells it behind `finish`."""
    found = _POINTER.match(stop.text) if stop.reason == "finish" else None
    return int(found[1], 16) if found is not None else None


def left(program: Program, before: Stop, stop: Stop) -> bool:
    """Whether the process stands where a call, in which it stood before, has just returned a pointer."""
    if not stop.frames:
        return False
    here = (stop.frames[0].pc, stop.frames[0].cfa)
    calls = zip(before.frames, before.frames[1:])
    function = next((inner.function for inner, outer in calls if (outer.pc, outer.cfa) == here), "")
    return function in program.functions and isinstance(program.functions[function].result, PointerType)


def with_result(
    program: Program, graph: MemoryGraph, stack: Stack, register: Callable[[], int]
) -> MemoryGraph:
    """The graph where a function is about to return an integer, with that: no variable may hold it.

    `register` gives what stands where calls leave their value.
    """
    name, instruction = stack[0] if stack else ("", UNMAPPED)
    function = program.functions.get(name)
    if function is None or instruction == UNMAPPED or not graph.frames:
        return graph
    if function.unit_of[instruction] != function.unit_of[function.end]:
        return graph
    if not isinstance(function.result, IntType) or function.result.bits:
        return graph
    place = Place(VariableId(graph.frames[0].depth, name, RESULT_NAME), 0)
    holding = replace(graph, pending={place: function.result.wrap(register())})
    descend(holding, graph, frozenset())
    return holding


def _at(graph: MemoryGraph, address: int) -> Node | None:
    """The node at an address: a live one rather than a freed one that was there before."""
    there = [node for node in graph.nodes.values() if node.address <= address < node.address + node.size]
    return min(there, key=lambda node: node.state != "live", default=None)
