"""Fresh heaps of structs that hang together by links inside of them, and of links in nested places."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer
from wolverine.core.program import Program
from wolverine.core.types import StructReference
from wolverine.semantics.carriers import Carrier
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.fresh import fresh_graphs

Lower = Callable[[str], Program]
Walk = Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]]

TASKS = """\
#include <stdlib.h>
#include <stddef.h>
struct link { struct link *next, *prev; };
struct task { int pid; struct link run; long due; };
struct link queue;
void take(struct link *e) { e->next->prev = e->prev; e->prev->next = e->next; }
void stop(struct task *t) { take(&t->run); free(t); }
void add(int pid)
{
    struct task *t = malloc(sizeof *t);
    t->pid = pid;
    t->due = 3;
    t->run.next = &queue;
    t->run.prev = queue.prev;
    queue.prev->next = &t->run;
    queue.prev = &t->run;
}
int main(void)
{
    queue.next = queue.prev = &queue;
    add(4);
    add(5);
    stop((struct task *)((char *)queue.next - offsetof(struct task, run)));
    return 0;
}
"""
PAIR = """\
#include <stdlib.h>
struct node { int v; struct node *child[2]; };
int count(struct node *n) { return n == NULL ? 0 : 1 + count(n->child[0]) + count(n->child[1]); }
int main(void)
{
    struct node *n = calloc(1, sizeof *n);
    n->child[1] = calloc(1, sizeof *n);
    return count(n);
}
"""
HOOK = """\
#include <stdlib.h>
struct item { int v; struct { struct item *next, *prev; } hook; };
int count(struct item *n) { return n == NULL ? 0 : 1 + count(n->hook.next); }
int main(void)
{
    struct item *n = calloc(1, sizeof *n);
    n->hook.next = calloc(1, sizeof *n);
    n->hook.next->hook.prev = n;
    return count(n);
}
"""
VOID = """\
#include <stdlib.h>
struct link { void *what; struct link *next; };
struct list { int count; struct link *head; void *user; };
int keys[3];
int is_there(void *list, void *what)
{
    struct link *at = ((struct list *)list)->head;
    while (at != NULL && at->what != what) at = at->next;
    return at != NULL;
}
void *make(void)
{
    struct list *made = calloc(1, sizeof *made);
    return made;
}
void add(void *list, void *what)
{
    struct link *made = malloc(sizeof *made);
    made->what = what;
    made->next = ((struct list *)list)->head;
    ((struct list *)list)->head = made;
}
int main(void)
{
    void *list = make();
    for (int i = 0; i < 3; i++) add(list, &keys[i]);
    return is_there(list, &keys[1]);
}
"""


def entered(program: Program, function: str, walk: Walk) -> list[MemoryGraph]:
    """Fresh heaps for the function, made from where it is called first."""
    stack, graph = next(stop for stop in walk(program) if stop[0][0][0] == function)
    return fresh_graphs(program, graph, stack)


def sizes(heaps: list[MemoryGraph]) -> set[int]:
    return {len(heap.nodes) for heap in heaps}


@pytest.mark.parametrize("function", ["take", "stop"])
def test_carriers_hang_together_by_their_links(lower: Lower, walk: Walk, function: str) -> None:
    program = lower(TASKS)
    assert compile_program(program).carriers == (Carrier("task", "link", 8),)
    heaps = entered(program, function, walk)
    assert sizes(heaps) == {0, 1, 2, 3, 4, 5}
    for heap in heaps:
        assert {node.type for node in heap.nodes.values()} <= {StructReference("task")}
        [queue] = [v.id for v in heap.globals]
        [given] = [v.id for v in heap.frames[0].variables if v.parameter]
        around, at = [], heap.cells[Place(queue, 0)]
        while at != Pointer(queue):
            assert isinstance(at, Pointer) and isinstance(at.object, NodeId) and at.offset == 8
            around.append(at.object)
            following = heap.cells[Place(at.object, 8)]
            assert isinstance(following, Pointer)
            assert heap.cells[Place(following.object, following.offset + 8)] == at
            at = following
        assert len(around) == len(heap.nodes)
        led = heap.cells[Place(given, 0)]
        whole = 8 if function == "take" else 0
        assert led in [Pointer(node, whole) for node in around] or (led is None and not around)


def test_links_may_be_a_pair(lower: Lower, walk: Walk) -> None:
    heaps = entered(lower(PAIR), "count", walk)
    assert sizes(heaps) == {0, 1, 2, 3, 5}
    both = [heap.cells[Place(NodeId(1), at)] for heap in heaps for at in (8, 16) if len(heap.nodes) == 3]
    assert None in both and Pointer(NodeId(2)) in both and Pointer(NodeId(3)) in both


def test_links_may_lie_in_a_struct_inside(lower: Lower, walk: Walk) -> None:
    heaps = entered(lower(HOOK), "count", walk)
    assert sizes(heaps) == {0, 1, 2, 3, 4, 5}
    [three, *_] = [heap for heap in heaps if len(heap.nodes) == 3]
    for before, behind in ((1, 2), (2, 3)):
        assert three.cells[Place(NodeId(before), 8)] == Pointer(NodeId(behind))
        assert three.cells[Place(NodeId(behind), 16)] == Pointer(NodeId(before))


def test_what_void_pointers_lead_to_is_varied(lower: Lower, walk: Walk) -> None:
    """The record by its size, and what is looked for by what the nodes lead to."""
    found = set()
    for heap in entered(lower(VOID), "is_there", walk):
        head = heap.cells[Place(NodeId(len(heap.nodes)), 8)]
        what = next(v.id for v in heap.frames[0].variables if v.id.name == "what")
        links = [node.id for node in heap.nodes.values() if node.type == StructReference("link")]
        held = [heap.cells[Place(link, 0)] for link in links]
        assert (head is None) == (not links)
        wanted = heap.cells[Place(what, 0)]
        found.add((len(links), held.index(wanted) if wanted in held else -1))
    assert {(0, -1), (1, 0), (2, 0), (2, 1), (3, 0), (3, 2)} <= found
