from __future__ import annotations

from itertools import pairwise

import pytest

from wolverine.core.graph import (
    UNINITIALISED,
    External,
    NodeId,
    Opaque,
    Place,
    Pointer,
    VariableId,
    Wild,
)
from wolverine.core.types import BIT, INT, ArrayType, IntType, PointerType, StructReference
from wolverine.errors import CommandError


def cells(graph, identity):
    return {place.offset: value for place, value in graph.cells.items() if place.object == identity}


def local(name, function="main", depth=0):
    return VariableId(depth, function, name)


def test_a_tree_with_parents_and_a_dangling_pointer(bench):
    b = bench(
        """
        #include <stdlib.h>
        typedef struct tree { int key; struct tree *left, *right, *parent; } tree;
        tree *root;
        static tree *make(int key, tree *parent)
        {
            tree *t = malloc(sizeof(tree));
            t->key = key;
            t->parent = parent;
            return t; /* made */
        }
        int main(void)
        {
            root = make(1, NULL);
            root->left = make(2, root);
            root->right = make(3, root);
            free(root->right);
            root = root->left;
            return 0; /* here */
        }
        """
    )
    b.until("/* made */")
    graph = b.debugger.snapshot().graph
    assert cells(graph, NodeId(1)) == {0: 1, 8: UNINITIALISED, 16: UNINITIALISED, 24: None}
    assert cells(graph, local("t", "make", 1)) == {0: Pointer(NodeId(1))}
    assert [(v.id, v.parameter) for v in graph.frames[0].variables] == [
        (local("key", "make", 1), True),
        (local("parent", "make", 1), True),
        (local("t", "make", 1), False),
    ]
    b.until("/* here */")
    graph = b.debugger.snapshot().graph
    n1, n2, n3 = NodeId(1), NodeId(2), NodeId(3)
    assert cells(graph, n1) == {0: 1, 8: Pointer(n2), 16: Pointer(n3), 24: None}
    assert cells(graph, n2) == {0: 2, 8: UNINITIALISED, 16: UNINITIALISED, 24: Pointer(n1)}
    assert {n.number: node.state for n, node in graph.nodes.items()} == {1: "live", 2: "live", 3: "freed"}
    assert graph.nodes[n3].freed.line == b.line("free(root->right)")
    assert graph.nodes[n1].allocated.function == "make"
    assert graph.nodes[n1].type == StructReference("tree")
    assert cells(graph, VariableId(-1, "", "root")) == {0: Pointer(n2)}
    assert graph.cell_types[Place(n1, 8)] == PointerType(StructReference("tree"))


def test_a_struct_with_an_open_end_needs_room_for_what_is_before_that(bench):
    b = bench(
        """
        #include <stdlib.h>
        struct cell { int n; struct cell *next; };
        struct row { struct cell *first; double weight; struct row *next; struct { int a; } items[]; };
        int main(void)
        {
            struct row *left_over = malloc(sizeof(struct cell));
            struct cell *cell = (struct cell *)left_over;
            cell->n = 1;
            return cell->n; /* here */
        }
        """
    )
    b.until("/* here */")
    assert b.debugger.snapshot().graph.nodes[NodeId(1)].type == StructReference("cell")


def test_types_are_told_by_the_best_pointer_and_kept(bench):
    b = bench(
        """
        #include <stdlib.h>
        #include <string.h>
        struct point { short x, y; };
        struct box { char name[4]; struct point corner[2]; double weight; struct box *next; };
        struct flexible { int n; int item[]; };
        int main(void)
        {
            void *any = malloc(sizeof(struct box));
            char *bytes = any;
            struct box *box = (struct box *)bytes; /* any */
            int *numbers = calloc(3, sizeof(int)), *second = numbers + 1;
            struct flexible *f = malloc(sizeof *f + 2 * sizeof(int));
            int **table = malloc(2 * sizeof *table);
            char *text = strdup("hi");
            struct box *odd = (struct box *)text; /* has no room there */
            struct point *inside = &box->corner[1];
            int *small = malloc(2);
            struct box *wrong = malloc(sizeof(wrong));
            strcpy(box->name, "abc");
            box->corner[1].y = -2;
            box->weight = 1.5;
            box->next = box + 1;
            f->n = 2; f->item[0] = 8; f->item[1] = 9;
            table[0] = second; table[1] = &f->item[1];
            numbers = 0;
            f = 0; /* here */
            box = 0; bytes = 0;
            return 0; /* lost */
        }
        """
    )
    b.until("/* any */")
    graph = b.debugger.snapshot().graph
    assert graph.nodes[NodeId(1)].type == IntType("char", 1)
    b.until("/* here */")
    graph = b.debugger.snapshot().graph
    box = cells(graph, NodeId(1))
    assert [box[i] for i in range(4)] == [97, 98, 99, 0]
    assert {k: v for k, v in box.items() if k >= 4} == {
        4: UNINITIALISED, 6: UNINITIALISED, 8: UNINITIALISED, 10: -2, 16: 1.5, 24: Pointer(NodeId(1), 32),
    }  # fmt: skip
    assert graph.nodes[NodeId(1)].type == StructReference("box")
    assert cells(graph, local("inside")) == {0: Pointer(NodeId(1), 8)}
    assert cells(graph, NodeId(2)) == {0: 0, 4: 0, 8: 0}
    assert (graph.nodes[NodeId(2)].count, graph.nodes[NodeId(2)].array) == (3, True)
    assert cells(graph, NodeId(3)) == {0: 2, 4: 8, 8: 9}
    assert cells(graph, NodeId(4)) == {0: Pointer(NodeId(2), 4), 8: Pointer(NodeId(3), 8)}
    assert cells(graph, NodeId(5)) == {0: 104, 1: 105, 2: 0}
    assert cells(graph, NodeId(6)) == {}  # an int does not fit in two bytes
    assert cells(graph, NodeId(7)) == {
        0: UNINITIALISED,
        1: UNINITIALISED,
        2: UNINITIALISED,
        3: UNINITIALISED,
        4: UNINITIALISED,
        6: UNINITIALISED,
    }
    b.debugger.resume(f"until {b.line('/* lost */')}")
    graph = b.debugger.snapshot().graph
    assert graph.nodes[NodeId(1)].type == StructReference("box")
    assert NodeId(1) not in graph.leaked()  # `any` and `inside` still lead to it


def test_variables_of_every_kind(bench):
    b = bench(
        """
        #include <stdio.h>
        #include <stdbool.h>
        union u { int i; float f; };
        enum colour { RED, GREEN = 7 };
        struct bits { unsigned a : 3, b : 5; int plain; };
        typedef struct { int first; struct { int x, y; }; } named;
        struct local { int *to; };
        static int counter = 4;
        int matrix[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
        static void inner(int **pp, int n)
        {
            static long kept = 9;
            int vla[n];
            register int quick = 3;
            for (int i = 0; i < n; i++)
                vla[i] = 10 * i + quick;
            kept++;
            **pp = 5; /* here */
        }
        int main(int argc, char **argv)
        {
            int x = 1, *p = &x, **pp = &p;
            unsigned char c = 200;
            bool yes = true;
            long double wide = 1.0L;
            double d = 0.25;
            enum colour e = GREEN;
            union u u = { 1 };
            struct bits bits = { 1, 2, 3 };
            named s = { 1, { 2, 3 } };
            struct local l = { &matrix[1][2] };
            int (*f)(const char *) = puts;
            int *wild = (int *)0x41, *literal = (int *)"text";
            { int x = 2; p = &x; x++; }
            p = &x;
            inner(pp, 3);
            return 0;
        }
        """,
        duplicates=frozenset({("main", "x")}),
    )
    b.until("/* here */")
    graph = b.debugger.snapshot().graph
    x = local(f"x@{b.line('int x = 1')}")
    assert cells(graph, x) == {0: 1}
    assert cells(graph, local("p")) == {0: Pointer(x)}
    assert cells(graph, local("pp")) == {0: Pointer(local("p"))}
    assert cells(graph, local("pp", "inner", 1)) == {0: Pointer(local("p"))}
    assert cells(graph, local("vla", "inner", 1)) == {0: 3, 4: 13, 8: 23}
    assert cells(graph, local("c")) == {0: 200}
    assert cells(graph, local("yes")) == {0: 1}
    assert cells(graph, local("d")) == {0: 0.25}
    assert cells(graph, local("e")) == {0: 7}
    assert graph.cell_types[Place(local("e"), 0)] == IntType("enum colour", 4, False)
    assert isinstance(cells(graph, local("wide"))[0], Opaque)
    assert cells(graph, local("u")) == {0: Opaque(b"\x01\0\0\0")}
    assert cells(graph, local("bits")) == {0: 1, 3 * BIT: 2, 4: 3}
    assert cells(graph, local("s")) == {0: 1, 4: 2, 8: 3}
    assert cells(graph, local("l")) == {0: Pointer(VariableId(-1, "", "matrix"), 20)}
    assert isinstance(cells(graph, local("f"))[0], External)
    assert cells(graph, local("wild")) == {0: Wild(0x41)}
    assert isinstance(cells(graph, local("literal"))[0], External)
    assert cells(graph, local("argc")) == {0: 1}
    assert isinstance(cells(graph, local("argv"))[0], External)
    assert cells(graph, VariableId(-1, "inner", "kept")) == {0: 10}
    assert cells(graph, VariableId(-1, "", "counter")) == {0: 4}
    assert list(cells(graph, VariableId(-1, "", "matrix")).values()) == [1, 2, 3, 4, 5, 6]
    assert {v.id.name for v in graph.globals} == {"counter", "matrix", "kept"}
    assert graph.types.structs["named"].size == 12
    types = {v.id.name: v.type for v in graph.frames[0].variables}
    assert types["vla"] == ArrayType(INT, 3)


def test_blocks_of_libraries_are_no_nodes(bench):
    b = bench(
        """
        #define _GNU_SOURCE
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int main(void)
        {
            char *line = NULL, *made = NULL;
            size_t size = 0;
            int *first = malloc(4), *grown;
            *first = 1;
            printf("a buffer of stdio\\n");
            getline(&line, &size, stdin);
            asprintf(&made, "%d", 42);
            grown = realloc(first, 2);
            grown = realloc(grown, 400);
            return 0; /* here */
        }
        """
    )
    b.until("getline(")
    b.debugger.send_input(b"some input\n")
    b.debugger.resume(f"until {b.line('/* here */')}")
    graph = b.debugger.snapshot().graph
    assert {n.number: (node.size, node.state) for n, node in graph.nodes.items()} == {
        1: (2, "freed"), 2: (120, "live"), 3: (100, "live") if graph.nodes[NodeId(3)].size == 100 else
        (graph.nodes[NodeId(3)].size, "live"), 4: (400, "live"),
    }  # fmt: skip
    assert [cells(graph, NodeId(3))[i] for i in range(3)] == [52, 50, 0]
    assert graph.nodes[NodeId(4)].allocated.line == b.line("realloc(grown, 400)")
    assert cells(graph, NodeId(4))[4] == UNINITIALISED


def test_writing(bench):
    b = bench(
        """
        #include <stdlib.h>
        struct node { long data; struct node *next; char tag; float f; };
        struct node *head;
        int main(void)
        {
            struct node *a = malloc(sizeof *a), here = { 0 };
            struct node **where = &head;
            a->next = a;
            return head != 0; /* here */
        }
        """
    )
    b.until("/* here */")
    debugger = b.debugger
    snapshot = debugger.snapshot()
    a, head = NodeId(1), VariableId(-1, "", "head")
    wanted = {
        Place(a, 0): -5,
        Place(a, 8): None,
        Place(a, 16): 65,
        Place(a, 20): 0.5,
        Place(head, 0): Pointer(local("here")),
        Place(local("where"), 0): Pointer(a, 8),
        Place(local("here"), 8): Pointer(a),
        Place(local("a"), 0): Wild(0x41),
    }
    for place, value in wanted.items():
        debugger.write(place, value, snapshot)
    after = debugger.snapshot().graph
    assert {place: after.cells[place] for place in wanted} == wanted
    assert debugger.console("print here.next->data") == "$1 = -5\n"
    debugger.write(Place(a, 0), UNINITIALISED, snapshot)
    assert debugger.snapshot().graph.cells[Place(a, 0)] == UNINITIALISED
    with pytest.raises(CommandError):
        debugger.write(Place(a, 3), 1, snapshot)
    with pytest.raises(CommandError):
        debugger.write(Place(a, 0), Pointer(a), snapshot)
    assert debugger.resume("continue").code == 1


def test_a_thousand_nodes_and_a_large_array(bench):
    b = bench(
        """
        #include <stdlib.h>
        struct node { int data; struct node *next, *prev; };
        int big[300][300];
        int main(void)
        {
            struct node *head = NULL;
            int i;
            for (i = 0; i < 1000; i++) {
                struct node *n = malloc(sizeof *n);
                n->data = i; n->next = head; n->prev = NULL;
                if (head) head->prev = n;
                head = n;
            }
            head->data = -1;
            return 0; /* here */
        }
        """
    )
    b.until("/* here */")
    graph = b.debugger.snapshot().graph
    assert len(graph.nodes) == 1000
    at, seen = cells(graph, local("head"))[0], []
    while at is not None:
        seen.append(graph.cells[Place(at.object, 0)])
        at = graph.cells[Place(at.object, 8)]
    assert seen == [-1, *range(998, -1, -1)]
    assert graph.nodes.keys() == graph.reachable()
    # The last snapshot's work is not done again, and a change is seen all the same.
    b.debugger.console("set var head->next->data = 77")
    again = b.debugger.snapshot().graph
    assert again.nodes is graph.nodes
    changed = {place for place in again.cells if again.cells[place] != graph.cells[place]}
    assert changed == {Place(NodeId(999), 0)}
    assert 0 < len(cells(graph, VariableId(-1, "", "big"))) < 90000


def test_condition_code(bench):
    b = bench(
        """
        int side(int x) { return x; }
        int main(void)
        {
            int a = 1, b = 2, n = 0;
            while (a < 3 && b != 9)
                a++;
            for (n = 0; n < 2; n++) b++;
            if (side(a) > 9 || side(b) > 3)
                n = 5;
            else
                n = 6;
            do n--; while (n > 2);
            return n;
        }
        """
    )
    b.debugger.start()
    rows = b.debugger.rows("main")
    debugger = b.debugger

    text = b.text.splitlines()
    line = b.line("while (a < 3")
    first = text[line - 1].index("a < 3") + 1
    condition = [(r.address, e.address) for r, e in pairwise(rows) if r.line == line and r.column > first]
    lines = {edge.row.line for edge in debugger.edges(condition)}
    assert lines == {line + 1, line + 2}
    assert len(debugger.jumps(condition)) == 2
    line = b.line("side(a) > 9")
    condition = [(r.address, e.address) for r, e in pairwise(rows) if r.line == line]
    assert {edge.row.line for edge in debugger.edges(condition)} == {line + 1, line + 3}
    returns = debugger.calls(condition)
    assert len(returns) == 2 and returns == tuple(sorted(returns))
    debugger.console("break side")
    debugger.resume("continue")
    assert debugger.snapshot().frames[1].pc == returns[0]
    debugger.resume("continue")
    debugger.resume("finish")
    debugger.console("delete")
    body = next(e.address for e in debugger.edges(condition) if e.row.line == line + 3)
    debugger.set_pc(body)
    assert debugger.stop_info().frames[0].line == line + 3
    debugger.resume("next")
    assert b.value("n") == 6
