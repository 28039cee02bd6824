"""Shapes, fresh heaps and the comparison of graphs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from wolverine.core.expressions import VariableReference
from wolverine.core.graph import Frame, MemoryGraph, Node, NodeId, Place, Pointer, Value, Variable, VariableId
from wolverine.core.program import Function, Program, Span
from wolverine.core.types import INT, CType, Field, PointerType, StructReference, StructType, Types
from wolverine.semantics.bothways import linked_both_ways
from wolverine.semantics.branching import as_gone_over, as_tree
from wolverine.semantics.compare import differences, renamed, same_state
from wolverine.semantics.doubly import as_list
from wolverine.semantics.fresh import fresh_graphs
from wolverine.semantics.shape import Shape, self_pointers, shape_at

REFERENCE = StructReference("node")
POINTER = PointerType(REFERENCE)
TYPES = Types(
    {
        "node": StructType("node", 16, (Field("data", 0, INT), Field("next", 8, POINTER))),
        "dll": StructType(
            "dll",
            24,
            (
                Field("data", 0, INT),
                Field("next", 8, PointerType(StructReference("dll"))),
                Field("prev", 16, PointerType(StructReference("dll"))),
            ),
        ),
        "tree": StructType(
            "tree",
            24,
            (
                Field("key", 0, INT),
                Field("left", 8, PointerType(StructReference("tree"))),
                Field("right", 16, PointerType(StructReference("tree"))),
            ),
        ),
        "item": StructType(
            "item",
            32,
            (
                Field("data", 0, INT),
                Field("child", 8, PointerType(StructReference("item"))),
                Field("next", 16, PointerType(StructReference("item"))),
                Field("prev", 24, PointerType(StructReference("item"))),
            ),
        ),
    }
)
HEAD = VariableId(-1, "", "head")
SECOND = VariableId(0, "f", "other")
KEY = VariableId(0, "f", "key")


def graph(
    tag: str, nodes: dict[int, tuple[int, ...]], roots: dict[VariableId, int], key: int | None = None
) -> MemoryGraph:
    """Nodes as {number: (data, number that field 1 leads to, ...)}, 0 for null."""
    reference = StructReference(tag)
    cells: dict[Place, Value] = {}
    types: dict[Place, CType] = {}
    for number, (data, *targets) in nodes.items():
        cells[Place(NodeId(number), 0)] = data
        types[Place(NodeId(number), 0)] = INT
        for index, target in enumerate(targets, 1):
            place = Place(NodeId(number), 8 * index)
            cells[place] = Pointer(NodeId(target)) if target else None
            types[place] = PointerType(reference)
    variables = {identity: Variable(identity, PointerType(reference), True) for identity in roots}
    for identity, number in roots.items():
        cells[Place(identity, 0)] = Pointer(NodeId(number)) if number else None
        types[Place(identity, 0)] = PointerType(reference)
    if key is not None:
        variables[KEY] = Variable(KEY, INT, True)
        cells[Place(KEY, 0)] = key
        types[Place(KEY, 0)] = INT
    outside = tuple(v for i, v in variables.items() if i.depth < 0)
    inside = tuple(v for i, v in variables.items() if i.depth >= 0)
    made = {NodeId(n): Node(NodeId(n), TYPES.size(reference), reference) for n in nodes}
    return MemoryGraph(TYPES, (Frame(0, "f", inside),), outside, made, cells, types)


@pytest.mark.parametrize(
    ("tag", "nodes", "form", "back"),
    [
        ("node", {1: (1, 2), 2: (2, 0)}, "list", ()),
        ("node", {1: (1, 2), 2: (2, 1)}, "ring", ()),
        ("node", {1: (1, 1)}, "ring", ()),
        ("node", {1: (1, 2), 2: (2, 3), 3: (3, 2)}, "other", ()),
        ("dll", {1: (1, 2, 0), 2: (2, 3, 1), 3: (3, 0, 2)}, "list", ("prev",)),
        ("dll", {1: (1, 2, 3), 2: (2, 3, 1), 3: (3, 1, 2)}, "ring", ("prev",)),
        ("dll", {1: (1, 0, 0)}, "list", ("prev",)),
        ("dll", {1: (1, 1, 1)}, "ring", ("prev",)),
        ("tree", {1: (1, 2, 3), 2: (2, 0, 0), 3: (3, 0, 0)}, "tree", ()),
        ("tree", {1: (1, 2, 3), 2: (2, 0, 3), 3: (3, 0, 0)}, "dag", ()),
        ("tree", {1: (1, 2, 3), 2: (2, 0, 1), 3: (3, 0, 0)}, "other", ()),
    ],
)
def test_shapes(tag: str, nodes: dict[int, tuple[int, ...]], form: str, back: tuple[str, ...]) -> None:
    shape = shape_at(graph(tag, nodes, {HEAD: 1}), Place(HEAD, 0), tag)
    assert shape.form == form
    assert tuple(f.name for f in shape.back) == back
    assert set(shape.nodes) == {NodeId(n) for n in nodes}


def program() -> Program:
    parameters = (VariableReference("other", POINTER), VariableReference("key", INT))
    span = Span(0, 0, 0, 1)
    function = Function("f", 0, 1, parameters, (), (), INT, (), (), (), span)
    return Program((), TYPES, (), {"f": function}, ())


def shapes(made: list[MemoryGraph], tag: str, root: VariableId = HEAD) -> list[tuple[str, int]]:
    found = [shape_at(g, Place(root, 0), tag) for g in made]
    return [(s.form, len(s.nodes)) for s in found]


def test_fresh_lists_have_all_sizes_and_orders() -> None:
    made = fresh_graphs(program(), graph("node", {1: (5, 2), 2: (3, 0)}, {HEAD: 1}))
    assert {size for _, size in shapes(made, "node")} == {0, 1, 2, 3, 4, 5}
    data = {
        tuple(v for p, v in sorted(g.cells.items()) if p.offset == 0 and isinstance(v, int)) for g in made
    }
    assert {(1, 2, 3), (3, 2, 1), (1, 1, 1)} <= data
    again = fresh_graphs(program(), graph("node", {1: (5, 2), 2: (3, 0)}, {HEAD: 1}))
    assert [g.cells for g in again] == [g.cells for g in made]


def test_fresh_lists_stay_sorted_where_the_start_is() -> None:
    made = fresh_graphs(program(), graph("node", {1: (2, 2), 2: (4, 3), 3: (9, 0)}, {HEAD: 1}))
    for fresh in made:
        data = [fresh.cells[Place(NodeId(n), 0)] for n in range(1, len(fresh.nodes) + 1)]
        assert data == sorted(data)  # type: ignore[type-var]


def test_fresh_rings_and_back_pointers_are_consistent() -> None:
    ring = {1: (1, 2, 3), 2: (2, 3, 1), 3: (3, 1, 2)}
    for fresh in fresh_graphs(program(), graph("dll", ring, {HEAD: 1})):
        for node in fresh.nodes:
            following = fresh.cells[Place(node, 8)]
            assert isinstance(following, Pointer)
            assert fresh.cells[Place(following.object, 16)] == Pointer(node)  # type: ignore[arg-type]
    chain = {1: (1, 2, 0), 2: (2, 0, 1)}
    made = fresh_graphs(program(), graph("dll", chain, {HEAD: 1}))
    assert {form for form, _ in shapes(made, "dll")} == {"empty", "list"}
    for fresh in made:
        head = fresh.cells[Place(HEAD, 0)]
        if isinstance(head, Pointer):
            assert fresh.cells[Place(head.object, 16)] is None  # type: ignore[arg-type]


def test_the_first_node_of_a_list_may_lead_back_to_the_last() -> None:
    chain = {1: (1, 2, 3), 2: (2, 3, 1), 3: (3, 0, 2)}
    start = graph("dll", chain, {HEAD: 1})
    shape = shape_at(start, Place(HEAD, 0), "dll")
    assert (shape.form, [field.name for field in shape.closed]) == ("list", ["prev"])
    made = fresh_graphs(program(), start)
    assert {size for _, size in shapes(made, "dll")} == {0, 1, 2, 3, 4, 5}
    for fresh in made:
        _leads_back_to_the_last(fresh, fresh.cells[Place(HEAD, 0)], following=8, back=16)


def test_a_node_may_hold_a_list_of_its_own_kind() -> None:
    parent = {1: (0, 2, 0, 0), 2: (5, 0, 3, 4), 3: (6, 0, 4, 2), 4: (7, 0, 0, 3)}
    sizes = set()
    for fresh in fresh_graphs(program(), graph("item", parent, {HEAD: 1})):
        head = fresh.cells[Place(HEAD, 0)]
        assert isinstance(head, Pointer)
        assert {fresh.cells[Place(head.object, offset)] for offset in (16, 24)} == {None}
        children = fresh.cells[Place(head.object, 8)]
        sizes.add(_leads_back_to_the_last(fresh, children, following=16, back=24))
    assert sizes == {0, 1, 2, 3, 4, 5}


def _leads_back_to_the_last(fresh: MemoryGraph, first: Value, *, following: int, back: int) -> int:
    """Checks that the list is linked to and fro, and from its first node to its last; its length."""
    found = []
    at = first
    while isinstance(at, Pointer):
        found.append(at)
        at = fresh.cells[Place(at.object, following)]
    leading = [fresh.cells[Place(each.object, back)] for each in found]
    assert leading == [*found[-1:], *found[:-1]]
    return len(found)


def test_fresh_search_trees_are_search_trees() -> None:
    nodes = {1: (5, 2, 3), 2: (2, 0, 0), 3: (8, 0, 0)}
    made = fresh_graphs(program(), graph("tree", nodes, {HEAD: 1}))
    assert {size for _, size in shapes(made, "tree")} == {0, 1, 2, 3, 5}

    def keys(fresh: MemoryGraph, value: Value) -> list[Value]:
        if not isinstance(value, Pointer):
            return []
        left, right = (fresh.cells[Place(value.object, o)] for o in (8, 16))
        return [*keys(fresh, left), fresh.cells[Place(value.object, 0)], *keys(fresh, right)]

    for fresh in made:
        found = keys(fresh, fresh.cells[Place(HEAD, 0)])
        assert len(found) == len(fresh.nodes)
        if len(set(found)) > 1:
            assert found == sorted(found)  # type: ignore[type-var]


def test_what_leaves_alone_have_goes_with_them() -> None:
    """Field 0 is 1 in leaves; no node has one child."""
    nodes = {1: (0, 2, 3), 2: (1, 0, 0), 3: (0, 4, 5), 4: (1, 0, 0), 5: (1, 0, 0)}
    sizes = set()
    for fresh in fresh_graphs(program(), graph("tree", nodes, {HEAD: 1})):
        sizes.add(len(fresh.nodes))
        for node in fresh.nodes:
            children = [fresh.cells[Place(node, offset)] is not None for offset in (8, 16)]
            assert fresh.cells[Place(node, 0)] == (not any(children))
            assert len(set(children)) == 1
    assert sizes == {0, 1, 3, 5}


def test_fresh_heaps_vary_parameters_and_keep_aliases() -> None:
    start = graph("node", {1: (5, 2), 2: (3, 3), 3: (4, 0)}, {HEAD: 1, SECOND: 3}, key=4)
    made = fresh_graphs(program(), start, (("f", 0),))
    keys = {g.cells[Place(KEY, 0)] for g in made}
    assert len(keys) >= 3
    for fresh in made:
        other = fresh.cells[Place(SECOND, 0)]
        if isinstance(other, Pointer):
            assert fresh.cells[Place(other.object, 8)] is None  # the last node, as in the start
        else:
            assert not fresh.nodes


def test_two_lists_have_different_sizes() -> None:
    start = graph("node", {1: (5, 0), 2: (3, 3), 3: (4, 0)}, {HEAD: 1, SECOND: 2})
    made = fresh_graphs(program(), start)
    pairs = set(zip(shapes(made, "node"), shapes(made, "node", SECOND), strict=True))
    assert (("empty", 0), ("list", 1)) in pairs
    assert (("list", 2), ("list", 1)) in pairs


def test_a_node_by_itself_belongs_in_front_of_others_among_them_and_behind() -> None:
    start = graph("node", {1: (5, 0), 2: (3, 3), 3: (4, 4), 4: (9, 0)}, {HEAD: 1, SECOND: 2})
    places = set()
    for fresh in fresh_graphs(program(), start):
        values = [fresh.cells[Place(NodeId(n), 0)] for n in range(1, len(fresh.nodes) + 1)]
        if shapes([fresh], "node") == [("list", 1)] and len(values) == 3:
            places.add(sorted(values).index(values[-1]) if len(set(values)) == 3 else -1)  # type: ignore[type-var]
    assert places >= {0, 1, 2}


OUT = VariableId(0, "f", "out")
RESULT = VariableId(-1, "", "result")


@pytest.mark.parametrize(
    ("body", "empty"),
    [
        ("*out = list;", True),
        ("*out = list; out = &list->next; *out = NULL;", True),
        ("struct node **end = out; *end = list; end = &list->next;", True),
        ("*out = list; *out = (*out)->next;", False),
        ("struct node **end = out; g(end);", False),
        ("g(out);", False),
    ],
)
def test_where_a_result_goes_is_empty_before(lower: Callable[[str], Program], body: str, empty: bool) -> None:
    made = lower(
        "#include <stddef.h>\nstruct node { int data; struct node *next; };\nvoid g(struct node **);\n"
        f"void f(struct node *list, struct node **out) {{ {body} }}\n"
    )
    start = graph("node", {1: (5, 2), 2: (3, 0)}, {VariableId(0, "f", "list"): 1, RESULT: 0})
    frame = start.frames[0]
    link = PointerType(POINTER)
    start = replace(
        start,
        frames=(replace(frame, variables=(*frame.variables, Variable(OUT, link, True))),),
        globals=(),
        cells={**start.cells, Place(OUT, 0): Pointer(RESULT)},
        cell_types={**start.cell_types, Place(OUT, 0): link},
    )
    outer = Frame(1, "main", (Variable(RESULT, POINTER, False),))
    start = replace(start, frames=(*start.frames, outer))
    filled = {g.cells[Place(RESULT, 0)] is not None for g in fresh_graphs(made, start, (("f", 0),))}
    assert filled == ({False} if empty else {False, True})


@st.composite
def heaps(draw: st.DrawFn) -> MemoryGraph:
    size = draw(st.integers(1, 7))
    node = st.integers(0, size)
    nodes = {n: (draw(st.integers(0, 2)), draw(node), draw(node)) for n in range(1, size + 1)}
    return graph("dll", nodes, {HEAD: draw(node), SECOND: draw(node)})


@settings(max_examples=examples(60, 400), deadline=None)
@given(heap=heaps(), data=st.data())
def test_renamed_graphs_are_the_same_state(heap: MemoryGraph, data: st.DataObject) -> None:
    numbers = sorted(heap.nodes)
    names = dict(zip(numbers, data.draw(st.permutations(numbers)), strict=True))
    other = renamed(heap, names)
    assert same_state(heap, other)
    assert same_state(heap, other, heap) == (not differences(heap, other))
    place = data.draw(st.sampled_from(sorted(p for p in other.cells if isinstance(p.object, NodeId))))
    value = other.cells[place]
    changed = 9 if isinstance(value, int) else None if value is not None else Pointer(NodeId(1), 4)
    assert not same_state(heap, replace(other, cells={**other.cells, place: changed}))


def test_states_of_nodes_count() -> None:
    heap = graph("node", {1: (1, 0), 2: (1, 0)}, {HEAD: 1})
    freed = replace(heap, nodes={**heap.nodes, NodeId(2): replace(heap.nodes[NodeId(2)], state="freed")})
    assert not same_state(heap, freed)
    assert differences(heap, freed) == (Place(NodeId(2), 0),)


def test_which_way_a_doubly_linked_list_leads_does_not_depend_on_the_order_of_its_fields() -> None:
    def fields(*names: str) -> tuple[Field, ...]:
        return (
            Field("v", 0, INT),
            *(Field(n, 8 + 8 * i, PointerType(StructReference("d"))) for i, n in enumerate(names)),
        )

    for first, second, forward in (("prev", "next", 16), ("next", "prev", 8), ("p", "n", 16), ("n", "p", 8)):
        types = Types({"d": StructType("d", 24, fields(first, second))})
        back = 24 - forward
        root = Place(HEAD, 0)
        cells: dict[Place, Value] = {root: Pointer(NodeId(1))}
        for number in (1, 2, 3):
            cells[Place(NodeId(number), 0)] = number
            cells[Place(NodeId(number), forward)] = Pointer(NodeId(number + 1)) if number < 3 else None
            cells[Place(NodeId(number), back)] = Pointer(NodeId(number - 1)) if number > 1 else None
        nodes = {NodeId(n): Node(NodeId(n), 24, StructReference("d")) for n in (1, 2, 3)}
        shape = shape_at(MemoryGraph(types, (), (), nodes, cells, {}), root, "d")
        assert [f.offset for f in shape.forward] == [forward]
        assert [f.offset for f in shape.back] == [back]


def test_what_leads_into_the_middle_of_a_node_is_no_part_of_a_tree() -> None:
    heap = graph("tree", {1: (5, 2, 3), 2: (3, 0, 0), 3: (8, 0, 0)}, {HEAD: 1})
    threaded = replace(heap, cells={**heap.cells, Place(NodeId(3), 16): Pointer(NodeId(1), 8)})
    assert shape_at(threaded, Place(HEAD, 0), "tree").form == "tree"
    assert {len(each.nodes) for each in fresh_graphs(program(), threaded)} >= {0, 1, 2, 3, 5}


def test_what_indexes_an_array_stays_within_it(lower: Callable[[str], Program]) -> None:
    made = lower("int row[3];\nint f(int r, int v) { return row[r] + v; }\n")
    places = [Place(VariableId(0, "f", name), 0) for name in "rv"]
    variables = tuple(Variable(p.object, INT, True) for p in places)  # type: ignore[arg-type]
    for index, limited in ((2, True), (3, False)):
        start = replace(
            graph("node", {1: (9, 2), 2: (7, 0)}, {HEAD: 1}),
            frames=(Frame(0, "f", variables),),
        )
        start = replace(start, cells={**start.cells, places[0]: index, places[1]: 1})
        values = [[g.cells[p] for p in places] for g in fresh_graphs(made, start, (("f", 0),))]
        assert all(0 <= r < 3 for r, _ in values) is limited
        assert any(v > 3 for _, v in values)


GROWN = """\
#include <stdlib.h>
struct tree { int key; struct tree *l, *r; };
static int add(struct tree *t) { return t ? t->key + add(t->l) + add(t->r) : 0; }
static int last(struct tree *t) { while (t->r) t = t->r; return t->key; }
"""


@pytest.mark.parametrize(("called", "form"), [("add(t)", "tree"), ("last(t)", "list")])
def test_a_chain_is_a_tree_where_the_program_goes_on_over_both_links(
    lower: Callable[[str], Program], called: str, form: str
) -> None:
    """Sorted keys make a tree of right children only."""
    text = GROWN if form == "tree" else GROWN.replace("add(t->l) + ", "")
    program = lower(f"{text}int f(struct tree *t) {{ return {called}; }}\n")
    fields = self_pointers(program.types, "tree")
    chain = Shape("tree", "list", fields, (), (NodeId(1), NodeId(2), NodeId(3)))
    assert as_tree(program, chain).form == form


WOOD = """\
#include <stdlib.h>
struct wood { int weight; struct wood *next, *left, *right; };
int count(struct wood *w) { int n = 0; for (; w != NULL; w = w->next) n++; return n; }
int depth(struct wood *w)
{
    int l = w->left ? depth(w->left) : 0, r = w->right ? depth(w->right) : 0;
    return 1 + (l > r ? l : r);
}
"""


@pytest.mark.parametrize(
    ("function", "linked", "form", "first"),
    [
        ("depth", "next", "list", "next"),
        ("count", "left", "tree", "left"),
        ("count", "", "list", "next"),
        ("depth", "", "tree", "left"),
        ("main", "", "tree", "next"),
    ],
)
def test_of_more_links_those_belong_together_that_are_gone_over(
    lower: Callable[[str], Program], function: str, linked: str, form: str, first: str
) -> None:
    """What is linked already tells, or else what the function looks at."""
    program = lower(WOOD)
    fields = self_pointers(program.types, "wood")
    nodes = (NodeId(1), NodeId(2)) if linked else (NodeId(1),)
    made = {number: Node(number, 32, StructReference("wood")) for number in nodes}
    leads = {Place(NodeId(1), field.offset): Pointer(NodeId(2)) for field in fields if field.name == linked}
    start = MemoryGraph(program.types, nodes=made, cells=leads)
    shape = as_gone_over(program, start, Shape("wood", "tree", fields, (), nodes), {function})
    assert (shape.form, shape.forward[0].name) == (form, first)
    assert {field.name for field in shape.forward} == {"next", "left", "right"}


BOTH_WAYS = """\
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
struct tree *head;
void put(struct tree *n) { n->left = NULL; n->right = head; if (head != NULL) head->left = n; head = n; }
"""
EDITOR = """\
int asked(void);
void edit(struct tree *at)
{
    while (asked())
        if (asked() && at->left != NULL)
            at = at->left;
        else if (at->right != NULL)
            at = at->right;
}
"""
THREADED = """\
struct tree *find(struct tree *at, int key)
{
    while (at != NULL && at->key != key)
        if (key < at->key)
            at = at->left;
        else
            at = at->right;
    return at;
}
"""
DESCENDED = "int size(struct tree *t) { return t == NULL ? 0 : size(t->left) + size(t->right) + 1; }\n"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (BOTH_WAYS, "list"),
        (BOTH_WAYS + EDITOR, "list"),
        (BOTH_WAYS + THREADED, "tree"),
        (BOTH_WAYS + DESCENDED, "tree"),
        (BOTH_WAYS.replace("head->left = n", "head->left = NULL"), "tree"),
    ],
)
def test_one_node_is_a_list_where_the_source_links_both_ways(
    lower: Callable[[str], Program], text: str, form: str
) -> None:
    heap = graph("tree", {1: (5, 0, 0)}, {HEAD: 1})
    root = Place(HEAD, 0)
    shape = as_list(lower(text), heap, root, shape_at(heap, root, "tree"))
    assert shape.form == form
    if form == "list":
        assert [f.name for f in shape.forward] == ["right"]
        assert [f.name for f in shape.back] == ["left"]


@pytest.mark.parametrize("around", [False, True])
@pytest.mark.parametrize("wrong", [0, 1])
def test_links_back_that_are_wrong_are_links_back(
    lower: Callable[[str], Program], around: bool, wrong: int
) -> None:
    """Over one of the two all nodes are reached; that the other one does not lead back is a fault."""
    nodes = {1: (1, wrong, 2), 2: (2, 1, 3), 3: (3, 1, 1 if around else 0)}
    heap = graph("tree", nodes, {HEAD: 1})
    root = Place(HEAD, 0)
    shape = as_list(lower(BOTH_WAYS), heap, root, shape_at(heap, root, "tree"))
    assert shape.form == ("ring" if around else "list")
    assert [f.name for f in shape.forward] == ["right"]
    assert [f.name for f in shape.back] == ["left"]
    assert as_list(lower(DESCENDED), heap, root, shape_at(heap, root, "tree")).form != shape.form


def test_a_parent_leads_back_over_one_of_several_links(lower: Callable[[str], Program]) -> None:
    both = "void put(struct n *a, struct n *b) { a->l = b; b->up = a; }\n"
    pair = lower("struct n { struct n *l, *up; };\n" + both)
    tree = lower("struct n { struct n *l, *r, *up; };\n" + both)
    assert linked_both_ways(pair) == {("n", 0, 8), ("n", 8, 0)}
    assert not linked_both_ways(tree)
