"""Random heaps: everything is in the picture exactly once or counted as hidden, nothing overlaps."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from draw_heaps import DOUBLE, PARENT, SINGLE, TREE, Heap, struct, to, tree
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from thorough import examples

from wolverine.core.graph import (
    UNINITIALISED,
    External,
    MemoryGraph,
    NodeId,
    Opaque,
    Place,
    Pointer,
    Value,
    VariableId,
    Wild,
)
from wolverine.core.types import CHAR, INT, ArrayType, CType, PointerType, StructReference
from wolverine.draw import Names, Picture, as_json, describe, layout, terminal
from wolverine.draw.columns import columns
from wolverine.draw.images import dot_source
from wolverine.draw.names import is_character, safe
from wolverine.draw.picture import BoxKey, Run

WIDE = struct("wide", ("kids", ArrayType(to("wide"), 4)), ("text", ArrayType(CHAR, 8)), ("cell", to("cell")))
HOLDER = struct("holder", ("inner", StructReference("cell")), ("other", to("node")), ("any", to("tree")))
TAGS = [s.tag for s in (SINGLE, DOUBLE, TREE, PARENT, WIDE, HOLDER)]
VARIABLES: list[CType] = [
    *(to(tag) for tag in TAGS),
    INT,
    CHAR,
    ArrayType(INT, 3),
    ArrayType(CHAR, 4),
    ArrayType(to("node"), 5),
    StructReference("holder"),
]
# Shrinking whole heaps takes minutes: a failure is shown as it was found.
QUICK = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@st.composite
def values(draw: st.DrawFn, ctype: CType, count: int, tags: dict[int, str]) -> Value:
    if not isinstance(ctype, PointerType):
        return draw(st.sampled_from([0, 1, -7, 65, 123456, UNINITIALISED, Opaque(b"\x01\x02")]))
    target = ctype.target
    kin = [k for k, tag in tags.items() if isinstance(target, StructReference) and tag == target.tag]
    kind = draw(st.integers(0, 11))
    if kind <= 7 and kin:
        return Pointer(NodeId(draw(st.sampled_from(kin))))
    if kind == 8 and count:
        return Pointer(NodeId(draw(st.integers(1, count))), draw(st.sampled_from([0, 8, 16])))
    if kind == 9:
        return draw(st.sampled_from([Wild(65), External(4096), UNINITIALISED]))
    return None


@st.composite
def heaps(draw: st.DrawFn, most: int = 14) -> Heap:
    heap = Heap()
    count = draw(st.integers(0, most))
    tags = {k: draw(st.sampled_from(TAGS)) for k in range(1, count + 1)}
    for k, tag in tags.items():
        length = draw(st.sampled_from([1, 1, 1, 1, 2]))
        if draw(st.integers(0, 9)) == 0:
            heap.node(
                k, "", count=draw(st.sampled_from([1, 30, 90])), ctype=draw(st.sampled_from([INT, CHAR]))
            )
        else:
            heap.node(k, tag, count=length)
        if draw(st.integers(0, 5)) == 0:
            heap.free(k)
    for k in range(draw(st.integers(0, 6))):
        depth = draw(st.integers(-1, 2))
        name = draw(st.sampled_from(["head", "p", "a\x1b[2J", "x"])) + str(k)
        heap.variable(name, draw(st.sampled_from(VARIABLES)), depth=depth, function=f"f{depth}")
    for place, ctype in heap.cell_types.items():
        heap.cells[place] = draw(values(ctype, count, tags))
    return heap


def changed_version(draw: st.DrawFn, heap: Heap) -> MemoryGraph:
    graph = heap.graph()
    places = sorted(graph.cells, key=repr)
    picked = draw(st.lists(st.sampled_from(places), max_size=4)) if places else []
    cells = dict(graph.cells)
    for place in picked:
        cells[place] = None if isinstance(graph.cell_types[place], PointerType) else 99
    return replace(graph, cells=cells)


def check(graph: MemoryGraph, picture: Picture) -> None:
    drawn = {key for key in picture.boxes if isinstance(key, NodeId)}
    assert len(drawn) + picture.hidden.nodes == len(graph.nodes)
    assert sum(_count(box.title) for key, box in picture.boxes.items() if isinstance(key, Run)) <= (
        picture.hidden.nodes
    )
    for one, two in combinations(picture.boxes.values(), 2):
        apart = one.right < two.x or two.right < one.x or one.bottom < two.y or two.bottom < one.y
        assert apart, (one, two)
    names = Names(graph)
    pieces = {key: [p for line in box.lines for p in line.pieces] for key, box in picture.boxes.items()}
    objects = [key for key in picture.boxes if not isinstance(key, Run)]
    for key in objects:
        own = [place for place in graph.cells if place.object == key]
        shown = [place for piece in pieces[key] for place in piece.places]
        assert len(shown) == len(set(shown))
        assert set(shown) <= set(own)
        assert len(shown) + sum(piece.hidden for piece in pieces[key]) == len(own)
        for piece in pieces[key]:
            if piece.target is not None:
                assert piece.target == graph.cells[piece.places[0]]
                expected = names.pointer(piece.target, graph.cell_types[piece.places[0]])
                assert piece.text.rstrip("!") == expected
    check_arrows(picture)
    check_variables(graph, picture)


def _count(title: str) -> int:
    found = re.search(r"\d+", title)
    assert found
    return int(found.group())


def check_arrows(picture: Picture) -> None:
    wanted = [
        (key, index, piece.target.object)
        for key, box in picture.boxes.items()
        for index, line in enumerate(box.lines)
        for piece in line.pieces
        if piece.target is not None and piece.target.object in picture.boxes
    ]
    runs = [
        arrow for arrow in picture.arrows if isinstance(arrow.target, Run) or isinstance(arrow.source, Run)
    ]
    found = [(arrow.source, arrow.line, arrow.target) for arrow in picture.arrows if arrow not in runs]
    assert len(found) == len(set(found))
    assert set(found) <= set(wanted)
    # Without an arrow are nodes to their owner, of another kind, which are three at least.
    left = Counter(target for source, line, target in wanted if (source, line, target) not in found)
    assert all(count >= 3 for count in left.values())
    kinds = {key: box.kind for key, box in picture.boxes.items()}
    assert all(
        kinds[source] != kinds[target] and isinstance(source, NodeId)
        for source, line, target in wanted
        if (source, line, target) not in found
    )


def check_variables(graph: MemoryGraph, picture: Picture) -> None:
    places = [label.place for label in picture.labels]
    places += [scalar.piece.places[0] for scalar in picture.scalars]
    alone = [place.object for place in places]
    boxed = [key for key in picture.boxes if isinstance(key, VariableId)]
    everything = [*alone, *boxed]
    assert len(everything) == len(set(everything))
    assert len(everything) + picture.hidden.variables == len(list(graph.variables()))


@settings(QUICK, max_examples=examples(40, 1500))
@given(heaps())
def test_everything_is_in_the_picture_once(heap: Heap) -> None:
    graph = heap.graph()
    check(graph, layout(graph))


@settings(QUICK, max_examples=examples(15, 800))
@given(heaps(most=30), st.integers(1, 12), st.integers(40, 120))
def test_what_is_cut_is_counted(heap: Heap, limit: int, width: int) -> None:
    graph = heap.graph()
    picture = layout(graph, limit=limit, width=width)
    assert len([key for key in picture.boxes if isinstance(key, NodeId)]) <= limit
    check(graph, picture)


@settings(QUICK, max_examples=examples(15, 800))
@given(st.data())
def test_the_next_picture_holds_everything_too(data: st.DataObject) -> None:
    heap = data.draw(heaps())
    before = heap.graph()
    picture = layout(before)
    after = changed_version(data.draw, heap)
    following = layout(after, picture, before=before)
    check(after, following)
    if not following.tidy:
        for key in following.boxes.keys() & picture.boxes.keys():
            assert following.position(key) == picture.position(key)


@settings(QUICK, max_examples=examples(15, 800))
@given(heaps(), st.integers(40, 120), st.booleans(), st.booleans())
def test_text_fits_and_holds_no_control_characters(
    heap: Heap, width: int, color: bool, unicode: bool
) -> None:
    graph = heap.graph()
    text = terminal(layout(graph, width=width), width=width, color=color, unicode=unicode)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text) if color else text
    assert not CONTROL.search(plain)
    assert unicode or plain.isascii()
    for line in plain.splitlines():
        assert columns(line) <= width
    for node in layout(graph, width=width).boxes:
        if isinstance(node, NodeId) and unicode:
            assert len(re.findall(rf"┌[─╌]?[ ─╌]?n{node.number}[ +x~─╌]", plain)) == 1


@settings(QUICK, max_examples=examples(15, 800))
@given(heaps())
def test_data_words_and_dot_are_whole(heap: Heap) -> None:
    graph = heap.graph()
    data = json.loads(json.dumps(as_json(graph, graph.cells.keys())))
    assert [node["name"] for node in data["nodes"]] == [f"n{k.number}" for k in sorted(graph.nodes)]
    assert len(data["places"]) == len(list(graph.variables()))
    assert len(data["changed"]) == len(graph.cells)
    words = describe(graph, graph)
    assert not CONTROL.search(words)
    names = Names(graph)
    for place in graph.cells:
        name = names.place(place, short=True)
        text = name.rpartition("[")[0] if is_character(graph.cell_types.get(place)) else ""
        assert name + " " in words or (text and text + " is " in words)
    source = dot_source(layout(graph))
    assert source.startswith("digraph")
    assert not CONTROL.search(source.replace("\t", ""))


@settings(QUICK, max_examples=examples(15, 800))
@given(heaps(), st.integers(40, 120))
def test_dot_holds_every_box_and_every_arrow_once(heap: Heap, width: int) -> None:
    picture = layout(heap.graph(), width=width)
    source = dot_source(picture)
    names = [name.strip('"') for name in re.findall(r"^\t(\S+) \[label=", source, re.MULTILINE)]
    boxes = [name for name in names if re.match(r"(n|behind_n|v_)\d", name)]
    assert len(boxes) == len(set(boxes)) == len(picture.boxes)
    ends = re.findall(r"^\t(\S+) -> (\S+) \[", source, re.MULTILINE)
    edges = Counter((first.strip('"'), second.strip('"')) for first, second in ends)
    wanted = Counter((box_id(a.source), box_id(a.target)) for a in picture.arrows)
    # What only undoes another pointer, and what leads to its own box, may be told by the cell's text alone.
    named = Counter(
        (box_id(a.source), box_id(a.target)) for a in picture.arrows if a.implied or a.source == a.target
    )
    assert not edges - wanted
    assert not (wanted - edges) - named


def box_id(key: BoxKey) -> str:
    if isinstance(key, NodeId):
        return f"n{key.number}"
    if isinstance(key, Run):
        return f"behind_n{key.after.number}"
    return safe(f"v_{key.depth + 1}_{key.function}_{key.name}").replace("\\", "_")


@pytest.mark.parametrize("width", [50, 70, 100])
@pytest.mark.parametrize("count", [3, 15, 40])
def test_no_box_covers_another_where_graphviz_draws_them(width: int, count: int) -> None:
    picture = layout(tree(count).graph(), width=width)
    plain = subprocess.run(
        ["neato", "-n2", "-Tplain"], input=dot_source(picture), capture_output=True, text=True, check=True
    ).stdout
    words = [line.split() for line in plain.splitlines() if re.match(r"node n\d+ ", line)]
    spots = [(float(w[2]), float(w[3]), float(w[4]), float(w[5])) for w in words]
    assert len(spots) == len([key for key in picture.boxes if isinstance(key, NodeId)])
    for one, two in combinations(spots, 2):
        beside = abs(one[0] - two[0]) * 2 >= one[2] + two[2]
        assert beside or abs(one[1] - two[1]) * 2 >= one[3] + two[3]


def test_a_place_inside_a_node_is_named_by_its_field() -> None:
    heap = Heap()
    heap.node(1, "holder", 1, None, None, None)
    graph = heap.graph()
    assert Names(graph).place(Place(NodeId(1), 8)) == "n1.inner.next"
