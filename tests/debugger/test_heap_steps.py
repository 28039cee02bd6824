"""A heap that is followed from stop to stop is the heap that is read anew."""

from __future__ import annotations

from dataclasses import replace

from wolverine.core.graph import Wild, changed_places, links

PROGRAM = """
#include <stdlib.h>
#include <string.h>
struct node { int data; struct node *next; char *name; int *into; };
struct node *head;
static void push(int d)
{
    int local = d;
    struct node *n = malloc(sizeof *n);
    n->data = d;
    n->into = &local;
    n->name = d % 2 ? "odd" : strdup("even");
    n->next = head;
    head = n;
}
int main(void)
{
    int *raw = malloc(40);
    struct node *gone;
    push(1); /* start */
    push(2);
    push(3);
    gone = head;
    head = head->next;
    free(gone);
    head->into = raw;
    raw[3] = 7;
    gone = realloc(head->name, 100);
    head->name = NULL;
    push(4);
    return 0; /* end */
}
"""


def test_every_step_gives_what_reading_all_gives(bench):
    b = bench(PROGRAM)
    b.until("start")
    last = b.debugger.snapshot().graph
    end, known = b.line("end"), 0
    while True:
        b.debugger.resume("step")
        graph = b.debugger.snapshot().graph
        told = changed_places(last, graph)
        known += graph.descent.apart(last.descent) is not None
        assert told == changed_places(replace(last), replace(graph))
        assert links(graph).reached == links(replace(graph)).reached
        b.debugger._reader().forget()
        whole = b.debugger.snapshot().graph
        assert (graph.cells, graph.nodes) == (whole.cells, whole.nodes)
        assert graph.cell_types == whole.cell_types
        last = b.debugger.snapshot().graph
        if b.debugger.stop_info().frames[0].line == end:
            break
    assert known > 10
    assert any(isinstance(value, Wild) for value in graph.cells.values())
