"""Pointers that a program keeps as integers, with flags in their lowest bits."""

from __future__ import annotations

import pytest

from wolverine.core.graph import MemoryGraph, Node, NodeId
from wolverine.core.types import INT, Field, IntType, PointerType, StructReference, StructType, Types
from wolverine.draw.names import Names

WHOLE = IntType("unsigned long", 8, signed=False)
LINK = StructType("link", 16, (Field("up", 0, WHOLE), Field("left", 8, PointerType(StructReference("link")))))
ITEM = StructType("item", 24, (Field("key", 0, INT), Field("link", 8, StructReference("link"))))
BEGIN = 0x560000000020
NODE = Node(NodeId(3), 24, StructReference("item"), address=BEGIN)
GRAPH = MemoryGraph(Types({"link": LINK, "item": ITEM}), nodes={NODE.id: NODE})


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (BEGIN, "n3"),
        (BEGIN | 1, "n3 | 1"),
        (BEGIN + 8, "&n3.link"),
        (BEGIN + 8 | 3, "&n3.link | 3"),
        (BEGIN + 16, str(BEGIN + 16)),  # no struct begins there
        (BEGIN + 24, str(BEGIN + 24)),
        (BEGIN - 8, str(BEGIN - 8)),
        (7, "7"),
    ],
)
def test_they_are_told_as_what_they_lead_to(value: int, told: str) -> None:
    assert Names(GRAPH).value(value, WHOLE) == told


def test_numbers_of_other_types_are_numbers() -> None:
    assert Names(GRAPH).value(BEGIN) == str(BEGIN)
    assert Names(GRAPH).value(BEGIN, PointerType(INT)) == str(BEGIN)
