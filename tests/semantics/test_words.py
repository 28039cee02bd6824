"""Texts on fresh heaps: each new node has its own where the program keeps them, and some are looked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from wolverine.core.graph import External, MemoryGraph, NodeId, Place, Pointer, VariableId
from wolverine.core.program import Program
from wolverine.semantics.fresh import fresh_graphs
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import graph_of, seat
from wolverine.semantics.words import Words

Walk = Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]]

TEXT = """\
#include <stdlib.h>
#include <string.h>
struct person {{ {name}; struct person *next; }};
struct person *add(struct person *head, const char *name)
{{
    struct person *p = malloc(sizeof(struct person));
    {keep}
    p->next = head;
    return p;
}}
int answer;
void seek(struct person *l, const char *wanted)
{{
    while (l != NULL && strcmp(l->name, wanted) != 0)
        l = l->next;
    answer = l != NULL;
}}
void destroy(struct person *l)
{{
    while (l != NULL) {{
        struct person *next = l->next;
        {drop}
        free(l);
        l = next;
    }}
}}
int main(void)
{{
    char wanted[4];
    strcpy(wanted, "bob");
    struct person *l = {start};
    seek(l, wanted);
    destroy(l);
    return answer;
}}
"""
KEPT = {
    "heap": ("char *name", "p->name = malloc(strlen(name) + 1); strcpy(p->name, name);", "free(l->name);"),
    "outside": ("const char *name", "p->name = name;", ""),
    "inside": ("char name[8]", "strcpy(p->name, name);", ""),
}
STARTS = ('add(add(NULL, "ann"), "bob")', "NULL")


def at_entry(walk: Walk, program: Program, function: str) -> MemoryGraph:
    return next(graph for stack, graph in walk(program) if stack[0][0] == function)


def results(program: Program, function: str, heaps: list[MemoryGraph]) -> Iterator[MemoryGraph]:
    """What is left at the function's return."""
    machine = Machine(program, stops={function: {program.functions[function].end}}, strict=True)
    for heap in heaps:
        mark = machine.mark()
        seat(machine, heap, ((function, 0),))
        assert machine.run(10_000) == "stop"
        yield graph_of(machine, heap)
        machine.undo(mark)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("kept", KEPT)
def test_texts_are_found_and_freed(
    lower: Callable[[str], Program], walk: Walk, kept: str, start: str
) -> None:
    name, keep, drop = KEPT[kept]
    program = lower(TEXT.format(name=name, keep=keep, drop=drop, start=start))
    heaps = fresh_graphs(program, at_entry(walk, program, "seek"))
    answers = [
        (value != 0, sum(node.type is not None and node.size > 8 for node in left.nodes.values()))
        for left in results(program, "seek", heaps)
        for place, value in left.cells.items()
        if getattr(place.object, "name", "") == "answer"
    ]
    assert {(False, 0), (True, 2), (False, 2)} <= {(found, min(nodes, 2)) for found, nodes in answers}
    for left in results(program, "destroy", fresh_graphs(program, at_entry(walk, program, "destroy"))):
        assert {node.state for node in left.nodes.values()} <= {"freed"}


def test_texts_stay_where_the_execution_shows_them(lower: Callable[[str], Program], walk: Walk) -> None:
    for kept, kind in (("heap", Pointer), ("outside", External)):
        name, keep, drop = KEPT[kept]
        program = lower(TEXT.format(name=name, keep=keep, drop=drop, start=STARTS[0]))
        for heap in fresh_graphs(program, at_entry(walk, program, "seek")):
            for node in heap.nodes.values():
                if node.size == 16:
                    assert isinstance(heap.cells[Place(node.id, 0)], kind)
        assert all(isinstance(each, NodeId) for each in heap.nodes)


@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("given", [b"", b"x", b"name"])
def test_words_are_in_the_order_of_their_numbers(given: bytes, at: int) -> None:
    words = [Words(given, at).word(number) for number in range(1, 27)]
    assert words == sorted(set(words))
    assert not given or words[at - 1] == given


def test_what_is_looked_for_is_anywhere(lower: Callable[[str], Program], walk: Walk) -> None:
    """At the first, in the middle, at the last, and nowhere; also where there is a single node."""
    name, keep, drop = KEPT["inside"]
    program = lower(TEXT.format(name=name, keep=keep, drop=drop, start=STARTS[0]))
    found = set()
    for heap in fresh_graphs(program, at_entry(walk, program, "seek")):
        people = [each.id for each in heap.nodes.values() if each.size == 16]
        texts = [bytes(int(str(heap.cells[Place(node, at)])) for at in range(4)) for node in people]
        found.add((len(texts), texts.index(b"bob\0") if b"bob\0" in texts else None))
    assert {(1, 0), (1, None), (3, 0), (3, 1), (3, 2)} <= found


BEHIND = """\
#include <stdlib.h>
#include <string.h>
struct note { struct note *next; char text[]; };
int answer;
struct note *put(struct note *l, const char *text)
{
    struct note *n = malloc(sizeof *n + strlen(text) + 1);
    strcpy(n->text, text);
    n->next = l;
    return n;
}
void seek(struct note *l, const char *wanted)
{
    while (l != NULL && strcmp(l->text, wanted) != 0)
        l = l->next;
    answer = l != NULL;
}
int main(void)
{
    char wanted[4];
    strcpy(wanted, "two");
    struct note *l = put(put(NULL, "one"), "two");
    seek(l, wanted);
    return answer;
}
"""


def test_they_are_where_a_node_goes_on_behind_its_struct(lower: Callable[[str], Program], walk: Walk) -> None:
    program = lower(BEHIND)
    heaps = fresh_graphs(program, at_entry(walk, program, "seek"))
    assert {heap.nodes[NodeId(1)].size for heap in heaps if heap.nodes} == {12}
    left = [*results(program, "seek", heaps)]
    told = {left_over.cells[Place(VariableId(-1, "", "answer"), 0)] for left_over in left}
    assert told == {0, 1}
