"""The graph event and the description, against the command contract."""

from __future__ import annotations

from dataclasses import replace

from draw_heaps import Heap, double_list, n, single_list, struct, to

from wolverine.core.graph import (
    UNINITIALISED,
    External,
    NodeId,
    Outside,
    Place,
    Pointer,
    VariableId,
    Wild,
    changed_places,
)
from wolverine.core.types import CHAR, INT, ArrayType, PointerType, StructReference
from wolverine.draw import as_json, describe, layout, place_text, terminal

struct("pair", ("a", INT), ("b", to("pair")))
struct("outer", ("keys", ArrayType(INT, 2)), ("pair", StructReference("pair")))


def test_the_example_of_the_contract() -> None:
    heap = Heap("reverse")
    for k in range(1, 5):
        heap.node(k, "node", k, n(k + 1) if k < 4 else None, None)
    heap.variable("head", to("node"), n(1), depth=-1)
    current = heap.variable("current", to("node"), n(1))
    before = heap.graph()
    heap.set(4, "prev", n(3))
    heap.assign("current", None)
    graph = heap.graph()
    event = as_json(graph, changed_places(before, graph))
    assert event["nodes"][3] == {
        "name": "n4",
        "type": "struct node",
        "state": "live",
        "fields": {"data": 4, "next": None, "prev": "n3"},
    }
    assert event["places"] == {"head": "n1", "reverse::current": None}
    assert event["changed"] == ["n4.prev", "reverse::current"]
    assert place_text(graph, Place(current, 0)) == "reverse::current"


def test_a_pointer_into_a_literal_shows_the_rest_of_it() -> None:
    heap = Heap()
    heap.variable("word", PointerType(CHAR), External(66))
    graph = replace(heap.graph(), outside=Outside({64: b"steam\0"}))
    assert 'word = "eam"' in terminal(layout(graph), width=80, color=False, unicode=True)


def test_literals_that_say_the_same_are_no_change() -> None:
    """A patched function has literals of its own, elsewhere."""
    heap = Heap()
    heap.variable("word", PointerType(CHAR), External(64))
    heap.variable("other", PointerType(CHAR), External(64))
    before = replace(heap.graph(), outside=Outside({64: b"tea\0"}))
    heap.assign("word", External(96))
    heap.assign("other", External(128))
    graph = replace(heap.graph(), outside=Outside({96: b"tea\0", 128: b"ten\0"}))
    assert {place.object.name for place in changed_places(before, graph)} == {"other"}  # type: ignore[union-attr]
    drawn = terminal(layout(graph, before=before), width=80, color=False, unicode=True)
    assert "*word" not in drawn
    assert '* other: "tea" → "ten"' in drawn


def test_every_kind_of_value() -> None:
    heap = Heap()
    heap.node(1, "cell", 1, None)
    heap.node(2, "cell", 2, n(1))
    heap.free(2)
    heap.variable("x", INT, 5)
    heap.variable("g", INT, 5, depth=-1)
    values = {
        "dead": n(2),
        "unset": UNINITIALISED,
        "wild": Wild(0x41),
        "global": Pointer(VariableId(-1, "", "g")),
        "local": Pointer(VariableId(0, "main", "x")),
        "element": Pointer(VariableId(0, "main", "a"), 8),
        "field": Pointer(NodeId(1), 8),
        "text": External(0x402010),
    }
    for name, value in values.items():
        heap.variable(name, PointerType(INT), value)
    heap.variable("a", ArrayType(INT, 4), 1, 2, 3)
    places = as_json(heap.graph())["places"]
    assert {name: places[f"main::{name}"] for name in (*values, "a")} == {
        "dead": {"dangling": "n2"},
        "unset": {"uninitialised": True},
        "wild": {"wild": "0x41"},
        "global": {"place": "g"},
        "local": {"place": "main::x"},
        "element": {"place": "main::a[2]"},
        "field": {"node": "n1", "field": "next"},
        "text": {"address": "0x402010"},
        "a": [1, 2, 3, {"uninitialised": True}],
    }


def test_arrays_and_nested_structs() -> None:
    heap = Heap()
    heap.node(1, "", 3, 1, 2, count=3, ctype=INT)
    heap.node(2, "outer", 7, 8, 9, None)
    nodes = as_json(heap.graph())["nodes"]
    assert nodes[0]["fields"] == [3, 1, 2]
    assert nodes[0]["type"] == "int [3]"
    assert nodes[1]["fields"] == {"keys": [7, 8], "pair": {"a": 9, "b": None}}
    assert {node["state"] for node in nodes} == {"leaked"}
    assert place_text(heap.graph(), Place(NodeId(2), 4)) == "n2.keys[1]"
    assert place_text(heap.graph(), Place(NodeId(2), 16)) == "n2.pair.b"
    assert place_text(heap.graph(), Place(NodeId(1), 8)) == "n1[2]"


def test_activations_are_counted_from_the_innermost() -> None:
    heap = single_list(2)
    heap.variable("c", to("cell"), n(2), depth=2, function="walk")
    heap.variable("c", to("cell"), n(1), depth=1, function="walk")
    assert as_json(heap.graph())["places"] == {"walk::c": "n2", "walk#2::c": "n1", "main::head": "n1"}


def test_a_name_that_is_declared_twice_keeps_its_line_only_where_needed() -> None:
    heap = Heap()
    heap.variable("i@3", INT, 1)
    heap.variable("i@7", INT, 2)
    heap.variable("j@9", INT, 3)
    assert as_json(heap.graph())["places"] == {"main::i@3": 1, "main::i@7": 2, "main::j": 3}


def test_the_description_says_what_points_where() -> None:
    heap = double_list(3)
    heap.set(1, "next", n(3))
    heap.variable("temp", to("node"), None)
    lines = describe(heap.graph()).splitlines()
    assert lines == [
        "head points to n1",
        "temp is null",
        "n1.data is 10; n1.next points to n3; n1.prev is null",
        "n2.data is 20; n2.next points to n3; n2.prev points to n1",
        "n3.data is 30; n3.next is null; n3.prev points to n2",
    ]


def test_the_description_names_lost_freed_dangling_and_changed() -> None:
    heap = single_list(3)
    before = heap.graph()
    heap.set(1, "next", None)
    heap.free(3)
    text = describe(heap.graph(), before)
    assert text.splitlines()[0] == (
        "changed: n1.next is null (before, it pointed to n2); n3 is now freed; n2 is now lost"
    )
    assert "n2 is lost; n2.data is 2; n2.next dangles, it points to freed n3" in text
    assert "n3 is freed" in text
    assert describe(Heap().graph()) == "there are no variables and no nodes"
