"""PLACE and VALUE texts against a picture made by hand."""

from dataclasses import replace

import pytest

from wolverine.core.graph import (
    UNINITIALISED,
    Frame,
    MemoryGraph,
    Node,
    NodeId,
    Place,
    Pointer,
    Variable,
    VariableId,
)
from wolverine.core.types import (
    CHAR,
    INT,
    ArrayType,
    Field,
    IntType,
    PointerType,
    StructReference,
    StructType,
    Types,
)
from wolverine.errors import CommandError
from wolverine.session.places import going_on, resolve_place, resolve_value

NODE = StructReference("node")
LINK = PointerType(NODE)
TYPES = Types(
    {
        "node": StructType(
            "node", 24, (Field("data", 0, INT), Field("next", 8, LINK), Field("prev", 16, LINK))
        ),
        "tree": StructType("tree", 8, (Field("left", 0, PointerType(StructReference("tree"))),)),
    },
    {"enum kind": {0: "K_STR", 5: "K_INT"}, "enum other": {7: "OTHER"}},
)
N1, N2, N3 = NodeId(1), NodeId(2), NodeId(3)
HEAD = VariableId(-1, "", "head")
CURRENT = VariableId(1, "reverse", "current")
INNER = VariableId(1, "reverse", "i@9")
OUTER = VariableId(1, "reverse", "i@4")
NUMBERS = VariableId(0, "main", "a")
LETTER = VariableId(1, "reverse", "c")
FLAG = VariableId(1, "reverse", "flag")
KIND = VariableId(1, "reverse", "kind")
NAME = VariableId(1, "reverse", "name")
TEXT = VariableId(1, "reverse", "text")


@pytest.fixture
def graph() -> MemoryGraph:
    return MemoryGraph(
        TYPES,
        frames=(
            Frame(
                1,
                "reverse",
                (
                    Variable(CURRENT, LINK),
                    Variable(INNER, INT),
                    Variable(OUTER, INT),
                    Variable(LETTER, CHAR),
                    Variable(FLAG, IntType("_Bool", 1, signed=False)),
                    Variable(KIND, IntType("enum kind", 4, signed=False)),
                    Variable(NAME, ArrayType(CHAR, 8)),
                    Variable(TEXT, PointerType(CHAR)),
                ),
            ),
            Frame(0, "main", (Variable(NUMBERS, ArrayType(LINK, 4)),)),
        ),
        globals=(Variable(HEAD, LINK),),
        nodes={
            N1: Node(N1, 24, NODE),
            N2: Node(N2, 24, NODE),
            N3: Node(N3, 8, StructReference("tree")),
        },
        cells={
            Place(HEAD, 0): Pointer(N1),
            Place(CURRENT, 0): Pointer(N2),
            Place(N1, 0): 7,
            Place(N1, 8): Pointer(N2),
            Place(N1, 16): None,
            Place(N2, 0): 8,
            Place(N2, 8): None,
            Place(N2, 16): UNINITIALISED,
            Place(NUMBERS, 24): Pointer(N1),
            Place(INNER, 0): 1,
            Place(OUTER, 0): 2,
        },
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("head", Place(HEAD, 0)),
        ("n1->prev", Place(N1, 16)),
        ("n1 -> prev", Place(N1, 16)),
        ("n1.prev", Place(N1, 16)),
        ("head->next->data", Place(N2, 0)),
        ("(*head).next", Place(N1, 8)),
        ("reverse::current", Place(CURRENT, 0)),
        ("main::a[3]", Place(NUMBERS, 24)),
        ("main::a[3]->data", Place(N1, 0)),
        ("i", Place(INNER, 0)),
        ("i@4", Place(OUTER, 0)),
        ("reverse::i@4", Place(OUTER, 0)),
        ("*head", Place(N1, 0)),
    ],
)
def test_places(graph: MemoryGraph, text: str, place: Place) -> None:
    assert resolve_place(graph, text).place == place


@pytest.mark.parametrize(("line", "meant"), [(3, INNER), (6, OUTER), (9, INNER), (0, INNER)])
def test_a_name_means_what_is_declared_by_then(graph: MemoryGraph, line: int, meant: VariableId) -> None:
    here = replace(graph, frames=(replace(graph.frames[0], line=line), *graph.frames[1:]))
    assert resolve_place(here, "i").place.object == meant
    assert resolve_place(here, "reverse::i").place.object == meant


def test_of_a_variable_without_a_value_its_namesakes_are_told(graph: MemoryGraph) -> None:
    empty = replace(graph, cells={**graph.cells, Place(INNER, 0): UNINITIALISED})
    with pytest.raises(CommandError, match=r"i has no value yet \(i@9 is meant; there is i@4, too"):
        resolve_value(empty, "i", resolve_place(empty, "n1->data"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("n9->next", "there is no node n9; the nodes here are n1 to n3"),
        ("nothing", "there is no variable nothing"),
        ("head->color", "struct node has no field 'color'"),
        ("n1->prev->next", "the pointer is null"),
        ("n2->prev->next", "uninitialised"),
        ("i->next", "no fields"),
        ("main::a[4]", "the last element is 3"),
        ("head->", "no field"),
        ("head next", "was not expected"),
        ("head ? 1", "is no place"),
    ],
)
def test_places_that_are_not_there(graph: MemoryGraph, text: str, says: str) -> None:
    with pytest.raises(CommandError, match=says.replace("(", r"\(")):
        resolve_place(graph, text)


@pytest.mark.parametrize(
    ("place", "text", "value"),
    [
        ("head", "n2", Pointer(N2)),
        ("head", "null", None),
        ("head", "NULL", None),
        ("head", "0", None),
        ("head", "current", Pointer(N2)),
        ("n1->data", "0x10", 16),
        ("n1->data", "-3", -3),
        ("n1->data", "'a'", 97),
        ("n1->data", r"'\n'", 10),
        ("n1->data", "n2->data", 8),
        ("c", "'z'", 122),
        ("n1->next", "&*head", Pointer(N1, 0)),
        ("kind", "K_INT", 5),
        ("kind", "K_STR", 0),
        ("n1->data", "OTHER", 7),
        ("flag", "true", 1),
        ("flag", "false", 0),
    ],
)
def test_values(graph: MemoryGraph, place: str, text: str, value: object) -> None:
    assert resolve_value(graph, text, resolve_place(graph, place)) == value


@pytest.mark.parametrize(
    ("place", "text", "says"),
    [
        ("head", "n9", "there is no node n9"),
        ("head", "n3", "struct tree"),
        ("head", "5", "no node and not null"),
        ("n1->data", "n2", "int"),
        ("c", "300", "does not fit char"),
        ("*head", "n2", "whole struct node"),
        ("head", "n2->prev", "no value yet"),
        ("kind", "K_NONE", "enum kind has no constant K_NONE; it has: K_STR, K_INT"),
        ("flag", "2", "does not fit _Bool .0 or 1"),
        ("n1->data", "null", "null is for pointers"),
        ("n1->data", "3.7", "3.7 is no whole number, and the place holds an int"),
        ("n1->data", "-1e3", "no whole number"),
        ("name", '"abc"', "change the characters one by one"),
        ("text", '"abc"', "characters where it leads one by one"),
        ("n1->data", '"abc"', "is a string, and the place holds an int"),
    ],
)
def test_values_that_do_not_fit(graph: MemoryGraph, place: str, text: str, says: str) -> None:
    with pytest.raises(CommandError, match=says):
        resolve_value(graph, text, resolve_place(graph, place))


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("head->", ("head->data", "head->next", "head->prev")),
        ("n3.", ("n3.left",)),
        ("main::a[3]->next->pr", tuple(f"main::a[3]->next->{name}" for name in ("data", "next", "prev"))),
        ("n1->prev->", ()),  # it is null
        ("i->", ()),
        ("nothing->", ()),
        ("head", ()),
    ],
)
def test_a_place_goes_on_with_fields(graph: MemoryGraph, text: str, fields: tuple[str, ...]) -> None:
    assert going_on(graph, text) == fields
