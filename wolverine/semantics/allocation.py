"""The allocation functions, which the machine carries out itself: what they take and what they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wolverine.core.types import SIZE, VOID_POINTER, CType
from wolverine.semantics.faults import Fault
from wolverine.semantics.memory import Memory

ALLOCATION: Mapping[str, tuple[CType, ...]] = {
    "malloc": (SIZE,), "calloc": (SIZE, SIZE), "realloc": (VOID_POINTER, SIZE), "free": (VOID_POINTER,),
}  # fmt: skip
MAKING = ("malloc", "calloc", "realloc")  # those that give a node
FREEING = ("free", "realloc")  # those that may end a node
FRESH = ("malloc", "calloc")  # those whose node holds nothing of another
COPYING = ("strdup", "strndup")  # functions of the library that give a node which holds a text


def carry_out(memory: Memory, function: str, values: Sequence[Any]) -> Any:
    """Call one of them; returns the address of a new node (None for `free`), raises `Fault`."""
    if any(value is None for value in values):
        raise Fault("uninitialised", f"{function} is called with an uninitialised value")
    match function:
        case "malloc":
            return memory.allocate(values[0])
        case "calloc":
            return memory.allocate(values[0] * values[1], zeroed=True)
        case "realloc":
            return memory.reallocate(values[0], values[1])
        case _:
            memory.release(values[0])
            return None
