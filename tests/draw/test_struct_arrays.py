"""Arrays of structs: tables, and what leads to their elements."""

from __future__ import annotations

from draw_heaps import Heap, struct, to

from wolverine.core.graph import NodeId, Place, Pointer, VariableId
from wolverine.core.types import INT, ArrayType, PointerType, StructReference
from wolverine.draw import Picture, layout, terminal
from wolverine.draw.attempts import drawn
from wolverine.draw.images import image
from wolverine.draw.picture import Box

CITY = struct("city", ("zip", INT), ("people", INT))
ROOM = struct("room", ("beds", INT), ("price", INT), ("guest", to("guest")))
struct("guest", ("age", INT), ("room", to("room")))
VISITED = ArrayType(PointerType(StructReference("city")), 4)


def cities(count: int, *visited: int) -> Heap:
    """An array of cities and one of pointers to some of them."""
    heap = Heap()
    heap.node(1, "city", *(each for k in range(count) for each in (8000 + k, 5 * k)), count=count)
    heap.variable("cities", to("city"), Pointer(NodeId(1)))
    if visited:
        targets = [Pointer(NodeId(1), CITY.size * each) for each in visited]
        heap.node(2, "", *targets, count=len(targets), ctype=to("city"))
        heap.variable("visited", PointerType(to("city")), Pointer(NodeId(2)))
    return heap


def rooms(count: int, *guests: int) -> Heap:
    """An array of rooms; each of the guests leads to one of them."""
    heap = Heap()
    rooms = VariableId(0, "main", "rooms")
    heap.variable("rooms", ArrayType(StructReference("room"), count), *[2, 30, None] * count)
    for number, room in enumerate(guests, 1):
        heap.node(number, "guest", 20 + number, Pointer(rooms, ROOM.size * room))
        heap.cells[Place(rooms, ROOM.size * room + 16)] = Pointer(NodeId(number))
    return heap


def text(picture: Picture) -> list[str]:
    return terminal(picture, width=100, color=False, unicode=True).splitlines()


def line_of(box: Box, name: str) -> int:
    return next(index for index, line in enumerate(box.lines) if line.name == name)


def ends(picture: Picture) -> set[tuple[str, int]]:
    """What leads to parts of boxes, and at which line its arrow ends."""
    drawing = drawn(picture, 100)
    assert not drawing.missing()
    found = set()
    for way in drawing.ways:
        if way.arrow.into is not None and way.points is not None:
            source = picture.boxes[way.arrow.source]
            name = f"{source.title}{source.lines[way.arrow.line].name}"
            found.add((name, way.points[-1][1] - drawing.frames[way.arrow.target].y - 1))
    return found


def test_a_row_for_each_element() -> None:
    picture = layout(cities(3).graph())
    rows = [line.split("│")[1].split() for line in text(picture) if "│" in line]
    assert rows == [["zip", "people"], ["[0]", "8000", "0"], ["[1]", "8001", "5"], ["[2]", "8002", "10"]]
    assert b"people" in image(picture, "svg")


def test_what_changed_in_a_row() -> None:
    before, heap = cities(3).graph(), cities(3)
    heap.cells[Place(NodeId(1), 2 * CITY.size + 8)] = 77
    lines = text(layout(heap.graph(), before=before))
    assert "* n1[2].people: 10 → 77" in lines
    assert any("8002*77" in line for line in lines)


def test_arrows_end_at_the_rows_of_their_elements() -> None:
    heap = cities(6, 3, 5, 1, 4)
    assert ends(layout(heap.graph())) == {("n2[0]", 4), ("n2[1]", 6), ("n2[2]", 2), ("n2[3]", 5)}


def test_elements_with_arrows_both_ways_have_a_row_for_each_field() -> None:
    picture = layout(rooms(4, 2, 3, 1).graph())
    box = picture.boxes[VariableId(0, "main", "rooms")]
    first = {k: line_of(box, f"[{k}].beds") for k in (1, 2, 3)}
    assert ends(picture) == {("n1room", first[2]), ("n2room", first[3]), ("n3room", first[1])}


def test_an_element_that_is_left_out_is_where_the_others_are() -> None:
    heap = rooms(12, 11)
    for k in range(12):
        heap.cells[Place(VariableId(0, "main", "rooms"), ROOM.size * k + 8)] = k
    old = heap.graph()
    for k in range(7):
        for field in (0, 8, 16):
            heap.cells[Place(VariableId(0, "main", "rooms"), ROOM.size * k + field)] = 400 + k
    heap.cells[Place(VariableId(0, "main", "rooms"), ROOM.size * 11 + 16)] = None
    heap.cells[Place(NodeId(1), 8)] = Pointer(VariableId(0, "main", "rooms"), ROOM.size * 9)
    heap.variable("guest", to("guest"), Pointer(NodeId(1)))
    picture = layout(heap.graph(), before=old)
    box = picture.boxes[VariableId(0, "main", "rooms")]
    left_out = [index for index, line in enumerate(box.lines) if line.pieces[0].hidden]
    assert not any(line.name.startswith("[9]") for line in box.lines)
    assert [line for _, line in ends(picture)] == left_out


def test_of_many_elements_those_are_drawn_to_which_something_leads() -> None:
    picture = layout(cities(90, 41, 66).graph())
    names = [line.name for line in picture.boxes[NodeId(1)].lines]
    assert {"[0]", "[41]", "[66]", "[89]"} <= set(names) and len(names) < 30


def test_an_element_that_is_asked_for_is_drawn() -> None:
    picture = layout(cities(90).graph(), roots=[Place(NodeId(1), 50 * CITY.size)])
    assert any(line.name == "[50]" for line in picture.boxes[NodeId(1)].lines)


def test_a_variable_stands_beside_the_element_to_which_it_leads() -> None:
    heap = cities(4)
    heap.variable("best", to("city"), Pointer(NodeId(1), 2 * CITY.size))
    heap.variable("other", VISITED, *[Pointer(NodeId(1), CITY.size)] * 4)
    assert any("[2]" in line and "◀ best([2])" in line for line in text(layout(heap.graph())))


def test_without_room_there_it_is_written_out() -> None:
    heap = cities(4)
    first = layout(heap.graph(), width=40)
    heap.variable("an_index_of_the_best_city", to("city"), Pointer(NodeId(1), 2 * CITY.size))
    lines = terminal(layout(heap.graph(), first, width=40), width=40, color=False, unicode=True)
    assert "an_index_of_the_best_city → &n1[2]" in lines
