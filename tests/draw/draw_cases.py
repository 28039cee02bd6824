"""The heaps whose pictures are stored in `pictures/`; run this file to write them anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from draw_heaps import Heap, double_list, n, single_list, struct, to, tree

from wolverine.core.graph import UNINITIALISED, External, NodeId, Pointer, VariableId, Wild
from wolverine.core.types import CHAR, INT, ArrayType, IntType, PointerType, StructReference
from wolverine.draw import layout, terminal

PICTURES = Path(__file__).parent / "pictures"

struct("entry", ("key", INT), ("next", to("entry")))
struct("table", ("used", INT), ("slots", ArrayType(to("entry"), 8)))
struct("list", ("head", to("node")), ("tail", to("node")), ("size", INT))
struct("point", ("x", INT), ("y", INT))
struct(
    "shape",
    ("name", ArrayType(CHAR, 8)),
    ("from", StructReference("point")),
    ("to", StructReference("point")),
)
struct("row", ("id", INT), ("cells", to("cell")), ("next", to("row")))
struct("person", ("name", PointerType(CHAR)), ("next", to("person")))
struct("index", ("key", INT), ("items", to("cell")), ("left", to("index")), ("right", to("index")))
struct("word", ("text", ArrayType(CHAR, 16)), ("next", to("word")))
struct("pupil", ("id", INT), ("teacher", to("staff")), ("next", to("pupil")))
STAFF = struct("staff", ("initial", INT), ("pupils", to("pupil")), ("n", INT))
struct("buffer", ("txt", PointerType(CHAR)), ("len", INT))
struct("stack", ("top", INT), ("f", ArrayType(to("buffer"), 4)), ("below", to("stack")))
struct("link", ("prev", to("link")), ("lineNo", INT), ("next", to("link")))
struct("block", ("next", to("block")))
struct("pool", ("memory", to("block")), ("first", to("block")), ("count", INT))
struct("vertex", ("id", INT), ("a", to("vertex")), ("b", to("vertex")))


def drawn(heap: Heap, before: Heap | None = None, *, width: int = 100, unicode: bool = True) -> str:
    old = before.graph() if before is not None else None
    picture = layout(heap.graph(), before=old, width=width)
    return terminal(picture, width=width, color=False, unicode=unicode)


def double_list_of_4() -> str:
    heap = double_list(4, {"head": 1, "current": 3, "temp": 0})
    heap.variable("i", INT, 3)
    return drawn(heap)


def double_list_of_6() -> str:
    return drawn(double_list(6, {"head": 1, "tail": 6}))


def double_list_wrapped() -> str:
    return drawn(double_list(9))


def inserted_into_a_double_list() -> str:
    """A node that is linked in, wrongly, and stands below its neighbours."""
    return _inserted(2, 80)


def inserted_where_names_are_in_the_way() -> str:
    return _inserted(3, 100)


def _inserted(behind: int, width: int) -> str:
    heap = Heap()
    for k in range(1, 5):
        heap.node(k, "link", n(k - 1) if k > 1 else None, k, n(k + 1) if k < 4 else None)
    heap.node(6, "word", *b"new\0")
    heap.variable("head", to("link"), n(1))
    heap.variable("tail", to("link"), n(4))
    heap.variable("line", to("word"), n(6))
    heap.variable("newnode", to("link"), UNINITIALISED)
    before = heap.graph()
    heap.node(5, "link", n(5), 5, n(behind + 1))
    heap.set(behind, "next", n(5))
    heap.assign("newnode", n(5))
    picture = layout(heap.graph(), layout(before, width=width), before=before, width=width)
    return terminal(picture, width=width, color=False, unicode=True)


def ring_of_5() -> str:
    return drawn(single_list(5, ring=True))


def ring_of_9() -> str:
    return drawn(single_list(9, ring=True))


def tree_of_15() -> str:
    return drawn(tree(15))


def tree_left_child_missing() -> str:
    heap = Heap()
    heap.node(1, "tree", 50, n(2), n(3))
    heap.node(2, "tree", 30, None, n(4))
    heap.node(3, "tree", 70, n(5), None)
    heap.node(4, "tree", 40, None, None)
    heap.node(5, "tree", 60, None, None)
    heap.variable("root", to("tree"), n(1))
    return drawn(heap)


def tree_with_parents() -> str:
    heap = Heap()
    heap.node(1, "ptree", 50, n(2), n(3), None)
    heap.node(2, "ptree", 30, None, None, n(1))
    heap.node(3, "ptree", 70, None, None, n(2))
    heap.variable("root", to("ptree"), n(1))
    return drawn(heap)


def shared_tail() -> str:
    heap = single_list(6)
    heap.node(7, "cell", 7, n(8))
    heap.node(8, "cell", 8, n(4))
    heap.variable("other", to("cell"), n(7))
    return drawn(heap)


def freed_and_lost() -> str:
    heap = double_list(4)
    heap.set(1, "next", n(4))
    heap.set(4, "prev", n(1))
    heap.free(2)
    heap.variable("temp", to("node"), n(2))
    heap.set(2, "next", None)
    return drawn(heap)


def _reversal(after: bool) -> Heap:
    heap = double_list(4, {"head": 1, "current": 2 if after else 1})
    if after:
        heap.set(1, "next", None)
        heap.set(1, "prev", n(2))
        heap.node(5, "node", UNINITIALISED, n(1))
    heap.variable("new", to("node"), n(5) if after else UNINITIALISED)
    heap.variable("count", INT, 1 if after else 0)
    return heap


def changed() -> str:
    return drawn(_reversal(after=True), _reversal(after=False))


def tables_with_repeats() -> str:
    old, heap = Heap(), Heap()
    point = StructReference("point")
    for each, used in ((old, 2), (heap, 3)):
        each.variable("pq", ArrayType(point, 100), *range(used * 2))
        each.variable("grid", ArrayType(ArrayType(INT, 4), 30), *[0] * 40, 7, *[0] * 79)
        each.variable("count", ArrayType(INT, 100), 1, *[0] * 99)
        each.variable("few", ArrayType(point, 3), *[0] * 6)
        each.variable("name", ArrayType(CHAR, 20))
        each.variable("slots", ArrayType(to("entry"), 6), *[UNINITIALISED] * 3, *[None] * 3)
    return drawn(heap, old)


def table_that_is_set() -> str:
    old, heap = Heap(), Heap()
    for each, values in ((old, []), (heap, [0] * 12)):
        each.variable("grid", ArrayType(ArrayType(INT, 4), 3), *values)
        each.variable("row", ArrayType(INT, 6), 1, 1, *([2] * 4 if values else [1] * 4))
        each.variable("last", ArrayType(INT, 4), *([5, 5, 6, 5] if values else [0] * 4))
    return drawn(heap, old)


def array() -> str:
    heap = Heap()
    heap.node(1, "", *range(100, 112), count=12, ctype=INT)
    heap.variable("p", PointerType(INT), Pointer(NodeId(1), 8))
    heap.variable("a", ArrayType(INT, 4), 7, -3, 0)
    heap.variable("buffer", ArrayType(CHAR, 8), *b"hi\n\0\0\0\0\0")
    return drawn(heap)


def hash_table() -> str:
    heap = Heap()
    heap.node(1, "table", 4, n(2), None, None, None, n(4), None, n(5), None)
    heap.node(2, "entry", 8, n(3))
    heap.node(3, "entry", 16, None)
    heap.node(4, "entry", 5, None)
    heap.node(5, "entry", 7, None)
    heap.variable("table", to("table"), n(1))
    return drawn(heap)


def large_hash_table() -> str:
    heap, slots = Heap(), {3: n(2), 700: n(3), 1999: n(5)}
    heap.node(1, "", *(slots.get(k) for k in range(2000)), count=2000, ctype=to("entry"))
    heap.node(2, "entry", 3, None)
    heap.node(3, "entry", 2700, n(4))
    heap.node(4, "entry", 700, None)
    heap.node(5, "entry", 1999, None)
    heap.variable("table", PointerType(to("entry")), n(1))
    return drawn(heap)


def head_and_tail_in_a_struct() -> str:
    heap = double_list(3, {"current": 2})
    heap.variable("list", StructReference("list"), n(1), n(3), 3)
    return drawn(heap)


def list_of_lists() -> str:
    heap = Heap()
    heap.node(1, "row", 1, n(4), n(2))
    heap.node(2, "row", 2, n(7), n(3))
    heap.node(3, "row", 3, None, None)
    for k in (4, 5, 6):
        heap.node(k, "cell", k, n(k + 1) if k < 6 else None)
    for k in (7, 8, 9):
        heap.node(k, "cell", k, n(k + 1) if k < 9 else None)
    heap.variable("matrix", to("row"), n(1))
    return drawn(heap)


def records_of_a_list() -> str:
    heap = Heap()
    for k, name in enumerate(("Ada", "Alan", "Grace"), 1):
        heap.node(k, "person", n(k + 3), n(k + 1) if k < 3 else None)
        heap.node(k + 3, "", *name.encode(), 0, count=len(name) + 1, ctype=CHAR)
    heap.variable("people", to("person"), n(1))
    return drawn(heap)


def name_beside_a_bend() -> str:
    """A line keeps a column away from a name."""
    heap = Heap()
    heap.node(1, "list", n(2), n(6), 5)
    for k in range(2, 7):
        heap.node(k, "node", k, n(k + 1) if k < 6 else None, n(k - 1) if k > 2 else None)
    heap.node(7, "list", None, None, 0)
    heap.variable("all", to("list"), n(1))
    heap.variable("another_one", to("list"), n(7))
    return drawn(heap)


def nested_struct() -> str:
    heap = Heap()
    heap.node(1, "shape", *b"box\0\0\0\0\0", 1, 2, 3, UNINITIALISED)
    heap.variable("shape", to("shape"), n(1))
    heap.variable("corner", to("point"), Pointer(NodeId(1), 8))
    return drawn(heap)


def into_elements() -> str:
    heap = Heap()
    one, two = (Pointer(VariableId(0, "main", "staff"), offset) for offset in (0, STAFF.size))
    heap.variable("staff", ArrayType(StructReference("staff"), 2), 65, n(2), 1, 66, n(3), 2)
    heap.node(1, "pupil", 10, two, None)
    heap.node(2, "pupil", 20, one, None)
    heap.node(3, "pupil", 30, two, n(1))
    return drawn(heap)


def within_an_array() -> str:
    """Arrows between elements run beside the box to the rows they mean; two to one element end in one."""
    links = {0: 3, 3: 5, 4: 1, 5: 8}
    heap = Heap()
    values = [Pointer(NodeId(1), 8 * links[at]) if at in links else None for at in range(9)]
    heap.variable("pool", StructReference("pool"), n(1), Pointer(NodeId(1), 40), 5, depth=-1)
    heap.node(1, "block", *values, count=9)
    return drawn(heap)


def many_ways_beside_each_other() -> str:
    heap = Heap()
    heap.node(12, "stack", 1, n(10), n(13), None, None, n(3))
    heap.node(3, "stack", 4, n(1), n(4), n(6), n(8), None)
    for number in (1, 4, 6, 8, 10, 13):
        heap.node(number, "buffer", n(number + 1), 4)
        heap.node(number + 1, "", *b"even\0", count=5, ctype=CHAR)
    heap.variable("s", to("stack"), n(12))
    return drawn(heap)


def diamond() -> str:
    heap = Heap()
    heap.node(1, "vertex", 1, n(2), n(3))
    heap.node(2, "vertex", 2, n(4), n(5))
    heap.node(3, "vertex", 3, n(5), None)
    heap.node(4, "vertex", 4, n(6), None)
    heap.node(5, "vertex", 5, None, n(6))
    heap.node(6, "vertex", 6, None, None)
    heap.variable("start", to("vertex"), n(1))
    return drawn(heap)


def frames_and_strange_pointers() -> str:
    heap = single_list(3)
    heap.variable("k", INT, 4)
    heap.variable("where", PointerType(INT), Pointer(VariableId(0, "main", "k")))
    heap.variable("wild", to("cell"), Wild(0x41))
    heap.variable("text", PointerType(CHAR), External(0x402010))
    heap.variable("letter", CHAR, 27)
    heap.variable("esc\x1b[31m", IntType("int", 4), 1)
    heap.variable("c", to("cell"), n(3), depth=2, function="walk")
    heap.variable("c", to("cell"), n(2), depth=1, function="walk")
    heap.variable("errors", INT, 0, depth=-1)
    return drawn(heap)


def empty_heap() -> str:
    return drawn(Heap())


def long_list_of_200() -> str:
    heap = single_list(200)
    heap.variable("current", to("cell"), n(100))
    return drawn(heap)


def large_tree() -> str:
    return drawn(tree(100))


def ring_with_a_way_in() -> str:
    heap = single_list(8)
    heap.set(8, "next", n(3))
    heap.variable("last", to("cell"), n(8))
    return drawn(heap)


def tree_with_threads() -> str:
    heap = tree(7)
    heap.set(4, "right", n(2))
    heap.set(5, "left", n(2))
    heap.set(5, "right", n(1))
    heap.set(6, "left", n(1))
    heap.set(6, "right", n(3))
    heap.set(7, "left", n(3))
    heap.variable("prev", to("tree"), n(7), depth=-1)
    return drawn(heap)


def tree_whose_node_has_moved_up() -> str:
    """Each two nodes that point at each other share a line with two heads, wherever they stand."""
    heap = Heap()
    for k, left, right, parent in (
        (1, 2, 3, 0),
        (2, 0, 0, 1),
        (3, 5, 4, 1),
        (4, 0, 0, 3),
        (5, 0, 6, 3),
        (6, 0, 0, 5),
    ):
        heap.node(k, "ptree", 10 * k, *(n(each) if each else None for each in (left, right, parent)))
    heap.variable("root", to("ptree"), n(1))
    before = heap.graph()
    links = [
        (5, "left", 2),
        (5, "right", 3),
        (2, "parent", 5),
        (3, "parent", 5),
        (3, "left", 6),
        (6, "parent", 3),
    ]
    for number, field, target in links:
        heap.set(number, field, n(target))
    heap.set(5, "parent", None)
    heap.assign("root", n(5))
    heap.free(1)
    picture = layout(heap.graph(), layout(before, width=100), before=before, width=100)
    return terminal(picture, width=100, color=False, unicode=True)


def tree_with_long_names_above_children() -> str:
    heap = Heap()
    heap.node(1, "ptree", 10, n(2), n(3), None)
    heap.node(2, "ptree", 5, None, None, n(1))
    heap.node(3, "ptree", 30, n(4), None, n(1))
    heap.node(4, "ptree", 20, None, None, n(3))
    for name, target in (("root", 1), ("where_it_was_put", 3), ("parent_of_that", 3), ("inserted", 4)):
        heap.variable(name, to("ptree"), n(target))
    return drawn(heap)


def tree_turned_into_a_list() -> str:
    heap = Heap()
    heap.node(1, "tree", 5, n(2), n(3))
    heap.node(2, "tree", 3, None, None)
    heap.node(3, "tree", 7, None, None)
    heap.variable("root", to("tree"), n(1))
    heap.variable("first", to("tree"), None)
    before = heap.graph()
    heap.set(2, "right", n(1))
    heap.set(3, "left", n(1))
    heap.assign("first", n(2))
    picture = layout(heap.graph(), layout(before, width=100), before=before, width=100)
    return terminal(picture, width=100, color=False, unicode=True)


def tree_with_a_sentinel() -> str:
    heap = Heap()
    kin = {1: (2, 3, 9), 2: (4, 5, 1), 3: (6, 9, 1), 4: (9, 9, 2), 5: (9, 9, 2), 6: (9, 9, 3), 9: (9, 9, 9)}
    for k, (left, right, parent) in kin.items():
        heap.node(k, "ptree", 10 * k, n(left), n(right), n(parent))
    heap.variable("root", to("ptree"), n(1))
    heap.variable("nil", to("ptree"), n(9), depth=-1)
    return drawn(heap)


def tree_with_chains() -> str:
    heap = Heap()
    for k, values in {
        1: (4, n(8), n(2), n(3)),
        2: (2, n(10), n(4), n(5)),
        3: (6, n(11), None, n(6)),
        4: (1, n(14), None, None),
        5: (3, None, None, None),
        6: (7, n(16), None, None),
    }.items():
        heap.node(k, "index", *values)
    for k, following in {8: 9, 9: 0, 10: 0, 11: 12, 12: 13, 13: 0, 14: 15, 15: 0, 16: 0}.items():
        heap.node(k, "cell", 10 * k, n(following) if following else None)
    heap.variable("root", to("index"), n(1))
    return drawn(heap)


def wide_characters() -> str:
    heap = Heap()
    for k, text in enumerate(("日本語", "Grüße", "🙂 ok", "e\u0301"), 1):
        codes = [*text.encode(), *[0] * (16 - len(text.encode()))]
        heap.node(k, "word", *codes, n(k + 1) if k < 4 else None)
    heap.variable("first", to("word"), n(1))
    return drawn(heap)


def freed_long_ago() -> str:
    """Of five freed nodes one was freed just now, and one is still pointed to."""
    before, heap = single_list(9), single_list(9)
    for each in (before, heap):
        each.assign("head", n(6))
        each.variable("old", to("cell"), n(5))
        each.set(5, "next", None)
    for k in (1, 2, 4, 5):
        before.free(k)
    for k in (1, 2, 3, 4, 5):
        heap.free(k)
    heap.set(3, "next", None)
    return drawn(heap, before)


def narrow_in_ascii() -> str:
    return drawn(double_list(4, {"head": 1, "last": 4}), width=46, unicode=False)


CASES: tuple[Callable[[], str], ...] = (
    double_list_of_4,
    double_list_of_6,
    double_list_wrapped,
    inserted_into_a_double_list,
    inserted_where_names_are_in_the_way,
    ring_of_5,
    ring_of_9,
    tree_of_15,
    tree_left_child_missing,
    tree_with_parents,
    shared_tail,
    freed_and_lost,
    changed,
    array,
    tables_with_repeats,
    table_that_is_set,
    hash_table,
    large_hash_table,
    head_and_tail_in_a_struct,
    list_of_lists,
    records_of_a_list,
    name_beside_a_bend,
    nested_struct,
    into_elements,
    within_an_array,
    many_ways_beside_each_other,
    diamond,
    frames_and_strange_pointers,
    empty_heap,
    long_list_of_200,
    large_tree,
    ring_with_a_way_in,
    tree_with_threads,
    tree_with_a_sentinel,
    tree_whose_node_has_moved_up,
    tree_with_long_names_above_children,
    tree_turned_into_a_list,
    tree_with_chains,
    wide_characters,
    freed_long_ago,
    narrow_in_ascii,
)

if __name__ == "__main__":
    for case in CASES:
        (PICTURES / f"{case.__name__}.txt").write_text(case() + "\n")
