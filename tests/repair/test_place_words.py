"""Names of places in messages that say why there is no repair."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.graph import MemoryGraph, Node, NodeId, Place, Pointer, VariableId
from wolverine.core.inside import inner_path
from wolverine.core.trace import Assertion, Position, Trace
from wolverine.core.types import StructReference
from wolverine.repair.explicit.conflict import place_words, words

TEXT = """\
struct link { struct link *next, *prev; };
struct item { int key[3]; struct link link[2]; };
struct all { int number; struct item items[2]; } g;
int main(void) { int n[2] = {0, 0}; return n[1] + g.number; }
"""


@pytest.mark.parametrize(
    ("tag", "offset", "path"),
    [("link", 8, ".prev"), ("item", 4, ".key[1]"), ("item", 40, ".link[1].prev"), ("item", 5, ".key[1]+1")],
)
def test_paths(tag: str, offset: int, path: str, tmp_path: Path) -> None:
    types = program_of(TEXT, tmp_path).types
    assert inner_path(types, StructReference(tag), offset) == path


def test_places_of_messages_are_named_as_in_the_source(tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    assert place_words(program, {}, Place(VariableId(-1, "", "g"), 60)) == "g.items[1].key[1]"
    assert place_words(program, {}, Place(VariableId(0, "main", "n"), 4)) == "n[1]"
    assert place_words(program, {}, Place(NodeId(1), 7)) == "n1+7"


def test_nodes_allocated_since_the_trace_began_are_named_by_the_picture(tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    node = NodeId(3)
    nodes = {node: Node(node, 28, StructReference("item"))}
    said = Assertion(
        Position(1, "main", 0, 1), {Place(node, 24): Pointer(node, 16)}, {}, label="it", nodes=nodes
    )
    trace = Trace(MemoryGraph(program.types), (), ())
    assert words(program, trace, said) == "it (line 4): n3->link[0].prev = &n3->link[0].next"


def test_what_was_said_of_nodes_alone_is_told(tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    trace = Trace(MemoryGraph(program.types), (), ())
    said = Assertion(Position(1, "main", 0, 1), {}, {NodeId(n): "freed" for n in range(2, 8)}, label="it")
    shown = "n2 is freed, n3 is freed, n4 is freed, n5 is freed and 2 more"
    assert words(program, trace, said) == f"it (line 4): {shown}"
