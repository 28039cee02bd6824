"""Between steps nothing jumps: nodes that survive stand where they stood."""

from __future__ import annotations

import pytest
from draw_heaps import Heap, double_list, n, single_list, struct, to, tree

from wolverine.core.graph import UNINITIALISED, NodeId, Place, Pointer, VariableId
from wolverine.core.types import INT, StructReference
from wolverine.draw import Picture, layout

struct("block", ("next", to("block")))
struct("keeper", ("first", to("kept")))
struct("kept", ("keeper", to("keeper")))
struct("pool", ("memory", to("block")), ("first", to("block")), ("count", INT))


class Steps:
    """Lays out one graph after the other and compares positions."""

    def __init__(self, heap: Heap) -> None:
        self.heap = heap
        self.before = heap.graph()
        self.picture = layout(self.before)
        assert self.picture.tidy

    def step(self) -> Picture:
        graph = self.heap.graph()
        following = layout(graph, self.picture, before=self.before)
        assert not following.tidy
        for key in self.picture.boxes.keys() & following.boxes.keys():
            assert following.position(key) == self.picture.position(key)
        assert {k for k in following.boxes if isinstance(k, NodeId)} == set(graph.nodes)
        self.before, self.picture = graph, following
        return following


def test_reversing_a_list_step_by_step() -> None:
    heap = double_list(6, {"head": 1, "current": 1, "temp": 0})
    steps = Steps(heap)
    for k in range(1, 7):
        heap.assign("temp", n(k - 1) if k > 1 else None)
        steps.step()
        heap.set(k, "prev", n(k + 1) if k < 6 else None)
        steps.step()
        heap.set(k, "next", n(k - 1) if k > 1 else None)
        steps.step()
        heap.assign("current", n(k + 1) if k < 6 else None)
        steps.step()
    heap.assign("head", n(6))
    steps.step()


def test_inserting_in_the_middle_puts_the_node_near_its_neighbours() -> None:
    heap = single_list(4)
    heap.variable("new", to("cell"), UNINITIALISED)
    steps = Steps(heap)
    heap.node(5, "cell", UNINITIALISED, UNINITIALISED)
    heap.assign("new", n(5))
    steps.step()
    heap.set(5, "next", n(3))
    steps.step()
    heap.set(2, "next", n(5))
    steps.step()


def test_a_node_that_arrives_linked_stands_beside_its_owner() -> None:
    heap = double_list(3)
    steps = Steps(heap)
    heap.node(4, "node", 40, None, n(3))
    heap.set(3, "next", n(4))
    following = steps.step()
    last, new = following.boxes[NodeId(3)], following.boxes[NodeId(4)]
    assert new.y == last.y
    assert 0 < new.x - last.right < 8


def test_deleting_and_freeing() -> None:
    heap = double_list(5)
    steps = Steps(heap)
    heap.set(2, "next", n(4))
    heap.set(4, "prev", n(2))
    lost = steps.step()
    assert lost.boxes[NodeId(3)].state == "lost"
    heap.free(3)
    freed = steps.step()
    assert freed.boxes[NodeId(3)].state == "freed"
    assert freed.boxes[NodeId(3)].fresh


def test_losing_the_rest_of_a_list_leaves_it_in_place() -> None:
    heap = double_list(4)
    steps = Steps(heap)
    heap.set(1, "next", None)
    following = steps.step()
    assert [following.boxes[NodeId(k)].state for k in (1, 2, 3, 4)] == ["live", "lost", "lost", "lost"]


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_new_leaf_of_a_tree_stands_below_on_its_side(side: str) -> None:
    heap = tree(3)
    steps = Steps(heap)
    heap.node(4, "tree", 9, None, None)
    heap.set(2, side, n(4))
    following = steps.step()
    parent, leaf = following.boxes[NodeId(2)], following.boxes[NodeId(4)]
    assert leaf.y > parent.bottom
    assert (leaf.x + leaf.width // 2 < parent.x + parent.width // 2) == (side == "left")


def test_rotating_a_tree_moves_nothing() -> None:
    heap = tree(7)
    steps = Steps(heap)
    heap.set(1, "left", n(5))
    heap.set(2, "right", n(1))
    heap.assign("root", n(2))
    steps.step()


def test_a_walk_along_a_list_moves_nothing() -> None:
    heap = double_list(6, {"head": 1, "current": 1})
    steps = Steps(heap)
    for k in range(2, 7):
        heap.assign("current", n(k))
        steps.step()
    heap.assign("current", None)
    steps.step()


def test_a_list_that_grows_one_by_one_never_moves() -> None:
    heap = single_list(1)
    steps = Steps(heap)
    for k in range(2, 13):
        heap.node(k, "cell", k, None)
        heap.set(k - 1, "next", n(k))
        steps.step()


def test_too_little_width_gives_a_tidy_picture() -> None:
    heap = double_list(4)
    wide = layout(heap.graph(), width=100)
    narrow = layout(heap.graph(), wide, width=40)
    assert narrow.tidy
    assert max(box.right for box in narrow.boxes.values()) < 40


def test_elsewhere_a_tree_that_was_rotated_is_laid_out_anew() -> None:
    heap = tree(7)
    before = layout(heap.graph())
    heap.set(1, "left", n(5))
    heap.set(2, "right", n(1))
    heap.assign("root", n(2))
    there = layout(heap.graph(), before, elsewhere=False)
    elsewhere = layout(heap.graph(), before, elsewhere=True)
    assert not there.tidy
    assert elsewhere.tidy
    root, child = elsewhere.boxes[NodeId(2)], elsewhere.boxes[NodeId(1)]
    assert child.y > root.bottom


def test_on_a_sheet_a_tree_is_laid_out_anew_as_soon_as_it_is_whole_again() -> None:
    heap = tree(7)
    graph = heap.graph()
    before = layout(graph, sheet=True)
    heap.set(1, "left", n(5))
    halfway = heap.graph()
    there = layout(halfway, before, before=graph, sheet=True)
    assert not there.tidy
    heap.set(2, "right", n(1))
    heap.assign("root", n(2))
    whole = layout(heap.graph(), there, before=halfway, sheet=True)
    assert whole.tidy
    assert whole.boxes[NodeId(1)].y > whole.boxes[NodeId(2)].bottom


def test_on_a_sheet_a_list_that_is_reversed_stays() -> None:
    heap = double_list(4)
    graph, before = heap.graph(), layout(heap.graph(), sheet=True)
    for k in range(1, 5):
        heap.set(k, "prev", n(k + 1) if k < 4 else None)
        heap.set(k, "next", n(k - 1) if k > 1 else None)
        following = layout(heap.graph(), before, before=graph, sheet=True)
        assert not following.tidy
        graph, before = heap.graph(), following


def test_elsewhere_a_list_in_zigzag_is_laid_out_anew_and_a_reversed_one_is_not() -> None:
    heap = single_list(4)
    before = layout(heap.graph())
    for k, following in ((1, 3), (3, 2), (2, 4)):
        heap.set(k, "next", n(following))
    assert not layout(heap.graph(), before, elsewhere=False).tidy
    assert layout(heap.graph(), before, elsewhere=True).tidy
    for k in range(1, 5):
        heap.set(k, "next", n(k - 1) if k > 1 else None)
    heap.assign("head", n(4))
    assert not layout(heap.graph(), before, elsewhere=True).tidy


def test_elsewhere_boxes_stay_where_no_arrow_changed_and_lines_would_not_be_easier_to_follow() -> None:
    heap = Heap()
    heap.node(1, "keeper", n(2))
    heap.node(2, "kept", None)
    heap.variable("keeper", to("keeper"), n(1))
    heap.variable("kept", to("kept"), n(2))
    before = layout(heap.graph())
    heap.set(1, "first", None)
    heap.set(2, "keeper", n(1))
    assert layout(heap.graph(), before, elsewhere=True).tidy
    stepped = layout(heap.graph(), before, elsewhere=False)
    returned = layout(heap.graph(), stepped, elsewhere=True)
    assert {key: returned.position(key) for key in returned.boxes} == {
        key: stepped.position(key) for key in stepped.boxes
    }


def test_a_number_that_is_corrected_moves_no_box() -> None:
    heap = tree(3)
    picture = layout(heap.graph())
    heap.set(1, "left", n(3))
    heap.set(1, "right", n(2))
    before = heap.graph()
    picture = layout(before, picture, elsewhere=False)
    heap.set(1, "key", 7)
    for corrected in (True, False):
        after = layout(heap.graph(), picture, before=before, elsewhere=False, corrected=corrected)
        assert all(after.position(key) == picture.position(key) for key in picture.boxes)


def test_a_list_whose_links_were_corrected_is_laid_out_anew_once_it_is_whole() -> None:
    heap = single_list(1)
    for k in range(2, 5):
        heap.node(k, "cell", k, None)
    heap.set(1, "next", n(4))
    before = heap.graph()
    picture = layout(before)
    places = {key: picture.position(key) for key in picture.boxes}
    for k, whole in ((1, False), (2, False), (3, True)):
        heap.set(k, "next", n(k + 1))
        graph = heap.graph()
        stepped = layout(graph, picture, before=before, elsewhere=False)
        assert {key: stepped.position(key) for key in stepped.boxes} == places
        picture = layout(graph, picture, before=before, elsewhere=False, corrected=True)
        assert picture.tidy == whole
        before = graph
    columns = [picture.boxes[NodeId(k)].x for k in range(1, 5)]
    assert columns == sorted(columns)


def test_a_tree_whose_links_were_corrected_has_its_children_in_order() -> None:
    heap = Heap()
    heap.variable("root", to("ptree"), n(1))
    heap.node(1, "ptree", 50, n(2), None, None)
    heap.node(2, "ptree", 30, n(3), None, n(1))
    heap.node(3, "ptree", 70, None, None, n(2))
    before = heap.graph()
    picture = layout(before)
    assert picture.boxes[NodeId(3)].x < picture.boxes[NodeId(2)].x
    for k, link, target in ((1, "right", n(3)), (2, "left", None)):
        heap.set(k, link, target)
        graph = heap.graph()
        picture = layout(graph, picture, before=before, elsewhere=False, corrected=True)
        before = graph
    left, right = (picture.boxes[NodeId(k)] for k in (2, 3))
    assert left.right < right.x
    assert left.y == right.y


def test_a_list_that_is_corrected_halfway_through_its_reversal_stays_where_it_is() -> None:
    heap = single_list(5)
    picture = layout(heap.graph())
    heap.set(2, "next", n(1))
    heap.set(1, "next", None)
    heap.assign("head", n(2))
    heap.variable("rest", to("cell"), n(4))
    before = heap.graph()
    heap.set(3, "next", n(2))
    following = layout(heap.graph(), picture, before=before, elsewhere=False, corrected=True)
    assert all(following.position(key) == picture.position(key) for key in picture.boxes)


def test_what_stands_right_of_a_box_that_grows_keeps_room_for_its_arrows() -> None:
    heap = Heap()
    heap.variable("pool", StructReference("pool"), n(1), None, 5, depth=-1)
    heap.node(1, "block", *[UNINITIALISED] * 9, count=9)
    before = layout(heap.graph())
    heap.assign("pool", n(1))
    heap.cells[Place(VariableId(-1, "", "pool"), 8)] = Pointer(NodeId(1), 48)
    after = layout(heap.graph(), before)
    assert not after.tidy
    pool, memory = after.boxes[VariableId(-1, "", "pool")], after.boxes[NodeId(1)]
    assert pool.width > before.boxes[pool.key].width
    assert memory.x - pool.right == before.boxes[memory.key].x - before.boxes[pool.key].right
