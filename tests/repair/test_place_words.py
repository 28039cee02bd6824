"""Names of places in messages that say why there is no repair."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from playing import program_of

from wolverine.core.graph import MemoryGraph, NodeId, Place, VariableId
from wolverine.core.inside import inner_path
from wolverine.core.trace import Trace
from wolverine.core.types import StructReference
from wolverine.repair.conflict import place_words

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
    trace = Trace(MemoryGraph(program.types), (), ())
    assert place_words(program, trace, Place(VariableId(-1, "", "g"), 60)) == "g.items[1].key[1]"
    assert place_words(program, trace, Place(VariableId(0, "main", "n"), 4)) == "n[1]"
    assert place_words(program, trace, Place(NodeId(1), 7)) == "n1+7"
