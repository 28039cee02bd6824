"""What stands beside a picture or where it is read: trees being turned, lost parts, legends, words."""

from __future__ import annotations

from draw_heaps import Heap, n, to

from wolverine.core.graph import NodeId
from wolverine.core.types import CHAR, ArrayType
from wolverine.draw import Picture, describe, layout, terminal


def turning() -> Heap:
    """A tree with parents in which the second node hangs at the root still, and at the third as well."""
    heap = Heap()
    links = {1: (2, 3, 0), 2: (4, 5, 3), 3: (2, 6, 1), 4: (0, 0, 2), 5: (0, 0, 2), 6: (0, 0, 3)}
    for number, ends in links.items():
        heap.node(number, "ptree", number, *(n(end) if end else None for end in ends))
    heap.variable("root", to("ptree"), n(1))
    return heap


def text(picture: Picture) -> str:
    return terminal(picture, width=100, color=False, unicode=True)


def test_left_is_left_where_one_node_has_two_parents() -> None:
    boxes = layout(turning().graph()).boxes
    for parent, left, right in ((1, 2, 3), (2, 4, 5)):
        upper, one, two = (boxes[NodeId(each)] for each in (parent, left, right))
        assert upper.bottom < min(one.y, two.y) and one.x < two.x


def test_what_is_lost_does_not_stand_above_what_it_leads_to() -> None:
    heap = turning()
    heap.node(7, "ptree", 7, n(8), None, n(1))
    heap.node(8, "ptree", 8, None, None, n(7))
    boxes = layout(heap.graph()).boxes
    assert boxes[NodeId(1)].y <= boxes[NodeId(7)].y
    assert boxes[NodeId(7)].bottom < boxes[NodeId(8)].y


def test_two_heads_of_an_arrow_are_explained() -> None:
    heap = Heap()
    for number, ends in {1: (2, 3, 0), 2: (0, 0, 1), 3: (0, 0, 1)}.items():
        heap.node(number, "ptree", number, *(n(end) if end else None for end in ends))
    heap.variable("root", to("ptree"), n(1))
    assert "an arrow with two heads: parent leads back to the whole box" in text(layout(heap.graph()))


def test_lost_is_said_in_words_of_narrow_boxes_too() -> None:
    heap = Heap()
    heap.node(12, "", *b"saw\0", count=4, ctype=CHAR)
    assert "n12 lost" in text(layout(heap.graph()))


def test_what_was_freed_earlier_is_not_told_again() -> None:
    heap = Heap()
    heap.node(1, "cell", 1, None)
    heap.node(2, "cell", 2, None)
    heap.variable("head", to("cell"), n(2))
    heap.free(1)
    assert "freed earlier" in text(layout(heap.graph()))
    assert "freed" not in text(layout(heap.graph(), before=heap.graph()))


def test_texts_are_told_as_texts() -> None:
    before, heap = Heap(), Heap()
    for each, word in ((before, b"cat\0"), (heap, b"cut\0")):
        each.node(1, "", *word, count=4, ctype=CHAR)
        each.variable("name", ArrayType(CHAR, 4))
        each.variable("bytes", ArrayType(CHAR, 2), 1, 2)
    words = describe(heap.graph(), before.graph())
    assert words.splitlines() == [
        'changed: n1 is "cut" (before, it was "cat")',
        "name is uninitialised",
        "bytes[0] is '\\x01'; bytes[1] is '\\x02'",
        'n1 is lost; n1 is "cut"',
    ]
